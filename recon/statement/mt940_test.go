package statement_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// swiftOf is a message of type 940 on an account, between two balances in euros.
func swiftOf(account, page, opening, closing string, inside ...string) string {
	head := []string{":20:STARTUMS", ":25:" + account, ":28C:" + page, opening}
	return strings.Join(append(append(head, inside...), closing, "-", ""), "\r\n")
}

// dayOf is a message of one day of March 2026 with the same reference in every entry.
func dayOf(page, day, opening, closing string, entries ...string) string {
	return swiftOf("10020030/1234567890", page, ":60F:C2603"+day+"EUR"+opening, ":62F:C2603"+day+"EUR"+closing, entries...)
}

func TestReadMT940_ReadsPagesAsOneStatement(t *testing.T) {
	t.Parallel()
	first := strings.Replace(dayOf("31/1", "30", "100,00", "90,00", ":61:2603300330D10,00NTRFA-1"), ":62F:", ":62M:", 1)
	second := strings.NewReplacer(":62F:", ":62M:", ":60F:", ":60M:").Replace(dayOf("31/2", "30", "90,00", "95,00", ":61:2603300330C5,00NTRFA-2"))
	third := strings.Replace(dayOf("31/3", "30", "95,00", "115,00", ":61:2603300330C20,00NTRFA-3"), ":60F:", ":60M:", 1)
	next := dayOf("32/1", "31", "115,00", "114,50", ":61:2603310331D0,50NTRFA-4")
	blocks := func(page string) string {
		return "{1:F01TESTDEFFAXXX0000000000}{2:I940TESTDEFFXXXXN}{3:{108:1}}{4:\r\n" + strings.TrimSuffix(page, "-\r\n") + "-}{5:{MAC:00000000}}"
	}
	abn := func(page string) string { return "TESTNL2A\r\n940\r\nTESTNL2A\r\n" + page }
	for name, c := range map[string]struct{ file, want string }{
		"one after the other":    {first + second + third + next, "100.00 to 114.50\n1: 2026-03-30 -10.00 EUR A-1 |"},
		"the newest first":       {next + third + second + first, "100.00 to 114.50\n1: 2026-03-31 -0.50 EUR A-4 |"},
		"pages in no order":      {third + next + first + second, "100.00 to 114.50\n1: 2026-03-30 20.00 EUR A-3 |"},
		"in one line of blocks":  {blocks(first) + blocks(second) + blocks(third) + blocks(next), "100.00 to 114.50"},
		"blocks without a break": {strings.ReplaceAll(blocks(first)+blocks(second)+blocks(third)+blocks(next), "{4:\r\n", "{4:"), "100.00 to 114.50"},
		"blocks in lines":        {strings.ReplaceAll(blocks(first)+blocks(second)+blocks(third)+blocks(next), "}{", "}\r\n{"), "100.00 to 114.50"},
		"headers without braces": {abn(first) + abn(second) + abn(third) + abn(next), "100.00 to 114.50"},
		"an end with letters":    {strings.ReplaceAll(first+second+third+next, "\r\n-\r\n", "\r\n-XXX\r\n"), "100.00 to 114.50"},
		"without field 20":       {":20:STARTUMS\r\n" + strings.ReplaceAll(first+second+third+next, ":20:STARTUMS\r\n", ""), "100.00 to 114.50"},
		"a later part":           {third + next, "95.00 to 114.50"},
		"a page twice":           {first + second + second + third + next, "100.00 to 114.50"},
		"a page in two messages": {first + second + strings.Replace(second, "STARTUMS", "OTHER", 1) + third + next, "3: skipped, repeated"},
		"a page in between":      {first + third + next, "refused: balance_mismatch The balances do not add up: statement 31, page 1 (of 2026-03-30) closes with 90.00 EUR, and statement 31, page 3 (of 2026-03-30) opens with 95.00 EUR."},
		"a day is missing":       {first + second + third + dayOf("33", "31", "110,00", "110,00"), "refused: balance_mismatch The balances do not add up: statement 31, page 3 (of 2026-03-30) closes with 115.00 EUR, and statement 33 (of 2026-03-31) opens with 110.00 EUR."},
		"an entry is missing":    {dayOf("31", "30", "100,00", "80,00", ":61:2603300330D10,00NTRFA-1"), "refused: balance_mismatch The balances do not add up: the opening balance of statement 31 (of 2026-03-30) and its entries give 90.00 EUR, and the file states a closing balance of 80.00 EUR."},
		"the end is missing":     {first + second, "refused: balance_mismatch The file is not whole: the last page, statement 31, page 2 (of 2026-03-30), carries its balance on to a page that is not in the file."},
		"it is cut off":          {first + second[:len(second)-40], "refused: malformed_csv The statement that begins in line 8 has no closing balance (field 62F): the file is cut off."},
		"only its head is left":  {first + second + third + ":20:START\r\n:25:10020030/1234567890\r\n", "refused: malformed_csv The statement that begins in line 22 has no closing balance"},
	} {
		for end, lineEnd := range map[string]string{"CRLF": "\r\n", "LF": "\n", "CR": "\r"} {
			t.Run(name+"/"+end, func(t *testing.T) {
				t.Parallel()
				tells(t, said(t, strings.ReplaceAll(c.file, "\r\n", lineEnd)), c.want)
			})
		}
	}
}

func TestReadMT940_ReadsEntriesAsBanksWriteThem(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{
		"2603300331C100,NTRFINV-1//B1":                                     "1: 2026-03-31 100.00 EUR INV-1 |",
		"260331C100,5NTRFINV-1":                                            "1: 2026-03-31 100.50 EUR INV-1 |",
		"260331    C100,00NTRFINV-1":                                       "1: 2026-03-31 100.00 EUR INV-1 |",
		"2602300302C1,00NTRFINV-1":                                         "1: 2026-03-02 1.00 EUR INV-1 |", // interest knows 30 days in February
		"2601011230C1,00NTRFINV-1":                                         "1: 2025-12-30 1.00 EUR INV-1 |",
		"2512310102C1,00NTRFINV-1":                                         "1: 2026-01-02 1.00 EUR INV-1 |",
		"2506010305C1,00NTRFINV-1":                                         "1: 2026-03-05 1.00 EUR INV-1 |", // between the balances
		"2402290229C1,00NTRFINV-1":                                         "1: 2024-02-29 1.00 EUR INV-1 |",
		"2603310331CR100,00NTRFINV-1":                                      "1: 2026-03-31 100.00 EUR INV-1 |", // R of EUR
		"2603310331DR100,00NTRFINV-1":                                      "1: 2026-03-31 -100.00 EUR INV-1 |",
		"2603310331RCR100,00NTRFINV-1":                                     "1: 2026-03-31 -100.00 EUR INV-1 |", // the reversal of a credit
		"2603310331RD100,00NTRFINV-1":                                      "1: 2026-03-31 100.00 EUR INV-1 |",
		"2603310331EC100,00NTRFINV-1":                                      "1: pending, the bank marks the entry as expected",
		"2603310331CR\r\n30,00N062NONREF//B1":                              "1: 2026-03-31 30.00 EUR B1 |",
		"2603310331D 30,00N062NONREF//B1":                                  "1: 2026-03-31 -30.00 EUR B1 |",
		"2603310331D30.00N062B1":                                           "1: 2026-03-31 -30.00 EUR B1 |",
		"260331D000000001001,69N541NONREF          \r\nNL72TEST0104510633": "1: 2026-03-31 -1001.69 EUR - | NL72TEST0104510633",
		"260331C0,92FMSCNONREF\r\nBALANCE_CASHBACK-510151a4-4ead-46c5-05ab-99b88521063c": "1: 2026-03-31 0.92 EUR - | BALANCE_CASHBACK-510151a4",
		"2603310331C119,NMSC341241773/1XXXXX//O/341241774\r\nPaiement":                   "1: 2026-03-31 119.00 EUR 341241773/1XXXXX | Paiement",
		"2603310331DR20,NTRFBIPI-dvT1FzfMqvzF5HaU4oetlH7SGRkonU//2022070616391534000":    "1: 2026-03-31 -20.00 EUR BIPI-dvT1FzfMqvzF5HaU4oetlH7SGRkonU |",
		"2603310331DR20,00S   X":        "1: 2026-03-31 -20.00 EUR X |",
		"2603310331DM20,00S05168790452": "1: 2026-03-31 -20.00 EUR 68790452 |",
		"2603310331C79,7FMSC01916//NONREF\r\n20131209007602198765432000000012": "1: 2026-03-31 79.70 EUR 01916 | 20131209007602198765432000000012",
		"260331D1,11NGT TMG TANGO": "1: 2026-03-31 -1.11 EUR TMG TANGO |",
		"260331D1,11NTRF//B3":      "1: 2026-03-31 -1.11 EUR B3 |",
		"260331D1,11NONREF":        "1: 2026-03-31 -1.11 EUR - |",
		"260331D1,11":              "1: 2026-03-31 -1.11 EUR - |",
		"260331D233,15NMSC":        "1: 2026-03-31 -233.15 EUR - |",
		"2603310331C1,00NTRFINV-1 //B1\r\n/OCMT/USD1,10/": "1: 2026-03-31 1.00 EUR INV-1 |  |",
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, ofOne(":61:"+field)), want)
		})
	}
}

func TestReadMT940_TellsWhyAnEntryIsNoLine(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{
		"2603310331C1,005NTRFINV-1":               `1: amount_precision, "1,005" has more decimals than EUR, which has 2`,
		"2603310331C1,00,5NTRFINV-1":              `1: bad_amount, "1,00,5" is not an amount`,
		"2603310331C99999999999999999999,00NTRFX": "1: amount_overflow,",
		"2603310331CNTRFINV-1":                    "1: missing_amount, the entry has no amount",
		"2603310331X1,00NTRFINV-1":                "1: bad_amount, the entry \"2603310331X1,00NTRFINV-1\" does not say whether it is a debit or a credit",
		"26033":                                   "1: bad_amount, the entry is cut off",
		"2613310331":                              "1: bad_amount, the entry",
		"260230C1,00NTRFINV-1":                    `1: bad_date, "260230" is not a day of the calendar (year, month, day)`,
		"2603310231C1,00NTRFINV-1":                `1: bad_date, "0231" after the value date "260331" is not a day of the calendar`,
		"2603XXC1,00NTRFINV-1":                    "1: bad_date,",
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, ofOne(":61:"+field)), want)
		})
	}
}

// ofOne is a message of one entry. Another has no amount, so that the balances cannot speak against any.
func ofOne(entry ...string) string {
	return swiftOf("10020030/1234567890", "1/1", ":60F:C260228EUR1000,00", ":62F:C260331EUR1000,00", append(entry, ":61:260331C")...)
}

func TestReadMT940_TakesTextsApart(t *testing.T) {
	t.Parallel()
	full := strings.Repeat("0123456789", 6) // and five letters more are a line
	for details, want := range map[string]string{
		"RENT MARCH":                      "RENT MARCH",
		"RENT\r\nMARCH  2026 ":            "RENT MARCH 2026",
		full + "March\r\n2026":            full + "March2026",
		full + "Marc\r\n2026":             full + "Marc 2026",
		full + "Marc \r\n2026":            full + "Marc 2026",
		"RENT\r\n12:30\r\n:12:30 O'CLOCK": "RENT 12:30 :12:30 O'CLOCK",
		"AT 13\r\n:20:37 Fo":              "AT 13 :20:37 Fo",
		"-5 % REBATE":                     "-5 % REBATE",
		"RENT\r\n- APRIL":                 "RENT - APRIL",
		"166?00GUTSCHRIFT?20Rechnung 12?32Halden Inc?33 & Sons":                                                                                         "Halden Inc & Sons · Rechnung 12",
		"020?00VIREMENT\r\n?20LIGNE 1\r\n?21LIGNE 2\r\n?30TESTLULL\r\n?32DO":                                                                            "DO · LIGNE 1 LIGNE 2",
		"820?00UMBUCHUNG?109392?20ERSTATTUNG AUSLANDSEINSATZE?21NTGELT\r\n FUER VISA 4998 XXXX?3012030000?319003932309 AND MORE?32DEUTSC\r\nHE BANK AG": "DEUTSCHE BANK AG · ERSTATTUNG AUSLANDSEINSATZENTGELT FUER VISA 4998 XXXX",
		"805?00DARLEHEN?20Darl. Abrechnung 1000000000?21Akt. Sollzinssatz 1,4%":                                                                         "Darl. Abrechnung 1000000000 Akt. Sollzinssatz 1,4%",
		"805?00ENTGELTABSCHLUSS?106666": "ENTGELTABSCHLUSS",
		"166?00UEBERWEISUNG?20EREF+E2E-1?21KREF+K-1?22SVWZ+Rechnung 4711 und noch e?23iniges mehr?32Halden":                 "Halden · Rechnung 4711 und noch e iniges mehr · EREF E2E-1",
		"166?00UEBERWEISUNG?20EREF+NOTPROVIDED?21SVWZ+Miete":                                                                "| Miete",
		"166?00LASTSCHRIFT?20EREF+E-1?21MREF+M-1":                                                                           "EREF+E-1 MREF+M-1",
		"166?00LASTSCHRIFT?20Miete April EREF+E-1":                                                                          "Miete April · EREF E-1",
		"166?00KARTE?20Was kostet das?12 Euro?33Laden":                                                                      "Laden · Was kostet das?12 Euro",
		"?20Ohne Schluessel?32Halden":                                                                                       "Halden · Ohne Schluessel",
		"034\r\n^00PRZELEW^20FAKTURA 12^21ZA MARZEC^32JAN NOWAK^38PL00114010810000267002001002":                             "JAN NOWAK · FAKTURA 12 ZA MARZEC",
		"020~00D4LE~20FAKTURA 12~32JAN NOWAK~33UL. NIJAKA 1":                                                                "JAN NOWAK UL. NIJAKA 1 · FAKTURA 12",
		"944<00PRZELEW<20FAKTURA 12<27JAN NOWAK":                                                                            "FAKTURA 12 JAN NOWAK",
		"/TRTP/SEPA OVERBOEKING/IBAN/NL00TEST0123456789/BIC/TESTNL2A/NAME/HALDEN INC/REMI/FACTUUR 12/2026/EREF/NOTPROVIDED": "HALDEN INC · FACTUUR 12/2026",
		"/EREF/E-1//CNTP/NL00TEST0123456789/TESTNL2A/HALDEN INC/DELFT///REMI/USTD//INV 7/":                                  "HALDEN INC · INV 7 · EREF E-1",
		"/BENM//NAME/CONTRA ACCOUNT HOLDER, WHO HAS A VERY LONG NAME INDEE\r\nD/REMI/INV 7/ISDT/2026-03-31":                 "CONTRA ACCOUNT HOLDER, WHO HAS A VERY LONG NAME INDEED · INV 7",
		"/PAID TO/SOMEBODY":          "/PAID TO/SOMEBODY",
		"\r\n:86:AND MORE":           "AND MORE",
		"":                           "|  | id -",
		"?":                          "| ?",
		"166?0":                      "| 166?0",
		"/EREF/":                     "| /EREF/",
		"/REMI/":                     "| /REMI/",
		"SEPA OVERBOEKING IBAN: NL1": "SEPA OVERBOEKING IBAN: NL1",
	} {
		t.Run(details, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, ofOne(":61:2603310331C1,00NTRFNONREF//B1", ":86:"+details))+"\n", "EUR B1", want)
		})
	}
}

func TestReadMT940_FindsTheReference(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"NTRFINV-1//B1\r\n:86:166?20EREF+E-1":             "EUR INV-1 |",
		"NTRFNONREF//B1\r\n:86:166?20EREF+E-1":            "EUR B1 |",
		"NTRFNONREF\r\n:86:166?20EREF+E-1?21SVWZ+Rent":    "EUR E-1 | Rent |",
		"NTRFEREF//B1\r\n:86:/EREF/E-1//REMI/USTD//Rent":  "EUR E-1 | Rent |",
		"NTRFEREF//B1\r\n:86:/REMI/Rent":                  "EUR B1 | Rent |",
		"NTRFMARF//B1\r\n:86:/MARF/M-1/REMI/Rent":         "EUR M-1 | Rent |",
		"NTRFPREF//B1\r\n:86:/PREF/P-1/REMI/Rent":         "EUR P-1 | Rent |",
		"NTRFKREF+//B1\r\n:86:177?20KREF+K-1?21SVWZ+Rent": "EUR K-1 | Rent |",
		"NTRFNONREF//NONREF":                              "EUR - |",
		"NTRF":                                            "EUR - |",
	} {
		t.Run(entry, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, ofOne(":61:2603310331C1,00"+entry)), want)
		})
	}
}

func TestReadMT940_ReadsWhatStandsBesideEntries(t *testing.T) {
	t.Parallel()
	page := dayOf("31", "31", "100,00", "101,00", ":61:2603310331C1,00NTRFA-1", ":86:RENT")
	for name, c := range map[string]struct{ file, want string }{
		"a text of the whole statement":  {strings.Replace(page, "\r\n-", "\r\n:86:D000001C000002\r\n-", 1), "A-1 | RENT |"},
		"available balances":             {strings.Replace(page, "\r\n-", "\r\n:64:C260331EUR1,00\r\n:65:C260401EUR2,00\r\n:86:/SUM/1\r\n-", 1), "100.00 to 101.00"},
		"sums":                           {strings.Replace(page, ":62F:", ":90D:0EUR0,00\r\n:90C:1EUR1,00\r\n:62F:", 1), "100.00 to 101.00"},
		"a text above the entries":       {strings.Replace(page, ":61:", ":86:ABOUT ALL\r\n:61:", 1), "A-1 | RENT |"},
		"the bank's own field":           {strings.NewReplacer(":86:RENT", ":NS:01RENT\r\n02MARCH\r\n15HALDEN\r\n17CREDIT\r\n1812345", ":60F:", ":NS:22Test GmbH\r\n:60F:").Replace(page), "A-1 | HALDEN · RENT MARCH |"},
		"one currency for both balances": {strings.Replace(page, ":62F:C260331EUR", ":62F:C260331", 1), "100.00 to 101.00"},
		"no days of the balances":        {strings.NewReplacer(":60F:C260331", ":60F:C000000", ":62F:C260331", ":62F:C000000").Replace(page), "1: 2026-03-31 1.00"},
		"an end in the same line":        {strings.Replace(page, "EUR101,00\r\n-", "EUR101,00-}", 1), "100.00 to 101.00"},
		"an entry that is broken":        {dayOf("31", "31", "100,00", "90,00", ":61:2603310331C1,00NTRFA-1", ":61:2603310331DxNTRFA-3"), "100.00 to 90.00\n1: 2026-03-31 1.00 EUR A-1 |  | id -\n2: missing_amount, the entry has no amount; by the balances of the file it should be -11.00 EUR"},
		"two that are broken":            {dayOf("31", "31", "100,00", "90,00", ":61:2603310331C1,005NTRFA-1", ":61:2603310331DxNTRFA-3"), "2: missing_amount, the entry has no amount; its amount is missing between the balances of the file"},
		"an overdrawn account":           {strings.NewReplacer(":60F:C", ":60F:D", "EUR101,00", "EUR99,00", ":62F:C", ":62F:D").Replace(page), "-100.00 to -99.00"},
		"yen":                            {strings.NewReplacer("EUR", "JPY", "100,00", "100,", "101,00", "101,", "1,00", "1,").Replace(page), "JPY, 100 to 101\n1: 2026-03-31 1 JPY"},
		"dinars":                         {strings.NewReplacer("EUR", "KWD", "100,00", "100,005", "101,00", "101,505", "C1,00", "C1,5").Replace(page), "KWD, 100.005 to 101.505\n1: 2026-03-31 1.500 KWD"},
		"zeros behind the decimals":      {strings.NewReplacer("100,00", "100,0000", "101,00", "101,000", "C1,00", "C1,000").Replace(page), "100.00 to 101.00"},
		"a statement for banks":          {"{1:F01TESTDEFFAXXX0000000000}{2:O9500000TESTDEFF}{4:\r\n" + strings.Replace(page, ":86:RENT\r\n", "", 1), "100.00 to 101.00"},
		"without entries":                {dayOf("31", "31", "100,00", "100,00"), "100.00 to 100.00"},
		"a reversal":                     {dayOf("31", "31", "100,00", "99,00", ":61:2603310331C1,00NTRFA-1", ":61:2603310331RC2,00NTRFA-2"), "2: 2026-03-31 -2.00"},
		"a reversal meant otherwise":     {dayOf("31", "31", "100,00", "103,00", ":61:2603310331C1,00NTRFA-1", ":61:2603310331RC2,00NTRFA-2"), "2: 2026-03-31 2.00"},
		"an expected entry":              {dayOf("31", "31", "100,00", "101,00", ":61:2603310331C1,00NTRFA-1", ":61:2603310331ED2,00NTRFA-2"), "2: pending, the bank marks"},
		"accents":                        {encoded(charmap.Windows1252, strings.Replace(page, "RENT", "Miete für März", 1)), "Miete für März"},
		"a tag that is broken":           {strings.Replace(page, ":86:RENT", ":\r\n86:RENT", 1), "A-1 | RENT |"},
		"no field 20":                    {strings.ReplaceAll(page, ":20:STARTUMS\r\n", ""), "A-1 | RENT |"},
		"no field 20, of two days":       {strings.ReplaceAll("TESTNL2A\r\n940\r\nTESTNL2A\r\n"+page+dayOf("32", "31", "101,00", "101,00"), ":20:STARTUMS\r\n", ""), "100.00 to 101.00"},
		"in lines that are indented":     {strings.ReplaceAll(page, "\r\n:", "\r\n  :"), "A-1 | RENT |"},
		"no balances":                    {withoutBalances(page), "refused: missing_currency"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file), c.want)
		})
	}
	tells(t, said(t, withoutBalances(page), "currency=EUR"), "EUR, - to -\n1: 2026-03-31 1.00 EUR A-1 | RENT |")
}

func TestReadMT940_FindsTheCharacters(t *testing.T) {
	t.Parallel()
	for text, pages := range map[string][]*charmap.Charmap{
		"Miete für März, Grüße aus Köln":        {charmap.Windows1252, charmap.ISO8859_15, charmap.CodePage850, charmap.CodePage852, charmap.CodePage437},
		"Über die Straße":                       {charmap.Windows1252},
		"loyer payé à la société, août":         {charmap.Windows1252, charmap.CodePage850},
		"Zapłata za usługi, księgowość w marcu": {charmap.Windows1250, charmap.ISO8859_2, charmap.CodePage852},
		"příspěvek za březen, Dvořák":           {charmap.Windows1250, charmap.ISO8859_2, charmap.CodePage852},
		"Elektronikus bankon belüli átutalás":   {charmap.Windows1252, charmap.CodePage852},
		"fő díj és költség":                     {charmap.Windows1250, charmap.CodePage852},
		"„Miete“ – 5 €":                         {charmap.Windows1252},
		"„Müller“":                              {charmap.Windows1252},
	} {
		for _, page := range pages {
			t.Run(page.String()+" "+text, func(t *testing.T) {
				t.Parallel()
				file := dayOf("31", "31", "100,00", "101,00", ":61:2603310331C1,00NTRFA-1", ":86:"+text)
				tells(t, said(t, encoded(page, file)), "A-1 | "+text)
			})
		}
	}
	file := encoded(charmap.Windows1251, dayOf("31", "31", "100,00", "101,00", ":61:2603310331C1,00NTRFA-1", ":86:Аренда"))
	tells(t, said(t, file, "encoding=windows-1251"), "A-1 | Аренда")
}

func encoded(c *charmap.Charmap, text string) string {
	bytes, err := c.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return bytes
}

// withoutBalances drops the fields 60 and 62.
func withoutBalances(page string) string {
	var kept []string
	for line := range strings.SplitSeq(page, "\r\n") {
		if !strings.HasPrefix(line, ":6") || strings.HasPrefix(line, ":61:") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\r\n")
}
