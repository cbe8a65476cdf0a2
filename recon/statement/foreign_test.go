package statement_test

import (
	"strings"
	"testing"
)

// An entry in another currency than its account moves the account by an amount that the file does not say. It is told, and is no line whose
// balances nobody compared.
func TestRead_RejectsAnEntryInAnotherCurrency(t *testing.T) {
	t.Parallel()
	dollars := strings.ReplaceAll(ntryOf("-30.00", "A2"), "EUR", "USD")
	open, end := balOf("OPBD", "100.00", "2026-03-01"), balOf("CLBD", "84.00", "2026-03-02")
	ten := ntryOf("10.00", "A1")
	in := func(inside ...string) string { return camtOf(stmtOf(ourIBAN, inside...)) }
	bare := func(inside ...string) string { return strings.Replace(in(inside...), "<Ccy>EUR</Ccy>", "", 1) }
	australian := trnOf("5.00", "F2", "<CURRENCY><CURRATE>1.1<CURSYM>AUD</CURRENCY>")
	for name, c := range map[string]struct {
		file, currency string
		want           []string
	}{
		"of camt":                       {in(open, end, ten, dollars), "EUR", []string{"EUR, 100.00 to 84.00", "1: 2026-03-02 10.00 EUR", "2: bad_amount, the entry is in USD and the account in EUR: the file does not say what the account was moved by; by the balances of the file it should be -26.00 EUR"}},
		"two of camt":                   {in(open, end, ten, dollars, dollars), "EUR", []string{"2: bad_amount, the entry is in USD", "; its amount is missing between the balances of the file", "3: bad_amount, the entry is in USD"}},
		"of camt without balances":      {in(ten, dollars), "EUR", []string{"- to -", "1: 2026-03-02 10.00 EUR", "2: bad_amount, the entry is in USD and the account in EUR"}},
		"nothing else":                  {in(open, end, dollars), "EUR", []string{"EUR, 100.00 to 84.00", "1: bad_amount"}},
		"told another than the account": {in(open, end, ten, dollars), "USD", []string{"EUR, 100.00 to 84.00", "1: 2026-03-02 10.00 EUR", "2: bad_amount"}},
		"an account that is told only":  {bare(dollars, ten), "EUR", []string{ourIBAN + " EUR, - to -", "2: 2026-03-02 10.00 EUR", "1: bad_amount, the entry is in USD and the account in EUR"}},
		"not told":                      {in(open, end, ten, dollars), "", []string{"refused: multiple_currencies"}},
		"beside a reversal": {in(open, balOf("CLBD", "74.00", ""), dollars, ntryOf("-10.00", "A3", "<RvslInd>true</RvslInd>")), "EUR", []string{"2: 2026-03-02 -10.00 EUR", "1: bad_amount, the entry is in USD",
			"it should be -16.00 EUR"}},
		"of OFX": {ofxOf(bankOf("00123", "90.00", trnOf("-10.00", "F1"), australian)), "USD", []string{"USD, - to 90.00", "1: 2026-03-02 -10.00 USD", "2: bad_amount, the entry is in AUD and the account in USD"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var hints []string
			if c.currency != "" {
				hints = []string{"currency=" + c.currency}
			}
			tells(t, said(t, c.file, hints...), c.want...)
		})
	}
}
