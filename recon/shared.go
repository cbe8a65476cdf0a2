package recon

import (
	"cmp"
	"iter"
	"slices"
)

// sharedReferences is the part of pass 7 that goes by references, whatever the date: several lines that bear the reference of one
// line on the other side, and add up to it, are a batch or a split. Lines that name each other and add up exactly leave no doubt: so
// what shares the reference of a batch comes first of all, and what shares that of a line before it may bind two lines of different
// amounts.
func (m *matcher) sharedReferences(of func(*line) int32) {
	var claims []claim
	for run := range m.keyed(of) {
		ledgers, banks := m.sides(run, free)
		if len(ledgers)+len(banks) < 3 || len(ledgers) == 0 || len(banks) == 0 {
			continue
		}
		if len(ledgers) > keyedMatrix/len(banks) {
			continue // so many lines share it that it names none
		}
		ledgers, banks = slices.Clone(ledgers), slices.Clone(banks)
		alone := len(ledgers) == 1 || len(banks) == 1
		for _, target := range banks {
			claims = m.claimShared(claims, target, ledgers, alone)
		}
		for _, target := range ledgers {
			claims = m.claimShared(claims, target, banks, alone)
		}
	}
	m.settleClaims(claims)
}

// sameBatch ends it after the window: one posting and one bank line of the same amount that only share the reference of a batch.
func (m *matcher) sameBatch() {
	for run := range m.keyed(ofBatch) {
		ledgers, banks := m.sides(run, free)
		if len(ledgers) != 1 || len(banks) != 1 {
			continue
		}
		l, b := ledgers[0], banks[0]
		switch here, there := m.lines[l].amount, m.lines[b].amount; {
		case here == there:
			m.match(l, b, ruleReference)
		case m.item(l).Candidate && m.item(b).Candidate:
		case looksLikeFee(here, there):
			m.bindAmounts(l, b)
		}
	}
}

// What lines that may add up to one another share, 0 for nothing: a reference without its part number, that of a batch, or either.
func ofLine(l *line) int32  { return l.base }
func ofBatch(l *line) int32 { return l.batch }
func ofAny(l *line) int32   { return cmp.Or(l.base, l.batch) }

// keyed gives the free lines that share a key and a currency.
func (m *matcher) keyed(key func(*line) int32) iter.Seq[[]position] {
	var keys []uint64
	for p := range m.lines {
		if at := &m.lines[p]; at.state == free && key(at) != 0 {
			keys = append(keys, uint64(key(at))<<32|uint64(p))
		}
	}
	slices.Sort(keys)
	list := make([]position, len(keys))
	for i, k := range keys {
		list[i] = position(k & 0xffffffff)
	}
	return m.runs(list, func(a, b *line) bool { return key(a) == key(b) && a.currency == b.currency })
}

// claimShared claims for a target the lines that share its key: all of them, or else the only set of them that adds up to it.
// Where target and members are all there is and only a fee seems to be off, they are to be one break.
func (m *matcher) claimShared(claims []claim, target position, members []position, alone bool) []claim {
	if len(members) < 2 || m.outOfScope(target, members) {
		return claims
	}
	what := "the same reference"
	if m.lines[target].batch != 0 {
		what = "the same batch reference"
	}
	if c, ok := m.claimSum(target, members, "with "+what); ok {
		return append(claims, c)
	}
	once := m.eachPartOnce(members)
	if len(once) < len(members) && len(once) > 1 {
		if c, ok := m.claimSum(target, once, "with "+what); ok {
			return append(claims, c)
		}
	}
	if set, ok := m.onlySet(target, once); ok {
		c, _ := m.claimSum(target, set, "with "+what)
		return append(claims, c)
	}
	whole := func(p position) bool { return m.lines[p].whole == m.lines[p].base && m.lines[p].batch == 0 }
	if !alone || slices.ContainsFunc(members, whole) {
		return claims
	}
	return m.claimFee(claims, target, members, what)
}

// eachPartOnce leaves out a line with the part number and the amount of another: it is a duplicate, if anything.
func (m *matcher) eachPartOnce(members []position) []position {
	var once []position
	for _, p := range members {
		at := &m.lines[p]
		seen := func(other position) bool {
			return m.lines[other].whole == at.whole && m.lines[other].amount == at.amount
		}
		if at.whole == at.base || !slices.ContainsFunc(once, seen) {
			once = append(once, p)
		}
	}
	return once
}

// claimSum claims the members for a target when their sum is its amount, or differs by what the rules allow.
func (m *matcher) claimSum(target position, members []position, which string) (claim, bool) {
	ledgerMinor, differenceMinor, ok := m.sideSums(target, members)
	if !ok {
		return claim{}, false
	}
	c := claim{rule: ruleShared, target: target, members: members, score: 100, why: m.whySum(target, members, which)}
	if differenceMinor == 0 {
		return c, true
	}
	postings := 1
	if m.lines[target].side == bankSide {
		postings = len(members)
	}
	as, allowed := m.allows(target, ledgerMinor, differenceMinor, postings)
	if !allowed {
		return claim{}, false
	}
	c.rule, c.score = as, 90
	c.why += m.whyDifference(as, target, differenceMinor)
	return c, true
}

// claimFee claims members that the bank's side is a little short of for one break.
func (m *matcher) claimFee(claims []claim, target position, members []position, what string) []claim {
	ledgerMinor, differenceMinor, ok := m.sideSums(target, members)
	if !ok || differenceMinor == 0 || !looksLikeFee(ledgerMinor, ledgerMinor-differenceMinor) {
		return claims
	}
	c := claim{rule: ruleShared, target: target, members: members, breaks: true}
	c.why = m.whyShort(target, members, what, differenceMinor)
	return append(claims, c)
}

// onlySet looks among lines that share a key for the only set that adds up to a target. Amounts may have either sign: a payout
// has refunds in it. Of lines with the same reference and amount the first stands for all.
func (m *matcher) onlySet(target position, members []position) ([]position, bool) {
	if len(members) < 3 {
		return nil, false
	}
	twins := func(a, b position) bool {
		x, y := &m.lines[a], &m.lines[b]
		return x.whole != 0 && x.whole == y.whole || m.alike([]position{a, b})
	}
	s, ordered, ok := m.addends(target, members, twins)
	if !ok {
		return nil, false
	}
	s.run()
	if len(s.sets) != 1 {
		return nil, false
	}
	return chosen(ordered, s.sets[0]), true
}

// byFalling orders lines from the largest amount to the smallest, seen with a sign; equal ones by their reference.
func (m *matcher) byFalling(sign int64, a, b position) int {
	x, y := &m.lines[a], &m.lines[b]
	return cmp.Or(cmp.Compare(sign*y.amount, sign*x.amount), cmp.Compare(x.whole, y.whole), cmp.Compare(a, b))
}

func (m *matcher) outOfScope(target position, members []position) bool {
	return m.item(target).Candidate && !slices.ContainsFunc(members, func(p position) bool { return !m.item(p).Candidate })
}
