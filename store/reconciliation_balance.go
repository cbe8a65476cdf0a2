package store

import (
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// Files come in any order: one of an earlier day, or one that overlaps, may bring lines of a time for which the balance was worked out before. So the
// balance per statement of a reconciliation whose file states none is not carried from upload to upload but worked out from what is known:
//
//   - the balance that the last file before its end states, and the lines that this balance does not hold; or, where none states any,
//   - what the ledger had before statements are held against it, as far as nothing is found of that, and all lines up to its end.
//
// What is submitted or signed off stays as it was.

// balanceBasis is what the balance per statement of a reconciliation is made of.
type balanceBasis struct {
	ID            int64
	StatedMinor   *int64      // by the last file before its end that states one
	LinesMinor    string      // of the lines that this does not hold
	AssumedFrom   ledger.Date // where no file states one
	AssumedMinor  string
	Follows       bool // another statement of the account came before
	WasMinor      int64
	WasFrom       ledger.Date
	WasAssumed    *int64
	BalanceSource recon.BalanceSource // as it was
}

// rebalance works out the balance per statement of the account's open reconciliations whose files state none. Error: KindAmountOverflow.
func rebalance(tx *gorm.DB, book Book, accountID int64) error {
	found, err := query[balanceBasis](tx, balanceBasisSQL, map[string]any{"book": book.ID, "account": accountID, "open": ReconciliationOpen, "stated": recon.StatedClosing})
	if err != nil {
		return fmt.Errorf("read what balances are made of: %w", err)
	}
	for _, b := range found {
		minor, source, assumed, err := b.balance()
		if err != nil {
			return err
		}
		var from ledger.Date
		if assumed != nil {
			from = b.AssumedFrom
		}
		if minor == b.WasMinor && source == b.BalanceSource && from == b.WasFrom && (assumed == nil) == (b.WasAssumed == nil) && (assumed == nil || *assumed == *b.WasAssumed) {
			continue
		}
		if _, err := exec(tx, `UPDATE reconciliations SET statement_minor = ?, balance_source = ?, assumed_from = ?, assumed_minor = ? WHERE book_id = ? AND id = ?`,
			minor, source, from, assumed, book.ID, b.ID); err != nil {
			return fmt.Errorf("change the balance of reconciliation %d: %w", b.ID, err)
		}
	}
	return nil
}

// balance adds it up. assumed is nil where a file states a balance.
func (b balanceBasis) balance() (minor int64, source recon.BalanceSource, assumed *int64, err error) {
	lines, err := strconv.ParseInt(b.LinesMinor, 10, 64)
	opening := int64(0)
	if err == nil && b.StatedMinor == nil {
		opening, err = strconv.ParseInt(b.AssumedMinor, 10, 64)
		assumed = &opening
	}
	if err != nil {
		return 0, "", nil, ledger.Refuse(ledger.KindAmountOverflow, "the lines of the account add up to more than the largest amount")
	}
	minor, source, err = recon.StatementBalance(nil, b.StatedMinor, opening, lines)
	if b.Follows {
		source = recon.PreviousClosing
	}
	return minor, source, assumed, err
}

// balanceBasisSQL adds lines up by day and file, once, before it holds them against each reconciliation. Postings of before statements are held
// against the account are rare: the totals of its days tell whether there are any.
const balanceBasisSQL = `
	WITH account AS (
		SELECT a.id, a.currency, a.reconcile_from,
		       EXISTS (SELECT FROM account_days d WHERE d.book_id = a.book_id AND d.account_id = a.id AND d.effective_on < a.reconcile_from) AS early
		  FROM accounts a WHERE a.book_id = @book AND a.id = @account),
	days AS MATERIALIZED (
		SELECT l.booked_on, l.statement_id, sum(l.amount_minor) AS minor
		  FROM account a JOIN statement_lines l ON l.book_id = @book AND l.account_id = a.id AND l.currency = a.currency AND NOT l.undone
		 GROUP BY l.booked_on, l.statement_id),
	free AS MATERIALIZED (
		SELECT p.seq, p.line, e.effective_on, p.amount_minor
		  FROM account a JOIN postings p ON p.book_id = @book AND p.account_id = a.id
		  JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq AND e.effective_on + 0 < a.reconcile_from
		 WHERE a.early
		   AND NOT EXISTS (SELECT FROM match_postings m WHERE m.book_id = p.book_id AND m.seq = p.seq AND m.line = p.line AND m.live)
		   AND NOT EXISTS (SELECT FROM break_postings i WHERE i.book_id = p.book_id AND i.seq = p.seq AND i.line = p.line AND i.live))
	SELECT r.id, p.statement_minor AS stated_minor, a.reconcile_from AS assumed_from,
	       (SELECT coalesce(sum(d.minor), 0) FROM days d
	         WHERE d.booked_on <= r.scope_to
	           AND (p.id IS NULL OR d.booked_on > p.scope_to OR d.booked_on >= p.scope_from AND d.statement_id > p.statement_id))::text AS lines_minor,
	       (SELECT coalesce(sum(o.amount_minor), 0) FROM free o WHERE o.effective_on <= r.scope_to AND ` + countsSQL + `)::text AS assumed_minor,
	       EXISTS (SELECT FROM reconciliations b WHERE b.book_id = r.book_id AND b.account_id = r.account_id AND b.status <> 'undone'
	                  AND (b.scope_to < r.scope_to OR b.scope_to = r.scope_to AND b.id < r.id)) AS follows,
	       r.statement_minor AS was_minor, r.assumed_from AS was_from, r.assumed_minor AS was_assumed, r.balance_source
	  FROM account a
	  JOIN reconciliations r ON r.book_id = @book AND r.account_id = a.id AND r.status = @open AND r.balance_source <> @stated
	  LEFT JOIN LATERAL (
	       SELECT p.id, p.statement_id, p.statement_minor, p.scope_from, p.scope_to FROM reconciliations p
	        WHERE p.book_id = r.book_id AND p.account_id = r.account_id AND p.scope_to <= r.scope_to AND p.status <> 'undone' AND p.balance_source = @stated
	        ORDER BY p.scope_to DESC, p.id DESC LIMIT 1) p ON true
	 ORDER BY r.id`
