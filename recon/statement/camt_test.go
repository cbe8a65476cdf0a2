package statement_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"daybook/recon/statement"
)

func TestCamt_ReadsEachEntry(t *testing.T) {
	t.Parallel()
	in := func(entries ...string) string { return camtOf(stmtOf(ourIBAN, entries...)) }
	swap := func(entry, old, new string) string { return strings.Replace(entry, old, new, 1) }
	plain := ntryOf("10.00", "A1", "<NtryDtls>"+txOf("E1", "Rent")+"</NtryDtls>")
	for name, c := range map[string]struct{ file, want string }{
		"a payment":                           {in(plain), "1: 2026-03-02 10.00 EUR E1 | Rent | id A1"},
		"money out":                           {in(ntryOf("-10.00", "A1")), "1: 2026-03-02 -10.00 EUR A1 | "},
		"nothing":                             {in(ntryOf("0.00", "A1")), "1: 2026-03-02 0.00 EUR A1 | "},
		"a reference that says there is none": {in(swap(plain, "E1", "NOTPROVIDED")), "1: 2026-03-02 10.00 EUR A1 | Rent"},
		"the same in other letters":           {in(swap(plain, "E1", "Not Provided")), "1: 2026-03-02 10.00 EUR A1 | Rent"},
		"the bank's reference in the payment": {in(swap(ntryOf("10.00", "", "<NtryDtls>"+txOf("E1", "Rent")+"</NtryDtls>"), "<Refs>", "<Refs><AcctSvcrRef>P1</AcctSvcrRef>")), "EUR E1 | Rent | id P1"},
		"a bank's reference of zeros":         {in(ntryOf("10.00", "0000000000")), "EUR - | "},
		"the creditor's reference": {in(ntryOf("10.00", "NONREF", "<NtryDtls><TxDtls><RmtInf><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls>")),
			"EUR RF18539007547034 | RF18539007547034 | id -"},
		"a batch": {in(ntryOf("-10.00", "A1", "<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>"+txOf("E1", "Ann")+txOf("E2", "Ben")+"</NtryDtls><AddtlNtryInf>Salaries</AddtlNtryInf>")),
			"1: 2026-03-02 -10.00 EUR A1 | Batch of 2 · Ann · Ben · Salaries"},
		"a batch without its payments":              {in(ntryOf("-10.00", "", "<NtryDtls><Btch><PmtInfId>PAY-7</PmtInfId><NbOfTxs>25</NbOfTxs></Btch></NtryDtls>")), "EUR PAY-7 | Batch of 25 | id -"},
		"a batch of one is none":                    {in(ntryOf("10.00", "A1", "<NtryDtls><Btch><NbOfTxs>1</NbOfTxs></Btch>"+txOf("E1", "Ann")+"</NtryDtls>")), "EUR E1 | Ann | id A1"},
		"details in several parts":                  {in(ntryOf("10.00", "A1", "<NtryDtls>"+txOf("E1", "Ann")+"</NtryDtls><NtryDtls>"+txOf("E2", "Ben")+"</NtryDtls>")), "EUR A1 | Batch of 2 · Ann · Ben"},
		"the payer of money in":                     {in(ntryOf("10.00", "A1", "<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Ann</Nm></Dbtr><Cdtr><Nm>Us</Nm></Cdtr></RltdPties></TxDtls></NtryDtls>")), "A1 | Ann"},
		"the payee of money out, in version 8":      {in(ntryOf("-10.00", "A1", "<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Us</Nm></Pty></Dbtr><Cdtr><Pty><Nm>Ben</Nm></Pty></Cdtr></RltdPties></TxDtls></NtryDtls>")), "A1 | Ben"},
		"a text in pieces":                          {in(ntryOf("10.00", "A1", "<NtryDtls><TxDtls><RmtInf><Ustrd>Rent</Ustrd><Ustrd>for March</Ustrd></RmtInf></TxDtls></NtryDtls>")), "A1 | Rent for March"},
		"the text of the bank":                      {in(ntryOf("10.00", "A1", "<AddtlNtryInf>Interest</AddtlNtryInf>")), "A1 | Interest"},
		"entities and characters":                   {in(swap(plain, "Rent", "H&amp;M &#228; <![CDATA[<b>]]>")), "E1 | H&M ä <b>"},
		"details without NtryDtls, as in version 1": {in(ntryOf("10.00", "A1", txOf("E1", "Rent"))), "EUR E1 | Rent | id A1"},

		"a time near midnight":       {in(swap(plain, "<Dt>2026-03-02</Dt>", "<DtTm>2026-03-31T23:30:00+02:00</DtTm>")), "1: 2026-03-31 "},
		"a time in UTC with seconds": {in(swap(plain, "<Dt>2026-03-02</Dt>", "<DtTm>2026-03-31T23:30:00.123Z</DtTm>")), "1: 2026-03-31 "},
		"a day with a zone":          {in(swap(plain, "2026-03-02", "2026-03-02+01:00")), "1: 2026-03-02 "},
		"a time where a day belongs": {in(swap(plain, "2026-03-02", "2026-03-02T00:00:00")), "1: 2026-03-02 "},
		"no day of the calendar":     {in(swap(plain, "2026-03-02", "2026-02-30")), `1: bad_date, "2026-02-30" is not a day of the calendar`},
		"no booking date":            {in(swap(plain, "<BookgDt><Dt>2026-03-02</Dt></BookgDt>", "<ValDt><Dt>2026-03-02</Dt></ValDt>")), "1: bad_date, the entry has no booking date"},

		"a status in an element":     {in(swap(plain, "BOOK", "<Cd>BOOK</Cd>")), "1: 2026-03-02 10.00"},
		"no status":                  {in(swap(plain, "<Sts>BOOK</Sts>", "")), "1: 2026-03-02 10.00"},
		"pending":                    {in(swap(plain, "BOOK", "PDNG")), `1: pending, the bank marks the entry as "PDNG"`},
		"pending in version 8":       {in(swap(plain, "BOOK", "<Cd>PDNG</Cd>")), "1: pending"},
		"for information":            {in(swap(plain, "BOOK", "INFO")), "1: info_only"},
		"of the future":              {in(swap(plain, "BOOK", "<Cd>FUTR</Cd>")), "1: pending"},
		"a status of the bank":       {in(swap(plain, "BOOK", "<Prtry>gebucht</Prtry>")), "1: 2026-03-02 10.00"},
		"a status that nobody knows": {in(swap(plain, "BOOK", "<Prtry>QQ</Prtry>")), `1: not_completed, the bank marks the entry as "QQ", which is not known here`},

		"more zeros than cents":                {in(ntryOf("10.00000", "A1")), "1: 2026-03-02 10.00 EUR"},
		"no cents":                             {in(ntryOf("10", "A1")), "1: 2026-03-02 10.00 EUR"},
		"parts of a cent":                      {in(ntryOf("10.005", "A1")), `1: amount_precision, "10.005" has more decimals than EUR`},
		"no yen has a cent":                    {in(swap(plain, `Ccy="EUR">10.00`, `Ccy="JPY">10.50`)), "1: amount_precision"},
		"beyond the largest amount":            {in(ntryOf("99999999999999999999", "A1")), "1: amount_overflow"},
		"a comma":                              {in(ntryOf("10,00", "A1")), "1: bad_amount"},
		"a power of ten":                       {in(ntryOf("1E3", "A1")), "1: bad_amount"},
		"a sign":                               {in(swap(plain, ">10.00<", ">-10.00<")), "1: bad_amount"},
		"no amount":                            {in(swap(plain, ">10.00<", "><")), "1: missing_amount"},
		"no direction":                         {in(swap(plain, "<CdtDbtInd>CRDT</CdtDbtInd>", "")), "1: bad_amount"},
		"no currency that exists":              {in(swap(plain, "Amt Ccy=\"EUR\"", "Amt Ccy=\"QQQ\"")), "1: bad_amount"},
		"no currency but the account's":        {in(swap(plain, " Ccy=\"EUR\"", "")), "1: 2026-03-02 10.00 EUR"},
		"charges are in the amount once":       {in(ntryOf("-26.00", "A1", "<Chrgs><Rcrd><Amt Ccy=\"EUR\">1.00</Amt></Rcrd></Chrgs><NtryDtls><TxDtls><Amt Ccy=\"EUR\">25.00</Amt></TxDtls></NtryDtls>")), "1: 2026-03-02 -26.00 EUR"},
		"what the payment was in":              {in(ntryOf("-26.00", "A1", "<NtryDtls><TxDtls><AmtDtls><InstdAmt><Amt Ccy=\"USD\">30.00</Amt></InstdAmt><TxAmt><Amt Ccy=\"USD\">30.00</Amt></TxAmt></AmtDtls></TxDtls></NtryDtls>")), "1: 2026-03-02 -26.00 EUR"},
		"an entry in the money of the payment": {in(swap(ntryOf("-30.00", "A1", "<AmtDtls><TxAmt><Amt Ccy=\"EUR\">26.00</Amt></TxAmt></AmtDtls>"), "\"EUR\"", "\"USD\"")), "1: 2026-03-02 -26.00 EUR"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file), c.want)
		})
	}
}

func TestCamt_ProvesItsBalances(t *testing.T) {
	t.Parallel()
	open, end := balOf("OPBD", "100.00", "2026-03-01"), balOf("CLBD", "110.00", "2026-03-02")
	ten := ntryOf("10.00", "A1")
	in := func(inside ...string) string { return camtOf(stmtOf(ourIBAN, inside...)) }
	for name, c := range map[string]struct{ file, want string }{
		"opening and closing":           {in(open, end, ten), "EUR, 100.00 to 110.00"},
		"overdrawn":                     {in(balOf("OPBD", "-100.00", ""), balOf("CLBD", "-90.00", ""), ten), "EUR, -100.00 to -90.00"},
		"the closing of the day before": {in(balOf("PRCD", "100.00", "2026-03-01"), end, ten), "EUR, 100.00 to 110.00"},
		"both of them":                  {in(balOf("PRCD", "1.00", "2026-02-28"), open, end, ten), "EUR, 100.00 to 110.00"},
		"others beside them":            {in(open, balOf("OPAV", "7.00", ""), balOf("CLAV", "8.00", ""), balOf("FWAV", "9.00", ""), balOf("ITBD", "5.00", ""), end, ten), "EUR, 100.00 to 110.00"},
		"no opening":                    {in(end, ten), "EUR, - to 110.00"},
		"no closing":                    {in(open, balOf("CLAV", "8.00", ""), ten), "EUR, 100.00 to -"},
		"none":                          {in(ten), "EUR, - to -"},
		"an interim one that is proved": {in(open, balOf("ITBD", "110.00", ""), ten), "EUR, 100.00 to 110.00"},
		"an interim one that is not":    {in(open, balOf("ITBD", "105.00", ""), ten), "EUR, 100.00 to -"},
		"those of each day, newest first": {in(balOf("CLBD", "110.00", "2026-03-02"), balOf("OPBD", "103.00", "2026-03-02"), balOf("CLBD", "103.00", "2026-03-01"), balOf("OPBD", "100.00", "2026-03-01"), ten),
			"EUR, 100.00 to 110.00"},
		"pending entries do not count": {in(open, end, ten, strings.Replace(ntryOf("7.00", "A2"), "BOOK", "PDNG", 1)), "EUR, 100.00 to 110.00"},
		"entries that cannot be read":  {in(open, end, ntryOf("10.005", "A2")), "EUR, 100.00 to 110.00"},
		"a credit line in it":          {in(open, strings.Replace(end, "<Amt", "<CdtLine><Incl>true</Incl><Amt Ccy=\"EUR\">500.00</Amt></CdtLine><Amt", 1), ten), "EUR, 100.00 to -"},
		"a credit line beside it":      {in(open, strings.Replace(end, "<Amt", "<CdtLine><Incl>false</Incl><Amt Ccy=\"EUR\">500.00</Amt></CdtLine><Amt", 1), ten), "EUR, 100.00 to 110.00"},
		"no entries":                   {in(open, balOf("CLBD", "100.00", "")), "EUR, 100.00 to 100.00"},
		"entries that are missing": {in(open, balOf("CLBD", "111.00", ""), ten),
			"refused: balance_mismatch The balances do not add up: the opening balance of the statement (of 2026-03-01) and its entries give 110.00 EUR, and the file states a closing balance of 111.00 EUR."},
		"no entries but a movement": {in(open, end), "refused: balance_mismatch"},

		"a reversal as the standard has it":                             {in(open, balOf("CLBD", "90.00", ""), ntryOf("-10.00", "A1", "<RvslInd>true</RvslInd>")), "1: 2026-03-02 -10.00"},
		"a reversal the other way":                                      {in(open, end, ntryOf("-10.00", "A1", "<RvslInd>true</RvslInd>")), "1: 2026-03-02 10.00"},
		"a reversal that nothing proves":                                {in(open, ntryOf("-10.00", "A1", "<RvslInd>true</RvslInd>")), "1: 2026-03-02 -10.00"},
		"a reversal that neither way proves":                            {in(open, balOf("CLBD", "95.00", ""), ntryOf("-10.00", "A1", "<RvslInd>true</RvslInd>")), "refused: balance_mismatch"},
		"an id that two movements share, where the balance proves both": {in(open, balOf("CLBD", "120.00", ""), ten, ten), "1: 2026-03-02 10.00 EUR A1 |  | id -"},
		"an id that two movements share, where nothing does":            {in(open, ten, ten), "2: 2026-03-02 10.00 EUR A1 | "},
		"turned round as a person says":                                 {in(balOf("OPBD", "-100.00", ""), balOf("CLBD", "-110.00", ""), ten), "refused: balance_mismatch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file), c.want)
		})
	}
	tells(t, said(t, in(balOf("OPBD", "-100.00", ""), balOf("CLBD", "-110.00", ""), ten), "sign=invert"), "-100.00 to -110.00", "1: 2026-03-02 -10.00")
	tells(t, said(t, in(open, end, ten), "sign=invert"), "-100.00 to -110.00", "1: 2026-03-02 -10.00")
}

func TestCamt_JoinsTheStatementsOfAFile(t *testing.T) {
	t.Parallel()
	first := stmtOf(ourIBAN, balOf("OPBD", "100.00", "2026-03-01"), balOf("CLBD", "110.00", "2026-03-01"), ntryOf("10.00", "A1"))
	second := stmtOf(ourIBAN, balOf("OPBD", "110.00", "2026-03-02"), balOf("CLBD", "105.00", "2026-03-02"), ntryOf("-5.00", "A2"))
	third := stmtOf(ourIBAN, balOf("OPBD", "105.00", "2026-03-03"), balOf("CLBD", "106.00", "2026-03-03"), ntryOf("1.00", "A3"))
	other := stmtOf(otherIBAN, balOf("OPBD", "7.00", ""), balOf("CLBD", "8.00", ""), ntryOf("1.00", "B1"))
	dollars := strings.ReplaceAll(stmtOf(ourIBAN, balOf("OPBD", "7.00", ""), balOf("CLBD", "8.00", ""), ntryOf("1.00", "B1")), "EUR", "USD")
	page1 := stmtOf(ourIBAN, balOf("OPBD", "100.00", ""), balOf("ITBD", "110.00", ""), ntryOf("10.00", "A1"))
	more := strings.Replace(page1, "<Acct>", "<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn><Acct>", 1)
	page2 := stmtOf(ourIBAN, balOf("ITBD", "110.00", ""), balOf("CLBD", "105.00", ""), ntryOf("-5.00", "A2"))
	masked := func(account string) string { return strings.Replace(first, ourIBAN, account, 1) }
	for name, c := range map[string]struct {
		file  string
		hints []string
		want  []string
	}{
		"days in their order":             {camtOf(first, second, third), nil, []string{ourIBAN + " EUR, 100.00 to 106.00", "1: ", "2: ", "3: "}},
		"the newest day first":            {camtOf(third, second, first), nil, []string{"EUR, 100.00 to 106.00", "1: 2026-03-02 1.00", "3: 2026-03-02 10.00"}},
		"days in no order":                {camtOf(second, third, first), nil, []string{"EUR, 100.00 to 106.00"}},
		"messages after another":          {camtOf(first) + "\n" + camtOf(second), nil, []string{"EUR, 100.00 to 105.00"}},
		"pages":                           {camtOf(page1, page2), nil, []string{"EUR, 100.00 to 105.00"}},
		"pages with numbers":              {camtOf(strings.NewReplacer("<PgNb>1", "<PgNb>2", "false", "true", "ITBD", "CLBD", "OPBD", "ITBD", "100.00", "110.00", "110.00", "120.00").Replace(more), more), nil, []string{"EUR, 100.00 to 120.00"}},
		"the last page is missing":        {camtOf(more), nil, []string{"refused: balance_mismatch The file is not whole: the last page"}},
		"a page that is missing":          {camtOf(first, third), nil, []string{"refused: balance_mismatch The balances do not add up: a statement in the file (of 2026-03-01) closes with 110.00 EUR, and the next one (of 2026-03-03) opens with 105.00 EUR."}},
		"two accounts":                    {camtOf(first, other), nil, []string{"refused: multiple_accounts The file holds the statements of 2 accounts: " + ourIBAN + ", " + otherIBAN + ". Choose one (hint account)."}},
		"the first of two":                {camtOf(first, other, second), []string{"account=" + ourIBAN}, []string{ourIBAN + " EUR, 100.00 to 105.00", "1: ", "3: ", "2: skipped, other_account"}},
		"the second of two":               {camtOf(first, other), []string{"account=de00 5001 0517 0000 0008 88"}, []string{otherIBAN + " EUR, 7.00 to 8.00", "2: ", "1: skipped, other_account"}},
		"none of two":                     {camtOf(first, other), []string{"account=DE99"}, []string{"refused: multiple_accounts The file holds no statement of account DE99"}},
		"not the one":                     {camtOf(first), []string{"account=" + otherIBAN}, []string{"refused: multiple_accounts"}},
		"an account in two moneys":        {camtOf(first, dollars), nil, []string{"refused: multiple_currencies"}},
		"the euros of both":               {camtOf(first, dollars), []string{"currency=EUR"}, []string{"EUR, 100.00 to 110.00", "1: ", "2: skipped, other_account"}},
		"the dollars of both":             {camtOf(first, dollars), []string{"currency=USD"}, []string{"USD, 7.00 to 8.00", "2: ", "1: skipped, other_account"}},
		"the pounds of neither":           {camtOf(first, dollars), []string{"currency=GBP"}, []string{"refused: multiple_currencies"}},
		"dollars for an account in euros": {camtOf(dollars), []string{"currency=EUR"}, []string{"USD, 7.00 to 8.00"}},
		"an account that is masked":       {camtOf(masked("DE00XXXXXXXX0777")), nil, []string{"- EUR, 100.00 to 110.00"}},
		"and told":                        {camtOf(masked("DE00********0777")), []string{"account=" + ourIBAN}, []string{ourIBAN + " EUR"}},
		"two that are masked":             {camtOf(masked("DE00********0777"), masked("DE00********0888")), nil, []string{"refused: multiple_accounts"}},
		"no statement":                    {camtOf(), nil, []string{"refused: empty_file"}},
		"a number that is no IBAN":        {camtOf(strings.Replace(first, "<IBAN>"+ourIBAN+"</IBAN>", "<Othr><Id>12 34-5/6</Id></Othr>", 1)), nil, []string{"1234-5/6 EUR"}},
		"an IBAN in groups":               {camtOf(masked("DE00 5001 0517 0000 0007 77")), nil, []string{ourIBAN + " EUR"}},
		"no account":                      {camtOf(strings.Replace(first, "<Id><IBAN>"+ourIBAN+"</IBAN></Id>", "", 1)), nil, []string{"- EUR"}},
		"no currency of the account":      {camtOf(strings.Replace(first, "<Ccy>EUR</Ccy>", "", 1)), nil, []string{ourIBAN + " EUR, 100.00 to 110.00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file, c.hints...), c.want...)
		})
	}
}

func TestCamt_IsKnownByWhatItHolds(t *testing.T) {
	t.Parallel()
	file := camtOf(stmtOf(ourIBAN, balOf("OPBD", "100.00", ""), balOf("CLBD", "110.00", ""), ntryOf("10.00", "A1", "<NtryDtls>"+txOf("E1", "Café Łódź")+"</NtryDtls>")))
	prefixed := strings.NewReplacer("<?", "<?", "</", "</ns2:", "<", "<ns2:", "xmlns=", "xmlns:ns2=").Replace(file)
	named := func(name string) string { return strings.Replace(file, "UTF-8", name, 1) }
	latin, _ := charmap.Windows1252.NewEncoder().String(strings.Replace(named("ISO-8859-1"), "Łódź", "é", 1))
	latin2, _ := charmap.ISO8859_2.NewEncoder().String(named("iso-8859-2"))
	wide, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(named("UTF-16"))
	wideBare, _ := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String(named("UTF-16"))
	for name, text := range map[string]string{
		"its namespace":              file,
		"a version of the future":    strings.Replace(file, "001.08", "001.13", 1),
		"no namespace":               strings.Replace(file, ` xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"`, "", 1),
		"another namespace":          strings.Replace(file, "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08", "urn:swift:xsd:$camt.053", 1),
		"a prefix":                   prefixed,
		"no declaration":             strings.TrimPrefix(file, `<?xml version="1.0" encoding="UTF-8"?>`),
		"a mark of its encoding":     "\ufeff" + file,
		"blank lines before":         "\n\n  " + file,
		"an envelope":                strings.Replace(file, "<Document", "<Envelope><Header><AppHdr/></Header><Body><Document", 1) + "</Body></Envelope>",
		"an ampersand as it is":      strings.Replace(file, "<Id>S</Id>", "<Id>H&M&S A&</Id>", 1),
		"XML 1.1":                    strings.Replace(file, `version="1.0"`, `version="1.1"`, 1),
		"version 1":                  strings.NewReplacer("001.08", "001.01", "BkToCstmrStmt", "BkToCstmrStmtV01").Replace(file),
		"control characters":         strings.Replace(file, "<Id>S</Id>", "<Id>S\x1f\x02</Id>", 1),
		"comments":                   strings.Replace(file, "<Stmt>", "<!-- <Ntry> --><Stmt>", 1),
		"ISO 8859-1":                 latin,
		"ISO 8859-2":                 latin2,
		"UTF-8 that says it is 8859": named("ISO-8859-1"),
		"UTF-8 that says it is 16":   named("UTF-16"),
		"UTF-16":                     wide,
		"UTF-16 without a mark":      wideBare,
		"lines that end in CR":       strings.ReplaceAll(file, "\n", "\r"),
		"elements of other makers":   strings.Replace(file, "</Stmt>", "<SplmtryData><Envlp><Ntry><Amt>7</Amt></Ntry></Envlp></SplmtryData></Stmt>", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := "Café Łódź"
			if name == "ISO 8859-1" {
				want = "Café é"
			}
			if got := said(t, text); got != ourIBAN+" EUR, 100.00 to 110.00\n1: 2026-03-02 10.00 EUR E1 | "+want+" | id A1" {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestCamt_TakesWhatIsTold(t *testing.T) {
	t.Parallel()
	instant := camtOf(stmtOf(ourIBAN, strings.Replace(ntryOf("10.00", "A1"), "<Dt>2026-03-02</Dt>", "<DtTm>2026-03-31T23:30:00Z</DtTm>", 1)))
	tells(t, said(t, instant, "timezone=Europe/Berlin"), "1: 2026-04-01 ")
	tells(t, said(t, instant, "date_format=dd/mm/yyyy", "decimal=,", "date_column=Datum", "has_header=false"), "1: 2026-03-31 10.00")
	tells(t, said(t, strings.NewReplacer(` Ccy="EUR"`, "", "<Ccy>EUR</Ccy>", "").Replace(instant)), "refused: missing_currency")
	tells(t, said(t, strings.NewReplacer(` Ccy="EUR"`, "", "<Ccy>EUR</Ccy>", "").Replace(instant), "currency=SEK"), "SEK", "1: 2026-03-31 10.00 SEK")
}

func TestCamt_RefusesWhatIsNoStatement(t *testing.T) {
	t.Parallel()
	file := camtOf(stmtOf(ourIBAN, ntryOf("10.00", "A1")))
	as := func(element, message string) string {
		return strings.NewReplacer("BkToCstmrStmt", element, "camt.053", message).Replace(file)
	}
	bomb := `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`
	for name, c := range map[string]struct{ file, want string }{
		"a report of the day":           {as("BkToCstmrAcctRpt", "camt.052"), "unsupported_message This is a report of the day so far (camt.052.001.08)"},
		"a report under a wrong name":   {as("BkToCstmrAcctRpt", "camt.053"), "unsupported_message This is a report"},
		"a notification":                {as("BkToCstmrDbtCdtNtfctn", "camt.054"), "unsupported_message This is a notification of single movements (camt.054.001.08)"},
		"orders of payment":             {as("CstmrCdtTrfInitn", "pain.001"), "unsupported_message This looks like an ISO 20022 message (pain.001.001.08)"},
		"another XML file":              {`<?xml version="1.0"?><Accounts><Account/></Accounts>`, "unsupported_message This looks like an XML file"},
		"one that is cut off":           {file[:len(file)-60], "malformed_csv The file is no whole XML file: it is cut off or damaged (line 2, unexpected EOF)."},
		"a version of XML that is none": {strings.Replace(file, `version="1.0"`, `version="7"`, 1), "malformed_csv The file is no whole XML file"},
		"an end that is another's":      {strings.Replace(file, "</Ntry>", "</Ntri>", 1), "malformed_csv The file is no whole XML file"},
		"an entity that is not defined": {strings.Replace(file, "A1", "&foo;", 1), "malformed_csv"},
		"entities of its own":           {strings.Replace(file, "<Document", bomb+"<Document", 1), "malformed_csv The file defines XML entities of its own (DOCTYPE)"},
		"an entity that is a file":      {strings.Replace(file, "<Document", `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><Document`, 1), "malformed_csv The file defines XML entities"},
		"elements without an end":       {strings.Replace(file, "<Stmt>", strings.Repeat("<a>", 100), 1), "malformed_csv The elements of the file stand more than 64 deep"},
		"a text without an end":         {strings.Replace(file, "A1", strings.Repeat("x", statement.MaxRecordBytes+1), 1), "malformed_csv Entry 1 holds a text that is longer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file), "refused: "+c.want)
		})
	}
}
