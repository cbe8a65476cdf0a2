package web_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// browse sends one request as a browser that does not follow where it is sent.
func (b *bundle) browse(t *testing.T, method, path, session string, form url.Values) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, b.url+path, strings.NewReader(form.Encode()))
	ok(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	if session != "" {
		request.AddCookie(&http.Cookie{Name: "daybook", Value: session})
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	ok(t, err)
	ok(t, answer.Body.Close())
	return answer
}

func (b *bundle) logIn(t *testing.T, name, session string) *http.Cookie {
	t.Helper()
	answer := b.browse(t, http.MethodPost, "/login", session, url.Values{"email": {name + "@demo.test"}, "password": {password}})
	if answer.StatusCode != http.StatusSeeOther || len(answer.Cookies()) != 1 {
		t.Fatalf("signing in answered %d with cookies %v", answer.StatusCode, answer.Cookies())
	}
	return answer.Cookies()[0]
}

func TestSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.logIn(t, "preparer", "")
	if !first.HttpOnly || first.SameSite != http.SameSiteLaxMode || first.Path != "/" {
		t.Errorf("the cookie is %v", first)
	}
	if answer := b.browse(t, http.MethodGet, "/b/main/journal", first.Value, nil); answer.StatusCode != http.StatusOK {
		t.Errorf("the journal answered %d", answer.StatusCode)
	}
	conn, err := pgx.Connect(t.Context(), b.ownerURL)
	ok(t, err)
	defer conn.Close(t.Context())
	var plain int
	ok(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM sessions WHERE token = $1`, first.Value).Scan(&plain))
	if plain != 0 {
		t.Error("the token is stored as it is in the cookie")
	}

	second := b.logIn(t, "preparer", first.Value)
	if second.Value == first.Value {
		t.Error("signing in kept the token of the session before")
	}
	if answer := b.browse(t, http.MethodGet, "/b/main/journal", first.Value, nil); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("the token of before still answers %d", answer.StatusCode)
	}

	if answer := b.browse(t, http.MethodPost, "/logout", second.Value, nil); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("signing out answered %d", answer.StatusCode)
	}
	answer := b.browse(t, http.MethodGet, "/b/main/journal?q=a", second.Value, nil)
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != "/login?next=%2Fb%2Fmain%2Fjournal%3Fq%3Da" {
		t.Errorf("after signing out a copy of the cookie got %d to %s", answer.StatusCode, answer.Header.Get("Location"))
	}
	if answer := b.browse(t, http.MethodPost, "/b/main/journal/new", second.Value, nil); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("a form without a session got %d", answer.StatusCode)
	}
	if answer := b.browse(t, http.MethodGet, "/api/v1/books/main/entries", b.logIn(t, "preparer", "").Value, nil); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("the API took a session: %d", answer.StatusCode)
	}
}

func TestARequestUnderWayDoesNotReviveASessionThatEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	patient := &http.Transport{ExpectContinueTimeout: time.Minute}
	t.Cleanup(patient.CloseIdleConnections)
	for _, leave := range []string{"/logout", "/login"} {
		session := b.logIn(t, "preparer", "").Value
		body, typing := io.Pipe()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/b/main/journal/new", body)
		ok(t, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		// The form is asked for once the session has been read.
		request.Header.Set("Expect", "100-continue")
		request.AddCookie(&http.Cookie{Name: "daybook", Value: session})
		answered := make(chan error, 1)
		go func() {
			answer, err := patient.RoundTrip(request)
			if err == nil {
				err = answer.Body.Close()
			}
			answered <- err
		}()
		_, err = typing.Write([]byte("description=typed+slowly"))
		ok(t, err)
		b.browse(t, http.MethodPost, leave, session, url.Values{"email": {"viewer@demo.test"}, "password": {password}})
		ok(t, typing.Close())
		ok(t, <-answered)
		if answer := b.browse(t, http.MethodGet, "/b/main/journal", session, nil); answer.StatusCode != http.StatusSeeOther {
			t.Errorf("after %s and the answer to an older form, the session answers %d", leave, answer.StatusCode)
		}
	}
}

func TestANewPasswordEndsTheSessionsOfTheOld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "viewer")
	br.get(t, "/b/main/journal").want(t, 200)
	user, err := b.UserByEmail(t.Context(), "viewer@demo.test")
	ok(t, err)
	ok(t, b.SetPassword(t.Context(), user.ID, "another password for tests"))
	if answer := br.send(t, "GET", "/b/main/journal", "", nil); answer.status != 303 {
		t.Errorf("a session of the old password still answers %d", answer.status)
	}
	br.post(t, "/b/main/journal/new", typed("form", "k")).want(t, 401)
}

func TestASessionIsOverOnceItsLoginWasDisabled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "viewer")
	br.get(t, "/b/main/journal").want(t, 200)
	user, err := b.UserByEmail(t.Context(), "viewer@demo.test")
	ok(t, err)
	ok(t, b.EnableUser(t.Context(), user.ID))
	br.get(t, "/b/main/journal").want(t, 200)
	ok(t, b.DisableUser(t.Context(), user.ID))
	ok(t, b.EnableUser(t.Context(), user.ID))
	if answer := br.send(t, "GET", "/b/main/journal", "", nil); answer.status != 303 {
		t.Errorf("a session of before the login was disabled answers %d", answer.status)
	}
}
