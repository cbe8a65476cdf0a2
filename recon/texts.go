package recon

import "slices"

const textLimit = 4096 // pairs of one group that are compared by their texts

// byText matches lines of a group that could belong together in more than one way, where the text of one names the reference of the
// other and of no third. Lines of a side that are alike go together. Words in common decide nothing: they are for a person to weigh.
func (m *matcher) byText(g group) (found bool) {
	if len(g.ledgers) > textLimit/len(g.banks) {
		return false
	}
	ours, theirs := m.classes(g.ledgers), m.classes(g.banks)
	named := make([][]bool, len(ours))
	for i, l := range ours {
		named[i] = make([]bool, len(theirs))
		for j, b := range theirs {
			named[i][j] = m.namesOther(l[0], b[0])
		}
	}
	for i, l := range ours {
		for j, b := range theirs {
			if onlyOne(named, i, j) && m.mayMeet(l[0], b[0]) && m.interchangeable(group{l, b}) {
				m.matchAlike(l, b, m.textRule(l[0], b[0]))
				found = true
			}
		}
	}
	return found
}

// onlyOne reports whether a pair is named, and no other in its row and its column.
func onlyOne(named [][]bool, i, j int) bool {
	if !named[i][j] {
		return false
	}
	n := 0
	for _, other := range named[i] {
		n += toInt(other)
	}
	for _, row := range named {
		n += toInt(row[j])
	}
	return n == 2 // itself, twice
}

func toInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// classes parts lines of one amount and side into those that are alike.
func (m *matcher) classes(lines []position) (all [][]position) {
	for _, p := range lines {
		same := slices.IndexFunc(all, func(class []position) bool { return m.alike([]position{class[0], p}) })
		if same < 0 {
			all = append(all, nil)
			same = len(all) - 1
		}
		all[same] = append(all[same], p)
	}
	return all
}

func (m *matcher) textRule(l, b position) rule {
	if m.contradict(l, b) {
		return ruleSlip
	}
	return ruleText
}

// mayMeet reports whether two lines of one amount lie within the window and bear no two different references.
func (m *matcher) mayMeet(l, b position) bool {
	return m.daysApart(l, b) <= m.rules.WindowDays && (!m.contradict(l, b) || m.slipped(l, b))
}

// contradict reports whether two lines bear two different references: their bases differ, or both have a part number.
func (m *matcher) contradict(l, b position) bool {
	x, y := &m.lines[l], &m.lines[b]
	return x.base != 0 && y.base != 0 && (x.base != y.base || x.whole != x.base && y.whole != y.base)
}

// namesOther reports whether the text of one line names the reference of the other.
func (m *matcher) namesOther(l, b position) bool {
	return m.normaliser.names(m.item(b).Text, m.referenceOf(l)) || m.normaliser.names(m.item(l).Text, m.referenceOf(b))
}

// referenceOf is the reference of a line in its normal form, "" where it has none or that of a batch.
func (m *matcher) referenceOf(p position) string {
	if m.lines[p].base == 0 {
		return ""
	}
	return m.normaliser.normalise(m.item(p).Reference).base
}
