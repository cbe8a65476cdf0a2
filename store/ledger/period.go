package ledger

import "fmt"

// Period is a calendar month, YYYY-MM.
type Period string

// PeriodOf gives the period that a day lies in.
func PeriodOf(d Date) Period { return Period(fmt.Sprintf("%04d-%02d", d.Year, d.Month)) }
