package store_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

func (b bundle) reconcileFrom(t *testing.T, code, day string) {
	t.Helper()
	changed, err := b.SetReconcileFrom(t.Context(), b.admin, "", code, ledger.MustDate(day))
	ok(t, err)
	if changed.ReconcileFrom.String() != day {
		t.Fatalf("the account is held against statements from %s", changed.ReconcileFrom)
	}
}

func TestSetReconcileFrom_JudgesWhatLiesBetweenAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)), entry("t2", on("2026-03-10"), amount(700)), entry("t3", on("2026-02-20"), amount(50)))
	id := b.upload(t, csv("2026-03-12,3.00,interest"), period("2026-03-01", "2026-03-31")).ReconciliationID
	if got := b.breaksOf(t, id); len(got) != 3 {
		t.Fatalf("there are %v", got)
	}
	first := b.onlyBreakOf(t, id, "t1")
	b.reconcileFrom(t, "1010", "2026-03-05")
	if got := b.breaksOf(t, id); len(got) != 2 {
		t.Errorf("from the fifth on there are %v", got)
	}
	_, events, err := b.Break(t.Context(), b.viewer, first)
	ok(t, err)
	if last := events[len(events)-1]; last.Event != "superseded" || last.Note != "dated before 2026-03-05, from which day the account is held against statements: it need not be on one" {
		t.Errorf("its history ends with %+v", last)
	}
	if r := b.reconciliation(t, id); r.Early != nil || r.Proof.UnexplainedMinor != 700-300 { // the bank is assumed to have had it
		t.Errorf("early are %+v, the proof is %+v", r.Early, r.Proof)
	}
	b.isProven(t, "1010")
	b.reconcileFrom(t, "1010", "2026-02-01")
	if r := b.reconciliation(t, id); len(b.breaksOf(t, id)) != 4 || r.Early != nil || r.Proof.UnexplainedMinor != 1000+700+50-300 {
		t.Errorf("from February on there are %v, %+v and %+v", b.breaksOf(t, id), r.Early, r.Proof)
	}
	b.isProven(t, "1010")
	b.isSound(t)
	if got := b.column(t, `SELECT detail->>'after' FROM audit_log WHERE action = 'account.reconcile-from' AND outcome = 'done' ORDER BY id`); !reflect.DeepEqual(got, []string{"2026-03-05", "2026-02-01"}) {
		t.Errorf("the audit log has %v", got)
	}
}

// onlyBreakOf is the number of the break that holds a posting of an entry.
func (b bundle) onlyBreakOf(t *testing.T, id int64, txID string) int64 {
	t.Helper()
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	for _, item := range items {
		for _, p := range item.Ledger {
			if p.TxID == txID {
				return item.ID
			}
		}
	}
	t.Fatalf("no break holds %s", txID)
	return 0
}

func TestSetReconcileFrom_RefusesWhatContradictsASignOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)), entry("t2", on("2026-03-30"), amount(-4000)), entry("t3", on("2026-02-27"), amount(-100)))
	id := b.upload(t, csv("2026-03-02,10.00,t1"), period("2026-03-01", "2026-03-31")).ReconciliationID
	b.submit(t, id)
	for _, state := range []string{"submitted", "signed off"} {
		for day, entry := range map[string]string{"2026-03-31": "entry 2 of 2026-03-30", "2026-02-27": "entry 3 of 2026-02-27"} {
			_, err := b.SetReconcileFrom(t.Context(), b.admin, "", "1010", ledger.MustDate(day))
			refused(t, err, ledger.KindIllegalTransition)
			if !strings.Contains(err.Error(), "is "+state+", and "+entry) {
				t.Errorf("from %s it says %v", day, err)
			}
		}
		if state == "submitted" {
			_, _, err := b.SignOff(t.Context(), b.approver, "", id, "")
			ok(t, err)
		}
	}
	b.reconcileFrom(t, "1010", "2026-03-30") // the posting of the second is matched whatever the day
	b.reconcileFrom(t, "1010", "2026-03-01")
	b.isSound(t)
}

func TestSetReconcileFrom_RefusesWhatIsNoDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.SetReconcileFrom(t.Context(), b.admin, "", "revenue:fees", ledger.MustDate("2026-03-01"))
	refused(t, err, ledger.KindInvalid)
	_, err = b.SetReconcileFrom(t.Context(), b.preparer, "", "1010", ledger.MustDate("2026-03-01"))
	refused(t, err, ledger.KindForbidden)
	b.reconcileFrom(t, "1010", "2026-03-05")
	_, err = b.SetReconcileFrom(t.Context(), b.admin, "", "1010", ledger.Date{})
	ok(t, err)
	b.upload(t, csv("2026-03-12,3.00,interest"))
	_, err = b.SetReconcileFrom(t.Context(), b.admin, "", "1010", ledger.Date{})
	refused(t, err, ledger.KindInvalid)
	b.isProven(t, "1010")
}

// A bank that states what it had leaves nothing to assume: what is recorded later of before is told.
func TestReconciliation_TellsWhatWasRecordedLaterOfBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("opening", on("2026-02-01"), amount(10000)), entry("a", on("2026-03-02"), amount(1000)))
	id := b.upload(t, lined("2026-03-02,10.00,a,110.00", "2026-03-03,5.00,b,115.00"), period("2026-03-01", "2026-03-31")).ReconciliationID
	if r := b.reconciliation(t, id); r.BalanceSource != recon.StatedClosing || r.Early != nil || r.Proof.UnexplainedMinor != -500 {
		t.Fatalf("at first it is %+v, %+v by %s", r.Early, r.Proof, r.BalanceSource)
	}
	b.clock.advance(time.Second)
	b.post(t, entry("late", on("2026-02-10"), amount(700)))
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	if r := b.reconciliation(t, id); r.Early == nil || r.Early.AmountMinor != 700 || r.Early.First[0].TxID != "late" || r.Proof.UnexplainedMinor != 200 || r.OpenBreaks != 1 {
		t.Errorf("then early are %+v, the proof is %+v with %d open breaks", r.Early, r.Proof, r.OpenBreaks)
	}
	b.post(t, entry("march", on("2026-03-02"), amount(40)))
	b.reconcileFrom(t, "1010", "2026-03-03")
	if r := b.reconciliation(t, id); r.Early == nil || r.Early.AmountMinor != 740 || r.Early.Postings != 2 || r.Proof.UnexplainedMinor != 240 || r.OpenBreaks != 1 {
		t.Errorf("from the third on early are %+v, the proof is %+v with %d open breaks", r.Early, r.Proof, r.OpenBreaks)
	}
	b.isProven(t, "1010")
}

// An opening entry of the day on which the first statement begins is part of what the bank says that it had: nothing is missing, and nothing is told.
func TestReconciliation_DoesNotTellOfWhatTheOpeningBalanceHolds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("opening", on("2026-03-01"), amount(10000)), entry("a", on("2026-03-02"), amount(1000)))
	b.reconcileFrom(t, "1010", "2026-03-02")
	id := b.upload(t, lined("2026-03-02,10.00,a,110.00", "2026-03-03,5.00,b,115.00"), period("2026-03-01", "2026-03-31")).ReconciliationID
	if r := b.reconciliation(t, id); r.Early != nil || r.Proof.UnexplainedMinor != -500 || r.OpenBreaks != 1 {
		t.Errorf("early are %+v, the proof is %+v with %d open breaks", r.Early, r.Proof, r.OpenBreaks)
	}
}

func TestMatching_TellsWhatALaterStatementClears(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)), entry("t2", on("2026-03-30"), amount(-4000)))
	march := b.upload(t, csv("2026-03-02,10.00,t1"), period("2026-03-01", "2026-03-31"))
	carried := b.onlyBreak(t, march.ReconciliationID, recon.Timing)
	if carried.Resolution != recon.CarriedForward {
		t.Fatalf("the cheque is %+v", carried)
	}
	b.clock.advance(48 * time.Hour)
	april := b.upload(t, csv("2026-04-02,-40.00,t2"), period("2026-04-01", "2026-04-02"))
	m := b.matchesOf(t, april.ReconciliationID)
	if len(m) != 1 || m[0].Why != "same reference and amount, 3 days apart; clears break 1, carried forward from 2026-03-30" {
		t.Errorf("the later statement has %+v", m)
	}
	after, events, err := b.Break(t.Context(), b.viewer, carried.ID)
	ok(t, err)
	last := events[len(events)-1]
	if last.Event != "superseded" || last.Note != "cleared by row 2 of statement 2, 2026-04-02" || last.MatchID != m[0].ID || after.FirstSeenOn != carried.FirstSeenOn || after.Resolution != recon.Superseded {
		t.Errorf("the break is %+v, its history ends with %+v", after, last)
	}
	if r := b.reconciliation(t, march.ReconciliationID); r.Proof.OutstandingMinor != -4000 || r.Proof.UnexplainedMinor != 0 {
		t.Errorf("the earlier proof is %+v", r.Proof)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}
