package store_test

import (
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

func ask(b bundle, t *testing.T, seq int64, replacement *ledger.Entry) (store.Approval, error) {
	t.Helper()
	approval, _, err := b.RequestReversal(t.Context(), b.controller, "", seq, store.ReversalRequest{
		Reason: "typed twice", EffectiveOn: ledger.MustDate("2026-03-31"), Replacement: replacement,
	})
	return approval, err
}

func TestReversal_IsNamedAfterATxIDOfAnyLength(t *testing.T) {
	t.Parallel()
	b := setup(t)
	longest := strings.Repeat("é", 255)
	b.post(t, entry(longest), entry("t2"), entry("t2-rev"), entry("t2-rev2"))
	if got, want := b.reverse(t, 1, nil).ReversalTxID, strings.Repeat("é", 251)+"-rev"; got != want {
		t.Errorf("the reversal of the longest tx id is named %s", got)
	}
	if got := b.reverse(t, 2, nil).ReversalTxID; got != "t2-rev3" {
		t.Errorf("the reversal is named %s, the first that is free is t2-rev3", got)
	}
}

func TestReversal_TakesEffectWhenAnotherApproves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", amount(100)))
	fix := entry("", on("2026-03-02"), amount(10))
	approval, err := ask(b, t, 1, &fix)
	ok(t, err)
	if approval.ReversalTxID != "t1-rev" || approval.ReplacementTxID != "t1-fix" || approval.Status != store.Pending {
		t.Fatalf("the request is %+v", approval)
	}
	if balance := b.balance(t, "1010"); balance != 100 {
		t.Errorf("a request moved the balance to %d", balance)
	}
	_, _, err = b.Decide(t.Context(), b.controller, "", approval.ID, store.Approved, "")
	refused(t, err, ledger.KindOwnRequest)
	_, _, err = b.Decide(t.Context(), b.preparer, "", approval.ID, store.Approved, "")
	refused(t, err, ledger.KindForbidden)

	decided, duplicate, err := b.Decide(t.Context(), b.approver, "k", approval.ID, store.Approved, "right")
	ok(t, err)
	if duplicate || decided.ReversalSeq != 2 || decided.ReplacementSeq != 3 {
		t.Fatalf("the decision is %+v", decided)
	}
	again, duplicate, err := b.Decide(t.Context(), b.approver, "k", approval.ID, store.Approved, "right")
	ok(t, err)
	if !duplicate || again.ReversalSeq != 2 {
		t.Errorf("approving again gives %+v, duplicate %v", again, duplicate)
	}
	_, _, err = b.Decide(t.Context(), b.approver, "", approval.ID, store.Rejected, "no")
	refused(t, err, ledger.KindAlreadyDecided)

	original, err := b.Entry(t.Context(), b.viewer, 1)
	ok(t, err)
	fixed, err := b.Entry(t.Context(), b.viewer, 3)
	ok(t, err)
	if original.ReversedBy != 2 || original.ReplacedBy != 3 || fixed.Replaces != 1 || fixed.Kind != ledger.Replacement || b.balance(t, "1010") != 10 {
		t.Errorf("original %+v, replacement %+v, balance %d", original, fixed, b.balance(t, "1010"))
	}
	_, err = ask(b, t, 1, nil)
	refused(t, err, ledger.KindAlreadyReversed)
	_, err = ask(b, t, 2, nil)
	refused(t, err, ledger.KindIsReversal)
}

func (b bundle) balance(t *testing.T, code string) int64 {
	t.Helper()
	balances, err := b.Balances(t.Context(), b.viewer, store.BalanceQuery{})
	ok(t, err)
	for _, account := range balances.Accounts {
		if account.Code == code {
			return account.BalanceMinor()
		}
	}
	t.Fatalf("no account %s", code)
	return 0
}

func TestReversal_ReservesItsTxIDsUntilDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"))
	first, err := ask(b, t, 1, nil)
	ok(t, err)
	_, err = ask(b, t, 1, nil)
	refused(t, err, ledger.KindReversalPending)
	_, err = b.PostEntry(t.Context(), b.preparer, "k", entry("t1-rev"))
	refused(t, err, ledger.KindTxIDExists)

	_, _, err = b.Decide(t.Context(), b.approver, "", first.ID, store.Rejected, "it was right")
	ok(t, err)
	b.post(t, entry("t1-rev"))

	second, err := ask(b, t, 1, nil)
	ok(t, err)
	if second.ReversalTxID != "t1-rev2" {
		t.Errorf("the next free id is %s", second.ReversalTxID)
	}
	_, _, err = b.Decide(t.Context(), b.preparer, "", second.ID, store.Recalled, "")
	refused(t, err, ledger.KindForbidden)
	_, _, err = b.Decide(t.Context(), b.controller, "", second.ID, store.Recalled, "")
	ok(t, err)
}

func TestReversal_PeriodClosedMeanwhileStaysPending(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"))
	approval, err := ask(b, t, 1, nil)
	ok(t, err)
	b.sql(t, `INSERT INTO periods (book_id, period, closed_at, closed_by) VALUES (1, '2026-03', now(), 1)`)
	_, _, err = b.Decide(t.Context(), b.approver, "", approval.ID, store.Approved, "")
	refused(t, err, ledger.KindPeriodClosed)
	approval, err = b.Approval(t.Context(), b.viewer, approval.ID)
	ok(t, err)
	if approval.Status != store.Pending {
		t.Errorf("the request is %s", approval.Status)
	}
}

func TestReversal_SixteenApproversReverseOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", amount(100)))
	fix := entry("t1-right", amount(10))
	approval, err := ask(b, t, 1, &fix)
	ok(t, err)
	servers := []*store.Store{b.Store, b.another(t)}
	fresh := make([]bool, 16)
	errs := make([]error, 16)
	together(16, func(i int) {
		decided, duplicate, err := servers[i%2].Decide(t.Context(), b.approver, "", approval.ID, store.Approved, "")
		fresh[i], errs[i] = !duplicate && decided.ReversalSeq == 2, err
	})
	count := 0
	for i := range fresh {
		ok(t, errs[i])
		if fresh[i] {
			count++
		}
	}
	items, _, err := b.Entries(t.Context(), b.viewer, store.EntryFilter{})
	ok(t, err)
	if count != 1 || len(items) != 3 || b.balance(t, "1010") != 10 {
		t.Errorf("%d approvals took effect, %d entries, balance %d", count, len(items), b.balance(t, "1010"))
	}
}

func TestReversal_ExecutesOnlyWhatWasRequested(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"))
	approval, err := ask(b, t, 1, nil)
	ok(t, err)
	b.sql(t, `ALTER TABLE approvals DISABLE TRIGGER approvals_unchanged`, `UPDATE approvals SET effective_on = '2026-01-01'`)
	_, _, err = b.Decide(t.Context(), b.approver, "", approval.ID, store.Approved, "")
	if err == nil || ledger.KindOf(err) != ledger.KindInternal {
		t.Fatalf("a request that was changed behind our back gave %v", err)
	}
	if balance := b.balance(t, "1010"); balance != 3050 {
		t.Errorf("it moved the balance to %d", balance)
	}
}
