package store

import (
	"context"
	"fmt"
)

// Counts is what every page of a book tells: where the journal ends and what waits. Requests of the actor itself are in Mine,
// those that another person has to decide in Others.
type Counts struct {
	Head       int64
	Others     int
	Mine       int
	Decided    int
	OpenBreaks int
}

// Counts counts what the actor's book has, in one query.
func (s *Store) Counts(ctx context.Context, actor Actor) (Counts, error) {
	if err := actor.Need(RightRead); err != nil {
		return Counts{}, err
	}
	counts, err := queryOne[Counts](s.db.WithContext(ctx), "the book has no head", `
		SELECT h.seq AS head,
		       (SELECT count(*) FROM approvals a WHERE a.book_id = h.book_id AND a.pending AND a.requester_id <> @user) AS others,
		       (SELECT count(*) FROM approvals a WHERE a.book_id = h.book_id AND a.pending AND a.requester_id = @user) AS mine,
		       (SELECT count(*) FROM approvals a WHERE a.book_id = h.book_id AND NOT a.pending) AS decided,
		       (SELECT count(*) FROM breaks b WHERE b.book_id = h.book_id AND b.live AND b.status <> 'resolved') AS open_breaks
		  FROM heads h WHERE h.book_id = @book`, map[string]any{"book": actor.Book.ID, "user": actor.UserID})
	if err != nil {
		return Counts{}, fmt.Errorf("count what waits: %w", err)
	}
	return counts, nil
}
