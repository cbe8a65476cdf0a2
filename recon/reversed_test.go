package recon_test

import (
	"fmt"
	"slices"
	"testing"

	"daybook/recon"
	"daybook/store/ledger"
)

// corrected is a posting of entry id in the correction of entry "1".
func corrected(id string, minor int64, reference string, reverses bool) recon.Item {
	return recon.Item{ID: id, Date: ledger.MustDate("2026-03-10"), AmountMinor: minor, Currency: "EUR", Reference: reference, Correction: "1", Reverses: reverses}
}

func TestMatchPairsAReversalWithWhatItCancels(t *testing.T) {
	t.Parallel()
	bank := func(minor ...int64) (items []recon.Item) {
		for i, m := range minor {
			items = append(items, recon.Item{ID: fmt.Sprint(i), Date: ledger.MustDate("2026-03-11"), AmountMinor: m, Currency: "EUR", Reference: "INV 1"})
		}
		return items
	}
	original, reversal := corrected("1", -128450, "INV 1", false), corrected("2", 128450, "INV 1 rev", true)
	plain := recon.Item{ID: "9", Date: ledger.MustDate("2026-03-10"), AmountMinor: -128450, Currency: "EUR", Reference: "INV 1"}
	for name, test := range map[string]struct {
		ledger, bank []recon.Item
		want         []string
	}{
		"WithoutAReplacement":       {[]recon.Item{original, reversal}, nil, []string{"reversed_pair 0 1"}},
		"TheBankHasTheCorrected":    {[]recon.Item{original, reversal, corrected("3", -124850, "INV 1", false)}, bank(-124850), []string{"reference 2 bank 0", "reversed_pair 0 1"}},
		"TheBankHasAnother":         {[]recon.Item{original, reversal}, bank(-500), []string{"reversed_pair 0 1", "missing_in_ledger bank 0"}},
		"TheBankSawTheOriginal":     {[]recon.Item{original, reversal}, bank(-128450), []string{"reference 0 bank 0", "missing_in_bank 1"}},
		"AndTheReplacementIsAlike":  {[]recon.Item{original, reversal, corrected("3", -128450, "INV 1", false)}, bank(-128450), []string{"reference 0 bank 0", "reversed_pair 2 1"}},
		"TheBankSawBoth":            {[]recon.Item{original, corrected("2", 128450, "INV 1", true)}, bank(-128450, 128450), []string{"reference 0 bank 0", "reference 1 bank 1"}},
		"OfADuplicateThatWasUndone": {[]recon.Item{original, reversal, plain}, bank(-128450), []string{"reference 2 bank 0", "reversed_pair 0 1"}},
		"OtherAmountsDoNotCancel":   {[]recon.Item{original, corrected("2", 128000, "x", true)}, nil, []string{"missing_in_bank 0", "missing_in_bank 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := recon.Match(recon.Input{Currency: "EUR", Ledger: test.ledger, Bank: test.bank})
			var got []string
			say := func(what string, ours, theirs []int) {
				for _, i := range ours {
					what += fmt.Sprint(" ", i)
				}
				for _, i := range theirs {
					what += fmt.Sprint(" bank ", i)
				}
				got = append(got, what)
			}
			for _, m := range result.Matches {
				say(string(m.Kind), m.Ledger, m.Bank)
			}
			for _, b := range result.Breaks {
				say(string(b.Type), b.Ledger, b.Bank)
			}
			slices.Sort(got)
			slices.Sort(test.want)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
