package statement_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"daybook/recon/statement"
)

func TestOFX_ReadsEachEntry(t *testing.T) {
	t.Parallel()
	in := func(entries ...string) string { return ofxOf(bankOf("00123", "", entries...)) }
	swap := func(entry, old, new string) string { return strings.Replace(entry, old, new, 1) }
	plain := trnOf("-10.00", "F1", "<NAME>Rent")
	posted := func(day string) string { return in(swap(plain, "20260302", day)) }
	for name, c := range map[string]struct{ file, want string }{
		"a payment":                     {in(plain), "00123 USD, - to -\n1: 2026-03-02 -10.00 USD F1 | Rent"},
		"with every element closed":     {in("<STMTTRN>\n <TRNTYPE>DEBIT</TRNTYPE>\n <DTPOSTED>20260302</DTPOSTED>\n <TRNAMT>-10.00</TRNAMT>\n <FITID>F1</FITID>\n <NAME>Rent</NAME>\n <MEMO></MEMO>\n</STMTTRN>"), "1: 2026-03-02 -10.00 USD F1 | Rent"},
		"in small letters":              {strings.ToLower(in(plain)), "1: 2026-03-02 -10.00 USD f1 | rent"},
		"with an element left empty":    {in(swap(plain, "<NAME>", "<CHECKNUM><REFNUM>\n<NAME>")), "F1 | Rent"},
		"with its end left away":        {in(strings.TrimSuffix(plain, "</STMTTRN>"), trnOf("5.00", "F2")), "1: 2026-03-02 -10.00 USD F1 | Rent\n2: 2026-03-02 5.00 USD F2 | "},
		"name and memo":                 {in(plain + "<MEMO>for March"), "F1 | Rent"},
		"a memo that goes on":           {in(trnOf("1.00", "F1", "<NAME>HALDEN GENERAL TRADING COMPANY I", "<MEMO>HALDEN GENERAL TRADING COMPANY INC, PAYMENT")), "F1 | HALDEN GENERAL TRADING COMPANY INC, PAYMENT"},
		"a memo beside it":              {in(trnOf("1.00", "F1", "<NAME>Ann", "<MEMO>Rent")), "F1 | Ann · Rent"},
		"a payee":                       {in(trnOf("1.00", "F1", "<PAYEE><NAME>Ann<ADDR1>Street 1<CITY>Kiel</PAYEE><MEMO>Rent")), "F1 | Ann · Rent"},
		"an account of the other":       {in(trnOf("1.00", "F1", "<BANKACCTTO><BANKID>9<ACCTID>999<ACCTTYPE>SAVINGS</BANKACCTTO><NAME>Ann")), "00123 USD, - to -\n1: 2026-03-02 1.00 USD F1 | Ann"},
		"entities":                      {in(trnOf("1.00", "F1", "<NAME>H&amp;M &lt;Kiel&gt;&#228;&nbsp;&#x2F;")), "F1 | H&M <Kiel>ä /"},
		"entities written twice":        {in(trnOf("1.00", "F1", "<NAME>H&amp;amp;M")), "F1 | H&M"},
		"an ampersand alone":            {in(trnOf("1.00", "F1", "<NAME>H&M AT&T; B&notify")), "F1 | H&M AT&T; B&notify"},
		"a bracket in a text":           {in(trnOf("1.00", "F1", "<NAME>5 < 7 <ref 1> ok")), "F1 | 5 < 7 <ref 1> ok"},
		"CDATA":                         {in(trnOf("1.00", "F1", "<NAME><![CDATA[H&M <b>]]> Kiel</NAME>")), "F1 | H&M <b> Kiel"},
		"no id":                         {in(trnOf("1.00", "", "<CHECKNUM>1042<NAME>Ann")), "USD 1042 | Ann | id -"},
		"an id that says there is none": {in(trnOf("1.00", "0", "<NAME>Ann")), "USD - | Ann"},
		"one id, two movements":         {in(plain, trnOf("-1.00", "F1", "<NAME>Fee")), "1: 2026-03-02 -10.00 USD F1 | Rent\n2: 2026-03-02 -1.00 USD F1 | Fee"},
		"ids that number the file":      {in(trnOf("1.00", "1"), trnOf("2.00", "2")), "1: 2026-03-02 1.00 USD 1 |  | id -\n2: 2026-03-02 2.00 USD 2 |  | id -"},
		"ids in numbers":                {in(trnOf("1.00", "1001"), trnOf("2.00", "1002")), "1: 2026-03-02 1.00 USD 1001 | \n2"},

		"a day in words of a zone": {posted("20260331233000[-5:EST]"), "1: 2026-03-31 "},
		"with parts of a second":   {posted("20260331233000.123[+5.30:IST]"), "1: 2026-03-31 "},
		"in hours and minutes":     {posted("20260331233000[-0300:BRT]"), "1: 2026-03-31 "},
		"with a zone of no name":   {posted("20260331233000[0]"), "1: 2026-03-31 "},
		"to the minute":            {posted("202603312330"), "1: 2026-03-31 "},
		"with dashes":              {posted("2026-03-31"), "1: 2026-03-31 "},
		"no day of the calendar":   {posted("20260230"), `1: bad_date, "20260230" is not a day of the calendar`},
		"zeros":                    {posted("00000000"), "1: bad_date"},
		"no day":                   {posted(""), "1: bad_date"},

		"no cents":                 {in(trnOf("-20", "F1")), "1: 2026-03-02 -20.00"},
		"a plus":                   {in(trnOf("+20.5", "F1")), "1: 2026-03-02 20.50"},
		"a comma":                  {in(trnOf("-1234,56", "F1")), "1: 2026-03-02 -1234.56"},
		"a comma in three":         {in(trnOf("1,234", "F1")), "1: amount_precision"},
		"thousands in commas":      {in(trnOf("1,234.56", "F1")), "1: 2026-03-02 1234.56"},
		"thousands in points":      {in(trnOf("-1.234,56", "F1")), "1: 2026-03-02 -1234.56"},
		"millions in points":       {in(trnOf("1.234.567,8", "F1")), "1: 2026-03-02 1234567.80"},
		"millions in commas":       {in(trnOf("1,234,567.8", "F1")), "1: 2026-03-02 1234567.80"},
		"zeros behind cents":       {in(trnOf("-100.0000", "F1")), "1: 2026-03-02 -100.00"},
		"parts of a cent":          {in(trnOf("0.001", "F1")), "1: amount_precision"},
		"no amount":                {in(trnOf("", "F1")), "1: missing_amount"},
		"words":                    {in(trnOf("ten", "F1")), "1: bad_amount"},
		"beyond the largest":       {in(trnOf("99999999999999999999", "F1")), "1: amount_overflow"},
		"of another currency":      {in(plain, trnOf("5.00", "F2", "<CURRENCY><CURRATE>1.1<CURSYM>EUR</CURRENCY>")), "refused: multiple_currencies"},
		"converted from one":       {in(trnOf("5.00", "F2", "<ORIGCURRENCY><CURRATE>1.1<CURSYM>EUR</ORIGCURRENCY>")), "1: 2026-03-02 5.00 USD"},
		"in a currency of its own": {strings.Replace(in(trnOf("5.00", "F2", "<CURRENCY><CURRATE>1<CURSYM>AUD</CURRENCY>")), "<CURDEF>USD", "<CURDEF>", 1), "00123 AUD, - to -\n1: 2026-03-02 5.00 AUD"},

		"a hold": {in(swap(plain, "OTHER", "HOLD")), "1: pending"},
		"a pending list": {strings.Replace(in(plain), "</BANKTRANLIST>", "</BANKTRANLIST><BANKTRANLISTP><DTASOF>20260331<STMTTRNP><TRNTYPE>DEBIT<DTTRAN>20260330<TRNAMT>-9.00<NAME>Hotel</STMTTRNP></BANKTRANLISTP>", 1),
			"1: 2026-03-02 -10.00 USD F1 | Rent\n2: pending, the bank lists the entry as pending"},
		"a balance among the entries": {in(trnOf("100.00", "", "<MEMO>Saldo Anterior"), plain), "2: 2026-03-02 -10.00 USD F1 | Rent\n1: skipped, balance"},
		"a shop of that name":         {in(trnOf("-100.00", "F9", "<NAME>New Balance")), "1: 2026-03-02 -100.00 USD F9 | New Balance"},

		"a correction":                   {in(plain, trnOf("-12.00", "F2", "<CORRECTFITID>F1<CORRECTACTION>REPLACE<NAME>Rent")), "2: 2026-03-02 -12.00 USD F2 | Rent\n1: not_completed, the bank replaces it by entry 2"},
		"a correction of another file":   {in(trnOf("-12.00", "F2", "<CORRECTFITID>F1<CORRECTACTION>REPLACE<NAME>Rent")), "1: 2026-03-02 -12.00 USD F2 | Rent"},
		"an entry that is deleted":       {in(plain, trnOf("-10.00", "F2", "<CORRECTFITID>F1<CORRECTACTION>DELETE")), "1: not_completed, the bank deletes it by entry 2\n2: info_only, the bank deletes its entry F1"},
		"one of another file is deleted": {in(trnOf("-10.00", "F2", "<CORRECTFITID>F1<CORRECTACTION>DELETE")), "1: info_only, the bank deletes its entry F1, which an earlier file may have brought"},

		"amounts without signs": {in(swap(trnOf("10.00", "F1"), "OTHER", "DEBIT"), swap(trnOf("5.00", "F2"), "OTHER", "CREDIT"), trnOf("1.00", "F3"), trnOf("0.00", "F4")),
			"1: 2026-03-02 -10.00 USD F1 | \n2: 2026-03-02 5.00 USD F2 | \n4: 2026-03-02 0.00 USD F4 | \n3: bad_amount, the amounts of the file have no sign"},
		"a debit that is turned back": {in(swap(trnOf("10.00", "F1"), "OTHER", "DEBIT"), swap(trnOf("5.00", "F2"), "OTHER", "CREDIT"), trnOf("-1.00", "F3")), "1: 2026-03-02 10.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file), c.want)
		})
	}
}

func TestOFX_TellsItsBalanceAndAccount(t *testing.T) {
	t.Parallel()
	one := trnOf("-10.00", "F1")
	file := ofxOf(bankOf("00123", "90.00", one))
	swap := func(old, new string) string { return strings.Replace(file, old, new, 1) }
	savings := strings.Replace(bankOf("00123", "5.00", trnOf("1.00", "F2")), "CHECKING", "SAVINGS", 1)
	card := strings.NewReplacer("STMTRS", "CCSTMTRS", "BANKACCTFROM", "CCACCTFROM", "<ACCTTYPE>CHECKING", "").Replace(bankOf("4111222233334444", "-50.00", trnOf("-5.00", "F3")))
	april := strings.NewReplacer("20260331", "20260430", "202603", "202604").Replace(bankOf("00123", "70.00", trnOf("-20.00", "F4")))
	invest := "<INVSTMTTRNRS><INVSTMTRS><CURDEF>USD<INVACCTFROM><ACCTID>777</INVACCTFROM><INVTRANLIST><INVBANKTRAN>" + trnOf("3.00", "I1") + "</INVBANKTRAN></INVTRANLIST></INVSTMTRS></INVSTMTTRNRS>"
	for name, c := range map[string]struct {
		file  string
		hints []string
		want  []string
	}{
		"the ledger's":                  {file, nil, []string{"00123 USD, - to 90.00"}},
		"overdrawn":                     {swap("90.00", "-90,00"), nil, []string{"- to -90.00"}},
		"not what is available":         {swap("<LEDGERBAL><BALAMT>90.00", "<AVAILBAL><BALAMT>80.00<DTASOF>20260331</AVAILBAL><X>"), nil, []string{"- to -"}},
		"of a later day than the file":  {swap("<DTASOF>20260331", "<DTASOF>20260402"), nil, []string{"- to -"}},
		"of a day before its last line": {swap("<DTASOF>20260331", "<DTASOF>20260301"), nil, []string{"- to -"}},
		"of no day":                     {swap("<DTASOF>20260331", "<DTASOF>00000000"), nil, []string{"- to -"}},
		"of a period without an end":    {swap("<DTEND>20260331", ""), nil, []string{"- to 90.00"}},
		"none":                          {swap("<BALAMT>90.00", "<BALAMT>"), nil, []string{"- to -"}},
		"a day in another zone":         {ofxOf(bankOf("00123", "", strings.Replace(one, "20260302", "20260331233000[-5:EST]", 1))), []string{"timezone=Europe/Berlin"}, []string{"1: 2026-04-01 -10.00"}},
		"turned round":                  {file, []string{"sign=invert"}, []string{"- to 90.00", "1: 2026-03-02 10.00"}},

		"a card":                   {ofxOf(card), nil, []string{"4111222233334444 USD, - to -50.00"}},
		"a card that is masked":    {ofxOf(strings.Replace(card, "411122223333", "XXXXXXXXXXXX", 1)), nil, []string{"- USD"}},
		"a card closed as account": {strings.Replace(ofxOf(card), "</CCSTMTRS>", "</STMTRS>", 1), nil, []string{"4111222233334444 USD, - to -50.00"}},
		"account and card":         {ofxOf(bankOf("00123", "", one), card), nil, []string{"refused: multiple_accounts The file holds the statements of 2 accounts: 00123, 4111222233334444. Choose one (hint account)."}},
		"the card of both":         {ofxOf(bankOf("00123", "", one), card), []string{"account=4111222233334444"}, []string{"4111222233334444 USD, - to -50.00", "2: ", "1: skipped, other_account"}},
		"two of one number":        {ofxOf(bankOf("00123", "", one), savings), nil, []string{"refused: multiple_accounts The file holds the statements of 2 accounts: 00123/CHECKING, 00123/SAVINGS."}},
		"the savings of both":      {ofxOf(bankOf("00123", "", one), savings), []string{"account=00123/savings"}, []string{"00123 USD, - to 5.00", "2: "}},
		"two months":               {ofxOf(bankOf("00123", "90.00", one), april), nil, []string{"00123 USD, - to 70.00", "1: ", "2: "}},
		"the later month first":    {ofxOf(april, bankOf("00123", "90.00", one)), nil, []string{"00123 USD, - to 70.00"}},
		"no currency":              {swap("<CURDEF>USD", ""), nil, []string{"refused: missing_currency"}},
		"a currency that is told":  {swap("<CURDEF>USD", ""), []string{"currency=JPY"}, []string{"00123 JPY, - to 90", "1: 2026-03-02 -10 JPY"}},
		"no account":               {swap("<BANKACCTFROM><BANKID>1<ACCTID>00123<ACCTTYPE>CHECKING</BANKACCTFROM>", ""), nil, []string{"- USD, - to 90.00"}},
		"entries and nothing else": {"OFXHEADER:100\n\n<BANKTRANLIST><DTEND>20260331" + one + "</BANKTRANLIST>", []string{"currency=USD"}, []string{"- USD, - to -", "1: 2026-03-02 -10.00"}},
		"investments":              {ofxOf(invest), nil, []string{"refused: unsupported_message The file is the statement of an investment account"}},
		"investments beside it":    {ofxOf(invest, bankOf("00123", "", one)), nil, []string{"00123 USD", "2: 2026-03-02 -10.00", "1: skipped, other_account"}},
		"an answer that failed": {ofxOf("<STMTTRNRS><TRNUID>1<STATUS><CODE>2003<SEVERITY>ERROR<MESSAGE>Account not found</STATUS></STMTTRNRS>"), nil,
			[]string{"refused: empty_file The file holds no statement: the bank answered with an error, ERROR Account not found."}},
		"a list of accounts":  {ofxOf("<ACCTINFO><BANKACCTINFO><BANKACCTFROM><BANKID>1<ACCTID>2</BANKACCTFROM></BANKACCTINFO></ACCTINFO>"), nil, []string{"refused: empty_file"}},
		"no entries":          {ofxOf(bankOf("00123", "90.00")), nil, []string{"00123 USD, - to 90.00"}},
		"a file cut off":      {file[:len(file)-20], nil, []string{"refused: malformed_csv The file is cut off"}},
		"entities of its own": {swap("<OFX>", `<!DOCTYPE OFX [<!ENTITY a "b">]><OFX>`), nil, []string{"refused: malformed_csv The file defines XML entities of its own"}},
		"a document type":     {swap("<OFX>", `<!DOCTYPE OFX SYSTEM "ofx160.dtd"><OFX>`), nil, []string{"00123 USD, - to 90.00"}},
		"a text without end":  {ofxOf(bankOf("00123", "", trnOf("1.00", "F1", "<NAME>"+strings.Repeat("x", statement.MaxRecordBytes+1)))), nil, []string{"refused: malformed_csv The file holds a text that is longer"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file, c.hints...), c.want...)
		})
	}
}

func TestOFX_IsKnownByWhatItHolds(t *testing.T) {
	t.Parallel()
	file := ofxOf(bankOf("00123", "", trnOf("-10.00", "F1", "<NAME>Café")))
	header := file[:strings.Index(file, "<OFX>")]
	body := strings.TrimPrefix(file, header)
	latin, _ := charmap.Windows1252.NewEncoder().String(file)
	cyrillic, _ := charmap.Windows1251.NewEncoder().String(strings.NewReplacer("CHARSET:1252", "CHARSET:1251", "Café", "Кафе").Replace(file))
	xmlHeader := `<?xml version="1.0" encoding="UTF-8" standalone="no"?><?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>`
	for name, c := range map[string]struct{ text, name string }{
		"its header":                 {latin, "Café"},
		"UTF-8 under that header":    {file, "Café"},
		"a header of UTF-8":          {strings.NewReplacer("USASCII", "UTF-8", "1252", "NONE").Replace(file), "Café"},
		"a code page of letters":     {cyrillic, "Кафе"},
		"a header in one line":       {strings.ReplaceAll(strings.TrimSpace(header), "\n", "") + body, "Café"},
		"blank lines before":         {"\n\n\n" + file, "Café"},
		"no header":                  {body, "Café"},
		"an XML header":              {xmlHeader + body, "Café"},
		"an OFX element with a name": {xmlHeader + strings.Replace(body, "<OFX>", `<OFX xmlns="http://ofx.net/types/2003/04">`, 1), "Café"},
		"everything in one line":     {strings.ReplaceAll(file, "\n", " "), "Café"},
		"lines that end in CRLF":     {strings.ReplaceAll(file, "\n", "\r\n"), "Café"},
		"a mark of its encoding":     {"\ufeff" + file, "Café"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(t, c.text); got != "00123 USD, - to -\n1: 2026-03-02 -10.00 USD F1 | "+c.name {
				t.Errorf("got %s", got)
			}
		})
	}
}
