package recon

import "strings"

// equals is pass 2. Where each side's lines of one date, amount, currency and reference are alike, it does not matter
// which is taken for which: as many are matched as the smaller side has. Without a reference nothing can tell whether
// the others are duplicates, so they are missing on the other side, and no near date may claim one of them.
func (m *matcher) equals() {
	sameDay := func(a, b *line) bool { return a.amount == b.amount && a.currency == b.currency && a.day == b.day }
	var unnamed []position
	for _, p := range m.byAmount {
		if m.lines[p].whole == 0 {
			unnamed = append(unnamed, p)
		}
	}
	for run := range m.runs(unnamed, sameDay) {
		m.matchEquals(run)
	}
	for run := range m.runs(m.byReference, func(a, b *line) bool { return a.whole == b.whole && sameDay(a, b) }) {
		m.matchEquals(run)
	}
}

func (m *matcher) matchEquals(run []position) {
	ledgers, banks := m.sides(run, free)
	if len(ledgers) == 0 || len(banks) == 0 || !m.alike(ledgers) || !m.alike(banks) {
		return
	}
	m.matchAlike(ledgers, banks, ruleEquals)
}

// matchAlike pairs lines of which any is as good as another, and sets aside the ones that are too many.
func (m *matcher) matchAlike(ledgers, banks []position, alone rule) {
	as := alone
	if len(ledgers) > 1 || len(banks) > 1 {
		as = ruleAlike
	}
	n := min(len(ledgers), len(banks))
	for i := range n {
		m.match(ledgers[i], banks[i], as)
	}
	why := whySurplus(len(ledgers), len(banks))
	for _, rest := range [][]position{ledgers[n:], banks[n:]} {
		for _, p := range rest {
			m.lines[p].state = left
			m.surplus[p] = why
		}
	}
}

// alike reports whether lines of one side cannot be told apart: same day, reference and, but for case and blanks, text.
func (m *matcher) alike(ps []position) bool {
	first := &m.lines[ps[0]]
	for _, p := range ps[1:] {
		at := &m.lines[p]
		if at.day != first.day || at.whole != first.whole || !sameText(m.item(p).Text, m.item(ps[0]).Text) {
			return false
		}
	}
	return true
}

func sameText(a, b string) bool {
	return a == b || strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}
