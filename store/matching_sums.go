package store

import (
	"math"

	"daybook/store/ledger"
)

// checkSums refuses a reconciliation whose sums are beyond the largest amount: it could never be shown, nor a list that it is in. Where all that
// they could be made of is far below that, they are not added up. Error: KindAmountOverflow.
func (r *run) checkSums() error {
	small, err := queryOne[bool](r.tx, "the reconciliation is gone", `
		SELECT (SELECT coalesce(sum(abs(amount_minor)), 0) FROM statement_lines WHERE book_id = @book AND account_id = @account)
		     + (SELECT coalesce(sum(debit_minor + CAST(credit_minor AS numeric)), 0) FROM account_totals WHERE book_id = @book AND account_id = @account)
		     + (SELECT coalesce(sum(abs(difference_minor)), 0) FROM breaks WHERE book_id = @book AND account_id = @account)
		     + (SELECT abs(CAST(statement_minor AS numeric)) FROM reconciliations WHERE book_id = @book AND id = @id) < @small`,
		map[string]any{"book": r.actor.Book.ID, "account": r.account.ID, "id": r.id, "small": int64(math.MaxInt64 / 64)})
	if err != nil || small {
		return err
	}
	_, err = loadReconciliations(r.tx, r.actor.Book, `r.id = ?`, r.id)
	return err
}

// ledgerBalance is the balance of the account at the end of a day, as of the journal's head when the run began: the kept totals of its days, less
// what was posted since.
func (r *run) ledgerBalance(day ledger.Date) (int64, error) {
	return queryOne[int64](r.tx, "no balance", `
		SELECT (SELECT coalesce(sum(CAST(d.debit_minor AS numeric) - d.credit_minor), 0) FROM account_days d
		         WHERE d.book_id = @book AND d.account_id = @account AND d.effective_on <= @day)
		     - (SELECT coalesce(sum(p.amount_minor), 0) FROM postings p JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq
		         WHERE p.book_id = @book AND p.account_id = @account AND p.seq > @seq AND e.effective_on + 0 <= @day)`,
		map[string]any{"book": r.actor.Book.ID, "account": r.account.ID, "day": day, "seq": r.seq})
}
