package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/claim"
	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// PaymentCommand asks the gateway to do something about a payment. Without an amount it is for all that there is. A refund may have a reason.
type PaymentCommand struct {
	PaymentID   int64
	Command     gateway.Command
	AmountMinor *int64
	Reason      string

	content string // of one that was put down before
}

// PaymentReceipt is a payment as a request left it. Known is false while the gateway has not answered something that it was asked; ApprovalID is the
// request that waits for another person, 0 for none; Why is what the gateway said.
type PaymentReceipt struct {
	ID                                                                   int64
	State                                                                string
	Currency, Customer, Reference, Gateway, Charge                       string
	AmountMinor, AuthorizedMinor, CapturedMinor, RefundedMinor, FeeMinor int64
	Known                                                                bool
	ApprovalID                                                           int64
	Why                                                                  string

	Duplicate bool `json:"-"`
	Attempts  int  `json:"-"`
}

// callTerms are those of a claim on a call of the gateway: an owner that died is replaced after the lease.
var callTerms = claim.Terms{Lease: 6 * time.Second, Wait: 10 * time.Second, Poll: 250 * time.Millisecond}

// WithGateway sets the gateway that payments are made at.
func WithGateway(g gateway.Gateway) Option { return func(s *Store) { s.gateway = g } }

// CommandPayment asks the gateway to do something about a payment, once whatever happens, under the key of whoever wants it. When the gateway does not
// answer the receipt is not Known, the key stays free, and the same request again first finds out what became of the one before. A refund beyond
// the limit of the settings waits for another person. Errors: KindForbidden, KindNotFound, KindIllegalTransition, KindInvalid with the field, those of
// ledger.Append before and after the gateway was asked, and of claim.Ledger.Do.
func (s *Store) CommandPayment(ctx context.Context, actor Actor, key string, c PaymentCommand) (PaymentReceipt, error) {
	if err := s.mayPay(actor); err != nil {
		return PaymentReceipt{}, err
	}
	if err := ledger.CheckText("reason", c.Reason, false); err != nil {
		return PaymentReceipt{}, err
	}
	return s.settleUnder(ctx, actor, key, c, func(ctx context.Context) (PaymentReceipt, error) { return s.callGateway(ctx, actor, key, c) })
}

// mayPay refuses who may not post, and any where no gateway is set up.
func (s *Store) mayPay(actor Actor) error {
	if err := actor.Need(RightPost); err != nil {
		return err
	}
	return s.hasGateway()
}

func (s *Store) hasGateway() error {
	if s.gateway == nil {
		return ledger.Refuse(ledger.KindInvalid, "no payment gateway is set up for this server: start it with --gateway")
	}
	return nil
}

// print is what a key stands for that a command was sent with.
func (c PaymentCommand) print() claim.Fingerprint {
	operation := "payment." + string(c.Command)
	if c.content != "" {
		return claim.Fingerprint{Operation: operation, Content: c.content}
	}
	content := map[string]any{"payment_id": c.PaymentID}
	if c.AmountMinor != nil {
		content["amount"] = *c.AmountMinor
	}
	if c.Reason != "" {
		content["reason"] = c.Reason
	}
	text, err := json.Marshal(content)
	if err != nil {
		panic(fmt.Sprintf("plain values did not become JSON: %v", err))
	}
	return claim.Fingerprint{Operation: operation, Content: string(text)}
}

// settleUnder does the work of a command under its key. Work that ends unanswered leaves the key free and gives the payment as it is.
func (s *Store) settleUnder(ctx context.Context, actor Actor, key string, c PaymentCommand, work func(ctx context.Context) (PaymentReceipt, error)) (PaymentReceipt, error) {
	claims, err := claim.New(&claimKeeper{store: s, actor: actor}, processName(), callTerms)
	if err != nil {
		return PaymentReceipt{}, err
	}
	settled, err := claims.Do(ctx, key, c.print(), func(ctx context.Context, _ int) ([]byte, error) {
		receipt, err := work(ctx)
		if err != nil {
			return nil, err
		}
		return json.Marshal(receipt)
	})
	var open unanswered
	switch {
	case errors.As(err, &open):
		return PaymentReceipt(open), nil
	case ledger.KindOf(err) == ledger.KindOwnerFailed:
		return s.ownerUnanswered(ctx, actor, key, c, err)
	case err != nil:
		return PaymentReceipt{}, err
	}
	var receipt PaymentReceipt
	if err := json.Unmarshal(settled.Body, &receipt); err != nil {
		return PaymentReceipt{}, fmt.Errorf("read the receipt of payment %d: %w", c.PaymentID, err)
	}
	receipt.Duplicate, receipt.Attempts = settled.Duplicate, settled.Attempts
	return receipt, nil
}

// unanswered ends work on a call that the gateway did not answer.
type unanswered PaymentReceipt

// Error says so to operators.
func (u unanswered) Error() string {
	return fmt.Sprintf("the gateway has not answered about payment %d: %s", u.ID, u.Why)
}

// ownerUnanswered gives who waited for another's call the payment as it is, when that ended because the gateway did not answer.
func (s *Store) ownerUnanswered(ctx context.Context, actor Actor, key string, c PaymentCommand, failed error) (PaymentReceipt, error) {
	p, err := s.Payment(ctx, actor, c.PaymentID)
	if err != nil {
		return PaymentReceipt{}, err
	}
	if p.Call == nil || p.Call.Key != key || p.Call.State != CallUnknown {
		return PaymentReceipt{}, failed
	}
	receipt := p.receipt()
	receipt.Duplicate = true
	return receipt, nil
}

// Payment gives one payment. Errors: KindForbidden, KindNotFound.
func (s *Store) Payment(ctx context.Context, actor Actor, id int64) (p Payment, err error) {
	if err := actor.Need(RightRead); err != nil {
		return Payment{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		p, err = wholePayment(tx, actor.Book, id, "")
		return err
	})
	return p, err
}

// receipt is the payment as it is now.
func (p Payment) receipt() PaymentReceipt {
	receipt := PaymentReceipt{
		ID: p.ID, State: p.State.String(), Currency: p.Currency, Customer: p.Customer, Reference: p.Reference, Gateway: p.Gateway, Charge: p.Charge,
		AmountMinor: p.AmountMinor, AuthorizedMinor: p.AuthorizedMinor, CapturedMinor: p.CapturedMinor, RefundedMinor: p.RefundedMinor, FeeMinor: p.FeeMinor,
		Known: p.Known(),
	}
	if p.Call != nil {
		receipt.Why = p.Call.Why
	}
	for _, e := range p.Events {
		if decline, ok := e.(payment.Decline); ok {
			receipt.Why = decline.Reason
		}
	}
	return receipt
}
