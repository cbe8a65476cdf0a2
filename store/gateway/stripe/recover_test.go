package stripe_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"daybook/store/gateway"
	"daybook/store/gateway/stripe/stripetest"
	"daybook/store/payment"
)

// recording remembers the queries of what was listed.
func recording(queries *[]string, handle func(w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		*queries = append(*queries, r.URL.RawQuery)
		handle(w, r)
	}
}

// endless is a Stripe where others make payment intents without end.
func endless(w http.ResponseWriter, r *http.Request) {
	before, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Query().Get("starting_after"), "pi_"))
	var intents []string
	for i := range 100 {
		intents = append(intents, fmt.Sprintf(`{"id":"pi_%d","object":"payment_intent","metadata":{}}`, before+i+1))
	}
	_, _ = fmt.Fprintf(w, `{"object":"list","has_more":true,"url":"/v1/payment_intents","data":[%s]}`, strings.Join(intents, ","))
}

func TestAPaymentIsFoundBehindMany(t *testing.T) {
	t.Parallel()
	g := remembering(t)
	charge := authorized(t, g, "k-first", 1000)
	for i := range 150 { // more than a page
		authorized(t, g, fmt.Sprint("k-", i), 500)
	}
	answer := g.Recover(t.Context(), "k-first", request(gateway.Authorize, "", 1000))
	if answer.Outcome != gateway.Done || answer.Charge != charge {
		t.Errorf("recovered %+v, not %s", answer, charge)
	}
	r := request(gateway.Authorize, "", 1000)
	r.BookCode = "other"
	if answer := g.Recover(t.Context(), "k-first", r); answer.Outcome != gateway.NotDone {
		t.Errorf("the same key in another book: %+v", answer)
	}
}

func TestWhatIsNotAmongTheLastIsUnknown(t *testing.T) {
	t.Parallel()
	var queries []string
	g, asked := answering(t, recording(&queries, endless))
	r := request(gateway.Authorize, "", 1000)
	if answer := g.Recover(t.Context(), "k", r); answer.Outcome != gateway.Unknown || !strings.Contains(answer.Why, "2000") {
		t.Errorf("recovered %+v", answer)
	}
	if asked.Load() != 20 {
		t.Errorf("Stripe was asked %d times", asked.Load())
	}
	r.AskedAt = noon
	g.Recover(t.Context(), "k", r)
	if want := fmt.Sprintf("created[gte]=%d", noon.Unix()-3600); !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(queries[len(queries)-1], "%5B", "["), "%5D", "]"), want) {
		t.Errorf("it is looked for in %s", queries[len(queries)-1])
	}
}

func TestWhatOthersDidIsNotTakenForTheRequest(t *testing.T) {
	t.Parallel()
	g := remembering(t)
	charge := authorized(t, g, "k-1", 1000)
	if answer := g.Do(t.Context(), "k-2", request(gateway.Capture, charge, 400)); answer.Outcome != gateway.Done {
		t.Fatalf("capture: %+v", answer)
	}
	for _, command := range []gateway.Command{gateway.Capture, gateway.Void} {
		if answer := g.Recover(t.Context(), "k-3", request(command, charge, 1000)); answer.Outcome != gateway.Refused || len(answer.Events) != 0 {
			t.Errorf("%s after a capture by another key: %+v", command, answer)
		}
	}
	want := payment.Authorization{Ref: charge, AmountMinor: 1000}
	if answer := g.Recover(t.Context(), "k-1", request(gateway.Authorize, charge, 1000)); answer.Outcome != gateway.Done || answer.Events[0] != want {
		t.Errorf("its authorization after the capture: %+v", answer)
	}
}

func TestAnAuthorizationThatWasLetGoHasBeenOne(t *testing.T) {
	t.Parallel()
	g := remembering(t)
	charge := authorized(t, g, "k-1", 1000)
	g.Do(t.Context(), "k-2", request(gateway.Void, charge, 0))
	want := payment.Authorization{Ref: charge, AmountMinor: 1000}
	if answer := g.Recover(t.Context(), "k-1", request(gateway.Authorize, "", 1000)); answer.Outcome != gateway.Done || answer.Events[0] != want {
		t.Errorf("recovered %+v", answer)
	}
	if answer := g.Recover(t.Context(), "k-3", request(gateway.Capture, charge, 1000)); answer.Outcome != gateway.Refused {
		t.Errorf("its capture: %+v", answer)
	}
}

func TestARefundOfAPaymentThatStripeDoesNotKnowStaysUnknown(t *testing.T) {
	t.Parallel()
	missing := saying(http.StatusNotFound, `{"error":{"type":"invalid_request_error","code":"resource_missing","message":"No such payment_intent: 'pi_1'"}}`)
	g, _ := answering(t, missing)
	for command, want := range map[gateway.Command]gateway.Outcome{
		gateway.Refund: gateway.Unknown, gateway.Authorize: gateway.Unknown, gateway.Capture: gateway.NotDone, gateway.Void: gateway.NotDone,
	} {
		if answer := g.Recover(t.Context(), "k", request(command, "pi_1", 1000)); answer.Outcome != want || !strings.Contains(answer.Why, "right account") {
			t.Errorf("%s: %+v", command, answer)
		}
	}
}

func TestWithoutAPaymentIntentNothingIsAsked(t *testing.T) {
	t.Parallel()
	g := open(t, stripetest.Start(t).URL)
	for _, command := range []gateway.Command{gateway.Capture, gateway.Refund, gateway.Void} {
		if answer := g.Do(t.Context(), "k", request(command, "", 1000)); answer.Outcome != gateway.Refused {
			t.Errorf("%s: %+v", command, answer)
		}
		if answer := g.Recover(t.Context(), "k", request(command, "", 1000)); answer.Outcome != gateway.NotDone {
			t.Errorf("%s, recovered: %+v", command, answer)
		}
	}
	for _, key := range []string{"", strings.Repeat("k", 256)} {
		if answer := g.Do(t.Context(), key, request(gateway.Authorize, "", 1000)); answer.Outcome != gateway.Refused || !strings.Contains(answer.Why, "255") {
			t.Errorf("a key of %d characters: %+v", len(key), answer)
		}
	}
	if answer := g.Do(t.Context(), "k", request("dream", "pi_1", 1000)); answer.Outcome != gateway.Refused {
		t.Errorf("a command that is none: %+v", answer)
	}
}
