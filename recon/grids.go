package recon

// steps are those that prices go in. Where most amounts are whole, or end in .99, sums meet a hundred times as often as where they
// are anything.
var steps = [8]int64{5, 10, 50, 100, 500, 1000, 10_000, 100_000}

// grids say for each of steps which remainder most of some amounts leave.
type grids [len(steps)]grid

// grid is the remainder that more than half of so many amounts leave, and how many do; among is 0 where there is none.
type grid struct {
	remainder   int64
	many, among int64
}

// gridsOf finds the remainders by majority vote (Boyer and Moore, 1981).
func gridsOf(amounts []int64) (all grids) {
	for g, step := range steps {
		var lead, votes, many int64
		for _, amount := range amounts {
			switch remainder := amount % step; {
			case votes == 0:
				lead, votes = remainder, 1
			case remainder == lead:
				votes++
			default:
				votes--
			}
		}
		for _, amount := range amounts {
			if amount%step == lead {
				many++
			}
		}
		if many >= 3 && 2*many > int64(len(amounts)) {
			all[g] = grid{lead, many, int64(len(amounts))}
		}
	}
	return all
}

// chance is how many of n sets of a size, that lie in a span, were to be expected within a width by chance: those whose amounts all
// lie on a grid meet only where the grid has a sum.
func (g *grids) chance(n, sum, width, span int64, size int) (most int64) {
	for i, step := range steps {
		at := g[i]
		if at.among == 0 || width >= step || (sum-int64(size)*at.remainder)%step != 0 {
			continue
		}
		expected := share(n, step, span)
		for range size {
			expected = expected * at.many / at.among
		}
		most = max(most, expected)
	}
	return most
}
