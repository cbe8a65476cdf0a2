package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

func TestCommandPayment_PostsWhatMovesMoney(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.asks(t, 10_000, "alice")
	c.must(t, id, gateway.Authorize, "k1")
	captured := c.must(t, id, gateway.Capture, "k2", 9_000)
	refunded := c.must(t, id, gateway.Refund, "k3", 4_000)
	if captured.State != "captured" || captured.FeeMinor != 40 || refunded.State != "partly_refunded" || refunded.RefundedMinor != 4_000 || refunded.Charge != "ch-1" {
		t.Errorf("captured %+v, refunded %+v", captured, refunded)
	}
	for code, want := range map[string]int64{"1210": 4_960, "6200": 40, "customer:alice": -5_000, "2410": 0} {
		if got := c.balance(t, code); got != want {
			t.Errorf("account %s is at %d, want %d", code, got, want)
		}
	}
	history, err := c.PaymentHistory(t.Context(), c.viewer, id)
	ok(t, err)
	told := ""
	for _, e := range history.Events {
		told += fmt.Sprintf("%s #%d; ", payment.KindOf(e.Event), e.Seq)
	}
	if told != "authorized #0; captured #1; refunded #2; " || len(history.Calls) != 3 || len(history.Calls[0].Tries) != 1 {
		t.Errorf("its history is %s with %d calls", told, len(history.Calls))
	}
	posted, err := c.Entry(t.Context(), c.viewer, 1)
	ok(t, err)
	if posted.TxID != "pay-1-captured" || posted.Metadata["reference"] != "ORD-1" || posted.RecordedBy != c.preparer.UserID {
		t.Errorf("posted %+v", posted)
	}
	c.isSound(t)
}

func TestCommandPayment_WithoutAnAccountOfTheCustomerTheOneForAllIsUsed(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	for _, customer := range []string{"Eva Peters", "customer:bob", "1010"} {
		id := c.asks(t, 1_000, customer)
		c.must(t, id, gateway.Authorize, fmt.Sprint("a", id))
		c.must(t, id, gateway.Capture, fmt.Sprint("c", id))
	}
	if c.balance(t, "2410") != -2_000 || c.balance(t, "customer:bob") != -1_000 || c.balance(t, "1010") != 0 {
		t.Errorf("2410 is at %d, bob at %d", c.balance(t, "2410"), c.balance(t, "customer:bob"))
	}
}

func TestCommandPayment_AnAnswerThatIsLostIsFoundAndNeverChargedAgain(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]step{"BeforeTheCharge": losesTheRequest, "AfterTheCharge": losesTheAnswer} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := setupPayments(t, lost)
			id := c.asks(t, 1_000, "alice")
			if first := c.must(t, id, gateway.Authorize, "k"); first.Known || first.State != "created" || first.Why == "" {
				t.Fatalf("without an answer it is %+v", first)
			}
			c.is(t, id, payment.Created, false)
			_, err := c.command(t, id, gateway.Authorize, "another key")
			refused(t, err, ledger.KindIllegalTransition)
			second := c.must(t, id, gateway.Authorize, "k")
			if !second.Known || second.State != "authorized" {
				t.Errorf("sent again it is %+v", second)
			}
			third := c.must(t, id, gateway.Authorize, "k")
			if !third.Duplicate || third.State != "authorized" {
				t.Errorf("sent a third time it is %+v", third)
			}
			if len(c.till.done) != 1 {
				t.Errorf("the gateway was asked for %d things", len(c.till.done))
			}
		})
	}
}

func TestRecoverPayment_FindsOutAndDoesNothing(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, losesTheAnswer, isDeaf)
	done := c.asks(t, 1_000, "alice")
	c.must(t, done, gateway.Authorize, "k1")
	if still, err := c.RecoverPayment(t.Context(), c.controller, done); err != nil || still.Known {
		t.Errorf("while the gateway is deaf it is %+v, %v", still, err)
	}
	found, err := c.RecoverPayment(t.Context(), c.controller, done)
	ok(t, err)
	if found.State != "authorized" || !found.Known {
		t.Errorf("it is %+v", found)
	}
	if again := c.must(t, done, gateway.Authorize, "k1"); !again.Duplicate || again.State != "authorized" {
		t.Errorf("who asked first is told %+v", again)
	}
	_, err = c.RecoverPayment(t.Context(), c.controller, done)
	refused(t, err, ledger.KindIllegalTransition)

	c.till.plan = []step{losesTheRequest}
	lost := c.asks(t, 1_000, "alice")
	c.must(t, lost, gateway.Authorize, "k2")
	if still, err := c.RecoverPayment(t.Context(), c.controller, lost); err != nil || still.Known {
		t.Errorf("while it may be on its way it is %+v, %v", still, err)
	}
	c.clock.advance(time.Minute)
	_, err = c.RecoverPayment(t.Context(), c.controller, lost)
	refused(t, err, ledger.KindInvalid)
	c.is(t, lost, payment.Created, true)
	if c.must(t, lost, gateway.Authorize, "k3").State != "authorized" || len(c.till.done) != 2 {
		t.Errorf("the gateway was asked for %d things", len(c.till.done))
	}
}

func TestSettlePayment_TakesAPersonsWordWithAReason(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, does, losesTheAnswer)
	id := c.asks(t, 1_000, "alice")
	c.must(t, id, gateway.Authorize, "k1")
	c.must(t, id, gateway.Capture, "k2")
	_, err := c.SettlePayment(t.Context(), c.controller, "", store.PaymentVerdict{PaymentID: id, Done: true, Ref: "capture-2"})
	refused(t, err, ledger.KindInvalid)
	_, err = c.SettlePayment(t.Context(), c.viewer, "", store.PaymentVerdict{PaymentID: id, Done: true, Ref: "capture-2", Reason: "told by phone"})
	refused(t, err, ledger.KindForbidden)
	settled, err := c.SettlePayment(t.Context(), c.controller, "", store.PaymentVerdict{PaymentID: id, Done: true, Ref: "capture-2", FeeMinor: 40, Reason: "told by phone"})
	ok(t, err)
	if settled.State != "captured" || c.balance(t, "1210") != 960 {
		t.Errorf("it is %+v, 1210 at %d", settled, c.balance(t, "1210"))
	}
	again := c.must(t, id, gateway.Capture, "k2")
	if again.State != "captured" || len(c.till.done) != 2 {
		t.Errorf("who asked is told %+v; the gateway was asked for %d things", again, len(c.till.done))
	}
}

func TestCommandPayment_ManyAtOnceAreOneCharge(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.asks(t, 1_000, "alice")
	servers := []*store.Store{c.Store, c.another(t, store.WithGateway(c.till))}
	for _, command := range []gateway.Command{gateway.Authorize, gateway.Capture} {
		var group sync.WaitGroup
		duplicates := make([]bool, 24)
		for i := range duplicates {
			group.Go(func() {
				receipt, err := servers[i%2].CommandPayment(t.Context(), c.preparer, "same-"+string(command), store.PaymentCommand{PaymentID: id, Command: command})
				if err != nil {
					t.Errorf("%s: %v", command, err)
				}
				duplicates[i] = receipt.Duplicate
			})
		}
		group.Wait()
		first := 0
		for _, duplicate := range duplicates {
			if !duplicate {
				first++
			}
		}
		if first != 1 {
			t.Errorf("%s: %d of them did it", command, first)
		}
	}
	if len(c.till.done) != 2 || c.balance(t, "1210") != 960 {
		t.Errorf("the gateway did %d things, 1210 is at %d", len(c.till.done), c.balance(t, "1210"))
	}
}

func TestCommandPayment_ADeclineIsAnAnswerAndARefusalLeavesThePayment(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, declines, does, refuses)
	declined := c.asks(t, 1_000, "alice")
	if got := c.must(t, declined, gateway.Authorize, "k1"); got.State != "failed" || got.Why != "no funds" {
		t.Errorf("declined, it is %+v", got)
	}
	_, err := c.command(t, declined, gateway.Capture, "k2")
	refused(t, err, ledger.KindIllegalTransition)
	id := c.asks(t, 1_000, "alice")
	c.must(t, id, gateway.Authorize, "k3")
	_, err = c.command(t, id, gateway.Capture, "k4")
	refused(t, err, ledger.KindInvalid)
	c.is(t, id, payment.Authorized, true)
	if got := c.must(t, id, gateway.Capture, "k4"); got.State != "captured" {
		t.Errorf("asked again it is %+v", got)
	}
}

func TestCommandPayment_RefusesBeforeMoneyMoves(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.asks(t, 1_000, "alice")
	_, err := c.command(t, id, gateway.Capture, "k1")
	refused(t, err, ledger.KindIllegalTransition)
	c.must(t, id, gateway.Authorize, "k2")
	_, err = c.command(t, id, gateway.Capture, "k3", 1_001)
	refused(t, err, ledger.KindInvalid)
	_, err = c.command(t, id+1, gateway.Capture, "k4")
	refused(t, err, ledger.KindNotFound)
	_, err = c.command(t, id, gateway.Capture, "k2")
	refused(t, err, ledger.KindKeyReused)
	_, err = c.CommandPayment(t.Context(), c.viewer, "k5", store.PaymentCommand{PaymentID: id, Command: gateway.Capture})
	refused(t, err, ledger.KindForbidden)
	_, err = c.command(t, id, gateway.Capture, "")
	refused(t, err, ledger.KindKeyMissing)
	c.closePeriod(t, "2026-03")
	_, err = c.command(t, id, gateway.Capture, "k6")
	refused(t, err, ledger.KindPeriodClosed)
	if len(c.till.done) != 1 {
		t.Errorf("the gateway did %d things", len(c.till.done))
	}
}

func TestCommandPayment_WhatTheBooksRefuseAfterTheGatewayDidItIsShownAndPostedLater(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.asks(t, 1_000, "alice")
	c.must(t, id, gateway.Authorize, "k1")
	c.till.asked = func(string) { c.closePeriod(t, "2026-03") }
	_, err := c.command(t, id, gateway.Capture, "k2")
	refused(t, err, ledger.KindPeriodClosed)
	p := c.is(t, id, payment.Authorized, true)
	if p.Call == nil || p.Call.State != store.CallUnposted || p.Call.Problem == nil {
		t.Fatalf("it waits as %+v", p.Call)
	}
	c.till.asked = nil
	c.clock.advance(31 * 24 * 60 * 60 * 1e9)
	if got := c.must(t, id, gateway.Capture, "k2"); got.State != "captured" || c.balance(t, "1210") != 960 || len(c.till.done) != 2 {
		t.Errorf("in an open month it is %+v, 1210 at %d", got, c.balance(t, "1210"))
	}
}

func TestCommandPayment_IsForTheGatewayThatThePaymentIsAt(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, losesTheAnswer)
	id := c.asks(t, 1_000, "alice")
	c.must(t, id, gateway.Authorize, "k")
	c.sql(t, `ALTER TABLE payments DISABLE TRIGGER USER`, `UPDATE payments SET gateway = 'elsewhere'`)
	_, err := c.command(t, id, gateway.Authorize, "k")
	refused(t, err, ledger.KindInvalid)
	_, err = c.RecoverPayment(t.Context(), c.preparer, id)
	refused(t, err, ledger.KindInvalid)
	if len(c.till.done) != 1 {
		t.Errorf("the gateway did %d things", len(c.till.done))
	}
}

func TestCommandPayment_AKeyOfAnUnansweredRequestIsNotThatOfAnother(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, losesTheAnswer)
	first, second := c.asks(t, 1_000, "alice"), c.asks(t, 1_000, "alice")
	c.must(t, first, gateway.Authorize, "k")
	_, err := c.command(t, second, gateway.Authorize, "k")
	refused(t, err, ledger.KindKeyReused)
	_, err = c.command(t, first, gateway.Capture, "k")
	refused(t, err, ledger.KindKeyReused)
	c.must(t, first, gateway.Authorize, "k")
	c.must(t, first, gateway.Capture, "c")
	c.till.plan = []step{losesTheAnswer}
	c.must(t, first, gateway.Refund, "r", 400)
	_, err = c.command(t, first, gateway.Refund, "r", 300)
	refused(t, err, ledger.KindKeyReused)
	if got := c.must(t, first, gateway.Refund, "r", 400); got.RefundedMinor != 400 {
		t.Errorf("sent again it is %+v", got)
	}
}

func TestCommandPayment_WhatWasNeverAuthorizedIsLetGoWithoutTheGateway(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.asks(t, 1_000, "alice")
	if got := c.must(t, id, gateway.Void, "v"); got.State != "voided" || len(c.till.tried) != 0 {
		t.Errorf("it is %+v; the gateway was asked %d times", got, len(c.till.tried))
	}
	if again := c.must(t, id, gateway.Void, "v"); !again.Duplicate || again.State != "voided" {
		t.Errorf("sent again it is %+v", again)
	}
	_, err := c.command(t, id, gateway.Authorize, "a")
	refused(t, err, ledger.KindIllegalTransition)
}

// A request that was lost is not sent any more once the payment has gone another way.
func TestCommandPayment_ALostRequestIsNotSentAgainForAPaymentThatMoved(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, losesTheRequest)
	id := c.asks(t, 1_000, "alice")
	c.must(t, id, gateway.Authorize, "a")
	c.clock.advance(time.Minute)
	_, err := c.RecoverPayment(t.Context(), c.preparer, id)
	refused(t, err, ledger.KindInvalid)
	c.toldBy(t, "till", "m1", "payment.voided", `{"payment_id":1,"ref":"v1"}`)
	_, err = c.command(t, id, gateway.Authorize, "a")
	refused(t, err, ledger.KindIllegalTransition)
	if len(c.till.done) != 0 {
		t.Errorf("the gateway did %d things", len(c.till.done))
	}
}
