package reconbench

import (
	"slices"
	"strings"

	"daybook/recon"
)

// Decide marks the facts that the data can decide; the package comment says what that means. It looks at the lines only, never at
// how they were made.
func (w *World) Decide() {
	d := &decider{world: w, window: w.Input.Rules.WindowDays}
	d.sides[0], d.sides[1] = d.index(w.Input.Ledger), d.index(w.Input.Bank)
	d.owners()
	for i := range w.Facts {
		w.Facts[i].Decidable = true
	}
	for i := range w.Facts {
		if f := &w.Facts[i]; f.Break == "" || f.Break == recon.AmountMismatch {
			d.weigh(f)
		}
	}
}

type decider struct {
	world  *World
	window int
	sides  [2]sideIndex
	fact   [2][]int // of each line
}

// sideIndex finds the lines of a side.
type sideIndex struct {
	lines    []evidence
	byAmount map[int64][]int
	byName   map[string][]int
	byDay    map[int][]int
}

// evidence is what a line says.
type evidence struct {
	day   int
	minor int64
	name  string // the reference in the form in which references are compared
	batch bool
	words []string
	text  string
}

func (d *decider) index(items []recon.Item) sideIndex {
	s := sideIndex{make([]evidence, len(items)), map[int64][]int{}, map[string][]int{}, map[int][]int{}}
	prefixes := recon.DefaultPrefixes()
	from := d.world.Input.Period.From
	for i, item := range items {
		name, part, batch := recon.NormaliseReference(item.Reference, prefixes)
		e := evidence{day: from.DaysUntil(item.Date), minor: item.AmountMinor, name: name, batch: batch, words: wordsOf(item.Text), text: item.Text}
		s.byName[name] = append(s.byName[name], i)
		if part != "" {
			e.name += " " + part
			s.byName[e.name] = append(s.byName[e.name], i)
		}
		s.lines[i] = e
		s.byAmount[e.minor] = append(s.byAmount[e.minor], i)
		s.byDay[e.day] = append(s.byDay[e.day], i)
	}
	return s
}

// owners finds the fact of each line.
func (d *decider) owners() {
	d.fact[0], d.fact[1] = make([]int, len(d.sides[0].lines)), make([]int, len(d.sides[1].lines))
	for n, f := range d.world.Facts {
		for _, i := range f.Ledger {
			d.fact[0][i] = n
		}
		for _, i := range f.Bank {
			d.fact[1][i] = n
		}
	}
}

// weigh decides one fact about lines of both sides.
func (d *decider) weigh(f *Fact) {
	if d.sameName(f) || d.listed(f) {
		return // nothing else bears the name
	}
	switch {
	case f.Break != "":
		f.Decidable = false // neither the reference nor the amount joins the lines
	case len(f.Ledger) == 1 && len(f.Bank) == 1:
		d.weighPair(f, f.Ledger[0], f.Bank[0])
	case len(f.Bank) == 1:
		f.Decidable = d.onlySum(1, f.Bank[0], 0, f.Ledger)
	default:
		f.Decidable = d.onlySum(0, f.Ledger[0], 1, f.Bank)
	}
}

// sameName reports whether all lines of a fact bear one reference, parts of it apart.
func (d *decider) sameName(f *Fact) bool {
	base := func(e evidence) string { name, _, _ := strings.Cut(e.name, " "); return name }
	first := base(d.sides[0].lines[f.Ledger[0]])
	other := func(side int) func(i int) bool {
		return func(i int) bool { return base(d.sides[side].lines[i]) != first }
	}
	return first != "" && !slices.ContainsFunc(f.Ledger, other(0)) && !slices.ContainsFunc(f.Bank, other(1))
}

// listed reports whether the bank's text lists the references of all postings.
func (d *decider) listed(f *Fact) bool {
	if len(f.Ledger) < 2 || len(f.Bank) != 1 {
		return false
	}
	for _, i := range f.Ledger {
		if !strings.Contains(d.world.Input.Bank[f.Bank[0]].Reference+" "+d.sides[1].lines[f.Bank[0]].text, d.world.Input.Ledger[i].Reference) {
			return false
		}
	}
	return true
}

// support is what speaks for two lines of one amount within the window.
type support struct {
	name  int // 1 where one has no reference, 2 where they are a slip apart
	words int // in common
}

// atLeast reports whether s is no worse than other in any respect.
func (s support) atLeast(other support) bool { return s.name >= other.name && s.words >= other.words }

func (d *decider) support(ours, theirs evidence) (s support, any bool) {
	if ours.minor != theirs.minor || magnitude(int64(ours.day-theirs.day)) > int64(d.window) {
		return s, false
	}
	s.words = inCommon(ours.words, theirs.words)
	switch {
	case ours.name == "" || theirs.name == "" || ours.batch || theirs.batch:
		s.name = 1
	case oneEdit(ours.name, theirs.name):
		s.name = 2
	default:
		return s, false
	}
	return s, true
}

// weighPair looks for another line that could as well stand in the place of one of the pair, and is not its twin: then neither the
// pair nor the fact of that line is decidable.
func (d *decider) weighPair(f *Fact, l, b int) {
	ours, theirs := d.sides[0].lines[l], d.sides[1].lines[b]
	mine, any := d.support(ours, theirs)
	if !any {
		f.Decidable = false
		return
	}
	for side, line := range []evidence{ours, theirs} {
		partner := theirs
		if side == 1 {
			partner = ours
		}
		for _, i := range d.sides[side].byAmount[line.minor] {
			other := d.sides[side].lines[i]
			if twins(other, line) || d.spokenFor(side, i) {
				continue
			}
			if s, any := d.support(other, partner); any && s.atLeast(mine) {
				f.Decidable = false
				d.world.Facts[d.fact[side][i]].Decidable = false
			}
		}
	}
}

// twins reports whether it makes no difference which of two lines of a side is taken.
func twins(a, b evidence) bool {
	return a.day == b.day && a.minor == b.minor && a.name == b.name && a.text == b.text
}

// spokenFor reports whether a line on the other side bears the reference of this one.
func (d *decider) spokenFor(side, i int) bool {
	name := d.sides[side].lines[i].name
	return name != "" && len(d.sides[1-side].byName[name]) > 0
}

func wordsOf(text string) []string {
	words := strings.Fields(strings.ToUpper(text))
	slices.Sort(words)
	return slices.Compact(words)
}

func inCommon(a, b []string) (n int) {
	for _, w := range a {
		if slices.Contains(b, w) {
			n++
		}
	}
	return n
}

// oneEdit reports whether one edit makes two references equal: a character changed, left out or added, or two neighbours swapped.
func oneEdit(a, b string) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b)) == 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
