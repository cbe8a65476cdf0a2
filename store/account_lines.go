package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"daybook/recon"
	"daybook/store/ledger"
)

// AccountLine is a posting in the statement of its account. Against is the account that it is mostly held against: on the other side, of the
// same currency and the largest amount; AgainstMore counts the entry's further accounts.
type AccountLine struct {
	Place
	TxID                           string
	Reference                      string
	Description                    string
	Kind                           ledger.EntryKind
	Reverses, Replaces, ReversedBy int64
	Pending                        bool // its reversal waits for approval
	Against                        string
	AgainstMore                    int
	AmountMinor                    int64
	// BalanceMinor is that of the account after this posting, DebitMinor what was debited since the range began, this posting included:
	// both count every posting before it, also those that Side and Bank leave out.
	BalanceMinor, DebitMinor int64
	// Bank says how it stands at the bank. Of the two ids that one is set which tells more; Resolution is that of the break.
	Bank             BankState
	ReconciliationID int64
	BreakID          int64
	Resolution       recon.Resolution

	next ledger.Date // the day of the line that follows it, on this page or the next
}

// lineColumns are those of an AccountLine, but for what it adds up to: of a posting p, its entry e and what lineJoins join to them.
const lineColumns = `
	e.effective_on, p.seq, p.line, p.amount_minor, e.tx_id, coalesce(nullif(e.metadata->>'reference', ''), e.tx_id) AS reference, e.description, e.kind,
	coalesce(e.reverses, 0) AS reverses, coalesce(e.replaces, 0) AS replaces, coalesce(back.seq, 0) AS reversed_by,
	EXISTS (SELECT FROM approvals v WHERE v.book_id = p.book_id AND v.subject_seq = p.seq AND v.pending) AS pending,
	coalesce(other.code, '') AS against, greatest(other.accounts - 1, 0) AS against_more`

const lineJoins = `
	  LEFT JOIN entries back ON back.book_id = p.book_id AND back.reverses = p.seq AND back.part = 0
	 CROSS JOIN LATERAL (
	       SELECT (array_agg(c.code ORDER BY o.currency <> p.currency, (o.amount_minor < 0) = (p.amount_minor < 0), abs(o.amount_minor) DESC, o.line))[1] AS code,
	              count(DISTINCT o.account_id) AS accounts
	         FROM postings o JOIN accounts c ON c.book_id = o.book_id AND c.id = o.account_id
	        WHERE o.book_id = p.book_id AND o.seq = p.seq AND o.account_id <> p.account_id) other`

// page reads one page. A line's balance is that before its day, of the kept totals, and what the day has up to the line: it depends on no
// other page, and on no filter. The steps are materialized, as a plan that repeats one for each row is slow.
func (l *statementList) page(a *AccountStatement) error {
	limit := pageSize(l.q.Limit)
	l.args["limit"] = limit + 1
	bound, order := l.bound()
	rows, err := query[AccountLine](l.tx, `
		WITH page AS MATERIALIZED (
			SELECT p.book_id, p.account_id, p.currency, e.effective_on, p.seq, p.line, p.amount_minor`+l.bankColumns()+`
			  FROM entries e JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq `+l.bankJoins()+`
			 WHERE e.book_id = @book AND p.account_id = @account AND e.effective_on BETWEEN @from AND @to`+bound+` AND `+l.found()+`
			 ORDER BY e.effective_on `+order+`, e.seq `+order+`, p.line `+order+` LIMIT @limit),
		days AS MATERIALIZED (
			SELECT y.effective_on, before.balance_minor, before.debit_minor
			  FROM (SELECT DISTINCT effective_on FROM page) y
			 CROSS JOIN LATERAL (
			       SELECT coalesce(sum(d.debit_minor) - sum(d.credit_minor), 0) AS balance_minor,
			              coalesce(sum(d.debit_minor) FILTER (WHERE d.effective_on >= @from), 0) AS debit_minor
			         FROM account_days d WHERE d.book_id = @book AND d.account_id = @account AND d.effective_on < y.effective_on) before),
		running AS MATERIALIZED (
			SELECT today.seq, today.line, y.balance_minor + today.balance_minor AS balance_minor, y.debit_minor + today.debit_minor AS debit_minor
			  FROM days y
			 CROSS JOIN LATERAL (
			       SELECT p.seq, p.line, sum(p.amount_minor) OVER so_far AS balance_minor, sum(greatest(p.amount_minor, 0)) OVER so_far AS debit_minor
			         FROM entries e JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq
			        WHERE e.book_id = @book AND e.effective_on = y.effective_on AND p.account_id = @account
			       WINDOW so_far AS (ORDER BY p.seq, p.line)) today)
		SELECT `+lineColumns+l.bankNames("p")+`, r.balance_minor, r.debit_minor
		  FROM page p JOIN running r ON r.seq = p.seq AND r.line = p.line JOIN entries e ON e.book_id = p.book_id AND e.seq = p.seq `+lineJoins+`
		 ORDER BY e.effective_on `+order+`, p.seq `+order+`, p.line `+order, l.args)
	if err != nil {
		return err
	}
	l.turn(a, rows, limit)
	return nil
}

// bound is the condition of the page's cursor, and the order in which it is read: towards the beginning from Before.
func (l *statementList) bound() (condition, order string) {
	place, beyond, order := l.q.After, ">", "ASC"
	if l.q.Before != nil {
		place, beyond, order = l.q.Before, "<", "DESC"
	}
	if place == nil {
		return "", order
	}
	l.args["day"], l.args["seq"], l.args["line"] = place.EffectiveOn, place.Seq, place.Line
	return ` AND (e.effective_on, e.seq) ` + beyond + `= (CAST(@day AS date), @seq)
		AND ((e.effective_on, e.seq) ` + beyond + ` (CAST(@day AS date), @seq) OR p.line ` + beyond + ` @line)`, order
}

// turn puts the rows that were read, one more than a page where there are more, into their order.
func (l *statementList) turn(a *AccountStatement, rows []AccountLine, limit int) {
	more := len(rows) > limit
	var beyond ledger.Date // the day of what follows the page
	if more {
		beyond = rows[limit].EffectiveOn
		rows = rows[:limit]
	}
	a.Earlier, a.Later = l.q.After != nil, more
	if l.q.Before != nil {
		slices.Reverse(rows)
		a.Earlier, a.Later, beyond = more, true, l.q.Before.EffectiveOn
	}
	for i := range rows {
		rows[i].next = beyond
		if i+1 < len(rows) {
			rows[i].next = rows[i+1].EffectiveOn
		}
	}
	a.Lines = rows
}

// ExportStatement hands over all lines of an account's statement, one after the other, and first its head, which has no lines. They are of one
// moment, and read as fast as they are taken. Errors: KindForbidden, KindNotFound, and those of begin and each.
func (s *Store) ExportStatement(ctx context.Context, actor Actor, q StatementQuery, begin func(AccountStatement) error, each func(AccountLine) error) error {
	if err := actor.Need(RightRead); err != nil {
		return err
	}
	list, err := findStatement(s.db.WithContext(ctx), actor.Book, q)
	if err != nil {
		return err
	}
	rows, err := list.all()
	if err != nil {
		return fmt.Errorf("export the statement of account %s: %w", q.Account, orOutage(err))
	}
	defer rows.Close()
	if err := begin(list.head); err != nil {
		return err
	}
	for rows.Next() {
		var line AccountLine
		if err := list.tx.ScanRows(rows, &line); err != nil {
			return fmt.Errorf("read a line of account %s: %w", q.Account, err)
		}
		if err := each(line); err != nil {
			return err
		}
	}
	return rows.Err()
}

// all reads the whole range in one statement, so that it is of one moment: the balance runs over all postings, of which the filter then
// leaves some.
func (l *statementList) all() (*sql.Rows, error) {
	return l.tx.Raw(`
		SELECT x.* FROM (
			SELECT `+lineColumns+l.bankColumns()+`, `+l.found()+` AS found,
			       sum(greatest(p.amount_minor, 0)) OVER so_far AS debit_minor,
			       sum(p.amount_minor) OVER so_far
			       + coalesce((SELECT sum(d.debit_minor) - sum(d.credit_minor) FROM account_days d
			                    WHERE d.book_id = @book AND d.account_id = @account AND d.effective_on < @from), 0) AS balance_minor
			  FROM entries e JOIN postings p ON p.book_id = e.book_id AND p.seq = e.seq `+l.bankJoins()+lineJoins+`
			 WHERE e.book_id = @book AND p.account_id = @account AND e.effective_on BETWEEN @from AND @to
			WINDOW so_far AS (ORDER BY e.effective_on, p.seq, p.line)) x
		 WHERE x.found ORDER BY x.effective_on, x.seq, x.line`, l.args).Rows()
}
