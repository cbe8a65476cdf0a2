package recon

import (
	"cmp"
	"slices"
)

// sameReferenceAndAmount is pass 3, whatever the date. Lines that equals found to be too many take part: the same
// reference and amount on another day is closer than a duplicate.
func (m *matcher) sameReferenceAndAmount() {
	same := func(a, b *line) bool { return a.whole == b.whole && a.currency == b.currency && a.amount == b.amount }
	for run := range m.runs(m.byReference, same) {
		ledgers, banks := m.sides(run, free, left)
		m.nearest(ledgers, banks, func(l, b position) (gap, bool) {
			return gap{days: m.daysApart(l, b)}, true
		}, func(l, b position) { m.match(l, b, ruleReference) })
	}
}

// sameReferenceOtherAmount is pass 4. It binds the pair: lines that name each other are never given to a line that only
// has the same amount. Other currencies come after other amounts.
func (m *matcher) sameReferenceOtherAmount() {
	inCurrency := func(a, b *line) bool { return a.whole == b.whole && a.currency == b.currency }
	rest := m.stillFree(m.byReference)
	for run := range m.runs(rest, inCurrency) {
		ledgers, banks := m.sides(run, free)
		m.nearest(ledgers, banks, m.amountGap, m.bindAmounts)
	}
	for run := range m.runs(rest, func(a, b *line) bool { return a.whole == b.whole }) {
		ledgers, banks := m.sides(run, free)
		m.nearest(ledgers, banks, m.currencyGap, func(l, b position) {
			m.bind(CurrencyMismatch, whyCurrency("same reference", m.item(l), m.item(b)), l, b)
		})
	}
}

// stillFree gives the free lines of a list.
func (m *matcher) stillFree(list []position) (rest []position) {
	for _, p := range list {
		if m.lines[p].state == free {
			rest = append(rest, p)
		}
	}
	return rest
}

// bindAmounts binds a pair of lines that name each other, or matches them when the account's rules allow the difference.
func (m *matcher) bindAmounts(l, b position) {
	ours := m.lines[l].amount
	if minor, ok := difference(ours, m.lines[b].amount); ok {
		if as, allowed := m.allows(l, ours, minor, 1); allowed {
			m.match(l, b, as)
			return
		}
	}
	m.bind(AmountMismatch, whyAmount(m.item(l), m.item(b)), l, b)
}

// allows asks the account's rules, which speak of its own currency.
func (m *matcher) allows(p position, ledgerMinor, differenceMinor int64, postings int) (rule, bool) {
	if m.item(p).Currency != m.in.Currency {
		return 0, false
	}
	return m.rules.allows(ledgerMinor, differenceMinor, postings)
}

// amountGap refuses two candidates, of which neither may break, and a difference that no amount can hold.
func (m *matcher) amountGap(l, b position) (gap, bool) {
	if m.item(l).Candidate && m.item(b).Candidate {
		return gap{}, false
	}
	minor, ok := difference(m.lines[l].amount, m.lines[b].amount)
	return gap{minor: magnitude(minor), days: m.daysApart(l, b)}, ok
}

func (m *matcher) currencyGap(l, b position) (gap, bool) {
	if m.lines[l].currency == m.lines[b].currency || m.item(l).Candidate && m.item(b).Candidate {
		return gap{}, false
	}
	g := gap{days: m.daysApart(l, b)}
	if numberOf(m.item(l)) != numberOf(m.item(b)) {
		g.minor = 1
	}
	return g, true
}

// gap is how far two lines of one reference are apart: by amount first, then by days.
type gap struct {
	minor uint64
	days  int
}

// nearestLimit bounds the pairs that are weighed within one reference.
const nearestLimit = 4096

// nearest takes the closest pairs first. A reference that stands on so many lines that weighing all pairs would take too
// long does not name a line any more: those go by rank.
func (m *matcher) nearest(ledgers, banks []position, apart func(l, b position) (gap, bool), take func(l, b position)) {
	if len(ledgers) == 0 || len(banks) == 0 {
		return
	}
	if len(ledgers) > nearestLimit/len(banks) {
		for i := range min(len(ledgers), len(banks)) {
			if _, ok := apart(ledgers[i], banks[i]); ok {
				take(ledgers[i], banks[i])
			}
		}
		return
	}
	type weighed struct {
		gap
		l, b position
	}
	var all []weighed
	for _, l := range ledgers {
		for _, b := range banks {
			if g, ok := apart(l, b); ok {
				all = append(all, weighed{g, l, b})
			}
		}
	}
	slices.SortFunc(all, func(x, y weighed) int {
		return cmp.Or(cmp.Compare(x.minor, y.minor), cmp.Compare(x.days, y.days), cmp.Compare(x.l, y.l), cmp.Compare(x.b, y.b))
	})
	for _, w := range all {
		if m.unmatched(w.l) && m.unmatched(w.b) {
			take(w.l, w.b)
		}
	}
}
