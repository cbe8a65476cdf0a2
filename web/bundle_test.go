package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daybook/store"
	"daybook/store/inbox"
	"daybook/store/postgres"
	"daybook/store/postgres/pgtest"
	"daybook/web"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // the collector took half of the time of these tests
	pgtest.Main(m)
}

const password = "a password for tests"

// bundle is a running site on a database of its own, with the book main, its people and accounts. The clock stands still.
type bundle struct {
	*store.Store
	ownerURL, appURL string
	book             store.Book
	url              string
	log              *logBuffer
}

// logBuffer is what the site has logged.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func now() time.Time { return time.Date(2026, 3, 31, 10, 0, 0, 0, time.UTC) }

// people are those of the demo, each <name>@demo.test with the token token-<name>.
var people = map[string][]store.Role{
	"viewer": {store.Viewer}, "preparer": {store.Preparer}, "approver": {store.Approver}, "auditor": {store.Auditor}, "admin": {store.Admin},
	"controller": {store.Preparer, store.Approver}, "stranger": nil,
}

func setup(t *testing.T, options ...store.Option) *bundle {
	t.Helper()
	b := &bundle{log: &logBuffer{}}
	b.ownerURL, b.appURL = pgtest.New(t)
	b.Store, b.url = b.serve(t, 10*time.Second, options...)
	book, err := b.AddBook(t.Context(), "main", "Main book", "EUR")
	ok(t, err)
	b.book = book
	for name, roles := range people {
		user, err := b.AddUser(t.Context(), name+"@demo.test", "The "+name, password)
		ok(t, err)
		for _, role := range roles {
			ok(t, b.GrantRole(t.Context(), book, user.ID, role))
		}
		_, _, err = b.AddToken(t.Context(), book, user.ID, "tests", nil, time.Time{}, "token-"+name)
		ok(t, err)
	}
	for code, kind := range map[string]string{"1010": "asset", "customer:alice": "liability", "customer:bob": "liability", "revenue:fees": "income"} {
		b.open(t, code, kind, "EUR")
	}
	return b
}

// serve runs a server over the database of the bundle, as one of several.
func (b *bundle) serve(t *testing.T, waitLimit time.Duration, options ...store.Option) (*store.Store, string) {
	t.Helper()
	return b.serveUntil(t, waitLimit, nil, options...)
}

// serveUntil is serve for a server that is told to stop.
func (b *bundle) serveUntil(t *testing.T, waitLimit time.Duration, stopping <-chan struct{}, options ...store.Option) (*store.Store, string) {
	t.Helper()
	db, err := postgres.Open(t.Context(), b.appURL)
	ok(t, err)
	books := store.New(db, now, append(options, store.WithPasswordCost(64, 1))...)
	handler, err := web.New(web.Config{Store: books, Log: slog.New(slog.NewTextHandler(b.log, nil)), Now: now, WaitLimit: waitLimit, Stopping: stopping, Webhooks: map[string]inbox.Webhook{"till": tillHook{}}})
	ok(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.Close()
		ok(t, books.Close())
	})
	return books, server.URL
}

// open opens an account over the API.
func (b *bundle) open(t *testing.T, code, kind, currency string) {
	t.Helper()
	b.as("admin").post(t, "/accounts", fmt.Sprintf(`{"code":%q,"name":"Account %s","type":%q,"currency":%q}`, code, code, kind, currency)).want(t, 201)
}

// client calls the API of book main as one person.
type client struct {
	url, token string
	headers    map[string]string
}

func (b *bundle) as(name string) client {
	return client{url: b.url + "/api/v1/books/main", token: "token-" + name}
}

// key is the client with an idempotency key.
func (c client) key(key string) client { return c.with("Idempotency-Key", key) }

func (c client) with(header, value string) client {
	headers := map[string]string{header: value}
	for name, old := range c.headers {
		headers[name] = old
	}
	c.headers = headers
	return c
}

func (c client) post(t *testing.T, path, body string) response {
	t.Helper()
	return c.send(t, http.MethodPost, path, body)
}

func (c client) put(t *testing.T, path, body string) response {
	t.Helper()
	return c.send(t, http.MethodPut, path, body)
}

func (c client) get(t *testing.T, path string) response {
	t.Helper()
	return c.send(t, http.MethodGet, path, "")
}

func (c client) send(t *testing.T, method, path, body string) response {
	t.Helper()
	answer, err := c.try(t, method, path, body)
	ok(t, err)
	return answer
}

// try is send for goroutines that may not end the test.
func (c client) try(t *testing.T, method, path, body string) (response, error) {
	request, err := http.NewRequestWithContext(t.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		return response{}, err
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	for name, value := range c.headers {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return response{}, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return response{}, err
	}
	got := response{status: answer.StatusCode, header: answer.Header, body: string(text)}
	return got, checkDocument(t.Context(), request, body, got)
}

// response is an answer, read whole.
type response struct {
	status int
	header http.Header
	body   string
}

// want asks for a status and gives the body as a JSON object, if it is one.
func (r response) want(t *testing.T, status int) map[string]any {
	t.Helper()
	if r.status != status {
		t.Fatalf("answered %d, want %d: %s", r.status, status, r.body)
	}
	var object map[string]any
	decoder := json.NewDecoder(strings.NewReader(r.body))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil && strings.Contains(r.header.Get("Content-Type"), "json") {
		t.Fatalf("not a JSON object: %v: %s", err, r.body)
	}
	return object
}

// refused asks for a problem document with a slug, a status and errors that begin with these fields.
func (r response) refused(t *testing.T, slug string, status int, fields ...string) map[string]any {
	t.Helper()
	problem := r.want(t, status)
	if r.header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("content type %q: %s", r.header.Get("Content-Type"), r.body)
	}
	if problem["type"] != "/problems/"+slug || problem["status"] != json.Number(fmt.Sprint(status)) || problem["title"] == "" || problem["detail"] == "" {
		t.Fatalf("want a whole problem %s %d: %s", slug, status, r.body)
	}
	var named []string
	for _, e := range problem["errors"].([]any) {
		named = append(named, e.(map[string]any)["field"].(string))
	}
	for _, field := range fields {
		if !strings.Contains(" "+strings.Join(named, " ")+" ", " "+field+" ") {
			t.Fatalf("want field %s at fault: %s", field, r.body)
		}
	}
	return problem
}

// deposit is an entry of 30.50 EUR for Alice.
func deposit(txID string) string { return deposits(txID, 3050) }

func deposits(txID string, amount int64) string {
	return entryOf(txID, posting("1010", amount, "EUR"), posting("customer:alice", -amount, "EUR"))
}

func entryOf(txID string, postings ...string) string {
	return fmt.Sprintf(`{"tx_id":%q,"effective_on":"2026-03-01","description":"Deposit %s","postings":[%s],"metadata":{}}`, txID, txID, strings.Join(postings, ","))
}

func posting(account string, amount int64, currency string) string {
	return fmt.Sprintf(`{"account":%q,"amount":%d,"currency":%q}`, account, amount, currency)
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// holdHead keeps everyone out of the journal until it is released, as another server's long transaction would.
func (b *bundle) holdHead(t *testing.T) (release func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), b.ownerURL)
	ok(t, err)
	_, err = conn.Exec(t.Context(), `BEGIN; SELECT FROM heads FOR UPDATE`)
	ok(t, err)
	return sync.OnceFunc(func() { ok(t, conn.Close(context.Background())) })
}
