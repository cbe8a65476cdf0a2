package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// StatementQuery asks for the postings of an account in the order of their effective days, those of a day by seq and line. Zero fields do
// not narrow. Side and Bank leave postings out and change no balance.
type StatementQuery struct {
	Account  string
	From, To ledger.Date
	// Latest asks for the month of the latest posting, whatever From and To are.
	Latest bool
	Side   Side
	Bank   BankState
	Group  Grouping
	// After and Before are the posting that bounds the page, exclusive; one of them at most.
	After, Before *Place
	Limit         int
}

// Place is where a posting stands in the statement of its account.
type Place struct {
	EffectiveOn ledger.Date
	Seq         int64
	Line        int
}

// Grouping is what a statement has subtotals for.
type Grouping string

// The groupings. None is the zero value.
const (
	ByDay   Grouping = "day"
	ByMonth Grouping = "month"
)

// starts gives the first day of the group that a day is in.
func (g Grouping) starts(day ledger.Date) ledger.Date {
	if g == ByMonth {
		return ledger.PeriodOf(day).First()
	}
	return day
}

// ends gives the last day of the group that a day is in.
func (g Grouping) ends(day ledger.Date) ledger.Date {
	if g == ByMonth {
		return ledger.PeriodOf(day).Last()
	}
	return day
}

// AccountStatement is a page of an account's postings with the balance after each, and what the whole range adds up to. The opening and
// the closing are of the kept totals, the turnover is summed from the postings: Proves says whether they agree.
type AccountStatement struct {
	Account ledger.Account
	// From and To are the range, also where the latest month was asked for. A zero day leaves that end open.
	From, To                   ledger.Date
	OpeningMinor, ClosingMinor int64
	// Turnover is that of all postings in the range, Found that of those that Side and Bank leave.
	Turnover, Found AccountTurnover
	Lines           []AccountLine
	// Earlier and Later report whether others come before and after the page.
	Earlier, Later bool
	// Subtotals are those of the groups that end on this page, by the place of their last line in Lines.
	Subtotals map[int]AccountTurnover
	// ReconciliationID is the account's latest, 0 where it has none: the bank's side of its lines is then not known.
	ReconciliationID int64
}

// AccountTurnover counts postings and adds them up, both sides positive.
type AccountTurnover struct {
	Debits, Credits         int64
	DebitMinor, CreditMinor int64
}

// Postings counts both sides.
func (t AccountTurnover) Postings() int64 { return t.Debits + t.Credits }

// Proves reports whether opening + debits - credits is the closing, and whether the balance of the last line is too, where the page has it.
func (a AccountStatement) Proves() bool {
	debited, fits := ledger.Add(a.OpeningMinor, a.Turnover.DebitMinor)
	sum, ok := ledger.Add(debited, -a.Turnover.CreditMinor)
	if !fits || !ok || sum != a.ClosingMinor {
		return false
	}
	atEnd := len(a.Lines) > 0 && !a.Later && a.Found == a.Turnover
	return !atEnd || a.Lines[len(a.Lines)-1].BalanceMinor == a.ClosingMinor
}

// AccountStatement gives a page of an account's statement, at one moment. Errors: KindForbidden, KindNotFound.
func (s *Store) AccountStatement(ctx context.Context, actor Actor, q StatementQuery) (statement AccountStatement, err error) {
	if err := actor.Need(RightRead); err != nil {
		return AccountStatement{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		list, err := findStatement(tx, actor.Book, q)
		if err != nil {
			return err
		}
		statement = list.head
		for _, part := range []func(*AccountStatement) error{list.sum, list.page, list.subtotals} {
			if err := part(&statement); err != nil {
				return fmt.Errorf("read the statement of account %s: %w", q.Account, err)
			}
		}
		return nil
	})
	return statement, err
}

// statementList reads the statement of one account. Its SQL is put together from constants; what a reader asks for are its arguments.
type statementList struct {
	tx   *gorm.DB
	book Book
	q    StatementQuery
	head AccountStatement
	args map[string]any
}

// The days that bound a range without an end: no entry lies outside.
var firstDay, lastDay = ledger.MustDate("1900-01-01"), ledger.MustDate("9999-12-31")

// findStatement finds the account, its range and its latest reconciliation.
func findStatement(tx *gorm.DB, book Book, q StatementQuery) (*statementList, error) {
	found, err := queryOne[struct {
		ledger.Account
		LatestOn         ledger.Date
		ReconciliationID int64
	}](tx, fmt.Sprintf("book %s has no account %q", book.Code, q.Account), `
		SELECT `+accountColumns+`,
		       (SELECT max(d.effective_on) FROM account_days d WHERE d.book_id = a.book_id AND d.account_id = a.id) AS latest_on,
		       coalesce((SELECT r.id FROM reconciliations r JOIN statements t ON t.book_id = r.book_id AND t.id = r.statement_id AND t.undone_at IS NULL
		                  WHERE r.book_id = a.book_id AND r.account_id = a.id ORDER BY r.scope_to DESC, r.id DESC LIMIT 1), 0) AS reconciliation_id
		  FROM accounts a WHERE a.book_id = ? AND a.code = ?`, book.ID, storable(q.Account))
	if err != nil {
		return nil, err
	}
	if q.Latest {
		q.From, q.To = ledger.Date{}, ledger.Date{}
		if !found.LatestOn.IsZero() {
			q.From, q.To = ByMonth.starts(found.LatestOn), ByMonth.ends(found.LatestOn)
		}
	}
	list := &statementList{tx: tx, book: book, q: q, args: map[string]any{
		"book": book.ID, "account": found.ID, "from": q.From, "to": q.To, "reconcile_from": found.ReconcileFrom, "bank": q.Bank,
	}}
	list.head = AccountStatement{Account: found.Account, From: q.From, To: q.To, ReconciliationID: found.ReconciliationID}
	if q.From.IsZero() {
		list.args["from"] = firstDay
	}
	if q.To.IsZero() {
		list.args["to"] = lastDay
	}
	return list, nil
}

// sum adds up the range: the balances at its ends from the kept totals, the turnover from the postings of the days that have any.
func (l *statementList) sum(a *AccountStatement) error {
	row, err := queryOne[struct {
		OpeningMinor, ClosingMinor        int64
		Debits, Credits                   int64
		DebitMinor, CreditMinor           int64
		FoundDebits, FoundCredits         int64
		FoundDebitMinor, FoundCreditMinor int64
	}](l.tx, "no sums", `
		SELECT coalesce((SELECT sum(d.debit_minor) - sum(d.credit_minor) FROM account_days d
		                  WHERE d.book_id = @book AND d.account_id = @account AND d.effective_on < @from), 0) AS opening_minor,
		       coalesce((SELECT sum(d.debit_minor) - sum(d.credit_minor) FROM account_days d
		                  WHERE d.book_id = @book AND d.account_id = @account AND d.effective_on <= @to), 0) AS closing_minor,
		       `+turnoverColumns("", "true")+`, `+turnoverColumns("found_", "f.found")+`
		  FROM (SELECT DISTINCT d.effective_on FROM account_days d
		         WHERE d.book_id = @book AND d.account_id = @account AND d.effective_on BETWEEN @from AND @to) y
		 CROSS JOIN LATERAL (
		       SELECT p.amount_minor, `+l.found()+` AS found
		         FROM entries e JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq `+l.bankJoins()+`
		        WHERE e.book_id = @book AND e.effective_on = y.effective_on AND p.account_id = @account OFFSET 0) f`, l.args)
	a.OpeningMinor, a.ClosingMinor = row.OpeningMinor, row.ClosingMinor
	a.Turnover = AccountTurnover{Debits: row.Debits, Credits: row.Credits, DebitMinor: row.DebitMinor, CreditMinor: row.CreditMinor}
	a.Found = AccountTurnover{Debits: row.FoundDebits, Credits: row.FoundCredits, DebitMinor: row.FoundDebitMinor, CreditMinor: row.FoundCreditMinor}
	return err
}

// turnoverColumns count and add up postings f, by side, where a condition holds.
func turnoverColumns(prefix, condition string) string {
	return fmt.Sprintf(`
		count(*) FILTER (WHERE f.amount_minor > 0 AND %[2]s) AS %[1]sdebits, count(*) FILTER (WHERE f.amount_minor < 0 AND %[2]s) AS %[1]scredits,
		coalesce(sum(f.amount_minor) FILTER (WHERE f.amount_minor > 0 AND %[2]s), 0) AS %[1]sdebit_minor,
		coalesce(-sum(f.amount_minor) FILTER (WHERE f.amount_minor < 0 AND %[2]s), 0) AS %[1]scredit_minor`, prefix, condition)
}

// subtotals adds up the groups that end on the page, each as a whole, also where it began on an earlier one.
func (l *statementList) subtotals(a *AccountStatement) error {
	if l.q.Group == "" || len(a.Lines) == 0 {
		return nil
	}
	args := map[string]any{"group": l.q.Group}
	for name, value := range l.args {
		args[name] = value
	}
	args["first"], args["last"] = l.q.Group.starts(a.Lines[0].EffectiveOn), l.q.Group.ends(a.Lines[len(a.Lines)-1].EffectiveOn)
	groups, err := query[struct {
		StartsOn                ledger.Date
		Debits, Credits         int64
		DebitMinor, CreditMinor int64
	}](l.tx, `
		SELECT CAST(date_trunc(@group, CAST(f.effective_on AS timestamp)) AS date) AS starts_on, `+turnoverColumns("", "true")+`
		  FROM (SELECT e.effective_on, p.amount_minor FROM entries e JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq `+l.bankJoins()+`
		         WHERE e.book_id = @book AND p.account_id = @account AND e.effective_on BETWEEN greatest(CAST(@first AS date), @from) AND least(CAST(@last AS date), @to)
		           AND `+l.found()+`) f
		 GROUP BY starts_on`, args)
	sums := map[ledger.Date]AccountTurnover{}
	for _, g := range groups {
		sums[g.StartsOn] = AccountTurnover{Debits: g.Debits, Credits: g.Credits, DebitMinor: g.DebitMinor, CreditMinor: g.CreditMinor}
	}
	a.Subtotals = map[int]AccountTurnover{}
	for i, line := range a.Lines {
		if group := l.q.Group.starts(line.EffectiveOn); line.next.IsZero() || group != l.q.Group.starts(line.next) {
			a.Subtotals[i] = sums[group]
		}
	}
	return err
}
