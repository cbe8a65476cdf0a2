package store

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

// InboxMessage gives a message of the actor's book with its history, oldest first. Errors: KindForbidden, KindNotFound.
func (s *Store) InboxMessage(ctx context.Context, actor Actor, source, id string) (m InboxMessage, err error) {
	if err := actor.Need(RightRead); err != nil {
		return InboxMessage{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		row, err := readMessage(tx, actor.Book, source, id, "")
		if err != nil {
			return err
		}
		if m, err = row.message(); err != nil {
			return err
		}
		m.Events, err = loadInboxEvents(tx, row)
		return err
	})
	return m, err
}

// InboxMessages lists messages of the actor's book, newest first and without their history. next is the cursor of the page that follows, "" for none.
// Errors: KindForbidden, KindInvalid for a cursor that cannot be read.
func (s *Store) InboxMessages(ctx context.Context, actor Actor, f InboxFilter) (items []InboxMessage, next string, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, "", err
	}
	where, args, err := f.where(actor.Book)
	if err != nil {
		return nil, "", err
	}
	limit := pageSize(f.Limit)
	rows, err := query[messageRow](s.db.WithContext(ctx), selectMessages+where+` ORDER BY m.received_at DESC, m.source DESC, m.message_id DESC LIMIT ?`, append(args, limit+1)...)
	if err != nil {
		return nil, "", fmt.Errorf("list messages: %w", err)
	}
	if len(rows) > limit {
		rows = rows[:limit]
		next = cursorOf(rows[limit-1])
	}
	items = make([]InboxMessage, len(rows))
	for i, row := range rows {
		if items[i], err = row.message(); err != nil {
			return nil, "", err
		}
	}
	return items, next, nil
}

// oldestMessages are those of a filter in the order in which they came.
func oldestMessages(db *gorm.DB, book Book, f InboxFilter) ([]messageRow, error) {
	where, args, err := f.where(book)
	if err != nil {
		return nil, err
	}
	return query[messageRow](db, selectMessages+where+` ORDER BY m.received_at, m.source, m.message_id LIMIT ?`, append(args, f.Limit)...)
}

// where gives the condition of a filter on messages m, after that on the book, with the arguments of both.
func (f InboxFilter) where(book Book) (string, []any, error) {
	conditions, args := []string{"true"}, []any{book.ID}
	add := func(condition string, values ...any) {
		conditions, args = append(conditions, condition), append(args, values...)
	}
	if f.Words != "" {
		words := containing(storable(f.Words))
		add(`(m.message_id ILIKE ? OR m.type ILIKE ?)`, words, words)
	}
	if f.Source != "" {
		add(`m.source = ?`, storable(f.Source))
	}
	if len(f.States) > 0 {
		states := make(array[string], len(f.States))
		for i, state := range f.States {
			states[i] = string(state)
		}
		add(`m.state = ANY(?::text[])`, states)
	}
	if f.Duplicate {
		add(`m.deliveries > 1`)
	}
	if f.Before != "" {
		cursor, err := readCursor(f.Before)
		if err != nil {
			return "", nil, err
		}
		add(`(m.received_at, m.source, m.message_id) < (?, ?, ?)`, cursor.At, cursor.Source, cursor.ID)
	}
	return strings.Join(conditions, " AND "), args, nil
}

// inboxCursor is the place of a message in the list.
type inboxCursor struct {
	At         time.Time
	Source, ID string
}

func cursorOf(row messageRow) string {
	text, _ := json.Marshal(inboxCursor{row.ReceivedAt.UTC(), row.Source, row.MessageID}) // which cannot fail
	return base64.RawURLEncoding.EncodeToString(text)
}

func readCursor(text string) (cursor inboxCursor, err error) {
	written, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(written, &cursor)
	}
	if err != nil || storable(cursor.Source+cursor.ID) != cursor.Source+cursor.ID {
		return inboxCursor{}, ledger.Refuse(ledger.KindInvalid, "the address has parameters that cannot be read").At("after", "%q is not a cursor: send the next of the page before", text)
	}
	return cursor, nil
}

func (r messageRow) message() (InboxMessage, error) {
	problem, err := problemOf(r.Problem)
	m := InboxMessage{
		Source: r.Source, ID: r.MessageID, Type: r.Type, Data: r.Data, State: r.State, Way: r.Way, Deliveries: r.Deliveries, Tries: r.Tries,
		Problem: problem, PaymentID: r.PaymentID, Seq: r.Seq, ReceivedBy: r.By, ReceivedAt: r.ReceivedAt.UTC(), ChangedAt: r.ChangedAt.UTC(),
	}
	if !r.NextAt.IsZero() {
		m.NextAt = r.NextAt.UTC()
	}
	return m, err
}

func loadInboxEvents(tx *gorm.DB, row messageRow) ([]InboxEvent, error) {
	rows, err := query[struct {
		Event, Result, Problem, Note, By string
		Way                              inbox.Way
		At                               time.Time
	}](tx, `
		SELECT e.event, e.way, e.result, coalesce(e.problem::text, '') AS problem, e.note, u.name AS by, e.at
		  FROM inbox_events e JOIN users u ON u.id = e.user_id
		 WHERE e.book_id = ? AND e.source = ? AND e.message_id = ? ORDER BY e.n`, row.BookID, row.Source, row.MessageID)
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", messageName(row.Source, row.MessageID), err)
	}
	events := make([]InboxEvent, len(rows))
	for i, r := range rows {
		problem, err := problemOf(r.Problem)
		if err != nil {
			return nil, err
		}
		events[i] = InboxEvent{Event: r.Event, Way: r.Way, Result: r.Result, Problem: problem, Note: r.Note, By: r.By, At: r.At.UTC()}
	}
	return events, nil
}
