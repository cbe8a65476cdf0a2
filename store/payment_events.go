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
	if e, err = asKnown(tx, actor.Book, held, e, cause); err != nil {
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

// asKnown gives an event by the name that the payment has it under, where that is another: it came from a request whose event is known, or a person said
// that it happened and named it otherwise.
func asKnown(tx *gorm.DB, book Book, p Payment, e payment.Event, cause eventCause) (payment.Event, error) {
	told := payment.Tell(e)
	for _, had := range p.Events {
		if payment.Name(had) == payment.Name(e) {
			return e, nil
		}
	}
	refs, err := query[string](tx, `
		SELECT e.ref
		  FROM payment_events e JOIN payment_calls c ON c.book_id = e.book_id AND c.id = e.call_id
		 WHERE e.book_id = ? AND e.payment_id = ? AND e.kind = ?
		   AND (? <> '' AND ? || '-' || c.command || '-' || c.n = ?
		        OR ? AND EXISTS (SELECT FROM payment_tries t WHERE t.book_id = c.book_id AND t.call_id = c.id AND t.asked = 'person'))
		 ORDER BY e.n LIMIT 1`,
		book.ID, p.ID, told.Kind.String(), cause.GatewayKey, p.GatewayKey, cause.GatewayKey, happensOnce(told.Kind))
	if err != nil || len(refs) == 0 {
		return e, err
	}
	told.Ref = refs[0]
	return told.Event(), nil
}

// answeredBy ends what the gateway was asked when an event answers it: a message may come before the answer, or instead of it, or after it was given up.
func (s *Store) answeredBy(tx *gorm.DB, actor Actor, p *Payment, e payment.Event, cause eventCause) error {
	why := fmt.Sprintf("message %s of %s told", cause.MessageID, cause.Source)
	if call := p.Call; call != nil && cause.CallID != call.ID {
		if state := answerTo(*call, e, cause); state != "" {
			p.Call = nil
			return s.endCall(tx, actor, call.ID, state, why, nil)
		}
	}
	if cause.GatewayKey == "" || cause.CallID != 0 {
		return nil
	}
	_, err := exec(tx, `
		UPDATE payment_calls SET state = 'done', why = ?, changed_at = ?
		 WHERE book_id = ? AND payment_id = ? AND state = 'not_done' AND ? || '-' || command || '-' || n = ?`,
		storable(why), s.now(), actor.Book.ID, p.ID, p.GatewayKey, cause.GatewayKey)
	return err
}

// answerTo says how a call ends by an event that it did not lead to itself; "" where the event says nothing about it. Refunds are many: one answers a call
// by the call's key only.
func answerTo(call PaymentCall, e payment.Event, cause eventCause) CallState {
	wanted := map[payment.Kind]gateway.Command{payment.KindAuthorization: gateway.Authorize, payment.KindCapture: gateway.Capture, payment.KindVoid: gateway.Void}
	switch kind := payment.KindOf(e); {
	case kind == payment.KindRefund && call.Command == gateway.Refund && cause.GatewayKey == call.GatewayKey:
		return CallDone
	case wanted[kind] != "" && wanted[kind] == call.Command:
		return CallDone
	case (kind == payment.KindDecline || kind == payment.KindVoid) && call.Command != gateway.Refund:
		return CallRefused
	}
	return ""
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
