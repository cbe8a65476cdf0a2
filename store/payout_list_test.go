package store_test

import (
	"fmt"
	"testing"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// paysOut captures two payments, gives 500 of the second back and has both paid out with a fee of 25, as po_7. What arrives is 2,395.
func (c counter) paysOut(t *testing.T) (ids []int64) {
	t.Helper()
	ids = c.capture(t, 1_000, 2_000)
	c.must(t, ids[1], gateway.Refund, "r", 500)
	items := item(ids[0], "captured", "capture-2", 1_000, 0) + "," + item(ids[1], "captured", "capture-4", 2_000, 0) + "," + item(ids[1], "refunded", "refund-5", 500, 0)
	if got := c.toldBy(t, "till", "evt-7", "payout.paid", paid("po_7", 2_395, 25, items)); got.Result != store.InboxApplied {
		t.Fatalf("the payout is %+v", got)
	}
	return ids
}

func TestPayouts_TellWhatIsInThemAndWhereItIs(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	ids := c.paysOut(t)
	listed, more, err := c.Payouts(t.Context(), c.viewer, store.PayoutFilter{})
	ok(t, err)
	if len(listed) != 1 || more {
		t.Fatalf("there are %d payouts", len(listed))
	}
	got := listed[0]
	if got.Name != "po_7" || got.Source != "till" || got.MessageID != "evt-7" || got.PaidOn != ledger.MustDate("2026-03-31") || got.ItemCount != 3 || got.Seq != 4 {
		t.Errorf("it is %+v", got)
	}
	if got.GrossMinor != 2_500 || got.FeesMinor != 105 || got.FeeMinor != 25 || got.AmountMinor != 2_395 || got.Bank != store.PaidOutInTransit || got.ReversedBy != 0 {
		t.Errorf("its amounts are %+v", got)
	}
	whole, err := c.Payout(t.Context(), c.viewer, got.ID)
	ok(t, err)
	sum := -whole.FeeMinor
	for _, i := range whole.Items {
		if sum += i.AmountMinor; i.GrossMinor-i.FeeMinor != i.AmountMinor || i.Seq != 4 || i.Line != i.N || i.Bank != store.PaidOutInTransit {
			t.Errorf("item %d is %+v", i.N, i)
		}
	}
	if len(whole.Items) != 3 || sum != whole.AmountMinor {
		t.Errorf("%d items come to %d less its fee", len(whole.Items), sum)
	}
	if back := whole.Items[2]; back.PaymentID != ids[1] || back.Kind != payment.KindRefund || back.Ref != "refund-5" || back.GrossMinor != -500 || back.FeeMinor != 0 {
		t.Errorf("what was given back is %+v", back)
	}
	history, err := c.PaymentHistory(t.Context(), c.viewer, ids[0])
	ok(t, err)
	if len(history.Payouts) != 1 || history.Payouts[0].PayoutID != got.ID {
		t.Errorf("the payment names its payouts %+v", history.Payouts)
	}
}

func TestPayouts_FollowTheMoneyToTheBank(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	c.paysOut(t)
	_, _, err := c.UploadStatement(t.Context(), c.preparer, "", store.Upload{Account: "1010", FileName: "march.csv", Data: []byte("date,amount,reference,description\n2026-03-20,3.00,W,OTHER\n2026-04-01,7.00,X,OTHER\n")})
	ok(t, err)
	if got := c.payout(t, 1); got.Bank != store.PaidOutInTransit || got.BreakID == 0 || got.Items[0].BreakID == 0 {
		t.Errorf("beside a statement that lacks it it is %+v", got.PayoutPlace)
	}
	uploaded, _, err := c.UploadStatement(t.Context(), c.preparer, "", store.Upload{Account: "1010", FileName: "april.csv", Data: []byte("date,amount,reference,description\n2026-04-02,23.95,PAYOUT PO_7,GATEWAY BV\n")})
	ok(t, err)
	if got := c.payout(t, 1); got.Bank != store.PaidOutMatched || got.ReconciliationID != uploaded.ReconciliationID || got.BreakID != 0 || got.Items[2].Bank != store.PaidOutMatched {
		t.Errorf("once it is on a statement it is %+v", got.PayoutPlace)
	}
}

func TestPayouts_OfAReversedEntryAreNotPaidOut(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	c.paysOut(t)
	c.reverse(t, 4, nil)
	got := c.payout(t, 1)
	if got.Bank != store.PaidOutNot || got.ReversedBy != 5 || got.Items[0].ReversedBy != 5 || got.Items[0].Bank != store.PaidOutNot {
		t.Errorf("it is %+v, its first item %+v", got.PayoutPlace, got.Items[0].PayoutPlace)
	}
}

func TestPayouts_ArePagedAndFound(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	for i, id := range c.capture(t, 1_000, 2_000, 3_000) {
		minor := int64(i+1) * 1_000
		c.toldBy(t, "till", fmt.Sprint("evt-", i), "payout.paid", paid(fmt.Sprint("po_", i), minor-40, 0, item(id, "captured", fmt.Sprint("capture-", 2*(i+1)), minor, 0)))
	}
	for name, page := range map[string]struct {
		store.PayoutFilter
		want string
		more bool
	}{
		"the newest first": {store.PayoutFilter{Limit: 2}, "po_2 po_1 ", true},
		"older":            {store.PayoutFilter{Limit: 2, Before: 2}, "po_0 ", false},
		"newer":            {store.PayoutFilter{Limit: 2, After: 1}, "po_2 po_1 ", false},
		"oldest first":     {store.PayoutFilter{Limit: 2, OldestFirst: true}, "po_0 po_1 ", true},
		"by name":          {store.PayoutFilter{Words: " PO_1 "}, "po_1 ", false},
		"by message":       {store.PayoutFilter{Words: "evt-2"}, "po_2 ", false},
		"by id":            {store.PayoutFilter{Words: "1"}, "po_1 po_0 ", false},
		"nothing":          {store.PayoutFilter{Words: "%"}, "", false},
	} {
		listed, more, err := c.Payouts(t.Context(), c.viewer, page.PayoutFilter)
		ok(t, err)
		got := ""
		for _, p := range listed {
			got += p.Name + " "
		}
		if got != page.want || more != page.more {
			t.Errorf("%s: %q, more %v", name, got, more)
		}
	}
}

func TestPayouts_AreFoundByTheirEntryAndReadByWhoMay(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	c.paysOut(t)
	for seq, want := range map[int64]int64{1: 0, 4: 1} {
		if id, err := c.PayoutOfEntry(t.Context(), c.viewer, seq); id != want || err != nil {
			t.Errorf("entry %d is of payout %d, %v", seq, id, err)
		}
	}
	_, err := c.Payout(t.Context(), c.viewer, 2)
	refused(t, err, ledger.KindNotFound)
	nobody := c.viewer
	nobody.Roles = nil
	_, _, err = c.Payouts(t.Context(), nobody, store.PayoutFilter{})
	refused(t, err, ledger.KindForbidden)
	_, err = c.Payout(t.Context(), nobody, 1)
	refused(t, err, ledger.KindForbidden)
	_, err = c.PayoutOfEntry(t.Context(), nobody, 4)
	refused(t, err, ledger.KindForbidden)
}

func (c counter) payout(t *testing.T, id int64) store.Payout {
	t.Helper()
	whole, err := c.Payout(t.Context(), c.viewer, id)
	ok(t, err)
	return whole
}
