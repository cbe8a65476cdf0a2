package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

func (b bundle) undo(t *testing.T, statementID int64) store.Undo {
	t.Helper()
	plan, err := b.PlanUndo(t.Context(), b.preparer, statementID)
	ok(t, err)
	undone, duplicate, err := b.UndoStatement(t.Context(), b.preparer, "", statementID, "the bank sent another file")
	ok(t, err)
	if plan.Refusal != nil || plan.Lines != undone.Lines || plan.Matches != undone.Matches || plan.Back != undone.Breaks {
		t.Errorf("the plan was %+v, it came to %+v", plan, undone)
	}
	if duplicate {
		t.Fatal("an undo is taken for one that came before")
	}
	return undone
}

// standing is what a reconciliation says and holds: its proof, its breaks by number, its matches by what they hold.
func (b bundle) standing(t *testing.T, id int64) (lines []string) {
	t.Helper()
	r := b.reconciliation(t, id)
	lines = append(lines, fmt.Sprintf("proof %+v, totals %+v, latest %v, %d postings, %d lines", r.Proof, r.Totals, r.Latest, r.Postings, r.Lines))
	breaks, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	for _, item := range breaks {
		lines = append(lines, fmt.Sprintf("break %d %s %s %s %d of %v %v", item.ID, item.Type, item.Status, item.Resolution, item.DifferenceMinor, item.Ledger, item.Bank))
	}
	matches, _, err := b.Matches(t.Context(), b.viewer, id, 0, 0)
	ok(t, err)
	for _, m := range matches {
		lines = append(lines, fmt.Sprintf("match %s of %v %v", m.Kind, m.Ledger, m.Bank))
	}
	return lines
}

func (b bundle) historyOf(t *testing.T, id int64) string {
	t.Helper()
	_, events, err := b.Break(t.Context(), b.viewer, id)
	ok(t, err)
	var names []string
	for _, e := range events {
		names = append(names, e.Event)
	}
	return strings.Join(names, ", ")
}

func TestUndoStatement_TheFirstLeavesNothingAndItsFileComesAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(1000)), entry("t2", on("2026-03-12"), amount(700)))
	data := csv("2026-03-10,10.00,t1", "2026-03-11,3.00,x")
	first := b.upload(t, data, period("2026-03-01", "2026-03-31"))
	undone := b.undo(t, first.StatementID)
	if undone.Lines != 2 || undone.Matches != 1 || undone.Breaks != 0 || undone.ReconciliationID != first.ReconciliationID || undone.By != "preparer" {
		t.Errorf("undone is %+v", undone)
	}
	account, err := b.Account(t.Context(), b.viewer, "1010")
	ok(t, err)
	listed, _, err := b.Statements(t.Context(), b.viewer, 0, 0)
	ok(t, err)
	all, _, err := b.Reconciliations(t.Context(), b.viewer, 0, 0)
	ok(t, err)
	if len(all) != 1 || !reflect.DeepEqual(all[0].Undo, &undone) {
		t.Errorf("the list has %+v", all)
	}
	live := b.column(t, `SELECT concat_ws(' ', (SELECT count(*) FROM statement_lines WHERE NOT undone), (SELECT count(*) FROM matches WHERE live),
		(SELECT count(*) FROM match_lines WHERE live), (SELECT count(*) FROM match_postings WHERE live), (SELECT count(*) FROM breaks WHERE live),
		(SELECT count(*) FROM break_lines WHERE live), (SELECT count(*) FROM break_postings WHERE live))`)
	if !account.ReconcileFrom.IsZero() || len(listed) != 0 || live[0] != "0 0 0 0 0 0 0" {
		t.Errorf("it reconciles from %q, %d statements are listed, live are %q", account.ReconcileFrom, len(listed), live)
	}
	if r := b.reconciliation(t, first.ReconciliationID); r.Status != store.ReconciliationUndone || r.Undo == nil || r.Undo.Reason != "the bank sent another file" || r.Latest {
		t.Errorf("its reconciliation is %+v", r)
	}
	refused(t, b.RunMatching(t.Context(), b.preparer, first.ReconciliationID), ledger.KindIllegalTransition)

	again := b.upload(t, data, period("2026-03-01", "2026-03-31"))
	if again.StatementID == first.StatementID || again.Rows != (store.RowCounts{New: 2}) {
		t.Errorf("the file again gives %+v", again)
	}
	if got, want := b.breaksOf(t, again.ReconciliationID), []string{"missing_in_ledger open -300", "missing_in_bank open 700"}; !reflect.DeepEqual(got, want) {
		t.Errorf("it has %q, want %q", got, want)
	}
	b.isProven(t, "1010")
	if got := b.column(t, `SELECT detail->>'reason' FROM audit_log WHERE action = 'statement.undo'`); !reflect.DeepEqual(got, []string{"the bank sent another file"}) {
		t.Errorf("the audit log has %q", got)
	}
}

func TestUndoStatement_WhatItSettledComesBackWithItsHistory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(1000)), entry("t2", on("2026-03-31"), amount(500)), entry("t3", on("2026-03-30"), amount(70)), entry("t4", on("2026-03-15"), amount(40)),
		entry("t5", on("2026-04-15"), amount(90)))
	march := b.upload(t, csv("2026-03-10,10.00,t1", "2026-03-20,8.00,late"), period("2026-03-01", "2026-03-31"))
	breaks, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: march.ReconciliationID, Type: recon.MissingInLedger})
	ok(t, err)
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", breaks[0].ID, store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "asked the bank"})
	ok(t, err)
	before := b.standing(t, march.ReconciliationID)
	timing, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: march.ReconciliationID, Type: recon.Timing})
	ok(t, err)

	april := b.upload(t, csv("2026-04-02,5.00,t2", "2026-04-03,0.40,t4", "2026-04-04,9.00,y", "2026-04-05,-8.00,back"), period("2026-04-01", "2026-04-30"))
	if cleared := b.standing(t, march.ReconciliationID); reflect.DeepEqual(cleared, before) {
		t.Fatal("April changed nothing")
	}
	undone := b.undo(t, april.StatementID)
	if after := b.standing(t, march.ReconciliationID); !reflect.DeepEqual(after, before) {
		t.Errorf("March is\n%s\nwas\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	if undone.Lines != 4 || undone.Matches != 2 || undone.Breaks != 2 {
		t.Errorf("undone is %+v", undone)
	}
	for _, item := range timing {
		want := "found, resolved, superseded, returned" // t2, which April matched
		if item.DifferenceMinor == 70 {
			want = "found, resolved, returned, returned" // t3, which April called missing
		}
		if got := b.historyOf(t, item.ID); got != want {
			t.Errorf("the history of break %d of %d is %s, want %s", item.ID, item.DifferenceMinor, got, want)
		}
	}
	b.isProven(t, "1010")
	again := b.upload(t, csv("2026-04-02,5.00,t2", "2026-04-03,0.40,t4", "2026-04-04,9.00,y", "2026-04-05,-8.00,back"), period("2026-04-01", "2026-04-30"))
	if again.Rows.New != 4 {
		t.Errorf("the file again gives %+v", again.Rows)
	}
	b.isProven(t, "1010")
}

func TestUndoStatement_OfAnEarlierOneLeavesTheLaterRight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(1000)), entry("t2", on("2026-04-10"), amount(500)))
	april := b.upload(t, lined("2026-04-10,5.00,t2,15.00", "2026-04-11,1.00,x,16.00"), period("2026-04-01", "2026-04-30"))
	before := b.standing(t, april.ReconciliationID)
	march := b.upload(t, lined("2026-03-10,10.00,t1,10.00", "2026-03-12,0.00,z,10.00"), period("2026-03-01", "2026-03-31"))
	b.undo(t, march.StatementID)
	if after := b.standing(t, april.ReconciliationID); !reflect.DeepEqual(after, before) {
		t.Errorf("April is\n%s\nwas\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	b.isProven(t, "1010")
}

func TestUndoStatement_TakesMatchesByHandApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("a", on("2026-03-10"), amount(1000)), entry("b", on("2026-03-11"), amount(700)))
	march := b.upload(t, csv("2026-03-02,1.00,q"), period("2026-03-01", "2026-03-31"))
	before := b.standing(t, march.ReconciliationID)
	april := b.upload(t, csv("2026-04-10,17.00,both"), period("2026-04-01", "2026-04-30"))
	b.matchByHand(t, april.ReconciliationID, postingsOf(1, 2), rowsNamed(2))
	b.undo(t, april.StatementID)
	if after := b.standing(t, march.ReconciliationID); !reflect.DeepEqual(after, before) {
		t.Errorf("March is\n%s\nwas\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	b.isProven(t, "1010")
}

func TestUndoStatement_Refuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.upload(t, csv("2026-03-10,10.00,t1", "2026-03-11,3.00,x"), period("2026-03-01", "2026-03-31"))
	_, _, err := b.UndoStatement(t.Context(), b.viewer, "", first.StatementID, "why")
	refused(t, err, ledger.KindForbidden)
	for _, reason := range []string{"", "a\x00b"} {
		_, _, err = b.UndoStatement(t.Context(), b.preparer, "", first.StatementID, reason)
		refused(t, err, ledger.KindInvalid)
	}
	_, _, err = b.UndoStatement(t.Context(), b.preparer, "", 99, "why")
	refused(t, err, ledger.KindNotFound)

	second := b.upload(t, csv("2026-03-11,3.00,x", "2026-03-31,4.00,y"), period("2026-03-11", "2026-03-31"))
	for _, later := range []struct {
		says string
		id   int64
	}{{"1 of its rows are stored by this one", second.StatementID}} {
		_, _, err = b.UndoStatement(t.Context(), b.preparer, "", first.StatementID, "why")
		dependsOn(t, err, later.id, later.says)
	}
	b.undo(t, second.StatementID)
	third := b.upload(t, csv("2026-04-02,4.00,y"), period("2026-04-01", "2026-04-30"))
	_, _, err = b.UndoStatement(t.Context(), b.preparer, "", first.StatementID, "why")
	dependsOn(t, err, third.StatementID, "goes on from the balance of this one")
	plan, err := b.PlanUndo(t.Context(), b.preparer, first.StatementID)
	ok(t, err)
	if plan.Refusal == nil || plan.Lines != 2 || plan.Statement.ID != first.StatementID {
		t.Errorf("the plan is %+v", plan)
	}
	undone, _, err := b.UndoStatement(t.Context(), b.preparer, "k", third.StatementID, "why")
	ok(t, err)
	again, duplicate, err := b.UndoStatement(t.Context(), b.preparer, "k", third.StatementID, "why")
	ok(t, err)
	if !duplicate || !reflect.DeepEqual(again, undone) {
		t.Errorf("again it gives %+v", again)
	}
	_, _, err = b.UndoStatement(t.Context(), b.preparer, "", third.StatementID, "why")
	refused(t, err, ledger.KindIllegalTransition)
}

func dependsOn(t *testing.T, err error, statementID int64, says string) {
	t.Helper()
	var refusal *ledger.Error
	if !errors.As(err, &refusal) || refusal.Kind != ledger.KindIllegalTransition || refusal.Extra["depends_statement_id"] != statementID || !strings.Contains(refusal.Message, says) {
		t.Errorf("got %v, want that statement %d depends: %s", err, statementID, says)
	}
}

func TestUndoStatement_StopsAtWhatIsSignedOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	march := b.signedMarch(t)
	_, _, err := b.UndoStatement(t.Context(), b.preparer, "", march.Statement.ID, "why")
	refused(t, err, ledger.KindIllegalTransition)
	before := b.standing(t, march.ID)
	april := b.upload(t, csv("2026-04-02,5.00,april", "2026-04-03,0.40,other"), period("2026-04-01", "2026-04-30"))
	b.undo(t, april.StatementID)
	if after := b.standing(t, march.ID); !reflect.DeepEqual(after, before) {
		t.Errorf("March, signed off, is\n%s\nwas\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	for _, statement := range []string{`UPDATE statements SET undone_at = now()`, `INSERT INTO statement_undos VALUES (1, 1, 1, 'x', 0, 0, 0, now()); UPDATE statements SET undone_at = now() WHERE id = 1`,
		`UPDATE statement_lines SET undone = true WHERE statement_id = 1`, `UPDATE statements SET undone_at = NULL`, `DELETE FROM statement_undos`} {
		if _, err := b.owner(t).Exec(t.Context(), statement); err == nil {
			t.Errorf("a superuser may %s", statement)
		}
	}
}

func TestUndoStatement_OfManyAtOnceOneDoesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(1000)))
	first := b.upload(t, csv("2026-03-10,10.00,t1"), period("2026-03-01", "2026-03-31"))
	servers := []*store.Store{b.Store, b.another(t)}
	errs := make([]error, 12)
	together(12, func(i int) {
		switch i % 3 {
		case 0:
			_, _, errs[i] = servers[i%2].UndoStatement(t.Context(), b.preparer, "", first.StatementID, "why")
		case 1:
			_, _, errs[i] = servers[i%2].UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", Data: csv(fmt.Sprintf("2026-04-%02d,1.00,n%d", 1+i*5%12, i)), Hints: nil})
		default:
			errs[i] = servers[i%2].RunMatching(t.Context(), b.preparer, first.ReconciliationID)
		}
	})
	undone := 0
	for i, err := range errs {
		if err != nil && ledger.KindOf(err) != ledger.KindIllegalTransition {
			t.Errorf("caller %d: %v", i, err)
		}
		if i%3 == 0 && err == nil {
			undone++
		}
	}
	if undone > 1 {
		t.Errorf("%d undid it", undone)
	}
	b.isProven(t, "1010")
}

// TestUndoStatement_KeepsEveryProof lets people work at random and undo the latest import, and recomputes every proof after each step.
func TestUndoStatement_KeepsEveryProof(t *testing.T) {
	t.Parallel()
	b := setup(t)
	checkSome(t, 5, func(r *rapid.T, round int) {
		d := &desk{bundle: b, t: t, r: r, account: fmt.Sprintf("undo:%d", round)}
		b.open(t, d.account, ledger.Asset)
		d.post("2026-02", 2)
		d.post("2026-03", 4)
		d.post("2026-04", 2)
		d.upload("2026-03", "2026-03-31")
		steps := map[string]func() error{
			"post": d.postOne, "match again": d.matchAgain, "next statement": d.nextStatement, "late statement": d.lateStatement, "undo": d.undoLatest, "match": d.matchSome, "match all of": d.matchEven,
			"unmatch": d.unmatch, "resolve": d.resolvePlain, "adjust": d.adjust, "decide": d.decide, "reopen": d.reopen,
		}
		for range rapid.IntRange(3, 14).Draw(r, "steps") {
			name := rapid.SampledFrom([]string{"post", "match again", "next statement", "next statement", "late statement", "undo", "undo", "match", "match all of", "match all of", "unmatch", "resolve", "adjust",
				"decide", "reopen"}).Draw(r, "step")
			err := steps[name]()
			d.note(name, err)
			if faults := b.faultsOf(t, d.account); len(faults) > 0 {
				r.Fatalf("after %s:\n%s", strings.Join(d.done, ", "), strings.Join(faults, "\n"))
			}
		}
	})
}

// undoLatest undoes the latest import, but not the first.
func (d *desk) undoLatest() error {
	if len(d.homes) < 2 {
		return nil
	}
	last := d.homes[len(d.homes)-1]
	found, err := d.Reconciliation(d.t.Context(), d.viewer, last)
	if err != nil {
		return err
	}
	if _, _, err := d.UndoStatement(d.t.Context(), d.preparer, "", found.Statement.ID, "try"); err != nil {
		return err
	}
	d.homes = d.homes[:len(d.homes)-1]
	d.files = len(d.homes)
	return nil
}
