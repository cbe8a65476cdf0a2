package web_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"daybook/store"
)

const (
	tokensPath   = "/settings/tokens?book=main"
	newTokenPath = "/settings/tokens/new?book=main"
)

var tokenText = regexp.MustCompile(`daybook_[A-Za-z0-9_-]{43}`)

func TestAPersonMakesAndRevokesTokensOfTheirOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.browser(t, "preparer")
	form := preparer.get(t, newTokenPath).want(t, 200).says(t, "Post entries")
	if text := form.text(t); strings.Contains(text, "Decide requests") || form.form(t, newTokenPath).Get("expires") != "2026-06-29" {
		t.Errorf("the form offers what the person may not do, or no end: %s", text)
	}
	preparer.submit(t, form, newTokenPath, typed("name", " ", "expires", "soon")).want(t, 422).says(t, "“soon” is not a date")
	preparer.submit(t, form, newTokenPath, typed("name", "x", "expires", "2026-03-30")).want(t, 422).says(t, "Last day lies in the past")
	preparer.submit(t, form, newTokenPath, typed("name", "x", "expires", "9999-12-31")).want(t, 422).says(t, "Last day lies after the year 9998")
	preparer.submit(t, form, newTokenPath, url.Values{"name": {"x"}, "rights": {"decide"}}).want(t, 422).says(t, "You may not decide requests yourself")
	wanted := url.Values{"name": {"Payment run"}, "rights": {"post"}, "expires": {"2026-03-31"}}
	made := preparer.submit(t, form, newTokenPath, wanted).want(t, 200).says(t, "This is shown once.", `curl -H "Authorization: Bearer $DAYBOOK_TOKEN" `+b.url+"/api/v1/books/main/balances")
	text := tokenText.FindString(made.body)
	again := preparer.submit(t, form, newTokenPath, wanted).want(t, 200).says(t, "This form was sent before.")
	if text == "" || tokenText.MatchString(again.body) || strings.Contains(b.log.String(), text) {
		t.Fatalf("the token is %q, or shown again or logged", text)
	}
	program := client{url: b.url + "/api/v1/books/main", token: text}
	program.key("k").post(t, "/entries", deposit("t1")).want(t, 201)
	program.post(t, "/entries/1/reversal-requests", reversal).refused(t, "forbidden", 403)

	list := preparer.get(t, tokensPath).want(t, 200).says(t, "Payment run Read, post", "2026-03-31 10:00", "Works")
	if strings.Count(list.body, "Payment run") < 1 || strings.Contains(list.text(t), "The viewer") || strings.Contains(list.body, text) {
		t.Errorf("the list shows what it should not: %s", list.text(t))
	}
	revoke := regexp.MustCompile(`/settings/tokens/\d+/revoke\?book=main`).FindString(list.body)
	b.browser(t, "viewer").post(t, revoke, nil).want(t, 403).says(t, "To manage users and tokens")
	for range 2 { // a double click
		preparer.post(t, revoke, nil).want(t, 303)
	}
	preparer.get(t, tokensPath).says(t, "The token “Payment run” is revoked.", "Revoked")
	program.get(t, "/entries").refused(t, "unauthenticated", 401)
	b.browser(t, "auditor").get(t, "/b/main/audit").says(t, "The preparer Revoke token Token 8", "The preparer Add token Token 8 Acts as preparer@demo.test, Name Payment run")
}

func TestAnAdministratorSeesAndRevokesTheTokensOfEveryone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin := b.browser(t, "admin")
	list := admin.get(t, tokensPath).want(t, 200).says(t, "The viewer", "The admin (you)", "All of the person", "No end", "Never")
	for _, revoke := range regexp.MustCompile(`/settings/tokens/\d+/revoke\?book=main`).FindAllString(list.body, -1) {
		admin.post(t, revoke, nil).want(t, 303)
	}
	b.as("viewer").get(t, "/entries").refused(t, "unauthenticated", 401)
	admin.post(t, "/settings/tokens/4711/revoke?book=main", nil).want(t, 404)
	b.browser(t, "stranger").get(t, tokensPath).want(t, 403)
	b.browser(t, "viewer").get(t, newTokenPath).says(t, "Nothing else: your own roles only let you read.")
}

func TestTheOtherBooksOfAPersonAreOneClickAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other, err := b.AddBook(t.Context(), "studio", "Kiln Studio", "EUR")
	ok(t, err)
	viewer := b.browser(t, "viewer")
	if page := viewer.get(t, "/b/main/journal"); strings.Contains(page.body, "Change book") {
		t.Error("who has one book is offered another")
	}
	user, err := b.UserByEmail(t.Context(), "viewer@demo.test")
	ok(t, err)
	ok(t, b.GrantRole(t.Context(), other, user.ID, store.Approver))
	viewer.get(t, "/b/main/journal").says(t, "Change book, now Main book main · EUR Kiln Studio studio · EUR")
	viewer.get(t, "/settings/books?book=main").want(t, 200).says(t, "Main book (open now) main EUR Viewer", "Kiln Studio studio EUR Approver")
	viewer.get(t, "/b/studio/journal").want(t, 200).says(t, "Change book, now Kiln Studio studio · EUR Main book")
}

func TestTheLimitOfAdjustingEntriesIsChangedOnThePageOfBooks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const path = "/settings/books?book=main"
	const action = "/settings/books/adjustment-limit?book=main"
	admin := b.browser(t, "admin")
	form := admin.get(t, path).want(t, 200).safe(t).says(t, "Adjusting entries in Main book", "is posted at once up to 10.00 EUR")
	filled := form.filled(t, action, typed("limit", "1,250.50"))
	admin.post(t, action, filled).want(t, 303)
	admin.post(t, action, filled).want(t, 303)
	admin.get(t, path).says(t, "Adjusting entries up to 1,250.50 EUR need no second person from now on.", "at once up to 1,250.50 EUR")
	if page := admin.submit(t, admin.get(t, path), action, typed("limit", "ten")).want(t, 422).safe(t).says(t, "“ten” is not an amount: write it as 1250.50"); page.form(t, action).Get("limit") != "ten" {
		t.Error("what was typed is gone")
	}
	admin.submit(t, admin.get(t, path), action, typed("limit", "-1")).want(t, 422).says(t, "Give an amount from 0 on")
	admin.submit(t, admin.get(t, path), action, typed("limit", "0")).want(t, 303)
	admin.get(t, path).says(t, "Every entry that settles a break waits for another person")
	viewer := b.browser(t, "viewer")
	if page := viewer.get(t, path).want(t, 200).says(t, "Every entry that settles a break"); strings.Contains(page.body, "adjustment-limit") {
		t.Error("a viewer is offered to change the limit")
	}
	viewer.post(t, action, filled).want(t, 403)
	b.browser(t, "auditor").get(t, auditPath).says(t, "Change limit of adjusting entries")
}
