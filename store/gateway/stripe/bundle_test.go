package stripe_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"daybook/store/gateway"
	"daybook/store/gateway/stripe"
	"daybook/store/gateway/stripe/stripetest"
)

const (
	secretKey     = "sk_test_secret"
	webhookSecret = "whsec_test"
)

// noon is when all of these tests happen.
var noon = time.Date(2026, 3, 24, 12, 0, 0, 0, time.UTC)

// open gives the gateway to a Stripe at a URL.
func open(t testing.TB, url string, change ...func(*stripe.Config)) *stripe.Gateway {
	t.Helper()
	config := stripe.Config{Key: secretKey, BaseURL: url, WebhookSecret: webhookSecret, Timeout: time.Minute, Now: func() time.Time { return noon }}
	for _, c := range change {
		c(&config)
	}
	g, err := stripe.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// answering gives the gateway to a server that answers everything so, and how often it was asked.
func answering(t testing.TB, handle http.HandlerFunc) (g *stripe.Gateway, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		handle(w, r)
	}))
	t.Cleanup(server.Close)
	return open(t, server.URL), asked
}

// saying answers with a status and a text.
func saying(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// recorded gives what Stripe sends, in the shapes that its documentation shows, with names of our own.
func recorded(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// request is about a payment that all tests share.
func request(command gateway.Command, charge string, amountMinor int64) gateway.Request {
	return gateway.Request{
		Command: command, BookCode: "main", PaymentID: 17, Charge: charge, AmountMinor: amountMinor, Currency: "EUR", Customer: "alice", Reference: "order 1",
	}
}

// authorized makes a payment that is authorized, and gives its charge.
func authorized(t *testing.T, g *stripe.Gateway, key string, amountMinor int64) string {
	t.Helper()
	answer := g.Do(t.Context(), key, request(gateway.Authorize, "", amountMinor))
	if answer.Outcome != gateway.Done {
		t.Fatalf("authorize: %+v", answer)
	}
	return answer.Charge
}

// remembering gives the gateway to a Stripe with a memory.
func remembering(t *testing.T, change ...func(*stripe.Config)) *stripe.Gateway {
	t.Helper()
	return open(t, stripetest.Start(t).URL, change...)
}
