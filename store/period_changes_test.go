package store_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

// askToClose asks for it as the preparer, without a key.
func (b bundle) askToClose(t *testing.T, period ledger.Period) store.Approval {
	t.Helper()
	asked, _, err := b.RequestPeriodClose(t.Context(), b.preparer, "", period, "all proven")
	ok(t, err)
	return asked
}

// closePeriod lets the preparer ask and the approver approve.
func (b bundle) closePeriod(t *testing.T, period ledger.Period) {
	t.Helper()
	_, _, err := b.Decide(t.Context(), b.approver, "", b.askToClose(t, period).ID, store.Approved, "")
	ok(t, err)
}

func (b bundle) isSound(t *testing.T) {
	t.Helper()
	if v := b.verify(t); v.Fault != nil {
		t.Errorf("verify says %v", v.Fault)
	}
}

func TestPeriodClose_TakesEffectWhenAnotherApproves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.post(t, entry("t1"))
	asked, duplicate, err := b.RequestPeriodClose(ctx, b.controller, "k", "2026-03", "all proven")
	ok(t, err)
	again, repeated, err := b.RequestPeriodClose(ctx, b.controller, "k", "2026-03", "all proven")
	ok(t, err)
	if duplicate || !repeated || asked.ID != again.ID || asked.Status != store.Pending || asked.Subject() != "period 2026-03" {
		t.Fatalf("asked %+v, again %+v", asked, again)
	}
	b.post(t, entry("t2"))
	_, _, err = b.RequestPeriodClose(ctx, b.controller, "k", "2026-03", "another reason")
	refused(t, err, ledger.KindKeyReused)
	_, _, err = b.RequestPeriodClose(ctx, b.preparer, "", "2026-03", "")
	refused(t, err, ledger.KindIllegalTransition)
	for actor, kind := range map[*store.Actor]ledger.Kind{&b.controller: ledger.KindOwnRequest, &b.preparer: ledger.KindForbidden, &b.admin: ledger.KindForbidden} {
		_, _, err = b.Decide(ctx, *actor, "", asked.ID, store.Approved, "")
		refused(t, err, kind)
	}
	decided, _, err := b.Decide(ctx, b.approver, "", asked.ID, store.Approved, "seen")
	ok(t, err)
	if decided.Status != store.Approved || decided.ReversalSeq != 0 {
		t.Errorf("decided as %+v", decided)
	}
	_, err = b.PostEntry(ctx, b.preparer, "k3", entry("t3"))
	refused(t, err, ledger.KindPeriodClosed)
	_, err = b.PostEntry(ctx, b.preparer, "key-t1", entry("t1"))
	ok(t, err)
	b.post(t, entry("t4", on("2026-04-01")))
	found, err := b.Period(ctx, b.viewer, "2026-03")
	ok(t, err)
	if found.ClosedBy != "approver" || found.Closing == nil || found.Closing.ID != asked.ID || found.Closing.Note != "seen" || found.Pending != nil || found.Entries != 2 || len(found.Requests) != 1 {
		t.Errorf("the period is %+v", found)
	}
	if got := b.column(t, `SELECT action || ' ' || object || ' ' || coalesce(detail->>'reason', '') FROM audit_log WHERE action LIKE 'period%' AND outcome = 'done' ORDER BY id`); !slices.Equal(got,
		[]string{"period-close.request period 2026-03 all proven", "period-close.approved period 2026-03 "}) {
		t.Errorf("the audit log has %q", got)
	}
}

func TestPeriodReopen_LetsEntriesInAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	_, _, err := b.RequestPeriodReopen(ctx, b.preparer, "", "2026-03", "late invoice")
	refused(t, err, ledger.KindIllegalTransition)
	b.closePeriod(t, "2026-03")
	_, _, err = b.RequestPeriodClose(ctx, b.preparer, "", "2026-03", "")
	refused(t, err, ledger.KindIllegalTransition)
	asked, _, err := b.RequestPeriodReopen(ctx, b.approver, "", "2026-03", "late invoice")
	ok(t, err)
	items, _, err := b.Periods(ctx, b.viewer, store.PeriodFilter{})
	ok(t, err)
	if len(items) != 1 || !items[0].Closed() || items[0].Pending == nil || items[0].Pending.Kind != store.KindPeriodReopen || items[0].Pending.Reason != "late invoice" {
		t.Errorf("the list has %+v", items)
	}
	_, _, err = b.Decide(ctx, b.controller, "", asked.ID, store.Approved, "")
	ok(t, err)
	b.post(t, entry("t1"))
	found, err := b.Period(ctx, b.viewer, "2026-03")
	ok(t, err)
	if found.Closed() || found.Closing != nil || len(found.Requests) != 2 || found.Requests[0].ID != asked.ID {
		t.Errorf("the period is %+v", found)
	}
	b.isSound(t)
}

func TestPeriodChange_IsRefusedWithoutTheRightOrAPeriod(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, actor := range []store.Actor{b.viewer, b.auditor, b.admin} {
		_, _, err := b.RequestPeriodClose(t.Context(), actor, "", "2026-03", "")
		refused(t, err, ledger.KindForbidden)
	}
	_, _, err := b.RequestPeriodClose(t.Context(), b.preparer, "", "2026-13", "")
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.RequestPeriodClose(t.Context(), b.preparer, "", "2026-03", strings.Repeat("x", 100_000))
	refused(t, err, ledger.KindInvalid)
	rejected := b.askToClose(t, "2026-03")
	_, _, err = b.Decide(t.Context(), b.approver, "", rejected.ID, store.Rejected, "not yet")
	ok(t, err)
	b.post(t, entry("t1"))
	recalled := b.askToClose(t, "2026-03")
	_, _, err = b.Decide(t.Context(), b.preparer, "", recalled.ID, store.Recalled, "")
	ok(t, err)
	b.post(t, entry("t2"))
}

func TestPeriod_SaysWhatIsLeftToDo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t0", on("2025-12-31")), entry("t1", on("2026-02-03")), entry("t2", on("2026-02-27")), entry("t3"))
	inIt, _, err := b.RequestReversal(t.Context(), b.preparer, "", 2, store.ReversalRequest{Reason: "wrong", EffectiveOn: ledger.MustDate("2026-02-28")})
	ok(t, err)
	fix := entry("", on("2026-02-01"), amount(7))
	replacing, _, err := b.RequestReversal(t.Context(), b.preparer, "", 3, store.ReversalRequest{Reason: "wrong", EffectiveOn: ledger.MustDate("2026-03-01"), Replacement: &fix})
	ok(t, err)
	_, _, err = b.RequestReversal(t.Context(), b.preparer, "", 4, store.ReversalRequest{Reason: "wrong", EffectiveOn: ledger.MustDate("2026-03-01")})
	ok(t, err)
	uploaded := b.upload(t, csv("2026-02-03,30.50,t1", "2026-02-10,9.00,unknown"), period("2026-02-01", "2026-02-28"))
	found, err := b.Period(t.Context(), b.viewer, "2026-02")
	ok(t, err)
	if len(found.Waiting) != 2 || found.Waiting[0].ID != inIt.ID || found.Waiting[1].ID != replacing.ID {
		t.Errorf("waiting are %+v", found.Waiting)
	}
	if !slices.Equal(found.EarlierOpen, []ledger.Period{"2025-12"}) {
		t.Errorf("earlier and open are %v", found.EarlierOpen)
	}
	open := b.reconciliation(t, uploaded.ReconciliationID).OpenBreaks
	if len(found.Breaks) != 1 || found.Breaks[0].Account != "1010" || found.Breaks[0].ReconciliationID != uploaded.ReconciliationID || found.Breaks[0].Open != open || open == 0 {
		t.Errorf("of %d open breaks the period has %+v", open, found.Breaks)
	}
	if len(found.Unmatched) != 0 {
		t.Errorf("right after the matching %+v are unmatched", found.Unmatched)
	}
	asked := b.clock.now()
	b.clock.advance(time.Minute)
	b.post(t, entry("late", on("2026-02-20")), entry("later", on("2026-03-02")))
	found, err = b.Period(t.Context(), b.viewer, "2026-02")
	ok(t, err)
	if want := (store.PeriodUnmatched{Account: "1010", Name: "Account 1010", ReconciliationID: uploaded.ReconciliationID, Postings: 1}); len(found.Unmatched) != 1 || found.Unmatched[0] != want {
		t.Errorf("since the matching there are %+v, want %+v", found.Unmatched, want)
	}
	if recorded, err := b.RecordedSince(t.Context(), b.viewer, "2026-02", asked); err != nil || recorded != 1 {
		t.Errorf("%d entries of February were recorded since, %v", recorded, err)
	}
	b.closePeriod(t, "2025-12")
	if found, err = b.Period(t.Context(), b.viewer, "2026-01"); err != nil || len(found.Waiting)+len(found.Breaks)+len(found.EarlierOpen) != 0 {
		t.Errorf("January has %+v, %v", found, err)
	}
}

func TestReversal_DatedInAPeriodClosedSinceWaitsUntilItIsOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.post(t, entry("t1"))
	fix := entry("", amount(10))
	asked, err := ask(b, t, 1, &fix)
	ok(t, err)
	b.closePeriod(t, "2026-03")
	_, _, err = b.Decide(ctx, b.approver, "", asked.ID, store.Approved, "")
	refused(t, err, ledger.KindPeriodClosed)
	if after, err := b.Approval(ctx, b.viewer, asked.ID); err != nil || after.Status != store.Pending {
		t.Fatalf("the request is %s, %v", after.Status, err)
	}
	reopening, _, err := b.RequestPeriodReopen(ctx, b.preparer, "", "2026-03", "to correct t1")
	ok(t, err)
	_, _, err = b.Decide(ctx, b.approver, "", reopening.ID, store.Approved, "")
	ok(t, err)
	_, _, err = b.Decide(ctx, b.approver, "", asked.ID, store.Approved, "")
	ok(t, err)
	b.isSound(t)
}

// TestPeriodClose_NoPostRacesIntoAClosedPeriod posts through two servers while a third closes: what was answered with a receipt is in, what
// was refused is not, and nothing that was sent after the closing had its answer is.
func TestPeriodClose_NoPostRacesIntoAClosedPeriod(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asked := b.askToClose(t, "2026-03")
	servers := []*store.Store{b.Store, b.another(t)}
	closer := b.another(t)
	var posted atomic.Int64
	var closed atomic.Bool
	acts := []func() error{func() error {
		for posted.Load() < 40 {
			runtime.Gosched()
		}
		_, _, err := closer.Decide(t.Context(), b.approver, "", asked.ID, store.Approved, "")
		closed.Store(true)
		return err
	}}
	for i := range 16 {
		acts = append(acts, func() error {
			for n := 0; ; n++ {
				late, txID := closed.Load(), fmt.Sprintf("t%d-%d", i, n)
				if _, err := servers[i%2].PostEntry(t.Context(), b.preparer, txID, entry(txID)); err != nil {
					return err
				}
				if posted.Add(1); late {
					return errors.New(txID + " was posted to the closed period")
				}
			}
		})
	}
	results := atOnce(acts...)
	ok(t, results[0])
	for _, err := range results[1:] {
		refused(t, err, ledger.KindPeriodClosed)
	}
	if got, want := b.column(t, `SELECT count(*)::text FROM entries`)[0], fmt.Sprint(posted.Load()); got != want {
		t.Errorf("%s entries for %s receipts", got, want)
	}
	b.isSound(t)
}

func TestPeriodChange_RacesLeaveOneRequestAndOneClosing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	elsewhere := b.another(t)
	asks := atOnce(
		func() error {
			_, _, err := b.RequestPeriodClose(t.Context(), b.preparer, "", "2026-03", "one")
			return err
		},
		func() error {
			_, _, err := elsewhere.RequestPeriodClose(t.Context(), b.controller, "", "2026-03", "two")
			return err
		},
	)
	if (asks[0] == nil) == (asks[1] == nil) {
		t.Fatalf("of two requests at once both or none came in: %v", asks)
	}
	refused(t, errors.Join(asks...), ledger.KindIllegalTransition)
	second := b.join(t, "second", store.Approver)
	decides := atOnce(
		func() error { _, _, err := b.Decide(t.Context(), b.approver, "", 1, store.Approved, ""); return err },
		func() error {
			_, _, err := elsewhere.Decide(t.Context(), second, "", 1, store.Rejected, "no")
			return err
		},
	)
	if (decides[0] == nil) == (decides[1] == nil) {
		t.Fatalf("of two decisions at once both or none came in: %v", decides)
	}
	refused(t, errors.Join(decides...), ledger.KindAlreadyDecided)
	if closed := len(b.column(t, `SELECT period FROM periods`)) == 1; closed != (decides[0] == nil) {
		t.Errorf("closed %v after %v", closed, decides)
	}
}
