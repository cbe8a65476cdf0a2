package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// eventCause is by what an event became known: a request to the gateway, or a message. GatewayKey is the key of the request that it came from, and
// Charge the gateway's name of the payment, where a message says so.
type eventCause struct {
	CallID            int64
	Source, MessageID string
	GatewayKey        string
	Charge            string
}

// appliedEvent is what an event came to. Again says that it was applied before: Seq is then the entry that it had.
type appliedEvent struct {
	Seq     int64
	Again   bool
	Payment Payment
}

// applyEvent moves a payment by an event, in the transaction of whoever learned of it: the event, what it posts and the payment are written together. It
// holds the payment, then the head of the book, so the caller holds neither before. An event that was applied before changes nothing. Errors:
// KindNotFound, those of payment.Apply and of ledger.Append.
func (s *Store) applyEvent(tx *gorm.DB, actor Actor, paymentID int64, e payment.Event, cause eventCause) (appliedEvent, error) {
	held, err := holdPayment(tx, actor.Book, paymentID)
	if err != nil {
		return appliedEvent{}, err
	}
	after, effect, again, err := held.Apply(e)
	if err != nil {
		return appliedEvent{}, err
	}
	applied := appliedEvent{Again: again}
	switch {
	case again:
		applied.Seq, err = seqOfEvent(tx, actor.Book, paymentID, e)
	case effect.Moves():
		applied.Seq, err = s.postEffect(tx, actor, held, e, effect)
	}
	if err != nil {
		return appliedEvent{}, err
	}
	if !again {
		held.Payment, held.FeeMinor = after, held.FeeMinor+effect.FeeMinor
		if err := s.insertEvent(tx, actor, held, e, applied.Seq, cause); err != nil {
			return appliedEvent{}, err
		}
	}
	if err := s.learnCharge(tx, actor, &held, cause.Charge); err != nil {
		return appliedEvent{}, err
	}
	err = s.answeredBy(tx, actor, &held, e, cause)
	applied.Payment = held
	return applied, err
}

func seqOfEvent(tx *gorm.DB, book Book, paymentID int64, e payment.Event) (int64, error) {
	told := payment.Tell(e)
	return queryOne[int64](tx, "the event is not there", `SELECT coalesce(seq, 0) FROM payment_events WHERE book_id = ? AND payment_id = ? AND kind = ? AND ref = ?`,
		book.ID, paymentID, told.Kind.String(), told.Ref)
}

// insertEvent writes the last event of a payment, and the payment as it is after it.
func (s *Store) insertEvent(tx *gorm.DB, actor Actor, p Payment, e payment.Event, seq int64, cause eventCause) error {
	told := payment.Tell(e)
	var source, message *string
	if cause.CallID == 0 {
		source, message = &cause.Source, &cause.MessageID
	}
	if _, err := exec(tx, `
		INSERT INTO payment_events (book_id, payment_id, n, kind, ref, amount_minor, fee_minor, reason, seq, call_id, source, message_id, user_id, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		actor.Book.ID, p.ID, len(p.Events), told.Kind.String(), told.Ref, told.AmountMinor, told.FeeMinor, storable(told.Reason), nullable(seq),
		nullable(cause.CallID), source, message, actor.UserID, s.now()); err != nil {
		return fmt.Errorf("store an event of payment %d: %w", p.ID, err)
	}
	if _, err := exec(tx, `
		UPDATE payments SET state = ?, authorized_minor = ?, captured_minor = ?, fee_minor = ?, refunded_minor = ?, disputed_minor = ?, lost_minor = ?, version = ?
		 WHERE book_id = ? AND id = ?`,
		p.State.String(), p.AuthorizedMinor, p.CapturedMinor, p.FeeMinor, p.RefundedMinor, p.DisputedMinor, p.LostMinor, len(p.Events), actor.Book.ID, p.ID); err != nil {
		return fmt.Errorf("move payment %d: %w", p.ID, err)
	}
	return nil
}

// learnCharge keeps the gateway's name of a payment from when it is first known.
func (s *Store) learnCharge(tx *gorm.DB, actor Actor, p *Payment, charge string) error {
	if charge == "" || p.Charge != "" {
		return nil
	}
	p.Charge = charge
	_, err := exec(tx, `UPDATE payments SET charge = ? WHERE book_id = ? AND id = ? AND charge IS NULL`, storable(charge), actor.Book.ID, p.ID)
	return err
}

// answeredBy ends what the gateway was asked when an event answers it: a message may come before the answer, or instead of it.
func (s *Store) answeredBy(tx *gorm.DB, actor Actor, p *Payment, e payment.Event, cause eventCause) error {
	call := p.Call
	if call == nil || cause.CallID == call.ID {
		return nil
	}
	told := payment.Tell(e)
	state := CallDone
	switch told.Kind {
	case payment.KindAuthorization:
		if call.Command != gateway.Authorize {
			return nil
		}
	case payment.KindDecline:
		if call.Command == gateway.Refund {
			return nil
		}
		state = CallRefused
	case payment.KindCapture:
		if call.Command != gateway.Capture {
			return nil
		}
	case payment.KindVoid:
		if call.Command == gateway.Refund {
			return nil
		}
	case payment.KindRefund:
		if call.Command != gateway.Refund || cause.GatewayKey != "" && cause.GatewayKey != call.GatewayKey || call.AmountMinor != told.AmountMinor {
			return nil
		}
	default:
		return nil
	}
	p.Call = nil
	return s.endCall(tx, actor, call.ID, state, fmt.Sprintf("message %s of %s told", cause.MessageID, cause.Source), nil)
}

// postEffect posts what an event moves, and gives the entry.
func (s *Store) postEffect(tx *gorm.DB, actor Actor, p Payment, e payment.Event, effect payment.Effect) (int64, error) {
	settings, err := s.paymentSettings(tx, actor.Book, p.Currency)
	if err != nil {
		return 0, err
	}
	entry, err := s.effectEntry(tx, actor.Book, settings, p, e, effect)
	if err != nil {
		return 0, err
	}
	outcomes, err := s.appendIn(tx, actor, []ledger.Command{postCommand(actor, "", entry)})
	if err != nil {
		return 0, err
	}
	return outcomes[0].Record.Seq, outcomes[0].Err
}
