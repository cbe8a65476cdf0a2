package stripe

import (
	"context"
	"errors"
	"net/http"
	"time"

	api "github.com/stripe/stripe-go/v85"

	"daybook/store/gateway"
)

const (
	pageSize  = 100
	maxListed = 2000 // how many payment intents or refunds are looked through
	// clockSkew is how far the clocks of Stripe and of whoever asked may be apart.
	clockSkew = time.Hour
)

// look finds out what became of a request, by the payment intent and the metadata at Stripe. Stripe's search is not asked: what was made a moment ago is
// not found by it.
func (g *Gateway) look(ctx context.Context, key string, r gateway.Request) gateway.Answer {
	switch {
	case r.Command == gateway.Refund && r.Charge != "":
		return g.lookForRefund(ctx, key, r)
	case r.Charge != "":
		return g.lookAt(ctx, key, r, r.Charge)
	case r.Command != gateway.Authorize:
		return gateway.Answer{Outcome: gateway.NotDone, Why: "Stripe has no payment intent of this payment"}
	}
	params := &api.PaymentIntentListParams{}
	params.Limit = api.Int64(pageSize)
	if !r.AskedAt.IsZero() {
		params.CreatedRange = &api.RangeQueryParams{GreaterThanOrEqual: r.AskedAt.Add(-clockSkew).Unix()}
	}
	seen := 0
	for intent, err := range g.client.V1PaymentIntents.List(ctx, params).All(ctx) {
		switch {
		case err != nil:
			return lookFailed(err)
		case intent.Metadata[metaKey] == key && intent.Metadata[metaBook] == r.BookCode:
			return g.lookAt(ctx, key, r, intent.ID)
		}
		if seen++; seen == maxListed {
			return unknown("the payment is not among the last %d at Stripe, and earlier ones were not looked through", maxListed)
		}
	}
	return gateway.Answer{Outcome: gateway.NotDone, Why: "Stripe has no payment by this key"}
}

// lookAt judges by the payment intent. One that Stripe does not have was neither captured nor let go.
func (g *Gateway) lookAt(ctx context.Context, key string, r gateway.Request, intentID string) gateway.Answer {
	params := &api.PaymentIntentRetrieveParams{Expand: []*string{api.String("latest_charge")}}
	intent, err := g.client.V1PaymentIntents.Retrieve(ctx, intentID, params)
	if missing(err) && r.Command != gateway.Authorize {
		return gateway.Answer{Outcome: gateway.NotDone, Why: missingWords}
	}
	if err != nil {
		return lookFailed(err)
	}
	return intentAnswer(key, r, intent)
}

func (g *Gateway) lookForRefund(ctx context.Context, key string, r gateway.Request) gateway.Answer {
	params := &api.RefundListParams{PaymentIntent: &r.Charge}
	params.Limit = api.Int64(pageSize)
	seen := 0
	for made, err := range g.client.V1Refunds.List(ctx, params).All(ctx) {
		switch {
		case err != nil:
			return lookFailed(err)
		case made.Metadata[metaKey] == key:
			return refundAnswer(r, made)
		}
		if seen++; seen == maxListed {
			return unknown("the refund is not among the last %d of this payment at Stripe", maxListed)
		}
	}
	return gateway.Answer{Outcome: gateway.NotDone, Why: "Stripe has no refund by this key", Charge: r.Charge}
}

// lookFailed is what an error says where nothing was asked for but news: never that nothing was done.
func lookFailed(err error) gateway.Answer {
	var fault *api.Error
	switch {
	case !errors.As(err, &fault):
		return unanswered(err)
	case missing(err):
		return unknown(missingWords)
	}
	return unknown("%s", why(fault))
}

const missingWords = "Stripe does not know this payment: is the key that of the right account, live or for tests?"

// missing reports whether Stripe has nothing by the name that it was asked about.
func missing(err error) bool {
	var fault *api.Error
	return errors.As(err, &fault) && fault.HTTPStatusCode == http.StatusNotFound
}
