package web_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/gateway/simulator"
	"daybook/store/gateway/simulator/server"
)

// simulated is a payment simulator with faults, as JSON, and the option of a store that makes payments at it.
func simulated(t *testing.T, faults string) store.Option {
	t.Helper()
	processor, err := server.New(server.Config{Journal: filepath.Join(t.TempDir(), "simulator.ndjson"), Now: now, Seed: 1})
	ok(t, err)
	site := httptest.NewServer(processor)
	client := simulator.NewClient(site.URL, time.Minute)
	t.Cleanup(func() {
		ok(t, processor.Close())
		site.Close()
	})
	set, err := simulator.NoFaults().Changed([]byte(faults))
	ok(t, err)
	ok(t, client.SetFaults(t.Context(), set))
	return store.WithGateway(client)
}

func TestAPI_MakesPayments(t *testing.T) {
	t.Parallel()
	b := setup(t, simulated(t, `{}`), store.WithPaymentAccounts())
	preparer, viewer := b.as("preparer"), b.as("viewer")
	const order = `{"amount":10000,"currency":"EUR","customer":"alice","reference":"ORD-1"}`
	asked := preparer.key("p1").post(t, "/payments", order).want(t, 201)
	again := preparer.key("p1").post(t, "/payments", order).want(t, 201)
	if asked["id"] != json.Number("1") || asked["state"] != "created" || asked["gateway"] != "known" || asked["refunded"] != json.Number("0") || asked["duplicate"] != false || again["duplicate"] != true || again["id"] != asked["id"] {
		t.Errorf("asked %v, again %v", asked, again)
	}
	preparer.key("p1").post(t, "/payments", strings.Replace(order, "10000", "1", 1)).refused(t, "idempotency-key-reused", 422, "amount")
	preparer.post(t, "/payments", order).refused(t, "idempotency-key-missing", 400)
	viewer.key("p2").post(t, "/payments", order).refused(t, "forbidden", 403)
	preparer.key("p2").post(t, "/payments", `{"amount":0,"currency":"EURO","reference":"x"}`).refused(t, "invalid", 422, "amount", "currency", "customer")
	preparer.key("p2").post(t, "/payments", `{"amount":1.5,"currency":"EUR","customer":"x"}`).refused(t, "invalid", 422, "amount")

	preparer.key("c0").post(t, "/payments/1/capture", "").refused(t, "illegal-transition", 409)
	preparer.post(t, "/payments/1/authorize", "").refused(t, "idempotency-key-missing", 400)
	preparer.key("a1").post(t, "/payments/9/authorize", "").refused(t, "not-found", 404)
	if got := preparer.key("a1").post(t, "/payments/1/authorize", "{}").want(t, 200); got["state"] != "authorized" || got["duplicate"] != false || got["charge"] == nil {
		t.Errorf("authorized %v", got)
	}
	captured := preparer.key("c1").post(t, "/payments/1/capture", "").want(t, 200)
	replayed := preparer.key("c1").post(t, "/payments/1/capture", "")
	if got := replayed.want(t, 200); captured["state"] != "captured" || captured["fee"] != json.Number("175") || got["duplicate"] != true || replayed.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("captured %v, replayed %v", captured, got)
	}
	preparer.key("v1").post(t, "/payments/1/void", "").refused(t, "illegal-transition", 409)
	preparer.key("r1").post(t, "/payments/1/refund", `{"amount":10001}`).refused(t, "invalid", 422, "amount")
	if got := preparer.key("r2").post(t, "/payments/1/refund", `{"amount":4000,"reason":"cracked"}`).want(t, 200); got["state"] != "partly_refunded" || got["refunded"] != json.Number("4000") {
		t.Errorf("refunded %v", got)
	}
	if got := preparer.key("r3").post(t, "/payments/1/refund", "").want(t, 200); got["state"] != "refunded" || got["refunded"] != json.Number("10000") {
		t.Errorf("refunded %v", got)
	}
	shown := viewer.get(t, "/payments/1").want(t, 200)
	if events := shown["events"].([]any); len(events) != 4 || shown["state"] != "refunded" || shown["bank"] != "not_paid_out" || len(shown["calls"].([]any)) != 4 {
		t.Errorf("the payment is %v", shown)
	}
	if text := fmt.Sprint(viewer.get(t, "/payments?state=refunded&limit=1").want(t, 200)); !strings.Contains(text, "reference:ORD-1") {
		t.Errorf("the list is %s", text)
	}
	viewer.get(t, "/payments?state=gone&gateway=known").refused(t, "invalid", 422, "gateway", "state")
	if text := fmt.Sprint(viewer.get(t, "/balances").want(t, 200)); !strings.Contains(text, "balance:-175 code:1210") || !strings.Contains(text, "balance:175 code:6200") {
		t.Errorf("the balances are %s", text)
	}
}

func TestAPI_APaymentWithoutAnAnswerIsUnknownUntilItIsFoundOut(t *testing.T) {
	t.Parallel()
	b := setup(t, simulated(t, `{"timeout_after":1,"hang":"1ms"}`), store.WithPaymentAccounts())
	preparer, viewer := b.as("preparer"), b.as("viewer")
	preparer.key("p1").post(t, "/payments", `{"amount":500,"currency":"EUR","customer":"Eva"}`).want(t, 201)
	if got := preparer.key("a1").post(t, "/payments/1/authorize", "").want(t, 200); got["state"] != "created" || got["gateway"] != "unknown" || got["why"] == nil {
		t.Errorf("without an answer it is %v", got)
	}
	if got := viewer.get(t, "/payments?gateway=unknown").want(t, 200); len(got["items"].([]any)) != 1 {
		t.Errorf("of the unknown there are %v", got)
	}
	preparer.key("a2").post(t, "/payments/1/authorize", "").refused(t, "illegal-transition", 409)
	viewer.post(t, "/payments/1/recover", "").refused(t, "forbidden", 403)
	if got := preparer.key("a1").post(t, "/payments/1/authorize", "").want(t, 200); got["state"] != "authorized" || got["gateway"] != "known" {
		t.Errorf("sent again it is %v", got)
	}
	preparer.post(t, "/payments/1/recover", "").refused(t, "illegal-transition", 409)
	preparer.key("c1").post(t, "/payments/1/capture", "").want(t, 200)
	preparer.post(t, "/payments/1/settle", `{"done":false}`).refused(t, "invalid", 422, "reason")
	if got := preparer.post(t, "/payments/1/settle", `{"done":false,"reason":"by phone"}`).want(t, 200); got["state"] != "authorized" || got["gateway"] != "known" {
		t.Errorf("after a person's word it is %v", got)
	}
	// The person was wrong: asked anew the gateway knows the request, though it says so only when asked again.
	preparer.key("c2").post(t, "/payments/1/capture", "").want(t, 200)
	if got := preparer.key("c2").post(t, "/payments/1/capture", "").want(t, 200); got["state"] != "captured" || got["captured"] != json.Number("500") {
		t.Errorf("asked anew it is %v", got)
	}
}

func TestAPI_WithoutAGatewayThereAreNoPayments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("p1").post(t, "/payments", `{"amount":500,"currency":"EUR","customer":"Eva"}`).refused(t, "invalid", 422)
	if got := b.as("viewer").get(t, "/payments").want(t, 200); len(got["items"].([]any)) != 0 {
		t.Errorf("the list is %v", got)
	}
}
