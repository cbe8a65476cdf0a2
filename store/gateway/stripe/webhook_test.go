package stripe_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"

	"daybook/store/gateway/stripe"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

// signed gives the headers of what Stripe sends.
func signed(body, secret string, at time.Time) http.Header {
	signature := fmt.Sprintf("t=%d,v1=%x", at.Unix(), webhook.ComputeSignature(at, []byte(body), secret))
	return http.Header{"Stripe-Signature": {signature}}
}

// stripeOf answers what webhooks ask Stripe about.
func stripeOf(t testing.TB, answers map[string]string) *stripe.Gateway {
	g, _ := answering(t, func(w http.ResponseWriter, r *http.Request) {
		text, known := answers[strings.TrimPrefix(r.URL.Path, "/v1/")]
		if !known {
			w.WriteHeader(http.StatusNotFound)
			text = `{"error":{"type":"invalid_request_error","code":"resource_missing","message":"No such thing"}}`
		}
		_, _ = w.Write([]byte(text))
	})
	return g
}

func knownAnswers(t testing.TB) map[string]string {
	return map[string]string{
		"payment_intents/pi_17": recorded(t, "answers/intent.json"), "refunds": recorded(t, "answers/refunds.json"),
		"balance_transactions": recorded(t, "answers/balance_transactions.json"),
	}
}

// shown is messages in short.
func shown(messages []inbox.Message) string {
	var lines []string
	for _, m := range messages {
		line := m.ID + " " + m.Type + " " + string(m.Data)
		if m.Unreadable != nil {
			line = m.ID + " " + m.Type + " unreadable: " + m.Unreadable.Message
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// readByTheInbox reads a message as the store does that applies it.
func readByTheInbox(m inbox.Message) (err error) {
	if kind, is := inbox.PaymentKind(m.Type); is {
		_, err = inbox.ReadPayment(kind, m.Data)
	} else if m.Type == "payout.paid" {
		_, err = inbox.ReadPayout(m.Data)
	}
	return err
}

// translations are the messages that each recorded event becomes.
func translations() map[string]string {
	const refunded = `payment.refunded {"payment_id":17,"ref":"re_17","amount":300,"charge":"pi_17","key":"k-refund-1"}`
	const failed = `payment.refund_failed {"payment_id":17,"ref":"re_17","charge":"pi_17","key":"k-refund-1"}`
	const disputed = `payment.disputed {"payment_id":17,"ref":"du_17","amount":700,"charge":"pi_17"}`
	const elsewhere = `payment.refunded {"payment_id":17,"ref":"re_18","amount":%d,"charge":"pi_17"}`
	return map[string]string{
		"payment_intent.amount_capturable_updated": `evt_1 payment.authorized {"payment_id":17,"ref":"pi_17","amount":1000,"charge":"pi_17","key":"k-authorize-1"}`,
		"payment_intent.payment_failed":            `evt_2 payment.declined {"payment_id":17,"ref":"pi_17","reason":"insufficient funds","charge":"pi_17","key":"k-authorize-1"}`,
		"payment_intent.canceled":                  `evt_3 payment.voided {"payment_id":17,"ref":"pi_17","reason":"automatic","charge":"pi_17"}`,
		"payment_intent.succeeded":                 `evt_4 payment.captured {"payment_id":17,"ref":"pi_17","amount":900,"charge":"pi_17","key":"k-capture-1"}`,
		"payment_intent.succeeded_by_others":       `evt_5 stripe.payment_intent.succeeded unreadable: it is about a payment that Daybook did not make`,
		"charge.captured":                          `evt_7 payment.captured {"payment_id":17,"ref":"pi_17","amount":900,"charge":"pi_17"}`,
		"charge.refunded": fmt.Sprintf("evt_8-re_18 "+elsewhere, 200) + "\n" +
			`evt_8-re_18-failed payment.refund_failed {"payment_id":17,"ref":"re_18","charge":"pi_17"}` + "\nevt_8-re_17 " + refunded,
		"refund.created":                    "evt_9 " + refunded,
		"refund.created_elsewhere":          fmt.Sprintf("evt_10 "+elsewhere, 300),
		"refund.updated":                    "evt_11 " + refunded,
		"refund.failed":                     "evt_12 " + refunded + "\nevt_12-failed " + failed,
		"charge.refund.updated":             "evt_13 " + refunded + "\nevt_13-failed " + failed,
		"charge.dispute.created":            "evt_14 " + disputed,
		"charge.dispute.created_as_inquiry": "",
		"charge.dispute.funds_withdrawn":    "evt_16 " + disputed,
		"charge.dispute.closed_won":         `evt_17 payment.dispute_won {"payment_id":17,"ref":"du_17","charge":"pi_17"}`,
		"charge.dispute.closed_lost":        `evt_18 payment.dispute_lost {"payment_id":17,"ref":"du_17","charge":"pi_17"}`,
		"charge.dispute.closed_as_inquiry":  "",
		"charge.dispute.funds_reinstated":   `evt_20 payment.dispute_won {"payment_id":17,"ref":"du_17","charge":"pi_17"}`,
		"payout.paid": `evt_21 payout.paid {"payout":"po_17","currency":"EUR","amount":566,"fee":2,"paid_on":"2026-03-26","items":[` +
			`{"payment_id":17,"kind":"disputed","ref":"du_17","amount":700,"fee":1500},{"payment_id":17,"kind":"dispute_won","ref":"du_18","amount":700,"fee":-1500},` +
			`{"payment_id":17,"kind":"captured","ref":"pi_17","amount":900,"fee":32},{"payment_id":17,"kind":"refunded","ref":"re_17","amount":300,"fee":0}]}`,
		"payout.paid_by_hand": `evt_22 stripe.payout.paid unreadable: Stripe does not say what a payout by hand is made of: post it as an entry`,
	}
}

func TestEachEventOfStripeIsTranslated(t *testing.T) {
	t.Parallel()
	reader := stripeOf(t, knownAnswers(t)).Webhook()
	for name, want := range translations() {
		body := recorded(t, "events/"+name+".json")
		for range 2 { // what comes again is the same
			messages, err := reader.Read(t.Context(), "main", signed(body, webhookSecret, noon), []byte(body))
			if got := shown(messages); err != nil || got != want {
				t.Errorf("%s: %v\n%s\nis not\n%s", name, err, got, want)
			}
			for _, m := range messages {
				if err := readByTheInbox(m); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			body = strings.ReplaceAll(body, `"pending_webhooks": 1`, `"pending_webhooks": 0`)
		}
	}
}

func TestAnEventOfAKindThatIsNotKnownIsKeptAsItIs(t *testing.T) {
	t.Parallel()
	reader := stripeOf(t, nil).Webhook()
	for _, name := range []string{"payment_intent.created", "payout.failed"} {
		body := recorded(t, "events/"+name+".json")
		messages, err := reader.Read(t.Context(), "main", signed(body, webhookSecret, noon), []byte(body))
		if err != nil || len(messages) != 1 || messages[0].Type != "stripe."+name || messages[0].Unreadable != nil || messages[0].Source != "stripe" {
			t.Fatalf("%s: %v, %s", name, err, shown(messages))
		}
		data := string(messages[0].Data)
		if !strings.Contains(data, `"status":`) || strings.Contains(data, "client_secret") || strings.Contains(data, "pending_webhooks") {
			t.Errorf("%s is kept as %s", name, data)
		}
	}
}

func TestOnlyWhatStripeSignedIsRead(t *testing.T) {
	t.Parallel()
	body := recorded(t, "events/refund.created.json")
	right := signed(body, webhookSecret, noon)
	rolled := http.Header{"Stripe-Signature": {right.Get("Stripe-Signature") + ",v1=" + strings.Repeat("00", 32)}}
	reader := stripeOf(t, nil).Webhook()
	for name, test := range map[string]struct {
		header http.Header
		body   string
		word   string // of the refusal, "" for none
	}{
		"right":                     {right, body, ""},
		"while a secret is changed": {rolled, body, ""},
		"five minutes old":          {signed(body, webhookSecret, noon.Add(-5*time.Minute)), body, ""},
		"of a clock that is ahead":  {signed(body, webhookSecret, noon.Add(5*time.Minute)), body, ""},
		"of another day":            {signed(body, webhookSecret, noon.Add(24*time.Hour)), body, "is not of the last 5 minutes"},
		"too old":                   {signed(body, webhookSecret, noon.Add(-301*time.Second)), body, "is not of the last 5 minutes"},
		"of another secret":         {signed(body, "whsec_other", noon), body, "is wrong"},
		"of another body":           {right, strings.Replace(body, "300", "30", 1), "is wrong"},
		"without a header":          {http.Header{}, body, "is missing"},
		"an odd header":             {http.Header{"Stripe-Signature": {"t=yesterday,v1=00"}}, body, "cannot be read"},
		"no signature":              {http.Header{"Stripe-Signature": {"t=1774353600"}}, body, "is wrong"},
		"another scheme":            {http.Header{"Stripe-Signature": {strings.Replace(right.Get("Stripe-Signature"), "v1=", "v0=", 1)}}, body, "is wrong"},
		"a later time put before":   {http.Header{"Stripe-Signature": {fmt.Sprintf("t=%d,", noon.Unix()) + signed(body, webhookSecret, noon.Add(-time.Hour)).Get("Stripe-Signature")}}, body, "is not of the last 5 minutes"},
	} {
		messages, err := reader.Read(t.Context(), "main", test.header, []byte(test.body))
		switch {
		case test.word == "" && (err != nil || len(messages) != 1):
			t.Errorf("%s: %v", name, err)
		case test.word != "" && (ledger.KindOf(err) != ledger.KindUnauthenticated || !strings.Contains(err.Error(), test.word) || messages != nil):
			t.Errorf("%s: %v, %s", name, err, shown(messages))
		}
	}
	open := open(t, "http://127.0.0.1:1", func(c *stripe.Config) { c.WebhookSecret = "" })
	if _, err := open.Webhook().Read(t.Context(), "main", signed(body, "", noon), []byte(body)); ledger.KindOf(err) != ledger.KindUnauthenticated {
		t.Errorf("without a secret: %v", err)
	}
}
