package stripe_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/store/gateway"
	"daybook/store/gateway/stripe"
	"daybook/store/payment"
)

func TestErrorsOfStripeAreTakenForWhatTheySay(t *testing.T) {
	t.Parallel()
	declined := []payment.Event{payment.Decline{Ref: "pi_3Declined00000000000001", Reason: "generic decline"}}
	poor := []payment.Event{payment.Decline{Ref: "pi_3Declined00000000000001", Reason: "insufficient funds"}}
	for _, test := range []struct {
		status  int
		file    string
		outcome gateway.Outcome
		events  []payment.Event
		why     string
	}{
		{402, "card_declined.json", gateway.Refused, declined, "the card was declined: generic decline"},
		{402, "insufficient_funds.json", gateway.Refused, poor, "the card was declined: insufficient funds"},
		{400, "amount_too_small.json", gateway.Refused, nil, "Stripe refused it: Amount must be at least €0.50 eur"},
		{429, "rate_limit.json", gateway.Unknown, nil, "Stripe takes no more requests at this moment"},
		{500, "api_error.json", gateway.Unknown, nil, "Stripe had a fault of its own"},
		{500, "card_declined.json", gateway.Unknown, nil, "Stripe had a fault of its own"},
		{409, "lock_timeout.json", gateway.Unknown, nil, "Stripe is at work on this payment already"},
		{429, "lock_timeout.json", gateway.Unknown, nil, "Stripe takes no more requests at this moment"},
		{409, "key_in_use.json", gateway.Unknown, nil, "Stripe is at work on this payment already"},
		{401, "invalid_key.json", gateway.Unknown, nil, "Stripe does not let Daybook in: its key is wrong, was revoked or lacks a right"},
		{403, "permission.json", gateway.Unknown, nil, "Stripe does not let Daybook in: its key is wrong, was revoked or lacks a right"},
		{400, "invalid_key.json", gateway.Refused, nil, "Stripe refused it: Invalid API Key provided: …"},
		{418, "api_error.json", gateway.Unknown, nil, "Stripe gave an error that cannot be understood"},
		{302, "card_declined.json", gateway.Unknown, nil, "Stripe gave an answer that is not about this payment"},
	} {
		g, asked := answering(t, saying(test.status, recorded(t, "answers/"+test.file)))
		answer := g.Do(t.Context(), "k-authorize-1", request(gateway.Authorize, "", 1000))
		if answer.Outcome != test.outcome || !reflect.DeepEqual(answer.Events, test.events) || answer.Why != test.why {
			t.Errorf("%d %s: %+v", test.status, test.file, answer)
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("%d %s: Stripe was asked %d times: who asks again is the caller", test.status, test.file, n)
		}
		if again := g.Recover(t.Context(), "k-authorize-1", request(gateway.Authorize, "", 1000)); again.Outcome != gateway.Unknown || again.Why == "" || strings.Contains(again.Why, secretKey) {
			if test.status != 302 {
				t.Errorf("%d %s, recovered: %+v", test.status, test.file, again)
			}
		}
	}
}

func TestAKnownKeyIsNamedAlsoWhereStripeSaysNothingMore(t *testing.T) {
	t.Parallel()
	g, _ := answering(t, saying(400, recorded(t, "answers/idempotency_error.json")))
	answer := g.Do(t.Context(), "k-authorize-1", request(gateway.Authorize, "", 1000))
	if answer.Outcome != gateway.Unknown || !strings.Contains(answer.Why, "k-authorize-1") {
		t.Errorf("what the key did could not be found out: %+v", answer)
	}
}

// TestOnlyAnAuthorizationIsDeclined: a card that fails at a refund says nothing about the payment.
func TestOnlyAnAuthorizationIsDeclined(t *testing.T) {
	t.Parallel()
	g, _ := answering(t, saying(402, recorded(t, "answers/card_declined.json")))
	for _, command := range []gateway.Command{gateway.Capture, gateway.Refund, gateway.Void} {
		if answer := g.Do(t.Context(), "k", request(command, "pi_1", 1000)); answer.Outcome != gateway.Refused || answer.Events != nil {
			t.Errorf("%s: %+v", command, answer)
		}
	}
}

func TestWhatCannotBeUnderstoodIsUnknown(t *testing.T) {
	t.Parallel()
	intent := `{"id":"pi_1","object":"payment_intent","amount":1000,"currency":"eur","status":"requires_capture"}`
	for name, test := range map[string]struct {
		status int
		body   string
	}{
		"no JSON":               {200, "<html>"},
		"half an answer":        {200, intent[:len(intent)-2]},
		"nothing":               {200, "{}"},
		"null":                  {200, "null"},
		"a list with null":      {200, `{"object":"list","data":[null],"has_more":true}`},
		"another currency":      {200, strings.ReplaceAll(intent, "eur", "usd")},
		"no id":                 {200, strings.ReplaceAll(intent, "pi_1", "")},
		"a state nobody knows":  {200, strings.ReplaceAll(intent, "requires_capture", "dreamt")},
		"it is processed":       {200, strings.ReplaceAll(intent, "requires_capture", "processing")},
		"an error without JSON": {402, "<html>"},
		"an error of nothing":   {400, "{}"},
		"a gateway's error":     {502, "<html>Bad Gateway</html>"},
		"too much":              {200, `{"id":"` + strings.Repeat("x", 17<<20) + `"}`},
	} {
		g, _ := answering(t, saying(test.status, test.body))
		for _, command := range gateway.Commands {
			charge := "pi_1"
			if command == gateway.Authorize {
				charge = ""
			}
			r := request(command, charge, 1000)
			if answer := g.Do(t.Context(), "k", r); answer.Outcome != gateway.Unknown || answer.Why == "" || answer.Events != nil {
				t.Errorf("%s: %s did %+v", name, command, answer)
			}
			if command == gateway.Authorize || command == gateway.Refund { // these are found in lists
				continue
			}
			if answer := g.Recover(t.Context(), "k", r); answer.Outcome != gateway.Unknown || answer.Why == "" || answer.Events != nil {
				t.Errorf("%s: %s recovered %+v", name, command, answer)
			}
		}
	}
}

func TestATimeOutIsUnknown(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does a server see that the client went away
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	const late = "the gateway did not answer in time"
	g := open(t, server.URL, func(c *stripe.Config) { c.Timeout = 20 * time.Millisecond })
	r := request(gateway.Authorize, "", 1000)
	for asked, ask := range map[string]func(context.Context, string, gateway.Request) gateway.Answer{"do": g.Do, "recover": g.Recover} {
		if answer := ask(t.Context(), "k", r); answer.Outcome != gateway.Unknown || answer.Why != late {
			t.Errorf("%s: %+v", asked, answer)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if answer := open(t, server.URL).Do(ctx, "k", r); answer.Outcome != gateway.Unknown || answer.Why != late {
		t.Errorf("the caller's time: %+v", answer)
	}
}

func TestACutConnectionIsUnknown(t *testing.T) {
	t.Parallel()
	g, asked := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = connection.Close()
		}
	})
	if answer := g.Do(t.Context(), "k", request(gateway.Authorize, "", 1000)); answer.Outcome != gateway.Unknown || answer.Why != "the gateway could not be reached, or broke off" {
		t.Errorf("before the answer: %+v", answer)
	}
	if asked.Load() != 1 {
		t.Errorf("Stripe was asked %d times", asked.Load())
	}
	g, _ = answering(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"id":"pi_1","status":"requires_capture"`))
	})
	if answer := g.Do(t.Context(), "k", request(gateway.Authorize, "", 1000)); answer.Outcome != gateway.Unknown || answer.Why != "the gateway could not be reached, or broke off" {
		t.Errorf("in the answer: %+v", answer)
	}
}
