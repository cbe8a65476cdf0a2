package store

import (
	"fmt"
	"strconv"

	"daybook/store/ledger"
)

// totalFault is a kept total that differs from the sum of the postings. Sums are text: they may be beyond an int64.
type totalFault struct {
	Account                 string
	Currency                string
	Day                     string
	KeptDebit, KeptCredit   string
	FoundDebit, FoundCredit string
}

func (f totalFault) what() string {
	return fmt.Sprintf("its kept total%s is debits %s and credits %s %s, and its postings sum to debits %s and credits %s", f.Day,
		decimal(f.KeptDebit, f.Currency), decimal(f.KeptCredit, f.Currency), f.Currency, decimal(f.FoundDebit, f.Currency), decimal(f.FoundCredit, f.Currency))
}

// decimal writes minor units as text in the currency's own units, and leaves alone what is too large for that.
func decimal(minor, currency string) string {
	n, err := strconv.ParseInt(minor, 10, 64)
	if err != nil {
		return minor + " minor units"
	}
	return ledger.FormatAmount(n, currency)
}

// compareTotals is the part that the totals have in common: kept and found are queries of account_id, …, debit and credit.
func compareTotals(kept, found, day, join string) string {
	return `
		SELECT coalesce(a.code, 'number ' || t.account_id) AS account, coalesce(a.currency, '') AS currency, t.day,
		       t.kept_debit::text AS kept_debit, t.kept_credit::text AS kept_credit, t.found_debit::text AS found_debit, t.found_credit::text AS found_credit
		  FROM (SELECT coalesce(k.account_id, f.account_id) AS account_id, ` + day + ` AS day,
		               coalesce(k.debit, 0) AS kept_debit, coalesce(k.credit, 0) AS kept_credit,
		               coalesce(f.debit, 0) AS found_debit, coalesce(f.credit, 0) AS found_credit
		          FROM (` + kept + `) k FULL JOIN (` + found + `) f ON f.account_id = k.account_id` + join + `) t
		  LEFT JOIN accounts a ON a.book_id = @book AND a.id = t.account_id
		 WHERE t.kept_debit <> t.found_debit OR t.kept_credit <> t.found_credit
		 ORDER BY a.code COLLATE "C", t.account_id, t.day LIMIT 1`
}

const sumPostings = `sum(greatest(p.amount_minor, 0)) AS debit, sum(greatest(-p.amount_minor, 0)) AS credit`

var accountTotalsCheck = compareTotals(
	`SELECT k.account_id, k.debit_minor AS debit, k.credit_minor AS credit FROM account_totals k WHERE k.book_id = @book`,
	`SELECT p.account_id, `+sumPostings+` FROM postings p WHERE p.book_id = @book GROUP BY p.account_id`, `''`, ``)

var accountDaysCheck = compareTotals(
	`SELECT k.account_id, k.effective_on, k.recorded_on, k.debit_minor AS debit, k.credit_minor AS credit FROM account_days k WHERE k.book_id = @book`,
	sumDays+` WHERE e.book_id = @book `+groupDays,
	`' of ' || coalesce(k.effective_on, f.effective_on) || ', recorded on ' || coalesce(k.recorded_on, f.recorded_on) || ','`,
	` AND f.effective_on = k.effective_on AND f.recorded_on = k.recorded_on`)

// checkTotals holds the sums of all postings against the kept totals. Where they differ, the database finds the first that does.
func (v *verifier) checkTotals() (*Fault, error) {
	kept, err := v.readKept()
	if err != nil {
		return nil, err
	}
	switch {
	case kept.accounts != v.sums.accounts:
		return v.nameTotal(accountTotalsCheck)
	case kept.days != v.sums.days:
		return v.nameTotal(accountDaysCheck)
	case kept.currencies != v.sums.currencies:
		return v.nameCurrencyTotal()
	}
	return nil, nil
}

func (v *verifier) nameTotal(check string) (*Fault, error) {
	faults, err := query[totalFault](v.tx, check, map[string]any{"book": v.book.ID})
	if err != nil {
		return nil, fmt.Errorf("sum the postings of accounts: %w", err)
	}
	if len(faults) == 0 {
		return nil, nil
	}
	return &Fault{Account: faults[0].Account, What: faults[0].what(), OfTotals: true}, nil
}

// nameCurrencyTotal compares the debits of the whole book per currency.
func (v *verifier) nameCurrencyTotal() (*Fault, error) {
	faults, err := query[struct{ Currency, Kept, Found string }](v.tx, `
		SELECT coalesce(k.currency, f.currency) AS currency, coalesce(k.debit_minor, 0)::text AS kept, coalesce(f.debit, 0)::text AS found
		  FROM (SELECT k.currency, k.debit_minor FROM currency_totals k WHERE k.book_id = @book) k
		  FULL JOIN (SELECT p.currency, sum(p.amount_minor) AS debit FROM postings p WHERE p.book_id = @book AND p.amount_minor > 0 GROUP BY p.currency) f
		    ON f.currency = k.currency
		 WHERE coalesce(k.debit_minor, 0) <> coalesce(f.debit, 0) ORDER BY 1 LIMIT 1`, map[string]any{"book": v.book.ID})
	if err != nil {
		return nil, fmt.Errorf("sum the postings of currencies: %w", err)
	}
	if len(faults) == 0 {
		return nil, nil
	}
	f := faults[0]
	what := fmt.Sprintf("its kept debits in %s are %s, and its postings sum to %s", f.Currency, decimal(f.Kept, f.Currency), decimal(f.Found, f.Currency))
	return &Fault{What: what, OfTotals: true}, nil
}
