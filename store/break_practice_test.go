package store_test

import (
	"reflect"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

func TestPracticeOf_IsWhatWasDoneWithAllSimilarOnes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.upload(t, []byte("Date,Amount,Reference,Description\n2026-03-01,-1.00,c1,Charges 01\n2026-03-02,-1.00,c2,Charges 02\n2026-03-03,-1.00,c3,Charges 03\n2026-03-04,-7.00,c4,Rent\n")).ReconciliationID
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	practice := func() store.Practice {
		t.Helper()
		found, err := b.PracticeOf(t.Context(), b.viewer, items[2].ID)
		ok(t, err)
		return found
	}
	if got := practice(); !reflect.DeepEqual(got, store.Practice{}) {
		t.Errorf("with nothing done it is %+v", got)
	}
	asked, _, err := b.ResolveBreak(t.Context(), b.preparer, "", items[0].ID, adjusted(fee("fee-1", 100)))
	ok(t, err)
	_, _, err = b.Decide(t.Context(), b.approver, "", asked.ApprovalID, store.Approved, "")
	ok(t, err)
	want := store.Practice{Breaks: 1, Resolution: recon.Adjusted, ReasonCode: recon.BankFee, Contra: []string{"revenue:fees"}}
	if got := practice(); !reflect.DeepEqual(got, want) {
		t.Errorf("it is %+v, want %+v", got, want)
	}
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", items[1].ID, store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "n"})
	ok(t, err)
	if got := practice(); !reflect.DeepEqual(got, store.Practice{}) {
		t.Errorf("where people disagree it is %+v", got)
	}
}

func TestPreviewResolution_LeavesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, small, large, missing := b.less(t)
	for _, c := range []struct {
		of   store.Break
		with *ledger.Entry
		want recon.Status
		how  store.Settling
	}{
		{small, fee("", 50), recon.Resolved, store.Settling{Limited: true, LimitMinor: 1000}},
		{large, fee("", 3600), recon.WaitingForApproval, store.Settling{Waits: true, Limited: true, LimitMinor: 1000}},
		{missing, fee("", -300, moves("1010", "revenue:fees", 300)), recon.WaitingForApproval, store.Settling{Waits: true, LimitMinor: 1000}},
	} {
		would, err := b.PreviewResolution(t.Context(), b.preparer, c.of.ID, adjusted(c.with))
		ok(t, err)
		how, err := b.SettlingOf(t.Context(), b.viewer, c.of)
		ok(t, err)
		if would.Status != c.want || how != c.how {
			t.Errorf("break %d would be %s, settled by %+v", c.of.ID, would.Status, how)
		}
		after, events, err := b.Break(t.Context(), b.viewer, c.of.ID)
		ok(t, err)
		if !reflect.DeepEqual(after, c.of) || len(events) != 1 {
			t.Errorf("the preview left %+v, %d events", after, len(events))
		}
	}
	if head := b.column(t, `SELECT seq::text FROM heads`); head[0] != "2" || len(b.column(t, `SELECT id::text FROM approvals`)) != 0 {
		t.Errorf("the previews left entry %s", head[0])
	}
	if txID, err := b.FreeTxIDOf(t.Context(), b.viewer, small.ID); err != nil || txID != "break-1-adj" {
		t.Errorf("the tx id is %q, %v", txID, err)
	}
	b.closePeriod(t, "2026-02")
	_, err := b.PreviewResolution(t.Context(), b.preparer, small.ID, adjusted(fee("", 50, on("2026-02-27"))))
	refused(t, err, ledger.KindPeriodClosed)
	_, err = b.PreviewResolution(t.Context(), b.approver, small.ID, adjusted(fee("", 50)))
	refused(t, err, ledger.KindForbidden)
	b.post(t, entry("after", amount(5))) // the journal goes on
	b.isSound(t)
}

func TestAssignees_MayResolve(t *testing.T) {
	t.Parallel()
	b := setup(t)
	got, err := b.Assignees(t.Context(), b.viewer)
	ok(t, err)
	if want := []store.Assignee{{"controller@demo.test", "controller"}, {"preparer@demo.test", "preparer"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("they are %v, want %v", got, want)
	}
}
