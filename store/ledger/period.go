package ledger

import (
	"fmt"
)

// Period is a calendar month, YYYY-MM.
type Period string

// PeriodOf gives the period that a day lies in.
func PeriodOf(d Date) Period { return Period(fmt.Sprintf("%04d-%02d", d.Year, d.Month)) }

// ParsePeriod reads YYYY-MM with a year from 1900 to 9999; anything else is refused as KindInvalid.
func ParsePeriod(s string) (Period, error) {
	if _, err := ParseDate(s + "-01"); err != nil {
		return "", Refuse(KindInvalid, "%q is not a period: write it as YYYY-MM", s)
	}
	return Period(s), nil
}

// First gives the first day of the period.
func (p Period) First() Date {
	day, _ := ParseDate(string(p) + "-01")
	return day
}

// Last gives the last day of the period.
func (p Period) Last() Date { return DateOf(p.First().Time().AddDate(0, 1, -1)) }

// Next gives the period that follows.
func (p Period) Next() Period { return PeriodOf(p.Last().AddDays(1)) }
