package stripe_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

func TestAnEventOfAnotherBookIsNotApplied(t *testing.T) {
	t.Parallel()
	g := stripeOf(t, knownAnswers(t))
	for _, name := range []string{"payment_intent.succeeded", "charge.captured", "refund.created", "refund.created_elsewhere", "charge.dispute.created", "payout.paid"} {
		body := recorded(t, "events/"+name+".json")
		messages, err := g.Webhook().Read(t.Context(), "other", signed(body, webhookSecret, noon), []byte(body))
		if err != nil || len(messages) != 1 || messages[0].Unreadable == nil || !strings.Contains(messages[0].Unreadable.Error(), `is "main", not "other"`) {
			t.Errorf("%s: %v, %s", name, err, shown(messages))
		}
	}
}

// TestWhileStripeCannotBeAskedNothingIsKept: Stripe sends an event again until it is taken, and then more is known.
func TestWhileStripeCannotBeAskedNothingIsKept(t *testing.T) {
	t.Parallel()
	g, _ := answering(t, saying(http.StatusServiceUnavailable, "{}"))
	for _, name := range []string{"refund.created_elsewhere", "charge.refunded", "charge.dispute.created", "payout.paid"} {
		body := recorded(t, "events/"+name+".json")
		if messages, err := g.Webhook().Read(t.Context(), "main", signed(body, webhookSecret, noon), []byte(body)); ledger.KindOf(err) != ledger.KindBusy || messages != nil {
			t.Errorf("%s: %v, %s", name, err, shown(messages))
		}
	}
	for _, name := range []string{"refund.created", "payment_intent.succeeded"} { // which say all
		body := recorded(t, "events/"+name+".json")
		if messages, err := g.Webhook().Read(t.Context(), "main", signed(body, webhookSecret, noon), []byte(body)); err != nil || len(messages) != 1 {
			t.Errorf("%s: %v, %s", name, err, shown(messages))
		}
	}
}

func TestAPayoutThatIsNotUnderstoodSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	body := recorded(t, "events/payout.paid.json")
	for name, test := range map[string]struct{ old, with, word string }{
		"another sum":        {`"amount": 900,`, `"amount": 901,`, "is 566; its transactions come to 567"},
		"another kind":       {`"object": "refund"`, `"object": "topup"`, "has txn_3, a transaction of the type refund"},
		"another currency":   {`"currency": "eur",` + "\n    \"description\": \"order 1\"", `"currency": "usd", "description": "order 1"`, "has ch_17, from USD into EUR"},
		"of others":          {`"payment_id": "17"`, `"payment_id": "order 1"`, "metadata.payment_id"},
		"without an intent":  {`"payment_intent": "pi_17"`, `"payment_intent": null`, "payment_intent: is missing"},
		"nothing, in a list": {`"data": [`, `"data": [null,`, "cannot be understood"},
	} {
		answers := knownAnswers(t)
		transactions := strings.ReplaceAll(answers["balance_transactions"], test.old, test.with)
		if transactions == answers["balance_transactions"] {
			t.Fatalf("%s: there is no %s", name, test.old)
		}
		answers["balance_transactions"] = transactions
		messages, err := stripeOf(t, answers).Webhook().Read(t.Context(), "main", signed(body, webhookSecret, noon), []byte(body))
		if err != nil || len(messages) != 1 || messages[0].Unreadable == nil || !strings.Contains(messages[0].Unreadable.Error(), test.word) {
			t.Errorf("%s: %v, %s", name, err, shown(messages))
		}
	}
}

func TestWhatIsSignedAndNoEventIsKeptWithAReason(t *testing.T) {
	t.Parallel()
	reader := stripeOf(t, nil).Webhook()
	for _, body := range []string{
		"", "null", "{}", "[]", "hello", "{", "\xff\x00", `{"id":"evt_1"}`, `{"id":"evt 1","type":"payout.paid"}`, `{"id":"` + strings.Repeat("e", 300) + `","type":"payout.paid"}`,
		`{"id":"evt_1","type":"payout.paid"}`, `{"id":"evt_1","type":"refund.created","data":{"object":7}}`, `{"id":"evt_1","type":"refund.created","data":{"object":{"id":"re_1"}}}`,
	} {
		messages, err := reader.Read(t.Context(), "main", signed(body, webhookSecret, noon), []byte(body))
		if err != nil || len(messages) != 1 || messages[0].Unreadable == nil || fault(messages[0]) != "" {
			t.Errorf("%q: %v, %s", body, err, shown(messages))
		}
	}
}

// fault says what keeps a message from being kept.
func fault(m inbox.Message) string {
	var data any
	err := json.Unmarshal(m.Data, &data)
	_, isText := data.(string)
	switch {
	case m.Source != "stripe":
		return "the source is " + m.Source
	case m.ID == "" || len(m.ID) > inbox.MaxIDRunes:
		return "the id is " + m.ID
	case m.Type == "" || len(m.Type) > inbox.MaxTypeRunes:
		return "the type is " + m.Type
	case err != nil || isText != (m.Unreadable != nil):
		return "the data is " + string(m.Data)
	}
	return ""
}

// FuzzWebhook: whatever Stripe signs, it becomes messages that can be kept.
func FuzzWebhook(f *testing.F) {
	for _, name := range []string{"payment_intent.succeeded", "payment_intent.payment_failed", "charge.captured", "charge.refunded", "refund.failed", "charge.dispute.created", "payout.paid", "payout.failed"} {
		f.Add(recorded(f, "events/"+name+".json"))
	}
	f.Add("{}")
	f.Add("\xff")
	reader := stripeOf(f, knownAnswers(f)).Webhook()
	f.Fuzz(func(t *testing.T, body string) {
		messages, err := reader.Read(t.Context(), "main", signed(body, webhookSecret, noon), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			if why := fault(m); why != "" {
				t.Error(why)
			}
		}
		if _, err := reader.Read(t.Context(), "main", signed(body, "whsec_other", noon), []byte(body)); ledger.KindOf(err) != ledger.KindUnauthenticated {
			t.Errorf("signed by another: %v", err)
		}
	})
}
