package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// BalanceQuery says of which balances: of entries effective until AsOf, recorded until KnownAt. Zero values do not bound.
type BalanceQuery struct {
	AsOf    ledger.Date
	KnownAt time.Time
}

// AccountBalance is an account with its turnover; the balance is debit - credit.
type AccountBalance struct {
	ledger.Account
	ledger.Turnover
}

// Balances is a trial balance. Totals are per currency; they fit because the book's turnover per currency is bounded.
type Balances struct {
	Accounts []AccountBalance
	Totals   map[string]ledger.Turnover
}

// Balances computes the trial balance of the actor's book, accounts by code, from the kept totals per day.
func (s *Store) Balances(ctx context.Context, actor Actor, q BalanceQuery) (Balances, error) {
	if err := actor.Need(RightRead); err != nil {
		return Balances{}, err
	}
	balances, err := queryBalances(s.db.WithContext(ctx), actor.Book, q)
	if err != nil {
		return Balances{}, fmt.Errorf("compute balances: %w", err)
	}
	result := Balances{Accounts: balances, Totals: map[string]ledger.Turnover{}}
	for _, balance := range balances {
		total := result.Totals[balance.Currency]
		total.DebitMinor += balance.DebitMinor
		total.CreditMinor += balance.CreditMinor
		result.Totals[balance.Currency] = total
	}
	return result, nil
}

// queryBalances sums whole recorded days from the kept totals, and the day on which KnownAt lies from the postings themselves.
func queryBalances(db *gorm.DB, book Book, q BalanceQuery) ([]AccountBalance, error) {
	asOf, knownAt := any(q.AsOf), any(nil)
	var knownDay ledger.Date
	if !q.KnownAt.IsZero() {
		knownAt, knownDay = q.KnownAt, ledger.DateOf(q.KnownAt)
	}
	return query[AccountBalance](db, `
		WITH turnover AS (
			SELECT d.account_id, d.debit_minor, d.credit_minor FROM account_days d
			 WHERE d.book_id = @book AND (CAST(@asof AS date) IS NULL OR d.effective_on <= @asof) AND (CAST(@day AS date) IS NULL OR d.recorded_on < @day)
			UNION ALL
			SELECT p.account_id, greatest(p.amount_minor, 0), greatest(-p.amount_minor, 0)
			  FROM entries e JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq
			 WHERE e.book_id = @book AND e.recorded_at >= CAST(@day AS date) AND e.recorded_at <= CAST(@known AS timestamptz)
			   AND (CAST(@asof AS date) IS NULL OR e.effective_on <= @asof))
		SELECT `+accountColumns+`, coalesce(sum(t.debit_minor), 0) AS debit_minor, coalesce(sum(t.credit_minor), 0) AS credit_minor
		  FROM accounts a LEFT JOIN turnover t ON t.account_id = a.id
		 WHERE a.book_id = @book
		 GROUP BY a.book_id, a.id, a.code, a.name, a.type, a.currency, a.no_negative, a.reconcile_from, a.closed_at
		 ORDER BY a.code COLLATE "C"`,
		map[string]any{"book": book.ID, "asof": asOf, "day": knownDay, "known": knownAt})
}

// Currencies lists those in which the actor's book has postings.
func (s *Store) Currencies(ctx context.Context, actor Actor) ([]string, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	currencies, err := query[string](s.db.WithContext(ctx), `SELECT currency FROM currency_totals WHERE book_id = ? ORDER BY currency`, actor.Book.ID)
	if err != nil {
		return nil, fmt.Errorf("list the currencies of book %s: %w", actor.Book.Code, err)
	}
	return currencies, nil
}
