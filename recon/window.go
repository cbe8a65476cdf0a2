package recon

import (
	"fmt"
	"slices"
)

// amountWithinWindow is pass 6: the same amount within the window, where neither line could be anything else. Lines that
// could belong together in more than one way become one ambiguous break: matching the first would be luck.
func (m *matcher) amountWithinWindow() {
	same := func(a, b *line) bool { return a.amount == b.amount && a.currency == b.currency }
	for run := range m.runs(m.byAmount, same) {
		ledgers, banks := m.sides(run, free)
		if len(ledgers) == 0 || len(banks) == 0 {
			continue
		}
		ledgers, banks = slices.Clone(ledgers), slices.Clone(banks)
		m.settleRun(run, ledgers, banks)
		m.noteOtherReferences(ledgers, banks)
		m.noteOtherReferences(banks, ledgers)
	}
}

// settleRun settles the free lines among the run of one amount.
func (m *matcher) settleRun(run, ledgers, banks []position) {
	g := newGraph(m, ledgers, banks)
	g.connect(g.ledgers, g.banks)
	g.joinSlips(run)
	for _, group := range g.groups() {
		m.settle(run, group)
	}
}

func (m *matcher) settle(run []position, g group) {
	switch {
	case len(g.ledgers) == 1 && len(g.banks) == 1:
		as := ruleWindow
		if m.contradict(g.ledgers[0], g.banks[0]) {
			as = ruleSlip
		}
		m.match(g.ledgers[0], g.banks[0], as)
	case m.alike(g.ledgers) && m.alike(g.banks):
		m.matchAlike(g.ledgers, g.banks, ruleWindow)
	case m.byText(g):
		left := func(p position) bool { return m.lines[p].state != free }
		m.settleRun(run, slices.DeleteFunc(g.ledgers, left), slices.DeleteFunc(g.banks, left))
	case m.interchangeable(g):
		m.matchAlike(g.ledgers, g.banks, ruleWindow)
	default:
		m.ambiguous(g)
	}
}

// interchangeable reports whether it does not matter which line of a group is taken for which: the lines of one side are alike, and
// there is one for each of the other side.
func (m *matcher) interchangeable(g group) bool {
	ours, theirs := m.alike(g.ledgers), m.alike(g.banks)
	return ours && theirs || ours && len(g.ledgers) >= len(g.banks) || theirs && len(g.banks) >= len(g.ledgers)
}

// ambiguous leaves candidates out of the break, as nothing binds them to it. A group whose difference no amount can
// hold stays apart: each line is missing by itself.
func (m *matcher) ambiguous(g group) {
	m.bindAmbiguous(g, fmt.Sprintf("%s and %s of the same amount could belong together in more than one way",
		count(len(g.ledgers), "posting", "postings"), count(len(g.banks), "bank line", "bank lines")))
}

func (m *matcher) bindAmbiguous(g group, why string) {
	all := slices.Concat(g.ledgers, g.banks)
	inScope := slices.DeleteFunc(slices.Clone(all), func(p position) bool { return m.item(p).Candidate })
	for _, p := range all {
		m.lines[p].state = left
		m.surplus[p] = why
	}
	if out := len(all) - len(inScope); out > 0 {
		why += fmt.Sprintf("; %d of them out of scope", out)
	}
	if _, ok := m.difference(inScope); ok && len(inScope) > 0 {
		m.bind(Ambiguous, why, inScope...)
	}
}

// noteOtherReferences remembers for the lines still free that there was a line of their amount which names another
// reference: often a slip of the pen in one of them.
func (m *matcher) noteOtherReferences(lines, others []position) {
	for _, p := range lines {
		if m.lines[p].state != free {
			continue
		}
		at, _ := slices.BinarySearchFunc(others, int(m.lines[p].day), m.compareDay)
		for _, i := range []int{at, at - 1} {
			if i < 0 || i >= len(others) || m.daysApart(p, others[i]) > m.rules.WindowDays || !m.contradict(p, others[i]) {
				continue
			}
			m.surplus[p] = fmt.Sprintf("the amount is also %s, %s, but with another reference", m.otherSide(p), days(m.daysApart(p, others[i])))
			break
		}
	}
}
