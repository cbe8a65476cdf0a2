package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"daybook/store/ledger"
	"daybook/store/payment"
)

// PaymentRequest is what somebody is to pay, in minor units. Reference is the business's own name of it, such as an order.
type PaymentRequest struct {
	AmountMinor int64
	Currency    string
	Customer    string
	Reference   string
}

const (
	customerRunes  = 200
	referenceRunes = 200
)

// RequestPayment puts a payment down under the key of whoever wants it; the gateway knows nothing of it yet. Errors: KindForbidden, KindInvalid and
// KindZeroAmount with the field, KindKeyReused.
func (s *Store) RequestPayment(ctx context.Context, actor Actor, key string, request PaymentRequest) (receipt PaymentReceipt, err error) {
	if err := s.mayPay(actor); err != nil {
		return PaymentReceipt{}, err
	}
	if err := request.check(); err != nil {
		return PaymentReceipt{}, err
	}
	if err := s.setUpPayments(ctx, actor.Book, request.Currency); err != nil {
		return PaymentReceipt{}, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		settings, err := s.paymentSettings(tx, actor.Book, request.Currency)
		if err != nil {
			return err
		}
		var duplicate bool
		content := map[string]any{"amount": request.AmountMinor, "currency": request.Currency, "customer": request.Customer, "reference": request.Reference}
		receipt, duplicate, err = once(s, tx, actor, key, "payment", content, func() (PaymentReceipt, error) { return s.insertPayment(tx, actor, request, settings) })
		receipt.Duplicate, receipt.Attempts = duplicate, 1
		return err
	})
	return receipt, err
}

func (r PaymentRequest) check() error {
	refusal := ledger.Refuse(ledger.KindInvalid, "this cannot be asked for")
	if r.AmountMinor <= 0 {
		refusal.At("amount", "must be more than 0")
	}
	if _, known := ledger.Exponent(r.Currency); !known {
		refusal.At("currency", "%q is no currency: give an ISO 4217 code such as EUR", r.Currency)
	}
	for _, text := range []struct {
		field, value string
		most         int
		needed       bool
	}{{"customer", r.Customer, customerRunes, true}, {"reference", r.Reference, referenceRunes, false}} {
		switch {
		case text.needed && text.value == "":
			refusal.At(text.field, "say who pays")
		case ledger.CheckText(text.field, text.value, false) != nil:
			refusal.At(text.field, "is too long, or has characters that cannot be shown")
		case len([]rune(text.value)) > text.most:
			refusal.At(text.field, "has more than %d characters", text.most)
		}
	}
	return refusal.OrNil()
}

func (s *Store) insertPayment(tx *gorm.DB, actor Actor, request PaymentRequest, settings PaymentSettings) (PaymentReceipt, error) {
	asked, err := payment.New(request.AmountMinor)
	if err != nil {
		return PaymentReceipt{}, err
	}
	received, err := receivedAccount(tx, actor.Book, settings, request.Customer)
	if err != nil {
		return PaymentReceipt{}, err
	}
	id, err := nextNumber(tx, actor.Book.ID, "payment", 1)
	if err != nil {
		return PaymentReceipt{}, err
	}
	name, err := uuid.NewRandom()
	if err != nil {
		return PaymentReceipt{}, fmt.Errorf("name payment %d: %w", id, err)
	}
	p := Payment{
		ID: id, Gateway: s.gateway.Name(), GatewayKey: name.String(), Currency: request.Currency, Customer: request.Customer, Reference: request.Reference, Payment: asked,
	}
	if _, err := exec(tx, `
		INSERT INTO payments (book_id, id, gateway, gateway_key, amount_minor, currency, customer, reference, received_id, state, created_by, created_at)
		SELECT a.book_id, ?, ?, ?, ?, ?, ?, ?, a.id, ?, ?, ? FROM accounts a WHERE a.book_id = ? AND a.code = ?`,
		id, p.Gateway, p.GatewayKey, p.AmountMinor, p.Currency, p.Customer, p.Reference, p.State.String(), actor.UserID, s.now(), actor.Book.ID, received); err != nil {
		return PaymentReceipt{}, fmt.Errorf("store payment %d: %w", id, err)
	}
	detail := map[string]any{"amount": p.AmountMinor, "currency": p.Currency, "customer": p.Customer, "reference": p.Reference}
	if err := s.audit(tx, actor, "payment.request", paymentSubject(id), detail); err != nil {
		return PaymentReceipt{}, err
	}
	if err := s.tryWaiting(tx, actor, id); err != nil {
		return PaymentReceipt{}, err
	}
	p, err = wholePayment(tx, actor.Book, id, "")
	return p.receipt(), err
}
