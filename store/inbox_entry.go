package store

import (
	"context"
	"fmt"
)

// MessageOfEntry names the message that an entry was posted for, by its source and id; both are empty for none. Error: KindForbidden.
func (s *Store) MessageOfEntry(ctx context.Context, actor Actor, seq int64) (source, id string, err error) {
	if err := actor.Need(RightRead); err != nil {
		return "", "", err
	}
	found, err := query[struct{ Source, MessageID string }](s.db.WithContext(ctx),
		`SELECT source, message_id FROM inbox_messages WHERE book_id = ? AND seq = ? ORDER BY source, message_id LIMIT 1`, actor.Book.ID, seq)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("find the message of entry %d: %w", seq, err)
	case len(found) == 0:
		return "", "", nil
	}
	return found[0].Source, found[0].MessageID, nil
}
