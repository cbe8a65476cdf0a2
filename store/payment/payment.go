package payment

import (
	"errors"
	"slices"

	"daybook/store/ledger"
)

// Payment is a payment as its events have left it. Amounts are in minor units of its currency. What is left of it is what was captured less what was
// refunded, is disputed or was lost.
type Payment struct {
	State           State
	AmountMinor     int64 // asked for
	AuthorizedMinor int64
	CapturedMinor   int64
	RefundedMinor   int64
	DisputedMinor   int64 // with the bank, which has not decided
	LostMinor       int64 // given back by the bank
	Events          []Event
}

// New is a payment that was asked for. Error: KindZeroAmount, KindInvalid.
func New(amountMinor int64) (Payment, error) {
	if err := positive("amount", amountMinor); err != nil {
		return Payment{}, err
	}
	return Payment{State: Created, AmountMinor: amountMinor}, nil
}

// LeftMinor is what can still be refunded.
func (p Payment) LeftMinor() int64 {
	return p.CapturedMinor - p.RefundedMinor - p.DisputedMinor - p.LostMinor
}

// Effect is what an event moves between the accounts of a book: AmountMinor of Kind, and FeeMinor that the gateway takes, or gives back where it is
// negative. The zero Effect moves nothing.
type Effect struct {
	Kind                  Kind
	AmountMinor, FeeMinor int64
}

// Moves reports whether there is anything to post.
func (e Effect) Moves() bool { return e.AmountMinor != 0 || e.FeeMinor != 0 }

// Apply gives the payment as an event leaves it. An event that was applied already changes nothing, and again is true. Errors: KindIllegalTransition
// with Illegal in it, KindInvalid for an amount that does not fit, or for an event of the same name that says something else.
func (p Payment) Apply(e Event) (after Payment, effect Effect, again bool, err error) {
	if e.ref() == "" {
		return p, Effect{}, false, ledger.Refuse(ledger.KindInvalid, "%s needs the gateway's name of it", kindNouns[e.kind()]).At("ref", "is empty")
	}
	if before := p.find(Name(e)); before != nil {
		if !Tell(before).sameAs(Tell(e)) {
			return p, Effect{}, false, ledger.Refuse(ledger.KindInvalid, "%s %q was told before, with other amounts", kindNouns[e.kind()], e.ref()).
				At("ref", "is that of an event that says something else")
		}
		return p, Effect{}, true, nil
	}
	rule := table[p.State][e.kind()]
	if rule.verdict != moves && rule.verdict != weighs {
		return p, Effect{}, false, illegal(p.State, e.kind(), rule.verdict == waits, rule.word)
	}
	if err := e.check(p); err != nil {
		return p, Effect{}, false, err
	}
	after = p
	after.Events = append(slices.Clip(p.Events), e)
	effect = e.apply(&after)
	effect.Kind = e.kind()
	if after.State = rule.to; rule.verdict == weighs {
		after.State = after.weighed()
	}
	return after, effect, false, nil
}

// Replay gives the payment that events lead to. Errors are those of Apply.
func (p Payment) Replay(events ...Event) (Payment, error) {
	for _, e := range events {
		var err error
		if p, _, _, err = p.Apply(e); err != nil {
			return p, err
		}
	}
	return p, nil
}

func illegal(from State, kind Kind, waits bool, why string) error {
	cause := Illegal{From: from, Event: kind, Waits: waits, why: why}
	refusal := ledger.Refuse(ledger.KindIllegalTransition, "%s", cause.Error()).With("state", from.String())
	refusal.Err = cause
	return refusal
}

// Waits reports whether an error of Apply may go away by itself, when an event comes that is on its way.
func Waits(err error) bool {
	var cause Illegal
	return errors.As(err, &cause) && cause.Waits
}

// Ref gives the ref of the event of a kind that the payment has, the last one of several; "" for none.
func (p Payment) Ref(kind Kind) string {
	for _, e := range slices.Backward(p.Events) {
		if e.kind() == kind {
			return e.ref()
		}
	}
	return ""
}

func (p Payment) find(name string) Event {
	if at := slices.IndexFunc(p.Events, func(e Event) bool { return Name(e) == name }); at >= 0 {
		return p.Events[at]
	}
	return nil
}

// weighed is the state that the amounts say.
func (p Payment) weighed() State {
	switch {
	case p.DisputedMinor > 0:
		return Disputed
	case p.LostMinor > 0:
		return ChargedBack
	case p.RefundedMinor == 0:
		return Captured
	case p.RefundedMinor == p.CapturedMinor:
		return Refunded
	}
	return PartlyRefunded
}
