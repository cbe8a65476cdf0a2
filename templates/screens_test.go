package templates

import (
	"bytes"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// screens are the pages that golden files hold, by name.
func screens() map[string]templ.Component {
	emptyJournal := Journal{Shell: shell("Journal", PageJournal), MayPost: true}
	nothingFound := journal()
	nothingFound.Rows, nothingFound.Totals, nothingFound.Older = nil, JournalTotals{}, ""
	wrong := nothingFound
	wrong.Filter, wrong.Account = JournalFilter{Account: "customer", From: "2026-03-31", To: "2026-03-01"}, nil
	wrong.Errors = []ledger.FieldError{
		{Field: "account", Detail: "“customer” fits customer:bord Bord & Co and customer:noor Atelier Noor: write more of the one you mean"},
		{Field: "from", Detail: "This day is after the last one, 2026-03-01"},
	}
	posted := newEntry()
	posted.Posted = 1707
	flash := wholeJournal()
	flash.Theme = "dark"
	flash.Flash = &ui.Alert{Tone: ui.OK, Title: "Entry #1,707 is posted.", Link: ui.Link{Text: "Post another", Href: "/b/main/journal/new"}}
	return map[string]templ.Component{
		"login":          LoginPage(Login{Next: "/b/main/journal"}),
		"login-refused":  LoginPage(Login{Email: "tom@kiln.test", Error: "E-mail or password is wrong.", Theme: "dark"}),
		"balances":       BalancesPage(balances()),
		"balances-mixed": BalancesPage(mixedBalances()),
		"balances-none":  BalancesPage(Balances{Shell: shell("Balances", PageBalances)}),
		"journal":        JournalPage(journal()),
		"journal-dark":   JournalPage(flash),
		"journal-side":   JournalPage(creditsOf1010()),
		"journal-wrong":  JournalPage(wrong),
		"journal-empty":  JournalPage(emptyJournal),
		"journal-none":   JournalPage(nothingFound),
		"entry":          EntryPage(entry()),
		"entry-new":      NewEntryPage(newEntry()),
		"entry-refused":  NewEntryPage(refusedEntry()),
		"entry-posted":   NewEntryPage(posted),
		"entry-none":     NewEntryPage(NewEntry{Shell: newEntry().Shell, Form: "form-51d0-4c9e-b7aa", EffectiveOn: "2026-04-01"}),
		"error-403":      ErrorView(forbiddenPage()),
		"no-book":        NoBookPage(NoBook{}),
		"error-404":      ErrorView(ErrorPage{Shell: shell("Not found", ""), Status: 404, Title: "There is no entry #9,999 in book main", Detail: "The book ends at #1,706."}),
		"error-409":      ErrorView(ErrorPage{Shell: shell("Conflict", ""), Status: 409}),
		"error-422":      ErrorView(ErrorPage{Shell: shell("Refused", ""), Status: 422}),
		"error-500":      ErrorView(ErrorPage{Status: 500, Request: "q7f3e1"}),
	}
}

func TestScreensAreAsAgreed(t *testing.T) {
	t.Parallel()
	for name, screen := range screens() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, name, screen)
			checkPolicy(t, screen)
		})
	}
}

func page(t *testing.T, screen templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := screen.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEverySignedInScreenHasOneHeadingAndOneMain(t *testing.T) {
	t.Parallel()
	for name, screen := range screens() {
		html := page(t, screen)
		for _, tag := range []string{"<h1", "<main", "<title"} {
			if n := strings.Count(html, tag); n != 1 {
				t.Errorf("%s has %d of %s", name, n, tag)
			}
		}
	}
}

func TestLoginShowsNothingOfTheBooks(t *testing.T) {
	t.Parallel()
	html := page(t, LoginPage(Login{}))
	if strings.Contains(html, "/b/") || strings.Contains(html, "EUR") {
		t.Error("the sign-in page tells something of a book")
	}
}

func TestTextFromOutsideIsShownAsText(t *testing.T) {
	t.Parallel()
	const hostile = `"><script>alert(1)</script>`
	j := journal()
	j.Filter.Query, j.Rows[0].Description, j.Rows[0].TxID = hostile, hostile, hostile
	e := refusedEntry()
	e.TxID, e.Lines[0].Debit, e.Message = hostile, hostile, hostile
	for _, screen := range []templ.Component{JournalPage(j), NewEntryPage(e), LoginPage(Login{Email: hostile, Next: hostile, Error: hostile})} {
		if strings.Contains(page(t, screen), "<script>alert") {
			t.Error("markup from outside reached the page")
		}
	}
}

func TestAFilterIsTakenAwayOneAtATime(t *testing.T) {
	t.Parallel()
	j := journal()
	j.Filter.Query = "rent & co"
	want := []ui.Pill{
		{Text: "“rent & co”", Remove: "/b/main/journal?account=1010&from=2026-03-01&to=2026-03-31"},
		{Text: "Account 1010 Bank, operating", Remove: "/b/main/journal?from=2026-03-01&q=rent+%26+co&to=2026-03-31"},
		{Text: "2026-03-01 to 2026-03-31", Remove: "/b/main/journal?account=1010&q=rent+%26+co"},
	}
	got := j.pills().Items
	if len(got) != len(want) {
		t.Fatalf("pills %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("pill %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestBalancesThatDoNotAddUpSaySo(t *testing.T) {
	t.Parallel()
	b := balances()
	b.Groups[0].Rows[0].BalanceMinor++
	if chip := b.chip(); chip.Tone != ui.Bad || chip.Text != "Not balanced: EUR" {
		t.Errorf("chip %+v", chip)
	}
	if chip := balances().chip(); chip.Tone != ui.OK {
		t.Errorf("chip %+v", chip)
	}
}

func TestAnErrorOfAnAmountPointsToTheSideItWasTypedOn(t *testing.T) {
	t.Parallel()
	n := newEntry()
	n.Lines = []ui.Line{{Debit: "1"}, {Credit: "0"}, {}}
	n.Errors = []ledger.FieldError{{Field: "postings[0].amount"}, {Field: "postings[1].amount"}, {Field: "postings[2].currency"}, {Field: "tx_id"}}
	want := []string{"postings[0].debit", "postings[1].credit", "postings[2].account", "tx_id"}
	for i, e := range n.errors() {
		if e.Field != want[i] {
			t.Errorf("error %d is at %s, want %s", i, e.Field, want[i])
		}
	}
}
