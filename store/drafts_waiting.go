package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// WaitingDraft is a file that waits to be confirmed, as a list shows it.
type WaitingDraft struct {
	ID        int64
	Account   string
	FileName  string
	CreatedAt time.Time
}

// WaitingDrafts lists the files that wait for the actor, newest first. Error: KindForbidden.
func (s *Store) WaitingDrafts(ctx context.Context, actor Actor) ([]WaitingDraft, error) {
	if err := actor.Need(RightUpload); err != nil {
		return nil, err
	}
	drafts, err := query[WaitingDraft](s.db.WithContext(ctx), `
		SELECT d.id, a.code AS account, d.file_name, d.created_at
		  FROM statement_drafts d JOIN accounts a ON a.book_id = d.book_id AND a.id = d.account_id
		 WHERE d.book_id = ? AND d.user_id = ? AND d.created_at > ? AND d.job_id IS NULL ORDER BY d.id DESC LIMIT ?`,
		actor.Book.ID, actor.UserID, s.now().Add(-DraftLife), DraftsAPerson)
	if err != nil {
		return nil, fmt.Errorf("list the files that wait: %w", err)
	}
	return drafts, nil
}

// Draft gives a draft as it was last settled, unread. Errors: KindForbidden, KindNotFound.
func (s *Store) Draft(ctx context.Context, actor Actor, id int64) (draft Draft, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return Draft{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		draft, err = s.loadDraft(tx, actor, id, false)
		return err
	})
	return draft, err
}
