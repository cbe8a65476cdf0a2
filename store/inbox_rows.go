package store

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

// inboxReceived is the state of a message within the transaction that brings it, and inboxReused the result of a delivery with other data.
const (
	inboxReceived InboxState = "received"
	inboxReused   InboxState = "reused"
)

// What can happen to a message.
const (
	eventDelivered = "delivered"
	eventTried     = "tried"
	eventRetried   = "retried"
	eventDismissed = "dismissed"
)

type messageRow struct {
	BookID                            int64
	Source, MessageID, Type, Data     string
	DataHash                          ledger.Hash
	State                             InboxState
	Way                               inbox.Way
	Deliveries, Tries, Pauses, Events int
	Problem                           string
	PaymentID, Seq, ReceivedBy        int64
	ReceivedAt, ChangedAt, NextAt     time.Time // NextAt is zero for never
	By                                string
}

const selectMessages = `
	SELECT m.book_id, m.source, m.message_id, m.type, m.data, m.data_hash, m.state, m.way, m.deliveries, m.tries, m.pauses, m.events,
	       coalesce(m.problem::text, '') AS problem, coalesce(m.payment_id, 0) AS payment_id, coalesce(m.seq, 0) AS seq,
	       m.received_by, m.received_at, m.changed_at, m.next_at, u.name AS by
	  FROM inbox_messages m JOIN users u ON u.id = m.received_by
	 WHERE m.book_id = ? AND `

// lockMessage reads a message and holds its row: who tries it comes one after the other. It is held before a payment, and before the head of the
// book. Error: KindNotFound.
func lockMessage(tx *gorm.DB, book Book, source, id string) (messageRow, error) {
	return readMessage(tx, book, source, id, " FOR UPDATE OF m")
}

// readMessage reads a message, and locks it as it is told. What no text of the database can be names none. Error: KindNotFound.
func readMessage(tx *gorm.DB, book Book, source, id, lock string) (messageRow, error) {
	notFound := fmt.Sprintf("book %s has no %s", book.Code, messageName(source, id))
	if storable(source) != source || storable(id) != id {
		return messageRow{}, ledger.Refuse(ledger.KindNotFound, "%s", storable(notFound))
	}
	return queryOne[messageRow](tx, notFound, selectMessages+`m.source = ? AND m.message_id = ?`+lock, book.ID, source, id)
}

func (r messageRow) receipt(result InboxState, problem *ledger.Error) InboxReceipt {
	return InboxReceipt{Result: result, Seq: r.Seq, PaymentID: r.PaymentID, Problem: problem}
}

// inboxEvent is a line of the history of a message.
type inboxEvent struct {
	event   string
	way     inbox.Way
	result  InboxState
	problem *ledger.Error
	note    string
}

// updateMessage adds to the history of a message, whose row the transaction holds, and sets more columns, each after a comma. It is one statement: the
// head of the book may be held.
func (s *Store) updateMessage(tx *gorm.DB, actor Actor, row messageRow, e inboxEvent, set string, args ...any) error {
	problem, err := problemText(e.problem)
	if err != nil {
		return err
	}
	all := append([]any{
		row.BookID, row.Source, row.MessageID, row.Events + 1, e.event, e.way, e.result, problem, storable(e.note), actor.UserID, s.now(),
	}, args...)
	if _, err := exec(tx, `
		WITH noted AS (
		     INSERT INTO inbox_events (book_id, source, message_id, n, event, way, result, problem, note, user_id, at)
		     VALUES (?, ?, ?, ?, ?, ?, ?, CAST(? AS jsonb), ?, ?, ?))
		UPDATE inbox_messages SET events = events + 1`+set+` WHERE book_id = ? AND source = ? AND message_id = ?`,
		append(all, row.BookID, row.Source, row.MessageID)...); err != nil {
		return fmt.Errorf("keep what happened to %s: %w", messageName(row.Source, row.MessageID), err)
	}
	return nil
}
