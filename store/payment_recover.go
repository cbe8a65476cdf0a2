package store

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"gorm.io/gorm"

	"daybook/store/gateway"
	"daybook/store/jobs"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// The bounds of how long is waited before a gateway that did not answer is asked again what became of a request.
const (
	shortestCallPause = time.Second
	longestCallPause  = time.Hour
)

// callOrphan is after how long what was put down and not answered is looked at, should its server have died.
const callOrphan = 15 * time.Second

// callLater has the gateway asked again about what it has not answered, if there is something: after as long again as that is unknown, however often
// others ask meanwhile.
func (s *Store) callLater(tx *gorm.DB, book Book, call *PaymentCall) error {
	if call == nil {
		return nil
	}
	unknown := s.now().Sub(call.CreatedAt)
	return s.addCallTask(tx, book, *call, s.now().Add(min(max(unknown, shortestCallPause), longestCallPause)))
}

// addCallTask puts down that the gateway is to be asked, unless that is put down: whoever asks meanwhile adds no more to it.
func (s *Store) addCallTask(tx *gorm.DB, book Book, call PaymentCall, at time.Time) error {
	planned, err := queryOne[bool](tx, "no answer", `SELECT EXISTS (SELECT `+callTask+`) FROM (SELECT CAST(? AS bigint) AS book_id, CAST(? AS bigint) AS id) c`, book.ID, call.ID)
	if err != nil || planned {
		return err
	}
	return addTask(tx, jobs.Call{BookID: book.ID, CallID: call.ID}, at)
}

// callTask finds the task of a call c that is to be worked. One that is being worked is none: its server may be gone, and what two ask they ask under
// one key.
const callTask = `FROM river_job r WHERE r.kind = 'call' AND r.args @> jsonb_build_object('book_id', c.book_id, 'call_id', c.id)
	AND r.state IN ('available', 'pending', 'retryable', 'scheduled')`

// adoptCalls puts down again what was asked of this server's gateway when nobody will look for its answer: the server that asked is gone.
func (s *Store) adoptCalls(ctx context.Context) error {
	if s.gateway == nil {
		return nil
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		left, err := query[jobs.Call](tx, `
			SELECT c.book_id, c.id AS call_id
			  FROM payment_calls c JOIN payments p ON p.book_id = c.book_id AND p.id = c.payment_id
			 WHERE `+liveCall+` AND p.gateway = ? AND c.changed_at < ? AND NOT EXISTS (SELECT `+callTask+`)
			 ORDER BY c.changed_at LIMIT 200 FOR UPDATE OF c SKIP LOCKED`, s.gateway.Name(), s.now().Add(-callOrphan))
		if err != nil {
			return fmt.Errorf("look for unanswered calls: %w", err)
		}
		for _, call := range left {
			if err := addTask(tx, call, s.now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// workCall finds out what became of what a gateway was asked, in the name of whoever asked. What was approved is sent, and sent again with its key
// until it is answered; anything else that the gateway does not know of has not been done, and nobody does it now.
func (s *Store) workCall(ctx context.Context, task jobs.Call, log *slog.Logger) error {
	actor, call, err := s.callOf(ctx, task)
	if err != nil || call.ID == 0 {
		return err
	}
	_, err = s.resumeCall(ctx, actor, call)
	switch {
	case ledger.KindOf(err) == ledger.KindKeyInProgress || ledger.KindOf(err) == ledger.KindOwnerFailed:
		return jobs.ErrLater
	case err != nil && ledger.KindOf(err) == ledger.KindInternal:
		return err
	case err != nil:
		log.Warn("a payment was settled otherwise than it was asked for", "book", actor.Book.Code, "payment", call.PaymentID, "error", err)
	}
	if _, call, err = s.callOf(ctx, task); err != nil || call.ID == 0 {
		return err
	}
	return s.inTx(ctx, func(tx *gorm.DB) error { return s.callLater(tx, actor.Book, &call) })
}

// callOf finds what this server's gateway has not answered, and who asked; its ID is 0 when that is over, or another server's.
func (s *Store) callOf(ctx context.Context, task jobs.Call) (actor Actor, call PaymentCall, err error) {
	if s.gateway == nil {
		return Actor{}, PaymentCall{}, nil
	}
	db := s.db.WithContext(ctx)
	found, err := loadCalls(db, Book{ID: task.BookID}, `c.id = ? AND `+liveCall+` AND p.gateway = ?`, task.CallID, s.gateway.Name())
	if err != nil || len(found) == 0 {
		return Actor{}, PaymentCall{}, err
	}
	call = found[0]
	if actor.Book, err = bookByID(db, task.BookID); err != nil {
		return Actor{}, PaymentCall{}, err
	}
	asker, err := queryOne[struct{ Email, Name string }](db, "who asked is unknown", `SELECT email, name FROM users WHERE id = ?`, call.userID)
	// What was asked for by right is brought to its end, whatever has become of that right.
	actor.UserID, actor.Email, actor.Name, actor.Roles = call.userID, asker.Email, asker.Name, []Role{Preparer}
	return actor, call, err
}

// resumeCall asks again about a call, under the key of whoever asked first.
func (s *Store) resumeCall(ctx context.Context, actor Actor, call PaymentCall) (PaymentReceipt, error) {
	c := PaymentCommand{PaymentID: call.PaymentID, Command: call.Command, content: call.content}
	return s.settleUnder(ctx, actor, call.Key, c, func(ctx context.Context) (PaymentReceipt, error) {
		ctx = context.WithoutCancel(ctx)
		var p Payment
		err := s.inTx(ctx, func(tx *gorm.DB) (err error) {
			if p, err = holdPayment(tx, actor.Book, call.PaymentID); err != nil || p.Call == nil || p.Call.ID != call.ID {
				return err
			}
			p, _, err = s.callAgain(tx, actor, p, *p.Call)
			return err
		})
		if err != nil || p.Call == nil || p.Call.ID != call.ID {
			return p.receipt(), err
		}
		return s.askGateway(ctx, actor, p, call.ApprovalID != 0)
	})
}

// RecoverPayment asks the gateway now what became of what it has not answered, and gives the payment as it is then. Errors: KindForbidden,
// KindNotFound, KindIllegalTransition where it has answered everything, and those of the answer.
func (s *Store) RecoverPayment(ctx context.Context, actor Actor, id int64) (PaymentReceipt, error) {
	if err := s.mayPay(actor); err != nil {
		return PaymentReceipt{}, err
	}
	p, err := s.Payment(ctx, actor, id)
	if err != nil {
		return PaymentReceipt{}, err
	}
	if err := s.worksWith(p); err != nil {
		return PaymentReceipt{}, err
	}
	if p.Call == nil {
		return PaymentReceipt{}, ledger.Refuse(ledger.KindIllegalTransition, "the gateway has answered all that it was asked about payment %d", id)
	}
	return s.resumeCall(ctx, actor, *p.Call)
}

// PaymentVerdict is what a person found out about a request that the gateway did not answer: that it was done, or that it was not. Of an authorization
// Charge is the gateway's own name of the payment; of anything else Ref is that of what it did, which may be left out.
type PaymentVerdict struct {
	PaymentID int64
	Done      bool
	Charge    string
	Ref       string
	FeeMinor  int64
	Reason    string
}

// SettlePayment takes a person's word for what the gateway did. Errors: KindForbidden, KindNotFound, KindInvalid with the field, KindIllegalTransition
// where nothing is unanswered, KindKeyReused, and those of payment.Apply and of ledger.Append.
func (s *Store) SettlePayment(ctx context.Context, actor Actor, key string, v PaymentVerdict) (receipt PaymentReceipt, err error) {
	if err := actor.Need(RightPost); err != nil {
		return PaymentReceipt{}, err
	}
	if err := v.check(); err != nil {
		return PaymentReceipt{}, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		var duplicate bool
		receipt, duplicate, err = once(s, tx, actor, key, "payment.settle", v, func() (PaymentReceipt, error) { return s.settlePayment(tx, actor, v) })
		receipt.Duplicate = duplicate
		return err
	})
	return receipt, err
}

// nameRunes is how long a name of the gateway's may be.
const nameRunes = 255

func (v PaymentVerdict) check() error {
	for _, text := range []struct {
		field, value string
		needed       bool
		most         int
	}{{"reason", v.Reason, true, customerRunes * 10}, {"ref", v.Ref, false, nameRunes}, {"charge", v.Charge, false, nameRunes}} {
		if err := ledger.CheckText(text.field, text.value, text.needed); err != nil {
			return err
		}
		if len([]rune(text.value)) > text.most {
			return ledger.Refuse(ledger.KindInvalid, "the %s is too long", text.field).At(text.field, "has more than %d characters", text.most)
		}
	}
	return nil
}

func (s *Store) settlePayment(tx *gorm.DB, actor Actor, v PaymentVerdict) (PaymentReceipt, error) {
	p, err := holdPayment(tx, actor.Book, v.PaymentID)
	if err != nil {
		return PaymentReceipt{}, err
	}
	if p.Call == nil {
		return PaymentReceipt{}, ledger.Refuse(ledger.KindIllegalTransition, "the gateway has answered all that it was asked about payment %d", p.ID)
	}
	call, state, outcome := *p.Call, CallNotDone, gateway.NotDone
	if call.State == CallUnposted {
		return PaymentReceipt{}, ledger.Refuse(ledger.KindIllegalTransition, "the gateway has answered that it did it; what stands in the way of its entry is to be mended: %s", call.Why)
	}
	if v.Done && call.Command == gateway.Authorize && v.Charge == "" {
		return PaymentReceipt{}, ledger.Refuse(ledger.KindInvalid, "without the gateway's name of the payment it cannot be captured").At("charge", "give the gateway's own name of the payment")
	}
	if v.Done {
		state, outcome = CallDone, gateway.Done
		told := payment.Tell(PaymentCommand{Command: call.Command}.event(call.AmountMinor))
		told.Ref, told.FeeMinor = cmp.Or(v.Ref, v.Charge, call.GatewayKey), v.FeeMinor
		if _, err := s.applyEvent(tx, actor, p.ID, told.Event(), eventCause{CallID: call.ID, GatewayKey: call.GatewayKey, Charge: v.Charge}); err != nil {
			return PaymentReceipt{}, err
		}
	}
	if err := s.insertTries(tx, actor, call, []PaymentTry{{Asked: "person", Outcome: outcome, Why: v.Reason, At: s.now()}}); err != nil {
		return PaymentReceipt{}, err
	}
	if err := s.endCall(tx, actor, call.ID, state, v.Reason, nil); err != nil {
		return PaymentReceipt{}, err
	}
	if err := s.audit(tx, actor, "payment.settle", paymentSubject(p.ID), map[string]any{"done": v.Done, "ref": v.Ref, "reason": v.Reason, "command": call.Command}); err != nil {
		return PaymentReceipt{}, err
	}
	if err := s.tryWaiting(tx, actor, p.ID); err != nil {
		return PaymentReceipt{}, err
	}
	p, err = wholePayment(tx, actor.Book, p.ID, "")
	return p.receipt(), err
}
