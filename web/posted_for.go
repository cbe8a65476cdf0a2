package web

import (
	"context"

	"daybook/store"
	"daybook/store/payment"
	"daybook/templates"
)

// postedFor says what an entry was posted for by itself: an event of a payment, or a payout.
func (s *server) postedFor(ctx context.Context, actor store.Actor, e store.Receipt) (made templates.PostedFor, err error) {
	if made.Payout, err = s.Store.PayoutOfEntry(ctx, actor, e.Seq); err != nil || made.Payout != 0 {
		made.PayoutName = e.Metadata["payout"]
		return made, err
	}
	if made.Payment, err = s.Store.PaymentOfEntry(ctx, actor, e.Seq); err != nil || made.Payment == 0 {
		return made, err
	}
	history, err := s.Store.PaymentHistory(ctx, actor, made.Payment)
	for _, event := range history.Events {
		if event.Seq == e.Seq {
			made.Kind = payment.Tell(event.Event).Kind
		}
	}
	return made, err
}
