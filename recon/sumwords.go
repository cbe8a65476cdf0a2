package recon

import (
	"fmt"
	"slices"
)

// claim says why a set is taken for a target.
func (s *sums) claim(target position, set foundSet, tried int) (claim, bool) {
	oneDay := !slices.ContainsFunc(set.members, func(p position) bool { return s.m.lines[p].day != s.m.lines[set.members[0]].day })
	which, score := s.m.within(), 65
	if oneDay {
		which, score = "of "+s.m.item(set.members[0]).Date.String(), score+10
	}
	if set.named {
		which, score = which+", with the same name in their texts,", score+10
	}
	c, ok := s.m.claimSum(target, set.members, which)
	if c.rule == ruleShared {
		c.rule = ruleSum
	}
	c.score = min(c.score, score)
	c.why += fmt.Sprintf("; no other set of up to %d does, of %d tried", mostMembers, tried)
	return c, ok
}

// bounds are the sums that lines may have which a target is made of: its amount, give or take what the rules allow for so many.
func (m *matcher) bounds(target position, postings int) (low, high int64) {
	at := &m.lines[target]
	low = int64(magnitude(at.amount))
	if postings == 0 {
		return low, low
	}
	margin := m.margin(*at, at.amount, postings)
	return max(1, low-margin), low + margin
}

// margin is the largest difference that the rules allow about an amount.
func (m *matcher) margin(like line, minor int64, postings int) int64 {
	if m.itemOf(&like).Currency != m.in.Currency {
		return 0
	}
	fee := m.rules.Fee.most(magnitude(minor)/1000*1250, postings) // a fee is a share of what was before it
	return max(m.rules.ToleranceMinor, int64(min(fee, amountLimit)))
}

// whySum says of members that they add up to a target.
func (m *matcher) whySum(target position, members []position, which string) string {
	if m.lines[target].side == ledgerSide {
		return fmt.Sprintf("%s %s add up to this posting", count(len(members), "bank line", "bank lines"), which)
	}
	return fmt.Sprintf("%s %s add up to this bank line", count(len(members), "posting", "postings"), which)
}

// whyDifference says what difference the account's rules allow.
func (m *matcher) whyDifference(as rule, p position, differenceMinor int64) string {
	amount := money(int64(magnitude(differenceMinor)), m.item(p).Currency)
	if as == ruleFee {
		return fmt.Sprintf(", less a fee of %s that the account's rules allow", amount)
	}
	return fmt.Sprintf(", but for %s that the account's rules allow", amount)
}

// whyShort says what seems to be missing from a sum.
func (m *matcher) whyShort(target position, members []position, what string, differenceMinor int64) string {
	amount := money(int64(magnitude(differenceMinor)), m.item(target).Currency)
	if m.lines[target].side == ledgerSide {
		return fmt.Sprintf("%s with %s come to %s less than this posting, perhaps a fee", count(len(members), "bank line", "bank lines"), what, amount)
	}
	return fmt.Sprintf("%s with %s come to %s more than this bank line, perhaps a fee", count(len(members), "posting", "postings"), what, amount)
}

// whyDisputed says that sets of lines share lines.
func (m *matcher) whyDisputed(claims []claim, targets int) string {
	if targets > 1 {
		return fmt.Sprintf("%d sets of lines that share lines add up to %d lines, %s: nothing says which belong together", len(claims), targets, m.within())
	}
	if m.lines[claims[0].target].side == ledgerSide {
		return fmt.Sprintf("%d sets of bank lines add up to this posting, %s: nothing says which is meant", len(claims), m.within())
	}
	return fmt.Sprintf("%d sets of postings add up to this bank line, %s: nothing says which is meant", len(claims), m.within())
}

// whySought says why no set was taken.
func (m *matcher) whySought(target position, f finding) string {
	what := "set of postings"
	if m.lines[target].side == ledgerSide {
		what = "set of bank lines"
	}
	switch {
	case f.tried == 0:
		return ""
	case f.unfinished:
		return fmt.Sprintf("; the search for a %s that adds up to it stopped after %d", what, f.tried)
	case len(f.sets) > 0 || f.many:
		return fmt.Sprintf("; a %s adds up to it, but of %d tried one may by chance", what, f.tried)
	}
	return fmt.Sprintf("; no %s that proves something adds up to it, of %d tried", what, f.tried)
}

// addends makes ready a search among lines that share a key: as they are seen from the target, so that its amount is more than 0.
func (m *matcher) addends(target position, members []position, twins func(a, b position) bool) (s *subset, ordered []position, ok bool) {
	amount := m.lines[target].amount
	if amount == 0 || magnitude(amount) > amountLimit || len(members) > keyedLimit {
		return nil, nil, false
	}
	sign := int64(1)
	if amount < 0 {
		sign = -1
	}
	ordered = slices.DeleteFunc(slices.Clone(members), func(p position) bool { return magnitude(m.lines[p].amount) > amountLimit })
	slices.SortFunc(ordered, func(a, b position) int { return m.byFalling(sign, a, b) })
	s = &subset{amounts: make([]int64, len(ordered)), twin: make([]bool, len(ordered)), low: sign * amount, high: sign * amount, steps: mostSteps, most: noise, all: len(ordered) <= fewLines}
	for i, p := range ordered {
		s.amounts[i] = sign * m.lines[p].amount
		s.twin[i] = i > 0 && s.amounts[i] == s.amounts[i-1] && twins(ordered[i-1], p)
	}
	return s, ordered, true
}
