package store

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/recon/overlap"
	"daybook/recon/statement"
	"daybook/store/ledger"
)

// wholeDays says whether a file speaks for the whole of its first day, and of its last.
type wholeDays struct{ first, last bool }

// wholeDaysOf takes a stated period at its word, but for a day that was not over when it was stated.
func wholeDaysOf(period statedPeriod, today ledger.Date) wholeDays {
	return wholeDays{first: period.Stated, last: period.Stated && period.To.Before(today)}
}

// storedLine is a line of the account on one of the days of a file. The texts are read of those with an older fingerprint only.
type storedLine struct {
	StatementID, AmountMinor                 int64
	BookedOn                                 ledger.Date
	Row, FingerprintVersion, Occurrence      int
	BalanceMinor                             *int64
	Fingerprint                              []byte
	WholeDay                                 bool
	Currency, Reference, Description, BankID string
}

// storedLines are what the account has of the days of a file.
type storedLines []storedLine

func storedOnDays(tx *gorm.DB, book Book, account ledger.Account, lines []freshLine) (storedLines, error) {
	seen := map[ledger.Date]bool{}
	var days array[time.Time]
	for _, line := range lines {
		if !seen[line.Date] {
			seen[line.Date] = true
			days = append(days, line.Date.Time())
		}
	}
	stored, err := query[storedLine](tx, `
		SELECT l.statement_id, l.amount_minor, l.booked_on, l.row, l.fingerprint_version, l.occurrence, l.balance_minor, l.fingerprint,
		       s.period_from < l.booked_on AND l.booked_on < s.period_to OR s.period_stated AND l.booked_on < CAST(s.uploaded_at AT TIME ZONE 'UTC' AS date) AS whole_day,
		       CASE WHEN o.old THEN l.currency ELSE '' END AS currency, CASE WHEN o.old THEN l.reference ELSE '' END AS reference,
		       CASE WHEN o.old THEN l.description ELSE '' END AS description, CASE WHEN o.old THEN l.bank_id ELSE '' END AS bank_id
		  FROM statement_lines l JOIN statements s ON s.book_id = l.book_id AND s.id = l.statement_id
		 CROSS JOIN LATERAL (SELECT l.fingerprint_version <> ? AS old) o
		 WHERE l.book_id = ? AND l.account_id = ? AND l.booked_on = ANY(?::date[]) AND NOT l.undone
		 ORDER BY l.id`, statement.FingerprintVersion, book.ID, account.ID, days)
	if err != nil {
		return nil, fmt.Errorf("read what account %s has of the days of a file: %w", account.Code, err)
	}
	for i := range stored {
		stored[i].renew()
	}
	return stored, nil
}

// renew gives a line that was stored under an older form of the fingerprint the one of today.
func (l *storedLine) renew() {
	if l.FingerprintVersion == statement.FingerprintVersion {
		return
	}
	renewed := statement.Line{Date: l.BookedOn, AmountMinor: l.AmountMinor, Currency: l.Currency, Reference: l.Reference, Description: l.Description, BankID: l.BankID}.Fingerprint()
	l.Fingerprint = renewed[:]
}

// judge says of each line of a file what the account knows of it.
func (s storedLines) judge(tx *gorm.DB, book Book, lines []freshLine, parsed *statement.Statement, whole wholeDays) ([]overlap.Verdict, error) {
	if len(s) == 0 {
		return make([]overlap.Verdict, len(lines)), nil
	}
	file := overlap.File{WholeFirst: whole.first, WholeLast: whole.last, Proven: parsed.BalancesEqual == parsed.BalancesCompared}
	for _, l := range lines {
		file.Lines = append(file.Lines, overlap.Line{Fingerprint: l.fingerprint, Date: l.Date, AmountMinor: l.AmountMinor, BalanceMinor: l.BalanceMinor, Named: l.BankID != ""})
	}
	unordered := map[int64]bool{}
	first, last := overlap.Bounds(file.Lines)
	for i := range s {
		l := &s[i]
		if l.BalanceMinor == nil && (l.BookedOn == first || l.BookedOn == last) {
			unordered[l.StatementID] = true
		}
		file.Stored = append(file.Stored, overlap.Stored{
			Line:        overlap.Line{Fingerprint: overlap.Fingerprint(l.Fingerprint), Date: l.BookedOn, AmountMinor: l.AmountMinor, BalanceMinor: l.BalanceMinor},
			StatementID: l.StatementID, Row: l.Row, WholeDay: l.WholeDay,
		})
	}
	var err error
	file.Orders, err = ordersOf(tx, book, unordered)
	return overlap.Judge(file), err
}

// ordersOf tells how the lines of statements follow each other, for those of which only that can be asked.
func ordersOf(tx *gorm.DB, book Book, statements map[int64]bool) (map[int64]overlap.Order, error) {
	var ids array[int64]
	for id := range statements {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := query[struct {
		StatementID int64
		Up, Down    bool
	}](tx, `
		SELECT l.statement_id, coalesce(bool_or(l.booked_on > l.before), false) AS up, coalesce(bool_or(l.booked_on < l.before), false) AS down
		  FROM (SELECT statement_id, booked_on, lag(booked_on) OVER (PARTITION BY statement_id ORDER BY row) AS before
		          FROM statement_lines WHERE book_id = ? AND statement_id = ANY(?::bigint[])) l
		 GROUP BY l.statement_id`, book.ID, ids)
	if err != nil {
		return nil, fmt.Errorf("read the order of the lines of statements: %w", err)
	}
	orders := map[int64]overlap.Order{}
	for _, f := range found {
		orders[f.StatementID] = overlap.OrderBy(f.Up, f.Down)
	}
	return orders, nil
}

// number gives each new line the first number that no equal line of the account has.
func (s storedLines) number(fresh []freshLine) {
	type numbered struct {
		fingerprint [32]byte
		occurrence  int
	}
	taken := map[numbered]bool{}
	for i := range s {
		if s[i].FingerprintVersion == statement.FingerprintVersion {
			taken[numbered{[32]byte(s[i].Fingerprint), s[i].Occurrence}] = true
		}
	}
	next := make(map[[32]byte]int, len(fresh))
	for i := range fresh {
		line := &fresh[i]
		n := next[line.fingerprint] + 1
		for taken[numbered{line.fingerprint, n}] {
			n++
		}
		line.occurrence, next[line.fingerprint] = n, n
	}
}
