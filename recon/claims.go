package recon

import (
	"cmp"
	"slices"
)

// claim says that a target on one side and members on the other belong together: their amounts add up to its amount, but for a
// difference that the rules allow. With breaks set they do not quite, and belong into one break.
type claim struct {
	rule    rule
	target  position
	members []position // in order
	score   int
	why     string
	breaks  bool
}

// gathered is a match of more than two lines.
type gathered struct {
	rule            rule
	ledgers, banks  []position
	score           int
	why             string
	differenceMinor int64
}

// settleClaims matches what no other claim disputes, and gives back the claims that share lines. As all claims are made before any
// is settled, their order does not matter.
func (m *matcher) settleClaims(claims []claim) (settled bool, disputed [][]claim) {
	for _, group := range disputes(claims) {
		agreed := m.agreed(group)
		for _, c := range agreed {
			m.settleClaim(c)
		}
		settled = settled || len(agreed) > 0
		if len(agreed) == 0 {
			disputed = append(disputed, group)
		}
	}
	return settled, disputed
}

// agreed gives the claims of a group that can all be settled: the only one, or, where the targets are alike and the members of
// no two claims meet, one for each set of members.
func (m *matcher) agreed(group []claim) []claim {
	if len(group) == 1 {
		return group
	}
	var targets []position
	var sets [][]position
	for _, c := range group {
		if !slices.Contains(targets, c.target) {
			targets = append(targets, c.target)
		}
		if slices.ContainsFunc(sets, func(set []position) bool { return slices.Equal(set, c.members) }) {
			continue
		}
		if slices.ContainsFunc(sets, func(set []position) bool { return overlap(set, c.members) }) {
			return nil
		}
		sets = append(sets, c.members)
	}
	if !m.alike(targets) || len(sets) > len(targets) || len(group) != len(sets)*len(targets) {
		return nil
	}
	agreed := make([]claim, len(sets))
	for i, set := range sets {
		agreed[i] = group[i]
		agreed[i].target, agreed[i].members = targets[i], set
	}
	return agreed
}

func (m *matcher) settleClaim(c claim) {
	all := append([]position{c.target}, c.members...)
	if c.breaks {
		m.bind(AmountMismatch, c.why, all...)
		return
	}
	g := gathered{rule: c.rule, ledgers: c.members, banks: []position{c.target}, score: c.score, why: c.why}
	if m.lines[c.target].side == ledgerSide {
		g.ledgers, g.banks = g.banks, g.ledgers
	}
	g.differenceMinor, _ = m.difference(all)
	for _, p := range all {
		m.lines[p].state = paired
	}
	m.groups = append(m.groups, g)
}

// disputes parts claims into groups that share no line, in the order of their lines.
func disputes(claims []claim) [][]claim {
	slices.SortFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.target, b.target), slices.Compare(a.members, b.members))
	})
	parent := make([]int, len(claims))
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	owner := map[position]int{}
	for i, c := range claims {
		parent[i] = i
		for _, p := range append([]position{c.target}, c.members...) {
			if other, owned := owner[p]; owned {
				a, b := root(i), root(other)
				parent[max(a, b)] = min(a, b)
			} else {
				owner[p] = i
			}
		}
	}
	groups := map[int][]claim{}
	var order []int
	for i, c := range claims {
		r := root(i)
		if groups[r] == nil {
			order = append(order, r)
		}
		groups[r] = append(groups[r], c)
	}
	all := make([][]claim, len(order))
	for i, r := range order {
		all[i] = groups[r]
	}
	return all
}

// overlap reports whether two lists have a line in common.
func overlap(a, b []position) bool {
	return slices.ContainsFunc(a, func(p position) bool { return slices.Contains(b, p) })
}

// sideSums are the sums of both sides of a claim; false when no amount can hold one of them or their difference.
func (m *matcher) sideSums(target position, members []position) (ledgerMinor, differenceMinor int64, ok bool) {
	var ours, theirs wide
	for _, p := range append([]position{target}, members...) {
		if at := &m.lines[p]; at.side == ledgerSide {
			ours.add(at.amount)
		} else {
			theirs.add(at.amount)
		}
	}
	ledgerMinor, inLedger := ours.minor()
	bankMinor, inBank := theirs.minor()
	differenceMinor, inBetween := difference(ledgerMinor, bankMinor)
	return ledgerMinor, differenceMinor, inLedger && inBank && inBetween
}
