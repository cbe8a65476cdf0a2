package store

import (
	"fmt"
	"strings"

	"gorm.io/gorm"
)

// signedPart is one table of what a signed version of a reconciliation keeps. live is a query, with @book and @id, for what an open
// reconciliation has of it now; the same columns of the table hold what was kept.
type signedPart struct {
	table   string
	columns string
	live    string
	// said is what the content hash covers of a row x, with joins to what the row only names, and order is that of the rows.
	said, joins, order string
}

// from is a query for the rows of the part: of a signed version, or as they are now where version is 0.
func (p signedPart) from(version int) string {
	if version == 0 {
		return `(` + p.live + `)`
	}
	return fmt.Sprintf(`(SELECT %s FROM %s WHERE book_id = @book AND reconciliation_id = @id AND version = %d)`, p.columns, p.table, version)
}

// keep copies the part as it is now into its table.
func (p signedPart) keep(tx *gorm.DB, book Book, id int64, version int) error {
	if _, err := exec(tx, `INSERT INTO `+p.table+` (book_id, reconciliation_id, version, `+p.columns+`) SELECT @book, @id, @version, `+p.columns+
		` FROM (`+p.live+`) x`, map[string]any{"book": book.ID, "id": id, "version": version}); err != nil {
		return fmt.Errorf("keep the %s of reconciliation %d: %w", strings.ReplaceAll(p.table, "_", " "), id, err)
	}
	return nil
}

// heldBreaks are the breaks b that a reconciliation holds: those superseded by its own matching are no part of it any more.
const (
	holdsBreaks = ` FROM reconciliation_breaks h JOIN breaks b ON b.book_id = h.book_id AND b.id = h.break_id AND b.superseded_by IS DISTINCT FROM h.reconciliation_id` + notUndoneSQL
	heldHere    = ` WHERE h.book_id = @book AND h.reconciliation_id = @id`
	heldBreaks  = holdsBreaks + heldHere
)

const ownMatches = ` FROM matches m WHERE m.book_id = @book AND m.reconciliation_id = @id AND m.live`

const (
	lineSaid  = `l.statement_id, l.row, l.booked_on, l.amount_minor, l.currency, l.reference, l.description`
	lineJoin  = ` JOIN statement_lines l ON l.book_id = @book AND l.id = x.line_id`
	microtime = `CAST(extract(epoch FROM %s) * 1000000 AS bigint)`
)

var (
	signedMatches = signedPart{
		table: "signoff_matches", columns: "match_id, kind, rule, score, why, made_by, made_at",
		live: `SELECT m.id AS match_id, m.kind, m.rule, m.score, m.why, coalesce((SELECT u.name FROM users u WHERE u.id = m.made_by), '') AS made_by, m.made_at` + ownMatches,
		said: `x.match_id, x.kind, x.rule, x.score, x.why, x.made_by, ` + fmt.Sprintf(microtime, "x.made_at"), order: "x.match_id",
	}
	signedMatchLines = signedPart{
		table: "signoff_match_lines", columns: "match_id, line_id",
		live: `SELECT i.match_id, i.line_id FROM match_lines i WHERE i.book_id = @book AND i.live AND i.match_id IN (SELECT m.id` + ownMatches + `)`,
		said: `x.match_id, x.line_id, ` + lineSaid, joins: lineJoin, order: "x.match_id, x.line_id",
	}
	signedMatchPostings = signedPart{
		table: "signoff_match_postings", columns: "match_id, seq, line",
		live: `SELECT i.match_id, i.seq, i.line FROM match_postings i WHERE i.book_id = @book AND i.live AND i.match_id IN (SELECT m.id` + ownMatches + `)`,
		said: `x.match_id, x.seq, x.line`, order: "x.match_id, x.seq, x.line",
	}
	signedBreaks = signedPart{
		table:   "signoff_breaks",
		columns: "break_id, found_by, type, difference_minor, currency, why, first_seen_on, since, status, resolution, reason_code, note, resolved_by, resolved_at",
		live: `SELECT b.id AS break_id, b.reconciliation_id AS found_by, b.type, b.difference_minor, b.currency, b.why, b.first_seen_on, coalesce(b.since, b.first_seen_on) AS since,
			       b.status, b.resolution, coalesce(e.reason_code, '') AS reason_code, coalesce(e.note, '') AS note,
			       coalesce((SELECT u.name FROM users u WHERE u.id = e.user_id), '') AS resolved_by, e.at AS resolved_at` + holdsBreaks + `
			  LEFT JOIN LATERAL (SELECT e.reason_code, e.note, e.user_id, e.at FROM break_events e
			                      WHERE e.book_id = b.book_id AND e.break_id = b.id AND e.resolution = b.resolution ORDER BY e.n DESC LIMIT 1) e ON true` + heldHere,
		said: `x.break_id, x.found_by, x.type, x.difference_minor, x.currency, x.why, x.first_seen_on, x.since, x.status, x.resolution, x.reason_code, x.note, x.resolved_by, ` +
			fmt.Sprintf(microtime, "x.resolved_at"),
		order: "x.break_id",
	}
	signedBreakLines = signedPart{
		table: "signoff_break_lines", columns: "break_id, line_id",
		live: `SELECT i.break_id, i.line_id FROM ` + breakLinesShown + ` i WHERE i.book_id = @book AND i.break_id IN (SELECT b.id` + heldBreaks + `)`,
		said: `x.break_id, x.line_id, ` + lineSaid, joins: lineJoin, order: "x.break_id, x.line_id",
	}
	signedBreakPostings = signedPart{
		table: "signoff_break_postings", columns: "break_id, seq, line",
		live: `SELECT i.break_id, i.seq, i.line FROM ` + breakPostingsShown + ` i WHERE i.book_id = @book AND i.break_id IN (SELECT b.id` + heldBreaks + `)`,
		said: `x.break_id, x.seq, x.line`, order: "x.break_id, x.seq, x.line",
	}
	signedExplained = signedPart{
		table: "signoff_explained", columns: "n, part, amount_minor, break_id, seq, line, line_id",
		live: `SELECT row_number() OVER (ORDER BY array_position(CAST('{outstanding,in_transit,other}' AS text[]), e.part), e.break_id, e.seq, e.line, e.line_id) AS n,
			       e.part, CAST(e.amount_minor AS bigint) AS amount_minor, e.break_id, e.seq, e.line, e.line_id
			  FROM (` + explainedByBreaks + ` UNION ALL ` + explainedByMatches + `) e`,
		said: `x.n, x.part, x.amount_minor, x.break_id, x.seq, x.line, x.line_id`, order: "x.n",
	}
	signedAdjustments = signedPart{
		table: "signoff_adjustments", columns: "seq, match_id",
		live: `SELECT DISTINCT i.seq, i.match_id FROM match_postings i JOIN entries e ON e.book_id = i.book_id AND e.seq = i.seq AND e.kind = 'adjustment'
			  WHERE i.book_id = @book AND i.match_id IN (SELECT m.id` + ownMatches + `)`,
		said: `x.seq, x.match_id`, order: "x.seq, x.match_id",
	}
)

// signedParts are all of them, in the order in which the content hash covers them.
func signedParts() []signedPart {
	return []signedPart{signedMatches, signedMatchLines, signedMatchPostings, signedBreaks, signedBreakLines, signedBreakPostings, signedExplained, signedAdjustments}
}

// What is explained is told apart as recon.Prove does: what only the ledger has is outstanding or in transit, all else is other.
const explainedByBreaks = `
	SELECT CASE WHEN b.resolution = 'external' OR b.type NOT IN ('timing', 'missing_in_bank') THEN 'other' WHEN b.difference_minor < 0 THEN 'outstanding' ELSE 'in_transit' END AS part,
	       CAST(b.difference_minor AS numeric) AS amount_minor, b.id AS break_id, CAST(NULL AS bigint) AS seq, CAST(NULL AS integer) AS line, CAST(NULL AS bigint) AS line_id` +
	heldBreaks + ` AND b.resolution IN ('carried_forward', 'external')`

var explainedByMatches = strings.ReplaceAll(`
	SELECT CASE WHEN f.payment THEN 'outstanding' ELSE 'in_transit' END, f.amount_minor, NULL, f.seq, f.line, NULL FROM (`+clearedLaterSQL+`) f
	 UNION ALL SELECT 'other', -f.amount_minor, NULL, NULL, NULL, f.line_id FROM (`+bookedLaterSQL+`) f
	 UNION ALL SELECT 'other', f.amount_minor, NULL, f.seq, f.line, NULL FROM (`+reversedLaterSQL+`) f
	 UNION ALL SELECT CASE WHEN NOT f.timing THEN 'other' WHEN f.payment THEN 'outstanding' ELSE 'in_transit' END, f.amount_minor, NULL, f.seq, f.line, f.line_id
	             FROM (`+partlyLaterSQL+`) f
	 UNION ALL SELECT 'other', f.amount_minor, NULL, f.seq, f.line, f.line_id FROM (`+outsideSQL+`) f`, `ANY(CAST(@ids AS bigint[]))`, `@id`)
