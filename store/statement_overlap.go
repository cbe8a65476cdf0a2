package store

import (
	"cmp"
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

// storedLine is a line of the account on one of the days of a file. The texts are read of those with an older fingerprint or of another format only.
type storedLine struct {
	StatementID, AmountMinor                 int64
	BookedOn                                 ledger.Date
	Row, FingerprintVersion, Occurrence      int
	BalanceMinor                             *int64
	Fingerprint                              []byte
	WholeDay, OtherFormat, SameBalances      bool
	Currency, Reference, Description, BankID string
}

// storedLines are what the account has of the days of a file.
type storedLines []storedLine

// storedOnDays reads what the account has of the days of the lines of a file. A CSV file of other columns is one of another format.
func storedOnDays(tx *gorm.DB, book Book, account ledger.Account, lines []freshLine, parsed *statement.Statement) (storedLines, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	first, last, days := daysOf(lines)
	stored, err := query[storedLine](tx, `
		WITH files AS MATERIALIZED (
		     SELECT id, period_from, period_to, period_stated, CAST(uploaded_at AT TIME ZONE 'UTC' AS date) AS uploaded_on,
		            format <> @format OR format = 'csv' AND settings ->> 'HeaderFingerprint' IS DISTINCT FROM @layout AS other_format,
		            coalesce(opening_minor = CAST(@opening AS bigint) AND closing_minor = CAST(@closing AS bigint) AND period_from <= @first AND period_to >= @last, false) AS same_balances
		       FROM statements WHERE book_id = @book AND account_id = @account)
		SELECT l.statement_id, l.amount_minor, l.booked_on, l.row, l.fingerprint_version, l.occurrence, l.balance_minor, l.fingerprint, f.other_format, f.same_balances,
		       f.period_from < l.booked_on AND l.booked_on < f.period_to OR f.period_stated AND l.booked_on < f.uploaded_on AS whole_day,
		       CASE WHEN o.worded THEN l.currency ELSE '' END AS currency, CASE WHEN o.worded THEN l.reference ELSE '' END AS reference,
		       CASE WHEN o.worded THEN l.description ELSE '' END AS description, CASE WHEN o.worded THEN l.bank_id ELSE '' END AS bank_id
		  FROM statement_lines l JOIN files f ON f.id = l.statement_id
		 CROSS JOIN LATERAL (SELECT f.other_format OR l.fingerprint_version <> @version AS worded) o
		 WHERE l.book_id = @book AND l.account_id = @account AND l.booked_on = ANY(CAST(@days AS date[])) AND NOT l.undone
		 ORDER BY l.id`, map[string]any{"format": parsed.Format, "layout": parsed.Settings.HeaderFingerprint, "opening": parsed.OpeningMinor, "closing": parsed.ClosingMinor,
		"first": first, "last": last, "book": book.ID, "account": account.ID, "version": statement.FingerprintVersion, "days": days})
	if err != nil {
		return nil, fmt.Errorf("read what account %s has of the days of a file: %w", account.Code, err)
	}
	for i := range stored {
		stored[i].renew()
	}
	return stored, nil
}

// daysOf gives the days on which a file has lines, of which there are some, each once, with the first and the last.
func daysOf(lines []freshLine) (first, last ledger.Date, days array[time.Time]) {
	first, last = lines[0].Date, lines[0].Date
	seen := map[ledger.Date]bool{}
	for _, line := range lines {
		if seen[line.Date] {
			continue
		}
		seen[line.Date] = true
		days = append(days, line.Date.Time())
		if line.Date.Before(first) {
			first = line.Date
		}
		if line.Date.After(last) {
			last = line.Date
		}
	}
	return first, last, days
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
func (s storedLines) judge(tx *gorm.DB, book Book, account ledger.Account, lines []freshLine, parsed *statement.Statement, whole wholeDays) ([]overlap.Verdict, error) {
	if len(s) == 0 {
		return make([]overlap.Verdict, len(lines)), nil
	}
	file := overlap.File{WholeFirst: whole.first, WholeLast: whole.last, Proven: parsed.BalancesEqual == parsed.BalancesCompared}
	others := s.otherFormats()
	for _, l := range lines {
		line := overlap.Line{Fingerprint: l.fingerprint, Date: l.Date, AmountMinor: l.AmountMinor, BalanceMinor: l.BalanceMinor, Named: l.BankID != ""}
		if others[l.Date] {
			line.Words = wordsToCompare(*l.Line, account.Currency)
		}
		file.Lines = append(file.Lines, line)
	}
	unordered := map[int64]bool{}
	first, last := overlap.Bounds(file.Lines)
	for i := range s {
		l := &s[i]
		if l.BalanceMinor == nil && (l.BookedOn == first || l.BookedOn == last) {
			unordered[l.StatementID] = true
		}
		file.Stored = append(file.Stored, l.toJudge(account.Currency))
	}
	var err error
	file.Orders, err = ordersOf(tx, book, unordered)
	return overlap.Judge(file), err
}

// otherFormats gives the days on which something is stored of another format.
func (s storedLines) otherFormats() map[ledger.Date]bool {
	days := map[ledger.Date]bool{}
	for i := range s {
		if s[i].OtherFormat {
			days[s[i].BookedOn] = true
		}
	}
	return days
}

func (l *storedLine) toJudge(currency string) overlap.Stored {
	stored := overlap.Stored{
		Line:        overlap.Line{Fingerprint: overlap.Fingerprint(l.Fingerprint), Date: l.BookedOn, AmountMinor: l.AmountMinor, BalanceMinor: l.BalanceMinor},
		StatementID: l.StatementID, Row: l.Row, WholeDay: l.WholeDay, OtherFormat: l.OtherFormat, SameBalances: l.SameBalances,
	}
	if l.OtherFormat {
		stored.Words = wordsToCompare(statement.Line{Currency: l.Currency, Reference: l.Reference, Description: l.Description}, currency)
	}
	return stored
}

// wordsToCompare are the words of a line as any format would say them. Without a currency it is of that of the account.
func wordsToCompare(line statement.Line, currency string) overlap.Words {
	reference, text := line.Words()
	return overlap.Words{Currency: cmp.Or(line.Currency, currency), Reference: reference, Text: text}
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
