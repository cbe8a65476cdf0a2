package recon

import (
	"cmp"
	"slices"
)

// sums looks for sets of free lines that add up to a free line on the other side.
type sums struct {
	m     *matcher
	pools map[poolKey][]position // by day
	words map[poolKey]*wordIndex
	only  map[position]bool // targets that are sought for again; nil: all, for the first time
	open  map[position]bool // targets that some set adds up to
	most  [2]int64          // the chance that a set which is believed may have, by the side of its target
	steps int               // of a target

	at  poolKey // of the target whose window is open, and its day
	day int32
	few bool // all lines within the window are so few that every set of them is tried
	window
}

// poolKey names lines that may add up to something together: of one side, currency and sign, all or only those without a reference.
type poolKey struct {
	currency int16
	side     side
	negative bool
	bare     bool
}

// window holds the lines within a window, and those of each of its days.
type window struct {
	falling
	ofADay []falling
}

// falling are lines of one pool from the largest amount to the smallest, equal ones as they stand in the matcher.
type falling struct {
	lines   []position
	amounts []int64 // without the sign
	twin    []bool  // of the line before
	grids   grids
}

func newSums(m *matcher, only map[position]bool) *sums {
	s := &sums{m: m, only: only, pools: map[poolKey][]position{}, words: map[poolKey]*wordIndex{}, open: map[position]bool{}}
	for _, p := range m.byAmount {
		at := &m.lines[p]
		if at.state == free && at.amount != 0 && magnitude(at.amount) <= amountLimit && m.item(p).Correction == "" {
			key := poolKey{currency: at.currency, side: at.side, negative: at.amount < 0}
			s.pools[key] = append(s.pools[key], p)
			if key.bare = at.base == 0; key.bare {
				s.pools[key] = append(s.pools[key], p)
			}
		}
	}
	for _, pool := range s.pools {
		slices.SortFunc(pool, m.byDay)
	}
	targets := s.targets()
	stray := (strayAtAll + int64(len(m.lines))*millionth/strayMatch) / 2
	for side, n := range targets {
		s.most[side] = min(likeliest, stray/int64(max(n, 1)))
	}
	s.steps = max(leastSteps, min(mostSteps, stepsInAll/max(targets[0]+targets[1], 1)))
	return s
}

// targets counts the lines that sets may add up to, by their side.
func (s *sums) targets() (n [2]int) {
	for key, pool := range s.pools {
		if key.bare {
			continue
		}
		for _, p := range pool {
			if from, to := s.within(s.pools[s.opposite(p, key)], s.m.lines[p].day); to-from > 1 {
				n[key.side]++
			}
		}
	}
	return n
}

// opposite names the lines that may add up to a target: where it has a reference, those without one, since two different references do
// not belong together.
func (s *sums) opposite(target position, of poolKey) poolKey {
	of.side = 1 - of.side
	of.bare = s.m.lines[target].base != 0
	return of
}

// within finds the lines of a pool that lie in the window of a day.
func (s *sums) within(pool []position, day int32) (from, to int) {
	span := int32(s.m.rules.WindowDays)
	byDay := func(p position, day int32) int { return cmp.Compare(s.m.lines[p].day, day) }
	from, _ = slices.BinarySearchFunc(pool, day-span, byDay)
	to, _ = slices.BinarySearchFunc(pool, day+span+1, byDay)
	return from, to
}

// claims makes a claim for every set that is believed.
func (s *sums) claims() (claims []claim) {
	keys := make([]poolKey, 0, len(s.pools))
	for key := range s.pools {
		if !key.bare {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b poolKey) int {
		if c := cmp.Or(cmp.Compare(a.currency, b.currency), cmp.Compare(a.side, b.side)); c != 0 || a.negative == b.negative {
			return c
		}
		if b.negative {
			return -1
		}
		return 1
	})
	for _, key := range keys {
		for _, bare := range []bool{false, true} { // apart, as their windows are
			for _, target := range s.pools[key] {
				if bare == (s.m.lines[target].base == 0) && !s.m.item(target).Candidate && (s.only == nil || s.only[target]) {
					claims = append(claims, s.claimsOf(target, key)...)
				}
			}
		}
	}
	return claims
}

func (s *sums) claimsOf(target position, key poolKey) []claim {
	s.openWindow(target, key)
	low, high := s.m.bounds(target, 0)
	_, most := s.m.bounds(target, mostMembers)
	if len(s.upTo(most).lines) < 2 {
		return nil
	}
	found := s.look(target, low, high)
	if low, high = s.m.bounds(target, mostMembers); len(found.sets) == 0 && high > low {
		fees := s.look(target, low, high)
		fees.tried += found.tried
		found = fees
	}
	s.count(found)
	if len(found.sets) > 0 {
		s.open[target] = true
	}
	believed := found.believed(s.most[key.side], s.few)
	if believed == nil {
		s.m.sought[target] = s.m.whySought(target, found)
		return nil
	}
	claims := make([]claim, 0, len(believed))
	for _, set := range believed {
		if c, ok := s.claim(target, set, found.tried); ok {
			claims = append(claims, c)
		}
	}
	return claims
}

// count counts what was tried for a target; its line counts once.
func (s *sums) count(f finding) {
	s.m.search.Sets += f.tried
	if s.only == nil {
		s.m.search.Lines++
		s.m.search.Unfinished += toInt(f.unfinished)
	}
}

// openWindow opens the window of a target. Targets come by pool and day, so it is open already for most. Only among few lines
// references are not minded: a person would see that they add up.
func (s *sums) openWindow(target position, of poolKey) {
	key, day := s.opposite(target, of), s.m.lines[target].day
	all := key
	all.bare = false
	from, to := s.within(s.pools[all], day)
	if s.few = to-from <= fewLines; s.few {
		key = all
	}
	if s.at == key && s.day == day && s.lines != nil {
		return
	}
	s.at, s.day = key, day
	from, to = s.within(s.pools[key], day)
	s.window = s.newWindow(s.pools[key][from:to])
}

func (s *sums) newWindow(byDay []position) window {
	w := window{falling: s.falling(byDay)}
	for run := range s.m.runs(byDay, func(a, b *line) bool { return a.day == b.day }) {
		w.ofADay = append(w.ofADay, s.falling(run))
	}
	return w
}

func (s *sums) falling(lines []position) falling {
	f := falling{lines: append(make([]position, 0, len(lines)), lines...), amounts: make([]int64, len(lines)), twin: make([]bool, len(lines))}
	slices.SortFunc(f.lines, func(a, b position) int {
		return cmp.Or(cmp.Compare(magnitude(s.m.lines[b].amount), magnitude(s.m.lines[a].amount)), cmp.Compare(a, b))
	})
	for i, p := range f.lines {
		f.amounts[i] = int64(magnitude(s.m.lines[p].amount))
		f.twin[i] = i > 0 && f.amounts[i] == f.amounts[i-1] && s.m.alike(f.lines[i-1:i+1])
	}
	f.grids = gridsOf(f.amounts)
	return f
}

// upTo leaves out the lines that are alone more than a set may add up to.
func (f falling) upTo(most int64) falling {
	from := indexOf(f.amounts, most)
	return falling{f.lines[from:], f.amounts[from:], f.twin[from:], f.grids}
}

// finding is what was found for a target.
type finding struct {
	sets       []foundSet
	tried      int  // sets
	many       bool // more sets add up than are kept
	unfinished bool
}

type foundSet struct {
	members []position // in order
	chance  int64
	named   bool // its lines have a rare word in common with the target
}

// look searches the lines that have a word of the target's, those of each day, and all within the window. To look in several places is
// to have as many chances.
func (s *sums) look(target position, low, high int64) (f finding) {
	steps, most := s.steps, s.most[s.m.lines[target].side]
	if !s.few {
		s.search(&f, subset{low: low, high: high, steps: steps / 4, most: most}, s.namesakes(target), 1, true)
		days := len(s.ofADay)
		for _, lines := range s.ofADay {
			s.search(&f, subset{low: low, high: high, steps: steps / 4, most: most / int64(days)}, lines, days, false)
		}
	}
	s.search(&f, subset{low: low, high: high, all: s.few, steps: steps, most: most}, s.window.falling, 1, false)
	return f
}

func (s *sums) search(f *finding, search subset, among falling, places int, named bool) {
	among = among.upTo(search.high)
	if len(among.lines) < 2 {
		return
	}
	search.amounts, search.twin, search.grids = among.amounts, among.twin, among.grids
	search.run()
	f.tried += search.tried
	f.many = f.many || search.many
	f.unfinished = f.unfinished || search.spent
	for _, found := range search.sets {
		f.add(foundSet{chosen(among.lines, found), found.chance * int64(places), named})
	}
}

// add keeps each set once, with the least chance that a search gave it.
func (f *finding) add(set foundSet) {
	for i := range f.sets {
		if known := &f.sets[i]; slices.Equal(known.members, set.members) {
			known.chance, known.named = min(known.chance, set.chance), known.named || set.named
			return
		}
	}
	f.sets = append(f.sets, set)
}

// believed gives the only set, or all of several that are no chance, which then dispute the target. Among few lines every set is
// believed. A set that may be chance, or a search that did not end, speaks against others, but not against one whose lines have the
// target's name in their texts.
func (f *finding) believed(most int64, few bool) []foundSet {
	var sure []foundSet
	for _, set := range f.sets {
		if few || set.chance <= most {
			sure = append(sure, set)
		}
	}
	all := len(sure) == len(f.sets) && !f.many && !f.unfinished
	if all || len(sure) == 1 && sure[0].named {
		return sure
	}
	return nil
}

// chosen gives the lines of a set in order.
func chosen(members []position, of sum) []position {
	set := make([]position, len(of.indexes))
	for i, index := range of.indexes {
		set[i] = members[index]
	}
	slices.Sort(set)
	return set
}
