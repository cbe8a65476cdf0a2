package recon

import "slices"

// duplicates is pass 5: a line whose reference and amount equal those of a paired one on its own side. Without a
// reference, equal lines are ordinary and nothing can tell a duplicate.
func (m *matcher) duplicates() {
	same := func(a, b *line) bool { return a.whole == b.whole && a.currency == b.currency && a.amount == b.amount }
	for run := range m.runs(m.byReference, same) {
		if len(run) < 2 || !slices.ContainsFunc(run, m.unmatched) {
			continue
		}
		for _, s := range []side{ledgerSide, bankSide} {
			m.duplicatesOn(s, run)
		}
	}
}

func (m *matcher) duplicatesOn(s side, run []position) {
	first := slices.IndexFunc(run, func(p position) bool {
		return m.lines[p].side == s && (m.lines[p].state == paired || m.lines[p].state == earlier)
	})
	if first < 0 {
		return
	}
	as := DuplicateInLedger
	if s == bankSide {
		as = DuplicateInBank
	}
	why := "same reference and amount as a matched line of " + m.item(run[first]).Date.String()
	for _, p := range run {
		if m.lines[p].side == s && m.unmatched(p) && !m.item(p).Candidate {
			m.breakAlone(as, why, p)
		}
	}
}

func (m *matcher) unmatched(p position) bool {
	return m.lines[p].state == free || m.lines[p].state == left
}
