package stripetest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/store/gateway/stripe/stripetest"
)

// TestMockRefusesWhatStripeDoesNotTake holds that the tests over stripe-mock can fail.
func TestMockRefusesWhatStripeDoesNotTake(t *testing.T) {
	t.Parallel()
	for _, base := range []string{stripetest.Mock(t), stripetest.Start(t).URL} {
		for name, form := range map[string]url.Values{
			"without a currency":   {"amount": {"1000"}},
			"a fraction":           {"amount": {"10.5"}, "currency": {"eur"}},
			"an unknown parameter": {"amount": {"1000"}, "currency": {"eur"}, "captured": {"no"}},
		} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/v1/payment_intents", strings.NewReader(form.Encode()))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer sk_test_123")
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusBadRequest {
				t.Errorf("%s: %s", name, response.Status)
			}
		}
	}
}
