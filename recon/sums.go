package recon

import (
	"cmp"
	"slices"
)

const (
	mostRounds  = 4       // what is settled in one round may leave only one way in the next
	stepsInAll  = 1 << 26 // of all searches of a run, shared out evenly
	mostSteps   = 1 << 15 // of one target
	leastSteps  = 1 << 9
	commonWord  = 256            // a word on more lines of a window than this is nobody's name
	strayMatch  = 40_000         // so many lines may bear one match by chance
	strayAtAll  = millionth / 4  // and a small statement a quarter of one
	likeliest   = millionth / 64 // no set that is likelier to be chance is believed
	keyedLimit  = 256            // lines of one reference among which sets are sought
	keyedMatrix = 1 << 20        // targets times members of one reference
)

// sumsWithinWindow is the last part of pass 7: lines that add up to a line on the other side within the window, where only one set
// of them does. Sets of lines of one day, and of lines whose text has a rare word of the target's, are looked at apart from all
// others, since among few lines a set that adds up says more.
func (m *matcher) sumsWithinWindow() {
	m.sumsOfOneReference()
	var again map[position]bool
	for round := range mostRounds {
		s := newSums(m, again)
		settled, disputed := m.settleClaims(s.claims())
		if !settled || round == mostRounds-1 {
			for _, group := range disputed {
				m.disputedSums(group)
			}
			return
		}
		again = s.open
	}
}

// sumsOfOneReference gives lines that share a reference which the other side does not know to the line that they add up to.
func (m *matcher) sumsOfOneReference() {
	var claims []claim
	for run := range m.keyed(ofAny) {
		ledgers, banks := m.sides(run, free)
		members := slices.Concat(ledgers, banks)
		if len(members) < 2 || len(ledgers) > 0 && len(banks) > 0 {
			continue
		}
		for _, target := range m.worth(members) {
			if m.outOfScope(target, members) || m.lines[target].base != 0 {
				continue
			}
			if c, ok := m.claimSum(target, members, "with one reference, "+m.within()+","); ok {
				c.score = min(c.score, 85)
				claims = append(claims, c)
			}
		}
	}
	m.settleClaims(claims)
}

// worth gives the free lines on the other side that the members add up to, or would without a fee, within the window of each.
func (m *matcher) worth(members []position) (targets []position) {
	var all wide
	first, last := m.lines[members[0]].day, m.lines[members[0]].day
	for _, p := range members {
		all.add(m.lines[p].amount)
		first, last = min(first, m.lines[p].day), max(last, m.lines[p].day)
	}
	sum, ok := all.minor()
	if !ok {
		return nil
	}
	like := m.lines[members[0]]
	margin := m.margin(like, sum, len(members))
	from, _ := slices.BinarySearchFunc(m.lines, line{currency: like.currency, amount: sum - margin}, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.currency, b.currency), cmp.Compare(a.amount, b.amount))
	})
	window := int32(m.rules.WindowDays)
	for p := from; p < len(m.lines) && m.lines[p].currency == like.currency && m.lines[p].amount <= sum+margin; p++ {
		if at := &m.lines[p]; at.side != like.side && at.state == free && last-at.day <= window && at.day-first <= window {
			targets = append(targets, position(p))
		}
	}
	return targets
}

// disputedSums makes one ambiguous break of claims that share lines.
func (m *matcher) disputedSums(claims []claim) {
	var all []position
	targets := map[position]bool{}
	for _, c := range claims {
		targets[c.target] = true
		all = append(append(all, c.target), c.members...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if slices.ContainsFunc(all, func(p position) bool { return m.lines[p].state != free }) {
		return
	}
	var g group
	for _, p := range all {
		if m.lines[p].side == ledgerSide {
			g.ledgers = append(g.ledgers, p)
		} else {
			g.banks = append(g.banks, p)
		}
	}
	m.bindAmbiguous(g, m.whyDisputed(claims, len(targets)))
}
