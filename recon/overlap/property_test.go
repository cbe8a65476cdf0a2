package overlap_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"daybook/recon/overlap"
	"daybook/store/ledger"
)

// movement is a line of what really happened on an account, by its place in time.
type movement struct {
	overlap.Line
	place int
}

// history draws what happened on an account over a few days: few texts and amounts, so that equal lines abound.
func history(t *rapid.T) []movement {
	all := make([]movement, rapid.IntRange(1, 25).Draw(t, "movements"))
	day, balance := ledger.MustDate("2026-03-01"), int64(100000)
	for i := range all {
		day = day.AddDays(rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "days later"))
		amount := rapid.SampledFrom([]int64{-280, -280, -280, -1500, 4000}).Draw(t, "amount")
		balance += amount
		after := balance
		print := overlap.Fingerprint{byte(day.Day), byte(amount), byte(amount >> 8), byte(rapid.IntRange(0, 1).Draw(t, "text"))}
		all[i] = movement{overlap.Line{Fingerprint: print, Date: day, AmountMinor: amount, BalanceMinor: &after}, i}
	}
	return all
}

// account is what was stored of a history, file by file. Taken are the places of the movements that are stored, as far as anyone can know.
type account struct {
	stored    []overlap.Stored
	orders    map[int64]overlap.Order
	uploaded  map[int]bool // places that some file had
	perhaps   int          // lines that were told to be one more, perhaps
	wholeDays bool
	balances  bool
}

// upload stores what is new of a part of the history, told in either order.
func (a *account) upload(part []movement, newestFirst bool) {
	part = slices.Clone(part)
	if newestFirst {
		slices.Reverse(part)
	}
	file := overlap.File{Proven: a.balances, WholeFirst: a.wholeDays, WholeLast: a.wholeDays, Orders: a.orders}
	days := map[ledger.Date]bool{}
	for _, m := range part {
		line := m.Line
		if !a.balances {
			line.BalanceMinor = nil
		}
		a.uploaded[m.place], days[line.Date] = true, true
		file.Lines = append(file.Lines, line)
	}
	for _, s := range a.stored {
		if days[s.Date] {
			file.Stored = append(file.Stored, s)
		}
	}
	id := int64(len(a.orders) + 1)
	a.orders[id] = overlap.OrderOf(file.Lines)
	for i, verdict := range overlap.Judge(file) {
		if verdict.MayBeNew {
			a.perhaps++
		}
		if verdict.StatementID == 0 {
			a.stored = append(a.stored, overlap.Stored{Line: file.Lines[i], StatementID: id, Row: i + 2, WholeDay: a.wholeDays})
		}
	}
}

// anyPart draws a part of a history that begins and ends anywhere, or between days.
func anyPart(t *rapid.T, all []movement, wholeDays bool) []movement {
	from := rapid.IntRange(0, len(all)-1).Draw(t, "from")
	to := rapid.IntRange(from+1, len(all)).Draw(t, "to")
	for wholeDays && from > 0 && all[from-1].Date == all[from].Date {
		from--
	}
	for wholeDays && to < len(all) && all[to].Date == all[to-1].Date {
		to++
	}
	return all[from:to]
}

// missing counts, by kind, how many movements that some file had are not stored; negative are those that were stored too often.
func (a *account) missing(all []movement) (lacking, tooMany int) {
	counts := map[overlap.Fingerprint]int{}
	for _, m := range all {
		if a.uploaded[m.place] {
			counts[m.Fingerprint]++
		}
	}
	for _, s := range a.stored {
		counts[s.Fingerprint]--
	}
	for _, n := range counts {
		lacking, tooMany = lacking+max(n, 0), tooMany+max(-n, 0)
	}
	return lacking, tooMany
}

func uploads(t *rapid.T, a *account, all []movement) {
	a.orders, a.uploaded = map[int64]overlap.Order{}, map[int]bool{}
	for range rapid.IntRange(1, 6).Draw(t, "files") {
		a.upload(anyPart(t, all, a.wholeDays), rapid.Bool().Draw(t, "newest first"))
	}
}

// often checks a property more than the usual hundred times: what is wrong with it shows once in some thousands.
func often(t *testing.T, holds func(*rapid.T)) {
	for range 40 {
		rapid.Check(t, holds)
	}
}

func TestFilesOfWholeDaysStoreEachMovementOnce(t *testing.T) {
	t.Parallel()
	often(t, func(t *rapid.T) {
		all := history(t)
		a := account{wholeDays: true, balances: rapid.Bool().Draw(t, "balances")}
		uploads(t, &a, all)
		if lacking, tooMany := a.missing(all); lacking+tooMany+a.perhaps != 0 {
			t.Fatalf("%d movements are missing, %d stored too often, %d marked", lacking, tooMany, a.perhaps)
		}
	})
}

func TestAnOverlapNeverAddsALineTwice(t *testing.T) {
	t.Parallel()
	often(t, func(t *rapid.T) {
		all := history(t)
		a := account{balances: rapid.Bool().Draw(t, "balances")}
		uploads(t, &a, all)
		if _, tooMany := a.missing(all); tooMany != 0 {
			t.Fatalf("%d movements are stored too often", tooMany)
		}
	})
}

func TestWithBalancesNothingIsMissingUntold(t *testing.T) {
	t.Parallel()
	often(t, func(t *rapid.T) {
		all := history(t)
		a := account{balances: true}
		uploads(t, &a, all)
		if lacking, _ := a.missing(all); lacking > a.perhaps {
			t.Fatalf("%d movements are missing, and only %d were told", lacking, a.perhaps)
		}
	})
}
