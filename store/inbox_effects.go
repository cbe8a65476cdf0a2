package store

import (
	"slices"
	"strings"

	"gorm.io/gorm"

	"daybook/store/inbox"
	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/store/strictjson"
)

// inboxEffect is what a message did. paymentID is that of the payment which it is about, also where it did nothing.
type inboxEffect struct{ seq, paymentID int64 }

// applyMessage does what a message says, in the caller's transaction. Messages of a type that is not known are parked: no time mends that, but a
// newer Daybook may.
func (s *Store) applyMessage(tx *gorm.DB, actor Actor, row messageRow) (inboxEffect, error) {
	if !strings.HasPrefix(row.Data, "{") { // it was never read, and it is known why
		problem, err := problemOf(row.Problem)
		if err != nil {
			return inboxEffect{}, err
		}
		return inboxEffect{}, tried{InboxParked, problem}
	}
	if row.Type == inbox.EntryPost {
		return s.applyEntry(tx, actor, row)
	}
	if row.Type == inbox.PayoutPaid {
		return s.applyPayout(tx, actor, row)
	}
	if kind, isPayment := inbox.PaymentKind(row.Type); isPayment {
		return s.applyPaymentMessage(tx, actor, row, kind)
	}
	return inboxEffect{}, tried{InboxParked, inbox.UnknownType(row.Type)}
}

// applyEntry posts an entry. With an idempotency key it is the same request as one to the API, and is posted once by whichever way it came.
func (s *Store) applyEntry(tx *gorm.DB, actor Actor, row messageRow) (inboxEffect, error) {
	data, err := strictjson.ReadObject("data", []byte(row.Data))
	if err != nil {
		return inboxEffect{}, tried{InboxParked, err}
	}
	key, entry := data.Text("idempotency_key"), data.Entry()
	if err := data.Err(); err != nil {
		return inboxEffect{}, tried{InboxParked, err}
	}
	if key != "" {
		if key, err = ledger.CheckKey(key); err != nil {
			return inboxEffect{}, tried{InboxParked, err}
		}
	}
	outcomes, err := s.appendIn(tx, actor, []ledger.Command{postCommand(actor, key, entry)})
	if err != nil {
		return inboxEffect{}, err
	}
	return inboxEffect{seq: outcomes[0].Record.Seq}, outcomes[0].Err
}

// applyPaymentMessage moves a payment by an event that its gateway told.
func (s *Store) applyPaymentMessage(tx *gorm.DB, actor Actor, row messageRow, kind payment.Kind) (inboxEffect, error) {
	told, err := inbox.ReadPayment(kind, []byte(row.Data))
	if err != nil {
		return inboxEffect{}, tried{InboxParked, err}
	}
	done := inboxEffect{paymentID: told.PaymentID}
	held, err := holdPayment(tx, actor.Book, told.PaymentID)
	if ledger.KindOf(err) == ledger.KindNotFound {
		return done, tried{InboxWaiting, err}
	}
	if err != nil {
		return done, err
	}
	if told.Currency != "" && told.Currency != held.Currency {
		return done, ledger.Refuse(ledger.KindCurrencyMismatch, "payment %d is in %s", held.ID, held.Currency).At("currency", "is %s, not %s", held.Currency, told.Currency)
	}
	applied, err := s.applyEvent(tx, actor, held.ID, completed(told, held, row.MessageID), eventCause{
		Source: row.Source, MessageID: row.MessageID, GatewayKey: told.GatewayKey, Charge: told.Charge,
	})
	done.seq = applied.Seq
	return done, err
}

// completed gives the event that a message tells, with what it leaves out: of an event that the payment has, what that says; of one that happens once
// to a payment, its name; else the message's own id for a name, and all that there is for an amount.
func completed(told inbox.Payment, held Payment, messageID string) payment.Event {
	event := told.Told
	known := slices.IndexFunc(held.Events, func(e payment.Event) bool {
		had := payment.Tell(e)
		return had.Kind == event.Kind && (had.Ref == event.Ref || event.Ref == "" && happensOnce(event.Kind))
	})
	if known >= 0 {
		had := payment.Tell(held.Events[known])
		event.Ref = had.Ref
		if !told.HasAmount {
			event.AmountMinor = had.AmountMinor
		}
		if !told.HasFee {
			event.FeeMinor = had.FeeMinor
		}
		return event.Event()
	}
	if event.Ref == "" {
		event.Ref = messageID
	}
	if !told.HasAmount {
		event.AmountMinor = wholeOf(event.Kind, held)
	}
	return event.Event()
}

func happensOnce(kind payment.Kind) bool {
	return kind == payment.KindAuthorization || kind == payment.KindDecline || kind == payment.KindCapture || kind == payment.KindVoid
}

// wholeOf is the amount of an event of a payment that says none.
func wholeOf(kind payment.Kind, held Payment) int64 {
	switch kind {
	case payment.KindAuthorization:
		return held.AmountMinor
	case payment.KindCapture:
		return held.AuthorizedMinor
	default:
		return held.LeftMinor()
	}
}

// waitingAtOnce is how many messages that wait for a payment are tried when something happens to it. The rest is tried in its time.
const waitingAtOnce = 100

// tryWaiting tries the messages that wait for a payment, in the order in which they came, until none moves it. The transaction holds the payment, which
// comes after messages, so that of a message that somebody else holds it keeps off: the other tries it.
func (s *Store) tryWaiting(tx *gorm.DB, actor Actor, paymentID int64) error {
	waiting, err := query[messageRow](tx, selectMessages+`m.payment_id = ? AND m.state = 'waiting'
		 ORDER BY m.received_at, m.source, m.message_id LIMIT ? FOR UPDATE OF m SKIP LOCKED`, actor.Book.ID, paymentID, waitingAtOnce)
	for moved := true; err == nil && moved; {
		moved = false
		waiting = slices.DeleteFunc(waiting, func(row messageRow) bool {
			if err != nil {
				return false
			}
			var receipt InboxReceipt
			receipt, err = s.tryOne(tx, actor, row, inboxTry{event: eventTried})
			moved = moved || receipt.Result == InboxApplied
			return receipt.Result != InboxWaiting
		})
	}
	return err
}
