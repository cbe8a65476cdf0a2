package statement

import (
	"slices"

	"daybook/store/ledger"
)

// days are the first and the last day of a period; zero where they are not said.
type days struct{ from, to ledger.Date }

func (d days) said() bool { return !d.from.IsZero() && !d.to.IsZero() && !d.to.Before(d.from) }

// stated gives the days for which statements in their order are whole: each is of days that it says, or of those of its balances, and goes on
// where the one before it ends. Lines of other days speak against what a file says of itself.
func (all parts) stated(lines []Line) days {
	var whole days
	for i, p := range all {
		of := p.days(i == 0, lines)
		chained := i > 0 && p.opening != nil && all[i-1].closing != nil
		if !of.said() || i > 0 && !chained && of.from.After(whole.to.AddDays(1)) {
			return days{}
		}
		if i == 0 || of.from.Before(whole.from) {
			whole.from = of.from
		}
		if of.to.After(whole.to) {
			whole.to = of.to
		}
	}
	if slices.ContainsFunc(lines, func(l Line) bool { return l.Date.Before(whole.from) || l.Date.After(whole.to) }) {
		return days{}
	}
	return whole
}

// days gives those of a statement. Banks date an opening balance with the first day, or with the last one before it: where nothing else shows that it
// is the first, the day after it is taken, so as to claim no day that is not in the file.
func (p *part) days(first bool, lines []Line) days {
	if p.period.said() {
		return p.period
	}
	of := p.balanced
	if first && of.said() && of.from != of.to && !slices.ContainsFunc(lines, func(l Line) bool { return l.Date == of.from }) {
		of.from = of.from.AddDays(1)
	}
	return of
}

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
