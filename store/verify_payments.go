package store

import (
	"fmt"

	"daybook/store/ledger"
	"daybook/store/payment"
)

// paymentsAtOnce is how many payments are looked at together: memory stays the same, however many there are.
const paymentsAtOnce = 500

// checkPayments replays every payment: its row is what its events lead to, and what they move is what their entries posted.
func (v *verifier) checkPayments() (*Fault, error) {
	for after := int64(0); ; {
		payments, err := loadPayments(v.tx, v.book, `p.id > ? ORDER BY p.id LIMIT ?`, after, paymentsAtOnce)
		if err != nil || len(payments) == 0 {
			return nil, err
		}
		last := payments[len(payments)-1].ID
		events, err := v.eventsOfPayments(after, last)
		if err != nil {
			return nil, err
		}
		for _, p := range payments {
			if fault := paymentFault(p, events[p.ID]); fault != nil {
				return fault, nil
			}
		}
		after = last
	}
}

// postedEvent is an event with the entry that it has; postedMinor is the sum of that entry's debits.
type postedEvent struct {
	payment.Told
	seq, postedMinor int64
}

func (v *verifier) eventsOfPayments(after, last int64) (map[int64][]postedEvent, error) {
	rows, err := query[struct {
		PaymentID, AmountMinor, FeeMinor, Seq, PostedMinor int64
		Kind, Ref, Reason                                  string
	}](v.tx, `
		SELECT e.payment_id, e.kind, e.ref, e.reason, e.amount_minor, e.fee_minor, coalesce(e.seq, 0) AS seq,
		       coalesce((SELECT sum(p.amount_minor) FROM postings p WHERE p.book_id = e.book_id AND p.seq = e.seq AND p.amount_minor > 0), 0) AS posted_minor
		  FROM payment_events e WHERE e.book_id = ? AND e.payment_id > ? AND e.payment_id <= ? ORDER BY e.payment_id, e.n`, v.book.ID, after, last)
	if err != nil {
		return nil, fmt.Errorf("read the events of payments: %w", err)
	}
	events := map[int64][]postedEvent{}
	for _, r := range rows {
		kind, err := payment.ParseKind(r.Kind)
		if err != nil {
			return nil, fmt.Errorf("read the events of payment %d: %w", r.PaymentID, err)
		}
		told := payment.Told{Kind: kind, Ref: r.Ref, AmountMinor: r.AmountMinor, FeeMinor: r.FeeMinor, Reason: r.Reason}
		events[r.PaymentID] = append(events[r.PaymentID], postedEvent{told, r.Seq, r.PostedMinor})
	}
	return events, nil
}

// paymentFault is what is not as the events of a payment say.
func paymentFault(p Payment, events []postedEvent) *Fault {
	replayed, feeMinor := payment.Payment{AmountMinor: p.AmountMinor}, int64(0)
	for i, e := range events {
		after, effect, again, err := replayed.Apply(e.Event())
		switch {
		case err != nil || again:
			return &Fault{What: fmt.Sprintf("payment %d: its event %d, %s, does not follow those before it", p.ID, i+1, e.Kind)}
		case effect.Moves() != (e.seq != 0):
			return &Fault{What: fmt.Sprintf("payment %d: its event %d, %s, has no entry, or should have none", p.ID, i+1, e.Kind)}
		case effect.Moves() && e.postedMinor != debitsOf(effect):
			return &Fault{Seq: e.seq, What: fmt.Sprintf("posts %d for %s of payment %d, which moves %d", e.postedMinor, e.Kind, p.ID, debitsOf(effect))}
		}
		replayed, feeMinor = after, feeMinor+effect.FeeMinor
	}
	replayed.Events = nil
	if replayed.State != p.State || replayed.AuthorizedMinor != p.AuthorizedMinor || replayed.CapturedMinor != p.CapturedMinor || feeMinor != p.FeeMinor ||
		replayed.RefundedMinor != p.RefundedMinor || replayed.DisputedMinor != p.DisputedMinor || replayed.LostMinor != p.LostMinor {
		return &Fault{What: fmt.Sprintf("payment %d is kept as %s, and its events lead to %s, or to other amounts", p.ID, p.State, replayed.State)}
	}
	return nil
}

// debitsOf is the sum of the debits of what is posted for an effect.
func debitsOf(effect payment.Effect) (sumMinor int64) {
	for _, minor := range effectMinor(effect) {
		sumMinor, _ = ledger.Add(sumMinor, max(minor, 0))
	}
	return sumMinor
}
