package recon_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/recon"
	"daybook/store/ledger"
)

// weighed tells candidates as lines of text.
func weighed(found []recon.Candidate) string {
	var b strings.Builder
	for _, c := range found {
		var fits []string
		for _, f := range c.Fits {
			fits = append(fits, fmt.Sprintf("%s (%d)", f.Text, f.How))
		}
		fmt.Fprintf(&b, "%v %d %s\n", c.Items, c.Score, strings.Join(fits, ", "))
	}
	return strings.TrimSpace(b.String())
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sought string
		as     recon.Role
		items  string
		want   string
	}{
		"TheOneWithTheNameIsFirst": {
			"x 2026-03-03 180.00 EUR NONREF J VERMEER WORKSHOP", recon.TheOtherSide,
			"a 2026-03-04 180.00 EUR WS-0302 Workshop place, Iris Kok\nb 2026-03-02 180.00 EUR WS-0301 Workshop place, Jip Vermeer\nc 2026-03-03 18.00 EUR WS-1 Workshop",
			"[1] 90 Amount equal (2), 1 day apart (1), “Vermeer” in both (2)\n[0] 82 Amount equal (2), 1 day apart (1), “Workshop” in both (2)",
		},
		"AReferenceInTheText": {
			"x 2026-03-03 10.00 EUR - Paid INV-4711 thanks", recon.TheOtherSide, "a 2026-03-03 10.00 EUR INV-4711 Tiles",
			"[0] 100 Amount equal (2), same day (2), Reference in the text (2)",
		},
		"NothingInCommonAndFarAway": {
			"x 2026-03-03 10.00 EUR - Rent", recon.TheOtherSide, "a 2026-05-03 10.00 EUR t1 Tiles",
			"[0] 50 Amount equal (2), 61 days apart (0), No common word (0)",
		},
		"SeveralThatAddUp": {
			"x 2026-03-03 -30.00 EUR b9 Payout", recon.TheOtherSide,
			"a 2026-03-03 -10.00 EUR t1 Payout\nb 2026-03-02 -5.00 EUR t2 Payout\nc 2026-03-02 -15.00 EUR t3 Payout\nd 2026-03-03 30.00 EUR t4 Payout",
			"[0 1 2] 99 3 add up to it (2), 1 day apart (1), “Payout” in both (2)",
		},
		"WhatCancelsIt": {
			"x 2026-03-03 -7.00 EUR t1 Rent", recon.Cancelling, "a 2026-03-05 -7.00 EUR t1 Rent",
			"[0] 98 Amount cancels it (2), 2 days apart (1), Same reference (2)",
		},
		"WhatMakesUpTheDifference": {
			"x 2026-03-03 -0.50 EUR t1 Rent", recon.MakingUp, "a 2026-03-03 -0.20 EUR - Fee\nb 2026-03-03 -0.30 EUR - Fee\nc 2026-03-03 -0.50 EUR - Fee",
			"[2] 75 Makes up the difference (2), same day (2), No common word (0)\n[0 1] 75 2 make up the difference (2), same day (2), No common word (0)",
		},
		"AnotherCurrencyIsNone": {"x 2026-03-03 7.00 EUR t1 Rent", recon.TheOtherSide, "a 2026-03-03 7.00 USD t1 Rent", ""},
		"NoDifferenceIsNoSum":   {"x 2026-03-03 0.00 EUR t1 Rent", recon.TheOtherSide, "a 2026-03-03 7.00 EUR t1 Rent", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var items []recon.Item
			for row := range strings.Lines(c.items) {
				items = append(items, item(t, strings.TrimSpace(row)))
			}
			sought := recon.Sought{Item: item(t, c.sought), As: c.as}
			if got := weighed(recon.Candidates(sought, items, recon.DefaultRules(), 10)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if got := recon.Candidates(sought, items, recon.DefaultRules(), 0); len(got) != 0 {
				t.Errorf("of none asked for there are %v", got)
			}
		})
	}
}

func TestCandidatesAddUpAndAreOrdered(t *testing.T) {
	t.Parallel()
	day := ledger.MustDate("2026-03-01")
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) recon.Item {
			return recon.Item{Date: day.AddDays(rapid.IntRange(0, 90).Draw(t, name+" day")), Currency: rapid.SampledFrom([]string{"EUR", "EUR", "USD"}).Draw(t, name+" currency"),
				AmountMinor: rapid.SampledFrom([]int64{-ledger.MaxAmountMinor, -40, -20, -10, 0, 10, 10, 20, 30, 40, 70, ledger.MaxAmountMinor}).Draw(t, name),
				Reference:   rapid.SampledFrom([]string{"", "A-1", "B-22"}).Draw(t, name+" reference"), Text: rapid.SampledFrom([]string{"", "rent A-1", "ren\x00t", "Ünïcode wörd"}).Draw(t, name+" text")}
		}
		sought := recon.Sought{Item: draw("sought"), As: recon.Role(rapid.IntRange(0, 2).Draw(t, "as"))}
		items := make([]recon.Item, rapid.IntRange(0, 14).Draw(t, "n"))
		for i := range items {
			items[i] = draw(fmt.Sprint("item ", i))
		}
		most := rapid.IntRange(0, 20).Draw(t, "most")
		found := recon.Candidates(sought, items, recon.DefaultRules(), most)
		if len(found) > most {
			t.Fatalf("%d of at most %d", len(found), most)
		}
		seen := map[string]bool{}
		for n, c := range found {
			sum := int64(0)
			for _, i := range c.Items {
				if items[i].Currency != sought.Currency {
					t.Fatalf("item %d is in %s", i, items[i].Currency)
				}
				sum += items[i].AmountMinor
			}
			if sum != sought.AmountMinor || c.Score < 50 || c.Score > 100 || len(c.Fits) != 3 || seen[fmt.Sprint(c.Items)] {
				t.Fatalf("%v adds up to %d, not to %d", c, sum, sought.AmountMinor)
			}
			if seen[fmt.Sprint(c.Items)] = true; n > 0 && found[n-1].Score < c.Score {
				t.Fatalf("%v stands before %v", found[n-1], c)
			}
		}
	})
}
