package statement

import "slices"

// identity is by what a statement of a file is known to stand in it a second time: its name with the bank, and its text without what
// another sending has otherwise, such as the time at which it was made. The zero value is that of one which may be another's double and no repetition.
type identity struct{ name, text string }

// withoutRepeated gives the statements without those that stand in the file a second time. What is in these is told as skipped.
func (all parts) withoutRepeated() parts {
	kept := make(parts, 0, len(all))
	first := map[identity]*part{}
	for _, p := range all {
		before := first[p.same]
		if before == nil || p.same == (identity{}) {
			first[p.same] = p
			kept = append(kept, p)
			continue
		}
		before.skipped = append(before.skipped, p.allSkipped(SkipRepeated)...)
	}
	return kept
}

// allSkipped gives all entries of a part that is not read as skipped, in the order of the file.
func (p *part) allSkipped(reason SkipReason) []Skipped {
	all := make([]Skipped, 0, len(p.lines)+len(p.rejects)+len(p.skipped))
	for _, l := range p.lines {
		all = append(all, Skipped{l.Row, reason, l.Raw})
	}
	for _, r := range p.rejects {
		all = append(all, Skipped{r.Row, reason, r.Raw})
	}
	for _, s := range p.skipped {
		all = append(all, Skipped{s.Row, reason, s.Raw})
	}
	slices.SortFunc(all, func(a, b Skipped) int { return a.Row - b.Row })
	return all
}
