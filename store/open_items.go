package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// OpenPosting is a posting that is in no match, with the break that it is in and how much that holds; 0 for none.
type OpenPosting struct {
	PostingSide
	BreakID    int64
	BreakItems int
}

// OpenLine is OpenPosting for a line of a statement.
type OpenLine struct {
	LineSide
	BreakID    int64
	BreakItems int
}

// OpenItems are open items of both sides of an account; More says that others fit too.
type OpenItems struct {
	Postings []OpenPosting
	Lines    []OpenLine
	More     bool
}

// OpenFilter narrows open items; zero fields do not. Text is looked for in descriptions, references and tx ids; AmountMinor is an amount with
// either sign.
type OpenFilter struct {
	Text        string
	AmountMinor int64
	From, To    ledger.Date
	Limit       int
	near        int64 // what the postings are to add up to, the lines to its opposite
}

// OpenItems lists what a break could be matched with by hand: the postings and lines of its account that are in no match, not set aside and
// not part of this break, the nearest to its day first. Error: KindNotFound.
func (s *Store) OpenItems(ctx context.Context, actor Actor, breakID int64, f OpenFilter) (OpenItems, error) {
	if err := actor.Need(RightRead); err != nil {
		return OpenItems{}, err
	}
	db := s.db.WithContext(ctx)
	b, err := loadBreak(db, actor.Book, breakID)
	if err != nil {
		return OpenItems{}, err
	}
	limit := pageSize(f.Limit)
	f.Limit = limit + 1
	open, err := loadOpenItems(db, actor.Book, b, f)
	if err != nil {
		return OpenItems{}, fmt.Errorf("search the open items of account %s: %w", b.Account, err)
	}
	open.More = len(open.Postings) > limit || len(open.Lines) > limit
	open.Postings, open.Lines = open.Postings[:min(len(open.Postings), limit)], open.Lines[:min(len(open.Lines), limit)]
	return open, nil
}

// holdsSQL counts what a break b holds.
const holdsSQL = `((SELECT count(*) FROM break_lines x WHERE x.book_id = b.book_id AND x.break_id = b.id AND x.live) +
	(SELECT count(*) FROM break_postings x WHERE x.book_id = b.book_id AND x.break_id = b.id AND x.live))`

// openBreakSQL says of a break b that what it holds may be matched: people have not set it aside, nor resolved several items as a whole.
const openBreakSQL = `b.live AND NOT ` + setAside + ` AND NOT (b.status = 'resolved' AND ` + holdsSQL + ` > 1) AND b.id <> @id`

// openFilterSQL are the conditions of an OpenFilter on rows f of (on_day, amount_minor, words).
const openFilterSQL = `(CAST(@from AS date) IS NULL OR f.on_day >= @from) AND (CAST(@to AS date) IS NULL OR f.on_day <= @to)
	AND (@amount = 0 OR abs(f.amount_minor) = abs(@amount)) AND (@text = '' OR strpos(lower(f.words), lower(@text)) > 0)
	AND (@near = 0 OR f.amount_minor = @near OR sign(f.amount_minor) = sign(CAST(@near AS bigint)) AND abs(f.amount_minor) < abs(@near))
	ORDER BY @near <> 0 AND f.amount_minor = @near DESC, abs(f.on_day - CAST(@day AS date)), f.on_day`

// loadOpenItems reads the open items beside a break. Postings that no statement speaks for yet are in no break: those that came after the
// latest matching, and those of after the time that the statements speak for.
func loadOpenItems(db *gorm.DB, book Book, b Break, f OpenFilter) (open OpenItems, err error) {
	values := map[string]any{"book": book.ID, "id": b.ID, "account": b.Account, "from": dateOrNull(f.From), "to": dateOrNull(f.To), "amount": f.AmountMinor,
		"text": storable(f.Text), "near": f.near, "day": b.EarliestDay(), "limit": f.Limit}
	if open.Postings, err = query[OpenPosting](db, `
		WITH acc AS (SELECT id FROM accounts WHERE book_id = @book AND code = @account),
		last AS (SELECT r.scope_to, r.ledger_seq FROM acc JOIN reconciliations r ON r.book_id = @book AND r.account_id = acc.id AND r.status <> 'undone'
		          ORDER BY r.scope_to DESC, r.id DESC LIMIT 1),
		named AS (
			SELECT i.seq, i.line, b.id AS break_id, `+holdsSQL+` AS break_items
			  FROM acc JOIN breaks b ON b.book_id = @book AND b.account_id = acc.id AND `+openBreakSQL+`
			  JOIN break_postings i ON i.book_id = b.book_id AND i.break_id = b.id AND i.live
			UNION ALL
			SELECT p.seq, p.line, 0, 0 FROM acc CROSS JOIN last JOIN postings p ON p.book_id = @book AND p.account_id = acc.id AND p.seq > last.ledger_seq
			UNION ALL
			SELECT p.seq, p.line, 0, 0 FROM acc CROSS JOIN last JOIN entries e ON e.book_id = @book AND e.effective_on > last.scope_to AND e.seq <= last.ledger_seq
			  JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq AND p.account_id = acc.id)
		SELECT f.* FROM (
			SELECT p.seq, p.line, e.tx_id, e.effective_on, e.effective_on AS on_day, e.description, coalesce(nullif(e.metadata->>'reference', ''), e.tx_id) AS reference,
			       p.amount_minor, p.currency, n.break_id, n.break_items, e.description || ' ' || e.tx_id || ' ' || coalesce(e.metadata->>'reference', '') AS words
			  FROM named n JOIN postings p ON p.book_id = @book AND p.seq = n.seq AND p.line = n.line JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq
			 WHERE NOT EXISTS (SELECT FROM match_postings m WHERE m.book_id = p.book_id AND m.seq = p.seq AND m.line = p.line AND m.live)
			   AND (n.break_id <> 0 OR NOT EXISTS (SELECT FROM break_postings o WHERE o.book_id = p.book_id AND o.seq = p.seq AND o.line = p.line AND o.live))) f
		 WHERE `+openFilterSQL+`, f.seq, f.line LIMIT @limit`, values); err != nil {
		return OpenItems{}, err
	}
	values["near"] = -f.near
	open.Lines, err = query[OpenLine](db, `
		SELECT f.* FROM (
			SELECT l.id, l.statement_id, l.row, l.booked_on, l.booked_on AS on_day, l.reference, l.description, l.amount_minor, l.currency, b.id AS break_id,
			       `+holdsSQL+` AS break_items, l.description || ' ' || l.reference AS words
			  FROM accounts a JOIN breaks b ON b.book_id = a.book_id AND b.account_id = a.id AND `+openBreakSQL+`
			  JOIN break_lines i ON i.book_id = b.book_id AND i.break_id = b.id AND i.live
			  JOIN statement_lines l ON l.book_id = i.book_id AND l.id = i.line_id AND NOT l.undone
			 WHERE a.book_id = @book AND a.code = @account) f
		 WHERE `+openFilterSQL+`, f.id LIMIT @limit`, values)
	return open, err
}

// dateOrNull is a day for the database, or none.
func dateOrNull(day ledger.Date) *ledger.Date {
	if day.IsZero() {
		return nil
	}
	return &day
}
