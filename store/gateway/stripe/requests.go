package stripe

import (
	"context"
	"errors"
	"strconv"
	"strings"

	api "github.com/stripe/stripe-go/v85"

	"daybook/store/gateway"
	"daybook/store/ledger"
)

// The names in the metadata of what Daybook makes at Stripe: whose it is, and by which key it was asked for. The key of a capture has a name of its own,
// since it is put down at the payment intent too.
const (
	metaBook       = "book"
	metaPayment    = "payment_id"
	metaKey        = "daybook_key"
	metaCaptureKey = "daybook_capture_key"
)

// maxKeyRunes is what Stripe takes as a key.
const maxKeyRunes = 255

// do asks Stripe for a request, if it is one that can be asked for.
func (g *Gateway) do(ctx context.Context, key string, r gateway.Request) gateway.Answer {
	amount, err := toStripe(r.AmountMinor, r.Currency)
	var refusal *ledger.Error
	switch {
	case key == "" || len(key) > maxKeyRunes:
		return refused("Stripe takes keys of 1 to %d characters", maxKeyRunes)
	case r.Command == gateway.Authorize && g.config.PaymentMethod == "":
		return refused("no payment method is configured, and Daybook has no cards: give Stripe's name of one (pm_…)")
	case r.Command != gateway.Authorize && r.Charge == "":
		return refused("Stripe has no payment intent of this payment")
	case r.Command != gateway.Void && errors.As(err, &refusal):
		return refused("%s", refusal.Message)
	}
	switch r.Command {
	case gateway.Authorize:
		intent, err := g.client.V1PaymentIntents.Create(ctx, g.authorize(key, r, amount))
		return g.answer(ctx, key, r, intent, err)
	case gateway.Capture:
		params := &api.PaymentIntentCaptureParams{AmountToCapture: &amount, Metadata: map[string]string{metaCaptureKey: key}}
		params.SetIdempotencyKey(key)
		intent, err := g.client.V1PaymentIntents.Capture(ctx, r.Charge, params)
		return g.answer(ctx, key, r, intent, err)
	case gateway.Void:
		params := &api.PaymentIntentCancelParams{}
		params.SetIdempotencyKey(key)
		intent, err := g.client.V1PaymentIntents.Cancel(ctx, r.Charge, params)
		return g.answer(ctx, key, r, intent, err)
	case gateway.Refund:
		params := &api.RefundCreateParams{PaymentIntent: &r.Charge, Amount: &amount, Metadata: metadata(key, r)}
		params.SetIdempotencyKey(key)
		made, err := g.client.V1Refunds.Create(ctx, params)
		if err != nil {
			return g.failed(ctx, key, r, err)
		}
		return refundAnswer(r, made)
	}
	return refused("%q is nothing that Stripe can be asked for", r.Command)
}

// authorize makes and confirms a payment intent in one request. Nobody is there to answer a question of the payer's bank, so a card that asks one is
// declined; cards only, since other ways to pay send the payer elsewhere and cannot be held.
func (g *Gateway) authorize(key string, r gateway.Request, amount int64) *api.PaymentIntentCreateParams {
	params := &api.PaymentIntentCreateParams{
		Amount: &amount, Currency: api.String(strings.ToLower(r.Currency)), Confirm: api.Bool(true),
		CaptureMethod: api.String(string(api.PaymentIntentCaptureMethodManual)), PaymentMethod: &g.config.PaymentMethod,
		PaymentMethodTypes: []*string{api.String("card")}, ErrorOnRequiresAction: api.Bool(true), Metadata: metadata(key, r),
	}
	if r.Reference != "" {
		params.Description = api.String(r.Reference)
	}
	params.SetIdempotencyKey(key)
	return params
}

func metadata(key string, r gateway.Request) map[string]string {
	return map[string]string{metaBook: r.BookCode, metaPayment: strconv.FormatInt(r.PaymentID, 10), metaKey: key}
}

// answer is what Stripe said to a request about a payment intent. That it is as it was before says nothing of the request.
func (g *Gateway) answer(ctx context.Context, key string, r gateway.Request, intent *api.PaymentIntent, err error) gateway.Answer {
	if err != nil {
		return g.failed(ctx, key, r, err)
	}
	answer := intentAnswer(key, r, intent)
	if answer.Outcome == gateway.NotDone {
		answer.Outcome = gateway.Unknown
	}
	return answer
}
