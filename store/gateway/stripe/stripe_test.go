package stripe_test

import (
	"reflect"
	"strings"
	"testing"

	"daybook/store/gateway"
	"daybook/store/gateway/gatewaytest"
	"daybook/store/gateway/stripe"
	"daybook/store/gateway/stripe/stripetest"
	"daybook/store/ledger"
	"daybook/store/payment"
)

func TestStripeKeepsEveryPromise(t *testing.T) {
	t.Parallel()
	gatewaytest.Run(t, func(t *testing.T) gateway.Gateway { return remembering(t) })
}

// TestStripeMockTakesEveryRequest shows that what is sent is what Stripe's API takes. Of a payment intent stripe-mock answers its one example, which says
// that nothing was done: the gateway must not believe that money moved. Its example of a refund has succeeded, with the amount that was asked for.
func TestStripeMockTakesEveryRequest(t *testing.T) {
	t.Parallel()
	g := open(t, stripetest.Mock(t))
	for _, command := range []gateway.Command{gateway.Authorize, gateway.Capture, gateway.Void} {
		charge := "pi_1"
		if command == gateway.Authorize {
			charge = ""
		}
		r := request(command, charge, 1000)
		r.Currency = "USD" // of the example
		answer := g.Do(t.Context(), "k-"+string(command), r)
		if answer.Outcome != gateway.Unknown || !strings.Contains(answer.Why, "requires payment method") || len(answer.Events) != 0 {
			t.Errorf("%s: %+v", command, answer)
		}
	}
	r := request(gateway.Refund, "pi_1", 300)
	r.Currency = "USD"
	answer := g.Do(t.Context(), "k-refund", r)
	if len(answer.Events) != 1 || answer.Outcome != gateway.Done || answer.Events[0].(payment.Refund).AmountMinor != 300 {
		t.Errorf("refund: %+v", answer)
	}
	if found := g.Recover(t.Context(), "k-refund", r); found.Outcome != gateway.NotDone {
		t.Errorf("stripe-mock remembers nothing, and %+v was recovered", found)
	}
}

func TestADeclinedCardIsADeclineHoweverItIsAsked(t *testing.T) {
	t.Parallel()
	for card, reason := range map[string]string{
		"pm_card_visa_chargeDeclined":                  "generic decline",
		"pm_card_visa_chargeDeclinedInsufficientFunds": "insufficient funds",
		"pm_card_authenticationRequired":               "authentication required",
	} {
		g := remembering(t, func(c *stripe.Config) { c.PaymentMethod = card })
		r := request(gateway.Authorize, "", 1000)
		want := gateway.Answer{
			Outcome: gateway.Refused, Charge: "pi_test_1", Events: []payment.Event{payment.Decline{Ref: "pi_test_1", Reason: reason}},
			Why: "the card was declined: " + reason,
		}
		if answer := g.Do(t.Context(), "k", r); !reflect.DeepEqual(answer, want) {
			t.Errorf("%s: %+v", card, answer)
		}
		if answer := g.Recover(t.Context(), "k", r); !reflect.DeepEqual(answer, want) {
			t.Errorf("%s: recovered %+v", card, answer)
		}
	}
}

func TestAKeyThatStripeKnowsFromAnotherRequestIsNamed(t *testing.T) {
	t.Parallel()
	g := remembering(t)
	charge := authorized(t, g, "k1", 1000)
	// Nothing was done by the key: what it was first sent with was refused.
	if answer := g.Do(t.Context(), "k2", request(gateway.Capture, charge, 1001)); answer.Outcome != gateway.Refused {
		t.Fatalf("capture more than is authorized: %+v", answer)
	}
	if answer := g.Do(t.Context(), "k2", request(gateway.Capture, charge, 1000)); answer.Outcome != gateway.Refused || !strings.Contains(answer.Why, "k2") {
		t.Errorf("capture by the key of a refusal: %+v", answer)
	}
	// Something was done by the key: that is to be recovered, and never asked for anew.
	if answer := g.Do(t.Context(), "k1", request(gateway.Authorize, "", 2000)); answer.Outcome != gateway.Unknown || !strings.Contains(answer.Why, "k1") {
		t.Errorf("authorize another amount: %+v", answer)
	}
	if answer := g.Recover(t.Context(), "k1", request(gateway.Authorize, "", 2000)); answer.Outcome != gateway.Done || answer.Charge != charge {
		t.Errorf("recovered %+v", answer)
	}
}

func TestWhatStripeCannotCountIsRefusedByName(t *testing.T) {
	t.Parallel()
	g, asked := answering(t, saying(500, ""))
	for _, test := range []struct {
		minor          int64
		currency, word string
	}{
		{1005, "KWD", "KWD"}, {1050, "MGA", "MGA"}, {500, "UGX", "UGX"}, {1 << 62, "ISK", "more than Stripe takes"}, {5, "XXX", "XXX"},
	} {
		for _, r := range []gateway.Request{request(gateway.Authorize, "", test.minor), request(gateway.Capture, "pi_1", test.minor), request(gateway.Refund, "pi_1", test.minor)} {
			r.Currency = test.currency
			if answer := g.Do(t.Context(), "k", r); answer.Outcome != gateway.Refused || !strings.Contains(answer.Why, test.word) {
				t.Errorf("%s %d %s: %+v", r.Command, test.minor, test.currency, answer)
			}
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("Stripe was asked %d times", n)
	}
}

func TestAmountsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for currency, minor := range map[string]int64{"EUR": 1005, "JPY": 500, "ISK": 5, "MGA": 1200, "KWD": 5120, "HUF": 1234} {
		g := remembering(t)
		r := request(gateway.Authorize, "", minor)
		r.Currency = currency
		answer := g.Do(t.Context(), "k1", r)
		if len(answer.Events) != 1 || answer.Events[0].(payment.Authorization).AmountMinor != minor {
			t.Fatalf("authorize %d %s: %+v", minor, currency, answer)
		}
		r.Command, r.Charge = gateway.Capture, answer.Charge
		want := []payment.Event{payment.Capture{Ref: answer.Charge, AmountMinor: minor}}
		if done := g.Do(t.Context(), "k2", r); !reflect.DeepEqual(done.Events, want) {
			t.Errorf("capture %d %s: %+v", minor, currency, done)
		}
	}
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*stripe.Config){
		"key":     func(c *stripe.Config) { c.Key = "pk_test_public" },
		"url":     func(c *stripe.Config) { c.BaseURL = "stripe.example" },
		"timeout": func(c *stripe.Config) { c.Timeout = -1 },
		"now":     func(c *stripe.Config) { c.Now = nil },
	} {
		config := stripe.Config{Key: secretKey, Now: noon.UTC}
		change(&config)
		_, err := stripe.New(config)
		if refusal, is := err.(*ledger.Error); !is || len(refusal.Fields) != 1 || refusal.Fields[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	config := stripe.Config{Key: "sk_live_secret", BaseURL: "http://stripe.example", Now: noon.UTC}
	if _, err := stripe.New(config); err == nil || strings.Contains(err.Error(), "sk_live_secret") {
		t.Errorf("a live key over http: %v", err)
	}
	config.BaseURL = "https://127.0.0.1:1"
	g, err := stripe.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if answer := g.Do(t.Context(), "k", request(gateway.Authorize, "", 1000)); answer.Outcome != gateway.Refused || !strings.Contains(answer.Why, "payment method") {
		t.Errorf("a live key without a payment method: %+v", answer)
	}
}
