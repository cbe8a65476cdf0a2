package statement_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/recon/statement"
)

// periodOf gives the period that a file states, "-" for none.
func periodOf(read *statement.Statement) string {
	if read.StatedFrom.IsZero() && read.StatedTo.IsZero() {
		return "-"
	}
	return read.StatedFrom.String() + " to " + read.StatedTo.String()
}

func TestRead_TellsThePeriodThatAMessageStates(t *testing.T) {
	t.Parallel()
	swap := func(s, old, new string) string { return strings.Replace(s, old, new, 1) }
	// of is a camt.053 statement that says from when to when it goes.
	of := func(from, to string, inside ...string) string {
		return swap(stmtOf(ourIBAN, inside...), "<Acct>", "<FrToDt><FrDtTm>"+from+"</FrDtTm><ToDtTm>"+to+"</ToDtTm></FrToDt><Acct>")
	}
	ten := ntryOf("10.00", "A1") // of 2 March
	whole := of("2026-03-01T00:00:00", "2026-03-31T23:59:59", ten)
	april := swap(of("2026-04-01T00:00:00", "2026-04-30T23:59:59", ten), "<Dt>2026-03-02", "<Dt>2026-04-02")
	days := func(opening, closing string) string {
		return stmtOf(ourIBAN, balOf("OPBD", "100.00", opening), balOf("CLBD", "110.00", closing), ten)
	}
	swift := func(opening, closing string, entries ...string) string {
		return swiftOf("10020030/1234567890", "31/1", ":60F:C"+opening+"EUR100,00", ":62F:C"+closing+"EUR100,00", entries...)
	}
	ofx := ofxOf(bankOf("00123", "90.00", trnOf("-10.00", "F1")))
	served := func(day string) string {
		return swap(ofx, "<OFX>", "<OFX><SIGNONMSGSRSV1><SONRS><DTSERVER>"+day+"</SONRS></SIGNONMSGSRSV1>")
	}
	for name, c := range map[string]struct{ file, want string }{
		"camt":                                       {camtOf(whole), "2026-03-01 to 2026-03-31"},
		"camt without entries":                       {camtOf(of("2026-03-01T00:00:00", "2026-03-31T23:59:59")), "2026-03-01 to 2026-03-31"},
		"camt to the midnight after":                 {camtOf(of("2026-03-01T00:00:00", "2026-04-01T00:00:00", ten)), "2026-03-01 to 2026-03-31"},
		"camt to the midnight of its last day":       {camtOf(of("2026-03-01T00:00:00", "2026-03-31T00:00:00.000+02:00", ten, balOf("CLBD", "1.00", "2026-03-31"))), "2026-03-01 to 2026-03-31"},
		"camt of a day in midnights":                 {camtOf(of("2026-03-02T00:00:00", "2026-03-02T00:00:00", ten)), "2026-03-02 to 2026-03-02"},
		"camt of months that go on":                  {camtOf(april, whole), "2026-03-01 to 2026-04-30"},
		"camt with a month between":                  {camtOf(whole, strings.ReplaceAll(april, "2026-04", "2026-05")), "-"},
		"camt with an entry of another day":          {camtOf(of("2026-03-03T00:00:00", "2026-03-31T23:59:59", ten)), "-"},
		"camt that ends before it begins":            {camtOf(of("2026-03-31T00:00:00", "2026-03-01T23:59:59", ten)), "-"},
		"camt without an end":                        {camtOf(swap(whole, "ToDtTm>2026-03-31T23:59:59", "ToDtTm>")), "-"},
		"camt between the days of its balances":      {camtOf(days("2026-03-02", "2026-03-31")), "2026-03-02 to 2026-03-31"},
		"camt from the balance of the day before":    {camtOf(strings.Replace(days("2026-02-28", "2026-03-31"), "OPBD", "PRCD", 1)), "2026-03-01 to 2026-03-31"},
		"camt with balances of no day":               {camtOf(days("", "2026-03-31")), "-"},
		"camt without balances":                      {camtOf(stmtOf(ourIBAN, ten)), "-"},
		"MT940 of a day":                             {swift("260330", "260330", ":61:2603300330D10,00NTRFA-1", ":61:2603300330C10,00NTRFA-2"), "2026-03-30 to 2026-03-30"},
		"MT940 of a day without entries":             {swift("260330", "260330"), "2026-03-30 to 2026-03-30"},
		"MT940 from the day before":                  {swift("260228", "260331", ":61:2603300330D10,00NTRFA-1", ":61:2603300330C10,00NTRFA-2"), "2026-03-01 to 2026-03-31"},
		"MT940 from its first day":                   {swift("260302", "260331", ":61:2603020302D10,00NTRFA-1", ":61:2603300330C10,00NTRFA-2"), "2026-03-02 to 2026-03-31"},
		"MT940 with an entry behind its end":         {swift("260302", "260331", ":61:2604010401D10,00NTRFA-1", ":61:2603300330C10,00NTRFA-2"), "-"},
		"MT940 with a balance of no day":             {swift("000000", "260331"), "-"},
		"MT940 of days, with those between left out": {dayOf("31", "27", "1,00", "2,00", ":61:2603270327C1,00NTRFA-1") + dayOf("32", "31", "2,00", "3,00", ":61:2603310331C1,00NTRFA-2"), "2026-03-27 to 2026-03-31"},
		"BAI2 of days":                               {baiOf(baiDay("27", "1", 10000, 500), baiDay("31", "1", 10500, 250)), "2026-03-27 to 2026-03-31"},
		"BAI2 without balances":                      {baiOf(groupOf("30", "USD,2", accountOf(1000, "03,1,,,,,/", "16,165,1000,Z,B1,C1,IN"))), "-"},
		"OFX":                                        {ofx, "2026-03-01 to 2026-03-31"},
		"OFX without entries":                        {ofxOf(bankOf("00123", "90.00")), "2026-03-01 to 2026-03-31"},
		"OFX without a beginning":                    {swap(ofx, "<DTSTART>20260301", ""), "-"},
		"OFX to the midnight after":                  {swap(ofx, "<DTEND>20260331", "<DTEND>20260401000000.000[-5:EST]"), "2026-03-01 to 2026-03-31"},
		"OFX to the midnight of its last day":        {swap(ofx, "<DTEND>20260331", "<DTEND>20260331000000"), "2026-03-01 to 2026-03-31"},
		"OFX made on its last day":                   {served("20260331120000"), "2026-03-01 to 2026-03-31"},
		"OFX made before it":                         {served("20260310"), "2026-03-01 to 2026-03-10"},
		"OFX made before an entry":                   {served("20260301"), "-"},
		"OFX of months that go on":                   {ofxOf(monthOf("03", "90.00", trnOf("-10.00", "F1")), monthOf("04", "70.00", trnOf("-20.00", "F2"))), "2026-03-01 to 2026-04-30"},
		"OFX of months that overlap":                 {ofxOf(monthOf("03", "", trnOf("-10.00", "F1")), swap(monthOf("04", "", trnOf("-20.00", "F2")), "20260401", "20260315")), "2026-03-01 to 2026-04-30"},
		"OFX with a month between":                   {ofxOf(monthOf("03", "90.00", trnOf("-10.00", "F1")), monthOf("05", "70.00", trnOf("-20.00", "F2"))), "-"},
		"CSV":                                        {"Date,Amount\n2026-03-02,10.00\n", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read, err := statement.Read([]byte(c.file), statement.Hints{"currency": "EUR"})
			if err != nil {
				t.Fatal(err)
			}
			if got := periodOf(read); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	chosen, err := statement.Read([]byte(camtOf(whole, strings.ReplaceAll(april, ourIBAN, otherIBAN))), statement.Hints{"account": ourIBAN})
	if err != nil || periodOf(chosen) != "2026-03-01 to 2026-03-31" {
		t.Errorf("%v, the period of the account that was chosen is %s", err, periodOf(chosen))
	}
	_, err = statement.Read([]byte(camtOf(of("2026-03-01T00:00:00", "2026-03-31T23:59:59", balOf("OPBD", "1.00", "2026-03-01"), balOf("CLBD", "2.00", "2026-03-31"), ten))), nil)
	var refusal *statement.Refusal
	if !errors.As(err, &refusal) || periodOf(refusal.Statement) != "-" {
		t.Errorf("a statement that lacks an entry states its period: %v", err)
	}
}

// Whatever days a message says, it states a period only with both of its ends, in their order, and around all of its lines.
func TestRead_StatesNoPeriodThatItsLinesAreOutsideOf(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		day := func(name string) string {
			return rapid.StringMatching(`2026-0[1-6]-[0-3][0-9](T(00:00:00|12:30:00|24:00:00)(Z|\+02:00)?)?`).Draw(t, name)
		}
		head := "<FrToDt><FrDtTm>" + day("from") + "</FrDtTm><ToDtTm>" + day("to") + "</ToDtTm></FrToDt><Acct>"
		entry := strings.Replace(ntryOf("10.00", "A1"), "2026-03-02", day("of the entry")[:10], 1)
		stmt := strings.Replace(stmtOf(ourIBAN, balOf("OPBD", "0.00", day("opening")), entry), "<Acct>", head, 1)
		read, err := statement.Read([]byte(camtOf(stmt)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if read.StatedFrom.IsZero() != read.StatedTo.IsZero() || read.StatedTo.Before(read.StatedFrom) {
			t.Fatalf("states %s", periodOf(read))
		}
		for _, l := range read.Lines {
			if !read.StatedFrom.IsZero() && (l.Date.Before(read.StatedFrom) || l.Date.After(read.StatedTo)) {
				t.Fatalf("states %s, with a line of %s", periodOf(read), l.Date)
			}
		}
	})
}
