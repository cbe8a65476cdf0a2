package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
)

// BankLine is a statement line with all that its file says about it, and what became of it: the kind of its match, or its break.
type BankLine struct {
	LineSide
	FileName     string
	BalanceMinor *int64
	Raw          string
	MatchKind    recon.Kind
	BreakID      int64
	BreakType    recon.BreakType
}

// loadBankLines reads lines l of statements by a condition, which may end in an order and a limit.
func loadBankLines(db *gorm.DB, book Book, condition string, args ...any) ([]BankLine, error) {
	lines, err := query[BankLine](db, `
		SELECT l.statement_id, l.row, l.booked_on, l.reference, l.description, l.amount_minor, l.currency, s.file_name, l.balance_minor, l.raw,
		       coalesce(m.kind, '') AS match_kind, coalesce(b.id, 0) AS break_id, coalesce(b.type, '') AS break_type
		  FROM statement_lines l
		  JOIN statements s ON s.book_id = l.book_id AND s.id = l.statement_id
		  LEFT JOIN match_lines i ON i.book_id = l.book_id AND i.line_id = l.id AND i.live
		  LEFT JOIN matches m ON m.book_id = i.book_id AND m.id = i.match_id
		  LEFT JOIN break_lines o ON o.book_id = l.book_id AND o.line_id = l.id AND o.live
		  LEFT JOIN breaks b ON b.book_id = o.book_id AND b.id = o.break_id
		 WHERE l.book_id = ? AND `+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read statement lines: %w", err)
	}
	return lines, nil
}

// StatementLines lists the lines that a statement brought, one that was undone too, in the order of the file, after a row; more reports whether others follow.
func (s *Store) StatementLines(ctx context.Context, actor Actor, statementID int64, afterRow, limit int) (items []BankLine, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit = pageSize(limit)
	items, err = loadBankLines(s.db.WithContext(ctx), actor.Book, `l.statement_id = ? AND l.row > ? ORDER BY l.row LIMIT ?`,
		statementID, afterRow, limit+1)
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}

// BreakLines lists the bank's lines of a break.
func (s *Store) BreakLines(ctx context.Context, actor Actor, breakID int64) ([]BankLine, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	return loadBankLines(s.db.WithContext(ctx), actor.Book, `EXISTS (SELECT FROM `+breakLinesShown+` x WHERE x.book_id = l.book_id AND x.break_id = ? AND x.line_id = l.id)
		ORDER BY l.booked_on, l.id LIMIT ?`, breakID, MaxPage)
}
