package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// callGateway puts down what is asked, asks, and writes what the answer comes to. No transaction is open while the gateway is asked, and who asked
// may go away meanwhile. The caller owns the key.
func (s *Store) callGateway(ctx context.Context, actor Actor, key string, c PaymentCommand) (PaymentReceipt, error) {
	ctx = context.WithoutCancel(ctx)
	var p Payment
	var answered bool
	var asked PaymentReceipt
	err := s.inTx(ctx, func(tx *gorm.DB) (err error) {
		if asked, err = s.askForRefund(tx, actor, key, c); err != nil || asked.ApprovalID != 0 {
			return err
		}
		p, answered, err = s.beginCall(tx, actor, key, c)
		return err
	})
	switch {
	case err != nil:
		return PaymentReceipt{}, err
	case asked.ApprovalID != 0:
		return asked, nil
	case answered:
		return p.receipt(), nil
	}
	if never, err := s.neverAuthorized(ctx, actor.Book, p); err != nil {
		return PaymentReceipt{}, err
	} else if never {
		let := gateway.Answer{Outcome: gateway.Done, Events: []payment.Event{payment.Void{Ref: p.GatewayKey, Reason: "never authorized"}}}
		return s.takeAnswer(ctx, actor, *p.Call, let, nil)
	}
	return s.askGateway(ctx, actor, p, true)
}

// neverAuthorized reports whether a payment is to be let go that the gateway was never asked about: it has nothing to let go.
func (s *Store) neverAuthorized(ctx context.Context, book Book, p Payment) (bool, error) {
	if p.Call.Command != gateway.Void || p.State != payment.Created {
		return false, nil
	}
	return queryOne[bool](s.db.WithContext(ctx), "no answer",
		`SELECT NOT EXISTS (SELECT FROM payment_calls WHERE book_id = ? AND payment_id = ? AND command = 'authorize')`, book.ID, p.ID)
}

// stillComing is how long a request that the gateway knows nothing of may still be on its way there.
const stillComing = 10 * time.Second

// askGateway asks the gateway what was put down: what became of it, where it may have been asked before, and then to do it, if it does not know of it and
// resend says so. The key to the gateway is the same each time.
func (s *Store) askGateway(ctx context.Context, actor Actor, p Payment, resend bool) (PaymentReceipt, error) {
	call := *p.Call
	request := gateway.Request{
		Command: call.Command, BookCode: actor.Book.Code, PaymentID: p.ID, Charge: p.Charge, AmountMinor: call.AmountMinor, Currency: p.Currency,
		Customer: p.Customer, Reference: p.Reference, AskedAt: call.CreatedAt,
	}
	var tries []PaymentTry
	ask := func(what string, how func(context.Context, string, gateway.Request) gateway.Answer) gateway.Answer {
		begun := s.now()
		answer := how(ctx, call.GatewayKey, request)
		tries = append(tries, PaymentTry{Asked: what, Outcome: answer.Outcome, Why: answer.Why, At: begun, Took: s.now().Sub(begun)})
		return answer
	}
	answer := gateway.Answer{Outcome: gateway.NotDone}
	if call.Attempts > 1 {
		answer = ask("recover", s.gateway.Recover)
	}
	switch {
	case answer.Outcome == gateway.NotDone && resend:
		answer = ask("do", s.gateway.Do)
	case answer.Outcome == gateway.NotDone && s.now().Sub(call.SentAt) < stillComing:
		answer = gateway.Answer{Outcome: gateway.Unknown, Why: "the gateway knows nothing of it, but it may still be on its way"}
	}
	return s.takeAnswer(ctx, actor, call, answer, tries)
}

// takeAnswer writes what a gateway answered, with what follows from it for the payment and the journal, in one transaction. What it did is written also
// when the call was ended meanwhile, by a message or by a person. Errors: unanswered, those of applyEvent for an answer whose entry is refused,
// KindInvalid for what the gateway refused and the payment survives.
func (s *Store) takeAnswer(ctx context.Context, actor Actor, call PaymentCall, answer gateway.Answer, tries []PaymentTry) (PaymentReceipt, error) {
	var p Payment
	var refused error
	err := s.inTx(ctx, func(tx *gorm.DB) (err error) {
		if p, err = holdPayment(tx, actor.Book, call.PaymentID); err != nil {
			return err
		}
		if err := s.insertTries(tx, actor, call, tries); err != nil {
			return err
		}
		live := p.Call != nil && p.Call.ID == call.ID
		if refused, err = s.applyAnswer(tx, actor, call, answer, live); err != nil {
			return err
		}
		if err := s.tryWaiting(tx, actor, call.PaymentID); err != nil {
			return err
		}
		if p, err = wholePayment(tx, actor.Book, call.PaymentID, ""); err != nil || !live {
			return err
		}
		return s.callLater(tx, actor.Book, p.Call)
	})
	switch {
	case err != nil:
		return PaymentReceipt{}, err
	case refused != nil:
		return PaymentReceipt{}, refused
	case p.Call != nil && p.Call.ID == call.ID && !p.Known():
		return PaymentReceipt{}, unanswered(p.receipt())
	}
	return p.receipt(), nil
}

// applyAnswer does what follows from an answer, and ends its call. refused is why it did not come to what was asked for, though all that is true is
// written. A call that is not live any more has ended otherwise: of that only what the gateway did is corrected.
func (s *Store) applyAnswer(tx *gorm.DB, actor Actor, call PaymentCall, answer gateway.Answer, live bool) (refused, err error) {
	states := map[gateway.Outcome]CallState{gateway.Done: CallDone, gateway.Refused: CallRefused, gateway.NotDone: CallNotDone}
	state, known := states[answer.Outcome]
	switch {
	case !known && live:
		return nil, s.endCall(tx, actor, call.ID, CallUnknown, answer.Why, nil)
	case !live && len(answer.Events) == 0:
		return nil, nil
	}
	problem, err := s.postAnswer(tx, actor, call, answer)
	if err != nil {
		return nil, err
	}
	if problem != nil {
		why := fmt.Sprintf("the gateway answered that it did %s payment %d, and the books refused it: %s", call.Command, call.PaymentID, problem.Message)
		refused = &ledger.Error{Kind: problem.Kind, Message: why, Fields: problem.Fields, Extra: problem.Extra}
		if !live {
			return refused, nil
		}
		return refused, s.endCall(tx, actor, call.ID, CallUnposted, why, problem)
	}
	if state != CallDone && len(answer.Events) == 0 {
		refused = ledger.Refuse(ledger.KindInvalid, "the gateway did not %s payment %d: %s", call.Command, call.PaymentID, answer.Why).With("gateway", string(answer.Outcome))
	}
	return refused, s.endCall(tx, actor, call.ID, state, answer.Why, nil)
}

// postAnswer applies the events of an answer. What the rules refuse is undone up to here, and no more.
func (s *Store) postAnswer(tx *gorm.DB, actor Actor, call PaymentCall, answer gateway.Answer) (problem *ledger.Error, err error) {
	cause := eventCause{CallID: call.ID, GatewayKey: call.GatewayKey, Charge: answer.Charge}
	err = tx.Transaction(func(tx *gorm.DB) error {
		for _, event := range answer.Events {
			if _, err := s.applyEvent(tx, actor, call.PaymentID, event, cause); err != nil {
				return err
			}
		}
		return nil
	})
	err = translate(orOutage(err))
	if errors.As(err, &problem) && problem.Kind != ledger.KindInternal && problem.Kind != ledger.KindBusy {
		return problem, nil
	}
	return nil, err
}

func (s *Store) insertTries(tx *gorm.DB, actor Actor, call PaymentCall, tries []PaymentTry) error {
	for _, t := range tries {
		if _, err := exec(tx, `
			INSERT INTO payment_tries (book_id, call_id, n, asked, outcome, why, user_id, at, took_us)
			SELECT ?, ?, 1 + count(*), ?, ?, ?, ?, ?, ? FROM payment_tries WHERE book_id = ? AND call_id = ?`,
			actor.Book.ID, call.ID, t.Asked, t.Outcome, storable(t.Why), actor.UserID, t.At, t.Took/time.Microsecond, actor.Book.ID, call.ID); err != nil {
			return fmt.Errorf("note that the gateway was asked about payment %d: %w", call.PaymentID, err)
		}
	}
	return nil
}
