package stripe

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	api "github.com/stripe/stripe-go/v85"

	"daybook/store/gateway"
	"daybook/store/payment"
)

// intentAnswer is what the state of a payment intent says of a request that was made with a key.
func intentAnswer(key string, r gateway.Request, intent *api.PaymentIntent) gateway.Answer {
	if intent == nil || intent.ID == "" || !strings.EqualFold(string(intent.Currency), r.Currency) {
		return unknown("Stripe gave an answer that is not about this payment")
	}
	answer := gateway.Answer{Outcome: gateway.Unknown, Charge: intent.ID, Why: "at Stripe the payment intent is in the state " + spaced(string(intent.Status))}
	switch intent.Status {
	case api.PaymentIntentStatusRequiresCapture:
		if r.Command == gateway.Authorize {
			return happened(answer)(authorization(intent))
		}
		answer.Outcome = gateway.NotDone
	case api.PaymentIntentStatusSucceeded:
		switch {
		case r.Command == gateway.Authorize:
			return happened(answer)(authorization(intent))
		case r.Command == gateway.Capture && intent.Metadata[metaCaptureKey] == key:
			return happened(answer)(capture(intent.ID, intent.AmountReceived, intent.Currency))
		}
		answer.Outcome, answer.Why = gateway.Refused, "the money was captured at Stripe by another request"
	case api.PaymentIntentStatusCanceled:
		switch {
		case r.Command == gateway.Void:
			return happened(answer)(void(intent), nil)
		case r.Command == gateway.Authorize && intent.LatestCharge != nil && intent.LatestCharge.Status == api.ChargeStatusSucceeded:
			return happened(answer)(authorization(intent))
		}
		answer.Outcome, answer.Why = gateway.Refused, "the payment was let go at Stripe"
	case api.PaymentIntentStatusRequiresPaymentMethod:
		if r.Command == gateway.Authorize && intent.LastPaymentError != nil && intent.LastPaymentError.Type == api.ErrorTypeCard {
			return declined(intent.ID, intent.LastPaymentError)
		}
	}
	return answer
}

// happened gives an answer with what happened, or Unknown where Stripe's amount cannot be understood.
func happened(answer gateway.Answer) func(payment.Event, error) gateway.Answer {
	return func(event payment.Event, err error) gateway.Answer {
		if err != nil {
			return unknown("Stripe gave an amount that cannot be understood")
		}
		answer.Outcome, answer.Why, answer.Events = gateway.Done, "", []payment.Event{event}
		return answer
	}
}

func declined(intentID string, fault *api.Error) gateway.Answer {
	answer := refused("the card was declined: %s", reasonOf(fault))
	if intentID != "" {
		answer.Charge, answer.Events = intentID, []payment.Event{decline(intentID, fault)}
	}
	return answer
}

func refundAnswer(r gateway.Request, made *api.Refund) gateway.Answer {
	if made == nil || made.ID == "" || !strings.EqualFold(string(made.Currency), r.Currency) {
		return unknown("Stripe gave an answer that is not about this payment")
	}
	events, err := refund(made)
	if err != nil {
		return unknown("Stripe gave a refund that cannot be understood")
	}
	return gateway.Answer{Outcome: gateway.Done, Charge: r.Charge, Events: events}
}

// failed is what an error says of a request that was made.
func (g *Gateway) failed(ctx context.Context, key string, r gateway.Request, err error) gateway.Answer {
	var fault *api.Error
	if !errors.As(err, &fault) {
		return unanswered(err)
	}
	switch {
	case fault.HTTPStatusCode < 400 || fault.HTTPStatusCode >= 500:
	case undecided(fault) != "":
	case fault.Type == api.ErrorTypeCard && r.Command == gateway.Authorize:
		if fault.PaymentIntent == nil {
			return declined("", fault)
		}
		return declined(fault.PaymentIntent.ID, fault)
	case fault.Type == api.ErrorTypeIdempotency:
		return g.clash(ctx, key, r)
	case fault.Type == api.ErrorTypeInvalidRequest || fault.Type == api.ErrorTypeCard:
		return refused("Stripe refused it: %s", g.hush(fault.Msg))
	}
	return unknown("%s", why(fault))
}

// clash is the answer for a key that Stripe knows from a request that said something else: with another payment method, or from before a change of
// this program. If something was done by the key, that is for Recover to tell.
func (g *Gateway) clash(ctx context.Context, key string, r gateway.Request) gateway.Answer {
	answer := refused("Stripe knows the key %s from a request that said something else", key)
	if g.look(ctx, key, r).Outcome != gateway.NotDone {
		answer.Outcome = gateway.Unknown
	}
	return answer
}

// undecided names the errors by which Stripe says nothing about what the same key did before, or will do.
func undecided(fault *api.Error) string {
	switch {
	case fault.HTTPStatusCode == http.StatusUnauthorized || fault.HTTPStatusCode == http.StatusForbidden:
		return "Stripe does not let Daybook in: its key is wrong, was revoked or lacks a right"
	case fault.HTTPStatusCode == http.StatusTooManyRequests || fault.Code == api.ErrorCodeRateLimit:
		return "Stripe takes no more requests at this moment"
	case fault.HTTPStatusCode == http.StatusConflict || fault.Code == api.ErrorCodeLockTimeout || fault.Code == api.ErrorCodeIdempotencyKeyInUse:
		return "Stripe is at work on this payment already"
	}
	return ""
}

// why says in words why there is no answer in an error of Stripe's.
func why(fault *api.Error) string {
	if words := undecided(fault); words != "" {
		return words
	}
	if fault.HTTPStatusCode >= 500 {
		return "Stripe had a fault of its own"
	}
	return "Stripe gave an error that cannot be understood"
}

// unanswered is the answer for an error that Stripe did not write.
func unanswered(err error) gateway.Answer {
	var broken *url.Error
	if errors.As(err, &broken) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return gateway.Unanswered(err)
	}
	return unknown("Stripe gave an answer that cannot be understood")
}

// hush takes the key out of what Stripe says.
func (g *Gateway) hush(text string) string { return strings.ReplaceAll(text, g.config.Key, "…") }
