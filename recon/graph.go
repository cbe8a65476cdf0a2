package recon

import (
	"cmp"
	"slices"
)

// graph joins the lines of one amount that could belong together into groups. It never looks at all pairs: lines are in
// the order of their days, so the partners of one line are a stretch of the other side, and to join a stretch it is
// enough to join each line to the next once. Twenty thousand equal amounts cost twenty thousand steps.
type graph struct {
	m              *matcher
	parent         []int32
	ledgers, banks []node
}

type node struct {
	line position
	id   int32 // in parent
}

// group holds the lines of one connected part of the graph that has both sides.
type group struct{ ledgers, banks []position }

func newGraph(m *matcher, ledgers, banks []position) *graph {
	g := &graph{m: m, parent: make([]int32, len(ledgers)+len(banks))}
	for i := range g.parent {
		g.parent[i] = int32(i)
	}
	for i, p := range ledgers {
		g.ledgers = append(g.ledgers, node{p, int32(i)})
	}
	for i, p := range banks {
		g.banks = append(g.banks, node{p, int32(len(ledgers) + i)})
	}
	return g
}

// connect joins what lies within the window and does not bear two different references. References differ when their
// bases do, or when both have a part number: equal ones were matched before.
func (g *graph) connect(ledgers, banks []node) {
	base := func(n node) int32 { return g.m.lines[n.line].base }
	part := func(n node) int32 {
		if at := &g.m.lines[n.line]; at.whole != at.base {
			return at.whole
		}
		return 0
	}
	_, namedLedgers := g.connectUnnamed(ledgers, banks, base)
	_, namedBanks := split(banks, base)
	for same := range pairUp(namedLedgers, namedBanks, base) {
		g.connectUnnamed(same[0], same[1], part)
	}
}

// connectUnnamed joins a line without a name to all on the other side, and gives back the ledger lines by whether they
// have one.
func (g *graph) connectUnnamed(ledgers, banks []node, name func(node) int32) (unnamed, named []node) {
	unnamed, named = split(ledgers, name)
	unnamedBanks, namedBanks := split(banks, name)
	g.joinWindow(ledgers, unnamedBanks)
	g.joinWindow(unnamed, namedBanks)
	return unnamed, named
}

// joinWindow joins each bank line to every ledger line within the window. Both are in the order of their days.
func (g *graph) joinWindow(ledgers, banks []node) {
	day := func(n node) int { return int(g.m.lines[n.line].day) }
	window := g.m.rules.WindowDays
	low, high, joined := 0, 0, 0
	for _, b := range banks {
		for low < len(ledgers) && day(ledgers[low]) < day(b)-window {
			low++
		}
		for high < len(ledgers) && day(ledgers[high]) <= day(b)+window {
			high++
		}
		if low >= high {
			continue
		}
		g.join(b.id, ledgers[low].id)
		for joined = max(joined, low); joined+1 < high; joined++ {
			g.join(ledgers[joined].id, ledgers[joined+1].id)
		}
	}
}

// groups gives the connected parts that have both sides, each in the order of the lines.
func (g *graph) groups() []group {
	all := map[int32]*group{}
	var order []int32
	at := func(n node) *group {
		root := g.root(n.id)
		if all[root] == nil {
			all[root] = &group{}
			order = append(order, root)
		}
		return all[root]
	}
	for _, n := range g.ledgers {
		part := at(n)
		part.ledgers = append(part.ledgers, n.line)
	}
	for _, n := range g.banks {
		part := at(n)
		part.banks = append(part.banks, n.line)
	}
	var groups []group
	for _, root := range order {
		if part := all[root]; len(part.ledgers) > 0 && len(part.banks) > 0 {
			groups = append(groups, *part)
		}
	}
	return groups
}

func (g *graph) join(a, b int32) {
	if a, b = g.root(a), g.root(b); a != b {
		g.parent[max(a, b)] = min(a, b)
	}
}

func (g *graph) root(id int32) int32 {
	for g.parent[id] != id {
		g.parent[id] = g.parent[g.parent[id]]
		id = g.parent[id]
	}
	return id
}

func split(nodes []node, name func(node) int32) (unnamed, named []node) {
	for _, n := range nodes {
		if name(n) == 0 {
			unnamed = append(unnamed, n)
		} else {
			named = append(named, n)
		}
	}
	return unnamed, named
}

// pairUp gives the nodes of both sides that have the same name, name by name.
func pairUp(ledgers, banks []node, name func(node) int32) func(yield func([2][]node) bool) {
	byName := func(a, b node) int { return cmp.Or(cmp.Compare(name(a), name(b)), cmp.Compare(a.line, b.line)) }
	slices.SortFunc(ledgers, byName)
	slices.SortFunc(banks, byName)
	return func(yield func([2][]node) bool) {
		for len(ledgers) > 0 && len(banks) > 0 {
			l, b := stretch(ledgers, name), stretch(banks, name)
			switch c := cmp.Compare(name(ledgers[0]), name(banks[0])); {
			case c < 0:
				ledgers = ledgers[l:]
			case c > 0:
				banks = banks[b:]
			default:
				if !yield([2][]node{ledgers[:l], banks[:b]}) {
					return
				}
				ledgers, banks = ledgers[l:], banks[b:]
			}
		}
	}
}

// stretch is the number of nodes at the front that have the name of the first.
func stretch(nodes []node, name func(node) int32) int {
	n := 1
	for n < len(nodes) && name(nodes[n]) == name(nodes[0]) {
		n++
	}
	return n
}
