package web_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/postgres"
)

func TestBalancesPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	// The future is written by a store whose clock stands in it.
	db, err := postgres.Open(t.Context(), b.appURL)
	ok(t, err)
	later := store.New(db, func() time.Time { return time.Date(2026, 4, 10, 9, 0, 0, 0, time.UTC) })
	t.Cleanup(func() { ok(t, later.Close()) })
	preparer, err := b.UserByEmail(t.Context(), "preparer@demo.test")
	ok(t, err)
	actor, err := b.Actor(t.Context(), preparer.ID, "main")
	ok(t, err)
	_, err = later.PostEntry(t.Context(), actor, "feb", ledger.Entry{
		TxID: "feb", EffectiveOn: ledger.MustDate("2026-02-10"), Description: "February",
		Postings: []ledger.Posting{{Account: "1010", AmountMinor: 7000, Currency: "EUR"}, {Account: "customer:bob", AmountMinor: -7000, Currency: "EUR"}},
	})
	ok(t, err)
	br := b.browser(t, "viewer")

	for address, texts := range map[string][]string{
		"":                                 {"All entries, EUR.", "80.00 0.00", "Balanced: debits = credits", "1 account without activity is not shown."},
		"?all=1":                           {"revenue:fees", "Account revenue:fees"},
		"?as_of=2026-02-28":                {"As of 28 February 2026", "70.00 0.00", "2 accounts without activity are not shown."},
		"?from=2026-03-01":                 {"Opening 1 March 2026", "Movement", "70.00", "10.00", "80.00"},
		"?known_at=2026-03-31":             {"The book as it was known on", "10.00 0.00", "Back to now"},
		"?known_at=2026-03-31T09:59":       {"The book as it was known on", "Nothing was posted"},
		"?known_at=2026-03-31T10:00:00Z":   {"10.00 0.00"},
		"?known_at=2026-04-10T09:00":       {"80.00 0.00"},
		"?as_of=2026-01-31":                {"Nothing was posted up to this day"},
		"?as_of=2026-03-31&known_at=&all=": {"As of 31 March 2026"},
	} {
		br.get(t, "/b/main/balances"+address).want(t, 200).says(t, texts...)
	}
	for address, text := range map[string]string{
		"?as_of=31-03-2026": "“31-03-2026” is not a date", "?from=x": "“x” is not a date", "?known_at=noon": "“noon” is not a moment",
		"?as_of=2026-02-01&from=2026-02-02": "The movement begins after the day of the balances",
	} {
		if answer := br.get(t, "/b/main/balances"+address).want(t, 422).says(t, text); strings.Contains(answer.text(t), "80.00") || strings.Contains(answer.text(t), "Balanced") || strings.Contains(answer.text(t), "No accounts yet") {
			t.Errorf("%s shows figures that nobody asked for", address)
		}
	}
}

func TestManyClicksAtOncePostOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	filled := br.get(t, newEntryPath).filled(t, newEntryPath, newEntry("t1", "10"))
	var clicks sync.WaitGroup
	for range 12 {
		clicks.Go(func() {
			one := &browser{b: b, session: br.session, site: "same-origin"}
			if answer := one.post(t, newEntryPath, filled); answer.status != 303 || answer.location() != "/b/main/journal/1" {
				t.Errorf("a click got %d to %s", answer.status, answer.location())
			}
		})
	}
	clicks.Wait()
	br.get(t, "/b/main/journal").says(t, "All 1 entry")
}

func TestErrorsHaveAPageOfTheirOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	br.get(t, "/logout").want(t, 405).says(t, "This address does not take that")
	br.get(t, "/b/main/nowhere").want(t, 404).says(t, "There is nothing at this address")
	br.post(t, newEntryPath, typed("form", "k", "description", strings.Repeat("a", 3<<20))).want(t, 413).says(t, "That is too large", "2 MiB")
	if head := br.send(t, http.MethodHead, "/b/main/balances", "", nil); head.status != 200 || head.body != "" {
		t.Errorf("HEAD answered %d with %q", head.status, head.body)
	}
	user, err := b.UserByEmail(t.Context(), "preparer@demo.test")
	ok(t, err)
	ok(t, b.DisableUser(t.Context(), user.ID))
	br.get(t, "/b/main/balances").want(t, 401).says(t, "You are not signed in", "Sign in")
	br.post(t, newEntryPath, typed("form", "k")).want(t, 401)
}

func TestTheThemeIsThatOfTheCookie(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for cookie, theme := range map[string]string{"": "light", "dark": "dark", "light": "light", `"><x`: "light"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/login", nil)
		ok(t, err)
		request.Header.Set("Cookie", "theme="+cookie)
		answer, err := http.DefaultTransport.RoundTrip(request)
		ok(t, err)
		page := readPage(t, answer)
		if !strings.Contains(page.body, `data-bs-theme="`+theme+`"`) {
			t.Errorf("theme %q is not shown as %s", cookie, theme)
		}
	}
}
