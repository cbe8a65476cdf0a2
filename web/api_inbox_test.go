package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/event"
	eventhttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	"daybook/store"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

// tillHook reads what the gateway till sends: a list of messages, signed by saying so.
type tillHook struct{}

func (tillHook) Read(_ context.Context, _ string, header http.Header, body []byte) ([]inbox.Message, error) {
	if header.Get("Till-Signature") != "mine" {
		return nil, ledger.Refuse(ledger.KindUnauthenticated, "the signature of the till is wrong: check the secret that both sides have")
	}
	var messages []inbox.Message
	if err := json.Unmarshal(body, &messages); err != nil {
		return []inbox.Message{inbox.Unreadable("till", "broken", body, err)}, nil
	}
	return messages, nil
}

// delivered is a message of the shop that posts a deposit.
func delivered(id, txID string) string { return deliveredOf("shop", id, "entry.post", deposit(txID)) }

func deliveredOf(source, id, kind, data string) string {
	return fmt.Sprintf(`{"source":%q,"message_id":%q,"type":%q,"data":%s}`, source, id, kind, data)
}

// result reads what a message came to.
func (r response) result(t *testing.T) string {
	t.Helper()
	return r.want(t, 200)["result"].(string)
}

// results reads what several messages came to.
func (r response) results(t *testing.T) string {
	t.Helper()
	var words []string
	for _, result := range r.want(t, 200)["results"].([]any) {
		words = append(words, result.(map[string]any)["result"].(string))
	}
	return strings.Join(words, " ")
}

// event is the client with a CloudEvent in its headers.
func (c client) event(source, id, kind string) client {
	return c.with("ce-specversion", "1.0").with("ce-source", source).with("ce-id", id).with("ce-type", kind).with("ce-traceparent", "00-1-1-00").with("Content-Type", "application/json")
}

func eventDocument(source, id, kind, data string) string {
	return fmt.Sprintf(`{"specversion":"1.0","source":%q,"id":%q,"type":%q,"time":"2026-03-01T10:00:00Z","anything":"else","data":%s}`, source, id, kind, data)
}

func TestReceive_EachWayInHasAMessageOnceHoweverOftenItComes(t *testing.T) {
	t.Parallel()
	b := setup(t, store.WithMachine("preparer@demo.test"))
	preparer := b.as("preparer")
	document, batch := preparer.with("Content-Type", "application/cloudevents+json; charset=UTF-8"), preparer.with("Content-Type", "application/cloudevents-batch+json")
	webhook := client{url: b.url + "/api/v1/books/main"}.with("Till-Signature", "mine")
	for way, deliver := range map[string]func() string{
		"api": func() string { return preparer.key("k").post(t, "/inbox", delivered("m-1", "t-api")).result(t) },
		"binary": func() string {
			return preparer.event("/shop", "m-1", "entry.post").post(t, "/inbox", deposit("t-binary")).result(t)
		},
		"document": func() string {
			return document.post(t, "/inbox", eventDocument("urn:shop", "m-1", "entry.post", deposit("t-document"))).result(t)
		},
		"batch": func() string {
			return batch.post(t, "/inbox", "["+eventDocument("shops", "m-1", "entry.post", deposit("t-batch"))+"]").results(t)
		},
		"webhook": func() string {
			return webhook.post(t, "/webhooks/till", "["+deliveredOf("till", "m-1", "entry.post", deposit("t-webhook"))+"]").results(t)
		},
	} {
		if got := []string{deliver(), deliver(), deliver()}; strings.Join(got, " ") != "applied duplicate duplicate" {
			t.Errorf("by %s it came to %v", way, got)
		}
	}
	items := b.as("viewer").get(t, "/entries").want(t, 200)["items"].([]any)
	if len(items) != 5 {
		t.Errorf("there are %d entries", len(items))
	}
	for _, source := range []string{"shop", "%2Fshop", "urn:shop", "shops", "till"} {
		if m := b.as("viewer").get(t, "/inbox/"+source+"/m-1").want(t, 200); m["deliveries"] != json.Number("3") || m["state"] != "applied" {
			t.Errorf("of %s there is %v", source, m)
		}
	}
}

func TestReceive_TellsWhatBecameOfAMessage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer := b.as("preparer")
	preparer.post(t, "/inbox", delivered("m-1", "t1")).want(t, 200)
	problem := preparer.post(t, "/inbox", delivered("m-1", "t2")).refused(t, "message-id-reused", 409, "data.tx_id", "data.description")
	if problem["first"].(map[string]any)["seq"] != json.Number("1") {
		t.Errorf("it says %v", problem)
	}
	if got := b.audited(t); strings.Count(got, "inbox.receive") != 1 {
		t.Errorf("the audit log has %s", got)
	}
	failed := preparer.post(t, "/inbox", deliveredOf("shop", "m-2", "entry.post", strings.ReplaceAll(deposit("t2"), "alice", "eva"))).want(t, 200)
	refusal := failed["problem"].(map[string]any)
	if failed["result"] != "failed" || refusal["type"] != "/problems/unknown-account" || refusal["errors"].([]any)[0].(map[string]any)["field"] != "postings[1].account" {
		t.Errorf("it came to %v", failed)
	}
	b.open(t, "customer:eva", "liability", "EUR")
	b.as("viewer").post(t, "/inbox/shop/m-2/retry", "").refused(t, "forbidden", 403)
	if got := preparer.post(t, "/inbox/shop/m-2/retry", "").want(t, 200); got["result"] != "applied" || got["seq"] != json.Number("2") {
		t.Errorf("retried it came to %v", got)
	}
	preparer.post(t, "/inbox/shop/m-2/retry", "").refused(t, "illegal-transition", 409)
	if got := preparer.post(t, "/inbox", deliveredOf("shop", "m-3", "shop.opened", `{}`)).result(t); got != "parked" {
		t.Errorf("an unknown type came to %s", got)
	}
	preparer.post(t, "/inbox/shop/m-3/dismiss", `{}`).refused(t, "invalid", 422, "reason")
	if got := preparer.post(t, "/inbox/shop/m-3/dismiss", `{"reason":"not ours"}`).result(t); got != "dismissed" {
		t.Errorf("dismissed it is %s", got)
	}
	events := b.as("viewer").get(t, "/inbox/shop/m-3").want(t, 200)["events"].([]any)
	if last := events[len(events)-1].(map[string]any); last["event"] != "dismissed" || last["note"] != "not ours" || last["by"] != "The preparer" {
		t.Errorf("its history ends with %v", last)
	}
	b.as("viewer").get(t, "/inbox/shop/m-9").refused(t, "not-found", 404)
}

func TestReceive_TakesWhatTheLibraryOfCloudEventsSends(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sent := event.New()
	sent.SetSource("https://shop.test/orders?of=eu")
	sent.SetID("ü 1/2")
	sent.SetType("entry.post")
	sent.SetExtension("traceparent", "00-1-1-00")
	ok(t, sent.SetData("application/json", json.RawMessage(deposit("t1"))))
	var results []string
	for _, ctx := range []context.Context{binding.WithForceBinary(t.Context()), binding.WithForceStructured(t.Context())} {
		request, err := eventhttp.NewHTTPRequestFromEvent(ctx, b.url, sent)
		ok(t, err)
		body, err := io.ReadAll(request.Body)
		ok(t, err)
		preparer := b.as("preparer")
		for name := range request.Header {
			preparer = preparer.with(name, request.Header.Get(name))
		}
		results = append(results, preparer.post(t, "/inbox", string(body)).result(t))
	}
	if strings.Join(results, " ") != "applied duplicate" {
		t.Errorf("in one mode and the other it came to %v", results)
	}
	path := "/inbox/" + url.PathEscape("https://shop.test/orders?of=eu") + "/" + url.PathEscape("ü 1/2")
	if m := b.as("viewer").get(t, path).want(t, 200); m["way"] != "cloudevents" || m["deliveries"] != json.Number("2") {
		t.Errorf("there is %v", m)
	}
}

// audited is what the audit log has of refusals, in words.
func (b *bundle) audited(t *testing.T) string {
	t.Helper()
	user, err := b.UserByEmail(t.Context(), "auditor@demo.test")
	ok(t, err)
	auditor, err := b.Actor(t.Context(), user.ID, "main")
	ok(t, err)
	page, err := b.AuditLog(t.Context(), auditor, store.AuditFilter{})
	ok(t, err)
	var words []string
	for _, r := range page.Records {
		if r.Outcome == "refused" {
			words = append(words, r.Action+" by "+r.Email)
		}
	}
	return strings.Join(words, ", ")
}

func TestReceive_ListsMessages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 3 {
		b.as("preparer").post(t, "/inbox", delivered(fmt.Sprintf("m-%d", i), fmt.Sprintf("t%d", i))).want(t, 200)
	}
	b.as("preparer").post(t, "/inbox", deliveredOf("till", "p-1", "till.opened", `{}`)).want(t, 200)
	list := func(query string) (string, any) {
		page := b.as("viewer").get(t, "/inbox"+query).want(t, 200)
		var ids []string
		for _, item := range page["items"].([]any) {
			ids = append(ids, item.(map[string]any)["message_id"].(string))
		}
		return strings.Join(ids, " "), page["next"]
	}
	first, next := list("?limit=3")
	rest, end := list("?limit=3&after=" + next.(string))
	if first != "p-1 m-2 m-1" || rest != "m-0" || end != nil {
		t.Errorf("the pages are %s and %s, then %v", first, rest, end)
	}
	for query, want := range map[string]string{"?state=parked": "p-1", "?source=shop&state=applied": "m-2 m-1 m-0", "?source=nobody": ""} {
		if got, _ := list(query); got != want {
			t.Errorf("%s gave %s", query, got)
		}
	}
	b.as("viewer").get(t, "/inbox?state=lost").refused(t, "invalid", 422, "state")
	b.as("viewer").get(t, "/inbox?after=x").refused(t, "invalid", 422, "after")
}

func TestReceive_RefusesWhatItCannotTake(t *testing.T) {
	t.Parallel()
	b := setup(t, store.WithMachine("preparer@demo.test"))
	preparer := b.as("preparer")
	b.as("viewer").post(t, "/inbox", "not even JSON").refused(t, "forbidden", 403)
	preparer.post(t, "/inbox", "not even JSON").refused(t, "invalid", 422)
	preparer.post(t, "/inbox", `{"source":"shop","message_id":7,"data":[]}`).refused(t, "invalid", 422, "message_id", "type", "data")
	preparer.post(t, "/inbox", deliveredOf("shop", "m-1", "entry.post", `{"note":"`+strings.Repeat("x", 10<<20)+`"}`)).refused(t, "too-large", 413)
	preparer.key("a\tb").post(t, "/inbox", delivered("m-1", "t1")).refused(t, "idempotency-key-invalid", 400)
	preparer.with("Content-Type", "text/plain").event("shop", "m-1", "entry.post").post(t, "/inbox", `{}`).refused(t, "invalid", 422, "datacontenttype")
	preparer.event("shop", "m-1", "entry.post").post(t, "/inbox", ``).refused(t, "invalid", 422, "data")
	preparer.event("shop", "m-1", "entry.post").post(t, "/inbox", `{"a":1,"a":2}`).refused(t, "invalid", 422, "data.a")
	preparer.with("ce-id", "m-1").post(t, "/inbox", `{}`).refused(t, "invalid", 422)
	document := preparer.with("Content-Type", "application/cloudevents+json")
	document.post(t, "/inbox", `{"specversion":"1.0","id":"m-1","type":"entry.post","data":{}}`).refused(t, "invalid", 422)
	document.post(t, "/inbox", `{"specversion":"1.0","id":"m-1","id":"m-2","source":"s","type":"entry.post","data":{}}`).refused(t, "invalid", 422, "id")
	document.post(t, "/inbox", `{"specversion":"9.9","id":"m-1","source":"s","type":"entry.post","data":{}}`).refused(t, "invalid", 422)

	webhook := client{url: b.url + "/api/v1/books/main"}
	webhook.post(t, "/webhooks/till", "[]").refused(t, "unauthenticated", 401)
	webhook.with("Till-Signature", "mine").post(t, "/webhooks/till", strings.Repeat(" ", 2<<20)).refused(t, "too-large", 413)
	webhook.post(t, "/webhooks/nobody", "[]").refused(t, "not-found", 404)
	if got := webhook.with("Till-Signature", "mine").with("Content-Type", "text/plain").post(t, "/webhooks/till", "{half").results(t); got != "parked" {
		t.Errorf("what is signed and cannot be read came to %s", got)
	}
	if got := b.audited(t); !strings.Contains(got, "inbox.receive by preparer@demo.test") {
		t.Errorf("the audit log has %s", got)
	}
	if m := b.as("viewer").get(t, "/inbox").want(t, 200)["items"].([]any); len(m) != 1 {
		t.Errorf("kept are %v", m)
	}
}

func TestReceive_OneOfSeveralDoesNotKeepTheOthersOut(t *testing.T) {
	t.Parallel()
	b := setup(t, store.WithMachine("preparer@demo.test"))
	webhook := client{url: b.url + "/api/v1/books/main"}.with("Till-Signature", "mine")
	webhook.post(t, "/webhooks/till", "["+deliveredOf("till", "m-1", "entry.post", deposit("t1"))+"]").want(t, 200)
	several := "[" + strings.Join([]string{
		deliveredOf("till", "m-1", "entry.post", deposit("other")), deliveredOf("till", "m-2", "entry.post", deposit("t2")), deliveredOf("till", "m-3", "entry.post", `{"tx_id":"t3"}`),
	}, ",") + "]"
	if got := webhook.post(t, "/webhooks/till", several).results(t); got != "refused applied failed" {
		t.Errorf("they came to %s", got)
	}
	if got := strings.Count(b.audited(t), "inbox.receive"); got != 1 {
		t.Errorf("the audit log has %s", b.audited(t))
	}
}

func TestWebhooks_ThatNobodySignedAreNotInTheAuditLog(t *testing.T) {
	t.Parallel()
	b := setup(t, store.WithMachine("preparer@demo.test"))
	webhook := client{url: b.url + "/api/v1/books/main"}
	webhook.post(t, "/webhooks/till", "[]").refused(t, "unauthenticated", 401)
	if got := b.audited(t); strings.Contains(got, "inbox.receive") {
		t.Errorf("the audit log has %s", got)
	}
}

func TestMessages_AreNamedByThePathDecodedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, id := range []string{"X/Y", "X%2FY"} {
		b.as("preparer").post(t, "/inbox", deliveredOf("shop", id, "shop.opened", `{}`)).want(t, 200)
	}
	b.as("preparer").post(t, "/inbox/shop/X%252FY/dismiss", `{"reason":"a mistake"}`).want(t, 200)
	for path, state := range map[string]string{"/inbox/shop/X%2FY": "parked", "/inbox/shop/X%252FY": "dismissed"} {
		if m := b.as("viewer").get(t, path).want(t, 200); m["state"] != state {
			t.Errorf("%s is %v, want %s", path, m, state)
		}
	}
	b.as("viewer").get(t, "/inbox/shop/X%00").refused(t, "not-found", 404)
	b.as("preparer").post(t, "/inbox/shop/X%00/retry", "").refused(t, "not-found", 404)
}
