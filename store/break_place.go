package store

import (
	"context"
	"fmt"
	"time"

	"daybook/store/ledger"
)

// BreakPlace is where a break stands in the list of the latest reconciliation that holds it: what is open first, by type, then by
// day, difference and number. A break that was settled by the only reconciliation that held it stands in no list any more: its Position is 0.
type BreakPlace struct {
	ReconciliationID   int64
	ScopeFrom, ScopeTo ledger.Date
	Position, Breaks   int
	Previous, Next     int64 // 0 at an end
	// Closed says that no reconciliation which holds the break can be worked on any more: all are signed off, or undone.
	Closed bool
	// UndoneBy undid the import that was the last to hold the break, at UndoneAt; "" and nil where one still stands.
	UndoneBy string
	UndoneAt *time.Time
	// NextOpen is the next one that asks for a decision, from the beginning again after the last; 0 when no other is.
	NextOpen int64
}

// PlaceOfBreak finds a break's place in its list. Error: KindNotFound.
func (s *Store) PlaceOfBreak(ctx context.Context, actor Actor, id int64) (BreakPlace, error) {
	if err := actor.Need(RightRead); err != nil {
		return BreakPlace{}, err
	}
	place, err := queryOne[BreakPlace](s.db.WithContext(ctx), fmt.Sprintf("book %s has no break %d", actor.Book.Code, id), `
		WITH home AS (
			SELECT r.id, r.scope_from, r.scope_to, r.statement_id, r.status = 'undone' AS undone
			  FROM reconciliation_breaks h
			  JOIN breaks b ON b.book_id = h.book_id AND b.id = h.break_id
			  JOIN reconciliations r ON r.book_id = h.book_id AND r.id = h.reconciliation_id
			 WHERE h.book_id = @book AND h.break_id = @id
			 ORDER BY r.status = 'undone', b.superseded_by IS NOT DISTINCT FROM h.reconciliation_id, r.scope_to DESC, r.id DESC LIMIT 1),
		list AS (
			SELECT b.id, b.status IN ('open', 'in_review') AS open, row_number() OVER w AS position, lag(b.id) OVER w AS previous, lead(b.id) OVER w AS next
			  FROM home JOIN reconciliation_breaks h ON h.book_id = @book AND h.reconciliation_id = home.id
			  JOIN breaks b ON b.book_id = h.book_id AND b.id = h.break_id AND b.superseded_by IS DISTINCT FROM h.reconciliation_id`+notUndoneSQL+`
			WINDOW w AS (ORDER BY array_position(CAST(@standings AS text[]), `+standingSQL+`), array_position(CAST(@types AS text[]), b.type),
			                      b.since, b.difference_minor, b.id))
		SELECT home.id AS reconciliation_id, home.scope_from, home.scope_to,
		       NOT EXISTS (SELECT FROM reconciliation_breaks h JOIN reconciliations r ON r.book_id = h.book_id AND r.id = h.reconciliation_id
		                    WHERE h.book_id = @book AND h.break_id = @id AND r.status IN ('open', 'submitted')) AS closed, coalesce(l.position, 0) AS position, (SELECT count(*) FROM list) AS breaks,
		       coalesce(l.previous, 0) AS previous, coalesce(l.next, 0) AS next,
		       coalesce((SELECT o.id FROM list o WHERE o.open AND o.id <> @id ORDER BY o.position < l.position, o.position LIMIT 1), 0) AS next_open,
		       coalesce(who.name, '') AS undone_by, u.at AS undone_at
		  FROM home LEFT JOIN list l ON l.id = @id
		  LEFT JOIN statement_undos u ON home.undone AND u.book_id = @book AND u.statement_id = home.statement_id
		  LEFT JOIN users who ON who.id = u.user_id`,
		map[string]any{"book": actor.Book.ID, "id": id, "types": typeOrder(), "standings": standingOrder()})
	if err != nil {
		return BreakPlace{}, fmt.Errorf("look beside break %d: %w", id, err)
	}
	return place, nil
}

// similarLooked is how many breaks, the latest of the account and type, are looked at for similar ones.
const similarLooked = 2000

// textOfBreak is what a break b says, but for digits: the text of its first line, or of its first posting.
const textOfBreak = `(SELECT lower(regexp_replace(coalesce(
	(SELECT l.description FROM break_lines i JOIN statement_lines l ON l.book_id = i.book_id AND l.id = i.line_id
	  WHERE i.book_id = b.book_id AND i.break_id = b.id ORDER BY l.booked_on, l.id LIMIT 1),
	(SELECT e.description FROM break_postings i JOIN entries e ON e.book_id = i.book_id AND e.seq = i.seq
	  WHERE i.book_id = b.book_id AND i.break_id = b.id ORDER BY e.seq LIMIT 1)), '[0-9]+', '', 'g')))`

// SimilarBreaks lists other breaks of the same account and type, the latest first, that have the same difference, or the same text but
// for digits; more reports whether there are others.
func (s *Store) SimilarBreaks(ctx context.Context, actor Actor, id int64, limit int) (items []Break, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit = pageSize(limit)
	items, err = loadBreaks(s.db.WithContext(ctx), actor.Book, `b.id IN (
		WITH this AS (SELECT b.account_id, b.type, b.difference_minor, `+textOfBreak+` AS text FROM breaks b WHERE b.book_id = ? AND b.id = ?),
		latest AS (
			SELECT b.book_id, b.id, b.difference_minor FROM this JOIN breaks b ON b.book_id = ? AND b.account_id = this.account_id AND b.type = this.type
			 WHERE b.id <> ? ORDER BY b.id DESC LIMIT ?)
		SELECT b.id FROM this JOIN latest b ON b.difference_minor = this.difference_minor AND b.difference_minor <> 0 OR `+textOfBreak+` = this.text
		 ORDER BY b.id DESC LIMIT ?) ORDER BY b.id DESC`,
		actor.Book.ID, id, actor.Book.ID, id, similarLooked, limit+1)
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}
