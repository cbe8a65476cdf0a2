package recon

import "strings"

// reversedPairs is pass 8: a posting and its reversal that cancel on the account match each other, or the reversal and the
// replacement do when the bank saw the original. It comes before a reference may bind lines of different amounts: what was reversed
// is not what the bank's line is about.
func (m *matcher) reversedPairs() {
	corrected, reversals := map[string][]position{}, []position(nil)
	for p := range m.lines {
		at := &m.lines[p]
		if at.side != ledgerSide || at.state == paired || at.state == earlier {
			continue
		}
		switch item := m.itemOf(at); {
		case item.Correction == "":
		case item.Reverses:
			reversals = append(reversals, position(p))
		default:
			corrected[item.Correction] = append(corrected[item.Correction], position(p))
		}
	}
	for _, reversal := range reversals {
		if p, found := m.cancelledBy(reversal, corrected[m.item(reversal).Correction]); found {
			m.match(p, reversal, ruleReversed)
		}
	}
}

// cancelledBy finds what a reversal cancels: of several the one recorded first, by ID.
func (m *matcher) cancelledBy(reversal position, among []position) (found position, ok bool) {
	r := &m.lines[reversal]
	for _, p := range among {
		at := &m.lines[p]
		if at.state == paired || at.currency != r.currency || at.amount != -r.amount || m.item(p).Candidate && m.item(reversal).Candidate {
			continue
		}
		if !ok || strings.Compare(m.item(p).ID, m.item(found).ID) < 0 {
			found, ok = p, true
		}
	}
	return found, ok
}
