package store

import "fmt"

// linkChecks find what an entry by itself does not tell: whether what it links to is there, and goes with it. Each query selects seq and
// what of all faults of a kind in book @book; the lowest seq counts. They ask for entries with links only, which an index knows.
var linkChecks = []string{
	`SELECT e.seq, 'reverses entry ' || e.reverses || ', which ' ||
	        CASE WHEN o.seq IS NULL THEN 'does not exist' WHEN o.kind = 'reversal' THEN 'is itself a reversal' ELSE 'does not come before it' END AS what
	   FROM entries e LEFT JOIN entries o ON o.book_id = e.book_id AND o.seq = e.reverses
	  WHERE e.book_id = @book AND e.reverses IS NOT NULL AND (o.seq IS NULL OR o.kind = 'reversal' OR o.seq >= e.seq)`,

	`SELECT e.seq, 'reverses entry ' || e.reverses || ', which entry ' || o.seq || ' had reversed already' AS what
	   FROM entries e JOIN entries o ON o.book_id = e.book_id AND o.reverses = e.reverses AND o.seq < e.seq
	  WHERE e.book_id = @book AND e.reverses IS NOT NULL AND (e.part = 0 OR o.part = 0 OR e.part = o.part)`,

	`SELECT e.seq, 'is not the opposite of entry ' || e.reverses || ', which it reverses' AS what
	   FROM entries e
	  WHERE e.book_id = @book AND e.reverses IS NOT NULL AND e.part = 0 AND EXISTS (
	        SELECT FROM (SELECT p.line, p.account_id, p.currency, p.amount_minor FROM postings p WHERE p.book_id = @book AND p.seq = e.seq) n
	          FULL JOIN (SELECT p.line, p.account_id, p.currency, -p.amount_minor AS amount_minor FROM postings p WHERE p.book_id = @book AND p.seq = e.reverses) o
	            ON o.line = n.line AND o.account_id = n.account_id AND o.currency = n.currency AND o.amount_minor = n.amount_minor
	         WHERE n.line IS NULL OR o.line IS NULL)`,

	`SELECT e.seq, 'replaces entry ' || e.replaces || ', which ' || CASE WHEN o.seq IS NULL THEN 'does not exist' ELSE 'does not come before it' END AS what
	   FROM entries e LEFT JOIN entries o ON o.book_id = e.book_id AND o.seq = e.replaces
	  WHERE e.book_id = @book AND e.replaces IS NOT NULL AND (o.seq IS NULL OR o.seq >= e.seq)`,

	`SELECT e.seq, 'replaces entry ' || e.replaces || ', which entry ' || o.seq || ' had replaced already' AS what
	   FROM entries e JOIN entries o ON o.book_id = e.book_id AND o.replaces = e.replaces AND o.seq < e.seq
	  WHERE e.book_id = @book AND e.replaces IS NOT NULL`,

	`SELECT e.seq, 'is a ' || e.kind || ' that nobody approved' AS what
	   FROM entries e
	  WHERE e.book_id = @book AND (e.reverses IS NOT NULL OR e.replaces IS NOT NULL) AND NOT EXISTS (
	        SELECT FROM approvals a JOIN approval_decisions d ON d.book_id = a.book_id AND d.approval_id = a.id
	         WHERE a.book_id = @book AND a.id = e.approval_id AND d.decision = 'approved' AND e.seq IN (d.reversal_seq, d.replacement_seq, d.entry_seq))`,
}

// checkLinks looks for links between entries that do not hold.
func (v *verifier) checkLinks() (*Fault, error) {
	var first *Fault
	for _, check := range linkChecks {
		faults, err := query[Fault](v.tx, `SELECT f.seq, f.what FROM (`+check+`) f ORDER BY f.seq LIMIT 1`, map[string]any{"book": v.book.ID})
		if err != nil {
			return nil, fmt.Errorf("look at the links between entries: %w", err)
		}
		if len(faults) > 0 && (first == nil || faults[0].Seq < first.Seq) {
			first = &faults[0]
		}
	}
	return first, nil
}
