package web_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

const profilePath = "/settings/profile?book=main"

// prefers saves preferences on the person's own page, as pairs of name and value.
func (br *browser) prefers(t *testing.T, pairs ...string) page {
	t.Helper()
	answer := br.submit(t, br.get(t, profilePath), profilePath, typed(pairs...)).want(t, 303)
	return br.get(t, answer.location()).want(t, 200).says(t, "Your preferences are saved.")
}

// inCommas chooses another style of everything.
func (br *browser) inCommas(t *testing.T) page {
	t.Helper()
	return br.prefers(t, "numbers", "point-comma", "negatives", "minus", "dates", "dd.mm.yyyy")
}

func TestFiguresAreWrittenAsTheirReaderWants(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("t1").post(t, "/entries", deposits("t1", 123456789)).want(t, 201)
	mine, other := b.browser(t, "viewer"), b.browser(t, "approver")
	mine.inCommas(t).says(t, "is shown as −1.234,56 on 31.03.2026", "As of 31.03.2026 10:00 UTC", "viewer@demo.test", "Main book", "viewer")

	mine.get(t, "/b/main/balances").says(t, "1.234.567,89")
	mine.get(t, "/b/main/journal").says(t, "01.03.2026", "1.234.567,89")
	mine.get(t, "/b/main/journal?amount=1.234.567,89").says(t, "All 1 entry")
	for _, path := range []string{"/b/main/balances", "/b/main/journal"} {
		other.get(t, path).says(t, "1,234,567.89", "As of 2026-03-31")
	}
	if page := mine.get(t, "/b/main/balances"); !strings.Contains(page.body, `value="1234567.89"`) {
		t.Error("a machine reads the amount as a person does")
	}
	csv := mine.get(t, "/b/main/accounts/1010/export.csv?from=2026-03-01&to=2026-03-31")
	if csv.status == 200 && (!strings.Contains(csv.body, "1234567.89") || !strings.Contains(csv.body, "2026-03-01")) {
		t.Errorf("a file follows the reader: %s", csv.body)
	}
}

// house is what only the house's own style writes.
var house = regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b|\d,\d{3}|\d\.\d\d\b(?:[^.\d]|$)`)

func TestNoPageForgetsItsReader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for id, amount := range map[string]int64{"t1": 150000, "t2": 250000, "t3": 70000} {
		b.as("preparer").key(id).post(t, "/entries", deposits(id, amount)).want(t, 201)
	}
	// The file writes as the reader does, so that only what the pages write can look otherwise.
	uploaded := b.as("preparer").upload(t, "Date;Reference;Description;Amount\n01.03.2026;t1;Deposit;1.500,00\n02.03.2026;t2;Deposit;2.400,00\n03.03.2026;t9;Deposit;1.003,00\n", "account=1010").want(t, 201)
	reconciliation := fmt.Sprintf("/b/main/reconciliations/%v", uploaded["reconciliation_id"])
	br := b.browser(t, "controller")
	br.inCommas(t)
	request := b.as("preparer").post(t, "/entries/3/reversal-requests", `{"reason":"wrong","effective_on":"2026-03-31"}`).want(t, 201)
	for _, path := range []string{
		"", "/balances?from=2026-03-01&as_of=2026-03-31", "/accounts", "/accounts/1010", "/journal", "/journal?from=2026-03-01&to=2026-03-31", "/journal/1", "/journal/1/reverse?with_replacement=open&form=k1",
		"/approvals", fmt.Sprintf("/approvals?id=%v", request["approval_id"]), "/statements", "/periods", "/journal/new?form=k2",
	} {
		br.isTrueTo(t, "/b/main"+path)
	}
	for _, query := range []string{"", "?tab=matched", "?tab=lines"} {
		br.isTrueTo(t, reconciliation+query)
	}
	breaks := b.as("viewer").get(t, fmt.Sprintf("/reconciliations/%v/breaks", uploaded["reconciliation_id"])).want(t, 200)["items"].([]any)
	for _, one := range breaks {
		br.isTrueTo(t, fmt.Sprintf("/b/main/breaks/%v", one.(map[string]any)["id"]))
	}
}

// stored is what the matching says of a break. Its words are on record as they were said.
var stored = regexp.MustCompile(`\d+\.\d\d (less|more) at the bank`)

// isTrueTo asks that nothing on a page is written in the house's style.
func (br *browser) isTrueTo(t *testing.T, path string) {
	t.Helper()
	text := stored.ReplaceAllString(br.get(t, path).want(t, 200).text(t), "")
	for _, at := range house.FindAllStringIndex(text, -1) {
		t.Errorf("%s says %q", path, text[max(at[0]-60, 0):min(at[1]+20, len(text))])
	}
}

func TestAmountsAreTypedAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	br.inCommas(t)
	answer := br.submit(t, br.get(t, newEntryPath), newEntryPath, newEntry("t1", "1.234,56")).want(t, 303)
	br.get(t, answer.location()).says(t, "1.234,56")
	answer = br.submit(t, br.get(t, newEntryPath), newEntryPath, newEntry("t2", "1234.56")).want(t, 303)
	br.get(t, answer.location()).says(t, "1.234,56")

	doubtful := br.submit(t, br.get(t, newEntryPath), newEntryPath, newEntry("t3", "1.234")).want(t, 422)
	doubtful.says(t, `Line 1: "1.234" can be read in two ways: leave the point out, or write it as 1234,56`)
	if kept := doubtful.form(t, newEntryPath); kept.Get("postings[0].debit") != "1.234" || kept.Get("postings[2].credit") != "1.234" {
		t.Errorf("kept %v", kept)
	}
	unequal := newEntry("t3", "1.500,25")
	unequal.Set("postings[2].credit", "1.500")
	unequal.Set("add", "line")
	br.submit(t, doubtful, newEntryPath, unequal).want(t, 200).says(t, "1.500,25")
	reverse := br.get(t, "/b/main/journal/1/reverse?with_replacement=open")
	if got := reverse.form(t, "/b/main/journal/1/reverse").Get("replacement.postings[0].debit"); got != "1234,56" {
		t.Errorf("a replacement begins with %q", got)
	}
}

func TestPreferencesThatThereAreNot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "viewer")
	refused := br.submit(t, br.get(t, profilePath), profilePath, typed("numbers", "roman", "theme", "dark")).want(t, 422)
	refused.says(t, "Must be comma-point, point-comma, space-comma, apostrophe-point")
	if refused.form(t, profilePath).Get("theme") != "dark" || !strings.Contains(refused.body, `data-bs-theme="light"`) {
		t.Error("what was chosen besides is lost, or is saved")
	}
	b.browser(t, "stranger").get(t, profilePath).want(t, 403)
	(&browser{b: b, site: "same-origin"}).get(t, profilePath).says(t, "Sign in")
}

func TestTheThemeIsKeptForThePerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br, again, other := b.browser(t, "viewer"), b.browser(t, "viewer"), b.browser(t, "approver")
	br.post(t, "/settings/profile/theme", typed("theme", "dark")).want(t, 204)
	br.post(t, "/settings/profile/theme", typed("theme", "pink")).want(t, 422)
	for name, c := range map[string]struct {
		br   *browser
		want string
	}{"here": {br, "dark"}, "elsewhere": {again, "dark"}, "for another": {other, "light"}} {
		if page := c.br.get(t, "/b/main/balances"); !strings.Contains(page.body, `data-bs-theme="`+c.want+`"`) {
			t.Errorf("%s it is not %s", name, c.want)
		}
	}
	saved := br.prefers(t, "theme", "system", "density", "compact")
	if !strings.Contains(saved.body, `data-scheme="system"`) || !strings.Contains(saved.body, `data-density="compact"`) || !strings.Contains(saved.body, `content="light dark"`) {
		t.Error("the page does not follow the system, or is not compact")
	}
	if page := other.get(t, "/b/main/balances"); strings.Contains(page.body, "data-density") || strings.Contains(page.body, "data-scheme") {
		t.Error("another person's page follows")
	}
}

func TestAPersonChangesTheirPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const path, next = "/settings/profile/password?book=main", "another password for tests"
	here, elsewhere := b.browser(t, "viewer"), b.browser(t, "viewer")
	form := here.get(t, profilePath)
	change := func(current, password, again string) url.Values {
		return typed("current_password", current, "password", password, "password_again", again)
	}
	here.submit(t, form, path, change("not it, by any means", next, next)).want(t, 422).says(t, "This is not your password")
	here.submit(t, form, path, change(password, next, next+"s")).want(t, 422).says(t, "The two new passwords differ")
	refused := here.submit(t, form, path, change(password, "short", "short")).want(t, 422).says(t, "Use at least 12 characters")
	if strings.Contains(refused.body, password) {
		t.Error("a password is shown again")
	}
	before := here.session
	answer := here.submit(t, form, path, change(password, next, next)).want(t, 303)
	here.get(t, answer.location()).want(t, 200).says(t, "Your password is changed.", "You are signed out everywhere else.")
	if before == here.session {
		t.Error("the session keeps its token")
	}
	elsewhere.get(t, "/b/main/balances").says(t, "Sign in")
}
