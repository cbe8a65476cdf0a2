package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
)

// countPostings is takeIn for an account.
func countPostings(tx *gorm.DB, book Book, accountID int64, postings []handPosting) error {
	if len(postings) == 0 {
		return nil
	}
	seqs, lines := handSet{postings: postings}.postingRefs()
	if _, err := exec(tx, `
		WITH taken AS (
			INSERT INTO reconciliation_postings (book_id, reconciliation_id, seq, line)
			SELECT r.book_id, r.id, u.seq, u.line
			  FROM unnest(CAST(@seqs AS bigint[]), CAST(@lines AS integer[])) AS u (seq, line)
			  JOIN entries e ON e.book_id = @book AND e.seq = u.seq
			  JOIN reconciliations r ON r.book_id = @book AND r.account_id = @account AND r.status = @open AND e.effective_on <= r.scope_to AND u.seq > r.ledger_seq
			ON CONFLICT (book_id, reconciliation_id, seq, line) DO NOTHING RETURNING reconciliation_id, seq, line)
		UPDATE reconciliations r SET ledger_minor = r.ledger_minor + s.minor
		  FROM (SELECT t.reconciliation_id, CAST(sum(p.amount_minor) AS bigint) AS minor
		          FROM taken t JOIN postings p ON p.book_id = @book AND p.seq = t.seq AND p.line = t.line GROUP BY t.reconciliation_id) s
		 WHERE r.book_id = @book AND r.id = s.reconciliation_id`,
		map[string]any{"book": book.ID, "account": accountID, "open": ReconciliationOpen, "seqs": seqs, "lines": lines}); err != nil {
		return fmt.Errorf("count postings that came after the matching: %w", err)
	}
	return reachOn(tx, book, accountID)
}

// reachOn moves what an open reconciliation says that it is as of to the last posting that was taken in, where every posting that it would look at until
// then was: an adjusting entry right after the matching. As long as another posting is in between, it is as of the matching.
func reachOn(tx *gorm.DB, book Book, accountID int64) error {
	if _, err := exec(tx, `
		UPDATE reconciliations r SET ledger_seq = t.last
		  FROM (SELECT t.reconciliation_id, max(t.seq) AS last FROM reconciliations o
		          JOIN reconciliation_postings t ON t.book_id = o.book_id AND t.reconciliation_id = o.id
		         WHERE o.book_id = @book AND o.account_id = @account AND o.status = @open AND t.seq > o.ledger_seq GROUP BY t.reconciliation_id) t
		 WHERE r.book_id = @book AND r.id = t.reconciliation_id
		   AND NOT EXISTS (SELECT FROM postings p JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq AND e.effective_on + 0 <= r.scope_to + CAST(@window AS integer)
		                    WHERE p.book_id = r.book_id AND p.account_id = r.account_id AND p.seq > r.ledger_seq AND p.seq <= t.last
		                      AND NOT EXISTS (SELECT FROM reconciliation_postings i WHERE i.book_id = r.book_id AND i.reconciliation_id = r.id AND i.seq = p.seq AND i.line = p.line))`,
		map[string]any{"book": book.ID, "account": accountID, "open": ReconciliationOpen, "window": recon.MaxWindowDays}); err != nil {
		return fmt.Errorf("say up to which entry reconciliations reach: %w", err)
	}
	return nil
}
