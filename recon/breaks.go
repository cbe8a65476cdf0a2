package recon

import (
	"cmp"
	"slices"
)

// placed is a Break with the line that gives it its place in the order.
type placed struct {
	Break
	lead position
}

func (m *matcher) breakAlone(t BreakType, why string, p position) {
	m.open(t, why, p)
	m.lines[p].state = broken
}

// bind puts lines of both sides into one break: they are spoken for as if they were matched.
func (m *matcher) bind(t BreakType, why string, ps ...position) {
	m.open(t, why, ps...)
	for _, p := range ps {
		m.lines[p].state = paired
	}
}

func (m *matcher) open(t BreakType, why string, ps ...position) {
	b := placed{Break: Break{Type: t, Why: why}, lead: ps[0]}
	b.DifferenceMinor, _ = m.difference(ps)
	slices.SortFunc(ps, m.byDay)
	b.lead = ps[0]
	for _, p := range ps {
		at := &m.lines[p]
		if at.side == ledgerSide {
			b.Ledger = append(b.Ledger, int(at.index))
		} else {
			b.Bank = append(b.Bank, int(at.index))
		}
	}
	m.breaks = append(m.breaks, b)
}

// difference is ledger - bank over the lines in the account's currency; false when no amount can hold it.
func (m *matcher) difference(ps []position) (int64, bool) {
	var sum wide
	for _, p := range ps {
		if at := &m.lines[p]; m.item(p).Currency != m.in.Currency {
			continue
		} else if at.side == ledgerSide {
			sum.add(at.amount)
		} else {
			sum.subtract(at.amount)
		}
	}
	return sum.minor()
}

func (m *matcher) byDay(a, b position) int {
	return cmp.Or(cmp.Compare(m.lines[a].day, m.lines[b].day), cmp.Compare(a, b))
}

func (m *matcher) result() Result {
	order := make([]int32, len(m.breaks))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := &m.breaks[i], &m.breaks[j]
		return cmp.Or(cmp.Compare(a.Type.Rank(), b.Type.Rank()), m.byDay(a.lead, b.lead))
	})
	m.sortPairs()
	for _, g := range m.groups {
		slices.SortFunc(g.ledgers, m.byDay)
		slices.SortFunc(g.banks, m.byDay)
	}
	slices.SortFunc(m.groups, func(a, b gathered) int { return m.byDay(a.ledgers[0], b.ledgers[0]) })
	r := Result{Matches: make([]Matched, 0, len(m.pairs)+len(m.groups)), Breaks: make([]Break, len(m.breaks)), Search: m.search}
	indexes := make([]int, 2*len(m.pairs)) // one piece of memory for all
	groups := m.groups
	for i, p := range m.pairs {
		for len(groups) > 0 && m.byDay(groups[0].ledgers[0], p.ledger) < 0 {
			r.Matches, groups = append(r.Matches, m.whole(groups[0])), groups[1:]
		}
		both := indexes[2*i : 2*i+2 : 2*i+2]
		both[0], both[1] = int(m.lines[p.ledger].index), int(m.lines[p.bank].index)
		found := m.matched(p)
		found.Ledger, found.Bank = both[:1:1], both[1:]
		if p.rule == ruleReversed {
			found.Ledger, found.Bank = both, nil
		}
		r.Matches = append(r.Matches, found)
	}
	for _, g := range groups {
		r.Matches = append(r.Matches, m.whole(g))
	}
	for i, b := range order {
		r.Breaks[i] = m.breaks[b].Break
	}
	return r
}

// sortPairs puts the pairs in the order of their ledger lines by day, by counting the lines of each day: those of one day come as
// they stand in the matcher.
func (m *matcher) sortPairs() {
	if len(m.pairs) == 0 {
		return
	}
	first, last := m.lines[m.pairs[0].ledger].day, m.lines[m.pairs[0].ledger].day
	at := make([]int32, len(m.lines)) // the pair of each ledger line, from 1
	for i, p := range m.pairs {
		day := m.lines[p.ledger].day
		first, last = min(first, day), max(last, day)
		at[p.ledger] = int32(i + 1)
	}
	from := make([]int32, last-first+2) // of each day, where its pairs begin
	for _, p := range m.pairs {
		from[m.lines[p.ledger].day-first+1]++
	}
	for day := 1; day < len(from); day++ {
		from[day] += from[day-1]
	}
	sorted := make([]pair, len(m.pairs))
	for p, i := range at {
		if i > 0 {
			day := m.lines[p].day - first
			sorted[from[day]] = m.pairs[i-1]
			from[day]++
		}
	}
	m.pairs = sorted
}
