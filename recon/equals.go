package recon

import (
	"slices"
	"strings"
)

// equals is pass 2. Where each side's lines of one date, amount, currency and reference are alike, it does not matter
// which is taken for which: as many are matched as the smaller side has. Without a reference nothing can tell whether
// the others are duplicates, so they are missing on the other side, and no near date may claim one of them.
func (m *matcher) equals() {
	same := func(a, b *line) bool {
		return a.whole == b.whole && a.amount == b.amount && a.currency == b.currency && a.day == b.day
	}
	for run := range m.runs(m.byReference, same) {
		if ledgers, banks, ok := m.equal(run); ok {
			m.matchAlike(ledgers, banks, ruleEquals)
		}
	}
}

// equalsWithoutReference is equals for lines without a reference. It leaves a line whose text names the reference of another one in the
// window to that.
func (m *matcher) equalsWithoutReference() {
	sameAmount := func(a, b *line) bool { return a.amount == b.amount && a.currency == b.currency }
	sameDay := func(a, b *line) bool { return a.day == b.day }
	for amount := range m.runs(m.byAmount, sameAmount) {
		unnamed := m.unnamed[:0]
		for _, p := range amount {
			if at := &m.lines[p]; at.whole == 0 && at.state == free {
				unnamed = append(unnamed, p)
			}
		}
		m.unnamed = unnamed
		for run := range m.runs(unnamed, sameDay) {
			if ledgers, banks, ok := m.equal(run); ok && !m.meantForOthers(amount, ledgers[0], banks[0]) {
				m.matchAlike(ledgers, banks, ruleEquals)
			}
		}
	}
}

// equal gives the free lines of a run, when there are some on both sides and each side's are alike.
func (m *matcher) equal(run []position) (ledgers, banks []position, ok bool) {
	ledgers, banks = m.sides(run, free)
	return ledgers, banks, len(ledgers) > 0 && len(banks) > 0 && m.alike(ledgers) && m.alike(banks)
}

// meantForOthers reports whether the text of one of two lines names the reference of another free line of the amount within the window.
func (m *matcher) meantForOthers(amount []position, l, b position) bool {
	if len(amount) == 2 {
		return false
	}
	from, _ := slices.BinarySearchFunc(amount, int(m.lines[l].day)-m.rules.WindowDays, m.compareDay)
	to, _ := slices.BinarySearchFunc(amount, int(m.lines[l].day)+m.rules.WindowDays+1, m.compareDay)
	return slices.ContainsFunc(amount[from:to], func(p position) bool {
		if p == l || p == b || m.lines[p].state != free {
			return false
		}
		ours, theirs := l, p
		if m.lines[p].side == ledgerSide {
			ours, theirs = p, b
		}
		return !m.contradict(ours, theirs) && m.namesOther(ours, theirs)
	})
}

func (m *matcher) compareDay(p position, day int) int { return int(m.lines[p].day) - day }

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
