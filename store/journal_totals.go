package store

import (
	"context"
	"fmt"
	"strconv"

	"gorm.io/gorm"
)

// EntryTotals sums the entries of a filter: how many, their postings, and their debits per currency as decimal text in minor units, which may
// exceed the largest amount. Account sums the postings to the account of the filter, where it has one.
type EntryTotals struct {
	Entries    int64
	Postings   int64
	DebitMinor map[string]string
	Account    AccountTotals
}

// AccountTotals are the debits and the credits of one account, both positive, and their difference. A side that the filter leaves
// out is zero. They fit, as the turnover of an account is bounded.
type AccountTotals struct {
	Currency                              string
	DebitMinor, CreditMinor, BalanceMinor int64
}

// SumEntries sums all entries of a filter, whatever its page.
func (s *Store) SumEntries(ctx context.Context, actor Actor, f EntryFilter) (totals EntryTotals, err error) {
	if err := actor.Need(RightRead); err != nil {
		return EntryTotals{}, err
	}
	f.After, f.Before = 0, 0
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		totals, err = countEntries(tx, actor.Book, f)
		if err == nil && f.Account != "" {
			totals.Account, err = sumAccount(tx, actor.Book, f)
		}
		return err
	})
	return totals, err
}

func countEntries(tx *gorm.DB, book Book, f EntryFilter) (EntryTotals, error) {
	where, args := f.where(book)
	count, err := queryOne[struct{ Entries, Postings int64 }](tx, "no count", `
		SELECT count(*) AS entries, coalesce(sum(e.posting_count), 0) AS postings FROM entries e WHERE `+where, args...)
	if err != nil {
		return EntryTotals{}, fmt.Errorf("count entries: %w", err)
	}
	totals := EntryTotals{Entries: count.Entries, Postings: count.Postings, DebitMinor: map[string]string{}}
	rows, err := query[struct{ Currency, Total string }](tx, `
		SELECT p.currency, sum(p.amount_minor)::text AS total
		  FROM entries e JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq
		 WHERE p.amount_minor > 0 AND `+where+` GROUP BY p.currency`, args...)
	if err != nil {
		return EntryTotals{}, fmt.Errorf("sum entries: %w", err)
	}
	for _, row := range rows {
		totals.DebitMinor[row.Currency] = row.Total
	}
	return totals, nil
}

func sumAccount(tx *gorm.DB, book Book, f EntryFilter) (AccountTotals, error) {
	where, args := f.where(book)
	row, err := queryOne[struct{ Currency, Debit, Credit, Balance string }](tx, fmt.Sprintf("book %s has no account %q", book.Code, f.Account), `
		SELECT a.currency, coalesce(s.debit, 0)::text AS debit, coalesce(s.credit, 0)::text AS credit, coalesce(s.balance, 0)::text AS balance
		  FROM accounts a, LATERAL (
			SELECT sum(greatest(p.amount_minor, 0)) AS debit, sum(greatest(-p.amount_minor, 0)) AS credit, sum(p.amount_minor) AS balance
			  FROM postings p JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq
			 WHERE p.book_id = a.book_id AND p.account_id = a.id`+f.Side.of()+` AND `+where+`) s
		 WHERE a.book_id = ? AND a.code = ?`, append(args, book.ID, f.Account)...)
	if err != nil {
		return AccountTotals{}, fmt.Errorf("sum account %s: %w", f.Account, err)
	}
	totals := AccountTotals{Currency: row.Currency}
	for text, minor := range map[*string]*int64{&row.Debit: &totals.DebitMinor, &row.Credit: &totals.CreditMinor, &row.Balance: &totals.BalanceMinor} {
		if *minor, err = strconv.ParseInt(*text, 10, 64); err != nil {
			return AccountTotals{}, fmt.Errorf("read the totals of account %s: %w", f.Account, err)
		}
	}
	return totals, nil
}
