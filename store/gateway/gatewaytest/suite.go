package gatewaytest

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/store/gateway"
	"daybook/store/payment"
)

// Run holds a gateway to what gateway.Gateway promises. open gives a gateway that works and whose processor does as it is asked; it is called once
// for each promise.
func Run(t *testing.T, open func(*testing.T) gateway.Gateway) {
	for _, promise := range []struct {
		name string
		hold func(*desk)
	}{
		{"MovesMoneyAsItIsAsked", movesMoney},
		{"VoidsWhatWasNotCaptured", voids},
		{"RefusesWhatIsTooMuch", refusesTooMuch},
		{"RefusesWhatDoesNotFitTheCharge", refusesWhatDoesNotFit},
		{"DoesAKeyOnce", doesAKeyOnce},
		{"DoesAKeyOnceForManyAtATime", doesAKeyOnceForMany},
		{"DoesNotDoOtherThingsByAKey", refusesOtherContent},
		{"RecoversWhatWasDone", recovers},
		{"RecoversNothingByAnUnknownKey", recoversNothing},
		{"NamesNoTwoEventsAlike", namesEvents},
		{"SaysUnknownWhenTheContextEnded", endsWithItsContext},
	} {
		t.Run(promise.name, func(t *testing.T) {
			t.Parallel()
			promise.hold(&desk{T: t, gateway: open(t)})
		})
	}
}

// desk asks a gateway on behalf of a test.
type desk struct {
	*testing.T
	gateway gateway.Gateway
}

// number gives keys and payments names of their own, also at a processor that was there before.
var number atomic.Int64

func (d *desk) request(command gateway.Command, charge string, amount int64) (key string, r gateway.Request) {
	n := number.Add(1)
	return fmt.Sprintf("%s-%d-%s-%d", d.Name(), n, command, amount), gateway.Request{
		Command: command, BookCode: "main", PaymentID: n, Charge: charge, AmountMinor: amount, Currency: "EUR", Customer: "alice", Reference: "order 1",
	}
}

// done asks for something that must be done, and gives the charge and what happened.
func (d *desk) done(command gateway.Command, charge string, amount int64) (string, payment.Event) {
	d.Helper()
	key, r := d.request(command, charge, amount)
	answer := d.gateway.Do(d.Context(), key, r)
	if answer.Outcome != gateway.Done || answer.Charge == "" || len(answer.Events) != 1 || charge != "" && answer.Charge != charge {
		d.Fatalf("%s of %d: %+v", command, amount, answer)
	}
	return answer.Charge, answer.Events[0]
}

// refused asks for something that must be refused, with a reason and without an effect.
func (d *desk) refused(command gateway.Command, charge string, amount int64) {
	d.Helper()
	key, r := d.request(command, charge, amount)
	if answer := d.gateway.Do(d.Context(), key, r); answer.Outcome != gateway.Refused || answer.Why == "" || len(answer.Events) != 0 {
		d.Errorf("%s of %d: %+v", command, amount, answer)
	}
	d.notDone(key, r)
}

// notDone asks what became of something that was refused.
func (d *desk) notDone(key string, r gateway.Request) {
	d.Helper()
	answer := d.gateway.Recover(d.Context(), key, r)
	if answer.Outcome != gateway.Refused && answer.Outcome != gateway.NotDone || len(answer.Events) != 0 {
		d.Errorf("recovered: %+v", answer)
	}
}

func movesMoney(d *desk) {
	charge, happened := d.done(gateway.Authorize, "", 1000)
	if e, is := happened.(payment.Authorization); !is || e.AmountMinor != 1000 {
		d.Errorf("authorized: %#v", happened)
	}
	_, happened = d.done(gateway.Capture, charge, 900)
	if e, is := happened.(payment.Capture); !is || e.AmountMinor != 900 || e.FeeMinor < 0 {
		d.Errorf("captured: %#v", happened)
	}
	for _, amount := range []int64{300, 600} {
		_, happened = d.done(gateway.Refund, charge, amount)
		if e, is := happened.(payment.Refund); !is || e.AmountMinor != amount || e.FeeMinor < 0 {
			d.Errorf("refunded: %#v", happened)
		}
	}
}

func voids(d *desk) {
	charge, _ := d.done(gateway.Authorize, "", 1000)
	if _, happened := d.done(gateway.Void, charge, 0); payment.KindOf(happened) != payment.KindVoid {
		d.Errorf("voided: %#v", happened)
	}
	d.refused(gateway.Capture, charge, 1000)
}

func refusesTooMuch(d *desk) {
	charge, _ := d.done(gateway.Authorize, "", 1000)
	d.refused(gateway.Capture, charge, 1001)
	d.done(gateway.Capture, charge, 1000)
	d.refused(gateway.Refund, charge, 1001)
	d.done(gateway.Refund, charge, 400)
	d.refused(gateway.Refund, charge, 601)
}

func refusesWhatDoesNotFit(d *desk) {
	charge, _ := d.done(gateway.Authorize, "", 1000)
	d.refused(gateway.Refund, charge, 1)
	d.done(gateway.Capture, charge, 1000)
	d.refused(gateway.Capture, charge, 1000)
	d.refused(gateway.Void, charge, 0)
	d.refused(gateway.Capture, "no-such-charge", 1000)
}

// doesAKeyOnce refunds half twice by one key: the other half is left.
func doesAKeyOnce(d *desk) {
	key, authorize := d.request(gateway.Authorize, "", 1000)
	charge := d.twice(key, authorize).Charge
	key, capture := d.request(gateway.Capture, charge, 1000)
	d.twice(key, capture)
	key, refund := d.request(gateway.Refund, charge, 500)
	d.twice(key, refund)
	d.done(gateway.Refund, charge, 500)
	d.refused(gateway.Refund, charge, 1)
}

func (d *desk) twice(key string, r gateway.Request) gateway.Answer {
	d.Helper()
	first, again := d.gateway.Do(d.Context(), key, r), d.gateway.Do(d.Context(), key, r)
	if first.Outcome != gateway.Done || !reflect.DeepEqual(first, again) {
		d.Fatalf("%s gave %+v and then %+v", r.Command, first, again)
	}
	return first
}

// doesAKeyOnceForMany asks at one time: each is told the same, or nothing.
func doesAKeyOnceForMany(d *desk) {
	charge, _ := d.done(gateway.Authorize, "", 1000)
	d.done(gateway.Capture, charge, 1000)
	key, refund := d.request(gateway.Refund, charge, 600)
	answers := make([]gateway.Answer, 8)
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() { answers[i] = d.gateway.Do(d.Context(), key, refund) })
	}
	group.Wait()
	settled := d.gateway.Recover(d.Context(), key, refund)
	if settled.Outcome != gateway.Done {
		d.Fatalf("recovered: %+v", settled)
	}
	for _, answer := range answers {
		if answer.Outcome != gateway.Unknown && !reflect.DeepEqual(answer, settled) {
			d.Errorf("one was told %+v, another %+v", answer, settled)
		}
	}
	d.refused(gateway.Refund, charge, 401)
	d.done(gateway.Refund, charge, 400)
}

func refusesOtherContent(d *desk) {
	charge, _ := d.done(gateway.Authorize, "", 1000)
	d.done(gateway.Capture, charge, 1000)
	key, refund := d.request(gateway.Refund, charge, 100)
	d.twice(key, refund)
	refund.AmountMinor = 200
	if answer := d.gateway.Do(d.Context(), key, refund); answer.Outcome == gateway.Done || answer.Why == "" || len(answer.Events) != 0 {
		d.Errorf("another amount by the same key: %+v", answer)
	}
	d.done(gateway.Refund, charge, 900)
}

func recovers(d *desk) {
	charge := ""
	for _, command := range []gateway.Command{gateway.Authorize, gateway.Capture, gateway.Refund} {
		key, r := d.request(command, charge, 1000)
		charge = d.recovered(key, r).Charge
	}
	charge, _ = d.done(gateway.Authorize, "", 1000)
	key, void := d.request(gateway.Void, charge, 0)
	d.recovered(key, void)
}

// recovered asks for something, and holds what is recovered of it against the answer.
func (d *desk) recovered(key string, r gateway.Request) gateway.Answer {
	d.Helper()
	answer := d.gateway.Do(d.Context(), key, r)
	if found := d.gateway.Recover(d.Context(), key, r); answer.Outcome != gateway.Done || !reflect.DeepEqual(answer, found) {
		d.Fatalf("%s: answered %+v, recovered %+v", r.Command, answer, found)
	}
	return answer
}

func recoversNothing(d *desk) {
	charge, _ := d.done(gateway.Authorize, "", 1000)
	for _, command := range gateway.Commands {
		of := charge
		if command == gateway.Authorize {
			of = ""
		}
		key, r := d.request(command, of, 1000)
		if answer := d.gateway.Recover(d.Context(), key, r); answer.Outcome != gateway.NotDone || len(answer.Events) != 0 {
			d.Errorf("%s: %+v", command, answer)
		}
	}
}

func namesEvents(d *desk) {
	names := map[string]bool{}
	charge, happened := d.done(gateway.Authorize, "", 1000)
	names[payment.Name(happened)] = true
	_, happened = d.done(gateway.Capture, charge, 1000)
	names[payment.Name(happened)] = true
	for range 3 {
		_, happened = d.done(gateway.Refund, charge, 100)
		names[payment.Name(happened)] = true
	}
	if len(names) != 5 {
		d.Errorf("five events have the names %v", names)
	}
}

func endsWithItsContext(d *desk) {
	ended, end := context.WithCancel(d.Context())
	end()
	key, r := d.request(gateway.Authorize, "", 1000)
	for asked, ask := range map[string]func(context.Context, string, gateway.Request) gateway.Answer{"do": d.gateway.Do, "recover": d.gateway.Recover} {
		if answer := ask(ended, key, r); answer.Outcome != gateway.Unknown || answer.Why == "" || len(answer.Events) != 0 {
			d.Errorf("%s: %+v", asked, answer)
		}
	}
}
