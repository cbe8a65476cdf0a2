package store_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/recon"
)

// told is the history of a break as step: type, the type of those steps alone that say one.
func (b bundle) told(t *testing.T, id int64) string {
	t.Helper()
	_, events, err := b.Break(t.Context(), b.viewer, id)
	ok(t, err)
	var steps []string
	for _, e := range events {
		step := e.Event
		if e.Type != "" {
			step += ": " + string(e.Type)
		}
		steps = append(steps, step)
	}
	return strings.Join(steps, ", ")
}

func TestBreak_KeepsTheTypeThatItWasFoundAs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(500)), entry("t2", on("2026-03-11"), amount(500), described("Other")))
	id := b.upload(t, csv("2026-03-12,5.00,"), period("2026-03-01", "2026-03-31")).ReconciliationID
	question := b.onlyBreak(t, id, recon.Ambiguous)
	if got, want := b.told(t, question.ID), "found: ambiguous"; got != want {
		t.Fatalf("the history is %s, want %s", got, want)
	}
	b.matchByHand(t, id, postingsOf(question.Ledger[0].Seq), rowsNamed(question.Bank[0].Row))
	if got, want := b.told(t, question.ID), "found: ambiguous, reduced, retyped: missing_in_bank"; got != want {
		t.Errorf("after the match the history is %s, want %s", got, want)
	}
	b.isProven(t, "1010")
}

func TestBreak_TellsEachTypeThatMatchingsAndAnUndoGaveIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t3", on("2026-03-30"), amount(70)))
	march := b.upload(t, csv("2026-03-20,8.00,late"), period("2026-03-01", "2026-03-31")).ReconciliationID
	timing := b.onlyBreak(t, march, recon.Timing)
	april := b.upload(t, csv("2026-04-04,9.00,y"), period("2026-04-01", "2026-04-30"))
	b.undo(t, april.StatementID)
	if got, want := b.told(t, timing.ID), "found: timing, resolved, returned: missing_in_bank, returned: timing"; got != want {
		t.Errorf("the history is %s, want %s", got, want)
	}
}

func TestBreak_OfBeforeTypesWereKeptIsFoundAsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(500)))
	id := b.upload(t, csv("2026-03-20,8.00,late"), period("2026-03-01", "2026-03-31")).ReconciliationID
	missing := b.onlyBreak(t, id, recon.MissingInBank)
	b.sql(t, `ALTER TABLE break_events DISABLE TRIGGER break_events_no_change`, `UPDATE break_events SET type = NULL`)
	if got, want := b.told(t, missing.ID), "found"; got != want {
		t.Errorf("the history is %s, want %s", got, want)
	}
}

func TestBreak_ThatAReversalCuredNamesItAndItsMatch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)))
	id := b.upload(t, csv("2026-03-05,3.00,x"), period("2026-03-01", "2026-03-31")).ReconciliationID
	missing := b.onlyBreak(t, id, recon.MissingInBank)
	reversal := b.reverse(t, 1, nil)
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	_, events, err := b.Break(t.Context(), b.viewer, missing.ID)
	ok(t, err)
	last := events[len(events)-1]
	want := fmt.Sprintf("matched with the reversal: an entry and its reversal cancel on this account, match %d", last.MatchID)
	if last.Event != "superseded" || last.MatchID == 0 || last.Seq != reversal.ReversalSeq || last.Note != want {
		t.Errorf("the last step is %+v, want of entry %d: %s", last, reversal.ReversalSeq, want)
	}
	b.isProven(t, "1010")
}

func TestPlaceOfBreak_TellsWhoUndidItsImport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stored := b.upload(t, csv("2026-03-05,3.00,x"), period("2026-03-01", "2026-03-31"))
	missing := b.onlyBreak(t, stored.ReconciliationID, recon.MissingInLedger)
	before, err := b.PlaceOfBreak(t.Context(), b.viewer, missing.ID)
	ok(t, err)
	b.undo(t, stored.StatementID)
	after, err := b.PlaceOfBreak(t.Context(), b.viewer, missing.ID)
	ok(t, err)
	if before.UndoneBy != "" || after.UndoneBy != "preparer" || after.UndoneAt == nil || after.ReconciliationID != stored.ReconciliationID {
		t.Errorf("the place was %+v and is %+v", before, after)
	}
}
