package store

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"daybook/store/inbox"
	"daybook/store/ledger"
	"daybook/store/strictjson"
)

// Receive takes a message of another system in, by whatever way it came: its row, its effect and what that came to are one transaction. It is
// delivered at least once and applied once, by its source and id. One that cannot be applied is kept with the reason and tried again by itself,
// until it is parked; that is a result and no error. Errors: KindForbidden, KindInvalid and KindTooLarge for what is no message, KindMessageReused
// for an id that came before with other data. After any other error the sender sends again: nothing was kept.
func (s *Store) Receive(ctx context.Context, actor Actor, way inbox.Way, m inbox.Message) (receipt InboxReceipt, err error) {
	if err := actor.Need(RightPost); err != nil {
		return InboxReceipt{}, err
	}
	m, hash, err := m.Checked()
	if err == nil {
		err = s.mayTell(way, m)
	}
	if err != nil {
		return InboxReceipt{}, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		receipt, err = s.receive(tx, actor, way, m, hash)
		return err
	})
	if ledger.KindOf(err) == ledger.KindMessageReused {
		return InboxReceipt{}, s.keepReuse(ctx, actor, way, m, err)
	}
	return receipt, err
}

// mayTell refuses a message in the name of the gateway, or of the broker, that another tells: the ids of the gateway's messages can be guessed, and
// whoever came first with one would have the gateway's own refused.
func (s *Store) mayTell(way inbox.Way, m inbox.Message) error {
	switch {
	case way == inbox.ByWebhook:
		return nil
	case s.gateway != nil && m.Source == s.gateway.Name():
		return ledger.Refuse(ledger.KindInvalid, "%s is the name of the gateway: its messages come by its webhook", m.Source).
			At("source", "is the name of the gateway: its messages come by its webhook")
	case m.Source == inbox.BrokerSource && (way != inbox.ByBroker || m.Unreadable == nil):
		return ledger.Refuse(ledger.KindInvalid, "%s is the name of what the broker carries and nobody can read: send it under a name of your own", m.Source).
			At("source", "is the name of the broker: give your own")
	}
	return nil
}

// receive takes a message in within a transaction. Who brings it while another does waits here for the other's end, and then finds the row.
func (s *Store) receive(tx *gorm.DB, actor Actor, way inbox.Way, m inbox.Message, hash ledger.Hash) (InboxReceipt, error) {
	inserted, err := s.insertMessage(tx, actor, way, m, hash)
	if err != nil {
		return InboxReceipt{}, err
	}
	if inserted {
		row := messageRow{BookID: actor.Book.ID, Source: m.Source, MessageID: m.ID, Type: m.Type, Data: string(m.Data), State: inboxReceived, ReceivedBy: actor.UserID}
		return s.tryMessage(tx, actor, row, inboxTry{event: eventDelivered, way: way, unreadable: m.Unreadable})
	}
	row, err := lockMessage(tx, actor.Book, m.Source, m.ID)
	switch {
	case err != nil:
		return InboxReceipt{}, err
	case row.Type != m.Type || row.DataHash != hash:
		return InboxReceipt{}, row.reused(m)
	case row.State == InboxApplied:
		return row.receipt(InboxDuplicate, nil), s.noteDelivery(tx, actor, row, way, InboxDuplicate)
	case row.State == InboxParked || row.State == InboxDismissed:
		problem, err := problemOf(row.Problem)
		return row.receipt(row.State, problem), errors.Join(err, s.noteDelivery(tx, actor, row, way, row.State))
	}
	return s.tryMessage(tx, actor, row, inboxTry{event: eventDelivered, way: way})
}

// insertMessage inserts the row of a message, which claims it; false when it came before.
func (s *Store) insertMessage(tx *gorm.DB, actor Actor, way inbox.Way, m inbox.Message, hash ledger.Hash) (bool, error) {
	now := s.now()
	inserted, err := exec(tx, `
		INSERT INTO inbox_messages (book_id, source, message_id, type, data, data_hash, state, way, deliveries, received_by, received_at, changed_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)
		ON CONFLICT (book_id, source, message_id) DO NOTHING`,
		actor.Book.ID, m.Source, m.ID, m.Type, string(m.Data), hash, inboxReceived, way, actor.UserID, now, now)
	if err != nil {
		return false, fmt.Errorf("keep message %s of %s: %w", m.ID, m.Source, err)
	}
	return inserted == 1, nil
}

// maxInboxEvents bounds the history of a message that is delivered for ever; each delivery is counted all the same.
const maxInboxEvents = 200

// noteDelivery counts a delivery that changed nothing.
func (s *Store) noteDelivery(tx *gorm.DB, actor Actor, row messageRow, way inbox.Way, result InboxState) error {
	if row.Events < maxInboxEvents {
		return s.updateMessage(tx, actor, row, inboxEvent{event: eventDelivered, way: way, result: result}, `, deliveries = deliveries + 1`)
	}
	_, err := exec(tx, `UPDATE inbox_messages SET deliveries = deliveries + 1 WHERE book_id = ? AND source = ? AND message_id = ?`, row.BookID, row.Source, row.MessageID)
	return err
}

// reused refuses a message whose id came before with something else, and names what differs.
func (r messageRow) reused(m inbox.Message) error {
	refusal := ledger.Refuse(ledger.KindMessageReused, "message %q of %s came before and said something else: another event needs an id of its own", r.MessageID, r.Source)
	first := map[string]any{"at": ledger.FormatInstant(r.ReceivedAt)}
	if r.Seq != 0 {
		first["seq"] = r.Seq
	}
	refusal.With("first", first)
	if r.Type != m.Type {
		refusal.At("type", "was %q the first time, now %q", r.Type, m.Type)
	}
	clash := ledger.Clash{FirstSent: flatten(r.Data), Sent: flatten(string(m.Data))}
	for _, field := range cutFields(clash.Compared()) {
		switch name := strictjson.Join("data", field.Field); {
		case !field.HasSent:
			refusal.At(name, "was %q the first time, now absent", field.First)
		case !field.HadFirst:
			refusal.At(name, "is %q now, absent the first time", field.Sent)
		case field.Differs():
			refusal.At(name, "was %q the first time, now %q", field.First, field.Sent)
		}
	}
	if len(refusal.Fields) == 0 {
		refusal.At("data", "has fields without a value, other than the first time")
	}
	return refusal
}

// errInAudit is the cause of a refusal that the audit log has already.
var errInAudit = errors.New("the audit log has it")

// keepReuse notes that an id came again with other data, where people look at the message and in the audit log, and gives the refusal. It is a
// transaction of its own, since that of the delivery was rolled back.
func (s *Store) keepReuse(ctx context.Context, actor Actor, way inbox.Way, m inbox.Message, cause error) error {
	var refusal *ledger.Error
	errors.As(cause, &refusal)
	if err := s.RecordRefusal(ctx, actor, "inbox.receive", messageName(m.Source, m.ID), refusal); err != nil {
		return err
	}
	refusal.Err = errInAudit
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		row, err := lockMessage(tx, actor.Book, m.Source, m.ID)
		if err != nil || row.Events >= maxInboxEvents {
			return err
		}
		return s.updateMessage(tx, actor, row, inboxEvent{event: eventDelivered, way: way, result: inboxReused, problem: refusal}, ``)
	})
	if err != nil {
		return err
	}
	return refusal
}

// messageName is how a message is called where there are other things too.
func messageName(source, id string) string { return fmt.Sprintf("message %s of %s", id, source) }
