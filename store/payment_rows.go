package store

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
	"daybook/store/payment"
)

type paymentRow struct {
	ID, AmountMinor, AuthorizedMinor, CapturedMinor, FeeMinor, RefundedMinor, DisputedMinor, LostMinor int64

	Gateway, GatewayKey, Charge, Currency, Customer, Reference, Received, State, CreatedBy string

	Bank      PaymentBank
	CreatedAt time.Time
}

// selectPayments reads payments p; what follows is a condition.
const selectPayments = `
	SELECT p.id, p.amount_minor, p.authorized_minor, p.captured_minor, p.fee_minor, p.refunded_minor, p.disputed_minor, p.lost_minor,
	       p.gateway, p.gateway_key, coalesce(p.charge, '') AS charge, p.currency, p.customer, p.reference, a.code AS received, p.state, u.name AS created_by, p.created_at,
	       ` + paymentBank + ` AS bank
	  FROM payments p
	  JOIN users u ON u.id = p.created_by
	  JOIN accounts a ON a.book_id = p.book_id AND a.id = p.received_id
	 WHERE p.book_id = ? AND `

// paymentBank says how far the money of a payment p is on its way to the bank: as far as the part of it that is furthest behind. What moved no money is
// left out of account, and so is a payout whose entry was reversed.
const paymentBank = `CASE WHEN p.captured_minor = 0 THEN '' ELSE coalesce((
	SELECT CASE WHEN bool_or(i.n IS NULL) THEN 'not_paid_out'
	            WHEN bool_or(i.line IS NOT NULL AND NOT EXISTS (SELECT FROM match_postings mp WHERE mp.book_id = i.book_id AND mp.seq = i.seq AND mp.line = i.line AND mp.live))
	            THEN 'in_transit' ELSE 'matched' END
	  FROM payment_events e LEFT JOIN payout_items i ON i.book_id = e.book_id AND i.payment_id = e.payment_id AND i.event_n = e.n AND i.live
	 WHERE e.book_id = p.book_id AND e.payment_id = p.id AND e.seq IS NOT NULL), 'not_paid_out') END`

// loadPayments reads payments by a condition, without their events.
func loadPayments(tx *gorm.DB, book Book, condition string, args ...any) ([]Payment, error) {
	rows, err := query[paymentRow](tx, selectPayments+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	items := make([]Payment, len(rows))
	for i, r := range rows {
		state, err := payment.ParseState(r.State)
		if err != nil {
			return nil, fmt.Errorf("read payment %d: %w", r.ID, err)
		}
		items[i] = Payment{
			ID: r.ID, Gateway: r.Gateway, Charge: r.Charge, Currency: r.Currency, Customer: r.Customer, Reference: r.Reference, CreatedBy: r.CreatedBy, Received: r.Received,
			CreatedAt: r.CreatedAt.UTC(), FeeMinor: r.FeeMinor, Bank: r.Bank, GatewayKey: r.GatewayKey,
			Payment: payment.Payment{
				State: state, AmountMinor: r.AmountMinor, AuthorizedMinor: r.AuthorizedMinor, CapturedMinor: r.CapturedMinor,
				RefundedMinor: r.RefundedMinor, DisputedMinor: r.DisputedMinor, LostMinor: r.LostMinor,
			},
		}
	}
	return items, nil
}

// holdPayment reads a payment with its events and what the gateway has not answered, and holds its row: who moves it comes one after the other.
// It is held before the head of the book. Error: KindNotFound.
func holdPayment(tx *gorm.DB, book Book, id int64) (Payment, error) {
	return wholePayment(tx, book, id, ` FOR NO KEY UPDATE OF p`)
}

func wholePayment(tx *gorm.DB, book Book, id int64, lock string) (Payment, error) {
	items, err := loadPayments(tx, book, `p.id = ?`+lock, id)
	if err != nil {
		return Payment{}, err
	}
	if len(items) == 0 {
		return Payment{}, ledger.Refuse(ledger.KindNotFound, "book %s has no payment %d", book.Code, id).At("payment_id", "is no payment of this book")
	}
	whole := items[0]
	events, err := loadPaymentEvents(tx, book, id)
	if err != nil {
		return Payment{}, err
	}
	for _, e := range events {
		whole.Events = append(whole.Events, e.Event)
	}
	calls, err := loadCalls(tx, book, `c.payment_id = ? AND `+liveCall, id)
	if len(calls) > 0 {
		whole.Call = &calls[0]
	}
	return whole, err
}

// loadPaymentEvents reads what happened to a payment, in order.
func loadPaymentEvents(tx *gorm.DB, book Book, id int64) ([]PaymentEvent, error) {
	rows, err := query[struct {
		N                                        int
		Kind, Ref, Reason, Source, MessageID, By string
		AmountMinor, FeeMinor, Seq, CallID       int64
		At                                       time.Time
	}](tx, `
		SELECT e.n, e.kind, e.ref, e.reason, coalesce(e.source, '') AS source, coalesce(e.message_id, '') AS message_id, u.name AS by,
		       e.amount_minor, e.fee_minor, coalesce(e.seq, 0) AS seq, coalesce(e.call_id, 0) AS call_id, e.at
		  FROM payment_events e JOIN users u ON u.id = e.user_id WHERE e.book_id = ? AND e.payment_id = ? ORDER BY e.n`, book.ID, id)
	if err != nil {
		return nil, fmt.Errorf("read the events of payment %d: %w", id, err)
	}
	events := make([]PaymentEvent, len(rows))
	for i, r := range rows {
		kind, err := payment.ParseKind(r.Kind)
		if err != nil {
			return nil, fmt.Errorf("read event %d of payment %d: %w", r.N, id, err)
		}
		told := payment.Told{Kind: kind, Ref: r.Ref, AmountMinor: r.AmountMinor, FeeMinor: r.FeeMinor, Reason: r.Reason}
		events[i] = PaymentEvent{N: r.N, Event: told.Event(), Seq: r.Seq, CallID: r.CallID, Source: r.Source, MessageID: r.MessageID, By: r.By, At: r.At.UTC()}
	}
	return events, nil
}
