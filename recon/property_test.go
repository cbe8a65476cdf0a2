package recon_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"daybook/recon"
	"daybook/store/ledger"
)

// anyInput draws from few values, so that lines meet in every way there is.
func anyInput(t *rapid.T) recon.Input {
	side := func(name string) []recon.Item {
		n := rapid.IntRange(0, 14).Draw(t, name)
		items := make([]recon.Item, n)
		for i := range items {
			items[i] = recon.Item{
				ID:          fmt.Sprint(name, i),
				Date:        ledger.MustDate("2026-03-20").AddDays(rapid.IntRange(0, 14).Draw(t, "day")),
				AmountMinor: rapid.SampledFrom([]int64{100, 100, 200, -200, 12, 21, 0, ledger.MaxAmountMinor, -ledger.MaxAmountMinor}).Draw(t, "amount"),
				Currency:    rapid.SampledFrom([]string{"EUR", "EUR", "EUR", "USD", "JPY"}).Draw(t, "currency"),
				Reference:   rapid.SampledFrom([]string{"", "", "A", "ref a", "B", "B 1/2", "B 2/2", "BATCH 1", "NONREF"}).Draw(t, "reference"),
				Text:        rapid.SampledFrom([]string{"x", "X", "y"}).Draw(t, "text"),
				Candidate:   rapid.IntRange(0, 5).Draw(t, "candidate") == 0,
			}
			if name == "L" {
				items[i].Correction = rapid.SampledFrom([]string{"", "", "", "7", "8"}).Draw(t, "correction")
				items[i].Reverses = items[i].Correction != "" && rapid.Bool().Draw(t, "reverses")
			}
		}
		return items
	}
	return recon.Input{Currency: "EUR", Ledger: side("L"), Bank: side("B"), PairedLedger: side("PL"), PairedBank: side("PB"),
		Period: recon.Period{From: ledger.MustDate("2026-03-01"), To: ledger.MustDate("2026-03-31"), Stated: rapid.Bool().Draw(t, "stated")}}
}

func TestEveryLineIsInExactlyOneMatchOrBreak(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		r := recon.Match(in)
		ledgers, banks := make([]int, len(in.Ledger)), make([]int, len(in.Bank))
		for _, m := range r.Matches {
			one := len(m.Ledger) == 1 && len(m.Bank) == 1 || m.Kind == recon.KindReversedPair && len(m.Ledger) == 2 && len(m.Bank) == 0
			if !one || m.Why == "" || m.Rule == "" || m.Score < 50 || m.Score > 100 {
				t.Fatalf("match %+v", m)
			}
			for _, i := range m.Ledger {
				ledgers[i]++
			}
			for _, i := range m.Bank {
				banks[i]++
			}
		}
		for _, b := range r.Breaks {
			inScope := false
			for _, i := range b.Ledger {
				ledgers[i]++
				inScope = inScope || !in.Ledger[i].Candidate
			}
			for _, i := range b.Bank {
				banks[i]++
				inScope = inScope || !in.Bank[i].Candidate
			}
			if !inScope || b.Why == "" {
				t.Fatalf("break of candidates alone, or without a reason: %+v", b)
			}
		}
		for items, seen := range map[*[]recon.Item][]int{&in.Ledger: ledgers, &in.Bank: banks} {
			for i, times := range seen {
				if candidate := (*items)[i].Candidate; times > 1 || times == 0 && !candidate {
					t.Fatalf("%+v is in %d classes", (*items)[i], times)
				}
			}
		}
	})
}

func TestTheOrderOfTheInputChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		want := told(in, recon.Match(in))
		shuffled := in
		for _, side := range []*[]recon.Item{&shuffled.Ledger, &shuffled.Bank, &shuffled.PairedLedger, &shuffled.PairedBank} {
			*side = rapid.Permutation(slices.Clone(*side)).Draw(t, "order")
		}
		if got := told(shuffled, recon.Match(shuffled)); got != want {
			t.Fatalf("in another order\n%s\nbefore\n%s", got, want)
		}
	})
}

func TestBreaksAndMatchesAddUpToTheDifference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		for _, side := range [][]recon.Item{in.Ledger, in.Bank} {
			for i := range side {
				side[i].Candidate = false
				side[i].AmountMinor %= 1_000_000
			}
		}
		totals, err := recon.Total(in)
		if err != nil {
			t.Fatal(err)
		}
		r, sum, open := recon.Match(in), int64(0), []recon.Difference(nil)
		for _, b := range r.Breaks {
			sum += b.DifferenceMinor
			open = append(open, recon.Difference{Type: b.Type, Resolution: b.Resolution, Minor: b.DifferenceMinor})
		}
		for _, m := range r.Matches {
			l, b := in.Ledger[m.Ledger[0]], recon.Item{}
			if m.Kind == recon.KindReversedPair {
				b = in.Ledger[m.Ledger[1]]
				b.AmountMinor = -b.AmountMinor
			} else {
				b = in.Bank[m.Bank[0]]
			}
			if l.AmountMinor != b.AmountMinor || l.Currency != b.Currency {
				t.Fatalf("a match of different amounts: %+v and %+v", l, b)
			}
		}
		if sum != totals.DifferenceMinor {
			t.Fatalf("the breaks add up to %d, the totals differ by %d", sum, totals.DifferenceMinor)
		}
		proof, err := recon.Prove(totals.LedgerMinor, totals.BankMinor, open)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range r.Breaks {
			if b.Resolution == "" {
				proof.UnexplainedMinor -= b.DifferenceMinor
			}
		}
		if proof.UnexplainedMinor != 0 {
			t.Fatalf("what is unexplained is not what is open: %+v", proof)
		}
	})
}
