package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// A break that was matched in part shows what is left of it; one that was settled or superseded shows what it was about.
const (
	breakHoldsNow      = `(EXISTS (SELECT FROM break_lines n WHERE n.book_id = i.book_id AND n.break_id = i.break_id AND n.live) OR EXISTS (SELECT FROM break_postings n WHERE n.book_id = i.book_id AND n.break_id = i.break_id AND n.live))`
	breakLinesShown    = `(SELECT i.book_id, i.break_id, i.line_id FROM break_lines i WHERE i.live OR NOT ` + breakHoldsNow + `)`
	breakPostingsShown = `(SELECT i.book_id, i.break_id, i.seq, i.line FROM break_postings i WHERE i.live OR NOT ` + breakHoldsNow + `)`
)

// versionOfBreak is the number of the last event of a break b that a decision must not overlook: a comment makes none stale.
const versionOfBreak = `coalesce((SELECT max(v.n) FROM break_events v WHERE v.book_id = b.book_id AND v.break_id = b.id AND v.event NOT IN ('commented', 'attached')), 0)`

type breakRow struct {
	ID, ReconciliationID int64
	Account              string
	Type                 recon.BreakType
	Status               recon.Status
	Resolution           recon.Resolution
	DifferenceMinor      int64
	Currency, Why        string
	FirstSeenOn          ledger.Date
	Version              int
	Assignee             string
	AssigneeName         string
	MatchID, ApprovalID  int64
}

// loadBreaks reads breaks b by a condition, which may end in an order and a limit.
func loadBreaks(db *gorm.DB, book Book, condition string, args ...any) ([]Break, error) {
	rows, err := query[breakRow](db, `
		SELECT b.id, b.reconciliation_id, a.code AS account, b.type, b.status, coalesce(b.resolution, '') AS resolution, b.difference_minor, b.currency, b.why,
		       b.first_seen_on, coalesce(u.email, '') AS assignee, coalesce(u.name, '') AS assignee_name,
		       CASE WHEN b.resolution IN ('matched', 'adjusted', 'written_off', 'reversed') THEN b.match_id ELSE 0 END AS match_id,
		       CASE WHEN b.status = 'waiting_for_approval' THEN b.approval_id ELSE 0 END AS approval_id,
		       `+versionOfBreak+` AS version
		  FROM breaks b
		  JOIN accounts a ON a.book_id = b.book_id AND a.id = b.account_id
		  LEFT JOIN users u ON u.id = b.assignee_id
		 WHERE b.book_id = ? AND `+condition, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read breaks: %w", err)
	}
	ids := make(array[int64], len(rows))
	items := make([]Break, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
		items[i] = Break{ID: r.ID, Account: r.Account, ReconciliationID: r.ReconciliationID, Type: r.Type, Status: r.Status, Resolution: r.Resolution,
			DifferenceMinor: r.DifferenceMinor, Currency: r.Currency, Why: r.Why, FirstSeenOn: r.FirstSeenOn, Version: r.Version, Assignee: r.Assignee, AssigneeName: r.AssigneeName,
			MatchID: r.MatchID, ApprovalID: r.ApprovalID}
	}
	postings, lines, err := loadSides(db, book, breakPostingsShown, breakLinesShown, "break_id", ids)
	if err != nil {
		return nil, fmt.Errorf("read the lines of breaks: %w", err)
	}
	for i := range items {
		items[i].Ledger, items[i].Bank = postings[items[i].ID], lines[items[i].ID]
	}
	return items, nil
}

func loadBreak(db *gorm.DB, book Book, id int64) (Break, error) {
	items, err := loadBreaks(db, book, `b.id = ?`, id)
	if err != nil {
		return Break{}, err
	}
	if len(items) == 0 {
		return Break{}, ledger.Refuse(ledger.KindNotFound, "book %s has no break %d", book.Code, id)
	}
	return items[0], nil
}

// loadSides reads both sides of breaks or matches, by their ids; the names of tables and column are constants of this package. It goes from the
// ids to what they hold, and from there to the rows, each by its key: a plan made while the tables were small would go through all lines of the book.
func loadSides(db *gorm.DB, book Book, postingTable, lineTable, owner string, ids array[int64]) (map[int64][]PostingSide, map[int64][]LineSide, error) {
	args := map[string]any{"book": book.ID, "ids": ids}
	held := func(table, columns string) string {
		return ` FROM unnest(CAST(@ids AS bigint[])) AS u (id)
		 CROSS JOIN LATERAL (SELECT ` + columns + ` FROM ` + table + ` i WHERE i.book_id = @book AND i.` + owner + ` = u.id OFFSET 0) i`
	}
	postingRows, err := query[struct {
		Owner int64
		PostingSide
	}](db, `
		SELECT u.id AS owner, p.seq, p.line, e.tx_id, e.effective_on, e.description,
		       coalesce(nullif(e.metadata->>'reference', ''), e.tx_id) AS reference, p.amount_minor, p.currency`+held(postingTable, "i.seq, i.line")+`
		 CROSS JOIN LATERAL (SELECT p.seq, p.line, p.amount_minor, p.currency FROM postings p WHERE p.book_id = @book AND p.seq = i.seq AND p.line = i.line OFFSET 0) p
		 CROSS JOIN LATERAL (SELECT e.tx_id, e.effective_on, e.description, e.metadata FROM entries e WHERE e.book_id = @book AND e.seq = i.seq OFFSET 0) e
		 ORDER BY e.effective_on, p.seq, p.line`, args)
	if err != nil {
		return nil, nil, err
	}
	lineRows, err := query[struct {
		Owner int64
		LineSide
	}](db, `
		SELECT u.id AS owner, l.statement_id, l.row, l.booked_on, l.reference, l.description, l.amount_minor, l.currency`+held(lineTable, "i.line_id")+`
		 CROSS JOIN LATERAL (SELECT l.id, l.statement_id, l.row, l.booked_on, l.reference, l.description, l.amount_minor, l.currency
		                       FROM statement_lines l WHERE l.book_id = @book AND l.id = i.line_id OFFSET 0) l
		 ORDER BY l.booked_on, l.id`, args)
	if err != nil {
		return nil, nil, err
	}
	postings, lines := map[int64][]PostingSide{}, map[int64][]LineSide{}
	for _, row := range postingRows {
		postings[row.Owner] = append(postings[row.Owner], row.PostingSide)
	}
	for _, row := range lineRows {
		lines[row.Owner] = append(lines[row.Owner], row.LineSide)
	}
	return postings, lines, nil
}
