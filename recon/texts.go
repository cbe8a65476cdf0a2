package recon

import "slices"

const (
	textLimit   = 4096 // pairs of one group that are compared by their texts
	wordsNeeded = 2    // one word in common may be TRANSFER
	clearlyMore = 50   // per cent of the words more than with any other line
)

// byText matches lines of a group that could belong together in more than one way, where the texts leave no doubt: one names the
// reference of the other, or they have clearly more words in common than either has with any other line of the group. Lines of a side
// that are alike go together.
func (m *matcher) byText(g group) (found bool) {
	if len(g.ledgers) > textLimit/len(g.banks) {
		return false
	}
	ours, theirs := m.classes(g.ledgers), m.classes(g.banks)
	agreed := make([][]int, len(ours))
	for i, l := range ours {
		agreed[i] = make([]int, len(theirs))
		for j, b := range theirs {
			agreed[i][j] = m.textsAgree(m.referenceOf(l[0]), m.referenceOf(b[0]), l[0], b[0])
		}
	}
	for i, l := range ours {
		for j, b := range theirs {
			if m.clearly(agreed, i, j) && m.mayMeet(l[0], b[0]) && m.interchangeable(group{l, b}) {
				m.matchAlike(l, b, m.textRule(l[0], b[0]))
				found = true
			}
		}
	}
	return found
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

// clearly reports whether the texts of a pair have enough in common, and clearly more than any that one of them is also in.
func (m *matcher) clearly(agreed [][]int, i, j int) bool {
	mine := agreed[i][j]
	if mine < clearlyMore {
		return false
	}
	for k, other := range agreed[i] {
		if k != j && mine-other < clearlyMore {
			return false
		}
	}
	for k := range agreed {
		if k != i && mine-agreed[k][j] < clearlyMore {
			return false
		}
	}
	return true
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

// agree reports whether the texts of two lines mean the same.
func (m *matcher) agree(l, b position) bool {
	return m.textsAgree(m.referenceOf(l), m.referenceOf(b), l, b) >= clearlyMore
}

// referenceOf is the reference of a line in its normal form, "" where it has none or that of a batch.
func (m *matcher) referenceOf(p position) string {
	if m.lines[p].base == 0 {
		return ""
	}
	return m.normaliser.normalise(m.item(p).Reference).base
}

// textsAgree is 200 where the text of one line names the reference of the other, else the share of words in common, in per cent.
func (m *matcher) textsAgree(our, their string, l, b position) int {
	ours, theirs := m.item(l), m.item(b)
	if m.normaliser.names(theirs.Text, our) || m.normaliser.names(ours.Text, their) {
		return 200
	}
	common, shorter := wordsInCommon(ours.Text, theirs.Text)
	if common < wordsNeeded {
		return 0
	}
	return 100 * common / shorter
}
