package reconbench

import "slices"

// mostWork bounds the beginnings of sets that are gone through.
const mostWork = 300_000

// onlySum reports whether a set of lines is the only one that adds up to a target and has as much to say for itself: no larger, within
// the window, not spoken for by reference, of one day or of one reference where the set is, and with as many words in common with
// the target.
func (d *decider) onlySum(targetSide, target, side int, set []int) bool {
	goal, lines := d.sides[targetSide].lines[target], d.sides[side].lines
	first := lines[set[0]]
	oneDay, oneName, least := true, first.name != "", len(first.words)
	for _, i := range set {
		if magnitude(int64(lines[i].day-goal.day)) > int64(d.window) {
			return false // nothing joins them
		}
		oneDay, oneName = oneDay && lines[i].day == first.day, oneName && lines[i].name == first.name
		least = min(least, inCommon(lines[i].words, goal.words))
	}
	if oneName {
		return true // references are not shared by chance
	}
	var pools [][]int
	for day := goal.day - d.window; day <= goal.day+d.window; day++ {
		pools = append(pools, slices.DeleteFunc(slices.Clone(d.sides[side].byDay[day]), func(i int) bool {
			e := lines[i]
			fits := (e.minor < 0) == (goal.minor < 0) && magnitude(e.minor) < magnitude(goal.minor) && inCommon(e.words, goal.words) >= least
			return !fits || !slices.Contains(set, i) && d.spokenFor(side, i)
		}))
	}
	if !oneDay {
		pools = [][]int{slices.Concat(pools...)}
	}
	sums := 0
	for _, pool := range pools {
		n, ok := countSums(lines, pool, goal.minor, len(set))
		if sums += n; !ok || sums > 1 {
			return false
		}
	}
	return sums == 1
}

// half is the beginning or the end of a set.
type half struct {
	size, edge int // edge: the last line of a beginning
	sum        int64
}

// countSums counts the sets of two to most lines that add up to a goal. It puts beginnings and ends together (Horowitz and Sahni, 1974).
// Not ok: there are more of them than it goes through; then another set adds up as good as certainly. Six out of sixty lines add up
// in fifty million ways, to not even two million amounts.
func countSums(lines []evidence, pool []int, goal int64, most int) (n int, ok bool) {
	if ways(len(pool), (most+1)/2) > mostWork {
		return 0, false
	}
	beginnings := map[int64][]half{}
	halves(lines, pool, (most+1)/2, func(h half, _ int) { beginnings[h.sum] = append(beginnings[h.sum], h) })
	halves(lines, pool, most/2, func(end half, first int) {
		for _, b := range beginnings[goal-end.sum] {
			if b.edge < first && (b.size == end.size || b.size == end.size+1) {
				n++
			}
		}
	})
	return n, true
}

// halves gives every set of up to so many lines, with its first one.
func halves(lines []evidence, pool []int, most int, give func(h half, first int)) {
	var add func(h half, first int)
	add = func(h half, first int) {
		for i := h.edge + 1; i < len(pool); i++ {
			next := half{h.size + 1, i, h.sum + lines[pool[i]].minor}
			from := first
			if h.size == 0 {
				from = i
			}
			give(next, from)
			if next.size < most {
				add(next, from)
			}
		}
	}
	add(half{edge: -1}, 0)
}

// ways is how many sets of k there are among n, up to a large number.
func ways(n, k int) int {
	all := 1
	for i := range k {
		if all = all * (n - i) / (i + 1); all > 1<<40 {
			return all
		}
	}
	return all
}
