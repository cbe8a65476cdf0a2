package recon_test

import (
	"testing"

	"daybook/recon"
)

func TestMatchSeesASlipOfThePen(t *testing.T) {
	t.Parallel()
	const (
		slip  = "fuzzy"
		apart = ""
	)
	for _, c := range []struct{ name, ours, theirs, more, want string }{
		{"OneDigitIsAnother", "INV-2026-0417", "INV-2026-9417", "", slip},
		{"TwoDigitsChangedPlaces", "INV-2026-0417", "inv-2026-4017", "", slip},
		{"OneIsMissing", "ORD 884 0031172", "ORD 884 003112", "", slip},
		{"OneIsTooMany", "8QK2-RR71", "8QK22-RR71", "", slip},
		{"TheNumbersFollowOneAnother", "INV-2026-0417", "INV-2026-0418", "", apart},
		{"TheNumbersAreCloseTogether", "INV-2026-0417", "INV-2026-0487", "", apart},
		{"TheReferenceIsShort", "INV-1243", "INV-9243", "", apart},
		{"TwoSlips", "INV-2026-0417", "INV-2926-9417", "", apart},
		{"AnotherLineHasTheAmount", "INV-2026-0417", "INV-2026-9417", "b 2026-03-12 5.00 EUR ZZZ-99 y", apart},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := march(t, "a 2026-03-10 5.00 EUR - Kiln\n"+c.more, "1 2026-03-11 5.00 EUR - x")
			in.Ledger[0].Reference, in.Bank[0].Reference = c.ours, c.theirs
			var got string
			if matches := recon.Match(in).Matches; len(matches) > 0 {
				got = string(matches[0].Kind)
			}
			if got != c.want {
				t.Errorf("%s and %s: got %q, want %q", c.ours, c.theirs, got, c.want)
			}
			in.Rules = recon.DefaultRules()
			in.Rules.StrictReferences = true
			if n := len(recon.Match(in).Matches); n > 0 {
				t.Error("two different references match, although the rules are strict")
			}
		})
	}
}

func TestMatchSaysWhichReferencesSlipped(t *testing.T) {
	t.Parallel()
	in := march(t, "a 2026-03-10 5.00 EUR INV-2026-0417 Kiln Co\nb 2026-03-10 5.00 EUR ZZZ-99 Other Ltd", "1 2026-03-11 5.00 EUR INV-2026-9417 KILN CO")
	want := `fuzzy [a][1] 73 same amount, 1 day apart, no other candidate; the references differ by one slip: INV-2026-0417 and INV-2026-9417
missing_in_bank [b][] 500 the amount is also at the bank, 1 day apart, but with another reference
`
	if got := told(in, recon.Match(in)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMatchLetsOnlyAReferenceInTheTextDecideBetweenCandidates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, ledger, bank, want string }{
		{"WordsInCommonAreForAPersonToWeigh",
			"a 2026-03-02 180.00 EUR WS-0301 Workshop place, Jip Vermeer\nb 2026-03-04 180.00 EUR WS-0302 Workshop place, Iris Kok", "1 2026-03-03 180.00 EUR NONREF J VERMEER WORKSHOP",
			"ambiguous [a b][1] 18000 2 postings and 1 bank line of the same amount could belong together in more than one way\n"},
		{"TheReferenceOfOne",
			"a 2026-03-10 5.00 EUR INV-3001 Kiln Ceramics\nb 2026-03-11 5.00 EUR INV-3002 Kiln Ceramics", "1 2026-03-12 5.00 EUR - KILN CERAMICS INV 3001",
			`fuzzy [a][1] 87 same amount, 2 days apart, and of several candidates the one whose reference the text names
missing_in_bank [b][] 500 nothing unmatched at the bank has this reference, or this amount within 3 days
`},
		{"AndTheOtherIsLeftForTheOther",
			"a 2026-03-10 5.00 EUR INV-3001 Kiln\nb 2026-03-11 5.00 EUR INV-3002 Brandt", "1 2026-03-12 5.00 EUR - TRANSFER INV3002\n2 2026-03-12 5.00 EUR - TRANSFER",
			`fuzzy [a][2] 62 same amount, 2 days apart, no other candidate
fuzzy [b][1] 68 same amount, 1 day apart, and of several candidates the one whose reference the text names
`},
		{"TheReferencesOfBoth",
			"a 2026-03-10 5.00 EUR INV-3001 Kiln\nb 2026-03-11 5.00 EUR INV-3002 Brandt", "1 2026-03-12 5.00 EUR - INV3002 OR INV3001",
			"ambiguous [a b][1] 500 2 postings and 1 bank line of the same amount could belong together in more than one way\n"},
		{"AnEqualDayDoesNotTakeWhatNamesAnother",
			"a 2026-03-10 5.00 EUR - Kiln\nb 2026-03-11 5.00 EUR INV-7001 Brandt", "1 2026-03-10 5.00 EUR - BRANDT INV 7001",
			`fuzzy [b][1] 93 same amount, 1 day apart, and of several candidates the one whose reference the text names
missing_in_bank [a][] 500 nothing unmatched at the bank has this amount within 3 days
`},
		{"TwinsAreAsGoodAsOneAnother",
			"a 2026-03-10 2.80 EUR - Tram\nb 2026-03-10 2.80 EUR - Tram", "1 2026-03-11 2.80 EUR - TAP 1\n2 2026-03-12 2.80 EUR - TAP 2",
			`fuzzy [a][1] 68 same amount, 1 day apart, one of several alike
fuzzy [b][2] 62 same amount, 2 days apart, one of several alike
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
