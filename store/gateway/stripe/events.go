package stripe

import (
	"strings"

	api "github.com/stripe/stripe-go/v85"

	"daybook/store/ledger"
	"daybook/store/payment"
)

// What happened, from what Stripe shows of it. Answers and webhooks both come through here, so that what is told twice is told alike. A payment is
// authorized, captured, declined and let go once: its payment intent names all of that.

func authorization(intent *api.PaymentIntent) (payment.Event, error) {
	minor, err := fromStripe(intent.Amount, intent.Currency)
	return payment.Authorization{Ref: intent.ID, AmountMinor: minor}, err
}

// capture has no fee: what Stripe keeps is known from its balance, which comes with the payout.
func capture(intentID string, received int64, currency api.Currency) (payment.Event, error) {
	minor, err := fromStripe(received, currency)
	return payment.Capture{Ref: intentID, AmountMinor: minor}, err
}

func decline(intentID string, fault *api.Error) payment.Event {
	return payment.Decline{Ref: intentID, Reason: reasonOf(fault)}
}

func void(intent *api.PaymentIntent) payment.Event {
	return payment.Void{Ref: intent.ID, Reason: spaced(string(intent.CancellationReason))}
}

// refund is two events where the money came back to us: Stripe takes it when the refund is made, before it reaches the payer.
func refund(r *api.Refund) ([]payment.Event, error) {
	minor, err := fromStripe(r.Amount, r.Currency)
	events := []payment.Event{payment.Refund{Ref: r.ID, AmountMinor: minor}}
	switch r.Status {
	case api.RefundStatusPending, api.RefundStatusRequiresAction, api.RefundStatusSucceeded:
	case api.RefundStatusFailed, api.RefundStatusCanceled:
		events = append(events, payment.RefundFailure{Ref: r.ID})
	default:
		return nil, ledger.Refuse(ledger.KindInvalid, "a refund in the state %q cannot be understood", r.Status).At("status", "is none that Daybook knows")
	}
	return events, err
}

// reasonOf is the reason of a decline in words that Stripe gives alike wherever it tells it.
func reasonOf(fault *api.Error) string {
	switch {
	case fault == nil:
		return ""
	case fault.DeclineCode != "":
		return spaced(string(fault.DeclineCode))
	case fault.Code != "":
		return spaced(string(fault.Code))
	}
	return spaced(string(fault.Type))
}

func spaced(code string) string { return strings.ReplaceAll(code, "_", " ") }
