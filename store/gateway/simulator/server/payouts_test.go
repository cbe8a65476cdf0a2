package server_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
	"daybook/store/gateway/simulator/server"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

func TestPayouts_PayEachThingOnce(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	r := start(t, server.Config{Journal: journal})
	first, second := r.captured(t, 1), r.captured(t, 2)
	r.on(t, gateway.Refund, first, 300)
	payout, err := r.PayOut(t.Context(), simulator.PayoutOrder{})
	if err != nil {
		t.Fatal(err)
	}
	if payout.Gross != 1700 || payout.Fees != 80 || payout.Fee != 25 || payout.Amount != 1595 || payout.Currency != "EUR" || payout.Book != "main" || payout.PaidOn.String() != "2026-03-26" {
		t.Errorf("paid out: %+v", payout)
	}
	if payout.BankText != "PAYOUT "+payout.ID {
		t.Errorf("the bank says %q", payout.BankText)
	}
	var sum int64
	for _, item := range payout.Items {
		sum += item.Net
	}
	if len(payout.Items) != 3 || sum-payout.Fee != payout.Amount {
		t.Errorf("items: %+v", payout.Items)
	}
	r.on(t, gateway.Refund, second, 100)
	if _, err := r.PayOut(t.Context(), simulator.PayoutOrder{}); ledger.KindOf(err) != ledger.KindInvalid || !strings.Contains(err.Error(), "nothing is left to pay out") {
		t.Errorf("only a refund: %v", err)
	}
	r.stop()
	r = start(t, server.Config{Journal: journal})
	r.captured(t, 3)
	next, err := r.PayOut(t.Context(), simulator.PayoutOrder{})
	if err != nil || next.Amount != 1000-40-100-25 || next.ID == payout.ID {
		t.Errorf("the next: %+v, %v", next, err)
	}
	if all := get[simulator.Payouts](t, r, "/payouts").Items; len(all) != 2 || fmt.Sprint(all[0]) != fmt.Sprint(payout) {
		t.Errorf("all: %+v", all)
	}
	if _, err := r.PayOut(t.Context(), simulator.PayoutOrder{}); err == nil || !strings.Contains(err.Error(), "nothing to pay out") {
		t.Errorf("nothing: %v", err)
	}
}

func TestPayouts_AreOfOneBookAndCurrency(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{})
	for i, of := range []struct{ book, currency string }{{"main", "EUR"}, {"main", "USD"}, {"shop", "EUR"}} {
		answer := r.Do(t.Context(), fmt.Sprint(i), gateway.Request{Command: gateway.Authorize, BookCode: of.book, PaymentID: int64(i) + 1, AmountMinor: 1000, Currency: of.currency})
		if captured := r.Do(t.Context(), fmt.Sprint(i, "c"), gateway.Request{Command: gateway.Capture, Charge: answer.Charge, AmountMinor: 1000, Currency: of.currency}); captured.Outcome != gateway.Done {
			t.Fatalf("captured: %+v", captured)
		}
	}
	for order, field := range map[simulator.PayoutOrder]string{{Currency: "EUR"}: "book", {Book: "main"}: "currency"} {
		if _, err := r.PayOut(t.Context(), order); err == nil || !strings.Contains(err.Error(), field+": must be named") {
			t.Errorf("%+v: %v", order, err)
		}
	}
	if payout, err := r.PayOut(t.Context(), simulator.PayoutOrder{Book: "main", Currency: "USD"}); err != nil || payout.Currency != "USD" || len(payout.Items) != 1 {
		t.Errorf("dollars: %+v, %v", payout, err)
	}
}

// TestPayouts_AreToldWithoutTheFeesThatAreKnown: the fee of a capture was told with it.
func TestPayouts_AreToldWithoutTheFeesThatAreKnown(t *testing.T) {
	t.Parallel()
	box := newLetterbox(t)
	r := sending(t, server.Config{}, box)
	charge := r.captured(t, 17)
	r.on(t, gateway.Refund, charge, 300)
	box.take(t, 3)
	payout, err := r.PayOut(t.Context(), simulator.PayoutOrder{})
	if err != nil {
		t.Fatal(err)
	}
	told := box.take(t, 1)[0]
	data, _ := json.Marshal(simulator.PayoutPaid{
		Payout: payout.ID, Currency: "EUR", Amount: 635, Fee: 25, PaidOn: payout.PaidOn,
		Items: []simulator.PayoutPaidItem{
			{PaymentID: 17, Kind: "captured", Ref: payout.Items[0].Ref, Amount: 1000},
			{PaymentID: 17, Kind: "refunded", Ref: payout.Items[1].Ref, Amount: 300},
		},
	})
	want, _, err := inbox.Canonical(data)
	if err != nil || told.ID != payout.MessageID || told.Type != "payout.paid" || string(told.Data) != string(want) {
		t.Errorf("told %s %s, want %s", told.Type, told.Data, want)
	}
}
