package web_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

const (
	// No header says what these columns are, and no day is after the twelfth.
	march = "Huhr;Zzam;Qwer;Blub\n02/03/2026;1.588,20;Payport;a1\n03/03/2026;-47,15;Bank charges;a2\n04/03/2026;-1.250,00;Rent;a3\n"
	april = "Huhr;Zzam;Qwer;Blub\n07/04/2026;12,00;Payport;b1\n"
)

func TestAnUnknownHeaderIsMappedOnceAndTheNextMonthAsksNothing(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	draft := br.reads(t, "march.csv", march).says(t, "How are the dates of this file written?", "Row 2 says “02/03/2026”.", "02/03/2026 is 2 March 2026", "02/03/2026 is 3 February 2026",
		"It can be stored once the question above is answered.", "The file as it stands", "Huhr")
	if text := draft.text(t); strings.Contains(text, "hint") || strings.Contains(text, "dd/mm/yyyy") {
		t.Errorf("the question is asked in codes: %s", text)
	}
	br.submit(t, draft, draft.path, typed("date_format", "dd/mm/yyyy")).want(t, 303)
	draft = br.get(t, draft.path).says(t, "3 new = 3 rows in the file", "A Huhr", "1,588.20 EUR money in")
	br.submit(t, draft, draft.path, typed("description_column", "#3", "reference_column", "#4")).want(t, 303)
	draft = br.get(t, draft.path).says(t, "dd/mm/yyyy, as you say", "Store 3 lines", "Remember for this account")
	values := draft.filled(t, draft.path+"/confirm", typed("profile_name", "House bank"))
	stored := br.post(t, draft.path+"/confirm", values).want(t, 303)
	br.get(t, stored.location()).says(t, "3 lines stored.")
	br.get(t, stored.location()+"?tab=lines").says(t, "Bank charges", "a2")

	next := br.reads(t, "april.csv", april).says(t, "House bank, version 1", "Chosen by the header row", "1 new = 1 row in the file", "by the profile", "Store 1 line")
	if strings.Contains(next.body, `class="ask"`) || strings.Contains(next.body, `class="alert`) {
		t.Errorf("the second month is asked about: %s", next.text(t))
	}
	br.get(t, br.confirms(t, next).want(t, 303).location()).says(t, "1 line stored.")
}

func TestADraftThatIsNotRememberedIsAskedAboutAgain(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	draft := br.reads(t, "march.csv", march)
	br.submit(t, draft, draft.path, typed("date_format", "dd/mm/yyyy")).want(t, 303)
	draft = br.get(t, draft.path)
	values := draft.form(t, draft.path+"/confirm")
	values.Del("remember")
	br.post(t, draft.path+"/confirm", values).want(t, 303)
	br.reads(t, "april.csv", april).says(t, "How are the dates of this file written?", "The account has none yet")
}

func TestWhatIsStoredIsWhatWasShown(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	one := br.reads(t, "march.csv", exampleStatement)
	br.submit(t, one, one.path, typed("sign", "invert")).want(t, 303)
	stale := br.confirms(t, one).want(t, 422).says(t, "The settings of this file were changed meanwhile", "Plus is money out, as you say")
	br.get(t, "/b/main/statements").says(t, "No statement yet")

	unread := stale.filled(t, one.path+"/confirm", typed("sign", "normal"))
	back := br.post(t, one.path+"/confirm", unread).want(t, 303)
	if back.location() != one.path+"?rows=new&sample=2" {
		t.Errorf("settings that nobody has read lead to %s", back.location())
	}
	again := br.get(t, back.location()).says(t, "Nothing is stored yet: the file was read again with what you changed.", "Plus is money in, as you say")
	br.get(t, "/b/main/statements").says(t, "No statement yet")
	stored := br.confirms(t, again).want(t, 303)
	for _, late := range []page{one, again} {
		if twice := br.confirms(t, late).want(t, 303); !strings.HasPrefix(twice.location(), stored.location()) {
			t.Errorf("confirming again leads to %s, not %s", twice.location(), stored.location())
		}
	}
	if gone := br.send(t, "GET", one.path, "", nil).want(t, 303); gone.location() != stored.location() {
		t.Errorf("the way back leads to %s", gone.location())
	}
}

func TestSettingsThatCannotBeUsedKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	draft := br.reads(t, "march.csv", exampleStatement)
	wrong := typed("currency", "EURO", "direction_debit", "Af", "period_from", "2026-03-01", "period_to", "2026-03-31", "profile_name", "Mine")
	refused := br.submit(t, draft, draft.path, wrong).want(t, 422).says(t, "1 thing keeps these settings from being used", `"EURO" is not an ISO 4217 currency`)
	kept := refused.form(t, draft.path)
	for field := range wrong {
		if kept.Get(field) != wrong.Get(field) {
			t.Errorf("%s was %q and is %q now", field, wrong.Get(field), kept.Get(field))
		}
	}
	br.submit(t, refused, draft.path, typed("currency", "", "only_column", "#1")).want(t, 422).says(t, "Choose a column and write what stands in it, or neither")
	br.submit(t, refused, draft.path, typed("currency", "", "period_to", "2026-02-01")).want(t, 422).says(t, "The first day is after the last")
	br.submit(t, refused, draft.path, typed("currency", "", "period_to", "32.3.")).want(t, 422).says(t, "“32.3.” is not a date")
	br.submit(t, draft, draft.path, typed("only_column", "#3", "only_value", "t1\nt2")).want(t, 303)
	br.get(t, draft.path).says(t, "2 new + 2 skipped = 4 rows in the file")
	br.get(t, draft.path+"?rows=skipped").says(t, "Left out by the settings")
	draft = br.get(t, draft.path)
	br.submit(t, draft, draft.path, typed("period_from", "2026-04-01", "period_to", "2026-04-30")).want(t, 303)
	br.get(t, draft.path).says(t, "it has a line outside the period", "It cannot be stored as it is")
}

func TestEveryRowOfADraftIsAccountedFor(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	br.stores(t, "march.csv", exampleStatement)
	content := exampleStatement + "2026-03-32,1.00,t6,=six\n2026-03-02,2.00,t7,seven\n\"Total\",45.40,,\n"
	draft := br.reads(t, "all.csv", content).says(t, "1 new + 4 already known + 1 rejected + 1 skipped = 7 rows in the file", "1 row is rejected", "New 1", "Already known 4", "Rejected 1", "seven")
	br.get(t, draft.path+"?rows=known").says(t, "Stored by statement 1", "2026-03-01,10.00,t1,one")
	br.get(t, draft.path+"?rows=rejected").says(t, "2026-03-32,1.00,t6,=six", "Download these rows")
	br.get(t, draft.path+"?rows=odd").want(t, 422)
	file := br.get(t, draft.path+"/rows.csv?rows=rejected").want(t, 200)
	if !strings.Contains(file.body, "6,rejected,bad_date,") || !strings.Contains(file.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the download is %q", file.body)
	}
	stored := br.get(t, br.confirms(t, draft).want(t, 303).location())
	stored.says(t, "1 line stored, 4 known, 1 rejected, 1 skipped")
	if file := br.get(t, stored.path+"?tab=rows").link(t, "Download these rows"); file != "/b/main/statements/2/rows.csv" {
		t.Errorf("the rows can be had at %s", file)
	}
	if rows := br.get(t, "/b/main/statements/2/rows.csv?rows=known").want(t, 200).body; strings.Count(rows, "known") != 4 {
		t.Errorf("the known rows are %q", rows)
	}
	br.get(t, "/b/main/statements/2/rows.csv?rows=odd").want(t, 422)
	br.get(t, "/b/main/statements/9/rows.csv").want(t, 404)
}

func TestTheRowsOfADraftAreTurnedOverByPages(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	draft := br.reads(t, "march.csv", exampleStatement+strings.Repeat("2026-03-02,1.00,fee,a fee\n", 60)).says(t, "50 of 64 shown.")
	second := br.get(t, strings.TrimSuffix(draft.link(t, "More rows"), "#rows")).want(t, 200).says(t, "14 of 64 shown.", "From the first row")
	if strings.Contains(second.body, "More rows") {
		t.Error("the second page is not the rest")
	}
}

func TestAFileOfAnotherAccountIsWarnedOfBeforeItIsStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1020", "asset", "EUR")
	br := b.browser(t, "preparer")
	of := func(iban, day string) string {
		return "IBAN,date,amount\n" + iban + ",2026-03-" + day + ",1.00\n" + iban + ",2026-03-" + day + ",2.00\n"
	}
	br.stores(t, "one.csv", of("NL91ABNA0417164300", "01"))
	br.reads(t, "two.csv", of("NL91ABNA0417164300", "02")).says(t, "Same account of the bank as before")
	br.reads(t, "three.csv", of("NL02RABO0123456789", "02")).says(t, "Another account of the bank than before",
		"It states the account NL02RABO0123456789 of the bank; the files of 1010 before are of NL91ABNA0417164300.", "It can be stored once the question above is answered")
	same := br.reads(t, "one.csv", of("NL91ABNA0417164300", "01"), "account", "1020")
	same.says(t, "Stored for 1010 too")
	br.submit(t, same, same.path, typed("account", "1010")).want(t, 303)
	br.get(t, same.path).says(t, "Stored for this account already")
}

func TestADraftIsThereForItsUploaderAsLongAsItWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br, other, viewer := b.browser(t, "preparer"), b.browser(t, "controller"), b.browser(t, "viewer")
	draft := br.reads(t, "march.csv", exampleStatement)
	values := draft.form(t, draft.path)
	for _, action := range []string{"", "/confirm", "/discard"} {
		other.post(t, draft.path+action, values).want(t, map[string]int{"": 404, "/confirm": 404, "/discard": 303}[action])
		viewer.post(t, draft.path+action, values).want(t, 403)
	}
	other.get(t, draft.path).want(t, 404).says(t, "Upload the file again")
	viewer.get(t, draft.path).want(t, 403).says(t, "upload")

	br.session = ""
	br.post(t, draft.path, values).want(t, 401)
	asked := br.send(t, "GET", draft.path, "", nil).want(t, 303)
	if asked.location() != "/login?next=%2Fb%2Fmain%2Fstatements%2Fdrafts%2F1" {
		t.Errorf("without a session the page leads to %s", asked.location())
	}
	br = b.browser(t, "preparer")
	if waiting := br.get(t, uploadPath).link(t, "march.csv"); waiting != draft.path {
		t.Errorf("what waits is at %s", waiting)
	}
	br.get(t, draft.path).want(t, 200).says(t, "Store 4 lines")

	conn, err := pgx.Connect(t.Context(), b.ownerURL)
	ok(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `UPDATE statement_drafts SET created_at = created_at - interval '25 hours'`)
	ok(t, err)
	for _, late := range []page{br.get(t, draft.path), br.post(t, draft.path, values), br.confirms(t, draft)} {
		late.want(t, 404).says(t, "or waited for more than a day", "Upload the file again")
	}
}

func TestStoringTwiceWhatTheAPIStoredMeanwhileLeadsThereTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	draft := br.reads(t, "march.csv", exampleStatement)
	b.sendStatement(t, "1010", exampleStatement)
	for range 2 {
		if led := br.confirms(t, draft).want(t, 303).location(); led != "/b/main/reconciliations/1?again=1" {
			t.Errorf("storing it leads to %s", led)
		}
	}
}

func TestADiscardedFileLeavesNothing(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	draft := br.reads(t, "march.csv", exampleStatement)
	for range 2 {
		br.post(t, draft.path+"/discard", draft.form(t, draft.path)).want(t, 303)
	}
	br.get(t, uploadPath).says(t, "The file is discarded. Nothing of it was stored.")
	if again := br.get(t, draft.path).want(t, 404).link(t, "Upload the file again"); again != uploadPath {
		t.Errorf("the way on is %s", again)
	}
	br.get(t, "/b/main/statements").says(t, "No statement yet")
}

func TestAFileWhoseBalancesDoNotAddUpShowsTheRow(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	const whole = "date,amount,text,balance\n2026-03-01,1.00,a,101.00\n2026-03-02,-2.00,b,99.00\n2026-03-03,3.00,c,102.00\n2026-03-04,4.00,d,106.00\n"
	good := br.reads(t, "good.csv", whole).says(t, "3 of 3 row balances equal", "Closing computed 106.00", "Difference 0.00", "Recomputed")
	if n := strings.Count(good.text(t), " Equal "); n != 3 {
		t.Errorf("%d balances are said to be equal: %s", n, good.text(t))
	}
	br.get(t, good.path+"?sample=4").says(t, "Sample: row 4 · row before · next row", "3.00 EUR money in", "102.00 EUR")

	bad := br.reads(t, "bad.csv", strings.Replace(whole, "3.00,c", "3.10,c", 1))
	bad.says(t, "bad.csv cannot be stored as it is: its balances do not add up.", "Row 4: ", "2026-03-03,3.10,c,102.00", "Differs", "Why it is stored although its balances do not add up", "all the same")
	again := br.confirms(t, bad).want(t, 422).says(t, "its balances do not add up", "Say why the file is stored although its balances do not add up")
	br.get(t, "/b/main/statements").says(t, "No statement yet")
	stored := br.post(t, bad.path+"/confirm", again.filled(t, bad.path+"/confirm", typed("balance_reason", "The bank rounds the third row"))).want(t, 303)
	br.get(t, stored.location()).says(t, "4 lines stored.", "Balance does not prove 1", "The running balance does not add up at row 4")
}

func TestReadingAgainTwiceDoesItOnce(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	draft := br.reads(t, "march.csv", exampleStatement)
	for range 2 {
		br.submit(t, draft, draft.path, typed("sign", "invert")).want(t, 303)
	}
	br.submit(t, draft, draft.path, typed("sign", "normal")).want(t, 422).says(t, "The settings of this file were changed meanwhile")
	br.get(t, draft.path).says(t, "Plus is money out, as you say")
}

func TestTheNameOfAProfileOutlastsAnotherReading(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	draft := br.reads(t, "march.csv", exampleStatement)
	typedIn := draft.filled(t, draft.path, typed("profile_name", "House bank", "sign", "normal"))
	typedIn.Del("remember")
	again := br.get(t, br.post(t, draft.path, typedIn).want(t, 303).location())
	if kept := again.form(t, draft.path); kept.Get("profile_name") != "House bank" || kept.Has("remember") {
		t.Errorf("after another reading the profile is %q, remembered %q", kept.Get("profile_name"), kept["remember"])
	}
}

func TestDatesWithoutAYearAskForThePeriod(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	draft := br.reads(t, "year.csv", "Buchungstag;Verwendungszweck;Betrag\n02.01.;Abschlag;-95,88\n31.12.;Abschluss;-8,90\n16.12.;RE 20417;1.250,00\n")
	draft.says(t, "From which day to which does this file go?", "Row 2 says “02.01.”.")
	wrong := br.submit(t, draft, draft.path, typed("period_from", "2026-01-14", "period_to", "2025-12-15")).want(t, 422).says(t, "The first day is after the last")
	if kept := wrong.form(t, draft.path); kept.Get("period_from") != "2026-01-14" {
		t.Errorf("what was typed is gone: %v", kept)
	}
	br.submit(t, wrong, draft.path, typed("period_from", "2025-12-15", "period_to", "2026-01-14")).want(t, 303)
	br.get(t, draft.path).says(t, "3 new = 3 rows in the file", "2025-12-31", "Store 3 lines")
}

func TestAFileOfSeveralAccountsIsReadForOne(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	draft := br.reads(t, "two.csv", "\"IBAN/BBAN\",\"Munt\",\"Datum\",\"Bedrag\"\nNL00RABO0000000001,EUR,2026-03-02,+1200.00\nNL00RABO0000000002,EUR,2026-03-03,-300.00\n")
	draft.says(t, "Which account of the bank is this statement of?", "NL00RABO0000000002", "1 row, the first in row 3")
	br.submit(t, draft, draft.path, typed("file_account", "NL00RABO0000000002")).want(t, 303)
	br.get(t, draft.path+"?rows=skipped").says(t, "1 new + 1 skipped = 2 rows in the file", "Of another account in the file")
}

func TestAKnownRowThatMayBeNewIsIncludedAndLeftOutAgain(t *testing.T) {
	t.Parallel()
	br := setup(t).browser(t, "preparer")
	br.stores(t, "march.csv", "date,amount,reference\n2026-03-02,10.00,a\n2026-03-03,-2.80,\n")
	draft := br.reads(t, "more.csv", "date,amount,reference\n2026-03-03,-2.80,\n2026-03-05,5.00,b\n").
		says(t, "1 new + 1 already known = 2 rows in the file", "1 known row may be new", "Store 1 line")
	known := br.get(t, draft.path+"?rows=known").says(t, "Known, may be new", "Equal to a line that statement 1 stored", "Include row 2")
	back := br.post(t, draft.path, known.filled(t, draft.path, typed("include", "2"))).want(t, 303)
	included := br.get(t, back.location()).says(t, "2 new = 2 rows in the file", "Store 2 lines")
	lines := br.get(t, draft.path+"?rows=new").says(t, "Included, though an equal line is stored.", "Leave row 2 out")
	br.post(t, draft.path, lines.filled(t, draft.path, typed("exclude", "2"))).want(t, 303)
	br.get(t, draft.path).says(t, "1 known row may be new", "Store 1 line")
	br.confirms(t, included).want(t, 422).says(t, "The settings of this file were changed meanwhile")
	again := br.get(t, draft.path)
	br.post(t, draft.path, again.filled(t, draft.path, typed("include", "2"))).want(t, 303)
	stored := br.confirms(t, br.get(t, draft.path)).want(t, 303)
	br.get(t, stored.location()).says(t, "2 lines stored.", "1 day is shared with the statement to 2026-03-03")
}
