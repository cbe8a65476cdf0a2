package overlap

import "slices"

// followPositions decides the day by the order of its lines: the last of what is stored are the first of the file, or the other way round,
// and what lies beyond them is new, equal or not. It gives up unless a stored line is missing from the file, so that the file is sure to begin or
// end within the day, and the two fit together in one way, by a line that is alone of its kind in both.
func (d *day) followPositions() bool {
	if d.begins == d.ends || !d.isCut() {
		return false
	}
	ours, ok := d.storedInOrder()
	order := OrderOf(d.file.Lines)
	if !ok || order == NoOrder {
		return false
	}
	at := slices.Clone(d.at)
	if order == NewestFirst {
		slices.Reverse(at)
	}
	earlier, later := fingerprintsOf(len(ours), func(i int) Line { return ours[i].Line }), fingerprintsOf(len(at), func(i int) Line { return d.file.Lines[at[i]] })
	if d.ends {
		earlier, later = later, earlier
	}
	shared := sharedLines(earlier, later)
	if shared == 0 {
		return false
	}
	for n, i := range at {
		d.verdicts[i] = Verdict{}
		if known := len(ours) - shared + n; d.begins && n < shared {
			d.verdicts[i] = Verdict{StatementID: ours[known].StatementID}
		} else if known := n - (len(at) - shared); d.ends && known >= 0 {
			d.verdicts[i] = Verdict{StatementID: ours[known].StatementID}
		}
	}
	return true
}

// isCut reports whether something that is stored is missing from the file.
func (d *day) isCut() bool {
	held := map[Fingerprint]int{}
	for _, i := range d.at {
		held[d.file.Lines[i].Fingerprint]++
	}
	return slices.ContainsFunc(d.stored, func(s Stored) bool {
		held[s.Fingerprint]--
		return held[s.Fingerprint] < 0
	})
}

// storedInOrder gives what is stored, the oldest first; false when nobody can tell.
func (d *day) storedInOrder() ([]Stored, bool) {
	inOrder := slices.Clone(d.stored)
	statement := inOrder[0].StatementID
	for _, s := range inOrder {
		if s.StatementID != statement {
			return nil, false
		}
	}
	slices.SortFunc(inOrder, func(a, b Stored) int { return a.Row - b.Row })
	order := d.file.Orders[statement]
	if order == NewestFirst {
		slices.Reverse(inOrder)
	}
	return inOrder, order != NoOrder
}

// OrderOf tells the order of lines by their days: NoOrder when all are of one day, or when days go up and down.
func OrderOf(lines []Line) Order {
	up, down := false, false
	for i := 1; i < len(lines); i++ {
		up = up || lines[i].Date.After(lines[i-1].Date)
		down = down || lines[i].Date.Before(lines[i-1].Date)
	}
	return OrderBy(up, down)
}

// OrderBy is OrderOf for who knows whether a line is of a later day than the one before it, and whether one is of an earlier.
func OrderBy(up, down bool) Order {
	switch {
	case up == down:
		return NoOrder
	case down:
		return NewestFirst
	}
	return OldestFirst
}

func fingerprintsOf(n int, line func(int) Line) []Fingerprint {
	all := make([]Fingerprint, n)
	for i := range all {
		all[i] = line(i).Fingerprint
	}
	return all
}

// sharedLines gives how many lines at the end of the earlier are those at the beginning of the later: 0 for none, and where several numbers fit.
func sharedLines(earlier, later []Fingerprint) int {
	first, second := counted(earlier), counted(later)
	alone := func(f Fingerprint) bool { return first[f] == 1 && second[f] == 1 }
	shared := 0
	for n := 1; n <= min(len(earlier), len(later)); n++ {
		if !slices.Equal(earlier[len(earlier)-n:], later[:n]) {
			continue
		}
		if shared > 0 || !slices.ContainsFunc(later[:n], alone) {
			return 0
		}
		shared = n
	}
	return shared
}

func counted(all []Fingerprint) map[Fingerprint]int {
	counts := make(map[Fingerprint]int, len(all))
	for _, f := range all {
		counts[f]++
	}
	return counts
}
