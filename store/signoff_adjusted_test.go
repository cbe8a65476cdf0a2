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

func TestReconciliationStatement_NamesTheEntriesThatSettledBreaks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(1000)))
	id := b.upload(t, csv("2026-03-10,10.00,t1", "2026-03-12,-3.00,fee"), period("2026-03-01", "2026-03-31")).ReconciliationID
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	fee := entry("fee", on("2026-03-12"), moves("revenue:fees", "1010", 300), described("Account charges"))
	settled, _, err := b.ResolveBreak(t.Context(), b.preparer, "", items[0].ID, store.BreakResolution{Resolution: recon.Adjusted, ReasonCode: recon.BankFee, Note: "as in the price list", Entry: &fee})
	ok(t, err)
	if settled.Status == recon.WaitingForApproval {
		waiting, _, err := b.Approvals(t.Context(), b.approver, store.ApprovalFilter{Status: store.Pending})
		ok(t, err)
		_, _, err = b.Decide(t.Context(), b.approver, "", waiting[0].ID, store.Approved, "")
		ok(t, err)
	}
	open := b.reconciled(t, id, 0)
	if len(open.Adjustments) != 1 || open.Adjustments[0].Seq != 2 || open.Adjustments[0].AmountMinor != -300 || !reflect.DeepEqual(open.Adjustments[0].Breaks, []int64{items[0].ID}) {
		t.Errorf("the adjustments are %+v", open.Adjustments)
	}
	if open.LedgerSeq != 2 || open.Proof.LedgerMinor != 700 {
		t.Errorf("it is as of entry %d, with %d per ledger", open.LedgerSeq, open.Proof.LedgerMinor)
	}
	if len(open.Breaks) != 1 || open.Breaks[0].Resolution != recon.Adjusted || open.Breaks[0].ReasonCode != recon.BankFee || open.Breaks[0].Note != "as in the price list" {
		t.Errorf("the breaks are %+v", open.Breaks)
	}
	b.submit(t, id)
	_, _, err = b.SignOff(t.Context(), b.approver, "", id, "")
	ok(t, err)
	signed := b.reconciled(t, id, 0)
	if !reflect.DeepEqual(signed.Adjustments, open.Adjustments) || !reflect.DeepEqual(signed.Breaks, open.Breaks) || signed.Proof != open.Proof || !reflect.DeepEqual(signed.Kinds, open.Kinds) {
		t.Errorf("open it was\n%+v\nsigned it is\n%+v", open, signed)
	}

	// A reversal of the entry is dated in a later period, and leaves what was signed as it was.
	b.clock.advance(24 * time.Hour)
	b.reverse(t, 2, nil)
	b.upload(t, csv("2026-04-02,1.00,x"), period("2026-04-01", "2026-04-30"))
	if after := b.reconciled(t, id, 0); !reflect.DeepEqual(after, signed) {
		t.Errorf("signed it was\n%+v\nand is\n%+v", signed, after)
	}
	if v := b.verify(t); v.Fault != nil {
		t.Errorf("verify finds %v", v.Fault)
	}
}

func TestSignedReconciliations_RefuseWorkOnTheirMatches(t *testing.T) {
	t.Parallel()
	b := setup(t)
	march := b.signedMarch(t)
	matches, _, err := b.Matches(t.Context(), b.viewer, march.ID, 0, 0)
	ok(t, err)
	_, _, err = b.Unmatch(t.Context(), b.preparer, "", matches[0].ID, store.MatchItems{}, "wrong")
	refused(t, err, ledger.KindIllegalTransition)
	b.post(t, entry("late", on("2026-03-12"), amount(300)))
	_, _, err = b.MatchByHand(t.Context(), b.preparer, "", march.ID, store.MatchItems{Postings: []store.PostingRef{{Seq: 3, Line: 1}}}, "")
	refused(t, err, ledger.KindIllegalTransition)
}

func TestSubmitReconciliation_RefusesWhatLacksPostingsOfItsPeriod(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.marchUpload(t)
	b.settle(t, id)
	b.post(t, entry("later", on("2026-04-20"), amount(100)))
	b.post(t, entry("backdated", on("2026-03-01"), amount(99900)))
	_, _, err := b.SubmitReconciliation(t.Context(), b.preparer, "", id, store.Submission{})
	refused(t, err, ledger.KindIllegalTransition)
	if !strings.Contains(err.Error(), "1 of the account's postings dated until") {
		t.Errorf("it says %v", err)
	}
	_, _, err = b.SubmitReconciliation(t.Context(), b.preparer, "", id, store.Submission{Reason: "never mind"})
	refused(t, err, ledger.KindIllegalTransition)
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	_, _, err = b.SubmitReconciliation(t.Context(), b.preparer, "", id, store.Submission{Reason: "It comes with the next statement"})
	ok(t, err)
}
