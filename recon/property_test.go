package recon_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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
				AmountMinor: rapid.SampledFrom([]int64{100, 100, 200, -200, 300, 1250, 98, 12, 21, 0, ledger.MaxAmountMinor, -ledger.MaxAmountMinor}).Draw(t, "amount"),
				Currency:    rapid.SampledFrom([]string{"EUR", "EUR", "EUR", "USD", "JPY"}).Draw(t, "currency"),
				Reference:   rapid.SampledFrom([]string{"", "", "A", "ref a", "B", "B 1/2", "B 2/2", "BATCH 1", "BATCH 1", "NONREF", "INV-20261", "INV-20216"}).Draw(t, "reference"),
				Text:        rapid.SampledFrom([]string{"x", "X", "y", "Kiln Co", "KILN CO for INV-20261", "pays 20216 and INV 20261"}).Draw(t, "text"),
				Candidate:   rapid.IntRange(0, 5).Draw(t, "candidate") == 0,
			}
			if name == "L" {
				items[i].Correction = rapid.SampledFrom([]string{"", "", "", "7", "8"}).Draw(t, "correction")
				items[i].Reverses = items[i].Correction != "" && rapid.Bool().Draw(t, "reverses")
			}
		}
		return items
	}
	rules := recon.DefaultRules()
	if rapid.Bool().Draw(t, "tolerant") {
		rules.ToleranceMinor, rules.Fee = 1, recon.FeeRule{Account: "6800", FixedMinor: 2, PerMille: 15}
	}
	return recon.Input{Currency: "EUR", Rules: rules, Ledger: side("L"), Bank: side("B"), PairedLedger: side("PL"), PairedBank: side("PB"),
		Period: recon.Period{From: ledger.MustDate("2026-03-01"), To: ledger.MustDate("2026-03-31"), Stated: rapid.Bool().Draw(t, "stated")}}
}

func TestEveryLineIsInExactlyOneMatchOrBreak(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		r := recon.Match(in)
		ledgers, banks := make([]int, len(in.Ledger)), make([]int, len(in.Bank))
		for _, m := range r.Matches {
			if !rightlySized(m) || m.Why == "" || m.Rule == "" || m.Score < 50 || m.Score > 100 {
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

// rightlySized reports whether a match has as many lines as its kind says.
func rightlySized(m recon.Matched) bool {
	switch ledgers, banks := len(m.Ledger), len(m.Bank); m.Kind {
	case recon.KindReference, recon.KindFuzzy:
		return ledgers == 1 && banks == 1
	case recon.KindBatch:
		return ledgers > 1 && banks == 1
	case recon.KindSplit:
		return ledgers == 1 && banks > 1
	case recon.KindReversedPair:
		return ledgers == 2 && banks == 0
	}
	return false
}

// worth is ledger - bank over the lines of a match, and how many currencies they have.
func worth(in recon.Input, m recon.Matched) (minor int64, currencies int) {
	seen := map[string]bool{}
	for _, i := range m.Ledger {
		minor += in.Ledger[i].AmountMinor
		seen[in.Ledger[i].Currency] = true
	}
	for _, i := range m.Bank {
		minor -= in.Bank[i].AmountMinor
		seen[in.Bank[i].Currency] = true
	}
	return minor, len(seen)
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

// TestAHundredOrdersGiveTheSameResult shuffles both sides of an input that every pass has work with.
func TestAHundredOrdersGiveTheSameResult(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	in := recon.Input{Currency: "EUR", Rules: recon.DefaultRules()}
	for side, into := range []*[]recon.Item{&in.Ledger, &in.Bank} {
		for i := range 400 {
			n := rng.IntN(300)
			*into = append(*into, recon.Item{ID: fmt.Sprint("LB"[side:side+1], i), Date: ledger.MustDate("2026-03-01").AddDays(rng.IntN(28)),
				AmountMinor: int64([]int{n, rng.IntN(40)}[rng.IntN(2)]*25 - 300), Currency: []string{"EUR", "EUR", "EUR", "USD"}[rng.IntN(4)],
				Reference: []string{"", "", fmt.Sprint("INV-2026-", n), fmt.Sprint("BATCH ", n/20), fmt.Sprintf("ORD %d %d/3", n/5, 1+n%3)}[rng.IntN(5)],
				Text:      []string{"x", "Kiln Co", "KILN CO", fmt.Sprintf("INV-2026-%d, INV-2026-%d", rng.IntN(300), rng.IntN(300))}[rng.IntN(4)]})
		}
	}
	want := told(in, recon.Match(in))
	for _, kind := range []recon.Kind{recon.KindReference, recon.KindFuzzy, recon.KindBatch, recon.KindSplit} {
		if !strings.Contains(want, string(kind)+" [") {
			t.Errorf("no match %s to shuffle", kind)
		}
	}
	for range 100 {
		for _, side := range [][]recon.Item{in.Ledger, in.Bank} {
			rng.Shuffle(len(side), func(i, j int) { side[i], side[j] = side[j], side[i] })
		}
		if got := told(in, recon.Match(in)); got != want {
			t.Fatalf("in another order\n%s\nbefore\n%s", got, want)
		}
	}
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
			if apart, currencies := worth(in, m); apart != m.DifferenceMinor || currencies != 1 {
				t.Fatalf("match %+v is off by %d, in %d currencies", m, apart, currencies)
			}
			if rules := in.Rules; m.DifferenceMinor != 0 && rules.ToleranceMinor == 0 && rules.Fee == (recon.FeeRule{}) {
				t.Fatalf("match %+v has a difference that no rule allows", m)
			}
			sum += m.DifferenceMinor
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
		for _, m := range r.Matches {
			proof.UnexplainedMinor -= m.DifferenceMinor // to be booked still
		}
		if proof.UnexplainedMinor != 0 {
			t.Fatalf("what is unexplained is not what is open: %+v", proof)
		}
	})
}
