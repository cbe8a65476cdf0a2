package store

import (
	"cmp"
	"slices"

	"daybook/store/ledger"
)

// handSet is what a person works with at once, by day.
type handSet struct {
	postings []handPosting
	lines    []handLine
}

func (s handSet) empty() bool { return s.count() == 0 }
func (s handSet) count() int  { return len(s.postings) + len(s.lines) }

// byDay puts both sides in the order of their days, and of their numbers within a day.
func (s handSet) byDay() handSet {
	slices.SortFunc(s.postings, func(a, b handPosting) int {
		return cmp.Or(a.EffectiveOn.Compare(b.EffectiveOn), cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Line, b.Line))
	})
	slices.SortFunc(s.lines, func(a, b handLine) int { return cmp.Or(a.BookedOn.Compare(b.BookedOn), cmp.Compare(a.ID, b.ID)) })
	return s
}

// split gives those of a set for which in says so, and the others.
func (s handSet) split(posting func(handPosting) bool, line func(handLine) bool) (in, out handSet) {
	for _, p := range s.postings {
		if posting(p) {
			in.postings = append(in.postings, p)
		} else {
			out.postings = append(out.postings, p)
		}
	}
	for _, l := range s.lines {
		if line(l) {
			in.lines = append(in.lines, l)
		} else {
			out.lines = append(out.lines, l)
		}
	}
	return in, out
}

// without is the set less what another one holds too.
func (s handSet) without(other handSet) handSet {
	_, rest := s.split(func(p handPosting) bool { return other.hasPosting(p.ref()) }, func(l handLine) bool { return other.hasLine(l.ID) })
	return rest
}

func (s handSet) hasPosting(ref PostingRef) bool {
	return slices.ContainsFunc(s.postings, func(p handPosting) bool { return p.ref() == ref })
}

func (s handSet) hasLine(id int64) bool {
	return slices.ContainsFunc(s.lines, func(l handLine) bool { return l.ID == id })
}

// with is the set and another one, each item once.
func (s handSet) with(other handSet) handSet {
	more := other.without(s)
	return handSet{slices.Concat(s.postings, more.postings), slices.Concat(s.lines, more.lines)}.byDay()
}

// days are the first and the last day of a set that is not empty.
func (s handSet) days() (first, last ledger.Date) {
	for _, p := range s.postings {
		first, last = earlier(first, p.EffectiveOn), later(last, p.EffectiveOn)
	}
	for _, l := range s.lines {
		first, last = earlier(first, l.BookedOn), later(last, l.BookedOn)
	}
	return first, last
}

// lastPosting is the last day and the last entry of the postings; none where there is none.
func (s handSet) lastPosting() (day ledger.Date, seq *int64) {
	for i, p := range s.postings {
		if day = later(day, p.EffectiveOn); seq == nil || p.Seq > *seq {
			seq = &s.postings[i].Seq
		}
	}
	return day, seq
}

func (s handSet) lineIDs() array[int64] {
	ids := make(array[int64], len(s.lines))
	for i, l := range s.lines {
		ids[i] = l.ID
	}
	return ids
}

func (s handSet) postingRefs() (seqs, lines array[int64]) {
	seqs, lines = make(array[int64], len(s.postings)), make(array[int64], len(s.postings))
	for i, p := range s.postings {
		seqs[i], lines[i] = p.Seq, int64(p.Line)
	}
	return seqs, lines
}

// seqs are the entries of the postings, each once, in order.
func (s handSet) seqs() []int64 {
	var all []int64
	for _, p := range s.postings {
		all = append(all, p.Seq)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
