package recon

import (
	"cmp"
	"slices"

	"daybook/store/ledger"
)

// sameNumberOtherCurrency ends pass 6: lines that had no candidate in their own currency, where the same number stands
// on the other side in another one, unique both ways.
func (m *matcher) sameNumberOtherCurrency() {
	numbered := m.alone()
	for start := 0; start < len(numbered); {
		end := start + 1
		for end < len(numbered) && numbered[end].number == numbered[start].number {
			end++
		}
		m.bindCurrencies(numbered[start:end])
		start = end
	}
}

type numbered struct {
	number
	line position
}

// alone gives the free lines by number and day. With one currency there is nothing to look for.
func (m *matcher) alone() []numbered {
	if len(m.lines) == 0 || m.lines[0].currency == m.lines[len(m.lines)-1].currency {
		return nil
	}
	var all []numbered
	for _, p := range m.byAmount {
		if m.lines[p].state == free && !m.item(p).Candidate {
			all = append(all, numbered{numberOf(m.item(p)), p})
		}
	}
	slices.SortFunc(all, func(a, b numbered) int {
		return cmp.Or(cmp.Compare(a.digits, b.digits), cmp.Compare(a.power, b.power),
			cmp.Compare(m.lines[a.line].day, m.lines[b.line].day), cmp.Compare(a.line, b.line))
	})
	return all
}

func (m *matcher) bindCurrencies(run []numbered) {
	ps := make([]position, len(run))
	for i, n := range run {
		ps[i] = n.line
	}
	ledgers, banks := m.sides(ps, free)
	if len(ledgers) == 0 || len(banks) == 0 {
		return
	}
	g := newGraph(m, ledgers, banks)
	for _, own := range m.currencies(g.ledgers) {
		in := func(n node) bool { return m.lines[n.line].currency == own }
		g.connect(filter(g.ledgers, in), filter(g.banks, func(n node) bool { return !in(n) }))
	}
	for _, pair := range g.groups() {
		if len(pair.ledgers) != 1 || len(pair.banks) != 1 {
			continue
		}
		l, b := pair.ledgers[0], pair.banks[0]
		m.bind(CurrencyMismatch, whyCurrency("same number, "+days(m.daysApart(l, b)), m.item(l), m.item(b)), l, b)
	}
}

func (m *matcher) currencies(nodes []node) []int16 {
	var seen []int16
	for _, n := range nodes {
		if own := m.lines[n.line].currency; !slices.Contains(seen, own) {
			seen = append(seen, own)
		}
	}
	return seen
}

func filter(nodes []node, keep func(node) bool) []node {
	var kept []node
	for _, n := range nodes {
		if keep(n) {
			kept = append(kept, n)
		}
	}
	return kept
}

// number is an amount without its currency: 108.00 in EUR is 108 in JPY. digits × 10^power, digits without trailing zeros.
type number struct {
	digits int64
	power  int
}

func numberOf(item *Item) number {
	exponent, known := ledger.Exponent(item.Currency)
	if !known {
		exponent = 2
	}
	n := number{item.AmountMinor, -exponent}
	if n.digits == 0 {
		return number{}
	}
	for n.digits%10 == 0 {
		n.digits, n.power = n.digits/10, n.power+1
	}
	return n
}
