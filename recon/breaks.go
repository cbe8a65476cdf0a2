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
	slices.SortFunc(m.breaks, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.Type.Rank(), b.Type.Rank()), m.byDay(a.lead, b.lead))
	})
	slices.SortFunc(m.pairs, func(a, b pair) int { return m.byDay(a.ledger, b.ledger) })
	r := Result{Matches: make([]Matched, len(m.pairs)), Breaks: make([]Break, len(m.breaks))}
	indexes := make([]int, 2*len(m.pairs)) // one piece of memory for all
	for i, p := range m.pairs {
		both := indexes[2*i : 2*i+2 : 2*i+2]
		both[0], both[1] = int(m.lines[p.ledger].index), int(m.lines[p.bank].index)
		r.Matches[i] = m.matched(p)
		r.Matches[i].Ledger, r.Matches[i].Bank = both[:1:1], both[1:]
		if p.rule == ruleReversed {
			r.Matches[i].Ledger, r.Matches[i].Bank = both, nil
		}
	}
	for i, b := range m.breaks {
		r.Breaks[i] = b.Break
	}
	return r
}
