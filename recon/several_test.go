package recon_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store/ledger"
)

// withParts lets a text that begins with n/m follow the reference, where march cuts at blanks.
func withParts(in recon.Input) recon.Input {
	for _, side := range [][]recon.Item{in.Ledger, in.Bank} {
		for i := range side {
			if part, text, found := strings.Cut(side[i].Text, " "); found && strings.Contains(part, "/") {
				side[i].Reference, side[i].Text = side[i].Reference+" "+part, text
			}
		}
	}
	return in
}

func TestMatchFindsBatchesAndSplits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, ledger, bank, want string }{
		{"ByTheReferenceOfABatchWhateverTheDate",
			"a 2026-03-02 60.00 EUR PAYOUT-7 x\nb 2026-03-03 50.00 EUR PAYOUT-7 y\nc 2026-03-04 -10.00 EUR PAYOUT-7 refund\nd 2026-03-04 5.00 EUR INV-9 z", "1 2026-03-20 100.00 EUR payout/7 GATEWAY",
			`batch [a b c][1] 100 3 postings with the same batch reference add up to this bank line
missing_in_bank [d][] 500 nothing unmatched at the bank has this reference, or this amount within 3 days
`},
		{"LeavesOutWhatTheBatchDoesNotHold",
			"a 2026-03-02 60.00 EUR BATCH-7 x\nb 2026-03-03 50.00 EUR BATCH-7 y\nc 2026-03-04 7.00 EUR BATCH-7 z", "1 2026-03-05 110.00 EUR BATCH-7 x",
			`batch [a b][1] 100 2 postings with the same batch reference add up to this bank line
missing_in_bank [c][] 700 nothing unmatched at the bank has this amount within 3 days
`},
		{"PutsABatchThatIsAFeeShortIntoOneBreak",
			"a 2026-03-02 60.00 EUR BATCH-7 x\nb 2026-03-03 50.00 EUR BATCH-7 y", "1 2026-03-05 107.10 EUR BATCH-7 x",
			"amount_mismatch [a b][1] 290 2 postings with the same batch reference come to 2.90 more than this bank line, perhaps a fee\n"},
		{"GivesEachLineOfABatchItsOwnPostings",
			"a 2026-03-02 60.00 EUR BATCH-7 x\nb 2026-03-03 50.00 EUR BATCH-7 y\nc 2026-03-03 33.00 EUR BATCH-7 y", "1 2026-03-05 110.00 EUR BATCH-7 x\n2 2026-03-15 33.00 EUR BATCH-7 x",
			`batch [a b][1] 100 2 postings with the same batch reference add up to this bank line
reference [c][2] 100 same batch reference and amount, 12 days apart
`},
		{"ByPartNumbers",
			"a 2026-03-02 300.00 EUR INV-300 x", "1 2026-03-02 100.00 EUR INV-300 1/3 x\n2 2026-03-12 150.00 EUR INV-300 2/3 x\n3 2026-03-25 50.00 EUR INV-300 3/3 x",
			"split [a][1 2 3] 100 3 bank lines with the same reference add up to this posting\n"},
		{"TakesAPartOnlyOnce",
			"a 2026-03-02 300.00 EUR INV-300 x", "1 2026-03-02 150.00 EUR INV-300 1/2 x\n2 2026-03-12 150.00 EUR INV-300 2/2 x\n3 2026-03-14 150.00 EUR INV-300 2/2 x",
			`split [a][1 2] 100 2 bank lines with the same reference add up to this posting
duplicate_in_bank [][3] -15000 same reference and amount as a matched line of 2026-03-12
`},
		{"ByTheSameReferenceBeforeOneOfThemIsBound",
			"a 2026-03-02 300.00 EUR INV-300 x", "1 2026-03-02 100.00 EUR INV-300 x\n2 2026-03-12 200.00 EUR INV-300 x",
			"split [a][1 2] 100 2 bank lines with the same reference add up to this posting\n"},
		{"ByTheReferencesThatTheBankLists",
			"a 2026-03-02 300.00 EUR INV-3001 Kiln Co\nb 2026-03-12 20.00 EUR INV-3002 Kiln Co\nc 2026-03-12 40.00 EUR INV-3003 Kiln Co", "1 2026-03-25 320.00 EUR - KILN CO INV 3001, INV 3002",
			`batch [a b][1] 95 2 postings that its text names add up to this bank line
missing_in_bank [c][] 4000 nothing unmatched at the bank has this reference, or this amount within 3 days
`},
		{"FindsOneReferenceInTheTextToo",
			"a 2026-03-02 300.00 EUR INV-3001 Kiln Co\nb 2026-03-02 300.00 EUR INV-3002 Kiln Co", "1 2026-03-25 300.00 EUR - KILN CO INV3002",
			`reference [b][1] 95 same amount, and the bank's text names the reference, 23 days apart
missing_in_bank [a][] 30000 nothing unmatched at the bank has this reference, or this amount within 3 days
`},
		{"ByAReferenceThatOnlyOneSideHas",
			"a 2026-03-02 300.00 EUR PAY-2026-03 Ana\nb 2026-03-02 20.00 EUR PAY-2026-03 Tom\nc 2026-03-03 40.00 EUR PAY-2026-03 Eva", "1 2026-03-04 360.00 EUR - SALARIES",
			"batch [b a c][1] 85 3 postings with one reference, within 3 days, add up to this bank line\n"},
		{"ByTheOnlySumWithinTheWindow",
			"a 2026-03-09 100.00 EUR INV-1 A\nb 2026-03-09 250.00 EUR INV-2 B\nc 2026-03-10 50.00 EUR INV-3 C\nd 2026-03-10 75.00 EUR INV-4 D\ne 2026-03-01 300.00 EUR INV-5 E", "1 2026-03-11 400.00 EUR - BULK",
			`batch [a b c][1] 65 3 postings within 3 days add up to this bank line; no other set of up to 8 does, of 7 tried
missing_in_bank [e][] 30000 nothing unmatched at the bank has this reference, or this amount within 3 days
missing_in_bank [d][] 7500 nothing unmatched at the bank has this reference, or this amount within 3 days
`},
		{"DoesNotGuessBetweenTwoSums",
			"a 2026-03-09 100.00 EUR - A\nb 2026-03-09 200.00 EUR - B\nc 2026-03-10 120.00 EUR - C\nd 2026-03-10 180.00 EUR - D", "1 2026-03-11 300.00 EUR - BULK",
			"ambiguous [a b c d][1] 30000 2 sets of postings add up to this bank line, within 3 days: nothing says which is meant\n"},
		{"GivesNoPostingToTwoSums",
			"a 2026-03-09 100.00 EUR - A\nb 2026-03-09 200.00 EUR - B\nc 2026-03-10 170.00 EUR - C", "1 2026-03-11 300.00 EUR - BULK\n2 2026-03-11 370.00 EUR - BULK",
			"ambiguous [a b c][1 2] -20000 2 sets of lines that share lines add up to 2 lines, within 3 days: nothing says which belong together\n"},
		{"TakesAlikeLinesForOneAnother",
			"a 2026-03-09 100.00 EUR - A\nb 2026-03-09 200.00 EUR - B\nc 2026-03-09 200.00 EUR - b", "1 2026-03-11 300.00 EUR - BULK\n2 2026-03-11 300.00 EUR - BULK",
			`batch [a b][1] 75 2 postings of 2026-03-09 add up to this bank line; no other set of up to 8 does, of 1 tried
missing_in_ledger [][2] -30000 nothing unmatched in the ledger has this amount within 3 days
missing_in_bank [c][] 20000 nothing unmatched at the bank has this amount within 3 days
`},
		{"NeverMixesSignsInASum",
			"a 2026-03-09 500.00 EUR - A\nb 2026-03-09 -200.00 EUR - B\nc 2026-03-09 -50.00 EUR - C", "1 2026-03-11 300.00 EUR - BULK\n2 2026-03-11 -250.00 EUR - BULK",
			`batch [b c][2] 75 2 postings of 2026-03-09 add up to this bank line; no other set of up to 8 does, of 1 tried
missing_in_ledger [][1] -30000 nothing unmatched in the ledger has this amount within 3 days
missing_in_bank [a][] 50000 nothing unmatched at the bank has this amount within 3 days
`},
		{"SplitsOnePostingByItsSum",
			"a 2026-03-09 300.00 EUR INV-1 A", "1 2026-03-10 120.00 EUR - A\n2 2026-03-11 180.00 EUR - A",
			"split [a][1 2] 65 2 bank lines within 3 days add up to this posting; no other set of up to 8 does, of 1 tried\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := withParts(march(t, c.ledger, c.bank))
			if got := told(in, recon.Match(in)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// crowd is a day of receipts of which too many sets add up to anything.
func crowd(n int) (in recon.Input) {
	in.Currency = "EUR"
	for i := range n {
		in.Ledger = append(in.Ledger, recon.Item{ID: fmt.Sprint("L", i), Date: ledger.MustDate("2026-03-10"), AmountMinor: int64(5000 + i*i*37%90_001), Currency: "EUR",
			Reference: fmt.Sprint("ORD-", 1000+i), Text: fmt.Sprint("Shop order ", i)})
	}
	return in
}

func TestMatchBelievesNoSumThatChanceExplains(t *testing.T) {
	t.Parallel()
	in := crowd(200)
	in.Bank = []recon.Item{{ID: "1", Date: ledger.MustDate("2026-03-11"), AmountMinor: in.Ledger[3].AmountMinor + in.Ledger[90].AmountMinor + in.Ledger[150].AmountMinor, Currency: "EUR", Text: "BULK"}}
	result := recon.Match(in)
	if len(result.Matches) != 0 || result.Search.Lines != 1 || result.Search.Sets == 0 {
		t.Fatalf("%d matches, searched %+v", len(result.Matches), result.Search)
	}
	if why := result.Breaks[0].Why; result.Breaks[0].Type != recon.MissingInLedger || !strings.Contains(why, "tried") {
		t.Errorf("the break does not say what was tried: %s %s", result.Breaks[0].Type, why)
	}
}

func TestMatchFindsTheSumOfOneCustomerInACrowd(t *testing.T) {
	t.Parallel()
	in := crowd(200)
	for i, minor := range []int64{48_017, 3_999, 120_450} {
		in.Ledger = append(in.Ledger, recon.Item{ID: fmt.Sprint("K", i), Date: ledger.MustDate("2026-03-09"), AmountMinor: minor, Currency: "EUR",
			Reference: fmt.Sprint("INV-", 7000+i), Text: "Invoice Kiln Ceramics"})
	}
	in.Bank = []recon.Item{{ID: "1", Date: ledger.MustDate("2026-03-11"), AmountMinor: 48_017 + 120_450, Currency: "EUR", Text: "KILN CERAMICS LTD"}}
	result := recon.Match(in)
	if len(result.Matches) != 1 || result.Matches[0].Kind != recon.KindBatch {
		t.Fatalf("matches %+v", result.Matches)
	}
	want := "[K0 K2][1] 85"
	if got := told(in, result); !strings.Contains(got, want) {
		t.Errorf("no %s in %s", want, strings.SplitAfterN(got, "\n", 2)[0])
	}
}

func TestMatchOfManyLinesOfOneReferenceComesToAnEnd(t *testing.T) {
	t.Parallel()
	in := recon.Input{Currency: "EUR"}
	for i := range 3000 {
		day := ledger.MustDate("2026-03-01").AddDays(i % 30)
		in.Ledger = append(in.Ledger, recon.Item{ID: fmt.Sprint("L", i), Date: day, AmountMinor: int64(1000 + 2*i), Currency: "EUR", Reference: "BATCH 1"})
		in.Bank = append(in.Bank, recon.Item{ID: fmt.Sprint("B", i), Date: day, AmountMinor: int64(90_001 + 2*i), Currency: "EUR", Reference: "Batch-1"})
	}
	if result := recon.Match(in); len(result.Breaks)+len(result.Matches) == 0 {
		t.Error("nothing came of it")
	}
}
