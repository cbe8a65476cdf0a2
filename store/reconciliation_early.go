package store

import (
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// EarlyPostings count in the balance of a reconciliation and are no breaks, since they are dated before the day from which the account is
// held against statements. What they come to is part of what its proof leaves unexplained: no statement has them, and none must.
type EarlyPostings struct {
	Before      ledger.Date // the account's reconcile_from
	Postings    int
	AmountMinor int64
	First       []PostingSide // some of them, the earliest first
}

// earlyShown is how many of them are named.
const earlyShown = 5

// earlySQL finds them: postings in no match and no break of a time that statements speak for already or, where a bank stated what it had, of
// any time, recorded since the account was first matched. What else is of before was in that balance, or was assumed to be.
const earlySQL = `
	  FROM reconciliations r
	  JOIN accounts a ON a.book_id = r.book_id AND a.id = r.account_id
	 CROSS JOIN LATERAL (SELECT min(f.scope_from) AS day, min(f.created_at) AS at FROM reconciliations f
	                      WHERE f.book_id = r.book_id AND f.account_id = r.account_id AND f.status <> 'undone') f
	  JOIN postings o ON o.book_id = r.book_id AND o.account_id = r.account_id AND ` + countsSQL + `
	  JOIN entries e ON e.book_id = o.book_id AND e.seq = o.seq AND e.effective_on < a.reconcile_from AND e.effective_on <= r.scope_to
	       AND (e.effective_on >= f.day AND (r.assumed_from IS NULL OR e.effective_on >= r.assumed_from) OR r.assumed_from IS NULL AND e.recorded_at > f.at)
	 WHERE r.book_id = @book AND r.id = @id
	   AND NOT EXISTS (SELECT FROM match_postings m WHERE m.book_id = o.book_id AND m.seq = o.seq AND m.line = o.line AND m.live)
	   AND NOT EXISTS (SELECT FROM break_postings b WHERE b.book_id = o.book_id AND b.seq = o.seq AND b.line = o.line AND b.live)`

// earlyDaysSQL looks in the kept totals whether there can be any: mostly there is none, and the postings need not be read.
const earlyDaysSQL = `
	SELECT d.effective_on
	  FROM reconciliations r
	  JOIN accounts a ON a.book_id = r.book_id AND a.id = r.account_id
	 CROSS JOIN LATERAL (SELECT min(f.scope_from) AS day, min(f.created_at) AS at FROM reconciliations f
	                      WHERE f.book_id = r.book_id AND f.account_id = r.account_id AND f.status <> 'undone') f
	  JOIN account_days d ON d.book_id = r.book_id AND d.account_id = r.account_id AND d.effective_on < a.reconcile_from
	       AND (d.effective_on >= f.day OR d.recorded_on >= CAST(f.at AT TIME ZONE 'UTC' AS date))
	 WHERE r.book_id = @book AND r.id = @id LIMIT 1`

// loadEarly gives the early postings of a reconciliation, nil where there are none.
func loadEarly(tx *gorm.DB, book Book, id int64, account ledger.Account) (*EarlyPostings, error) {
	args := map[string]any{"book": book.ID, "id": id, "most": earlyShown}
	days, err := query[ledger.Date](tx, earlyDaysSQL, args)
	if err != nil || len(days) == 0 {
		return nil, err
	}
	sum, err := queryOne[struct {
		Postings int
		Minor    string
	}](tx, "no sum", `SELECT count(*) AS postings, coalesce(sum(o.amount_minor), 0)::text AS minor`+earlySQL, args)
	if err != nil || sum.Postings == 0 {
		return nil, err
	}
	early := &EarlyPostings{Before: account.ReconcileFrom, Postings: sum.Postings}
	if early.AmountMinor, err = strconv.ParseInt(sum.Minor, 10, 64); err != nil {
		return nil, ledger.Refuse(ledger.KindAmountOverflow, "what is dated before the account is held against statements adds up to more than the largest amount")
	}
	early.First, err = query[PostingSide](tx, `
		SELECT o.seq, o.line, e.tx_id, e.effective_on, e.description, coalesce(nullif(e.metadata->>'reference', ''), e.tx_id) AS reference, o.amount_minor, o.currency`+
		earlySQL+` ORDER BY e.effective_on, o.seq, o.line LIMIT @most`, args)
	if err != nil {
		return nil, fmt.Errorf("read what is dated before account %s is held against statements: %w", account.Code, err)
	}
	return early, nil
}
