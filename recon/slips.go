package recon

import "strconv"

const (
	slipRunes      = 6   // shorter references are one slip apart by chance
	neighbours     = 100 // numbers this close were given out one after the other
	slipLimit      = 64  // lines of one amount on a side, among which slips are looked for
	wordsNearEqual = 50  // per cent of words in common that speak for a slip where others have the amount too
)

// joinSlips joins the lines of one amount within the window whose references differ by one slip of the pen: they are no two
// different references. run holds all lines of that amount, matched ones too.
func (g *graph) joinSlips(run []position) {
	if len(g.ledgers) > slipLimit || len(g.banks) > slipLimit {
		return
	}
	for _, l := range g.ledgers {
		for _, b := range g.banks {
			if g.m.slipped(l.line, b.line) && g.m.speaksForSlip(run, l.line, b.line) {
				g.join(l.id, b.id)
			}
		}
	}
}

// slipped reports whether both lines have a reference, and these differ by one character that is another, is missing or is too
// many, or by two neighbours that changed places. Short references, and numbers that follow one another, are too close anyway.
func (m *matcher) slipped(l, b position) bool {
	x, y := &m.lines[l], &m.lines[b]
	if m.rules.StrictReferences || x.base == 0 || y.base == 0 || x.base == y.base || m.daysApart(l, b) > m.rules.WindowDays {
		return false
	}
	here := m.normaliser.normalise(m.item(l).Reference).whole
	there := m.normaliser.normalise(m.item(b).Reference).whole
	return oneSlip([]rune(here), []rune(there)) && !inSequence(here, there)
}

// speaksForSlip reports whether no other line has the amount within the window of either, or else the texts agree.
func (m *matcher) speaksForSlip(run []position, l, b position) bool {
	others := false
	for _, p := range run {
		near := m.daysApart(p, l) <= m.rules.WindowDays || m.daysApart(p, b) <= m.rules.WindowDays
		others = others || near && p != l && p != b
	}
	if !others {
		return true
	}
	common, shorter := wordsInCommon(m.item(l).Text, m.item(b).Text)
	return common >= wordsNeeded && 100*common >= wordsNearEqual*shorter
}

// oneSlip reports whether two references of some length are one edit apart, where to swap two neighbours is one edit (Damerau, 1964).
func oneSlip(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < slipRunes || len(b) > len(a)+1 {
		return false
	}
	at := 0
	for at < len(a) && a[at] == b[at] {
		at++
	}
	same := func(i, j int) bool { return string(a[min(i, len(a)):]) == string(b[min(j, len(b)):]) }
	if len(a) < len(b) {
		return same(at, at+1)
	}
	swapped := at+1 < len(a) && a[at] == b[at+1] && a[at+1] == b[at] && same(at+2, at+2)
	return at < len(a) && (same(at+1, at+1) || swapped)
}

// inSequence reports whether two references end in numbers that are close, behind the same beginning: then they are two of a
// series.
func inSequence(a, b string) bool {
	x, digitsX := cutDigits(a)
	y, digitsY := cutDigits(b)
	if x != y || len(digitsX) != len(digitsY) {
		return false
	}
	const most = 18 // digits in an int64
	n, errN := strconv.ParseInt(digitsX[max(0, len(digitsX)-most):], 10, 64)
	o, errO := strconv.ParseInt(digitsY[max(0, len(digitsY)-most):], 10, 64)
	return errN == nil && errO == nil && magnitude(n-o) < neighbours && digitsX[:max(0, len(digitsX)-most)] == digitsY[:max(0, len(digitsY)-most)]
}
