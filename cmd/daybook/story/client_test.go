package story_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
)

// client calls the API of book main as one person of the demo.
type client struct {
	url     string
	headers map[string]string
}

func (p program) as(person string) client {
	return client{url: p.url + "/api/v1/books/main"}.with("Authorization", "Bearer daybook-demo-"+person)
}

// with is the client with one more header.
func (c client) with(header, value string) client {
	headers := maps.Clone(c.headers)
	if headers == nil {
		headers = map[string]string{}
	}
	headers[header] = value
	return client{c.url, headers}
}

func (c client) key(key string) client { return c.with("Idempotency-Key", key) }

func (c client) get(t *testing.T, path string) answer {
	t.Helper()
	return c.send(t, http.MethodGet, path, "")
}

func (c client) post(t *testing.T, path, body string) answer {
	t.Helper()
	return c.send(t, http.MethodPost, path, body)
}

func (c client) send(t *testing.T, method, path, body string) answer {
	t.Helper()
	a, err := c.try(t, method, path, body)
	ok(t, err)
	return a
}

// try is send for goroutines, which may not end a test.
func (c client) try(t *testing.T, method, path, body string) (answer, error) {
	request, err := http.NewRequestWithContext(t.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for name, value := range c.headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(text)}, errors.Join(err, response.Body.Close())
}

// upload sends a statement file and fields, each as name=value.
func (c client) upload(t *testing.T, file string, fields ...string) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, field := range fields {
		name, value, _ := strings.Cut(field, "=")
		ok(t, form.WriteField(name, value))
	}
	part, err := form.CreateFormFile("file", "statement.csv")
	ok(t, err)
	_, err = io.WriteString(part, file)
	ok(t, err)
	ok(t, form.Close())
	return c.with("Content-Type", form.FormDataContentType()).post(t, "/statements", body.String())
}

// answer is a response of the API, read whole.
type answer struct {
	status int
	header http.Header
	body   string
}

// want asks for a status and gives the JSON object of the body.
func (a answer) want(t *testing.T, status int) object {
	t.Helper()
	if a.status != status {
		t.Fatalf("answered %d, want %d: %s", a.status, status, a.body)
	}
	members, err := a.object()
	if err != nil {
		t.Fatalf("not a JSON object: %v: %s", err, a.body)
	}
	return members
}

// object is the body as a JSON object.
func (a answer) object() (members object, err error) {
	decoder := json.NewDecoder(strings.NewReader(a.body))
	decoder.UseNumber()
	return members, decoder.Decode(&members)
}

// refused asks for a problem document whose errors name these fields among others.
func (a answer) refused(t *testing.T, status int, slug string, fields ...string) object {
	t.Helper()
	problem := a.want(t, status)
	if kind := a.header.Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("content type %q: %s", kind, a.body)
	}
	if got := problem.text("type", "status"); got != fmt.Sprintf("/problems/%s %d", slug, status) {
		t.Fatalf("want %s %d: %s", slug, status, a.body)
	}
	if problem["title"] == "" || problem["detail"] == "" {
		t.Errorf("no words for people: %s", a.body)
	}
	named := map[string]bool{}
	for _, fault := range problem.list(t, "errors") {
		named[fault.text("field")] = true
	}
	for _, field := range fields {
		if !named[field] {
			t.Errorf("field %s is not named: %s", field, a.body)
		}
	}
	return problem
}

// object is a JSON object with its numbers as they were written.
type object map[string]any

// text gives members as text, with a space between them.
func (o object) text(names ...string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = fmt.Sprint(o[name])
	}
	return strings.Join(words, " ")
}

// list gives a member that is a list of objects.
func (o object) list(t *testing.T, name string) []object {
	t.Helper()
	elements, isList := o[name].([]any)
	if !isList {
		t.Fatalf("%s is no list: %v", name, o)
	}
	objects := make([]object, len(elements))
	for i, element := range elements {
		objects[i] = element.(map[string]any)
	}
	return objects
}

// inner gives a member that is an object.
func (o object) inner(name string) object {
	inner, _ := o[name].(map[string]any)
	return inner
}

// openAccount opens an account, which a story has for itself so that others on the same server do not move it.
func (p program) openAccount(t *testing.T, code, kind, currency string) {
	t.Helper()
	body := fmt.Sprintf(`{"code":%q,"name":"Account %s","type":%q,"currency":%q}`, code, code, kind, currency)
	p.as("admin").post(t, "/accounts", body).want(t, 201)
}

// entry is an entry of 1 March 2026 in EUR, from accounts and amounts in turn.
func entry(txID string, postings ...string) string {
	return fmt.Sprintf(`{"tx_id":%q,"effective_on":"2026-03-01","description":"Story %s","postings":[%s]}`, txID, txID, strings.Join(postings, ","))
}

func posting(account string, amountMinor int64) string { return postingIn(account, amountMinor, "EUR") }

func postingIn(account string, amountMinor int64, currency string) string {
	return fmt.Sprintf(`{"account":%q,"amount":%d,"currency":%q}`, account, amountMinor, currency)
}

// deposit is an entry of money that Alice brought to the bank.
func deposit(txID string, amountMinor int64) string {
	return entry(txID, posting("1010", amountMinor), posting("customer:alice", -amountMinor))
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
