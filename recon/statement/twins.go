package statement

// twins refuses a table in which the column taken for the date or an amount has a twin: another column of the same name, with
// other values. Nothing but the user can say which of the two counts.
func (l *layout) twins(body [][]string, t *told) error {
	for _, r := range []role{roleDate, roleAmount, roleDebit, roleCredit} {
		at := l.columns[r]
		if _, said := t.columns[r]; said || at < 0 || at >= len(l.header) {
			continue
		}
		for other, name := range l.header {
			if other == at || l.columns.taken(other) || fold(name) != fold(l.header[at]) || !differ(body, at, other) {
				continue
			}
			first, second := min(at, other)+1, max(at, other)+1
			return refuse(ClassMalformed, 0, "Columns #%d and #%d are both named “%s” and hold different values. Say which counts (hint %s=#%d or #%d).",
				first, second, short(l.header[at]), hintOf(r), first, second).settledBy(hintOf(r))
		}
	}
	return nil
}

// differ reports whether a row has something else in the second column than in the first, an empty cell apart.
func differ(body [][]string, a, b int) bool {
	for _, cells := range body {
		if a < len(cells) && b < len(cells) && cells[b] != "" && cells[a] != cells[b] {
			return true
		}
	}
	return false
}
