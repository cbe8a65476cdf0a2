package store_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

func TestReconciliation_TimingClearsWithTheNextStatement(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(1000)), entry("t2", on("2026-03-31"), amount(500)), entry("t3", on("2026-03-30"), amount(70)))
	march := b.upload(t, csv("2026-03-10,10.00,t1"), period("2026-03-01", "2026-03-31"))
	want := []string{"timing resolved carried_forward 70", "timing resolved carried_forward 500"}
	if got := b.breaksOf(t, march.ReconciliationID); !reflect.DeepEqual(got, want) {
		t.Fatalf("March has %q, want %q", got, want)
	}
	if proof := b.reconciliation(t, march.ReconciliationID).Proof; proof.InTransitMinor != 570 || proof.UnexplainedMinor != 0 {
		t.Errorf("the proof of March is %+v", proof)
	}

	april := b.upload(t, csv("2026-04-02,5.00,t2"), period("2026-04-01", "2026-04-30"))
	if got, want := b.breaksOf(t, april.ReconciliationID), []string{"missing_in_bank open 70"}; !reflect.DeepEqual(got, want) {
		t.Errorf("April has %q, want %q", got, want)
	}
	if proof := b.reconciliation(t, april.ReconciliationID).Proof; proof.UnexplainedMinor != 70 || proof.StatementMinor != 1500 {
		t.Errorf("the proof of April is %+v", proof)
	}
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: april.ReconciliationID})
	ok(t, err)
	same, events, err := b.Break(t.Context(), b.viewer, items[0].ID)
	ok(t, err)
	if same.ReconciliationID != march.ReconciliationID || events[len(events)-1].Event != "returned" {
		t.Errorf("the break is of reconciliation %d and ends with %+v: it lost its identity", same.ReconciliationID, events)
	}
}

func TestReconciliation_PostingsBeforeTheFirstStatementMatchButNeverBreak(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("old", on("2026-02-27"), amount(1500)), entry("older", on("2026-01-05"), amount(900)))
	result := b.upload(t, csv("2026-03-03,15.00,old"), period("2026-03-01", "2026-03-31"))
	r := b.reconciliation(t, result.ReconciliationID)
	if r.Matches != 1 || len(r.Counts) != 0 {
		t.Errorf("%d matches, breaks %v", r.Matches, r.Counts)
	}
	if r.Proof.UnexplainedMinor != 0 || r.Proof.StatementMinor != 2400 {
		t.Errorf("the proof is %+v", r.Proof)
	}
}

func TestReconciliations_ListsEachAsItIsAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1020", ledger.Asset, inCurrency("JPY"))
	b.post(t, entry("t1", on("2026-03-03"), amount(1500)), entry("t2", on("2026-04-02"), amount(700)))
	b.upload(t, csv("2026-03-03,15.00,t1", "2026-03-30,7.00,t2", "2026-03-30,1.00,x"), period("2026-03-01", "2026-03-31"))
	b.upload(t, csv("2026-04-03,3.00,y", "2026-04-03,-4.00,z"), period("2026-04-01", "2026-04-30"))
	b.upload(t, csv("2026-03-03,15,j1"), func(u *store.Upload) { u.Account = "1020" })
	listed, more, err := b.Reconciliations(t.Context(), b.viewer, 0, 2)
	ok(t, err)
	oldest, _, err := b.Reconciliations(t.Context(), b.viewer, listed[len(listed)-1].ID, 2)
	ok(t, err)
	listed = append(listed, oldest...)
	if len(listed) != 3 || !more || listed[2].Postings != 2 || listed[2].Lines != 3 || listed[0].Account.Currency != "JPY" {
		t.Fatalf("the list is %+v, more %v", listed, more)
	}
	for _, r := range listed {
		alone := b.reconciliation(t, r.ID)
		alone.Continuity = nil // the list leaves it out
		if !reflect.DeepEqual(alone, r) {
			t.Errorf("listed as %+v, alone it is %+v", r, alone)
		}
	}
}

func TestRunMatching_FindsWhatWasPostedSince(t *testing.T) {
	t.Parallel()
	b := setup(t)
	result := b.upload(t, csv("2026-03-03,15.00,t1", "2026-03-04,7.00,t2"))
	b.post(t, entry("t1", on("2026-03-03"), amount(1500)))
	ok(t, b.RunMatching(t.Context(), b.preparer, result.ReconciliationID))
	r := b.reconciliation(t, result.ReconciliationID)
	if got, want := b.breaksOf(t, r.ID), []string{"missing_in_ledger open -700"}; !reflect.DeepEqual(got, want) || r.Matches != 1 {
		t.Errorf("breaks %q, %d matches", got, r.Matches)
	}
	if r.Proof.UnexplainedMinor != -700 || r.Totals.LedgerMinor != 1500 || r.Totals.BankMinor != 2200 {
		t.Errorf("proof %+v, totals %+v", r.Proof, r.Totals)
	}
	refused(t, b.RunMatching(t.Context(), b.viewer, r.ID), ledger.KindForbidden)
}

func TestResolveBreak(t *testing.T) {
	t.Parallel()
	b := setup(t)
	result := b.upload(t, csv("2026-03-03,15.00,t1", "2026-03-04,0.00,t2"))
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: result.ReconciliationID})
	ok(t, err)
	first, zero := items[0], items[1]
	if first.DifferenceMinor == 0 {
		first, zero = zero, first
	}
	external := store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "called the bank"}

	_, _, err = b.ResolveBreak(t.Context(), b.viewer, "", first.ID, external)
	refused(t, err, ledger.KindForbidden)
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", first.ID, store.BreakResolution{Resolution: recon.NotABreak, ReasonCode: recon.BankError})
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", first.ID, store.BreakResolution{Resolution: recon.Adjusted, ReasonCode: recon.BankFee})
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", zero.ID, store.BreakResolution{Resolution: recon.NotABreak, ReasonCode: recon.Rounding})
	ok(t, err)

	resolved, _, err := b.ResolveBreak(t.Context(), b.preparer, "k", first.ID, external)
	ok(t, err)
	again, duplicate, err := b.ResolveBreak(t.Context(), b.preparer, "k", first.ID, external)
	ok(t, err)
	if !duplicate || !reflect.DeepEqual(resolved, again) || resolved.Status != recon.Resolved {
		t.Errorf("resolved %+v, again %+v", resolved, again)
	}
	if proof := b.reconciliation(t, result.ReconciliationID).Proof; proof.UnexplainedMinor != 0 || proof.OtherExplainedMinor != -1500 {
		t.Errorf("the proof is %+v", proof)
	}
	reopened, _, err := b.ReopenBreak(t.Context(), b.preparer, "", first.ID, "the bank disagrees")
	ok(t, err)
	_, events, err := b.Break(t.Context(), b.viewer, first.ID)
	ok(t, err)
	var names []string
	for _, e := range events {
		names = append(names, e.Event)
	}
	if reopened.Status != recon.Open || !reflect.DeepEqual(names, []string{"found", "resolved", "reopened"}) {
		t.Errorf("reopened %+v, history %v", reopened, names)
	}
}

func TestResolveBreak_WhileItsAccountIsMatchedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("2026-03-04,0.00,z%d", i))
	}
	result := b.upload(t, csv(lines...))
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: result.ReconciliationID})
	ok(t, err)
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if err := b.RunMatching(t.Context(), b.preparer, result.ReconciliationID); err != nil {
					t.Errorf("match again: %v", err)
					return
				}
			}
		}
	})
	for _, item := range items {
		_, _, err := b.ResolveBreak(t.Context(), b.preparer, "", item.ID, store.BreakResolution{Resolution: recon.NotABreak, ReasonCode: recon.Rounding})
		if err != nil {
			t.Errorf("set break %d aside: %v", item.ID, err)
		}
	}
	close(stop)
	group.Wait()
	if r := b.reconciliation(t, result.ReconciliationID); len(items) != 60 || r.OpenBreaks != 0 {
		t.Errorf("of %d breaks %d are open", len(items), r.OpenBreaks)
	}
}

func TestReconciliation_AReversalIsNotInTransit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-20"), amount(128450), noting("reference", "INV 1")))
	uploaded := b.upload(t, csv("2026-03-21,1248.50,INV 1"), period("2026-03-01", "2026-03-31"))
	if got, want := b.breaksOf(t, uploaded.ReconciliationID), []string{"amount_mismatch open 3600"}; !reflect.DeepEqual(got, want) {
		t.Fatalf("breaks %q, want %q", got, want)
	}
	fix := entry("", on("2026-03-20"), amount(124850), noting("reference", "INV 1"))
	b.reverse(t, 1, &fix)
	ok(t, b.RunMatching(t.Context(), b.preparer, uploaded.ReconciliationID))
	r := b.reconciliation(t, uploaded.ReconciliationID)
	if r.Matches != 2 || len(r.Counts) != 0 || r.Proof.UnexplainedMinor != 0 || r.Proof.InTransitMinor != 0 {
		t.Errorf("%d matches, breaks %v, proof %+v", r.Matches, r.Counts, r.Proof)
	}
	matches, _, err := b.Matches(t.Context(), b.viewer, r.ID, 0, 0)
	ok(t, err)
	kinds := map[recon.Kind]int{}
	for _, m := range matches {
		kinds[m.Kind]++
	}
	if kinds[recon.KindReversedPair] != 1 || kinds[recon.KindReference] != 1 {
		t.Errorf("matches %v", kinds)
	}
}

func TestReconciliation_AnOlderStatementHoldsNothingOfALaterPeriod(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-02-10"), amount(10000)), entry("t2", on("2026-02-28"), amount(500)), entry("t3", on("2026-03-10"), amount(70)))
	february := csv("2026-02-10,100.00,t1")
	first := b.upload(t, february, period("2026-02-01", "2026-02-28"))
	march := b.upload(t, csv("2026-03-02,5.00,t2"), period("2026-03-01", "2026-03-31"))
	again := b.upload(t, []byte(strings.ReplaceAll(string(february), "\n", "\r\n")), period("2026-02-01", "2026-02-28"))
	for _, id := range []int64{first.ReconciliationID, again.ReconciliationID} {
		r := b.reconciliation(t, id)
		if r.OpenBreaks != 0 || r.Proof.InTransitMinor != 500 || r.Proof.UnexplainedMinor != 0 || r.Latest {
			t.Errorf("February %d: %d open breaks, latest %v, proof %+v", id, r.OpenBreaks, r.Latest, r.Proof)
		}
	}
	if got, want := b.breaksOf(t, march.ReconciliationID), []string{"missing_in_bank open 70"}; !reflect.DeepEqual(got, want) {
		t.Errorf("March has %q, want %q", got, want)
	}
	ok(t, b.RunMatching(t.Context(), b.preparer, march.ReconciliationID))
}

func TestReconciliation_ABreakThatWasRegroupedIsNotExplained(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(1000)))
	wrong := b.upload(t, csv("2026-03-10,-10.00,t1"), period("2026-03-01", "2026-03-31"))
	before := b.reconciliation(t, wrong.ReconciliationID).Proof
	if before.UnexplainedMinor != 2000 {
		t.Fatalf("the proof is %+v", before)
	}
	b.upload(t, csv("2026-03-10,10.00,t1"), period("2026-03-01", "2026-03-31"))
	// Both lines are in the balance now, and the one that is wrong is all that is left.
	if after := b.reconciliation(t, wrong.ReconciliationID).Proof; after.StatementMinor != 0 || after.UnexplainedMinor != 1000 || after.OtherExplainedMinor != 0 {
		t.Errorf("another file changed the proof from %+v to %+v", before, after)
	}
	b.isProven(t, "1010")
}

func TestReconciliation_WhatIsReversedLaterIsExplainedAtThePeriodsEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-20"), amount(1000)))
	march := b.upload(t, csv("2026-03-10,3.00,t2"), period("2026-03-01", "2026-03-31"))
	b.clock.advance(10 * 24 * time.Hour)
	b.reverse(t, 1, nil)
	b.upload(t, csv("2026-04-20,7.00,t3"), period("2026-04-01", "2026-04-30"))
	if got, want := b.breaksOf(t, march.ReconciliationID), []string{"missing_in_ledger open -300", "missing_in_bank resolved superseded 1000"}; !reflect.DeepEqual(got, want) {
		t.Errorf("March has %q, want %q", got, want)
	}
	if proof := b.reconciliation(t, march.ReconciliationID).Proof; proof.OtherExplainedMinor != 1000 || proof.UnexplainedMinor != -300 {
		t.Errorf("the proof of March is %+v", proof)
	}
}
