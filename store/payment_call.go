package store

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// beginCall puts down what the gateway is going to be asked, or finds what was asked before by the same key. Of one that was answered for good nothing is
// left to ask. It is a transaction of its own: when the gateway is asked, the books say so.
func (s *Store) beginCall(tx *gorm.DB, actor Actor, key string, c PaymentCommand) (p Payment, answered bool, err error) {
	if p, err = holdPayment(tx, actor.Book, c.PaymentID); err != nil {
		return p, false, err
	}
	if err := s.worksWith(p); err != nil {
		return p, false, err
	}
	before, err := loadCalls(tx, actor.Book, `c.key = ? AND c.payment_id = ? AND c.command = ? ORDER BY c.id DESC LIMIT 1`, key, p.ID, c.Command)
	if err != nil {
		return p, false, err
	}
	if len(before) > 0 && before[0].answeredFor(p) {
		return p, true, nil
	}
	switch {
	case p.Call == nil:
	case p.Call.Key != key:
		return p, false, underWay(p)
	case p.Call.Command != c.Command || p.Call.content != c.print().Content:
		return p, false, ledger.Refuse(ledger.KindKeyReused, "this idempotency key is that of a request to %s payment %d, which the gateway has not answered", p.Call.Command, p.ID)
	default:
		return s.callAgain(tx, actor, p, *p.Call)
	}
	amountMinor, err := s.mayCall(tx, actor, p, c)
	if len(before) > 0 && before[0].State == CallNotDone {
		switch {
		case err == nil || c.Command == gateway.Refund: // of a refund the gateway knows best whether it was done after all
			return s.callAgain(tx, actor, p, before[0])
		case p.has(c.Command):
			return p, true, nil // a message told
		}
	}
	if err != nil {
		return p, false, err
	}
	p.Call, err = s.insertCall(tx, actor, p, c, amountMinor, key, 0)
	if err == nil {
		_, _, err = s.callAgain(tx, actor, p, *p.Call)
		p.Call.State, p.Call.Attempts = CallOpen, 1
	}
	return p, false, err
}

// answeredFor reports whether the payment as it is answers a call. So does one that was declined; a refusal that left the payment as it was does not: the
// same may be asked for again.
func (c PaymentCall) answeredFor(p Payment) bool {
	return c.State == CallDone || c.State == CallRefused && p.State == payment.Failed
}

// has reports whether a payment has what a command, other than a refund, asks for.
func (p Payment) has(command gateway.Command) bool {
	kinds := map[gateway.Command]payment.Kind{gateway.Authorize: payment.KindAuthorization, gateway.Capture: payment.KindCapture, gateway.Void: payment.KindVoid}
	kind, once := kinds[command]
	return once && p.Ref(kind) != ""
}

// callAgain counts one more attempt at what the gateway is asked.
func (s *Store) callAgain(tx *gorm.DB, actor Actor, p Payment, call PaymentCall) (Payment, bool, error) {
	call.State, call.Attempts = CallOpen, call.Attempts+1
	p.Call = &call
	_, err := exec(tx, `UPDATE payment_calls SET state = 'open', attempts = ?, changed_at = ? WHERE book_id = ? AND id = ?`, call.Attempts, s.now(), actor.Book.ID, call.ID)
	return p, false, err
}

// underWay refuses a second request while the gateway has not answered the first.
func underWay(p Payment) error {
	return ledger.Refuse(ledger.KindIllegalTransition, "the gateway has not answered yet what it was asked about payment %d at %s, to %s it: send that again with its own key, or wait until it is known",
		p.ID, p.Call.CreatedAt.Format(time.RFC3339), p.Call.Command).With("state", p.State.String()).With("gateway", "unknown")
}

// worksWith refuses a payment that is at another gateway than this server's.
func (s *Store) worksWith(p Payment) error {
	if p.Gateway != s.gateway.Name() {
		return ledger.Refuse(ledger.KindInvalid, "payment %d is at %s, and this server works with %s", p.ID, p.Gateway, s.gateway.Name()).At("payment_id", "is at another gateway")
	}
	return nil
}

// mayCall says for how much the gateway is asked, if the payment's state, its amounts and the journal allow it. Errors: those of payment.Apply and of
// ledger.Append, which are tried without effect, before any money moves. We give back no more than is left, though a gateway may.
func (s *Store) mayCall(tx *gorm.DB, actor Actor, p Payment, c PaymentCommand) (int64, error) {
	amountMinor := p.allMinor(c.Command)
	if c.AmountMinor != nil {
		amountMinor = *c.AmountMinor
	}
	event := c.event(amountMinor)
	if c.Command == gateway.Refund && p.CapturedMinor > 0 && amountMinor > p.LeftMinor() {
		return 0, ledger.Refuse(ledger.KindInvalid, "the amount is more than what is left of it").
			At("amount", "is %d; what is left of it is %d, in minor units", amountMinor, p.LeftMinor()).With("most_minor", p.LeftMinor())
	}
	_, effect, _, err := p.Apply(event)
	if err != nil || !effect.Moves() {
		return amountMinor, err
	}
	settings, err := s.paymentSettings(tx, actor.Book, p.Currency)
	if err != nil {
		return 0, err
	}
	entry, err := s.effectEntry(tx, actor.Book, settings, p, event, effect)
	if err != nil {
		return 0, err
	}
	outcomes, err := s.tryCommands(tx, actor, []ledger.Command{postCommand(actor, "", entry)})
	if err != nil {
		return 0, err
	}
	return amountMinor, outcomes[0].Err
}

// allMinor is for how much a command is where it does not say.
func (p Payment) allMinor(command gateway.Command) int64 {
	switch command {
	case gateway.Capture:
		return p.AuthorizedMinor
	case gateway.Refund:
		return p.LeftMinor()
	case gateway.Void:
		return 0
	case gateway.Authorize:
	}
	return p.AmountMinor
}

// event is what would happen if the gateway did what it is asked.
func (c PaymentCommand) event(amountMinor int64) payment.Event {
	const ref = "(not known yet)"
	switch c.Command {
	case gateway.Capture:
		return payment.Capture{Ref: ref, AmountMinor: amountMinor}
	case gateway.Refund:
		return payment.Refund{Ref: ref, AmountMinor: amountMinor}
	case gateway.Void:
		return payment.Void{Ref: ref}
	case gateway.Authorize:
	}
	return payment.Authorization{Ref: ref, AmountMinor: amountMinor}
}

func (s *Store) insertCall(tx *gorm.DB, actor Actor, p Payment, c PaymentCommand, amountMinor int64, key string, approvalID int64) (*PaymentCall, error) {
	id, err := nextNumber(tx, actor.Book.ID, "payment call", 1)
	if err != nil {
		return nil, err
	}
	now := s.now()
	if _, err := exec(tx, `
		INSERT INTO payment_calls (book_id, id, payment_id, command, n, amount_minor, key, content, reason, state, approval_id, user_id, request_id, address, created_at, changed_at)
		SELECT ?, ?, ?, ?, 1 + count(*), ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?
		  FROM payment_calls WHERE book_id = ? AND payment_id = ? AND command = ? AND (state IN ('done', 'refused') OR command = 'refund')`,
		actor.Book.ID, id, p.ID, c.Command, amountMinor, key, c.print().Content, c.Reason, nullable(approvalID), actor.UserID, actor.Request, actor.Address, now, now,
		actor.Book.ID, p.ID, c.Command); err != nil {
		return nil, fmt.Errorf("put down what the gateway is asked about payment %d: %w", p.ID, err)
	}
	detail := map[string]any{"amount": amountMinor, "key": key}
	if c.Reason != "" {
		detail["reason"] = c.Reason
	}
	if err := s.audit(tx, actor, "payment."+string(c.Command), paymentSubject(p.ID), detail); err != nil {
		return nil, err
	}
	calls, err := loadCalls(tx, actor.Book, `c.id = ?`, id)
	if err != nil {
		return nil, err
	}
	return &calls[0], nil
}

// endCall says what became of what the gateway was asked.
func (s *Store) endCall(tx *gorm.DB, actor Actor, id int64, state CallState, why string, problem *ledger.Error) error {
	text, err := problemText(problem)
	if err != nil {
		return err
	}
	_, err = exec(tx, `UPDATE payment_calls SET state = ?, why = ?, problem = CAST(? AS jsonb), changed_at = ? WHERE book_id = ? AND id = ?`,
		state, storable(why), text, s.now(), actor.Book.ID, id)
	return err
}

// liveCall finds those of calls c that are not ended, of which a payment has one at most.
const liveCall = `c.state IN ('open', 'unknown', 'unposted')`

// loadCalls reads what gateways were asked, by a condition on calls c.
func loadCalls(tx *gorm.DB, book Book, condition string, args ...any) ([]PaymentCall, error) {
	rows, err := query[struct {
		ID, PaymentID, AmountMinor, ApprovalID, UserID          int64
		Command                                                 gateway.Command
		State                                                   CallState
		Attempts                                                int
		Key, Content, GatewayKey, Reason, Why, Problem, AskedBy string
		CreatedAt, ChangedAt, SentAt                            time.Time
	}](tx, `
		SELECT c.id, c.payment_id, c.amount_minor, coalesce(c.approval_id, 0) AS approval_id, c.user_id, c.command, c.state, c.attempts, c.key, c.content,
		       p.gateway_key || '-' || c.command || '-' || c.n AS gateway_key, c.reason, c.why, coalesce(c.problem::text, '') AS problem, u.name AS asked_by,
		       c.created_at, c.changed_at,
		       coalesce((SELECT max(t.at) FROM payment_tries t WHERE t.book_id = c.book_id AND t.call_id = c.id AND t.asked = 'do'), c.created_at) AS sent_at
		  FROM payment_calls c
		  JOIN payments p ON p.book_id = c.book_id AND p.id = c.payment_id
		  JOIN users u ON u.id = c.user_id
		 WHERE c.book_id = ? AND `+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read what the gateway was asked: %w", err)
	}
	calls := make([]PaymentCall, len(rows))
	for i, r := range rows {
		calls[i] = PaymentCall{
			ID: r.ID, PaymentID: r.PaymentID, Command: r.Command, AmountMinor: r.AmountMinor, Key: r.Key, GatewayKey: r.GatewayKey, Reason: r.Reason, State: r.State,
			Attempts: r.Attempts, Why: r.Why, ApprovalID: r.ApprovalID, AskedBy: r.AskedBy, CreatedAt: r.CreatedAt.UTC(), ChangedAt: r.ChangedAt.UTC(), SentAt: r.SentAt.UTC(),
			content: r.Content, userID: r.UserID,
		}
		if calls[i].Problem, err = problemOf(r.Problem); err != nil {
			return nil, err
		}
	}
	return calls, nil
}
