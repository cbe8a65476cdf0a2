package ledger

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// movement is what one entry adds to an account on a day.
type movement struct {
	on          Date
	amountMinor int64
}

var firstDay = MustDate("2026-03-01")

func movements() *rapid.Generator[movement] {
	return rapid.Custom(func(t *rapid.T) movement {
		return movement{on: firstDay.AddDays(rapid.IntRange(0, 8).Draw(t, "day")), amountMinor: rapid.Int64Range(-4, 4).Draw(t, "amount")}
	})
}

// sumUntil is the balance at the end of a day by its definition: the sum of all that was effective until then.
func sumUntil(moved []movement, day Date) (balanceMinor int64) {
	for _, m := range moved {
		if !m.on.After(day) {
			balanceMinor += m.amountMinor
		}
	}
	return balanceMinor
}

// firstLack looks at each day by itself, as the rule says it: the balance is on the abnormal side, and it was nearer to the normal one before.
func firstLack(kind AccountType, moved []movement, next movement) (DayBalance, bool) {
	for day := next.on; !day.After(firstDay.AddDays(10)); day = day.AddDays(1) {
		before := sumUntil(moved, day)
		after := before + next.amountMinor
		if kind.DebitNormal() && after < 0 && after < before || !kind.DebitNormal() && after > 0 && after > before {
			return DayBalance{On: day, BalanceMinor: after}, true
		}
	}
	return DayBalance{}, false
}

func TestDayBalances_AreWhatTheDaysAddUpTo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(AccountTypes).Draw(t, "type")
		moved := rapid.SliceOfN(movements(), 0, 30).Draw(t, "moved")
		var balances DayBalances
		sums := map[Date]int64{}
		for i, m := range moved {
			want, lacks := firstLack(kind, moved[:i], m)
			if got, found := balances.lack(kind, m.on, m.amountMinor); found != lacks || got != want {
				t.Fatalf("%v on %v leaves %v %v, the days by themselves say %v %v", m, balances, got, found, want, lacks)
			}
			balances = balances.Add(m.on, m.amountMinor)
			sums[m.on] = 0
		}
		days := slices.SortedFunc(maps.Keys(sums), Date.Compare)
		if len(balances) != len(days) {
			t.Fatalf("%v has not one balance for each of %v", balances, days)
		}
		for i, day := range days {
			if want := (DayBalance{On: day, BalanceMinor: sumUntil(moved, day)}); balances[i] != want {
				t.Fatalf("%v, want %v", balances[i], want)
			}
		}
	})
}

func TestAppend_LeavesNoNegativeAccountsOnTheirSideOnEveryDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		facts, kept := demoBook(), []movement(nil)
		for i, m := range rapid.SliceOfN(movements(), 1, 20).Draw(t, "moved") {
			if m.amountMinor == 0 {
				continue
			}
			c := command("", fmt.Sprint("t", i), Posting{"till", m.amountMinor, "EUR"}, Posting{"1010", -m.amountMinor, "EUR"})
			c.Entry.EffectiveOn = m.on
			_, lacks := firstLack(Asset, kept, m)
			batch := Append(Head{}, facts, []Command{c}, noon)
			if err := batch.Outcomes[0].Err; (err != nil) != lacks || lacks && KindOf(err) != KindInsufficientFunds {
				t.Fatalf("%v after %v gives %v", m, kept, err)
			}
			if !lacks {
				kept = append(kept, m)
			}
		}
		for day := firstDay; !day.After(firstDay.AddDays(10)); day = day.AddDays(1) {
			if balance := sumUntil(kept, day); balance < 0 {
				t.Fatalf("the till stands at %d on %s after %v", balance, day, kept)
			}
		}
	})
}

// BenchmarkFunds posts into and out of an account that has moved every day for ten years: today, and at the far end of its history.
func BenchmarkFunds(b *testing.B) {
	const days = 3650
	for name, on := range map[string]Date{"Today": firstDay, "TenYearsAgo": firstDay.AddDays(1 - days)} {
		b.Run(name, func(b *testing.B) {
			var history DayBalances
			for i := range days {
				history = history.Add(firstDay.AddDays(i-days+1), 1000)
			}
			facts := demoBook()
			facts.Days["till"] = history
			a := appender{facts: facts}
			in, out := Entry{EffectiveOn: on, Postings: pair("till", "1010", 5)}, Entry{EffectiveOn: on, Postings: pair("1010", "till", 5)}
			b.ReportAllocs()
			for b.Loop() {
				for _, e := range []Entry{in, out} {
					ef, err := a.effectOf(e)
					if err != nil {
						b.Fatal(err)
					}
					ef.apply(&a.facts)
				}
			}
		})
	}
}
