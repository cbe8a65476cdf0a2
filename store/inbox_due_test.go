package store

import (
	"context"

	"daybook/store/jobs"
)

// WorkMessage works a message as the queue does when it is its turn.
func (s *Store) WorkMessage(ctx context.Context, bookID int64, source, id string) error {
	_, err := s.tryDue(ctx, jobs.Message{BookID: bookID, Source: source, ID: id})
	return err
}
