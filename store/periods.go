package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// PeriodSummary is a month of a book: what was posted to it, whether it is closed, and how the accounts that take statements stood at its end.
type PeriodSummary struct {
	Period ledger.Period
	// ClosedAt is zero and ClosedBy empty while the period is open.
	ClosedAt time.Time
	ClosedBy string
	// Closing is the request that closed it, nil where nobody had to ask; Pending is one to close or to reopen it that waits.
	Closing, Pending *Approval
	Entries          int64
	// LastSeq is the entry of the period that was recorded last, 0 where it has none.
	LastSeq        int64
	LastRecordedAt time.Time
	// DebitMinor is the turnover by currency; the credits are as much.
	DebitMinor map[string]int64
	Accounts   []PeriodAccount
}

// Closed reports whether nothing is appended to the period any more.
func (p PeriodSummary) Closed() bool { return !p.ClosedAt.IsZero() }

// PeriodAccount is an account with statements at the end of a period. ReconciliationID is the one whose statement reaches furthest into
// the period, 0 where none ends in it; the rest is of that one.
type PeriodAccount struct {
	Account          ledger.Account
	ReconciliationID int64
	To               ledger.Date
	UnexplainedMinor int64
	OpenBreaks       int
	Status           string
}

// PeriodFilter bounds a page of periods: those before or after one, oldest first unless Newest.
type PeriodFilter struct {
	After, Before ledger.Period
	Newest        bool
	Limit         int
}

// Periods lists the months of the actor's book, from that of the first entry to the current one, and others that have entries, are closed, or wait to be; more reports
// whether others follow on the page's far side.
func (s *Store) Periods(ctx context.Context, actor Actor, f PeriodFilter) (items []PeriodSummary, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		all, err := monthsOf(tx, actor.Book, ledger.DateOf(s.now()))
		if err != nil {
			return err
		}
		items, more = f.page(all)
		return fillPeriods(tx, actor.Book, items)
	})
	if err != nil {
		return nil, false, fmt.Errorf("list the periods of book %s: %w", actor.Book.Code, err)
	}
	return items, more, nil
}

// monthsOf are the months of a book, oldest first.
func monthsOf(tx *gorm.DB, book Book, today ledger.Date) ([]ledger.Period, error) {
	first, err := queryOne[ledger.Date](tx, "no entries", `SELECT coalesce(min(effective_on), ?) FROM entries WHERE book_id = ? AND effective_on <= ?`, today, book.ID, today)
	if err != nil {
		return nil, err
	}
	current := ledger.PeriodOf(today)
	var months []ledger.Period
	for month := ledger.PeriodOf(first); month <= current; month = month.Next() {
		months = append(months, month)
	}
	others, err := query[ledger.Period](tx, `
		SELECT to_char(effective_on, 'YYYY-MM') AS period FROM entries WHERE book_id = @book AND effective_on > @until
		UNION SELECT period FROM periods WHERE book_id = @book
		UNION SELECT content->>'period' FROM approvals WHERE book_id = @book AND pending AND subject LIKE 'period %'`,
		map[string]any{"book": book.ID, "until": current.Last()})
	months = append(months, others...)
	slices.Sort(months)
	return slices.Compact(months), err
}

// page takes the periods of one page out of all.
func (f PeriodFilter) page(all []ledger.Period) (items []PeriodSummary, more bool) {
	all = slices.DeleteFunc(all, func(p ledger.Period) bool { return p <= f.After || f.Before != "" && p >= f.Before })
	if f.Newest {
		slices.Reverse(all)
	}
	if limit := pageSize(f.Limit); len(all) > limit {
		all, more = all[:limit], true
	}
	for _, period := range all {
		items = append(items, PeriodSummary{Period: period, DebitMinor: map[string]int64{}})
	}
	return items, more
}

// fillPeriods reads what the book has of each.
func fillPeriods(tx *gorm.DB, book Book, items []PeriodSummary) error {
	if len(items) == 0 {
		return nil
	}
	load := periodLoad{tx: tx, book: book, byPeriod: map[ledger.Period]*PeriodSummary{}}
	first, last := items[0].Period, items[0].Period
	for i := range items {
		load.byPeriod[items[i].Period] = &items[i]
		first, last = min(first, items[i].Period), max(last, items[i].Period)
	}
	load.args = map[string]any{"book": book.ID, "from": first.First(), "to": last.Last(), "first": first, "last": last}
	for _, part := range []func() error{load.closings, load.requests, load.entries, load.turnover, load.accounts} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// periodLoad puts into periods what other tables have of them. What lies between them and belongs to none is left out.
type periodLoad struct {
	tx       *gorm.DB
	book     Book
	byPeriod map[ledger.Period]*PeriodSummary
	args     map[string]any
}

func (l periodLoad) closings() error {
	rows, err := query[struct {
		Period   ledger.Period
		ClosedAt time.Time
		ClosedBy string
	}](l.tx, `
		SELECT p.period, p.closed_at, u.name AS closed_by FROM periods p JOIN users u ON u.id = p.closed_by
		 WHERE p.book_id = @book AND p.period BETWEEN @first AND @last`, l.args)
	for _, row := range rows {
		if p := l.byPeriod[row.Period]; p != nil {
			p.ClosedAt, p.ClosedBy = row.ClosedAt.UTC(), row.ClosedBy
		}
	}
	return err
}

// requests are those that closed a period, and those that wait.
func (l periodLoad) requests() error {
	subjects := array[string]{}
	for period := range l.byPeriod {
		subjects = append(subjects, periodSubject(period))
	}
	requests, err := loadApprovals(l.tx, l.book, `a.subject = ANY(?::text[]) AND (a.pending OR EXISTS (
		SELECT FROM periods p WHERE p.book_id = a.book_id AND p.approval_id = a.id))`, subjects)
	for _, request := range requests {
		p := l.byPeriod[request.PeriodChange.Period]
		if request.Status == Pending {
			p.Pending = &request
		} else {
			p.Closing = &request
		}
	}
	return err
}

func (l periodLoad) entries() error {
	rows, err := query[struct {
		Period         ledger.Period
		Entries        int64
		LastSeq        int64
		LastRecordedAt time.Time
	}](l.tx, `
		SELECT m.period, m.entries, m.last_seq, e.recorded_at AS last_recorded_at
		  FROM (SELECT to_char(d.effective_on, 'YYYY-MM') AS period, sum(d.entries)::bigint AS entries, max(d.last_seq) AS last_seq
		          FROM (SELECT effective_on, count(*) AS entries, max(seq) AS last_seq
		                  FROM entries WHERE book_id = @book AND effective_on BETWEEN @from AND @to GROUP BY effective_on) d
		         GROUP BY period) m
		  JOIN entries e ON e.book_id = @book AND e.seq = m.last_seq`, l.args)
	for _, row := range rows {
		if p := l.byPeriod[row.Period]; p != nil {
			p.Entries, p.LastSeq, p.LastRecordedAt = row.Entries, row.LastSeq, row.LastRecordedAt.UTC()
		}
	}
	return err
}

func (l periodLoad) turnover() error {
	rows, err := query[struct {
		Period     ledger.Period
		Currency   string
		DebitMinor int64
	}](l.tx, `
		SELECT to_char(d.effective_on, 'YYYY-MM') AS period, a.currency, sum(d.debit_minor) AS debit_minor
		  FROM account_days d JOIN accounts a ON a.book_id = d.book_id AND a.id = d.account_id
		 WHERE d.book_id = @book AND d.effective_on BETWEEN @from AND @to GROUP BY period, a.currency`, l.args)
	for _, row := range rows {
		if p := l.byPeriod[row.Period]; p != nil {
			p.DebitMinor[row.Currency] = row.DebitMinor
		}
	}
	return err
}

// accounts are those that had to be on a statement by the end of the period, each with its proof there.
func (l periodLoad) accounts() error {
	accounts, err := query[ledger.Account](l.tx, `
		SELECT `+accountColumns+` FROM accounts a WHERE a.book_id = @book AND a.reconcile_from <= @to ORDER BY a.code COLLATE "C"`, l.args)
	if err != nil {
		return err
	}
	ids, err := query[int64](l.tx, `
		SELECT DISTINCT ON (r.account_id, to_char(r.scope_to, 'YYYY-MM')) r.id
		  FROM reconciliations r JOIN statements t ON t.book_id = r.book_id AND t.id = r.statement_id AND t.undone_at IS NULL
		 WHERE r.book_id = @book AND r.scope_to BETWEEN @from AND @to
		 ORDER BY r.account_id, to_char(r.scope_to, 'YYYY-MM'), r.scope_to DESC, r.id DESC`, l.args)
	if err != nil {
		return err
	}
	proofs, err := loadReconciliations(l.tx, l.book, `r.id = ANY(?::bigint[])`, array[int64](ids))
	for _, p := range l.byPeriod {
		for _, account := range accounts {
			if !account.ReconcileFrom.After(p.Period.Last()) {
				p.Accounts = append(p.Accounts, periodAccount(account, p.Period, proofs))
			}
		}
	}
	return err
}

func periodAccount(account ledger.Account, period ledger.Period, proofs []Reconciliation) PeriodAccount {
	at := slices.IndexFunc(proofs, func(r Reconciliation) bool { return r.Account.ID == account.ID && ledger.PeriodOf(r.ScopeTo) == period })
	if at < 0 {
		return PeriodAccount{Account: account}
	}
	r := proofs[at]
	return PeriodAccount{
		Account: account, ReconciliationID: r.ID, To: r.ScopeTo, UnexplainedMinor: r.Proof.UnexplainedMinor, OpenBreaks: r.OpenBreaks, Status: r.Status,
	}
}
