package stripe

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	api "github.com/stripe/stripe-go/v85"

	"daybook/store/gateway"
	"daybook/store/ledger"
)

// Name is what the gateway is called, and the source of its messages.
const Name = "stripe"

// Config is how Stripe is reached. Key is the secret (sk_…) or restricted (rk_…) key. BaseURL is empty for Stripe itself. PaymentMethod is what every
// authorization charges: no request of Daybook has a card. Empty, it is Stripe's Visa card for tests, and nothing with a key that is live.
// WebhookSecret (whsec_…) may be empty: then no webhook is believed. Timeout bounds each call to the gateway, all its requests to Stripe together.
type Config struct {
	Key           string
	BaseURL       string
	PaymentMethod string
	WebhookSecret string
	Timeout       time.Duration
	Now           func() time.Time
}

// Gateway asks Stripe.
type Gateway struct {
	client *api.Client
	config Config
}

var _ gateway.Gateway = (*Gateway)(nil)

// DefaultTimeout is the Timeout of a Config that has none.
const DefaultTimeout = 20 * time.Second

// New gives the gateway; nothing is asked of Stripe yet. Error: KindInvalid, which never holds the key.
func New(c Config) (*Gateway, error) {
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.BaseURL == "" {
		c.BaseURL = api.APIURL
	}
	live := strings.HasPrefix(c.Key, "sk_live_") || strings.HasPrefix(c.Key, "rk_live_")
	if err := c.check(live); err != nil {
		return nil, err
	}
	if c.PaymentMethod == "" && !live {
		c.PaymentMethod = "pm_card_visa"
	}
	// The caller's time is what counts: who asks again is the store, by the same key, and never the library by itself.
	backends := api.NewBackendsWithConfig(&api.BackendConfig{
		URL: api.String(strings.TrimSuffix(c.BaseURL, "/")), HTTPClient: httpClient(), MaxNetworkRetries: api.Int64(0),
		EnableTelemetry: api.Bool(false), LeveledLogger: &api.LeveledLogger{Level: api.LevelNull},
	})
	return &Gateway{client: api.NewClient(c.Key, api.WithBackends(backends)), config: c}, nil
}

func (c Config) check(live bool) error {
	refusal := ledger.Refuse(ledger.KindInvalid, "Stripe is not configured as it must be")
	if !strings.HasPrefix(c.Key, "sk_") && !strings.HasPrefix(c.Key, "rk_") || !plain(c.Key) {
		refusal.At("key", "must be a secret key of Stripe, sk_…, or a restricted one, rk_…")
	}
	base, err := url.Parse(c.BaseURL)
	switch {
	case err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http":
		refusal.At("url", "must be an address that begins with https://, or be left out")
	case live && base.Scheme != "https":
		refusal.At("url", "must begin with https://: a live key does not travel in the open")
	}
	if c.Timeout < 0 {
		refusal.At("timeout", "must be more than 0")
	}
	if c.Now == nil {
		refusal.At("now", "is missing: how old a signature is cannot be told without a clock")
	}
	return refusal.OrNil()
}

// Name is what messages of Stripe have as their source.
func (g *Gateway) Name() string { return Name }

// Do is as gateway.Gateway says.
func (g *Gateway) Do(ctx context.Context, key string, r gateway.Request) gateway.Answer {
	return g.bounded(ctx, func(ctx context.Context) gateway.Answer { return g.do(ctx, key, r) })
}

// Recover is as gateway.Gateway says.
func (g *Gateway) Recover(ctx context.Context, key string, r gateway.Request) gateway.Answer {
	return g.bounded(ctx, func(ctx context.Context) gateway.Answer { return g.look(ctx, key, r) })
}

// bounded asks in bounded time. The library panics over some answers that Stripe does not give, such as null in a list.
func (g *Gateway) bounded(ctx context.Context, ask func(context.Context) gateway.Answer) (answer gateway.Answer) {
	defer func() {
		if recover() != nil {
			answer = unknown("Stripe gave an answer that cannot be understood")
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, g.config.Timeout)
	defer cancel()
	return ask(ctx)
}

func unknown(format string, args ...any) gateway.Answer {
	return gateway.Answer{Outcome: gateway.Unknown, Why: fmt.Sprintf(format, args...)}
}

func refused(format string, args ...any) gateway.Answer {
	return gateway.Answer{Outcome: gateway.Refused, Why: fmt.Sprintf(format, args...)}
}

// maxAnswerBytes bounds what is read of an answer: a hundred transactions with all that is in them are less than one MB.
const maxAnswerBytes = 16 << 20

// httpClient follows no redirect, since Stripe gives none and a request to move money goes nowhere else, and reads no answer without end.
func httpClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64 // as many as callers that ask at once, each of which would shake hands anew otherwise
	return &http.Client{Transport: bounds{transport}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

type bounds struct{ next http.RoundTripper }

// RoundTrip gives the answer with an end to it.
func (b bounds) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(r)
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, maxAnswerBytes)
	}
	return response, err
}
