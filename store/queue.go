package store

import (
	"context"
	"sync"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// queue is the door of plain posts: within this process one post of a book is under way at a time, the others wait their
// turn here and not on a connection. Across processes the head row decides.
type queue struct {
	mu    sync.Mutex
	turns map[int64]chan struct{}
}

// turn waits for the book's turn and returns what ends it. It gives up with the context.
func (q *queue) turn(ctx context.Context, bookID int64) (done func(), err error) {
	q.mu.Lock()
	slot := q.turns[bookID]
	if slot == nil {
		slot = make(chan struct{}, 1)
		q.turns[bookID] = slot
	}
	q.mu.Unlock()
	select {
	case slot <- struct{}{}:
		return func() { <-slot }, nil
	case <-ctx.Done():
		return nil, &ledger.Error{Kind: ledger.KindBusy, Message: "the book is busy: try again in a moment", Err: ctx.Err()}
	}
}

// post appends one command through the queue.
func (s *Store) post(ctx context.Context, actor Actor, command ledger.Command) (ledger.Outcome, error) {
	done, err := s.queue.turn(ctx, actor.Book.ID)
	if err != nil {
		return ledger.Outcome{}, err
	}
	defer done()
	var outcome ledger.Outcome
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		outcomes, err := s.appendIn(tx, actor, []ledger.Command{command})
		if err != nil {
			return err
		}
		outcome = outcomes[0]
		return outcome.Err
	})
	return outcome, err
}
