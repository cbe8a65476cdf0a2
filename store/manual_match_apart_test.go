package store_test

import (
	"reflect"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

func TestUnmatch_BringsBreaksBackAsTheyWere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.unlike(t)
	before, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	match := b.matchByHand(t, id, postingsOf(1, 2), rowsNamed(2))
	apart, _, err := b.Unmatch(t.Context(), b.preparer, "k", match.ID, store.MatchItems{}, "wrong customer")
	ok(t, err)
	if apart.Live || len(apart.Ledger) != 2 || len(apart.Bank) != 1 {
		t.Errorf("taken apart it is %+v", apart)
	}
	after, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	for i := range after {
		if after[i].Version != before[i].Version+2 && len(after[i].Bank)+len(after[i].Ledger) > 0 && after[i].DifferenceMinor != 500 && after[i].DifferenceMinor != -250 {
			t.Errorf("break %d has version %d, and had %d", after[i].ID, after[i].Version, before[i].Version)
		}
		after[i].Version = before[i].Version
	}
	if !reflect.DeepEqual(after, before) {
		t.Errorf("before\n%+v\nafter\n%+v", before, after)
	}
	_, _, err = b.Unmatch(t.Context(), b.controller, "", match.ID, store.MatchItems{}, "")
	refused(t, err, ledger.KindIllegalTransition)
	if !strings.Contains(err.Error(), "was taken apart already, by preparer on 2026-03-31 10:00 UTC") {
		t.Errorf("who comes second is told %v", err)
	}
	_, _, err = b.Unmatch(t.Context(), b.viewer, "", match.ID, store.MatchItems{}, "")
	refused(t, err, ledger.KindForbidden)
	_, _, err = b.Unmatch(t.Context(), b.preparer, "", 99, store.MatchItems{}, "")
	refused(t, err, ledger.KindNotFound)
	b.isProven(t, "1010")
}

func TestUnmatch_IsRememberedByTheMatching(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000), noting("reference", "INV 1")), entry("t2", on("2026-03-03"), amount(2000)))
	id := b.upload(t, csv("2026-03-02,10.00,INV 1", "2026-03-03,20.00,t2"), period("2026-03-01", "2026-03-31")).ReconciliationID
	matches, _, err := b.Matches(t.Context(), b.viewer, id, 0, 0)
	ok(t, err)
	_, _, err = b.Unmatch(t.Context(), b.preparer, "", matches[0].ID, store.MatchItems{}, "another invoice")
	ok(t, err)
	want := []string{"missing_in_ledger open -1000", "missing_in_bank open 1000"}
	for range 2 {
		if got := b.breaksOf(t, id); !reflect.DeepEqual(got, want) {
			t.Fatalf("the breaks are %q, want %q", got, want)
		}
		b.isProven(t, "1010")
		ok(t, b.RunMatching(t.Context(), b.preparer, id))
	}
	b.upload(t, csv("2026-04-02,1.00,y"), period("2026-04-01", "2026-04-30"))
	if r := b.reconciliation(t, id); r.Matches != 1 {
		t.Errorf("a statement made the match again: there are %d", r.Matches)
	}
	// Another posting that fits is not what the person refused.
	b.post(t, entry("t9", on("2026-03-02"), amount(1000), noting("reference", "INV 1")))
	ok(t, b.RunMatching(t.Context(), b.preparer, id+1))
	matches, _, err = b.Matches(t.Context(), b.viewer, id+1, 0, 0)
	ok(t, err)
	if last := matches[len(matches)-1]; len(matches) != 1 || last.Ledger[0].TxID != "t9" || last.Bank[0].Row != 2 {
		t.Errorf("the matches are %+v", matches)
	}
}

func TestUnmatch_TakesAPartOutWhereTheRestAddsUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.unlike(t)
	match := b.matchByHand(t, id, postingsOf(1, 2, 3), rowsNamed(2, 3, 4))
	_, _, err := b.Unmatch(t.Context(), b.preparer, "", match.ID, store.MatchItems{Postings: postingsOf(1)}, "")
	refused(t, err, ledger.KindInvalid)
	if !strings.Contains(err.Error(), "would differ by -10.00 EUR") {
		t.Errorf("it says %v", err)
	}
	_, _, err = b.Unmatch(t.Context(), b.preparer, "", match.ID, store.MatchItems{Rows: []store.RowRef{{StatementID: 9, Row: 1}}}, "")
	refused(t, err, ledger.KindInvalid)
	smaller, _, err := b.Unmatch(t.Context(), b.preparer, "", match.ID, store.MatchItems{Postings: postingsOf(3), Rows: rowsNamed(3, 4)}, "not these")
	ok(t, err)
	if !smaller.Live || len(smaller.Ledger) != 2 || len(smaller.Bank) != 1 {
		t.Errorf("what is left is %+v", smaller)
	}
	b.isProven(t, "1010")
	whole, _, err := b.Unmatch(t.Context(), b.preparer, "", match.ID, store.MatchItems{Postings: postingsOf(1, 2), Rows: rowsNamed(2)}, "not this either")
	ok(t, err)
	if whole.Live {
		t.Errorf("with all of it out it is %+v", whole)
	}
	if got := b.column(t, `SELECT event || ' ' || note FROM match_events ORDER BY match_id, n`); !reflect.DeepEqual(got, []string{"made ", "reduced not these", "unmatched not this either"}) {
		t.Errorf("its history is %q", got)
	}
	b.isProven(t, "1010")
}

func TestUnmatch_OfWhatClearedABreakOpensItAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-30"), amount(500)))
	march := b.upload(t, csv("2026-03-05,1.00,x"), period("2026-03-01", "2026-03-31")).ReconciliationID
	b.upload(t, csv("2026-04-02,5.00,t1"), period("2026-04-01", "2026-04-30"))
	timing, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: march, Type: recon.Timing})
	ok(t, err)
	_, _, err = b.ReopenBreak(t.Context(), b.preparer, "", timing[0].ID, "")
	refused(t, err, ledger.KindIllegalTransition)
	matches, _, err := b.Matches(t.Context(), b.viewer, march+1, 0, 0)
	ok(t, err)
	_, _, err = b.Unmatch(t.Context(), b.preparer, "", matches[0].ID, store.MatchItems{}, "a second payment")
	ok(t, err)
	again, events, err := b.Break(t.Context(), b.viewer, timing[0].ID)
	ok(t, err)
	if again.Status != recon.Open || again.Type != recon.MissingInBank || events[len(events)-2].Event != "reopened" {
		t.Errorf("it is %+v, and ends with %+v", again, events[len(events)-2:])
	}
	if got, want := b.breaksOf(t, march+1), []string{"missing_in_ledger open -100", "missing_in_ledger open -500", "missing_in_bank open 500"}; !reflect.DeepEqual(got, want) {
		t.Errorf("April has %q, want %q", got, want)
	}
	b.isProven(t, "1010")
}
