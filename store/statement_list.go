package store

import (
	"context"
	"fmt"
	"time"

	"daybook/store/ledger"
)

// Statement is an uploaded file as a list shows it.
type Statement struct {
	ID               int64
	Account          string
	AccountName      string
	FileName         string
	FileHash         ledger.Hash
	Profile          *ProfileVersion // nil when it was read without one
	AccountPrinted   string          // by the file, "" when it prints none
	Currency         string
	PeriodFrom       ledger.Date
	PeriodTo         ledger.Date
	PeriodStated     bool
	OpeningMinor     *int64
	ClosingMinor     *int64
	Rows             RowCounts
	UploadedBy       string
	UploadedAt       time.Time
	ReconciliationID int64
}

// Statements lists the files of the actor's book, newest first, before an id (0: from the newest); more reports whether others follow.
func (s *Store) Statements(ctx context.Context, actor Actor, before int64, limit int) (items []Statement, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit = pageSize(limit)
	items, err = loadStatements(s.db.WithContext(ctx), actor.Book, `s.undone_at IS NULL AND (? = 0 OR s.id < ?) ORDER BY s.id DESC LIMIT ?`, before, before, limit+1)
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}

// FileElsewhere names, by code, the other accounts that the file of a statement is stored for too.
func (s *Store) FileElsewhere(ctx context.Context, actor Actor, statementID int64) ([]string, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	codes, err := query[string](s.db.WithContext(ctx), `
		SELECT DISTINCT a.code FROM statements s
		  JOIN statements o ON o.book_id = s.book_id AND o.file_hash = s.file_hash AND o.account_id <> s.account_id AND o.undone_at IS NULL
		  JOIN accounts a ON a.book_id = o.book_id AND a.id = o.account_id
		 WHERE s.book_id = ? AND s.id = ? ORDER BY a.code`, actor.Book.ID, statementID)
	if err != nil {
		return nil, fmt.Errorf("look for the file of statement %d: %w", statementID, err)
	}
	return codes, nil
}

// StatementRows lists the rows of a file that did not become lines, in order, after a row. Error: KindNotFound.
func (s *Store) StatementRows(ctx context.Context, actor Actor, id int64, afterRow, limit int) (items []RowNote, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	db := s.db.WithContext(ctx)
	if _, err := queryOne[int64](db, fmt.Sprintf("book %s has no statement %d", actor.Book.Code, id),
		`SELECT id FROM statements WHERE book_id = ? AND id = ?`, actor.Book.ID, id); err != nil {
		return nil, false, err
	}
	limit = pageSize(limit)
	items, err = loadRowNotes(db, actor.Book, id, `row > ? ORDER BY row LIMIT ?`, afterRow, limit+1)
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}
