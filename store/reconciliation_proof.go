package store

import (
	"strconv"

	"daybook/recon"
	"daybook/store/ledger"
)

// What a proof explains besides its breaks follows from the matches, not from what breaks were once: whatever of a match lies on one
// side of the period's end only is a difference at that end, and an explained one. Postings count that the run had seen, or that a person
// matched in it since.

// countsSQL says whether a posting o counts in the balance of a reconciliation r, whatever its day.
const countsSQL = `(o.seq <= r.ledger_seq OR EXISTS (SELECT FROM reconciliation_postings t
		                                           WHERE t.book_id = r.book_id AND t.reconciliation_id = r.id AND t.seq = o.seq AND t.line = o.line))`

// clearedLaterSQL finds what the ledger had in the period and the bank only after its end: payments outstanding, receipts in transit. It
// begins with the lines after the end, of which there are few where it matters; the planner cannot know that, so it is told.
const clearedLaterSQL = `
		SELECT DISTINCT r.id, p.seq, p.line, p.amount_minor, p.amount_minor < 0 AS payment
		  FROM reconciliations r
		 CROSS JOIN LATERAL (SELECT s.id FROM statement_lines s
		                      WHERE s.book_id = r.book_id AND s.account_id = r.account_id AND s.booked_on > r.scope_to AND NOT s.undone OFFSET 0) s
		 CROSS JOIN LATERAL (SELECT i.match_id FROM match_lines i WHERE i.book_id = r.book_id AND i.line_id = s.id AND i.live OFFSET 0) i
		  JOIN match_postings o ON o.book_id = r.book_id AND o.match_id = i.match_id AND o.live AND ` + countsSQL + `
		  JOIN postings p ON p.book_id = o.book_id AND p.seq = o.seq AND p.line = o.line
		  JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq AND e.effective_on <= r.scope_to
		 WHERE r.book_id = @book AND r.id = ANY(CAST(@ids AS bigint[]))
		   AND NOT EXISTS (SELECT FROM match_lines i2 JOIN statement_lines s2 ON s2.book_id = i2.book_id AND s2.id = i2.line_id
		                    WHERE i2.book_id = r.book_id AND i2.match_id = i.match_id AND i2.live AND s2.booked_on <= r.scope_to)`

// bookedLaterSQL finds what the bank had in the period and the ledger only after its end, or only since the run. It begins with the
// matches that have a posting of later; whether all their postings are is looked at one by one.
const bookedLaterSQL = `
		SELECT DISTINCT h.id, s.id AS line_id, s.amount_minor, false AS payment
		  FROM (SELECT r.id, i.line_id, i.match_id
		          FROM reconciliations r
		         CROSS JOIN LATERAL (
		               SELECT m.id FROM matches m WHERE m.book_id = r.book_id AND m.reconciliation_id = r.id AND m.live AND m.last_effective_on > r.scope_to
		               UNION
		               SELECT m.id FROM matches m WHERE m.book_id = r.book_id AND m.reconciliation_id = r.id AND m.live AND m.last_seq > r.ledger_seq
		               UNION
		               SELECT m.id FROM matches m WHERE m.book_id = r.book_id AND m.reconciliation_id = r.id AND m.live AND m.last_seq IS NULL) m
		         CROSS JOIN LATERAL (SELECT i.line_id, i.match_id FROM match_lines i WHERE i.book_id = r.book_id AND i.match_id = m.id AND i.live OFFSET 0) i
		         WHERE r.book_id = @book AND r.id = ANY(CAST(@ids AS bigint[]))
		        UNION
		        SELECT b.reconciliation_id, i.line_id, i.match_id
		          FROM reconciliation_breaks b JOIN break_lines o ON o.book_id = b.book_id AND o.break_id = b.break_id
		          JOIN match_lines i ON i.book_id = o.book_id AND i.line_id = o.line_id AND i.live
		         WHERE b.book_id = @book AND b.reconciliation_id = ANY(CAST(@ids AS bigint[]))
		        UNION ` + broughtLaterSQL + `) h
		  JOIN reconciliations r ON r.book_id = @book AND r.id = h.id
		  JOIN statement_lines s ON s.book_id = @book AND s.id = h.line_id AND s.booked_on <= r.scope_to
		 WHERE NOT EXISTS (SELECT FROM match_postings o JOIN entries e ON e.book_id = o.book_id AND e.seq = o.seq
		                    WHERE o.book_id = @book AND o.match_id = h.match_id AND o.live AND e.effective_on <= r.scope_to AND ` + countsSQL + `)`

// broughtLaterSQL finds what is matched of the lines in the period that another file brought, and that this reconciliation may never have seen in a
// break: a later file, or any where its own file came after one that reaches further.
const broughtLaterSQL = `
		SELECT r.id, i.line_id, i.match_id
		  FROM reconciliations r
		  JOIN statements q ON q.book_id = r.book_id AND q.account_id = r.account_id AND q.undone_at IS NULL AND q.period_from <= r.scope_to AND q.id <> r.statement_id
		       AND (q.id > r.statement_id OR EXISTS (SELECT FROM reconciliations n WHERE n.book_id = r.book_id AND n.account_id = r.account_id AND n.id < r.id
		                                                AND n.scope_to > r.scope_to AND n.status <> 'undone'))
		 CROSS JOIN LATERAL (SELECT s.id FROM statement_lines s WHERE s.book_id = q.book_id AND s.statement_id = q.id AND s.booked_on <= r.scope_to OFFSET 0) s
		 CROSS JOIN LATERAL (SELECT i.line_id, i.match_id FROM match_lines i WHERE i.book_id = r.book_id AND i.line_id = s.id AND i.live OFFSET 0) i
		 WHERE r.book_id = @book AND r.id = ANY(CAST(@ids AS bigint[])) AND r.status = 'open'`

// reversedLaterSQL finds what was reversed after the period's end, or since the run: the ledger had it then.
const reversedLaterSQL = `
		SELECT r.id, min(p.seq) AS seq, min(p.line) AS line, sum(p.amount_minor) AS amount_minor, false AS payment
		  FROM reconciliations r
		  JOIN matches m ON m.book_id = r.book_id AND m.account_id = r.account_id AND m.live AND m.kind = 'reversed_pair'
		  JOIN match_postings o ON o.book_id = m.book_id AND o.match_id = m.id AND o.live AND ` + countsSQL + `
		  JOIN postings p ON p.book_id = o.book_id AND p.seq = o.seq AND p.line = o.line
		  JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq AND e.effective_on <= r.scope_to
		 WHERE r.book_id = @book AND r.id = ANY(CAST(@ids AS bigint[]))
		 GROUP BY r.id, m.id HAVING count(*) = 1`

// partlyLaterSQL finds what is inside, at the period's end, of matches of several lines that lie on both sides of it in part, so that what is
// inside does not add up: not those of which nothing of one side is inside, which are found above. It is timing when only lines of the bank
// are still to come. Its amounts are signed as ledger less bank.
const partlyLaterSQL = `
		SELECT w.id, w.seq, w.line, w.line_id, w.amount_minor, w.minor < 0 AS payment, w.line_out AND NOT w.posting_out AS timing
		  FROM (SELECT i.*, sum(i.amount_minor) FILTER (WHERE i.inside) OVER m AS minor,
		               bool_or(i.inside AND i.seq IS NOT NULL) OVER m AS posting_in, bool_or(NOT i.inside AND i.seq IS NOT NULL) OVER m AS posting_out,
		               bool_or(i.inside AND i.line_id IS NOT NULL) OVER m AS line_in, bool_or(NOT i.inside AND i.line_id IS NOT NULL) OVER m AS line_out
		          FROM (SELECT r.id, m.id AS match_id, o.seq, o.line, CAST(NULL AS bigint) AS line_id, CAST(p.amount_minor AS numeric) AS amount_minor,
		                       e.effective_on <= r.scope_to AND ` + countsSQL + ` AS inside
		                  FROM ` + severalSQL + `
		                  JOIN match_postings o ON o.book_id = m.book_id AND o.match_id = m.id AND o.live
		                  JOIN postings p ON p.book_id = o.book_id AND p.seq = o.seq AND p.line = o.line
		                  JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq
		                 WHERE r.book_id = @book AND r.id = ANY(CAST(@ids AS bigint[]))
		                UNION ALL
		                SELECT r.id, m.id, NULL, NULL, s.id, CASE WHEN s.currency = a.currency THEN -s.amount_minor ELSE 0 END, s.booked_on <= r.scope_to
		                  FROM ` + severalSQL + `
		                  JOIN accounts a ON a.book_id = r.book_id AND a.id = r.account_id
		                  JOIN match_lines i ON i.book_id = m.book_id AND i.match_id = m.id AND i.live
		                  JOIN statement_lines s ON s.book_id = i.book_id AND s.id = i.line_id
		                 WHERE r.book_id = @book AND r.id = ANY(CAST(@ids AS bigint[]))) i
		        WINDOW m AS (PARTITION BY i.id, i.match_id)) w
		 WHERE w.inside AND w.minor <> 0 AND w.posting_in AND (w.line_in OR NOT w.line_out)`

// severalSQL joins to reconciliations r the matches m of several lines, or by hand, of which something may be inside and something not.
const severalSQL = `reconciliations r
		  JOIN matches m ON m.book_id = r.book_id AND m.account_id = r.account_id AND m.live AND m.kind IN ('batch', 'split', 'manual')
		       AND m.first_on <= r.scope_to AND (m.last_on > r.scope_to OR m.last_seq > r.ledger_seq)`

// outsideSQL finds what explained breaks hold that is not inside at the period's end: a posting of later that is bound to a line of the period
// is part of their difference, and of no balance yet. Its amounts take that off again.
const outsideSQL = `
		SELECT r.id, o.seq, o.line, CAST(NULL AS bigint) AS line_id, CAST(-p.amount_minor AS numeric) AS amount_minor, false AS payment
		  FROM ` + explainedSQL + `
		  JOIN break_postings o ON o.book_id = b.book_id AND o.break_id = b.id AND o.live
		  JOIN postings p ON p.book_id = o.book_id AND p.seq = o.seq AND p.line = o.line
		  JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq
		 WHERE h.book_id = @book AND h.reconciliation_id = ANY(CAST(@ids AS bigint[])) AND NOT (e.effective_on <= r.scope_to AND ` + countsSQL + `)
		UNION ALL
		SELECT r.id, NULL, NULL, s.id, s.amount_minor, false
		  FROM ` + explainedSQL + `
		  JOIN break_lines i ON i.book_id = b.book_id AND i.break_id = b.id AND i.live
		  JOIN statement_lines s ON s.book_id = i.book_id AND s.id = i.line_id AND s.currency = b.currency AND s.booked_on > r.scope_to
		 WHERE h.book_id = @book AND h.reconciliation_id = ANY(CAST(@ids AS bigint[]))`

const explainedSQL = `reconciliation_breaks h
		  JOIN breaks b ON b.book_id = h.book_id AND b.id = h.break_id AND b.resolution IN ('carried_forward', 'external')
		  JOIN reconciliations r ON r.book_id = h.book_id AND r.id = h.reconciliation_id`

func (l reconciliationLoad) outside() error {
	return l.explain(recon.MissingInLedger, 1, outsideSQL)
}

func (l reconciliationLoad) partlyLater() error {
	if err := l.explain(recon.Timing, 1, `SELECT * FROM (`+partlyLaterSQL+`) f WHERE f.timing`); err != nil {
		return err
	}
	return l.explain(recon.MissingInLedger, 1, `SELECT * FROM (`+partlyLaterSQL+`) f WHERE NOT f.timing`)
}

func (l reconciliationLoad) clearedLater() error {
	return l.explain(recon.Timing, 1, clearedLaterSQL)
}

func (l reconciliationLoad) bookedLater() error {
	return l.explain(recon.MissingInLedger, -1, bookedLaterSQL)
}

func (l reconciliationLoad) reversedLater() error {
	return l.explain(recon.MissingInLedger, 1, reversedLaterSQL)
}

// explain adds to the proof the sums of what a query finds, payments and receipts apart. sign is 1 for the ledger's side.
func (l reconciliationLoad) explain(kind recon.BreakType, sign int64, found string) error {
	sums, err := query[struct {
		ID      int64
		Payment bool
		Minor   string
	}](l.tx, `SELECT f.id, f.payment, sum(f.amount_minor)::text AS minor FROM (`+found+`) f GROUP BY f.id, f.payment ORDER BY f.id, f.payment`,
		map[string]any{"book": l.book.ID, "ids": l.ids})
	for _, sum := range sums {
		minor, err := strconv.ParseInt(sum.Minor, 10, 64)
		if err != nil {
			return ledger.Refuse(ledger.KindAmountOverflow, "what the proof explains adds up to more than the largest amount")
		}
		l.differences[sum.ID] = append(l.differences[sum.ID], recon.Difference{Type: kind, Resolution: recon.CarriedForward, Minor: sign * minor})
	}
	return err
}
