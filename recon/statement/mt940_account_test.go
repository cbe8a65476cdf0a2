package statement_test

import (
	"errors"
	"strings"
	"testing"

	"daybook/recon/statement"
)

func TestReadMT940_ReadsTheAccountAsPrinted(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"10020030/1234567890":            "10020030/1234567890 EUR",
		"NL00TEST0123456789":             "NL00TEST0123456789 EUR",
		"NL00 TEST 0123 4567 89":         "NL00TEST0123456789 EUR",
		"NL00TEST0123456789 EUR":         "NL00TEST0123456789 EUR",
		"NL00TEST0123456789EUR":          "NL00TEST0123456789 EUR",
		"10020030/1234567890EUR":         "10020030/1234567890 EUR",
		"/PL00114010810000267002001002":  "PL00114010810000267002001002 EUR",
		"TESTHUHB/12345678/EUR":          "TESTHUHB/12345678 EUR",
		"NL00TEST0123456789USD":          "NL00TEST0123456789USD EUR",
		"MU17TEST0101101030300200000EUR": "MU17TEST0101101030300200000EUR EUR",
		"XXXXXX1234":                     "- EUR",
		"****1234":                       "- EUR",
		"":                               "- EUR",
	} {
		t.Run(printed, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, swiftOf(printed, "0", ":60F:C260331EUR1,00", ":62F:C260331EUR1,00")), want)
		})
	}
	withBIC := strings.Replace(swiftOf("NL00TEST0123456789\r\nTESTNL2A", "0", ":60F:C260331EUR1,00", ":62F:C260331EUR1,00"), ":25:", ":25P:", 1)
	tells(t, said(t, withBIC), "NL00TEST0123456789 EUR")
}

func TestReadMT940_AsksForOneOfSeveral(t *testing.T) {
	t.Parallel()
	of := func(account, currency, amount string) string {
		return swiftOf(account, "1/1", ":60F:C260331"+currency+"1,00", ":62F:C260331"+currency+"1,"+amount, ":61:2603310331C0,"+amount+"NTRFA-1")
	}
	accounts := of("10020030/1", "EUR", "10") + of("10020030/2", "EUR", "20")
	tells(t, said(t, accounts), "refused: multiple_accounts", "10020030/1, 10020030/2")
	tells(t, said(t, accounts, "account=10020030/2"), "10020030/2 EUR, 1.00 to 1.20", "2: 2026-03-31 0.20", "1: skipped, other_account")
	tells(t, said(t, accounts, "account=10020030/3"), "refused: multiple_accounts")
	currencies := of("10020030/1EUR", "EUR", "10") + of("10020030/1USD", "USD", "20")
	tells(t, said(t, currencies), "refused: multiple_currencies", "EUR, USD")
	tells(t, said(t, currencies, "currency=USD"), "10020030/1 USD, 1.00 to 1.20", "1: skipped, other_account")
}

func TestReadMT940_RefusesWhatIsNoStatement(t *testing.T) {
	t.Parallel()
	interim := ":20:ST1\r\n:25:PL00114010810000267002001002\r\n:28C:1/1\r\n:34F:PLN0,\r\n:13D:2603311815+0100\r\n:61:2603310331CN0,01NTRFNONREF//M1\r\n:86:X\r\n:90D:0PLN0,\r\n:90C:1PLN0,01\r\n-\r\n"
	page := dayOf("31", "31", "100,00", "101,00", ":61:2603310331C1,00NTRFA-1")
	for name, c := range map[string]struct{ file, want string }{
		"an interim report":             {interim, "refused: unsupported_message The message in line 1 is an interim report of the day (MT942)."},
		"one after a statement":         {page + interim, "refused: unsupported_message The message in line 8 is an interim report"},
		"one by its envelope":           {"{1:F01TESTDEFFAXXX0000000000}{2:I942TESTDEFFXXXXN}{4:\r\n" + page, "refused: unsupported_message"},
		"one by the line above":         {"TESTNL2A\r\n942\r\nTESTNL2A\r\n" + page, "refused: unsupported_message"},
		"a report of balances":          {"{1:F01TESTDEFFAXXX0000000000}{2:I941TESTDEFFXXXXN}{4:\r\n" + page, "refused: unsupported_message The message in line 2 is a report of balances (MT941)."},
		"a credit advice":               {"{1:F01TESTDEFFAXXX0000000000}{2:I910TESTDEFFXXXXN}{4:\r\n:20:A\r\n:21:B\r\n:25:1\r\n:32A:260331EUR1,\r\n-}", "refused: unsupported_message The message in line 2 is no statement, but an MT910."},
		"a currency that is gone":       {strings.ReplaceAll(page, "EUR", "DEM"), `refused: malformed_csv The opening balance in line 4, "C260331DEM100,00", cannot be read: "DEM" is not a currency of ISO 4217.`},
		"two currencies in one":         {strings.Replace(page, ":62F:C260331EUR", ":62F:C260331USD", 1), "refused: malformed_csv The closing balance in line 6"},
		"a balance without a sign":      {strings.Replace(page, ":62F:C", ":62F:", 1), "refused: malformed_csv The closing balance in line 6"},
		"a balance with a third":        {strings.Replace(page, "EUR101,00", "EUR101,005", 1), "refused: malformed_csv The closing balance in line 6"},
		"a page without an end":         {strings.Replace(page, ":62F:C260331EUR101,00\r\n", "", 1) + page, "refused: malformed_csv The statement that begins in line 1 has no closing balance"},
		"an entry behind the end":       {strings.Replace(page, "\r\n-", "\r\n:61:2603310331C1,00NTRFA-1\r\n-", 1), "refused: balance_mismatch"},
		"an entry that is never to end": {strings.Replace(page, "NTRFA-1", "NTRFA-1\r\n:86:"+strings.Repeat("x\r\n", statement.MaxRecordBytes/3), 1), "refused: malformed_csv The entry in line 5 is longer than 256 kB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file), c.want)
		})
	}
}

// The balances that the file states go with the refusal, so that a person can take the file all the same.
func TestReadMT940_GivesTheBalancesThatDoNotAddUp(t *testing.T) {
	t.Parallel()
	_, err := statement.Read([]byte(dayOf("31", "31", "100,00", "110,00", ":61:2603310331C1,00NTRFA-1")), nil)
	var refusal *statement.Refusal
	if !errors.As(err, &refusal) || refusal.Class != statement.ClassBalance || refusal.Statement == nil || len(refusal.Statement.Lines) != 1 ||
		*refusal.OpeningMinor != 10000 || *refusal.ClosingMinor != 11000 || refusal.Statement.OpeningMinor != nil {
		t.Errorf("got %+v", err)
	}
}
