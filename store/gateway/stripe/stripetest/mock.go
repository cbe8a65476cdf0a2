package stripetest

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stripe/stripe-mock/embedded"
	"github.com/stripe/stripe-mock/server"
)

// Mock serves stripe-mock on a loopback port until the test ends. It holds each request against Stripe's own description of its API: a parameter that is
// unknown, missing or of a wrong type is refused as Stripe does. It remembers nothing, and answers from fixed examples: every payment intent requires a
// payment method, whatever was done to it. So it can show that what is sent is what Stripe takes, and that what Stripe sends is read; not that money moves,
// nor that a key does it once. For that there is Start.
func Mock(t testing.TB) (url string) {
	t.Helper()
	s := httptest.NewServer(mock(t))
	t.Cleanup(s.Close)
	return s.URL
}

// load reads the description of the API, which takes a second or two, once for all tests of a process.
var load = sync.OnceValues(func() (*server.StubServer, error) {
	spec, err := server.LoadSpec(embedded.OpenAPISpec, "")
	if err != nil {
		return nil, err
	}
	fixtures, err := server.LoadFixtures(embedded.OpenAPIFixtures, "")
	if err != nil {
		return nil, err
	}
	return server.NewStubServer(fixtures, spec, false, false)
})

func mock(t testing.TB) http.Handler {
	t.Helper()
	stub, err := load()
	if err != nil {
		t.Fatalf("load stripe-mock: %v", err)
	}
	return http.HandlerFunc(stub.HandleRequest)
}
