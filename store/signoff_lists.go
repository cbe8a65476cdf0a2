package store

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// kept is the table of the part, as loadSides and others name one, narrowed to a signed version.
func (p signedPart) kept(id int64, version int) string {
	return fmt.Sprintf(`(SELECT book_id, %s FROM %s WHERE reconciliation_id = %d AND version = %d)`, p.columns, p.table, id, version)
}

// signedVersion is the version in which a reconciliation is signed off, 0 where it is not.
func signedVersion(db *gorm.DB, book Book, id int64) (int, error) {
	versions, err := query[int](db, `SELECT version FROM reconciliations WHERE book_id = ? AND id = ? AND status = ?`, book.ID, id, ReconciliationSignedOff)
	if err != nil || len(versions) == 0 {
		return 0, err
	}
	return versions[0], nil
}

// matchesKept is Matches for a signed version.
func matchesKept(db *gorm.DB, book Book, id int64, version int, after int64, limit int) (items []Match, more bool, err error) {
	limit = pageSize(limit)
	rows, err := query[struct {
		ID                int64
		Kind              recon.Kind
		Rule, Why, MadeBy string
		Score             int
		MadeAt            time.Time
	}](db, `SELECT m.match_id AS id, m.kind, m.rule, m.score, m.why, m.made_by, m.made_at FROM `+signedMatches.kept(id, version)+` m
		WHERE m.book_id = ? AND m.match_id > ? ORDER BY m.match_id LIMIT ?`, book.ID, after, limit+1)
	if err != nil {
		return nil, false, fmt.Errorf("list the matches of version %d: %w", version, err)
	}
	if more = len(rows) > limit; more {
		rows = rows[:limit]
	}
	ids := make(array[int64], len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	postings, lines, err := loadSides(db, book, signedMatchPostings.kept(id, version), signedMatchLines.kept(id, version), "match_id", ids)
	for _, row := range rows {
		items = append(items, Match{ID: row.ID, ReconciliationID: id, Kind: row.Kind, Rule: row.Rule, Score: row.Score, Why: row.Why, Live: true,
			MadeBy: row.MadeBy, MadeAt: row.MadeAt.UTC(), Ledger: postings[row.ID], Bank: lines[row.ID]})
	}
	return items, more, err
}

// keptBreak is a break as a signed version keeps it.
type keptBreak struct {
	BreakID, FoundBy   int64
	Type               recon.BreakType
	Status             recon.Status
	Resolution         recon.Resolution
	DifferenceMinor    int64
	Currency, Why      string
	FirstSeenOn, Since ledger.Date
	ReasonCode         recon.Reason
	Note, ResolvedBy   string
	ResolvedAt         *time.Time
}

const keptBreakColumns = `b.break_id, b.found_by, b.type, b.status, coalesce(b.resolution, '') AS resolution, b.difference_minor, b.currency, b.why, b.first_seen_on,
	b.since, b.reason_code, b.note, b.resolved_by, b.resolved_at`

// keptBreaks are rows as breaks of an account, with both sides read from tables of their items.
func keptBreaks(db *gorm.DB, book Book, account string, rows []keptBreak, postingTable, lineTable string) ([]Break, error) {
	ids := make(array[int64], len(rows))
	for i, row := range rows {
		ids[i] = row.BreakID
	}
	postings, lines, err := loadSides(db, book, postingTable, lineTable, "break_id", ids)
	if err != nil {
		return nil, fmt.Errorf("read the lines of breaks: %w", err)
	}
	items := make([]Break, len(rows))
	for i, r := range rows {
		items[i] = Break{ID: r.BreakID, Account: account, ReconciliationID: r.FoundBy, Type: r.Type, Status: r.Status, Resolution: r.Resolution,
			DifferenceMinor: r.DifferenceMinor, Currency: r.Currency, Why: r.Why, FirstSeenOn: r.FirstSeenOn, Ledger: postings[r.BreakID], Bank: lines[r.BreakID]}
	}
	return items, nil
}

// breaksKept is Breaks for a signed version.
func breaksKept(db *gorm.DB, book Book, f BreakFilter, version int) (items []Break, more bool, err error) {
	id, limit := f.ReconciliationID, pageSize(f.Limit)
	rows, err := query[keptBreak](db, `
		SELECT `+keptBreakColumns+` FROM `+signedBreaks.kept(id, version)+` b
		 WHERE b.book_id = ? AND (? = '' OR b.type = ?) AND (? = '' OR b.status = ?) AND (? = '' OR `+standingSQL+` = ?)
		 ORDER BY array_position(CAST(? AS text[]), b.type), b.since, b.difference_minor, b.break_id OFFSET ? LIMIT ?`,
		book.ID, f.Type, f.Type, f.Status, f.Status, f.Standing, f.Standing, typeOrder(), f.After, limit+1)
	if err != nil {
		return nil, false, fmt.Errorf("list the breaks of version %d: %w", version, err)
	}
	if more = len(rows) > limit; more {
		rows = rows[:limit]
	}
	account, err := queryOne[struct{ Code string }](db, "the account is gone", `SELECT account_code AS code FROM signoffs WHERE book_id = ? AND reconciliation_id = ? AND version = ?`,
		book.ID, id, version)
	if err != nil {
		return nil, false, err
	}
	items, err = keptBreaks(db, book, account.Code, rows, signedBreakPostings.kept(id, version), signedBreakLines.kept(id, version))
	return items, more, err
}

// MatchCount is how many matches a rule of a kind made.
type MatchCount struct {
	Kind    recon.Kind
	Matches int
}
