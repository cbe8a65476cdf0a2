package statement

import (
	"slices"

	"daybook/store/ledger"
)

// days are the first and the last day of a period; zero where they are not said.
type days struct{ from, to ledger.Date }

func (d days) said() bool { return !d.from.IsZero() && !d.to.IsZero() && !d.to.Before(d.from) }

// follows reports whether a statement that states no opening balance goes on from the closing one of another: by their days it begins where that
// ends or later, and none of its lines may be in both.
func (p *part) follows(before *part) bool {
	if !p.period.said() || !before.period.said() || p.period.from.Before(before.period.to) {
		return false
	}
	return !slices.ContainsFunc(p.lines, func(l Line) bool { return !l.Date.After(before.period.to) })
}

// untilDay gives the last day of a period that ends at the midnight with which a day begins. Some banks mean the end of that day by it: those
// that date a balance or a line with it.
func (p *part) untilDay(period days, balance ledger.Date) ledger.Date {
	onIt := func(l Line) bool { return l.Date == period.to }
	if period.from == period.to || balance == period.to || slices.ContainsFunc(p.lines, onIt) {
		return period.to
	}
	return period.to.AddDays(-1)
}
