package recon_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store/ledger"
)

// item reads "t1 2026-03-01 10.00 EUR REF text"; "-" is no reference.
func item(t *testing.T, text string) recon.Item {
	t.Helper()
	words := strings.SplitN(text, " ", 6)
	amount, err := ledger.ParseAmount(words[2], words[3])
	if err != nil {
		t.Fatal(err)
	}
	reference := words[4]
	if reference == "-" {
		reference = ""
	}
	return recon.Item{ID: words[0], Date: ledger.MustDate(words[1]), AmountMinor: amount, Currency: words[3],
		Reference: reference, Text: words[5]}
}

// march reads both sides of a reconciliation in EUR for March 2026; an item that begins with "?" is a candidate.
func march(t *testing.T, ledgerSide, bankSide string) recon.Input {
	t.Helper()
	in := recon.Input{Currency: "EUR", Period: recon.Period{From: ledger.MustDate("2026-03-01"), To: ledger.MustDate("2026-03-31"), Stated: true}}
	for side, into := range map[string]*[]recon.Item{ledgerSide: &in.Ledger, bankSide: &in.Bank} {
		for row := range strings.Lines(side) {
			row = strings.TrimSpace(row)
			if row == "" {
				continue
			}
			text, candidate := strings.CutPrefix(row, "?")
			read := item(t, text)
			read.Candidate = candidate
			*into = append(*into, read)
		}
	}
	return in
}

// told gives the result as lines of text, in its own order.
func told(in recon.Input, r recon.Result) string {
	var b strings.Builder
	ids := func(items []recon.Item, indexes []int) string {
		var all []string
		for _, i := range indexes {
			all = append(all, items[i].ID)
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	for _, m := range r.Matches {
		fmt.Fprintf(&b, "%s %s%s %d %s\n", m.Kind, ids(in.Ledger, m.Ledger), ids(in.Bank, m.Bank), m.Score, m.Why)
	}
	for _, k := range r.Breaks {
		fmt.Fprintf(&b, "%s %s%s %d %s", k.Type, ids(in.Ledger, k.Ledger), ids(in.Bank, k.Bank), k.DifferenceMinor, k.Why)
		if k.Resolution != "" {
			fmt.Fprintf(&b, " (%s)", k.Resolution)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, ledger, bank, want string }{
		{"FindsTheThreeBreaksOfTheExample",
			"x 2026-03-01 10.00 EUR t1 a\ny 2026-03-02 25.00 EUR t2 b\nz 2026-03-03 7.00 EUR t3 c\nw 2026-03-05 0.90 EUR t5 d",
			"1 2026-03-01 10.00 EUR t1 a\n2 2026-03-02 24.50 EUR t2 b\n3 2026-03-04 3.00 EUR t4 c\n4 2026-03-05 0.90 EUR t5 d",
			`reference [x][1] 100 same reference and amount, same day
reference [w][4] 100 same reference and amount, same day
amount_mismatch [y][2] 50 0.50 less at the bank, perhaps a fee
missing_in_ledger [][3] -300 nothing unmatched in the ledger has this reference, or this amount within 3 days
missing_in_bank [z][] 700 nothing unmatched at the bank has this reference, or this amount within 3 days
`},
		{"NamesAFlippedSignSwappedDigitsAndAFee",
			"a 2026-03-01 64.90 EUR A x\nb 2026-03-02 -12.48 EUR B x\nc 2026-03-03 2420.00 EUR C x\nd 2026-03-04 -100.00 EUR D x\ne 2026-03-05 10.00 EUR E x\nf 2026-03-06 -10.00 EUR F x",
			"1 2026-03-01 -64.90 EUR A x\n2 2026-03-02 -12.84 EUR B x\n3 2026-03-03 2395.00 EUR C x\n4 2026-03-04 -102.00 EUR D x\n5 2026-03-05 25.00 EUR E x\n6 2026-03-06 7.00 EUR F x",
			`amount_mismatch [a][1] 12980 sign flipped
amount_mismatch [b][2] 36 digits swapped: -12.48 in the ledger, -12.84 at the bank
amount_mismatch [c][3] 2500 25.00 less at the bank, perhaps a fee
amount_mismatch [d][4] 200 2.00 more paid at the bank, perhaps a fee
amount_mismatch [e][5] -1500 15.00 more at the bank
amount_mismatch [f][6] -1700 opposite signs: -10.00 in the ledger, 7.00 at the bank
`},
		{"NeverGivesABoundPairToTheSameAmount",
			"a 2026-03-01 10.00 EUR A x", "1 2026-03-01 12.00 EUR A x\n2 2026-03-01 10.00 EUR - x",
			`amount_mismatch [a][1] -200 2.00 more at the bank
missing_in_ledger [][2] -1000 nothing unmatched in the ledger has this amount within 3 days
`},
		{"BindsTheClosestAmountsOfOneReference",
			"a 2026-03-01 10.00 EUR R x\nb 2026-03-01 20.00 EUR R x", "1 2026-03-01 21.00 EUR R x\n2 2026-03-01 11.00 EUR R x",
			`amount_mismatch [a][2] -100 1.00 more at the bank
amount_mismatch [b][1] -100 1.00 more at the bank
`},
		{"TakesTheClosestDaysOfOneReference",
			"a 2026-01-31 50.00 EUR RENT x\nb 2026-02-28 50.00 EUR RENT x\nc 2026-03-20 50.00 EUR RENT x",
			"1 2026-03-21 50.00 EUR RENT x\n2 2026-03-01 50.00 EUR RENT x",
			`reference [b][2] 100 same reference and amount, 1 day apart
reference [c][1] 100 same reference and amount, 1 day apart
duplicate_in_ledger [a][] 5000 same reference and amount as a matched line of 2026-02-28
`},
		{"LooksOnOtherDaysBeforeItCallsADuplicate",
			"a 2026-03-15 4.00 EUR PAY x\nb 2026-03-16 4.00 EUR PAY x", "1 2026-03-15 4.00 EUR PAY y\n2 2026-03-15 4.00 EUR PAY y",
			`reference [a][1] 100 same reference and amount, same day, one of several alike
reference [b][2] 100 same reference and amount, 1 day apart
`},
		{"DoesNotMatchTwoDifferentReferences",
			"a 2026-03-10 5.00 EUR INV-1243 x", "1 2026-03-11 5.00 EUR INV-1234 x",
			`missing_in_ledger [][1] -500 the amount is also in the ledger, 1 day apart, but with another reference
missing_in_bank [a][] 500 the amount is also at the bank, 1 day apart, but with another reference
`},
		{"MatchesAReferenceWithNone",
			"a 2026-03-10 5.00 EUR INV-1243 Kiln Co", "1 2026-03-13 5.00 EUR NONREF KILN CO PAID",
			"fuzzy [a][1] 81 same amount, 3 days apart, no other candidate\n"},
		{"LeavesWhatIsOutsideTheWindow",
			"a 2026-03-10 5.00 EUR - x", "1 2026-03-14 5.00 EUR - x",
			`missing_in_ledger [][1] -500 nothing unmatched in the ledger has this amount within 3 days
missing_in_bank [a][] 500 nothing unmatched at the bank has this amount within 3 days
`},
		{"ChainsOverlappingWindowsIntoOneAmbiguousGroup",
			"a 2026-03-01 5.00 EUR - x\nb 2026-03-06 5.00 EUR - y\nc 2026-03-12 5.00 EUR - z", "1 2026-03-04 5.00 EUR - x\n2 2026-03-09 5.00 EUR - y",
			"ambiguous [a b c][1 2] 500 3 postings and 2 bank lines of the same amount could belong together in more than one way\n"},
		{"MatchesAlikeLinesOnNearDays",
			"a 2026-03-10 2.80 EUR - Tram\nb 2026-03-10 2.80 EUR - TRAM", "1 2026-03-11 2.80 EUR - TAP\n2 2026-03-11 2.80 EUR - TAP\n3 2026-03-11 2.80 EUR - TAP",
			`fuzzy [b][1] 68 same amount, 1 day apart, one of several alike
fuzzy [a][2] 68 same amount, 1 day apart, one of several alike
missing_in_ledger [][3] -280 2 alike in the ledger, 3 at the bank
`},
		{"TakesABatchReferenceForNone",
			"a 2026-03-10 2.80 EUR BATCH-7 x\nb 2026-03-20 9.80 EUR BATCH-7 x", "1 2026-03-11 2.80 EUR PAYOUT/9 x\n2 2026-03-20 7.80 EUR BATCH-7 x",
			`fuzzy [a][1] 93 same amount, 1 day apart, no other candidate
missing_in_ledger [][2] -780 nothing unmatched in the ledger has this amount within 3 days
missing_in_bank [b][] 980 nothing unmatched at the bank has this amount within 3 days
`},
		{"KeepsPartsOfOneReferenceApart",
			"a 2026-03-10 3.00 EUR INV-300 x", "1 2026-03-10 1.00 EUR INV-300/ x\n2 2026-03-11 3.00 EUR INV-300(1/2) x",
			`amount_mismatch [a][1] 200 2.00 less at the bank
missing_in_ledger [][2] -300 nothing unmatched in the ledger has this reference, or this amount within 3 days
`},
		{"SeesTheSameReferenceInAnotherCurrency",
			"a 2026-03-10 540.00 USD OR-5517 x", "1 2026-03-20 498.62 EUR or/5517 x",
			"currency_mismatch [a][1] -49862 same reference: USD 540.00 in the ledger, EUR 498.62 at the bank\n"},
		{"ComparesNumbersAcrossCurrenciesByTheirDecimals",
			"a 2026-03-10 540 JPY - x\nb 2026-03-10 7.50 USD - x", "1 2026-03-11 540.00 EUR - x\n2 2026-03-11 750.00 EUR - x",
			`missing_in_ledger [][2] -75000 nothing unmatched in the ledger has this amount within 3 days
missing_in_bank [b][] 0 nothing unmatched at the bank has this amount within 3 days
currency_mismatch [a][1] -54000 same number, 1 day apart: JPY 540 in the ledger, EUR 540.00 at the bank
`},
		{"PrefersItsOwnCurrency",
			"a 2026-03-10 5.00 USD - x\nb 2026-03-10 5.00 EUR - x", "1 2026-03-11 5.00 EUR - x",
			`fuzzy [b][1] 93 same amount, 1 day apart, no other candidate
missing_in_bank [a][] 0 nothing unmatched at the bank has this amount within 3 days
`},
		{"CarriesForwardWhatIsCloseToTheEndOfTheLedgerOnly",
			"a 2026-03-28 5.00 EUR A x\nb 2026-03-27 6.00 EUR B x", "1 2026-03-31 7.00 EUR C x",
			`missing_in_ledger [][1] -700 nothing unmatched in the ledger has this reference, or this amount within 3 days
missing_in_bank [b][] 600 nothing unmatched at the bank has this reference, or this amount within 3 days
timing [a][] 500 dated 2026-03-28, the period ends on 2026-03-31: expected on the next statement (carried_forward)
`},
		{"LetsACandidateMatchAndBeBoundButNeverBreak",
			"?a 2026-02-01 5.00 EUR A x\n?b 2026-02-01 6.00 EUR B x\n?c 2026-02-01 7.00 EUR C x\n?d 2026-03-09 8.00 EUR D x\n?e 2026-03-11 8.00 EUR E x",
			"1 2026-03-01 5.00 EUR A x\n2 2026-03-02 6.20 EUR B x\n3 2026-03-10 8.00 EUR - x",
			`reference [a][1] 100 same reference and amount, 28 days apart
amount_mismatch [b][2] -20 0.20 more at the bank
ambiguous [][3] -800 2 postings and 1 bank line of the same amount could belong together in more than one way; 2 of them out of scope
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := march(t, c.ledger, c.bank)
			if got := told(in, recon.Match(in)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestMatchKnowsTheDuplicateOfAnEarlierMatch(t *testing.T) {
	t.Parallel()
	in := march(t, "", "1 2026-03-13 -80.00 EUR SUB-3 x\n2 2026-03-13 -80.00 EUR - x")
	in.PairedBank = []recon.Item{item(t, "0 2026-02-27 -80.00 EUR SUB/3 x"), item(t, "9 2026-02-27 -80.00 EUR - x")}
	want := `missing_in_ledger [][2] 8000 nothing unmatched in the ledger has this amount within 3 days
duplicate_in_bank [][1] 8000 same reference and amount as a matched line of 2026-02-27
`
	if got := told(in, recon.Match(in)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMatchInfersNoPeriod(t *testing.T) {
	t.Parallel()
	in := march(t, "a 2026-03-31 5.00 EUR A x", "1 2026-03-31 7.00 EUR C x")
	in.Period.Stated = false
	if counts := recon.Match(in).Counts(); counts[recon.Timing] != 0 || counts[recon.MissingInBank] != 1 {
		t.Errorf("timing without a stated period: %v", counts)
	}
}

func TestMatchKeepsAWindowOfNoDays(t *testing.T) {
	t.Parallel()
	in := march(t, "a 2026-03-10 5.00 EUR - x\nb 2026-03-20 6.00 EUR - x", "1 2026-03-11 5.00 EUR - x\n2 2026-03-20 6.00 EUR - x")
	in.Rules = recon.DefaultRules()
	in.Rules.WindowDays = 0
	want := `fuzzy [b][2] 100 same amount, same day
missing_in_ledger [][1] -500 nothing unmatched in the ledger has this amount on the same day
missing_in_bank [a][] 500 nothing unmatched at the bank has this amount on the same day
`
	if got := told(in, recon.Match(in)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMatchNeverWrapsADifference(t *testing.T) {
	t.Parallel()
	in := march(t, "a 2026-03-10 0.01 EUR R x\nb 2026-03-10 0.01 EUR - x\nc 2026-03-11 0.01 EUR - y", "1 2026-03-10 0.01 EUR R x\n2 2026-03-12 0.01 EUR - x")
	in.Ledger[0].AmountMinor, in.Bank[0].AmountMinor = ledger.MaxAmountMinor, -ledger.MaxAmountMinor
	for _, far := range []*recon.Item{&in.Ledger[1], &in.Ledger[2], &in.Bank[1]} {
		far.AmountMinor = ledger.MaxAmountMinor
	}
	in.Ledger = append(in.Ledger, in.Ledger[2])
	in.Ledger[3].ID, in.Ledger[3].Text = "d", "z"
	counts := recon.Match(in).Counts()
	if counts[recon.MissingInBank] != 4 || counts[recon.MissingInLedger] != 2 || len(counts) != 2 {
		t.Errorf("lines whose difference no amount can hold are missing, each by itself: %v", counts)
	}
	if _, err := recon.Total(in); ledger.KindOf(err) != ledger.KindAmountOverflow {
		t.Errorf("the total is beyond the largest amount: %v", err)
	}
}

func TestMatchHoldsABigAmbiguousGroupTogether(t *testing.T) {
	t.Parallel()
	const lines = 20_000
	var in recon.Input
	in.Currency = "EUR"
	for i := range lines {
		day := ledger.MustDate("2026-03-01").AddDays(i % 8)
		in.Ledger = append(in.Ledger, recon.Item{ID: fmt.Sprint("L", i), Date: day, AmountMinor: 500, Currency: "EUR", Text: fmt.Sprint("l", i)})
		in.Bank = append(in.Bank, recon.Item{ID: fmt.Sprint("B", i), Date: day, AmountMinor: 500, Currency: "EUR", Text: fmt.Sprint("b", i)})
	}
	result := recon.Match(in)
	if len(result.Matches) != 0 || len(result.Breaks) != 1 || len(result.Breaks[0].Ledger) != lines || len(result.Breaks[0].Bank) != lines {
		t.Errorf("%d matches and %d breaks, want one break of all lines", len(result.Matches), len(result.Breaks))
	}
}

func TestMatchGoesByRankWhereAReferenceNamesTooMany(t *testing.T) {
	t.Parallel()
	in := recon.Input{Currency: "EUR"}
	for i := range 100 {
		day := ledger.MustDate("2026-01-01").AddDays(i)
		in.Ledger = append(in.Ledger, recon.Item{ID: fmt.Sprint("L", i), Date: day, AmountMinor: 500, Currency: "EUR", Reference: "RENT"})
		in.Bank = append(in.Bank, recon.Item{ID: fmt.Sprint("B", i), Date: day.AddDays(200), AmountMinor: 500, Currency: "EUR", Reference: "Rent"})
	}
	result := recon.Match(in)
	if len(result.Matches) != 100 || len(result.Breaks) != 0 {
		t.Fatalf("%d matches and %d breaks", len(result.Matches), len(result.Breaks))
	}
	for _, m := range result.Matches {
		if m.Ledger[0] != m.Bank[0] {
			t.Errorf("entry %d went to line %d", m.Ledger[0], m.Bank[0])
		}
	}
}
