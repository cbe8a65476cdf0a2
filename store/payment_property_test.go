package store_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/inbox"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// TestPayments_AgreeWithTheGatewayWhateverItDoes lets people ask for things at random of a gateway that loses requests and answers and declines, while its
// messages come late, twice, in any order or not at all. When all is found out, the books and the gateway agree.
func TestPayments_AgreeWithTheGatewayWhateverItDoes(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	checkSome(t, 20, func(r *rapid.T, round int) {
		before := c.balance(t, "1210")
		ids := []int64{c.asks(t, 1_000, "alice"), c.asks(t, 2_000, "eva")}
		keys := 0
		for range rapid.IntRange(4, 24).Draw(r, "steps") {
			id := rapid.SampledFrom(ids).Draw(r, "payment")
			c.till.plan = rapid.SliceOfN(rapid.SampledFrom([]step{does, does, losesTheRequest, losesTheAnswer, declines, refuses, isDeaf, isLate}), 0, 2).Draw(r, "plan")
			switch rapid.IntRange(0, 4).Draw(r, "what") {
			case 0:
				_, err := c.RecoverPayment(t.Context(), c.controller, id)
				expected(r, err)
			case 1:
				c.tellSome(t, r, id)
			default:
				keys += rapid.IntRange(0, 1).Draw(r, "another key")
				command := rapid.SampledFrom(gateway.Commands).Draw(r, "command")
				asked := store.PaymentCommand{PaymentID: id, Command: command}
				if command == gateway.Refund && rapid.Bool().Draw(r, "a part") {
					part := rapid.Int64Range(1, 900).Draw(r, "amount")
					asked.AmountMinor = &part
				}
				_, err := c.CommandPayment(t.Context(), c.preparer, fmt.Sprint("k", round, "-", keys, "-", id, command), asked)
				expected(r, err)
			}
		}
		c.till.plan = nil
		c.clock.advance(time.Minute)
		atTillMinor := int64(0)
		for _, id := range ids {
			_, err := c.RecoverPayment(t.Context(), c.controller, id)
			expected(r, err)
			for range 2 {
				c.tellAll(t, r, id)
			}
			atTillMinor += c.agrees(t, r, id)
		}
		if got := c.balance(t, "1210") - before; got != atTillMinor {
			r.Fatalf("the gateway holds %d, the books say %d", atTillMinor, got)
		}
	})
	c.isSound(t)
}

// expected lets refusals pass that a person may meet here.
func expected(r *rapid.T, err error) {
	switch ledger.KindOf(err) {
	case ledger.KindIllegalTransition, ledger.KindInvalid, ledger.KindKeyReused:
	default:
		if err != nil {
			r.Fatal(err)
		}
	}
}

// happened are the events that the till knows of a payment, in the order of its keys' numbers.
func (c counter) happened(t *testing.T, id int64) (events []payment.Event) {
	t.Helper()
	p, err := c.Payment(t.Context(), c.viewer, id)
	ok(t, err)
	for _, command := range gateway.Commands {
		for n := 1; ; n++ {
			answer, known := c.till.done[fmt.Sprintf("%s-%s-%d", p.GatewayKey, command, n)]
			if !known {
				break
			}
			events = append(events, answer.Events...)
		}
	}
	return events
}

// agrees holds a payment against what the till did, and gives what the till holds of it.
func (c counter) agrees(t *testing.T, r *rapid.T, id int64) (heldMinor int64) {
	t.Helper()
	p, err := c.Payment(t.Context(), c.viewer, id)
	ok(t, err)
	authorized, captured, refundedMinor := 0, 0, int64(0)
	for _, e := range c.happened(t, id) {
		told := payment.Tell(e)
		switch told.Kind {
		case payment.KindAuthorization:
			authorized++
		case payment.KindCapture:
			captured++
			heldMinor += told.AmountMinor - told.FeeMinor
		case payment.KindRefund:
			heldMinor, refundedMinor = heldMinor-told.AmountMinor, refundedMinor+told.AmountMinor
		}
	}
	if authorized > 1 || captured > 1 || (captured == 1) != (p.CapturedMinor > 0) || p.RefundedMinor != refundedMinor || !p.Known() {
		r.Fatalf("payment %d is %s, known %v, captured %d, refunded %d; the gateway authorized it %d times, captured it %d times and refunded %d",
			id, p.State, p.Known(), p.CapturedMinor, p.RefundedMinor, authorized, captured, refundedMinor)
	}
	return heldMinor
}

// tellSome sends some of the till's messages about a payment, in any order; tellAll all of them.
func (c counter) tellSome(t *testing.T, r *rapid.T, id int64) {
	events := c.happened(t, id)
	if len(events) > 0 {
		c.tell(t, rapid.SliceOfN(rapid.SampledFrom(events), 1, 4).Draw(r, "messages"), id)
	}
}

func (c counter) tellAll(t *testing.T, r *rapid.T, id int64) {
	if events := c.happened(t, id); len(events) > 0 {
		c.tell(t, rapid.Permutation(events).Draw(r, "order"), id)
	}
}

func (c counter) tell(t *testing.T, events []payment.Event, id int64) {
	t.Helper()
	for _, e := range events {
		told := payment.Tell(e)
		data, err := json.Marshal(map[string]any{"payment_id": id, "ref": told.Ref, "amount": told.AmountMinor, "fee": told.FeeMinor, "reason": told.Reason})
		ok(t, err)
		_, err = c.Receive(t.Context(), c.preparer, inbox.ByWebhook, inbox.Message{
			Source: "till", ID: fmt.Sprint(id, " ", payment.Name(e)), Type: "payment." + told.Kind.String(), Data: data,
		})
		ok(t, err)
	}
}
