package store_test

import (
	"fmt"
	"testing"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// says settles the live call of a payment by a person's word.
func (c counter) says(t *testing.T, id int64, v store.PaymentVerdict) {
	t.Helper()
	v.PaymentID, v.Reason = id, "told by phone"
	_, err := c.SettlePayment(t.Context(), c.controller, "", v)
	ok(t, err)
}

func TestReceive_AChargeIsThatOfOnePayment(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	first, second := c.asks(t, 1_000, "alice"), c.asks(t, 1_000, "alice")
	c.must(t, first, gateway.Authorize, "a")
	got := c.toldBy(t, "shop", "m1", "payment.authorized", fmt.Sprintf(`{"payment_id":%d,"ref":"x","charge":"ch-%d"}`, second, first))
	if got.Result != store.InboxFailed || got.Problem.Fields[0].Field != "charge" {
		t.Errorf("it is %+v", got)
	}
	c.is(t, second, payment.Created, true)
}

func TestTakeAnswer_WhatTheGatewayDidIsBookedThoughThePersonSaidOtherwise(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.asks(t, 1_000, "alice")
	c.must(t, id, gateway.Authorize, "a")
	c.till.asked = func(string) {
		c.till.asked = nil
		c.says(t, id, store.PaymentVerdict{Done: false})
	}
	if got := c.must(t, id, gateway.Capture, "c"); got.State != "captured" || c.balance(t, "1210") != 960 {
		t.Errorf("it is %+v, 1210 at %d", got, c.balance(t, "1210"))
	}
	history, err := c.PaymentHistory(t.Context(), c.viewer, id)
	ok(t, err)
	if call := history.Calls[1]; call.State != store.CallDone || len(call.Tries) != 2 {
		t.Errorf("the request is %+v", call)
	}
}

func TestTakeAnswer_AMessageOfAnotherRefundDoesNotStandForOurs(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.capture(t, 1_000)[0]
	c.till.asked = func(string) {
		c.till.asked = nil
		c.toldBy(t, "till", "m1", "payment.refunded", `{"payment_id":1,"ref":"by-hand","amount":400}`)
	}
	if got := c.must(t, id, gateway.Refund, "r", 400); got.RefundedMinor != 800 || got.State != "partly_refunded" {
		t.Errorf("two refunds of 400 leave %+v", got)
	}
}

func TestSettlePayment_AWrongNameIsTheSameEventWhenTheGatewayTellsIt(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, losesTheAnswer, does, losesTheAnswer, losesTheAnswer)
	id := c.asks(t, 1_000, "alice")
	key := func(command gateway.Command) string {
		p, err := c.Payment(t.Context(), c.viewer, id)
		ok(t, err)
		return fmt.Sprintf("%s-%s-1", p.GatewayKey, command)
	}
	c.must(t, id, gateway.Authorize, "a")
	_, err := c.SettlePayment(t.Context(), c.controller, "", store.PaymentVerdict{PaymentID: id, Done: true, Reason: "by phone"})
	refused(t, err, ledger.KindInvalid)
	c.says(t, id, store.PaymentVerdict{Done: true, Charge: "ch-1"})
	c.toldBy(t, "till", "m1", "payment.authorized", `{"payment_id":1,"ref":"authorize-1","amount":1000,"charge":"ch-1"}`)
	c.must(t, id, gateway.Capture, "c")
	c.must(t, id, gateway.Refund, "r", 400)
	c.says(t, id, store.PaymentVerdict{Done: true, Ref: "typo"})
	if got := c.toldBy(t, "till", "m2", "payment.refunded", fmt.Sprintf(`{"payment_id":1,"ref":"refund-3","amount":400,"key":%q}`, key(gateway.Refund))); got.Result != store.InboxApplied {
		t.Errorf("the refund is %+v", got)
	}
	p := c.is(t, id, payment.PartlyRefunded, true)
	if p.RefundedMinor != 400 || p.Charge != "ch-1" || len(p.Events) != 3 {
		t.Errorf("it is %+v", p)
	}
}

func TestSettlePayment_WhatTheGatewayHasDoneCannotBeSaidAway(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.asks(t, 1_000, "alice")
	c.must(t, id, gateway.Authorize, "a")
	c.till.asked = func(string) { c.closePeriod(t, "2026-03") }
	_, err := c.command(t, id, gateway.Capture, "c")
	refused(t, err, ledger.KindPeriodClosed)
	_, err = c.SettlePayment(t.Context(), c.controller, "", store.PaymentVerdict{PaymentID: id, Reason: "no"})
	refused(t, err, ledger.KindIllegalTransition)
}

func TestCommandPayment_ALostRefundIsNotTakenForAnother(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, does, does, losesTheRequest)
	id := c.capture(t, 1_000)[0]
	c.must(t, id, gateway.Refund, "first", 500)
	c.says(t, id, store.PaymentVerdict{Done: false})
	if got := c.must(t, id, gateway.Refund, "second", 300); got.RefundedMinor != 300 {
		t.Errorf("the second leaves %+v", got)
	}
	if got := c.must(t, id, gateway.Refund, "first", 500); got.RefundedMinor != 800 || len(c.till.done) != 4 {
		t.Errorf("the first, sent again, leaves %+v; the gateway did %d things", got, len(c.till.done))
	}
}

func TestReceive_WhatWasGivenUpIsDoneWhenTheGatewayTellsIt(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, does, does, losesTheAnswer)
	id := c.capture(t, 1_000)[0]
	c.must(t, id, gateway.Refund, "r", 500)
	c.says(t, id, store.PaymentVerdict{Done: false})
	p, err := c.Payment(t.Context(), c.viewer, id)
	ok(t, err)
	c.toldBy(t, "till", "m1", "payment.refunded", fmt.Sprintf(`{"payment_id":1,"ref":"refund-3","amount":500,"key":"%s-refund-1"}`, p.GatewayKey))
	history, err := c.PaymentHistory(t.Context(), c.viewer, id)
	ok(t, err)
	if call := history.Calls[2]; history.RefundedMinor != 500 || call.State != store.CallDone {
		t.Errorf("refunded %d, the request is %+v", history.RefundedMinor, call)
	}
	if got := c.must(t, id, gateway.Refund, "r", 500); got.RefundedMinor != 500 || len(c.till.done) != 3 {
		t.Errorf("sent again it is %+v; the gateway did %d things", got, len(c.till.done))
	}
}

func TestReceive_ALetGoWhileItIsCapturedIsNoCapture(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, does, losesTheRequest)
	id := c.asks(t, 1_000, "alice")
	c.must(t, id, gateway.Authorize, "a")
	c.must(t, id, gateway.Capture, "c")
	c.toldBy(t, "till", "m1", "payment.voided", `{"payment_id":1,"ref":"v1"}`)
	c.is(t, id, payment.Voided, true)
	history, err := c.PaymentHistory(t.Context(), c.viewer, id)
	ok(t, err)
	if call := history.Calls[1]; call.State != store.CallRefused {
		t.Errorf("the capture is %+v", call)
	}
	_, err = c.command(t, id, gateway.Capture, "c")
	refused(t, err, ledger.KindIllegalTransition)
}

func TestCommandPayment_ARefundSentAgainIsWeighedOnce(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, does, does, losesTheAnswer)
	id := c.capture(t, 9_000)[0]
	c.must(t, id, gateway.Refund, "r", 3_000)
	p, err := c.Payment(t.Context(), c.viewer, id)
	ok(t, err)
	c.toldBy(t, "till", "m1", "payment.refunded", fmt.Sprintf(`{"payment_id":1,"ref":"refund-3","amount":3000,"key":"%s-refund-1"}`, p.GatewayKey))
	if got := c.must(t, id, gateway.Refund, "r", 3_000); got.ApprovalID != 0 || got.RefundedMinor != 3_000 {
		t.Errorf("sent again it is %+v", got)
	}
	_, err = c.command(t, id, gateway.Refund, "s", 3_000)
	refused(t, err, ledger.KindInvalid) // beyond the limit with the first, and without a reason
}
