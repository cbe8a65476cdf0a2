package store_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

// toldBy sends a message as the webhook of a gateway and gives what came of it.
func (c counter) toldBy(t *testing.T, source, id, kind, data string) store.InboxReceipt {
	t.Helper()
	receipt, err := c.Receive(t.Context(), c.preparer, inbox.ByWebhook, inbox.Message{Source: source, ID: id, Type: kind, Data: json.RawMessage(data)})
	ok(t, err)
	return receipt
}

// capture lets payments be captured, each after the one before, and gives their ids. Each has a fee of 40.
func (c counter) capture(t *testing.T, amountsMinor ...int64) (ids []int64) {
	t.Helper()
	for _, minor := range amountsMinor {
		id := c.asks(t, minor, "alice")
		c.must(t, id, gateway.Authorize, fmt.Sprint("a", id))
		c.must(t, id, gateway.Capture, fmt.Sprint("c", id))
		ids = append(ids, id)
	}
	return ids
}

func item(id int64, kind, ref string, amountMinor, feeMinor int64) string {
	return fmt.Sprintf(`{"payment_id":%d,"kind":%q,"ref":%q,"amount":%d,"fee":%d}`, id, kind, ref, amountMinor, feeMinor)
}

func paid(name string, amountMinor, feeMinor int64, items string) string {
	return fmt.Sprintf(`{"payout":%q,"currency":"EUR","amount":%d,"fee":%d,"paid_on":"2026-03-31","items":[%s]}`, name, amountMinor, feeMinor, items)
}

func TestPayout_ManyPaymentsAndFeesAreOneLineOfTheBank(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	ids := c.capture(t, 1_000, 2_000, 3_000)
	c.must(t, ids[1], gateway.Refund, "r", 500)
	items := item(ids[0], "captured", "capture-2", 1_000, 0) + "," + item(ids[1], "captured", "capture-4", 2_000, 15) + "," +
		item(ids[2], "captured", "capture-6", 3_000, 0) + "," + item(ids[1], "refunded", "refund-7", 500, 0)
	const arrives = 1_000 + 2_000 + 3_000 - 500 - 3*40 - 15 - 25
	if got := c.toldBy(t, "till", "evt-1", "payout.paid", paid("po_7", arrives, 25, items)); got.Result != store.InboxApplied || got.Seq != 5 {
		t.Fatalf("the payout is %+v", got)
	}
	for code, want := range map[string]int64{"1010": arrives, "1210": 0, "6200": 3*40 + 15 + 25} {
		if got := c.balance(t, code); got != want {
			t.Errorf("account %s is at %d, want %d", code, got, want)
		}
	}
	p, err := c.Payment(t.Context(), c.viewer, ids[0])
	ok(t, err)
	if p.Bank != store.PaidOutInTransit {
		t.Errorf("before a statement came it is %q", p.Bank)
	}
	statement := fmt.Sprintf("date,amount,reference,description\n2026-04-01,%d.%02d,PAYOUT PO_7,GATEWAY BV\n", arrives/100, arrives%100)
	uploaded, _, err := c.UploadStatement(t.Context(), c.preparer, "", store.Upload{Account: "1010", FileName: "april.csv", Data: []byte(statement)})
	ok(t, err)
	matches, _, err := c.Matches(t.Context(), c.viewer, uploaded.ReconciliationID, 0, 10)
	ok(t, err)
	if len(matches) != 1 || matches[0].Kind != "batch" || len(matches[0].Ledger) != 5 {
		t.Fatalf("the matches are %+v", matches)
	}
	history, err := c.PaymentHistory(t.Context(), c.viewer, ids[1])
	ok(t, err)
	if history.Bank != store.PaidOutMatched || len(history.Payouts) != 2 || history.Payouts[0].StatementLine != "PAYOUT PO_7" || history.Payouts[0].AmountMinor != 1_945 || history.Payouts[1].AmountMinor != -500 {
		t.Errorf("of the second payment it is known: %+v", history.Payouts)
	}
	c.isSound(t)
}

func TestPayout_WaitsForWhatItPaysAndIsPostedOnce(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	ids := c.capture(t, 1_000)
	both := item(ids[0], "captured", "capture-2", 1_000, 0) + "," + item(ids[0], "refunded", "refund-3", 300, 0)
	if got := c.toldBy(t, "till", "evt-1", "payout.paid", paid("po_1", 660, 0, both)); got.Result != store.InboxWaiting {
		t.Fatalf("before the refund it is %+v", got)
	}
	c.must(t, ids[0], gateway.Refund, "r", 300)
	if got := c.toldBy(t, "till", "evt-1", "payout.paid", paid("po_1", 660, 0, both)); got.Result != store.InboxApplied {
		t.Fatalf("after the refund it is %+v", got)
	}
	if got := c.toldBy(t, "till", "evt-2", "payout.paid", paid("po_1", 660, 0, both)); got.Result != store.InboxFailed {
		t.Errorf("the same payout by another message is %+v", got)
	}
	if got := c.toldBy(t, "till", "evt-3", "payout.paid", paid("po_2", 960, 0, item(ids[0], "captured", "capture-2", 1_000, 0))); got.Result != store.InboxFailed || got.Problem.Fields[0].Field != "items[0]" {
		t.Errorf("what was paid out before, in another payout, is %+v", got)
	}
	if got := c.balance(t, "1010"); got != 660 {
		t.Errorf("the bank is at %d", got)
	}
}

func TestPayout_ThatDoesNotAddUpIsKeptAndNotPosted(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	ids := c.capture(t, 1_000)
	for id, data := range map[string]string{
		"sum":    paid("po_1", 961, 0, item(ids[0], "captured", "capture-2", 1_000, 0)),
		"amount": paid("po_2", 961, 0, item(ids[0], "captured", "capture-2", 1_001, 0)),
	} {
		if got := c.toldBy(t, "till", id, "payout.paid", data); got.Result != store.InboxFailed || ledger.KindOf(got.Problem) != ledger.KindInvalid {
			t.Errorf("%s: it is %+v", id, got)
		}
	}
	if got := c.toldBy(t, "till", "none", "payout.paid", paid("po_3", 0, 0, "")); got.Result != store.InboxParked {
		t.Errorf("without items it is %+v", got)
	}
	if got := c.balance(t, "1210"); got != 960 {
		t.Errorf("the gateway holds %d", got)
	}
}
