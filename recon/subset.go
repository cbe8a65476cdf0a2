package recon

import "slices"

// The bounds of the search for lines that add up to another.
const (
	mostMembers = 8       // lines in a set
	mostSets    = 8       // sets that are kept: more are chance
	fewLines    = 8       // among so few every set is tried, and one that is alone is taken, as a person would
	millionth   = 1 << 20 // chances are counted in parts of this
	noise       = millionth / 8
	amountLimit = 1 << 59 // so that no sum of a set overflows
)

// subset looks for sets of two or more amounts whose sum lies from low to high. Small sets come first. A set that adds up proves
// nothing where so many were tried that one had to: how many came near, and how far apart sums lie, says how many are to be
// expected by chance. The search ends where that is more than noise, or when its steps are spent.
//
// It is a depth-first search over falling amounts, cut off where neither the largest nor the smallest amounts that are left reach
// the target (Horowitz and Sahni, 1974, bound it alike); the last amount is found by bisection. Sets of k out of n amounts cost
// at most n^(k-1) steps, and noise ends it long before.
type subset struct {
	amounts   []int64 // falling
	twin      []bool  // twin[i]: amounts[i] is of a line as good as that of amounts[i-1]
	grids     grids
	low, high int64 // more than 0
	steps     int   // that are left
	all       bool  // try every set, however many are to be expected by chance
	most      int64 // the chance, in parts of millionth, beyond which a first set is not looked for any more

	nearLow, nearHigh int64
	near              int64 // sets tried whose sum came near, the hits left out
	nearMost          int64 // how many make it hopeless
	noiseMost         int64 // how many make it noise
	tried             int   // sets whose sum came near, the hits too
	sets              []sum
	chosen            []int32
	found             bool // smaller sets add up: larger ones are looked for until they are noise
	over              bool // what is found from here on may be chance
	many              bool // there are more sets than are kept
	spent             bool // the steps did not suffice
}

// sum is a set that adds up: its amounts by index, and how many such sets were to be expected by chance, in parts of millionth.
type sum struct {
	indexes []int32
	chance  int64
}

func (s *subset) run() {
	margin := max(s.low/4, 1)
	s.nearLow, s.nearHigh = s.low-margin, s.high+margin
	s.nearMost, s.noiseMost = s.enough(s.most), s.enough(noise)
	for size := 2; size <= min(mostMembers, len(s.amounts)); size++ {
		before := len(s.sets)
		s.found = before > 0
		s.pick(0, size, 0)
		chance := s.chance(size)
		if doubt := s.over && !s.many || chance > noise || chance > s.most && !s.found; doubt && !s.all {
			s.sets = s.sets[:before] // larger sets add up by chance: they say nothing, against smaller ones neither
			return
		}
		if s.many || s.spent {
			s.sets = nil
			return
		}
		for i := range s.sets[before:] {
			s.sets[before+i].chance = chance
		}
	}
}

// pick adds so many amounts, from an index on, to what was chosen.
func (s *subset) pick(from, left int, added int64) {
	if left == 1 {
		s.last(from, added)
		return
	}
	for i := from; i+left <= len(s.amounts) && !s.over && !s.spent; i++ {
		if s.steps--; s.steps < 0 {
			s.spent = true
			return
		}
		if i > from && s.twin[i] {
			continue
		}
		if added+total(s.amounts[i:i+left]) < s.nearLow {
			return
		}
		if added+s.amounts[i]+total(s.amounts[len(s.amounts)-left+1:]) > s.nearHigh {
			continue
		}
		s.chosen = append(s.chosen, int32(i))
		s.pick(i+1, left-1, added+s.amounts[i])
		s.chosen = s.chosen[:len(s.chosen)-1]
	}
}

// last counts the amounts that come near, and keeps the sets that add up.
func (s *subset) last(from int, added int64) {
	near := upTo(s.amounts[from:], s.nearHigh-added)
	near = near[:len(near)-len(upTo(near, s.nearLow-added-1))]
	hits := upTo(near, s.high-added)
	first := len(s.amounts) - (len(s.amounts[from:]) - indexOf(s.amounts[from:], s.high-added))
	hits = hits[:len(hits)-len(upTo(hits, s.low-added-1))]
	s.tried += len(near)
	s.near += int64(len(near) - len(hits))
	for i := first; i < first+len(hits); i++ {
		if i == from || !s.twin[i] {
			s.sets = append(s.sets, sum{indexes: append(slices.Clone(s.chosen), int32(i))})
		}
	}
	s.many = len(s.sets) > mostSets
	s.over = s.many || !s.all && (s.near > s.noiseMost || s.near > s.nearMost && !s.found)
}

// upTo leaves out the falling amounts that are more than most.
func upTo(falling []int64, most int64) []int64 { return falling[indexOf(falling, most):] }

// indexOf is the index of the first of falling amounts that is at most so much.
func indexOf(falling []int64, most int64) int {
	at, _ := slices.BinarySearchFunc(falling, most, func(amount, most int64) int {
		if amount > most {
			return -1
		}
		return 1
	})
	return at
}

// chance is how many sets of up to a size were to be expected to add up if their sums lay about the target by chance, in parts of
// millionth: those that came near, spread over the sums that are near.
func (s *subset) chance(size int) int64 {
	span, width := s.nearHigh-s.nearLow+1, s.high-s.low+1
	return max(share(s.near+1, width, span), s.grids.chance(s.near+1, s.low, width, span, size))
}

// enough is how many sets that came near make a chance.
func (s *subset) enough(chance int64) int64 {
	span, width := s.nearHigh-s.nearLow+1, s.high-s.low+1
	for span > 1<<40 {
		span, width = span/2, width/2+width%2
	}
	return chance * span / width / millionth
}

// share is n*width/span in parts of millionth, and at most all of them n times.
func share(n, width, span int64) int64 {
	if width >= span {
		return n * millionth
	}
	for span > 1<<20 {
		width, span = width/2+width%2, span/2
	}
	return min(n, 1<<20) * (width * millionth / span)
}

func total(amounts []int64) (sum int64) {
	for _, amount := range amounts {
		sum += amount
	}
	return sum
}
