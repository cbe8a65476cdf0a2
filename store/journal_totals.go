package store

import (
	"context"
	"fmt"
	"strconv"

	"gorm.io/gorm"
)

// EntryTotals sums the entries of a filter: how many, their postings, and their debits per currency as decimal text in minor units, which may
// exceed the largest amount. Where the filter asks for an account, Account sums the postings to it, and there are no other debits.
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
	if err := f.check(); err != nil {
		return EntryTotals{}, err
	}
	f.After, f.Before = 0, 0
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		if totals, err = countEntries(tx, actor.Book, f); err != nil {
			return fmt.Errorf("count entries: %w", err)
		}
		if f.isWholeBook() {
			totals.DebitMinor, err = allDebits(tx, actor.Book)
			return err
		}
		if f.Account == "" {
			totals.DebitMinor, err = sumDebits(tx, actor.Book, f)
			return err
		}
		totals.Account, err = sumAccount(tx, actor.Book, f)
		return err
	})
	return totals, err
}

func countEntries(tx *gorm.DB, book Book, f EntryFilter) (EntryTotals, error) {
	where, args := f.where(book)
	count, err := queryOne[struct{ Entries, Postings int64 }](tx, "no count", `
		SELECT count(*) AS entries, coalesce(sum(e.posting_count), 0) AS postings FROM entries e WHERE `+where, args...)
	return EntryTotals{Entries: count.Entries, Postings: count.Postings}, err
}

func sumDebits(tx *gorm.DB, book Book, f EntryFilter) (map[string]string, error) {
	where, args := f.where(book)
	return debitsByCurrency(tx, `
		SELECT p.currency, sum(p.amount_minor)::text AS total
		  FROM entries e JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq
		 WHERE p.amount_minor > 0 AND `+where+` GROUP BY p.currency`, args...)
}

// allDebits takes the kept totals: the postings of a whole book take the longer to add up the older it is.
func allDebits(tx *gorm.DB, book Book) (map[string]string, error) {
	return debitsByCurrency(tx, `
		SELECT a.currency, sum(t.debit_minor)::text AS total
		  FROM account_totals t JOIN accounts a ON a.book_id = t.book_id AND a.id = t.account_id
		 WHERE t.book_id = ? GROUP BY a.currency HAVING sum(t.debit_minor) > 0`, book.ID)
}

func debitsByCurrency(tx *gorm.DB, statement string, args ...any) (map[string]string, error) {
	rows, err := query[struct{ Currency, Total string }](tx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("sum entries: %w", err)
	}
	debits := map[string]string{}
	for _, row := range rows {
		debits[row.Currency] = row.Total
	}
	return debits, nil
}

// sumAccount starts from the postings of the account, so that the entries need not be asked again whether they have one.
func sumAccount(tx *gorm.DB, book Book, f EntryFilter) (AccountTotals, error) {
	code, side := f.Account, f.Side.of()
	if len(f.Amounts) == 0 {
		f.Account = ""
	}
	where, args := f.where(book)
	row, err := queryOne[struct{ Currency, Debit, Credit, Balance string }](tx, fmt.Sprintf("book %s has no account %q", book.Code, code), `
		SELECT a.currency, coalesce(s.debit, 0)::text AS debit, coalesce(s.credit, 0)::text AS credit, coalesce(s.balance, 0)::text AS balance
		  FROM accounts a, LATERAL (
			SELECT sum(greatest(p.amount_minor, 0)) AS debit, sum(greatest(-p.amount_minor, 0)) AS credit, sum(p.amount_minor) AS balance
			  FROM postings p JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq
			 WHERE p.book_id = a.book_id AND p.account_id = a.id`+side+` AND `+where+`) s
		 WHERE a.book_id = ? AND a.code = ?`, append(args, book.ID, code)...)
	if err != nil {
		return AccountTotals{}, fmt.Errorf("sum account %s: %w", code, err)
	}
	totals := AccountTotals{Currency: row.Currency}
	for text, minor := range map[*string]*int64{&row.Debit: &totals.DebitMinor, &row.Credit: &totals.CreditMinor, &row.Balance: &totals.BalanceMinor} {
		if *minor, err = strconv.ParseInt(*text, 10, 64); err != nil {
			return AccountTotals{}, fmt.Errorf("read the totals of account %s: %w", code, err)
		}
	}
	return totals, nil
}
