package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daybook/store"
)

func TestAPIAccess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	nobody := client{url: b.url + "/api/v1/books/main"}

	t.Run("AsksForATokenFirst", func(t *testing.T) {
		t.Parallel()
		for _, c := range []client{nobody, {url: nobody.url, token: "wrong"}, nobody.with("Authorization", "Basic dG9rZW4tdmlld2VyOg=="), {url: b.url + "/api/v1/books/nowhere"}} {
			answer := c.post(t, "/entries", "not even JSON")
			answer.refused(t, "unauthenticated", 401)
			if answer.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("no header asks for a token: %v", answer.header)
			}
		}
	})
	t.Run("TellsOfAMissingRightBeforeKeyAndBody", func(t *testing.T) {
		t.Parallel()
		for path, right := range map[string]string{
			"/entries": "post", "/entries/1/reversal-requests": "request", "/accounts": "accounts",
		} {
			problem := b.as("viewer").key("ü").post(t, path, "not even JSON").refused(t, "forbidden", 403)
			if problem["right"] != right || !strings.Contains(problem["detail"].(string), right) {
				t.Errorf("%s: the missing right is not told: %v", path, problem)
			}
		}
	})
	t.Run("TellsOfTheKeyBeforeTheBody", func(t *testing.T) {
		t.Parallel()
		b.as("preparer").post(t, "/entries", "not even JSON").refused(t, "idempotency-key-missing", 400)
		b.as("preparer").key("").post(t, "/entries", "not even JSON").refused(t, "idempotency-key-missing", 400)
		for _, key := range []string{"a\tb", `"open`, strings.Repeat("k", 256), "schl\u00fcssel"} {
			b.as("preparer").key(key).post(t, "/entries", "not even JSON").refused(t, "idempotency-key-invalid", 400)
		}
		b.as("admin").key(`"`).post(t, "/accounts", "not even JSON").refused(t, "idempotency-key-invalid", 400)
	})
	t.Run("KnowsOnlyWhatThereIs", func(t *testing.T) {
		t.Parallel()
		b.as("viewer").get(t, "/invoices").refused(t, "not-found", 404)
		b.as("preparer").post(t, "/outbox", "").refused(t, "not-found", 404)
		b.as("viewer").send(t, "DELETE", "/entries", "").refused(t, "method-not-allowed", 405)
		client{url: b.url, token: "token-viewer"}.get(t, "/api").refused(t, "not-found", 404)
		client{url: b.url, token: "token-viewer"}.get(t, "/api/v1/books/nowhere/entries").refused(t, "not-found", 404)
		client{url: b.url, token: "token-viewer"}.get(t, "/api/v1/books/a%00b/entries").refused(t, "not-found", 404)
		b.as("stranger").get(t, "/entries").refused(t, "forbidden", 403)
	})
	t.Run("NarrowsATokenToItsRights", func(t *testing.T) {
		t.Parallel()
		user, err := b.UserByEmail(t.Context(), "preparer@demo.test")
		ok(t, err)
		_, plain, err := b.AddToken(t.Context(), b.book, user.ID, "uploads only", []store.Right{store.RightUpload}, time.Time{}, "")
		ok(t, err)
		narrow := client{url: b.url + "/api/v1/books/main", token: plain}
		narrow.get(t, "/entries").want(t, 200)
		narrow.key("k").post(t, "/entries", deposit("t")).refused(t, "forbidden", 403)
	})
	t.Run("RefusesWhatIsTooLarge", func(t *testing.T) {
		t.Parallel()
		huge := `{"tx_id":"` + strings.Repeat("x", 3<<20) + `"}`
		b.as("preparer").key("k-large").post(t, "/entries", huge).refused(t, "too-large", 413)
		b.as("viewer").key("k-large").post(t, "/entries", huge).refused(t, "forbidden", 403)
	})
	t.Run("KeepsRefusalsOfKnownPeopleInTheAuditLog", func(t *testing.T) {
		t.Parallel()
		answer := b.as("auditor").key("k").post(t, "/entries", deposit("t"))
		answer.refused(t, "forbidden", 403)
		conn, err := pgx.Connect(t.Context(), b.ownerURL)
		ok(t, err)
		defer conn.Close(t.Context())
		var action, object, outcome, email string
		err = conn.QueryRow(t.Context(), `SELECT action, object, outcome, email FROM audit_log WHERE request_id = $1`, answer.header.Get("X-Request-Id")).
			Scan(&action, &object, &outcome, &email)
		ok(t, err)
		if action != "entry.post" || object != "/api/v1/books/main/entries" || outcome != "refused" || email != "auditor@demo.test" {
			t.Errorf("recorded %s of %s as %s by %s", action, object, outcome, email)
		}
	})
}

func TestAFailureOfTheDatabaseIsLoggedAndNotShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, err := pgx.Connect(t.Context(), b.ownerURL)
	ok(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `ALTER TABLE postings RENAME TO gone`)
	ok(t, err)
	answer := b.as("preparer").key("k").post(t, "/entries", deposit("t"))
	problem := answer.refused(t, "internal", 500)
	request := answer.header.Get("X-Request-Id")
	if strings.Contains(answer.body, "postings") || !strings.Contains(problem["detail"].(string), request) {
		t.Errorf("shown was %s", answer.body)
	}
	failed := 0
	for line := range strings.Lines(b.log.String()) {
		if strings.Contains(line, "level=ERROR") && strings.Contains(line, request) && strings.Contains(line, "postings") {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("the cause was logged %d times:\n%s", failed, b.log)
	}
}

func TestProbesAndHeaders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	site := client{url: b.url}
	for _, path := range []string{"/healthz", "/readyz"} {
		site.get(t, path).want(t, 200)
		answer := site.send(t, "HEAD", path, "")
		answer.want(t, 200)
		policy := answer.header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || answer.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers are %v", path, answer.header)
		}
	}
	nowhere := site.get(t, "/nowhere")
	nowhere.want(t, 404)
	if nowhere.header.Get("Cache-Control") != "no-store" || !strings.Contains(nowhere.header.Get("Content-Type"), "text/html") {
		t.Errorf("headers are %v", nowhere.header)
	}
	foreign := site.with("Sec-Fetch-Site", "cross-site").post(t, "/nowhere", "")
	foreign.want(t, 403)
	sent := site.with("X-Request-Id", "mine").get(t, "/healthz")
	if sent.header.Get("X-Request-Id") == "mine" {
		t.Error("an id that was sent along names the request")
	}
}
