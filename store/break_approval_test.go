package store_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

func TestResolveBreak_AboveTheLimitWaitsForAnotherPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, _, large, _ := b.less(t)
	waiting, _, err := b.ResolveBreak(t.Context(), b.controller, "", large.ID, adjusted(fee("fee-36", 3600)))
	ok(t, err)
	if waiting.Status != recon.WaitingForApproval || waiting.ApprovalID == 0 || waiting.Resolution != "" {
		t.Fatalf("it is %+v", waiting)
	}
	asked, err := b.Approval(t.Context(), b.viewer, waiting.ApprovalID)
	ok(t, err)
	if asked.Kind != store.KindAdjustment || asked.Subject() != fmt.Sprint("break ", large.ID) || !asked.Intact() || asked.Adjustment.Entry.TxID != "fee-36" || len(asked.Adjustment.Match.Postings) != 1 {
		t.Errorf("the request is %+v", asked)
	}
	ok(t, b.RunMatching(t.Context(), b.preparer, id)) // leaves it alone
	_, err = b.PostEntry(t.Context(), b.preparer, "k", entry("fee-36"))
	refused(t, err, ledger.KindTxIDExists)
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", large.ID, adjusted(fee("other", 3600)))
	refused(t, err, ledger.KindIllegalTransition)
	_, _, err = b.MatchByHand(t.Context(), b.preparer, "", id, store.MatchItems{Postings: postingsOf(2), Rows: rowsNamed(3)}, "")
	refused(t, err, ledger.KindIllegalTransition)
	_, _, err = b.Decide(t.Context(), b.controller, "", asked.ID, store.Approved, "")
	refused(t, err, ledger.KindOwnRequest)
	_, _, err = b.Decide(t.Context(), b.preparer, "", asked.ID, store.Approved, "")
	refused(t, err, ledger.KindForbidden)
	if head := b.column(t, `SELECT seq::text FROM heads`); head[0] != "2" {
		t.Fatalf("before anyone approves the book is at entry %s", head[0])
	}
	decided, _, err := b.Decide(t.Context(), b.approver, "", asked.ID, store.Approved, "seen")
	ok(t, err)
	settled, events, err := b.Break(t.Context(), b.viewer, large.ID)
	ok(t, err)
	last := events[len(events)-1]
	if decided.EntrySeq != 3 || settled.Resolution != recon.Adjusted || settled.ApprovalID != 0 || last.User != "approver" || last.ApprovalID != asked.ID || last.Seq != 3 {
		t.Errorf("decided %+v, settled %+v, last %+v", decided, settled, last)
	}
	posted, err := b.Entry(t.Context(), b.viewer, 3)
	ok(t, err)
	if posted.Kind != ledger.Adjustment || posted.ApprovalID != asked.ID || posted.RecordedBy != b.approver.UserID {
		t.Errorf("posted %+v", posted)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

// A small difference does not carry a large movement between other accounts past the second person.
func TestResolveBreak_WaitsForAllThatItsEntryMoves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)))
	id := b.upload(t, csv("2026-03-02,9.00,t1"), period("2026-03-01", "2026-03-31")).ReconciliationID
	large := entry("x", on("2026-03-02"), moves("revenue:fees", "1010", 100))
	large.Postings = append(large.Postings, ledger.Posting{Account: "customer:alice", AmountMinor: 99999, Currency: "EUR"}, ledger.Posting{Account: "customer:bob", AmountMinor: -99999, Currency: "EUR"})
	found := b.onlyBreak(t, id, recon.AmountMismatch)
	settled, _, err := b.ResolveBreak(t.Context(), b.preparer, "", found.ID, store.BreakResolution{Resolution: recon.Adjusted, ReasonCode: recon.BankFee, Entry: &large})
	ok(t, err)
	if settled.Status != recon.WaitingForApproval {
		t.Errorf("it is %+v", settled)
	}
}

func TestResolveBreak_WhatTheLedgerLacksWaitsForAnotherPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, _, _, missing := b.less(t)
	interest := entry("", on("2026-03-04"), moves("1010", "revenue:fees", 300), described("Interest"))
	for _, decision := range []store.ApprovalStatus{store.Rejected, store.Recalled, store.Approved} {
		waiting, _, err := b.ResolveBreak(t.Context(), b.preparer, "", missing.ID, store.BreakResolution{Resolution: recon.Adjusted, ReasonCode: recon.BankInterest, Entry: &interest})
		ok(t, err)
		if waiting.Status != recon.WaitingForApproval {
			t.Fatalf("it is %+v", waiting)
		}
		by := b.approver
		if decision == store.Recalled {
			by = b.preparer
		}
		_, _, err = b.Decide(t.Context(), by, "", waiting.ApprovalID, decision, "so be it")
		ok(t, err)
		after, events, err := b.Break(t.Context(), b.viewer, missing.ID)
		ok(t, err)
		if last := events[len(events)-1]; decision != store.Approved && (after.Status != recon.Open || last.Event != "returned" || !strings.Contains(last.Note, string(decision)+": so be it")) {
			t.Errorf("%s: it is %+v, and ends with %+v", decision, after, last)
		}
		b.isProven(t, "1010")
	}
	if got := b.column(t, `SELECT tx_id FROM entries WHERE kind = 'adjustment'`); !reflect.DeepEqual(got, []string{fmt.Sprintf("break-%d-adj", missing.ID)}) {
		t.Errorf("posted %q", got)
	}
	if r := b.reconciliation(t, id); r.OpenBreaks != 2 {
		t.Errorf("%d breaks are open", r.OpenBreaks)
	}
	b.isSound(t)
}

func TestResolveBreak_ApprovalMeetsWhatChangedMeanwhile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(4000)), entry("t2", on("2026-03-20"), amount(6000)))
	id := b.upload(t, csv("2026-03-05,80.00,x1", "2026-03-25,60.00,x2"), period("2026-03-01", "2026-03-31")).ReconciliationID
	missing, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id, Type: recon.MissingInLedger})
	ok(t, err)
	decision := adjusted(fee("fee", 2000))
	decision.Match = &store.MatchItems{Postings: postingsOf(1, 2)}
	waiting, _, err := b.ResolveBreak(t.Context(), b.preparer, "", missing[0].ID, decision)
	ok(t, err)
	b.matchByHand(t, id, postingsOf(2), rowsNamed(3)) // another person needs one of the postings for another line
	_, _, err = b.Decide(t.Context(), b.approver, "", waiting.ApprovalID, store.Approved, "")
	refused(t, err, ledger.KindIllegalTransition)
	if !strings.Contains(err.Error(), "entry 2, line 1 is already in match") {
		t.Errorf("it says %v", err)
	}
	_, _, err = b.Decide(t.Context(), b.approver, "", waiting.ApprovalID, store.Rejected, "ask anew")
	ok(t, err)
	b.isProven(t, "1010")
	b.isSound(t)
}

func TestAdjustmentLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	limit, err := b.AdjustmentLimit(t.Context(), b.viewer)
	ok(t, err)
	if limit != 1000 {
		t.Errorf("a new book has the limit %d", limit)
	}
	refused(t, b.SetAdjustmentLimit(t.Context(), b.controller, "", 500000), ledger.KindForbidden)
	refused(t, b.SetAdjustmentLimit(t.Context(), b.admin, "", -1), ledger.KindInvalid)
	ok(t, b.SetAdjustmentLimit(t.Context(), b.admin, "k", 49))
	ok(t, b.SetAdjustmentLimit(t.Context(), b.admin, "k", 49))
	_, small, large, _ := b.less(t)
	waiting, _, err := b.ResolveBreak(t.Context(), b.preparer, "", small.ID, adjusted(fee("fee-1", 50)))
	ok(t, err)
	if waiting.Status != recon.WaitingForApproval {
		t.Errorf("above the limit it is %s", waiting.Status)
	}
	ok(t, b.SetAdjustmentLimit(t.Context(), b.admin, "", 3600))
	settled, _, err := b.ResolveBreak(t.Context(), b.preparer, "", large.ID, store.BreakResolution{Resolution: recon.WrittenOff, ReasonCode: recon.Rounding, Entry: fee("fee-2", 3600)})
	ok(t, err)
	if settled.Resolution != recon.WrittenOff {
		t.Errorf("at the limit it is %+v", settled)
	}
	other, err := b.AddBook(t.Context(), "nippon", "Nippon", "JPY")
	ok(t, err)
	if got := b.column(t, fmt.Sprintf(`SELECT adjustment_limit_minor::text FROM books WHERE id = %d`, other.ID)); got[0] != "10" {
		t.Errorf("in yen it is %s", got[0])
	}
}

func TestResolveBreak_OnAnAccountInAnotherCurrencyAlwaysWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1030", ledger.Asset, inCurrency("JPY"))
	b.open(t, "fees:jpy", ledger.Expense, inCurrency("JPY"))
	b.post(t, entry("j1", on("2026-03-02"), postings(ledger.Posting{Account: "1030", AmountMinor: 500, Currency: "JPY"}, ledger.Posting{Account: "fees:jpy", AmountMinor: -500, Currency: "JPY"})))
	id := b.upload(t, csv("2026-03-02,499,j1"), func(u *store.Upload) { u.Account = "1030" }).ReconciliationID
	fix := entry("fix", on("2026-03-02"), postings(ledger.Posting{Account: "1030", AmountMinor: -1, Currency: "JPY"}, ledger.Posting{Account: "fees:jpy", AmountMinor: 1, Currency: "JPY"}))
	waiting, _, err := b.ResolveBreak(t.Context(), b.preparer, "", b.onlyBreak(t, id, recon.AmountMismatch).ID, adjusted(&fix))
	ok(t, err)
	if waiting.Status != recon.WaitingForApproval {
		t.Errorf("it is %+v", waiting)
	}
}
