package recon

import "fmt"

// missing is pass 9: what no other pass explained. A posting close to the end of a stated period is expected on the
// next statement and is born carried forward.
func (m *matcher) missing() {
	for _, p := range m.byAmount {
		if !m.unmatched(p) || m.item(p).Candidate {
			continue
		}
		switch at := &m.lines[p]; {
		case at.side == bankSide:
			m.breakAlone(MissingInLedger, m.whyMissing(p), p)
		case m.closeToEnd(at):
			end := m.in.Period.To
			m.breakAlone(Timing, fmt.Sprintf("dated %s, the period ends on %s: expected on the next statement", m.item(p).Date, end), p)
			m.breaks[len(m.breaks)-1].Resolution = CarriedForward
		default:
			m.breakAlone(MissingInBank, m.whyMissing(p), p)
		}
	}
}

func (m *matcher) closeToEnd(at *line) bool {
	if !m.in.Period.Stated || m.in.Period.To.IsZero() {
		return false
	}
	return abs(int(at.day)-int(dayOf(m.in.Period.To))) <= m.rules.WindowDays
}

func (m *matcher) whyMissing(p position) string {
	if why, found := m.surplus[p]; found {
		return why
	}
	why := "nothing unmatched " + m.otherSide(p) + " has this amount " + m.within()
	if m.lines[p].whole != 0 {
		why = "nothing unmatched " + m.otherSide(p) + " has this reference, or this amount " + m.within()
	}
	return why + m.sought[p]
}
