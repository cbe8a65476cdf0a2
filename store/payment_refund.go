package store

import (
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"daybook/store/gateway"
	"daybook/store/ledger"
)

// RefundRequest is what the approval of a refund asks for: AmountMinor of Currency, back to who paid.
type RefundRequest struct {
	PaymentID   int64
	AmountMinor int64
	Currency    string
	Customer    string
	Reference   string
}

func paymentSubject(id int64) string { return fmt.Sprintf("payment %d", id) }

// askForRefund asks another person for a refund that takes what is given back of the payment, in all, beyond the limit; for anything else the receipt has no
// ApprovalID.
func (s *Store) askForRefund(tx *gorm.DB, actor Actor, key string, c PaymentCommand) (PaymentReceipt, error) {
	if c.Command != gateway.Refund {
		return PaymentReceipt{}, nil
	}
	before, err := loadCalls(tx, actor.Book, `c.key = ? AND c.payment_id = ? AND c.command = ? LIMIT 1`, key, c.PaymentID, c.Command)
	if err != nil || len(before) > 0 { // it was within the limit when it was asked for
		return PaymentReceipt{}, err
	}
	p, err := holdPayment(tx, actor.Book, c.PaymentID)
	if err != nil {
		return PaymentReceipt{}, err
	}
	amountMinor := p.allMinor(c.Command)
	if c.AmountMinor != nil {
		amountMinor = *c.AmountMinor
	}
	if within, err := s.withinRefundLimit(tx, actor.Book, p, amountMinor); err != nil || within {
		return PaymentReceipt{}, err
	}
	if err := actor.Need(RightRequest); err != nil {
		return PaymentReceipt{}, err
	}
	if c.Reason == "" {
		return PaymentReceipt{}, ledger.Refuse(ledger.KindInvalid, "a refund of so much waits for another person, who needs a reason").At("reason", "say why it is given back")
	}
	if p.Call != nil {
		return PaymentReceipt{}, underWay(p)
	}
	if _, err := s.mayCall(tx, actor, p, c); err != nil {
		return PaymentReceipt{}, err
	}
	if err := refundWaits(tx, actor.Book, p.ID); err != nil {
		return PaymentReceipt{}, err
	}
	asked := Approval{Kind: KindRefund, Reason: c.Reason, Refund: &RefundRequest{
		PaymentID: p.ID, AmountMinor: amountMinor, Currency: p.Currency, Customer: p.Customer, Reference: p.Reference,
	}}
	if err := s.insertApproval(tx, actor, &asked); err != nil {
		return PaymentReceipt{}, err
	}
	receipt := p.receipt()
	receipt.ApprovalID = asked.ID
	return receipt, nil
}

// withinRefundLimit reports whether an amount more may be given back of a payment without a second person.
func (s *Store) withinRefundLimit(tx *gorm.DB, book Book, p Payment, amountMinor int64) (bool, error) {
	settings, err := s.paymentSettings(tx, book, p.Currency)
	if err != nil {
		return false, err
	}
	inAllMinor, fits := ledger.Add(p.RefundedMinor, amountMinor)
	return fits && inAllMinor <= settings.RefundLimitMinor, nil
}

// refundWaits refuses a second request for a refund while one waits.
func refundWaits(tx *gorm.DB, book Book, paymentID int64) error {
	pending, err := pendingRefund(tx, book, paymentID)
	if err == nil && pending != 0 {
		err = ledger.Refuse(ledger.KindIllegalTransition, "a refund of payment %d waits for approval already, as request %d: it is decided or recalled first", paymentID, pending).
			With("approval_id", pending)
	}
	return err
}

// pendingRefund is the request for a refund of a payment that waits for approval, 0 for none.
func pendingRefund(tx *gorm.DB, book Book, paymentID int64) (int64, error) {
	pending, err := query[int64](tx, `SELECT id FROM approvals WHERE book_id = ? AND pending AND subject = ?`, book.ID, paymentSubject(paymentID))
	if err != nil || len(pending) == 0 {
		return 0, err
	}
	return pending[0], nil
}

// executeRefund puts down that the gateway is to be asked for what was approved; it is asked once that is committed. Errors: KindIllegalTransition where
// the payment does not allow it any more, and those of ledger.Append.
func (s *Store) executeRefund(tx *gorm.DB, actor Actor, approval *Approval) error {
	if err := s.hasGateway(); err != nil {
		return err
	}
	p, err := holdPayment(tx, actor.Book, approval.Refund.PaymentID)
	if err != nil {
		return err
	}
	if err := s.worksWith(p); err != nil {
		return err
	}
	if p.Call != nil {
		return underWay(p)
	}
	command := PaymentCommand{PaymentID: p.ID, Command: gateway.Refund, AmountMinor: &approval.Refund.AmountMinor, Reason: approval.Reason}
	amountMinor, err := s.mayCall(tx, actor, p, command)
	if err != nil {
		return err
	}
	key, err := uuid.NewRandom()
	if err != nil {
		return fmt.Errorf("name the refund of payment %d: %w", p.ID, err)
	}
	call, err := s.insertCall(tx, actor, p, command, amountMinor, "refund-"+key.String(), approval.ID)
	if err != nil {
		return err
	}
	return s.addCallTask(tx, actor.Book, *call, s.now())
}
