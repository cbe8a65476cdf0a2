package simulator_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
	"daybook/store/payment"
)

var capture = gateway.Request{Command: gateway.Capture, BookCode: "main", PaymentID: 17, Charge: "ch_1", AmountMinor: 1000, Currency: "EUR"}

// whole is an answer to capture with key k.
const whole = `{"result":"done","key":"k","charge":"ch_1","event":{"source":"simulator","message_id":"evt_1","type":"payment.captured",` +
	`"data":{"payment_id":17,"ref":"ca_1","amount":1000,"fee":40,"key":"k"}}}`

// answering gives the client of a server that answers so to everything.
func answering(t *testing.T, status int, body string) *simulator.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return simulator.NewClient(server.URL+"/", 10*time.Second)
}

func TestClient_BelievesNothingOdd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		do, recover int // the statuses
		body        string
	}{
		"a fault of the server":     {500, 500, whole},
		"a fault without words":     {503, 503, ""},
		"a redirect":                {307, 307, whole},
		"the wrong status":          {200, 201, whole},
		"no JSON":                   {201, 200, "<html>"},
		"half an answer":            {201, 200, whole[:len(whole)-2]},
		"nothing":                   {201, 200, "{}"},
		"null":                      {201, 200, "null"},
		"the answer to another key": {201, 200, strings.ReplaceAll(whole, `"k"`, `"l"`)},
		"another charge":            {201, 200, strings.ReplaceAll(whole, "ch_1", "ch_2")},
		"another event":             {201, 200, strings.ReplaceAll(whole, "captured", "refunded")},
		"an event nobody knows":     {201, 200, strings.ReplaceAll(whole, "captured", "dreamt")},
		"an event without a name":   {201, 200, strings.ReplaceAll(whole, "ca_1", "")},
		"an amount below nothing":   {201, 200, strings.ReplaceAll(whole, "1000", "-1000")},
		"no event":                  {201, 200, `{"result":"done","key":"k","charge":"ch_1"}`},
		"not found, by another":     {404, 404, `{"message":"no route"}`},
		"an unknown key, elsewhere": {404, 404, `{"result":"key_unknown","key":"l"}`},
		"a failure":                 {500, 500, `{"result":"failed","key":"k"}`},
	} {
		if answer := answering(t, test.do, test.body).Do(t.Context(), "k", capture); answer.Outcome != gateway.Unknown || answer.Why == "" || answer.Events != nil {
			t.Errorf("%s: did %+v", name, answer)
		}
		if answer := answering(t, test.recover, test.body).Recover(t.Context(), "k", capture); answer.Outcome != gateway.Unknown || answer.Why == "" || answer.Events != nil {
			t.Errorf("%s: recovered %+v", name, answer)
		}
	}
}

func TestClient_UnderstandsAnswers(t *testing.T) {
	t.Parallel()
	done := gateway.Answer{Outcome: gateway.Done, Charge: "ch_1", Events: []payment.Event{payment.Capture{Ref: "ca_1", AmountMinor: 1000, FeeMinor: 40}}}
	for _, test := range []struct {
		status int
		body   string
		want   gateway.Answer
	}{
		{201, whole, done},
		{409, `{"result":"refused","key":"k","charge":"ch_1","reason":"the charge is voided"}`, gateway.Answer{Outcome: gateway.Refused, Why: "the charge is voided"}},
		{404, `{"result":"refused","key":"k","reason":"there is no charge"}`, gateway.Answer{Outcome: gateway.Refused, Why: "there is no charge"}},
		{409, `{"result":"key_reused","key":"k","reason":"it was used to void"}`,
			gateway.Answer{Outcome: gateway.Refused, Why: "the gateway knows this key from another request: it was used to void"}},
	} {
		if got := answering(t, test.status, test.body).Do(t.Context(), "k", capture); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s is understood as %+v, want %+v", test.body, got, test.want)
		}
	}
	if got := answering(t, 200, whole).Recover(t.Context(), "k", capture); fmt.Sprint(got) != fmt.Sprint(done) {
		t.Errorf("recovered %+v", got)
	}
	if got := answering(t, 404, `{"result":"key_unknown","key":"k"}`).Recover(t.Context(), "k", capture); got.Outcome != gateway.NotDone {
		t.Errorf("an unknown key: %+v", got)
	}
}

func TestClient_NobodyThereIsUnknown(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	client := simulator.NewClient(server.URL, 10*time.Second)
	if answer := client.Do(t.Context(), "k", capture); answer.Outcome != gateway.Unknown || strings.Contains(answer.Why, server.URL) {
		t.Errorf("did %+v", answer)
	}
	if _, err := client.Faults(t.Context()); err == nil {
		t.Error("it has faults")
	}
}

// TestClient_SendsOnce: a connection that was used before breaks without an answer, which the library would take for a reason to send again.
func TestClient_SendsOnce(t *testing.T) {
	t.Parallel()
	var came atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if came.Add(1) > 1 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write([]byte(whole))
	}))
	t.Cleanup(server.Close)
	client := simulator.NewClient(server.URL, 10*time.Second)
	if answer := client.Do(t.Context(), "k", capture); answer.Outcome != gateway.Done {
		t.Fatalf("first: %+v", answer)
	}
	if answer := client.Do(t.Context(), "k", capture); answer.Outcome != gateway.Unknown || came.Load() != 2 {
		t.Errorf("second: %+v after %d requests", answer, came.Load())
	}
}
