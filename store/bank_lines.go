package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
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
	rows, err := query[struct {
		BankLine
		Day time.Time
	}](db, `
		SELECT l.statement_id, l.row, l.booked_on AS day, l.reference, l.description, l.amount_minor, l.currency, s.file_name, l.balance_minor, l.raw,
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
	lines := make([]BankLine, len(rows))
	for i, row := range rows {
		lines[i] = row.BankLine
		lines[i].BookedOn = ledger.DateOf(row.Day)
	}
	return lines, nil
}

// StatementLines lists the lines that a statement brought, in the order of the file, after a row; more reports whether others follow.
func (s *Store) StatementLines(ctx context.Context, actor Actor, statementID int64, afterRow, limit int) (items []BankLine, more bool, err error) {
	if err := actor.need(RightRead); err != nil {
		return nil, false, err
	}
	limit = pageSize(limit)
	items, err = loadBankLines(s.db.WithContext(ctx), actor.Book, `l.statement_id = ? AND NOT l.undone AND l.row > ? ORDER BY l.row LIMIT ?`,
		statementID, afterRow, limit+1)
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}

// BreakLines lists the bank's lines of a break.
func (s *Store) BreakLines(ctx context.Context, actor Actor, breakID int64) ([]BankLine, error) {
	if err := actor.need(RightRead); err != nil {
		return nil, err
	}
	return loadBankLines(s.db.WithContext(ctx), actor.Book, `EXISTS (SELECT FROM break_lines x WHERE x.book_id = l.book_id AND x.break_id = ? AND x.line_id = l.id)
		ORDER BY l.booked_on, l.id LIMIT ?`, breakID, MaxPage)
}

// BreakNeighbours gives the breaks before and after one among those of a reconciliation, by type and id; 0 at an end.
func (s *Store) BreakNeighbours(ctx context.Context, actor Actor, reconciliationID, breakID int64) (previous, next int64, err error) {
	if err := actor.need(RightRead); err != nil {
		return 0, 0, err
	}
	rows, err := query[struct{ Previous, Next int64 }](s.db.WithContext(ctx), `
		SELECT n.previous, n.next FROM (
		       SELECT b.id, coalesce(lag(b.id) OVER w, 0) AS previous, coalesce(lead(b.id) OVER w, 0) AS next
		         FROM reconciliation_breaks l JOIN breaks b ON b.book_id = l.book_id AND b.id = l.break_id
		        WHERE l.book_id = ? AND l.reconciliation_id = ? AND b.superseded_by IS DISTINCT FROM l.reconciliation_id
		       WINDOW w AS (ORDER BY array_position(CAST(? AS text[]), b.type), b.id)) n
		 WHERE n.id = ?`, actor.Book.ID, reconciliationID, typeOrder(), breakID)
	if err != nil || len(rows) == 0 {
		return 0, 0, err
	}
	return rows[0].Previous, rows[0].Next, nil
}

// CountItems counts the postings and the lines that a reconciliation holds in matches and breaks in a currency.
func (s *Store) CountItems(ctx context.Context, actor Actor, reconciliationID int64, currency string) (postings, lines int, err error) {
	if err := actor.need(RightRead); err != nil {
		return 0, 0, err
	}
	row, err := queryOne[struct{ Postings, Lines int }](s.db.WithContext(ctx), "no counts", `
		WITH held AS (
			SELECT l.break_id FROM reconciliation_breaks l JOIN breaks b ON b.book_id = l.book_id AND b.id = l.break_id
			 WHERE l.book_id = @book AND l.reconciliation_id = @id AND b.superseded_by IS DISTINCT FROM l.reconciliation_id),
		made AS (SELECT id FROM matches WHERE book_id = @book AND reconciliation_id = @id AND live)
		SELECT (SELECT count(*) FROM postings p WHERE p.book_id = @book AND p.currency = @currency AND (p.seq, p.line) IN (
		               SELECT i.seq, i.line FROM match_postings i JOIN made ON made.id = i.match_id WHERE i.book_id = @book
		               UNION SELECT i.seq, i.line FROM break_postings i JOIN held ON held.break_id = i.break_id WHERE i.book_id = @book)) AS postings,
		       (SELECT count(*) FROM statement_lines s WHERE s.book_id = @book AND s.currency = @currency AND s.id IN (
		               SELECT i.line_id FROM match_lines i JOIN made ON made.id = i.match_id WHERE i.book_id = @book
		               UNION SELECT i.line_id FROM break_lines i JOIN held ON held.break_id = i.break_id WHERE i.book_id = @book)) AS lines`,
		map[string]any{"book": actor.Book.ID, "id": reconciliationID, "currency": currency})
	return row.Postings, row.Lines, err
}

// Standing says what a break still asks of people: nothing is left to do for what is explained or resolved.
type Standing string

// The standings of a break. Explained is what the proof takes into account without an entry: carried forward, with the bank, or
// settled by a later statement.
const (
	StandsOpen      Standing = "open"
	StandsExplained Standing = "explained"
	StandsResolved  Standing = "resolved"
)

// StandingOf gives the standing of a break by its status and its resolution.
func StandingOf(status recon.Status, resolution recon.Resolution) Standing {
	switch {
	case status != recon.Resolved:
		return StandsOpen
	case resolution == recon.CarriedForward || resolution == recon.External || resolution == recon.Superseded:
		return StandsExplained
	}
	return StandsResolved
}

// standingSQL is StandingOf for a row b of breaks.
const standingSQL = `CASE WHEN b.status <> 'resolved' THEN 'open'
	WHEN b.resolution IN ('carried_forward', 'external', 'superseded') THEN 'explained' ELSE 'resolved' END`

// Foreign reports whether a line or posting of the break is in another currency than its account.
func (b Break) Foreign() bool {
	for _, side := range b.Ledger {
		if side.Currency != b.Currency {
			return true
		}
	}
	for _, side := range b.Bank {
		if side.Currency != b.Currency {
			return true
		}
	}
	return false
}

// EarliestDay is the day of the earliest line or posting of the break, or the day on which it was found when it has none.
func (b Break) EarliestDay() ledger.Date {
	day := b.FirstSeenOn
	for _, side := range b.Ledger {
		if side.EffectiveOn.Before(day) {
			day = side.EffectiveOn
		}
	}
	for _, side := range b.Bank {
		if side.BookedOn.Before(day) {
			day = side.BookedOn
		}
	}
	return day
}
