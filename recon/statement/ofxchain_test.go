package statement_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// monthOf is the statement of an account over a month of 2026, with entries of its second day.
func monthOf(month, balance string, entries ...string) string {
	last := map[string]string{"03": "31", "04": "30", "05": "31"}[month]
	return strings.NewReplacer("20260331", "2026"+month+last, "202603", "2026"+month).Replace(bankOf("00123", balance, entries...))
}

// OFX states no opening balance. Where its statements go on from each other by their days, the balance of one and the entries of the next
// must lead to the balance of that.
func TestOFX_HoldsItsStatementsAgainstEachOther(t *testing.T) {
	t.Parallel()
	march, april, may := monthOf("03", "90.00", trnOf("-10.00", "F1")), monthOf("04", "70.00", trnOf("-20.00", "F2")), monthOf("05", "75.00", trnOf("5.00", "F3"))
	swap := func(stmt, old, new string) string { return strings.Replace(stmt, old, new, 1) }
	card := func(stmts ...string) string {
		return strings.NewReplacer("STMTRS", "CCSTMTRS", "BANKACCTFROM", "CCACCTFROM", "<ACCTTYPE>CHECKING", "").Replace(ofxOf(stmts...))
	}
	const fails = "refused: balance_mismatch The balances do not add up: with the entries of the statement (of 2026-0"
	for name, c := range map[string]struct{ file, want string }{
		"months that go on":                 {ofxOf(march, april, may), "00123 USD, - to 75.00"},
		"the newest first":                  {ofxOf(may, april, march), "00123 USD, - to 75.00"},
		"the last day is the next one's":    {ofxOf(swap(march, "<DTEND>20260331", "<DTEND>20260401"), april), "- to 70.00"},
		"an entry is missing":               {ofxOf(march, swap(april, "-20.00", "-21.00")), fails + "4-30) the balance of the one before it comes to 69.00 USD, and the file states 70.00 USD. Entries may be missing"},
		"an entry is missing, newest first": {ofxOf(swap(april, "-20.00", "-21.00"), march), fails},
		"a month is missing":                {ofxOf(march, may), fails + "5-31) the balance of the one before it comes to 95.00 USD, and the file states 75.00 USD. The days from 2026-04-01 to 2026-04-30 are not in the file: download them too."},
		"a month between has no balance":    {ofxOf(march, swap(april, "<LEDGERBAL>", "<AVAILBAL>"), swap(may, "5.00<FITID>", "6.00<FITID>")), fails + "5-31)"},
		"the balance is of the download":    {ofxOf(swap(march, "<DTASOF>20260331", "<DTASOF>20260601"), swap(april, "-20.00", "-21.00")), "- to 70.00"},
		"days that overlap":                 {ofxOf(march, swap(swap(april, "<DTSTART>20260401", "<DTSTART>20260315"), "-20.00", "-21.00")), "- to 70.00"},
		"an entry of the day in both":       {ofxOf(march, swap(swap(swap(april, "20260401", "20260331"), "20260402", "20260331"), "-20.00", "-21.00")), "- to 70.00"},
		"no days":                           {ofxOf(march, swap(swap(april, "<DTSTART>20260401", ""), "-20.00", "-21.00")), "- to 70.00"},
		"an entry that cannot be read":      {ofxOf(march, swap(april, "-20.00", "x")), "- to 70.00"},
		"a card that states what is owed":   {card(monthOf("03", "100.00", trnOf("-10.00", "F1")), monthOf("04", "120.00", trnOf("-20.00", "F2"))), "- to -120.00"},
		"a card as the standard has it":     {card(march, april), "- to 70.00"},
		"an account does not":               {ofxOf(monthOf("03", "100.00", trnOf("-10.00", "F1")), monthOf("04", "120.00", trnOf("-20.00", "F2"))), fails},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file), c.want)
		})
	}
}

// Of statements that go on from each other, none but the first can lose an entry unnoticed, in whatever order they stand.
func TestOFX_IsRefusedWithoutAnEntryOfALaterMonth(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		balance := rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "balance")
		lost := rapid.SampledFrom([]string{"03", "04", "05"}).Draw(t, "the month that loses an entry")
		var stmts []string
		for _, month := range []string{"03", "04", "05"} {
			amount := rapid.Int64Range(-1_000_000, -1).Draw(t, "amount")
			balance += amount
			entries := []string{trnOf(ledger.FormatAmount(amount, "USD"), "F"+month)}
			if month == lost {
				entries = nil
			}
			stmts = append(stmts, monthOf(month, ledger.FormatAmount(balance, "USD"), entries...))
		}
		read, err := statement.Read([]byte(ofxOf(rapid.Permutation(stmts).Draw(t, "order")...)), nil)
		var refusal *statement.Refusal
		if lost == "03" && (err != nil || *read.ClosingMinor != balance) {
			t.Fatalf("%v, want the balance of May", err)
		}
		if lost != "03" && (!errors.As(err, &refusal) || refusal.Class != statement.ClassBalance) {
			t.Fatal(fmt.Sprint("got ", err, ", want a balance that does not add up"))
		}
	})
}
