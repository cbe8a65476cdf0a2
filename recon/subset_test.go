package recon

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"daybook/store/ledger"
)

// everySum gives the sets of two to eight amounts that add up, found by trying all.
func everySum(amounts []int64, twin []bool, low, high int64) (sets []string) {
	for chosen := uint(1); chosen < 1<<len(amounts); chosen++ {
		var sum int64
		var indexes []int32
		first := true // of each run of twins, those that stand first are taken
		for i, amount := range amounts {
			if chosen>>i&1 == 0 {
				continue
			}
			sum += amount
			indexes = append(indexes, int32(i))
			first = first && !(twin[i] && chosen>>(i-1)&1 == 0)
		}
		if n := bits.OnesCount(chosen); n >= 2 && n <= mostMembers && sum >= low && sum <= high && first {
			sets = append(sets, fmt.Sprint(indexes))
		}
	}
	slices.Sort(sets)
	return sets
}

func TestSubsetFindsEverySetThatAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.SampledFrom([]int64{1, 1, -20}).Draw(t, "least")
		amounts := rapid.SliceOfN(rapid.Int64Range(least, 40), 2, 10).Draw(t, "amounts")
		slices.SortFunc(amounts, func(a, b int64) int { return int(b - a) })
		twin := make([]bool, len(amounts))
		for i := 1; i < len(amounts); i++ {
			twin[i] = amounts[i] == amounts[i-1] && rapid.Bool().Draw(t, "twin")
		}
		low := rapid.Int64Range(1, 120).Draw(t, "low")
		high := low + rapid.SampledFrom([]int64{0, 0, 3}).Draw(t, "width")
		s := subset{amounts: amounts, twin: twin, low: low, high: high, steps: 1 << 20, all: true}
		s.run()
		want := everySum(amounts, twin, low, high)
		if s.spent || s.many != (len(want) > mostSets) && len(want) > mostSets {
			t.Fatalf("spent %v, many %v with %d sets", s.spent, s.many, len(want))
		}
		if len(want) > mostSets {
			if len(s.sets) > 0 {
				t.Fatalf("%d of more sets than are kept", len(s.sets))
			}
			return
		}
		var got []string
		for _, set := range s.sets {
			got = append(got, fmt.Sprint(set.indexes))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestSubsetKnowsHowLikelyChanceIs(t *testing.T) {
	t.Parallel()
	odd := []int64{91_873, 80_111, 77_017, 60_303, 51_929, 42_221, 40_127, 30_319, 21_143, 11_057, 7_219, 3_331}
	whole := []int64{90_000, 80_000, 77_000, 60_000, 51_000, 42_000, 40_000, 30_000, 21_000, 11_000, 7_000, 3_000}
	for name, c := range map[string]struct {
		amounts []int64
		low     int64
		sure    bool
	}{
		"TwoOfTwelveOddAmounts":   {odd, 80_111 + 42_221, true},
		"TwoOfTwelveWholeAmounts": {whole, 80_000 + 42_000, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := subset{amounts: c.amounts, twin: make([]bool, len(c.amounts)), grids: gridsOf(c.amounts), low: c.low, high: c.low, steps: 1 << 20, most: millionth / 500}
			s.run()
			if sure := len(s.sets) == 1 && s.sets[0].chance <= s.most; sure != c.sure {
				t.Errorf("sets %v, want one that is sure: %v", s.sets, c.sure)
			}
		})
	}
}

func TestSubsetStopsWhenItsStepsAreSpent(t *testing.T) {
	t.Parallel()
	amounts := make([]int64, 40)
	for i := range amounts {
		amounts[i] = int64(1_000_000 - i*i*911)
	}
	s := subset{amounts: amounts, twin: make([]bool, len(amounts)), low: 5_000_000, high: 5_000_000, steps: 1000, all: true}
	s.run()
	if !s.spent || s.sets != nil {
		t.Errorf("spent %v with sets %v, want no set of a search that did not end", s.spent, s.sets)
	}
}

func TestOneSlip(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{
		{"ABCDEF", "ABCDEF"}: false, {"ABCDEF", "ABCDEX"}: true, {"ABCDEF", "XBCDEF"}: true, {"ABCDEF", "BACDEF"}: true, {"ABCDEF", "ABCDFE"}: true,
		{"ABCDEF", "ABCDE"}: false, {"ABCDEF", "ABCDEFG"}: true, {"ABCDEFG", "BCDEFG"}: true, {"ABCDEF", "ABXDEFG"}: false, {"ABCDEF", "CBADEF"}: false,
		{"ABCDE", "ABCDX"}: false, {"ABCDEF", "ABCDEFGH"}: false, {"", ""}: false,
	} {
		for _, turned := range [][2]string{pair, {pair[1], pair[0]}} {
			if got := oneSlip([]rune(turned[0]), []rune(turned[1])); got != want {
				t.Errorf("%q and %q: %v", turned[0], turned[1], got)
			}
		}
	}
}

func TestDayOfCountsAsTheCalendarDoes(t *testing.T) {
	t.Parallel()
	day := ledger.MustDate("1900-01-01")
	for n := dayOf(day); day.Year < 2101; n++ {
		if got := dayOf(day); got != n || int64(got)*86_400 != day.Time().Unix() {
			t.Fatalf("%s is day %d, want %d", day, got, n)
		}
		day = day.AddDays(1)
	}
	if got := dayOf(ledger.MustDate("9999-12-31")); int64(got)*86_400 != ledger.MustDate("9999-12-31").Time().Unix() {
		t.Errorf("the last day is %d", got)
	}
}

func TestRadixSort(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amounts := rapid.SliceOf(rapid.Int64()).Draw(t, "amounts")
		keys := make([]sortKey, len(amounts))
		for i, amount := range amounts {
			keys[i] = sortKey{uint64(amount) ^ 1<<63, uint16(i % 3), int32(i)}
		}
		sorted := radixSort(keys)
		for i := 1; i < len(sorted); i++ {
			a, b := sorted[i-1], sorted[i]
			if a.currency > b.currency || a.currency == b.currency && amounts[a.line] > amounts[b.line] {
				t.Fatalf("%v stands before %v", a, b)
			}
		}
	})
}
