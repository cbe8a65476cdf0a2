package store

import (
	"fmt"

	"gorm.io/gorm"
)

// sinceSQL joins reconciliations r with the postings p of their accounts that came after their matching, so many at most; notTakenSQL leaves out those that a
// person took in since.
const (
	sinceSQL = `
		  FROM reconciliations r
		 CROSS JOIN LATERAL (
		       SELECT p.seq, p.line FROM postings p WHERE p.book_id = r.book_id AND p.account_id = r.account_id AND p.seq > r.ledger_seq ORDER BY p.seq LIMIT 100000) p`
	notTakenSQL = `
		   AND NOT EXISTS (SELECT FROM reconciliation_postings t WHERE t.book_id = r.book_id AND t.reconciliation_id = r.id AND t.seq = p.seq AND t.line = p.line)`
)

// postingsSince counts, by reconciliation, the postings that came after its matching and that it would look at: those of its period, and
// of the window behind it where it is the account's latest, but for those that a person matched since. What it reads is bounded. One without such postings is left out.
func postingsSince(tx *gorm.DB, book Book, ids ...int64) (map[int64]int, error) {
	rows, err := query[struct {
		ID       int64
		Postings int
	}](tx, `
		SELECT r.id, count(e.seq) AS postings`+sinceSQL+`
		  JOIN entries e ON e.book_id = r.book_id AND e.seq = p.seq
		        AND e.effective_on <= r.scope_to + CASE WHEN EXISTS (SELECT FROM reconciliations n WHERE n.book_id = r.book_id
		                                                       AND n.account_id = r.account_id AND n.status <> 'undone'
		                                                       AND (n.scope_to, n.id) > (r.scope_to, r.id))
		                                             THEN 0 ELSE CAST(coalesce(r.rules->>'WindowDays', '0') AS integer) END
		 WHERE r.book_id = ? AND r.id = ANY(?::bigint[])`+notTakenSQL+`
		 GROUP BY r.id`, book.ID, array[int64](ids))
	if err != nil {
		return nil, fmt.Errorf("count postings since the matching of reconciliations %d: %w", ids, err)
	}
	counts := map[int64]int{}
	for _, row := range rows {
		counts[row.ID] = row.Postings
	}
	return counts, nil
}

// lateInPeriod counts the postings dated in the period of a reconciliation that came after its matching and that nobody took in: its balance per ledger
// lacks them. What it reads is bounded.
func lateInPeriod(tx *gorm.DB, book Book, id int64) (int, error) {
	return queryOne[int](tx, "no count", `
		SELECT count(*)`+sinceSQL+`
		  JOIN entries e ON e.book_id = r.book_id AND e.seq = p.seq AND e.effective_on + 0 <= r.scope_to
		 WHERE r.book_id = ? AND r.id = ?`+notTakenSQL, book.ID, id)
}
