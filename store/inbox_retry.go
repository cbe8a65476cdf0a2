package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/jobs"
	"daybook/store/ledger"
)

// workMessage tries a message whose pause is over, and again after the next one. An error has the queue try it soon.
func (s *Store) workMessage(ctx context.Context, task jobs.Message) error {
	next, err := s.tryDue(ctx, task)
	if err == nil && !next.IsZero() {
		err = jobs.After(next.Sub(s.now()))
	}
	return err
}

// tryDue tries a message whose pause is over, in the name of whoever delivered it first, and gives when it is tried next, zero for never. What
// becomes of it is told in the books.
func (s *Store) tryDue(ctx context.Context, task jobs.Message) (next time.Time, err error) {
	actor, refused, err := s.delivererOf(ctx, task)
	if err != nil || actor.UserID == 0 {
		return time.Time{}, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		row, err := lockMessage(tx, actor.Book, task.Source, task.ID)
		if err != nil {
			return err
		}
		if next = row.NextAt; next.IsZero() || next.After(s.now()) {
			return nil
		}
		if _, err := s.tryMessage(tx, actor, row, inboxTry{event: eventTried, scheduled: true, refused: refused}); err != nil {
			return err
		}
		row, err = lockMessage(tx, actor.Book, task.Source, task.ID)
		next = row.NextAt
		return err
	})
	return next, err
}

// delivererOf gives who delivered a message first as who acts. Who may not post any more is told as refused; the zero actor stands for a message that
// is not there.
func (s *Store) delivererOf(ctx context.Context, task jobs.Message) (Actor, *ledger.Error, error) {
	found, err := query[struct {
		Book
		ReceivedBy int64
	}](s.db.WithContext(ctx), `
		SELECT `+bookColumns+`, m.received_by FROM inbox_messages m JOIN books b ON b.id = m.book_id
		 WHERE m.book_id = ? AND m.source = ? AND m.message_id = ?`, task.BookID, task.Source, task.ID)
	if err != nil || len(found) == 0 {
		return Actor{}, nil, err
	}
	actor, err := s.Actor(ctx, found[0].ReceivedBy, found[0].Code)
	if err == nil {
		err = actor.Need(RightPost)
	}
	switch ledger.KindOf(err) {
	case ledger.KindUnauthenticated, ledger.KindForbidden:
		return Actor{UserID: found[0].ReceivedBy, Book: found[0].Book},
			ledger.Refuse(ledger.KindForbidden, "whoever delivered this may not post any more: a person who may has to retry it"), nil
	}
	return actor, nil, err
}

// adoptMessages has messages tried again that nobody will try though their pause is over: the server that did is gone.
func (s *Store) adoptMessages(ctx context.Context) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		left, err := query[struct {
			BookID            int64
			Source, MessageID string
		}](tx, `
			SELECT m.book_id, m.source, m.message_id FROM inbox_messages m
			 WHERE m.next_at < ? AND NOT EXISTS (
			       SELECT FROM river_job r WHERE r.kind = 'message'
			          AND r.args @> jsonb_build_object('book_id', m.book_id, 'source', m.source, 'message_id', m.message_id)
			          AND r.state IN ('available', 'pending', 'retryable', 'scheduled'))
			 ORDER BY m.next_at LIMIT 100 FOR UPDATE SKIP LOCKED`, s.now().Add(-messageOrphan))
		if err != nil {
			return fmt.Errorf("look for messages that nobody tries: %w", err)
		}
		for _, m := range left {
			if err := addTask(tx, jobs.Message{BookID: m.BookID, Source: m.Source, ID: m.MessageID}, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	})
}

// messageOrphan is how long after its pause a message is looked for that nobody tried. The queue itself may be some seconds late.
const messageOrphan = 15 * time.Second
