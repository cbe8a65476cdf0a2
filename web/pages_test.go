package web_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/net/html"

	"daybook/web"
)

// story fills the book with one of everything: entry 1 reversed and replaced, entry 4 awaiting a reversal (request 2), and
// the statement of the example (reconciliation 1) with its breaks.
func (b *bundle) story(t *testing.T) {
	t.Helper()
	preparer := b.as("preparer")
	preparer.key("s1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	preparer.post(t, "/entries/1/reversal-requests", `{"reason":"wrong","effective_on":"2026-03-02","replacement":`+deposits("t1-fix", 1000)+`}`).want(t, 201)
	b.as("approver").post(t, "/approvals/1/approve", `{"note":""}`).want(t, 200)
	preparer.key("s2").post(t, "/entries", deposits("t2", 2500)).want(t, 201)
	preparer.key("s3").post(t, "/entries", deposits("t3", 700)).want(t, 201)
	preparer.post(t, "/entries/4/reversal-requests", `{"reason":"double","effective_on":"2026-03-02"}`).want(t, 201)
	b.browser(t, "preparer").stores(t, "march.csv", exampleFile)
}

const exampleFile = "date,amount,reference,description\n2026-03-01,10.00,t1,one\n2026-03-01,24.50,t2,two\n2026-03-01,3.00,t4,four\n"

// allPages are the pages of a book with a story.
var allPages = []string{
	"/b/main/balances", "/b/main/balances?as_of=2026-03-31&from=2026-03-02&all=1", "/b/main/balances?as_of=never", "/b/main/journal", "/b/main/journal?q=%23&open=2",
	"/b/main/journal?from=x", "/b/main/journal/1", "/b/main/journal/2", "/b/main/journal/3", "/b/main/approvals", "/b/main/approvals?id=1", "/b/main/approvals?id=2",
	"/b/main/approvals?status=mine", "/b/main/approvals?status=done", "/b/main/statements", "/b/main/reconciliations/1", "/b/main/reconciliations/1?tab=matched",
	"/b/main/reconciliations/1?tab=lines", "/b/main/reconciliations/1?tab=rows", "/b/main/reconciliations/1?type=amount_mismatch&status=open", "/b/main/breaks/1",
	"/b/main/accounts", "/b/main/accounts/1010?from=&to=&subtotals=day", "/b/main/accounts/customer:alice?amounts=signed", "/b/main/accounts/none", "/b/main/periods",
	"/b/main/journal/new", "/b/main/journal/5/reverse", "/b/main/journal/5/reverse?with_replacement=open", "/b/main/journal/4/reverse", "/b/main/statements/new", auditPath, profilePath,
}

func TestEveryRoleSeesWhatItMayAndIsToldWhatIsMissing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.story(t)
	needs := map[string]string{"/b/main/journal/new": "post", "/b/main/journal/5/reverse": "request", "/b/main/statements/new": "upload"}
	for name := range people {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			br := b.browser(t, name)
			prepares := name == "preparer" || name == "controller"
			for _, path := range []string{"/b/main", "/b/main/balances", "/b/main/journal", "/b/main/journal/1", "/b/main/approvals?id=2", "/b/main/statements", "/b/main/reconciliations/1", "/b/main/breaks/1"} {
				if name == "stranger" {
					br.get(t, path).want(t, 403).says(t, "to read this book you need the right"[3:])
				} else {
					br.get(t, path).want(t, 200)
				}
			}
			for path, right := range needs {
				switch {
				case prepares:
					br.get(t, path).want(t, 200)
				case name != "stranger":
					br.get(t, path).want(t, 403).says(t, "need the right \""+right+"\", which the role preparer has", "Your rights in main", "Quote request")
				}
			}
			if name != "stranger" {
				br.get(t, "/b/main/journal/99").want(t, 404).says(t, "Book main has no entry 99")
				br.get(t, "/b/main/journal/x").want(t, 404)
				br.get(t, "/b/other/journal").want(t, 404).says(t, "There is no book \"other\"")
				br.get(t, "/").want(t, 200).says(t, "Hello, The "+name)
			} else {
				br.get(t, "/").want(t, 403).says(t, "No book is open to you")
			}
		})
	}
}

func TestPagesAreSafeToShow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hostile := `</td><script>alert(1)</script><img src=x onerror=alert(2)>"'`
	b.story(t)
	form := typed("tx_id", "h1", "effective_on", "2026-03-05", "description", hostile, "postings[0].account", "1010", "postings[0].debit", "1", "postings[1].account", "customer:bob", "postings[1].credit", "1")
	preparer := b.browser(t, "preparer")
	preparer.submit(t, preparer.get(t, "/b/main/journal/new"), "/b/main/journal/new", form).want(t, 303)
	for _, name := range []string{"viewer", "controller", "approver"} {
		br := b.browser(t, name)
		for _, path := range append(allPages, "/b/main/journal/6", "/b/main/journal?q="+url.QueryEscape(hostile), "/b/main/journal?account="+url.QueryEscape(hostile), "/login?next="+url.QueryEscape(hostile), "/nowhere") {
			br.get(t, path).safe(t)
		}
	}
	(&browser{b: b, site: "none"}).get(t, "/nowhere").want(t, 404).safe(t)
	preparer.get(t, "/b/main/journal/6").says(t, hostile)
	form.Set("postings[1].account", hostile)
	form.Set("tx_id", "h2")
	preparer.submit(t, preparer.get(t, "/b/main/journal/new"), "/b/main/journal/new", form).want(t, 422).safe(t).says(t, "Line 2: there is no account")
}

// safe asks for the headers that keep a page from harm, and for a page that has nothing inline.
func (p page) safe(t *testing.T) page {
	t.Helper()
	policy := p.header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self'") || strings.Contains(policy, "unsafe") || p.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s has the policy %q and caching %q", p.path, policy, p.header.Get("Cache-Control"))
	}
	for n := range p.node(t).Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "style" || n.Data == "script" && (attribute(n, "src") == "" || n.FirstChild != nil) {
			t.Errorf("%s has an inline %s", p.path, n.Data)
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") || strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") {
				t.Errorf("%s has %s=%q on a %s", p.path, a.Key, a.Val, n.Data)
			}
		}
	}
	if p.status >= 500 || p.status == 0 {
		t.Errorf("%s answered %d", p.path, p.status)
	}
	return p
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	filled := br.get(t, "/b/main/journal/new").filled(t, "/b/main/journal/new", newEntry("t1", "10.00"))
	for _, site := range []string{"cross-site", "same-site"} {
		br.site = site
		br.post(t, "/b/main/journal/new", filled).want(t, 403).says(t, "another site")
		br.post(t, "/logout", nil).want(t, 403)
		br.post(t, "/login", typed("email", "viewer@demo.test", "password", password)).want(t, 403)
	}
	br.site = "same-origin"
	br.get(t, "/b/main/journal").want(t, 200).says(t, "No entries yet")
	br.post(t, "/b/main/journal/new", filled).want(t, 303)
}

func TestSigningIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := &browser{b: b, site: "same-origin"}
	for _, path := range allPages {
		answer := br.send(t, http.MethodGet, path, "", nil).want(t, 303)
		if want := "/login?next=" + url.QueryEscape(path); answer.location() != want {
			t.Errorf("%s leads to %s, want %s", path, answer.location(), want)
		}
	}
	br.post(t, "/login", typed("email", "viewer@demo.test", "password", "wrong", "next", "/b/main/journal")).want(t, 422).
		says(t, "The e-mail address or the password is not right.")
	for next, want := range map[string]string{
		"/b/main/journal?q=a": "/b/main/journal?q=a", "": "/", "//evil.test": "/", `/\evil.test`: "/", `\\evil.test`: "/", "https://evil.test/": "/",
		"javascript:alert(1)": "/", "/\t/evil.test": "/", "evil": "/", "/login?next=/login": "/", "/logout": "/", "/%2F/evil.test": "/%2F/evil.test", "//": "/",
	} {
		answer := (&browser{b: b, site: "same-origin"}).post(t, "/login", typed("email", "viewer@demo.test", "password", password, "next", next)).want(t, 303)
		if answer.location() != want {
			t.Errorf("next=%q leads to %q, want %q", next, answer.location(), want)
		}
	}
	for range 5 {
		br.post(t, "/login", typed("email", "admin@demo.test", "password", "guess")).want(t, 422)
	}
	answer := br.post(t, "/login", typed("email", "admin@demo.test", "password", password)).want(t, 429).says(t, "Too many failed sign-ins")
	if answer.header.Get("Retry-After") == "" || answer.form(t, "/login").Get("email") != "admin@demo.test" {
		t.Errorf("throttled without a time to wait, or the address is gone: %v", answer.header)
	}
}

func TestRefusedFormsAreInTheAuditLog(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer, viewer := b.browser(t, "preparer"), b.browser(t, "viewer")
	form := preparer.get(t, "/b/main/journal/new").filled(t, "/b/main/journal/new", newEntry("t1", "1x"))
	preparer.post(t, "/b/main/journal/new", form).want(t, 422)
	viewer.post(t, "/b/main/journal/new", form).want(t, 403)
	conn, err := pgx.Connect(t.Context(), b.ownerURL)
	ok(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `SELECT email || ' ' || action || ' ' || outcome || ' ' || (detail->>'kind') FROM audit_log WHERE action = 'entry.post' ORDER BY at, id`)
	ok(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	ok(t, err)
	if want := "preparer@demo.test entry.post refused invalid|viewer@demo.test entry.post refused forbidden"; strings.Join(found, "|") != want {
		t.Errorf("the audit log has %q, want %q", found, want)
	}
}

func TestACursorBeyondAllNumbersIsBeyondTheLastRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	br := b.browser(t, "preparer")
	one := br.upload(t, uploadPath, br.get(t, uploadPath).filled(t, uploadPath, typed("account", "1010")), "march.csv", exampleStatement).want(t, 303)
	for _, path := range []string{
		"/b/main/statements?before=", "/b/main/approvals?status=done&before=", one.location() + "?after=", one.location() + "?tab=lines&after=",
		one.location() + "?tab=matched&after=", "/b/main/journal?before=", "/b/main/journal?after=",
	} {
		for _, number := range []string{"2147483648", "9999999999999", "9223372036854775808", "-1", "x"} {
			br.get(t, path+number).want(t, 200)
		}
	}
}

func TestARequestThatTakesTooLongIsToldSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	handler, err := web.New(web.Config{Store: b.Store, Log: slog.New(slog.NewTextHandler(b.log, nil)), Now: now, WaitLimit: time.Second})
	ok(t, err)
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	request := httptest.NewRequestWithContext(late, http.MethodGet, "/b/main/journal", nil)
	request.AddCookie(&http.Cookie{Name: "daybook", Value: b.logIn(t, "viewer", "").Value})
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	if body := answer.Body.String(); answer.Code != http.StatusServiceUnavailable || !strings.Contains(body, "took too long") || !strings.Contains(body, "</html>") {
		t.Errorf("answered %d with %q", answer.Code, body)
	}
}
