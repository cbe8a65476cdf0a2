package store

import (
	"context"
	"fmt"
	"slices"

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

// openBreakSQL says of a break b that what it holds may be matched: people have not set it aside.
const openBreakSQL = `b.book_id = @book AND b.account_id = @account AND b.live AND NOT ` + setAside + ` AND b.id <> @id AND (CAST(@to AS date) IS NULL OR b.since <= @to)`

// openFilterSQL are the conditions of an OpenFilter on rows f of (on_day, amount_minor, words).
const openFilterSQL = `(CAST(@from AS date) IS NULL OR f.on_day >= @from) AND (CAST(@to AS date) IS NULL OR f.on_day <= @to)
	AND (@amount = 0 OR abs(f.amount_minor) = abs(@amount)) AND (@text = '' OR strpos(lower(f.words), lower(@text)) > 0)
	AND (@near = 0 OR f.amount_minor = @near OR sign(f.amount_minor) = sign(CAST(@near AS bigint)) AND abs(f.amount_minor) < abs(@near))
	ORDER BY @near <> 0 AND f.amount_minor = @near DESC, abs(f.on_day - CAST(@day AS date)), f.on_day`

// unbrokenLooked is how many postings that are in no break are looked at: the latest that no matching has seen, and the first of after the time
// that the statements speak for.
const unbrokenLooked = 2000

// openPostingsSQL starts from few rows and looks each other one up by its key, which OFFSET 0 keeps Postgres to: while it does not know the
// tables yet it would join them as a whole.
const openPostingsSQL = `
	SELECT f.* FROM (
		SELECT n.seq, n.line, p.tx_id, p.effective_on, p.effective_on AS on_day, p.description, p.reference, p.amount_minor, p.currency, n.break_id,
		       p.description || ' ' || p.tx_id || ' ' || p.reference AS words
		  FROM (SELECT i.seq, i.line, b.id AS break_id FROM breaks b
		         CROSS JOIN LATERAL (SELECT i.seq, i.line FROM break_postings i WHERE i.book_id = b.book_id AND i.break_id = b.id AND i.live OFFSET 0) i
		         WHERE ` + openBreakSQL + `
		        UNION ALL
		        (SELECT p.seq, p.line, 0 FROM postings p WHERE p.book_id = @book AND p.account_id = @account AND p.seq > @seen ORDER BY p.seq DESC LIMIT @looked)
		        UNION ALL
		        SELECT p.seq, p.line, 0
		          FROM (SELECT e.seq FROM entries e WHERE e.book_id = @book AND e.effective_on > @ends AND e.seq <= @seen ORDER BY e.effective_on, e.seq LIMIT @looked) e
		         CROSS JOIN LATERAL (SELECT p.seq, p.line FROM postings p WHERE p.book_id = @book AND p.seq = e.seq AND p.account_id = @account OFFSET 0) p) n
		 CROSS JOIN LATERAL (
		       SELECT e.tx_id, e.effective_on, e.description, coalesce(nullif(e.metadata->>'reference', ''), e.tx_id) AS reference, p.amount_minor, p.currency
		         FROM postings p JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq
		        WHERE p.book_id = @book AND p.seq = n.seq AND p.line = n.line
		          AND NOT EXISTS (SELECT FROM match_postings m WHERE m.book_id = p.book_id AND m.seq = p.seq AND m.line = p.line AND m.live)
		          AND (n.break_id <> 0 OR NOT EXISTS (SELECT FROM break_postings o WHERE o.book_id = p.book_id AND o.seq = p.seq AND o.line = p.line AND o.live)) OFFSET 0) p) f
	 WHERE ` + openFilterSQL + `, f.seq, f.line LIMIT @limit`

const openLinesSQL = `
	SELECT f.* FROM (
		SELECT l.id, l.statement_id, l.row, l.booked_on, l.booked_on AS on_day, l.reference, l.description, l.amount_minor, l.currency, b.id AS break_id,
		       l.description || ' ' || l.reference AS words
		  FROM breaks b
		 CROSS JOIN LATERAL (SELECT i.line_id FROM break_lines i WHERE i.book_id = b.book_id AND i.break_id = b.id AND i.live OFFSET 0) i
		 CROSS JOIN LATERAL (SELECT l.* FROM statement_lines l WHERE l.book_id = b.book_id AND l.id = i.line_id AND NOT l.undone OFFSET 0) l
		 WHERE ` + openBreakSQL + `) f
	 WHERE ` + openFilterSQL + `, f.id LIMIT @limit`

// loadOpenItems reads the open items beside a break. Postings that no statement speaks for yet are in no break: those that came after the
// latest matching, and those of after the time that the statements speak for.
func loadOpenItems(db *gorm.DB, book Book, b Break, f OpenFilter) (open OpenItems, err error) {
	account, err := queryOne[struct {
		ID      int64
		ScopeTo ledger.Date
		Seen    int64
	}](db, "the account has no reconciliation", `
		SELECT a.id, r.scope_to, r.ledger_seq AS seen FROM accounts a JOIN reconciliations r ON r.book_id = a.book_id AND r.account_id = a.id
		 WHERE a.book_id = ? AND a.code = ? ORDER BY r.status = 'undone', r.scope_to DESC, r.id DESC LIMIT 1`, book.ID, b.Account)
	if err != nil {
		return OpenItems{}, err
	}
	values := map[string]any{"book": book.ID, "id": b.ID, "account": account.ID, "from": dateOrNull(f.From), "to": dateOrNull(f.To), "amount": f.AmountMinor,
		"text": storable(f.Text), "near": f.near, "day": b.EarliestDay(), "limit": f.Limit, "seen": account.Seen, "ends": account.ScopeTo, "looked": unbrokenLooked}
	if open.Postings, err = query[OpenPosting](db, openPostingsSQL, values); err != nil {
		return OpenItems{}, err
	}
	values["near"] = -f.near
	if open.Lines, err = query[OpenLine](db, openLinesSQL, values); err != nil {
		return OpenItems{}, err
	}
	return open, open.countBreaks(db, book)
}

// countBreaks fills in how much the breaks hold that items are in, and leaves out what is part of a break that was resolved as a whole.
func (o *OpenItems) countBreaks(db *gorm.DB, book Book) error {
	var ids array[int64]
	for _, p := range o.Postings {
		ids = append(ids, p.BreakID)
	}
	for _, l := range o.Lines {
		ids = append(ids, l.BreakID)
	}
	counted, err := query[struct {
		ID    int64
		Items int
		Done  bool
	}](db, `
		SELECT b.id, b.status = 'resolved' AS done,
		       (SELECT count(*) FROM break_lines x WHERE x.book_id = b.book_id AND x.break_id = b.id AND x.live) +
		       (SELECT count(*) FROM break_postings x WHERE x.book_id = b.book_id AND x.break_id = b.id AND x.live) AS items
		  FROM breaks b WHERE b.book_id = ? AND b.id = ANY(?::bigint[])`, book.ID, ids)
	if err != nil {
		return err
	}
	size, whole := map[int64]int{}, map[int64]bool{}
	for _, b := range counted {
		size[b.ID], whole[b.ID] = b.Items, b.Done && b.Items > 1
	}
	o.Postings = slices.DeleteFunc(o.Postings, func(p OpenPosting) bool { return whole[p.BreakID] })
	o.Lines = slices.DeleteFunc(o.Lines, func(l OpenLine) bool { return whole[l.BreakID] })
	for i := range o.Postings {
		o.Postings[i].BreakItems = size[o.Postings[i].BreakID]
	}
	for i := range o.Lines {
		o.Lines[i].BreakItems = size[o.Lines[i].BreakID]
	}
	return nil
}

// dateOrNull is a day for the database, or none.
func dateOrNull(day ledger.Date) *ledger.Date {
	if day.IsZero() {
		return nil
	}
	return &day
}
