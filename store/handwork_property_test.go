package store_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

// desk is an account on which people work at random.
type desk struct {
	bundle
	t       *testing.T
	r       *rapid.T
	account string
	posted  int
	files   int     // in the order of their days
	late    int     // that came late
	homes   []int64 // its reconciliations, the latest last
	done    []string
}

// TestHandwork_KeepsEveryProof lets people match, take apart, resolve, approve and reopen at random, while entries and statements come in,
// and recomputes every proof from scratch after each step.
func TestHandwork_KeepsEveryProof(t *testing.T) {
	t.Parallel()
	b := setup(t)
	checkSome(t, 6, func(r *rapid.T, round int) {
		d := &desk{bundle: b, t: t, r: r, account: fmt.Sprintf("bank:%d", round)}
		b.open(t, d.account, ledger.Asset)
		if rapid.Bool().Draw(r, "with rules") {
			d.note("rules", d.rules())
		}
		d.post("2026-02", 2)
		d.post("2026-03", 4)
		d.upload("2026-03", "2026-03-31")
		steps := map[string]func() error{
			"post": d.postOne, "match again": d.matchAgain, "next statement": d.nextStatement, "late statement": d.lateStatement, "match": d.matchSome, "match all of": d.matchEven, "unmatch": d.unmatch,
			"resolve": d.resolvePlain, "adjust": d.adjust, "decide": d.decide, "reopen": d.reopen, "reverse": d.reverseAdjustment, "reverse booked": d.reverseBooked, "rules": d.rules, "from": d.reconcileFrom, "assign": d.assign,
		}
		for range rapid.IntRange(3, 12).Draw(r, "steps") {
			name := rapid.SampledFrom([]string{"post", "match again", "next statement", "late statement", "match", "match", "match all of", "match all of", "unmatch", "unmatch", "resolve", "adjust",
				"adjust", "decide", "decide", "reopen", "reopen", "reverse", "reverse booked", "rules", "from", "assign"}).Draw(r, "step")
			err := steps[name]()
			d.note(name, err)
			if faults := b.faultsOf(t, d.account); len(faults) > 0 {
				r.Fatalf("after %s:\n%s", strings.Join(d.done, ", "), strings.Join(faults, "\n"))
			}
		}
	})
	b.isSound(t)
}

// note keeps what was done. A refusal is an answer; anything else is not.
func (d *desk) note(name string, err error) {
	if err != nil && ledger.KindOf(err) == ledger.KindInternal {
		d.r.Fatalf("after %s: %s: %v", strings.Join(d.done, ", "), name, err)
	}
	if err != nil {
		name += " (" + string(ledger.KindOf(err)) + ")"
	}
	d.done = append(d.done, name)
}

func (d *desk) draw(name string, from ...int) int { return rapid.SampledFrom(from).Draw(d.r, name) }

func (d *desk) day(month string) string {
	return fmt.Sprintf("%s-%02d", month, d.draw("day", 3, 4, 20, 27, 28))
}

func (d *desk) reference() string { return fmt.Sprintf("REF %d", d.draw("reference", 1, 2, 3, 4, 5)) }

func (d *desk) post(month string, n int) {
	for range n {
		d.posted++
		minor := int64(d.draw("minor", 1000, 1000, 2000, 3000, -1000, 50))
		e := entry(fmt.Sprintf("%s-%d", d.account, d.posted), on(d.day(month)), moves(d.account, "customer:alice", minor), noting("reference", d.reference()))
		if _, err := d.PostEntry(d.t.Context(), d.preparer, e.TxID, e); err != nil {
			d.r.Fatal(err)
		}
	}
}

func (d *desk) postOne() error {
	d.post([]string{"2026-02", "2026-03", "2026-04"}[d.draw("month", 1, 1, 2)], 1)
	return nil
}

func (d *desk) upload(month, to string) {
	d.files++
	var rows []string
	for range rapid.IntRange(2, 5).Draw(d.r, "rows") {
		rows = append(rows, fmt.Sprintf("%s,%d.%02d,%s", d.day(month), d.draw("amount", 10, 10, 20, 30, -10, 0), d.draw("cents", 0, 0, 0, 50), d.reference()))
	}
	rows = append(rows, fmt.Sprintf("%s-05,0.%02d,FILE", month, d.files+10*d.late)) // no file twice
	file := store.Upload{Account: d.account, FileName: "statement.csv", Data: []byte(strings.ReplaceAll(string(csv(rows...)), "FILE", "FILE "+d.account))}
	if to != "" {
		file.PeriodFrom, file.PeriodTo = ledger.MustDate(month+"-01"), ledger.MustDate(to)
	}
	result, _, err := d.UploadStatement(d.t.Context(), d.preparer, "", file)
	if err != nil {
		d.r.Fatal(err)
	}
	d.homes = append(d.homes, result.ReconciliationID)
}

func (d *desk) nextStatement() error {
	switch d.files {
	case 1:
		d.upload("2026-04", "2026-04-30")
	case 2:
		d.upload("2026-05", "2026-05-31")
	}
	return nil
}

// lateStatement brings lines of a time that a statement has spoken for.
func (d *desk) lateStatement() error {
	files, homes := d.files, d.homes
	d.late++
	d.upload([]string{"2026-02", "2026-03"}[d.draw("late", 0, 1, 1)], "")
	d.files, d.homes = files, homes
	return nil
}

func (d *desk) home() int64 { return rapid.SampledFrom(d.homes).Draw(d.r, "reconciliation") }

func (d *desk) matchAgain() error {
	return d.RunMatching(d.t.Context(), d.preparer, d.homes[len(d.homes)-1])
}

func (d *desk) breaks(keep func(store.Break) bool) []store.Break {
	items, _, err := d.Breaks(d.t.Context(), d.viewer, store.BreakFilter{ReconciliationID: d.home()})
	if err != nil {
		d.r.Fatal(err)
	}
	var kept []store.Break
	for _, item := range items {
		if keep(item) {
			kept = append(kept, item)
		}
	}
	return kept
}

func itemsOf(breaks ...store.Break) store.MatchItems {
	var items store.MatchItems
	for _, b := range breaks {
		for _, p := range b.Ledger {
			items.Postings = append(items.Postings, store.PostingRef{Seq: p.Seq, Line: p.Line})
		}
		for _, l := range b.Bank {
			items.Rows = append(items.Rows, store.RowRef{StatementID: l.StatementID, Row: l.Row})
		}
	}
	return items
}

// matchSome tries any of what breaks hold together: mostly it does not add up.
func (d *desk) matchSome() error {
	all := itemsOf(d.breaks(func(store.Break) bool { return true })...)
	var some store.MatchItems
	for _, p := range all.Postings {
		if rapid.Bool().Draw(d.r, "posting") {
			some.Postings = append(some.Postings, p)
		}
	}
	for _, row := range all.Rows {
		if rapid.Bool().Draw(d.r, "row") {
			some.Rows = append(some.Rows, row)
		}
	}
	_, _, err := d.MatchByHand(d.t.Context(), d.preparer, "", d.home(), some, "")
	return err
}

// matchEven matches one posting and one line of the same amount, wherever they are.
func (d *desk) matchEven() error {
	breaks := d.breaks(func(store.Break) bool { return true })
	for _, one := range breaks {
		for _, p := range one.Ledger {
			for _, other := range breaks {
				for _, l := range other.Bank {
					if p.AmountMinor != l.AmountMinor || rapid.Bool().Draw(d.r, "not these") {
						continue
					}
					items := store.MatchItems{Postings: []store.PostingRef{{Seq: p.Seq, Line: p.Line}}, Rows: []store.RowRef{{StatementID: l.StatementID, Row: l.Row}}}
					_, _, err := d.MatchByHand(d.t.Context(), d.preparer, "", d.home(), items, "it is this one")
					return err
				}
			}
		}
	}
	return nil
}

func (d *desk) unmatch() error {
	matches, _, err := d.Matches(d.t.Context(), d.viewer, d.home(), 0, 0)
	if err != nil || len(matches) == 0 {
		return err
	}
	m := rapid.SampledFrom(matches).Draw(d.r, "match")
	var part store.MatchItems
	if rapid.Bool().Draw(d.r, "in part") && len(m.Ledger) > 0 && len(m.Bank) > 0 {
		part = itemsOf(store.Break{Ledger: m.Ledger[:1], Bank: m.Bank[:1]})
	}
	_, _, err = d.Unmatch(d.t.Context(), d.preparer, "", m.ID, part, "wrong")
	return err
}

func unresolved(b store.Break) bool { return b.Status == recon.Open || b.Status == recon.InReview }

func (d *desk) resolvePlain() error {
	breaks := d.breaks(unresolved)
	if len(breaks) == 0 {
		return nil
	}
	b := rapid.SampledFrom(breaks).Draw(d.r, "break")
	_, _, err := d.ResolveBreak(d.t.Context(), d.preparer, "", b.ID, store.BreakResolution{
		Resolution: rapid.SampledFrom([]recon.Resolution{recon.External, recon.CarriedForward, recon.NotABreak, recon.MatchedByHand, recon.Reversed}).Draw(d.r, "as"), ReasonCode: recon.BankError})
	return err
}

func (d *desk) adjust() error {
	breaks := d.breaks(func(b store.Break) bool { return unresolved(b) && b.DifferenceMinor != 0 })
	if len(breaks) == 0 {
		return nil
	}
	b := rapid.SampledFrom(breaks).Draw(d.r, "break")
	fix := entry("", on(d.day("2026-04")), moves(d.account, "revenue:fees", -b.DifferenceMinor))
	if rapid.Bool().Draw(d.r, "in the period") {
		fix.EffectiveOn = b.EarliestDay()
	}
	_, _, err := d.ResolveBreak(d.t.Context(), d.preparer, "", b.ID, store.BreakResolution{
		Resolution: rapid.SampledFrom([]recon.Resolution{recon.Adjusted, recon.WrittenOff}).Draw(d.r, "as"), ReasonCode: recon.BankFee, Entry: &fix})
	return err
}

func (d *desk) decide() error {
	waiting := d.breaks(func(b store.Break) bool { return b.Status == recon.WaitingForApproval })
	if len(waiting) == 0 {
		return nil
	}
	b := rapid.SampledFrom(waiting).Draw(d.r, "break")
	_, _, err := d.Decide(d.t.Context(), d.approver, "", b.ApprovalID, rapid.SampledFrom([]store.ApprovalStatus{store.Approved, store.Approved, store.Rejected}).Draw(d.r, "decision"), "")
	return err
}

func (d *desk) reopen() error {
	breaks := d.breaks(func(b store.Break) bool { return b.Status == recon.Resolved })
	if len(breaks) == 0 {
		return nil
	}
	_, _, err := d.ReopenBreak(d.t.Context(), d.preparer, "", rapid.SampledFrom(breaks).Draw(d.r, "break").ID, "not so")
	return err
}

// reverseAdjustment reverses an entry that settled a break.
func (d *desk) reverseAdjustment() error {
	settled := d.breaks(func(b store.Break) bool { return b.Resolution == recon.Adjusted })
	if len(settled) == 0 {
		return nil
	}
	_, events, err := d.Break(d.t.Context(), d.viewer, settled[0].ID)
	if err != nil {
		return err
	}
	seq := int64(0)
	for _, e := range events {
		seq = max(seq, e.Seq)
	}
	asked, _, err := d.RequestReversal(d.t.Context(), d.preparer, "", seq, store.ReversalRequest{Reason: "wrong", EffectiveOn: ledger.MustDate("2026-04-20")})
	if err != nil {
		return err
	}
	_, _, err = d.Decide(d.t.Context(), d.approver, "", asked.ID, store.Approved, "")
	return err
}

// rules lets amounts differ, by more than may be booked too.
func (d *desk) rules() error {
	rules := recon.DefaultRules()
	rules.ToleranceMinor = int64(d.draw("tolerance", 0, 50, 1000, 2000))
	rules.Fee = recon.FeeRule{Account: "revenue:fees", FixedMinor: int64(d.draw("fee", 0, 50, 1500))}
	_, _, err := d.SetAccountRules(d.t.Context(), d.admin, "", d.account, 0, rules, "")
	return err
}

// reconcileFrom holds the account against statements from another day on.
func (d *desk) reconcileFrom() error {
	_, err := d.SetReconcileFrom(d.t.Context(), d.admin, "", d.account, ledger.MustDate(d.day([]string{"2026-02", "2026-03", "2026-04"}[d.draw("month", 0, 1, 2)])))
	return err
}

// reverseBooked reverses an entry that booked what the rules let a match differ by.
func (d *desk) reverseBooked() error {
	matches, _, err := d.Matches(d.t.Context(), d.viewer, d.home(), 0, 0)
	if err != nil {
		return err
	}
	for _, m := range matches {
		if m.BookedSeq == 0 {
			continue
		}
		asked, _, err := d.RequestReversal(d.t.Context(), d.preparer, "", m.BookedSeq, store.ReversalRequest{Reason: "wrong", EffectiveOn: ledger.MustDate("2026-04-20")})
		if err != nil {
			return err
		}
		_, _, err = d.Decide(d.t.Context(), d.approver, "", asked.ID, store.Approved, "")
		return err
	}
	return nil
}

func (d *desk) assign() error {
	breaks := d.breaks(unresolved)
	if len(breaks) == 0 {
		return nil
	}
	_, _, err := d.AssignBreak(d.t.Context(), d.preparer, "", rapid.SampledFrom(breaks).Draw(d.r, "break").ID, rapid.SampledFrom([]string{"", "controller@demo.test"}).Draw(d.r, "to"), "")
	return err
}
