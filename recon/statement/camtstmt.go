package statement

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"daybook/store/ledger"
)

// camtStmt is a Stmt: what is known of one statement while it is read.
type camtStmt struct {
	part
	start       int    // where its account stands in the text: what is before it tells also when the statement was made, and of a copy that it is one
	ids         string // what the bank calls it
	from, until string // the first and the last day of its period
	balances    []camtBalance
}

// camtBalance is a Bal, as printed.
type camtBalance struct {
	kind, amount, currency, direction, day string
	lineIncluded                           bool   // the credit line is in it
	line                                   string // the credit line
}

func (b *camtBalance) take(path, value, ccy string) {
	switch path {
	case "Tp/CdOrPrtry/Cd", "Tp/CdOrPrtry/Prtry", "Tp/Cd":
		b.kind = strings.ToUpper(value)
	case "Amt":
		b.amount, b.currency = value, currencyCode(ccy)
	case "CdtDbtInd":
		b.direction = strings.ToUpper(value)
	case "Dt", "Dt/Dt", "Dt/DtTm":
		b.day = value
	case "CdtLine/Incl":
		b.lineIncluded = b.lineIncluded || value == "true" || value == "1"
	case "CdtLine/Amt":
		b.line = value
	}
}

// minor gives the balance in minor units, nil when it cannot be read or is not of the money of the account alone.
func (b *camtBalance) minor(currency string) *int64 {
	if b.currency != "" && b.currency != currency || b.lineIncluded && strings.Trim(b.line, "0.") != "" {
		return nil
	}
	minor, fault := signedMinor(b.amount, b.direction, currency)
	if fault != nil {
		return nil
	}
	return &minor
}

// takeBalance keeps the balances that say where a statement begins or ends.
func (s *camtStmt) takeBalance(b camtBalance) {
	switch b.kind {
	case "OPBD", "PRCD", "CLBD", "ITBD":
		s.balances = append(s.balances, b)
	}
}

// takeEntry reads an entry into a line or a reject.
func (s *camtStmt) takeEntry(e *camtEntry, raw string, t *told) {
	e.closePayment()
	s.currency = cmp.Or(s.currency, s.balanceCurrency(), currencyCode(e.currency), t.currency)
	line, fault := e.line(s.currency, t)
	if fault != nil {
		s.reject(e.row, fault.reason, fault.detail, raw)
		return
	}
	line.Raw = raw
	if e.reversed {
		s.turned = append(s.turned, len(s.lines))
	}
	s.lines = append(s.lines, line)
}

func (s *camtStmt) balanceCurrency() string {
	for _, b := range s.balances {
		if b.currency != "" {
			return b.currency
		}
	}
	return ""
}

// finish gives the statement its balances. Opening is the one that is called so (OPBD), else the closing one of the statement before (PRCD);
// of a statement over several days, with balances of each, those of the first and the last. An interim balance (ITBD) is the closing one of
// a page only where the entries lead to it.
func (s *camtStmt) finish(t *told) *part {
	s.currency = cmp.Or(s.currency, s.balanceCurrency())
	var opened, closed string
	if s.opening, opened = s.stated(false, "OPBD"); s.opening == nil {
		s.opening, opened = s.stated(false, "PRCD")
	}
	s.closing, closed = s.stated(true, "CLBD")
	s.carried = s.carried && s.closing == nil
	if end := s.after(s.opening); s.closing == nil && end != nil {
		for _, b := range s.balances {
			if minor := b.minor(s.currency); b.kind == "ITBD" && minor != nil && *minor == *end {
				s.closing, closed = minor, b.day
			}
		}
	}
	if s.day, _ = instantDay(s.until, &told{}); s.day.IsZero() {
		s.day = s.lastDay()
	}
	s.takeDays(opened, closed, t)
	return &s.part
}

// takeDays keeps what the statement says it is of, and the days of its balances.
func (s *camtStmt) takeDays(opened, closed string, t *told) {
	from, _ := instantDay(opened, t)
	to, _ := instantDay(closed, t)
	if s.opening != nil && s.closing != nil {
		s.balanced = days{from, to}
	}
	s.period.from, _ = instantDay(s.from, t)
	s.period.to, _ = instantDay(s.until, t)
	if s.period.said() && camtMidnight.MatchString(s.until) {
		s.period.to = s.untilDay(s.period, to)
	}
}

// camtMidnight is the end of a period with the time at which a day begins.
var camtMidnight = regexp.MustCompile(`[T ]00:00(:00(\.0*)?)?(Z|[+-].*)?$`)

// identity tells the statement from others by its ids, period and page, and by all of its text, up to the end of what is given, from the account on.
func (s *camtStmt) identity(text string) identity {
	if s.ids == "" {
		return identity{}
	}
	return identity{fmt.Sprintf("%s %s %s %d", s.ids, s.from, s.until, s.page), text[s.start:]}
}

// stated gives the first or last of the balances of a kind by their days, nil for none, and its day.
func (s *camtStmt) stated(last bool, kind string) (minor *int64, day string) {
	of := slices.DeleteFunc(slices.Clone(s.balances), func(b camtBalance) bool { return b.kind != kind })
	slices.SortStableFunc(of, func(a, b camtBalance) int {
		return strings.Compare(a.day[:min(10, len(a.day))], b.day[:min(10, len(b.day))])
	})
	switch {
	case len(of) == 0:
		return nil, ""
	case last:
		return of[len(of)-1].minor(s.currency), of[len(of)-1].day
	}
	return of[0].minor(s.currency), of[0].day
}

// lastDay gives the latest day of the balances; the zero day for none.
func (s *camtStmt) lastDay() (last ledger.Date) {
	for _, b := range s.balances {
		if day, ok := instantDay(b.day, &told{}); ok && day.After(last) {
			last = day
		}
	}
	return last
}
