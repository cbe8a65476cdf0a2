package overlap_test

import (
	"crypto/sha256"
	"testing"

	"daybook/recon/overlap"
	"daybook/store/ledger"
)

// says is a line of 3 March as a format has it, in which the fingerprint is another than in any other format.
func says(format string, amountMinor int64, reference, text string) overlap.Line {
	return overlap.Line{Fingerprint: sha256.Sum256([]byte(format + "|" + reference + "|" + text)), Date: ledger.MustDate(third), AmountMinor: amountMinor,
		Words: overlap.Words{Currency: "EUR", Reference: reference, Text: text}}
}

func camt(amountMinor int64, reference, text string) overlap.Line {
	return says("camt", amountMinor, reference, text)
}

func mt(amountMinor int64, reference, text string) overlap.Line {
	return says("mt", amountMinor, reference, text)
}

func otherFormat(all ...overlap.Line) []overlap.Stored {
	stored := storedBy(1, all)
	for i := range stored {
		stored[i].OtherFormat = true
	}
	return stored
}

func sameBalances(stored []overlap.Stored) []overlap.Stored {
	for i := range stored {
		stored[i].SameBalances = true
	}
	return stored
}

func TestJudge_AcrossFormats(t *testing.T) {
	t.Parallel()
	coffee := func(text string) overlap.Line { return mt(-280, "", text) }
	dollars := mt(-750, "nb0001", "charges")
	dollars.Words.Currency = "USD"
	for name, test := range map[string]struct {
		lines  []overlap.Line
		stored []overlap.Stored
		whole  bool
		want   string
	}{
		"TheSameReferenceAndText":         {[]overlap.Line{mt(-750, "nb0001", "charges")}, otherFormat(camt(-750, "nb0001", "charges")), false, "k"},
		"TheSameReference":                {[]overlap.Line{mt(-750, "nb0001", "charges vat")}, otherFormat(camt(-750, "nb0001", "bank charges")), false, "k"},
		"TheSameTextOfAWholeDay":          {[]overlap.Line{mt(-750, "", "charges")}, otherFormat(camt(-750, "nb0001", "charges")), true, "k"},
		"TheSameTextWhereItMayEnd":        {[]overlap.Line{mt(-750, "", "charges")}, otherFormat(camt(-750, "nb0001", "charges")), false, "?"},
		"TheSameTextOfAnotherReference":   {[]overlap.Line{mt(-750, "nb0002", "charges")}, otherFormat(camt(-750, "nb0001", "charges")), true, "?"},
		"OnlyTheAmount":                   {[]overlap.Line{mt(-750, "nb0002", "fees")}, otherFormat(camt(-750, "nb0001", "charges")), true, "?"},
		"NothingIsSaid":                   {[]overlap.Line{mt(-750, "", "")}, otherFormat(camt(-750, "", "")), true, "?"},
		"AnotherAmount":                   {[]overlap.Line{mt(-751, "nb0001", "charges")}, otherFormat(camt(-750, "nb0001", "charges")), true, "n"},
		"AnotherCurrency":                 {[]overlap.Line{dollars}, otherFormat(camt(-750, "nb0001", "charges")), true, "n"},
		"TheSameFormat":                   {[]overlap.Line{mt(-750, "nb0001", "charges")}, storedBy(1, []overlap.Line{says("mt of before", -750, "nb0001", "charges")}), true, "n"},
		"ASecondCoffee":                   {[]overlap.Line{coffee("coffee"), coffee("coffee")}, otherFormat(camt(-280, "", "coffee")), true, "kn"},
		"TwoCoffeesOfTwo":                 {[]overlap.Line{coffee("coffee"), coffee("coffee")}, otherFormat(camt(-280, "", "coffee"), camt(-280, "", "coffee")), true, "kk"},
		"OneCoffeeOfTwo":                  {[]overlap.Line{coffee("coffee")}, otherFormat(camt(-280, "", "coffee"), camt(-280, "", "coffee")), true, "k"},
		"TheReferenceBeforeTheText":       {[]overlap.Line{mt(-280, "a", "coffee"), mt(-280, "b", "coffee")}, otherFormat(camt(-280, "b", "coffee"), camt(-280, "a", "coffee")), false, "kk"},
		"WordsBeforeTheAmount":            {[]overlap.Line{mt(-280, "", "lunch"), mt(-280, "", "coffee")}, otherFormat(camt(-280, "", "coffee")), true, "nk"},
		"OnlyTheAmountWithEqualBalances":  {[]overlap.Line{mt(-750, "nb0002", "fees")}, sameBalances(otherFormat(camt(-750, "nb0001", "charges"))), false, "k"},
		"OneSumWithEqualBalances":         {[]overlap.Line{mt(-1000, "", "batch")}, sameBalances(otherFormat(camt(-400, "a", ""), camt(-600, "b", ""))), true, "?"},
		"AnotherSumWithEqualBalances":     {[]overlap.Line{mt(-1100, "", "batch")}, sameBalances(otherFormat(camt(-400, "a", ""), camt(-600, "b", ""))), true, "n"},
		"OneSumWithoutBalances":           {[]overlap.Line{mt(-1000, "", "batch")}, otherFormat(camt(-400, "a", ""), camt(-600, "b", "")), true, "n"},
		"TheOrderOfAnotherFormatIsNoCut":  {[]overlap.Line{mt(-100, "a", "x"), mt(-200, "b", "y")}, otherFormat(camt(-200, "b", "z"), camt(-100, "a", "x")), false, "kk"},
		"AnEqualFingerprintComesFirst":    {[]overlap.Line{mt(-280, "", "coffee"), mt(-280, "", "tea")}, append(otherFormat(camt(-280, "", "tea")), storedBy(2, []overlap.Line{mt(-280, "", "coffee")})...), true, "kk"},
		"ALineOfAnotherFormatIsTakenOnce": {[]overlap.Line{mt(-280, "", "coffee"), mt(-280, "r", "coffee"), mt(-280, "r", "")}, otherFormat(camt(-280, "r", "coffee")), true, "nkn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := overlap.File{Lines: test.lines, Stored: test.stored, WholeFirst: test.whole, WholeLast: test.whole}
			if got := words(overlap.Judge(file)); got != test.want {
				t.Errorf("verdicts %q, want %q", got, test.want)
			}
		})
	}
}
