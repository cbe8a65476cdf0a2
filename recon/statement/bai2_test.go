package statement_test

import (
	"fmt"
	"strings"
	"testing"
)

// baiOf is a file of groups, with its trailer.
func baiOf(groups ...string) string {
	return baiFile(2, groups...)
}

func baiFile(version int, groups ...string) string {
	records, total := 2, int64(0)
	for _, g := range groups {
		records += strings.Count(g, "\n")
		total += trailerTotal(g)
	}
	return fmt.Sprintf("01,BANK01,CUST01,260401,0500,1,,,%d/\n%s99,%d,%d,%d/\n", version, strings.Join(groups, ""), total, len(groups), records)
}

// groupOf is a group as of a day of March 2026 with its trailer. rest is the currency and the as-of-date modifier.
func groupOf(day, rest string, accounts ...string) string {
	records, total := 2, int64(0)
	for _, a := range accounts {
		records += strings.Count(a, "\n")
		total += trailerTotal(a)
	}
	return fmt.Sprintf("02,CUST01,BANK01,1,2603%s,2359,%s/\n%s98,%d,%d,%d/\n", day, rest, strings.Join(accounts, ""), total, len(accounts), records)
}

// accountOf is an account of which the first record is given, with its trailer. The total is that of the amounts.
func accountOf(total int64, records ...string) string {
	text := strings.Join(records, "\n") + "\n"
	return fmt.Sprintf("%s49,%d,%d/\n", text, total, strings.Count(text, "\n")+1)
}

// trailerTotal reads the total of the last trailer.
func trailerTotal(text string) (total int64) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if _, err := fmt.Sscanf(lines[len(lines)-1][3:], "%d,", &total); err != nil {
		panic(err)
	}
	return total
}

// baiOfOne is a file of one movement. Another has no amount, so that balances and totals cannot speak against any.
func baiOfOne(entry string) string {
	return "01,BANK01,CUST01,260401,0500,1,,,2/\n02,CUST01,BANK01,1,260331,2359,USD,2/\n03,0012345678,,010,100000,,,015,100000,,\n" + entry +
		"\n16,475,x,,,,\n49,,/\n98,,1,/\n99,,1,/\n"
}

func TestReadBAI2_ReadsMovementsAsBanksWriteThem(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"16,165,150000,Z,BR001,CR-77,HALDEN INC PAYMENT":                       "1500.00 USD CR-77 | HALDEN INC PAYMENT",
		"16,165,150000,Z,BR001,CR-77,HALDEN INC PAYMENT/\n88,INVOICE 3310/":    "1500.00 USD CR-77 | HALDEN INC PAYMENT INVOICE 3310",
		"16,165,66550,S,10000,20000,36550,BR002,,LOCKBOX DEPOSIT":              "665.50 USD BR002 | LOCKBOX DEPOSIT",
		"16,165,66550,S,,,,BR002,,LOCKBOX DEPOSIT":                             "665.50 USD BR002 | LOCKBOX DEPOSIT",
		"16,409,2500,V,260316,,,,RETURNED CHEQUE     /":                        "-25.00 USD - | RETURNED CHEQUE",
		"16,409,2500,V,260316,1030,B1,C1,RETURNED CHEQUE":                      "-25.00 USD C1 | RETURNED CHEQUE",
		"16,165,2500,D,2,0,1500,1,1000,B1,C1,TEXT":                             "25.00 USD C1 | TEXT",
		"16,165,2500,D,3,0,1500,1,500/\n88,2,500,B1,C1,TEXT":                   "25.00 USD C1 | TEXT",
		"16,165,2500,0,B1,C1,TEXT":                                             "25.00 USD C1 | TEXT",
		"16,165,2500,1,B1,C1,TEXT":                                             "25.00 USD C1 | TEXT",
		"16,165,2500,2,B1,C1,TEXT":                                             "25.00 USD C1 | TEXT",
		"16,165,2500,z,B1,,TEXT":                                               "25.00 USD B1 | TEXT",
		"16,475,25000,,BR004,1043,CHECK, PAID TO KILO CAFE":                    "-250.00 USD 1043 | CHECK, PAID TO KILO CAFE",
		"16,475,25000,,BR004,1043,PAID 03/31/26 TO A/B /":                      "-250.00 USD 1043 | PAID 03/31/26 TO A/B",
		"16,475,25000,,BR004,INV/17,PAID":                                      "-250.00 USD INV/17 | PAID",
		"16,475,25000,,BR004,0000000000,PAID":                                  "-250.00 USD BR004 | PAID",
		"16,142,490196,,172629,/\n88,SOME PAYMENT ACH OFFSET":                  "4901.96 USD 172629 | SOME PAYMENT ACH OFFSET",
		"16,699,971,,,/\n88,LVP XBANK, GO\n88,AND MORE":                        "-9.71 USD - | LVP XBANK, GO AND MORE",
		"16,699,971,/\n88,LVP XBANK GO":                                        "-9.71 USD - | LVP XBANK GO",
		"16,699,971,,B1/\n88,C1,TEXT":                                          "-9.71 USD C1 | TEXT",
		"16,175,346685,Z,00087829876,Miami/   \n88,DEPOSIT LOCATION, ITEMS 4/": "3466.85 USD Miami | DEPOSIT LOCATION, ITEMS 4",
		"16,165,000000000002500,Z,,,MADE OF\nTWO LINES":                        "25.00 USD - | MADE OF TWO LINES",
		"16,165,2500,Z,,,CREF\n88:EREF: 0737":                                  "25.00 USD - | CREF 88:EREF: 0737",
		"16,165,+2500,Z,,,TEXT":                                                "25.00 USD - | TEXT",
		"16,399,89,,,/\n88,TFR XBANKGO24007680SJ CAT JPY 2 GBPXBANKGO24007680BGC INTERNATIONAL-5373 CLIE\n88,NT SECCY AC TFR": "0.89 USD - | TFR XBANKGO24007680SJ CAT JPY 2 GBPXBANKGO24007680BGC INTERNATIONAL-5373 CLIENT SECCY AC TFR",
		"16,475,25000":         "-250.00 USD - | Check paid",
		"16,475,25000,,,/":     "-250.00 USD - | Check paid",
		"16,621,25000,,,/":     "-250.00 USD - | \n2:",
		"16,921,25000,,,,TEXT": "250.00 USD - | TEXT",
		"16,961,25000,,,,TEXT": "-250.00 USD - | TEXT",
	} {
		t.Run(entry, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, baiOfOne(entry)), want)
		})
	}
}

func TestReadBAI2_TellsWhatIsNoMovement(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"16,890,,,,,NOTE ABOUT THE ACCOUNT":         "1: info_only, the type code 890 is of a note or a balance, not of a movement",
		"16,015,500,,,,CLOSING":                     "1: info_only,",
		"16,905,500,,,,STATUS":                      "1: info_only,",
		"16,100,500,,,,TOTAL":                       "1: skipped, total",
		"16,721,500,,,,LOAN":                        `1: bad_amount, the type code "721" does not say whether money came in or went out; its amount is missing`,
		"16,ACH,500,,,,LOAN":                        `1: bad_amount, the type code "ACH"`,
		"16,475,,,,,TEXT":                           "1: missing_amount,",
		"16,475,25.00,,,,TEXT":                      `1: bad_amount, "25.00" is not an amount: it is written in the smallest unit of the currency`,
		"16,475,--25,,,,TEXT":                       "1: bad_amount,",
		"16,475,99999999999999999999,,,,TEXT":       "1: amount_overflow,",
		"16,475,2500,BR003,1042,TEXT":               `1: ragged_row, the fields after the amount are not those of the format: the kind of funds is "BR003"`,
		"16,475,2500,S,100,BR003,1042,TEXT":         "1: ragged_row,",
		"16,475,2500,D,x,100,BR003,1042,TEXT":       "1: ragged_row,",
		"16,475,2500,D,999999,100,BR003,1042,TEXT":  "1: ragged_row,",
		"16,475,2500,D,9999999999999999999,100,BR/": "1: ragged_row,",
		"16,475,2500,V,TUESDAY,,BR003,1042,TEXT":    "1: ragged_row,",
	} {
		t.Run(entry, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, baiOfOne(entry)), want)
		})
	}
}

func TestReadBAI2_ReadsFilesAsBanksWriteThem(t *testing.T) {
	t.Parallel()
	entries := []string{"16,165,150000,Z,B1,C1,IN", "16,475,50000,Z,B2,C2,OUT"}
	head := "03,0012345678,USD,010,1000000,,,015,1100000,,,100,150000,1,,400,50000,1,/"
	account := accountOf(2500000, append([]string{head}, entries...)...)
	file := baiOf(groupOf("31", "USD,2", account))
	const want = "0012345678 USD, 10000.00 to 11000.00\n1: 2026-03-31 1500.00 USD C1 | IN"
	for name, c := range map[string]struct{ file, want string }{
		"as it is":             {file, want},
		"without slashes":      {strings.ReplaceAll(file, "/\n", "\n"), want},
		"padded":               {strings.ReplaceAll(file, "/\n", "/        \n"), want},
		"blank lines":          {strings.ReplaceAll(file, "\n49", "\n\n   \n49"), want},
		"an end of file":       {file + "\x1a", want},
		"BTRS":                 {strings.NewReplacer(",260401,", ",20260401,", ",260331,", ",20260331,", ",,,2/", ",,,3/").Replace(file), want},
		"no version":           {strings.Replace(file, ",1,,,2/", ",1/", 1), want},
		"a time with seconds":  {strings.NewReplacer("0500", "05:00:12").Replace(file), want},
		"a status of two":      {strings.Replace(file, "BANK01,1,", "BANK01,01,", 1), want},
		"currency of group":    {strings.Replace(file, "0012345678,USD", "0012345678,", 1), want},
		"currency of neither":  {strings.NewReplacer("0012345678,USD", "0012345678,", "2359,USD", "2359,").Replace(file), want},
		"in small letters":     {strings.NewReplacer("0012345678,USD", "0012345678,usd").Replace(file), want},
		"yen":                  {strings.ReplaceAll(file, "USD", "JPY"), "0012345678 JPY, 1000000 to 1100000\n1: 2026-03-31 150000 JPY C1 | IN"},
		"dinars":               {strings.ReplaceAll(file, "USD", "KWD"), "0012345678 KWD, 1000.000 to 1100.000\n1: 2026-03-31 150.000 KWD C1 | IN"},
		"a masked account":     {strings.Replace(file, "0012345678", "XXXXXX5678", 1), "- USD, 10000.00"},
		"blanks in an account": {strings.Replace(file, "0012345678", "00123456 78", 1), "0012345678 USD"},
		"two files":            {file + strings.NewReplacer("260331", "260401", "010,1000000", "010,1100000", "015,1100000", "015,1200000", "2500000", "2700000").Replace(file), "10000.00 to 12000.00\n1: 2026-03-31 1500.00 USD C1 | IN"},
		"counts without 88":    {strings.NewReplacer("C1,IN\n", "C1,IN\n88,AND MORE\n").Replace(file), "| IN AND MORE"},
		"no totals":            {strings.NewReplacer("49,2500000,4", "49,,", "98,2500000,1,6", "98,,,", "99,2500000,1,8", "99,,,").Replace(file), want},
		"another currency":     {strings.ReplaceAll(file, "USD", "DEM"), "refused: malformed_csv The account in line 3 is in \"DEM\", which is not a currency"},
		"a missing movement":   {strings.NewReplacer("16,475,50000,Z,B2,C2,OUT\n", "").Replace(file), "refused: balance_mismatch The balances do not add up: the opening balance of the statement (of 2026-03-31) and its entries give 11500.00 USD, and the file states a closing balance of 11000.00 USD."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file), c.want)
		})
	}
	tells(t, said(t, strings.NewReplacer("0012345678,USD", "0012345678,", "2359,USD", "2359,").Replace(file), "currency=CAD"), "0012345678 CAD, 10000.00")
	tells(t, said(t, strings.ReplaceAll(file, "USD", "GBP"), "currency=CAD"), "0012345678 GBP, 10000.00")
}

// baiDay is a group with one account, of one movement in, between two balances.
func baiDay(day, account string, opening, amount int64) string {
	head := fmt.Sprintf("03,%s,,010,%d,,,015,%d,,/", account, opening, opening+amount)
	return groupOf(day, "USD,2", accountOf(2*opening+2*amount, head, fmt.Sprintf("16,165,%d,Z,,D%s,IN", amount, day)))
}

func TestReadBAI2_ReadsDaysAsOneStatement(t *testing.T) {
	t.Parallel()
	first, second, third := baiDay("30", "12345678", 10000, 500), baiDay("31", "12345678", 10500, 250), baiDay("29", "12345678", 9900, 100)
	other := baiDay("31", "87654321", 700, 7)
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"one after the other":  {baiOf(third, first, second), []string{"99.00 to 107.50", "1: 2026-03-29 1.00 USD D29", "3: 2026-03-31 2.50 USD D31"}},
		"the newest first":     {baiOf(second, first, third), []string{"99.00 to 107.50", "1: 2026-03-31 2.50", "3: 2026-03-29 1.00"}},
		"in no order":          {baiOf(first, third, second), []string{"99.00 to 107.50"}},
		"a day is missing":     {baiOf(third, second), []string{"refused: balance_mismatch", "a statement in the file (of 2026-03-29) closes with 100.00 USD, and the next one (of 2026-03-31) opens with 105.00 USD."}},
		"several accounts":     {baiOf(first, second, other), []string{"refused: multiple_accounts", "12345678, 87654321"}},
		"without entries":      {baiOf(groupOf("31", "", accountOf(200, "03,1,,010,100,,,015,100,,/"))), []string{"1 USD, 1.00 to 1.00"}},
		"no balances":          {baiOf(groupOf("31", "", accountOf(100, "03,1,/", "16,165,100,,,A,IN"))), []string{"1 USD, - to -", "1: 2026-03-31 1.00 USD A"}},
		"a closing balance":    {baiOf(groupOf("31", "", accountOf(300, "03,1,,015,200,,/", "16,165,100,,,A,IN"))), []string{"1 USD, - to 2.00", "1: 2026-03-31 1.00 USD A"}},
		"available balances":   {baiOf(groupOf("31", "", accountOf(500, "03,1,,040,100,,,045,300,,/", "16,165,100,,,A,IN"))), []string{"1 USD, - to -", "1: 2026-03-31 1.00 USD A"}},
		"an account in parts":  {baiOf(groupOf("31", "", accountOf(300, "03,1,,010,100,,,015,200,,/"), accountOf(100, "03,1,/", "16,165,100,,,A,IN"))), []string{"refused: balance_mismatch"}},
		"an overdrawn account": {baiOf(groupOf("31", "", accountOf(0, "03,1,,010,-100,,,015,+0000000,,/", "16,165,100,,,A,IN"))), []string{"1 USD, -1.00 to 0.00"}},
		"totals without signs": {baiOf(groupOf("31", "", accountOf(200, "03,1,,010,-100,,,015,0,,/", "16,165,100,,,A,IN"))), []string{"1 USD, -1.00 to 0.00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file), c.want...)
		})
	}
	tells(t, said(t, baiOf(first, second, other), "account=87654321"), "87654321 USD, 7.00 to 7.07", "3: 2026-03-31 0.07", "1: skipped, other_account", "2: skipped, other_account")
}

func TestReadBAI2_ReadsBalancesAsBanksWriteThem(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"03,1,USD,010,100,,,015,200,,/":                                 "1.00 to 2.00",
		"03,1,USD,010,100,,,015,200/":                                   "1.00 to 2.00",
		"03,1,USD,010,100,,,015,200,,,,,/":                              "1.00 to 2.00",
		"03,1,USD,,,,,010,100,,,015,200,,":                              "1.00 to 2.00",
		"03,1,USD,010,100,,,015/\n88,200,,,400,0,,/":                    "1.00 to 2.00",
		"03,1,USD/\n88,010,100,,/\n88,015,200,,/":                       "1.00 to 2.00",
		"03,1,USD,010,100/\n88,015,200/":                                "1.00 to 2.00", // fields left out at the end
		"03,1,USD,010,100,,/\n88,015,200,,/\n88,072,0,,,074,0,,/":       "1.00 to 2.00",
		"03,1,USD,010,100,,S,100,0,0,015,200,,V,260331,,100,0,3,V,,/":   "1.00 to 2.00",
		"03,1,USD,010,100,,D,2,0,50,1,50,015,200,,,/":                   "1.00 to 2.00",
		"03,1,USD,010,+00000000000100,,,015,+00000000000200,,/":         "1.00 to 2.00",
		"03,1,USD,010,,,,015,200,,/":                                    "- to 2.00",
		"03,1,USD,010,100,,,010,100,,,015,200,,/":                       "1.00 to 2.00",
		"03,1,USD,010,100,,,010,101,,,015,200,,/":                       "refused: malformed_csv The account in line 3 states two different balances with the code 010.",
		"03,1,USD,010,1.00,,,015,200,,/":                                `refused: malformed_csv The balance "1.00" (code 010) of the account in line 3 is not an amount in the smallest unit of USD.`,
		"03,1,USD,010,100,,,015,200,,,ABC,100,,/":                       "refused: malformed_csv The balances and totals of the account in line 3 cannot be read.",
		"03,1,USD,010,100,,X,015,200,,/":                                "refused: malformed_csv The balances and totals",
		"03,1,USD,010,100,,,015,200,,,100,x,,/":                         "refused: malformed_csv The balances and totals",
		"03,1,USD,010,100,,,015,200,,,100,99999999999999999999999,1,,/": "1.00 to 2.00",
	} {
		t.Run(head, func(t *testing.T) {
			t.Parallel()
			file := "01,B,C,260401,0500,1,,,2/\n02,C,B,1,260331,2359,USD,2/\n" + head + "\n16,165,100,,,A,IN\n49,/\n98,/\n99,/\n"
			tells(t, said(t, file), want)
		})
	}
}

func TestReadBAI2_LetsTheBalancesSayWhatAMinusMeans(t *testing.T) {
	t.Parallel()
	of := func(balances, entry string) string {
		return "01,B,C,260401,0500,1,,,2/\n02,C,B,1,260331,2359,USD,2/\n03,1,USD" + balances + "/\n" + entry + "\n49,/\n98,/\n99,/\n"
	}
	tells(t, said(t, of(",010,200,,,015,100,,", "16,475,-100,,,A,OUT")), "1: 2026-03-31 -1.00 USD A")
	tells(t, said(t, of(",010,100,,,015,200,,", "16,475,-100,,,A,OUT")), "1: 2026-03-31 1.00 USD A")
	tells(t, said(t, of(",010,100,,,015,500,,", "16,475,-100,,,A,OUT")), "refused: balance_mismatch")
	tells(t, said(t, of(",015,500,,", "16,475,-100,,,A,OUT\n16,165,300,,,B,IN")), "2: 2026-03-31 3.00 USD B", "1: bad_amount, the amount has a minus, and without an opening and a closing balance it is open")
}

func TestReadBAI2_RefusesWhatIsNotWholeOrNotFinal(t *testing.T) {
	t.Parallel()
	file := baiOf(baiDay("30", "12345678", 10000, 500), baiDay("31", "12345678", 10500, 250))
	interim := strings.ReplaceAll(file, "USD,2/", "USD,1/")
	for name, c := range map[string]struct{ file, want string }{
		"a deletion":                 {strings.Replace(file, "BANK01,1,", "BANK01,2,", 1), "refused: unsupported_message The group in line 2 is a deletion of an earlier one (group status 2)."},
		"a correction":               {strings.Replace(file, "BANK01,1,", "BANK01,3,", 1), "refused: unsupported_message The group in line 2 is a correction of an earlier one (group status 3)"},
		"a test":                     {strings.Replace(file, "BANK01,1,", "BANK01,4,", 1), "refused: unsupported_message The group in line 2 is a test (group status 4)."},
		"another status":             {strings.Replace(file, "BANK01,1,", "BANK01,7,", 1), "refused: unsupported_message The group in line 2 is of a status that is not known here, 7."},
		"an interim report":          {strings.ReplaceAll(file, "USD,2/", "USD,3/"), "refused: unsupported_message The group in line 2 is an interim report of the day (as-of-date modifier 3)."},
		"one that proves":            {interim, "100.00 to 107.50"},
		"one that does not":          {strings.Replace(interim, "010,10000,,,", "", 1), "refused: unsupported_message The account that ends in line 5 is reported as of the previous day, and not finally"},
		"the first version":          {strings.Replace(file, ",,,2/", ",,,1/", 1), "refused: unsupported_message The file is of version 1 of the BAI format."},
		"a day that is none":         {strings.Replace(file, ",260330,", ",260231,", 1), `refused: malformed_csv The as-of date "260231" of the group in line 2 is not a date`},
		"a total of the account":     {strings.Replace(file, "49,21000,", "49,21001,", 1), "refused: balance_mismatch The control total of the account in line 5 is 21001, and its records add up to 21000. Records may be missing"},
		"a total of the group":       {strings.Replace(file, "98,21000,", "98,21001,", 1), "refused: balance_mismatch The control total of the group in line 6 is 21001"},
		"a total of the file":        {strings.Replace(file, "99,42500,", "99,42501,", 1), "refused: balance_mismatch The control total of the file in line 12 is 42501, and its records add up to 42500."},
		"a total that is none":       {strings.Replace(file, "99,42500,", "99,x,", 1), "refused: balance_mismatch The control total of the file in line 12 is x"},
		"records of the account":     {strings.Replace(file, "49,21000,3", "49,21000,4", 1), "refused: balance_mismatch The trailer of the account in line 5 counts 4 records, and the account has 3."},
		"records of the file":        {strings.Replace(file, "42500,2,12", "42500,2,13", 1), "refused: balance_mismatch The trailer of the file in line 12 counts 13 records, and the file has 12."},
		"accounts of the group":      {strings.Replace(file, "98,21000,1,", "98,21000,2,", 1), "refused: balance_mismatch The trailer of the group in line 6 counts 2 accounts, and the group has 1."},
		"groups of the file":         {strings.Replace(file, "99,42500,2,", "99,42500,3,", 1), "refused: balance_mismatch The trailer of the file in line 12 counts 3 groups, and the file has 2."},
		"a note that is missing":     {strings.Replace(baiOf(groupOf("31", "USD,2", accountOf(200, "03,1,,010,100,,,015,100,,/", "16,165,0,,,A,IN", "16,165,0,,,B,IN"))), "16,165,0,,,B,IN\n", "", 1), "refused: balance_mismatch The trailer of the account in line 5 counts 4 records, and the account has 3."},
		"no trailer of the file":     {file[:strings.Index(file, "99,")], "refused: malformed_csv The file is cut off or damaged: the file ends before its trailer (record 99)."},
		"no trailer of an account":   {strings.Replace(file, "49,21000,3/\n", "", 1), "refused: malformed_csv The file is cut off or damaged: the record 98 in line 5 stands where none can"},
		"no trailer of a group":      {strings.Replace(file, "98,21000,1,5/\n", "", 1), "refused: malformed_csv The file is cut off or damaged: the record 02 in line 6"},
		"no header of an account":    {strings.Replace(file, "03,12345678,,010,10000,,,015,10500,,/\n", "", 1), "refused: malformed_csv The file is cut off or damaged: the record 16 in line 3"},
		"a line that is no record":   {strings.Replace(file, "49,", "BANK REPORT\n49,", 1) + "x\n", "refused: malformed_csv Line 14 is no record of BAI2"},
		"a record that never ends":   {strings.Replace(file, "49,", strings.Repeat("88,x\n", 60_000)+"49,", 1), "refused: malformed_csv The record in line 4 is longer than 256 kB"},
		"a second file that is lost": {file + "01,BANK01,CUST01,260401,0500,1,,,2/\n", "refused: malformed_csv The file is cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file), c.want)
		})
	}
}

// A file of fixed records may have no line ends at all.
func TestReadBAI2_ReadsRecordsOfADeclaredLength(t *testing.T) {
	t.Parallel()
	file := strings.Replace(baiOf(baiDay("30", "12345678", 10000, 500), baiDay("31", "12345678", 10500, 250)), ",1,,,2/", ",1,80,,2/", 1)
	var fixed strings.Builder
	for line := range strings.Lines(file) {
		fmt.Fprintf(&fixed, "%-80s", strings.TrimSuffix(line, "\n"))
	}
	tells(t, said(t, fixed.String()), "12345678 USD, 100.00 to 107.50", "2: 2026-03-31 2.50 USD D31 | IN")
}

// Wherever a file is cut off, it shows, or nothing is lost.
func TestReadBAI2_NeverReadsAPartOfAFile(t *testing.T) {
	t.Parallel()
	file := baiOf(baiDay("30", "12345678", 10000, 500), baiDay("31", "12345678", 10500, 250))
	whole := said(t, file)
	for size := range len(file) {
		if got := said(t, file[:size]); !strings.HasPrefix(got, "refused: ") && got != whole {
			t.Errorf("%d of %d bytes are read as\n%s", size, len(file), got)
		}
	}
}
