package ledger

import (
	"fmt"
	"time"
)

// Period is a calendar month, YYYY-MM.
type Period string

// ParsePeriod reads YYYY-MM. Error: KindInvalid.
func ParsePeriod(s string) (Period, error) {
	if _, err := time.Parse("2006-01", s); err != nil {
		return "", Refuse(KindInvalid, "%q is not a period: write it as YYYY-MM", s)
	}
	return Period(s), nil
}

// PeriodOf gives the period that a day lies in.
func PeriodOf(d Date) Period { return Period(fmt.Sprintf("%04d-%02d", d.Year, d.Month)) }
