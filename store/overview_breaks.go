package store

import (
	"cmp"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// OpenBreaks counts the open breaks of one account, type and age that one reconciliation found. Age is the place in BreakAges of the
// number of days since the earliest thing that they are about.
type OpenBreaks struct {
	AccountID int64
	FoundBy   int64       // the reconciliation
	ScopeFrom ledger.Date // and the first day of its period
	Type      recon.BreakType
	Age       int
	Breaks    int
	Since     ledger.Date // the earliest of them
	Oldest    int64       // and its id
}

// BreakAges are the days from which on each class of age counts; the last has no end.
func BreakAges() []int { return []int{0, 3, 6, 31} }

// readOpen counts what is open, by an index that holds nothing else.
func (o *Overview) readOpen(tx *gorm.DB, actor Actor) (err error) {
	o.Open, err = query[OpenBreaks](tx, `
		WITH open AS (
			SELECT b.account_id, b.reconciliation_id, b.type, b.id, least(b.since, b.first_seen_on) AS since
			  FROM breaks b WHERE b.book_id = @book AND b.live AND b.status <> 'resolved'),
		counted AS (
			SELECT o.account_id, o.reconciliation_id AS found_by, o.type, width_bucket(CAST(@today AS date) - o.since, CAST(@ages AS integer[])) AS age,
			       count(*) AS breaks, min(o.since) AS since,
			       CAST(substr(min(CAST(o.since AS text) || lpad(CAST(o.id AS text), 20, '0')), 11) AS bigint) AS oldest
			  FROM open o GROUP BY 1, 2, 3, 4)
		SELECT c.*, r.scope_from FROM counted c JOIN reconciliations r ON r.book_id = @book AND r.id = c.found_by
		 ORDER BY c.account_id, r.scope_from, c.found_by, c.type, c.age`,
		map[string]any{"book": actor.Book.ID, "today": o.Today, "ages": ageLimits()})
	if err != nil {
		return fmt.Errorf("count open breaks: %w", err)
	}
	return nil
}

// ageLimits are the ages at which another class begins.
func ageLimits() array[int] { return BreakAges()[1:] }

// OldestBreak gives the open break that has been there longest, and since when; 0 for none.
func (o Overview) OldestBreak() (id int64, since ledger.Date) {
	if len(o.Open) == 0 {
		return 0, ledger.Date{}
	}
	oldest := slices.MinFunc(o.Open, func(a, b OpenBreaks) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Oldest, b.Oldest)) })
	return oldest.Oldest, oldest.Since
}

// openOf is what is open on an account: all of it, since when, and the part that the earliest reconciliation found.
func (o Overview) openOf(accountID int64) (breaks int, since ledger.Date, first OpenBreaks) {
	for _, open := range o.Open { // by account and period
		if open.AccountID != accountID {
			continue
		}
		if breaks == 0 {
			first = open
		}
		breaks, since = breaks+open.Breaks, earlier(since, open.Since)
	}
	return breaks, since, first
}

// MatchRate says of how many lines of a month, by the day on which the bank booked them, a rule found the match.
type MatchRate struct {
	Month   ledger.Date // its first day
	Lines   int
	Matched int
}

// PerMille is the share of the lines that were matched, rounded down: all of them are 1000, and nothing else is.
func (r MatchRate) PerMille() int {
	if r.Lines == 0 {
		return 0
	}
	return int(int64(r.Matched) * 1000 / int64(r.Lines))
}

// monthsShown is how many months, up to that of the last statement, have their rate shown.
const monthsShown = 6

func (o *Overview) readRates(tx *gorm.DB, actor Actor) (err error) {
	var last ledger.Date
	for _, bank := range o.Banks {
		if bank.StatementTo.After(last) {
			last = bank.StatementTo
		}
	}
	if last.IsZero() {
		return nil
	}
	from := ledger.DateOf(ledger.Date{Year: last.Year, Month: last.Month, Day: 1}.Time().AddDate(0, 1-monthsShown, 0))
	o.Rates, err = query[MatchRate](tx, `
		SELECT CAST(date_trunc('month', l.booked_on) AS date) AS month, count(*) AS lines, count(m.id) AS matched
		  FROM statement_lines l
		  LEFT JOIN match_lines i ON i.book_id = l.book_id AND i.line_id = l.id AND i.live
		  LEFT JOIN matches m ON m.book_id = i.book_id AND m.id = i.match_id AND m.made_by IS NULL
		 WHERE l.book_id = ? AND NOT l.undone AND l.booked_on >= ? AND l.booked_on <= ?
		 GROUP BY 1 ORDER BY 1`, actor.Book.ID, from, last)
	if err != nil {
		return fmt.Errorf("count matched lines: %w", err)
	}
	return nil
}

// WeekOfBreaks counts the breaks that opened and closed in a week. What is found and settled at once, as timing is, does neither.
type WeekOfBreaks struct {
	Monday ledger.Date
	Opened int
	Closed int
}

// weeksShown is how many weeks are shown, up to this one, or to the last in which something happened when that is longer ago.
const weeksShown = 8

// standingEvents are the events after which a break is open or is not; the others tell something about it.
const standingEvents = `('found', 'resolved', 'reopened', 'superseded', 'returned')`

func (o *Overview) readWeeks(tx *gorm.DB, actor Actor) error {
	weeks, err := query[WeekOfBreaks](tx, `
		WITH lately AS (
			SELECT e.break_id, e.n, e.at, e.resolution IS NULL AS open
			  FROM break_events e
			 WHERE e.book_id = @book AND e.event IN `+standingEvents+`
			   AND e.at >= (SELECT date_trunc('week', max(l.at), 'UTC') - CAST(@before AS interval) FROM break_events l
			                 WHERE l.book_id = @book AND l.event IN `+standingEvents+`)),
		changed AS (
			SELECT l.at, l.open, coalesce(before.open, false) AS was_open,
			       l.n <= 2 AND EXISTS (SELECT FROM break_events b WHERE b.book_id = @book AND b.break_id = l.break_id AND b.n = 2
			                                                    AND b.event = 'resolved' AND b.user_id IS NULL) AS at_birth
			  FROM lately l
			  LEFT JOIN LATERAL (
			       SELECT p.resolution IS NULL AS open FROM break_events p
			        WHERE p.book_id = @book AND p.break_id = l.break_id AND p.n < l.n AND p.event IN `+standingEvents+`
			        ORDER BY p.n DESC LIMIT 1) before ON l.n > 1)
		SELECT CAST(date_trunc('week', c.at, 'UTC') AT TIME ZONE 'UTC' AS date) AS monday,
		       count(*) FILTER (WHERE c.open AND NOT c.was_open) AS opened, count(*) FILTER (WHERE c.was_open AND NOT c.open) AS closed
		  FROM changed c WHERE NOT c.at_birth GROUP BY 1 ORDER BY 1`,
		map[string]any{"book": actor.Book.ID, "before": fmt.Sprintf("%d days", 7*(weeksShown-1))})
	if err != nil {
		return fmt.Errorf("count what happened to breaks: %w", err)
	}
	o.Weeks = everyWeek(weeks, o.Today)
	return nil
}

// everyWeek fills in the weeks in which nothing happened.
func everyWeek(busy []WeekOfBreaks, today ledger.Date) []WeekOfBreaks {
	if len(busy) == 0 {
		return nil
	}
	end := mondayOf(today)
	if last := busy[len(busy)-1].Monday; last.After(end) || last.DaysUntil(end) >= 7*weeksShown {
		end = last
	}
	weeks := make([]WeekOfBreaks, weeksShown)
	for i := range weeks {
		weeks[i].Monday = end.AddDays(7 * (i + 1 - weeksShown))
		for _, week := range busy {
			if week.Monday == weeks[i].Monday {
				weeks[i] = week
			}
		}
	}
	return weeks
}

func mondayOf(day ledger.Date) ledger.Date { return day.AddDays(-(int(day.Time().Weekday()) + 6) % 7) }
