package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/inbox"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// told is a message of source shop about a payment, with more fields of its data.
func told(id, kind string, paymentID int64, fields string) inbox.Message {
	return message(id, "payment."+kind, fmt.Sprintf(`{"payment_id":%d%s}`, paymentID, fields))
}

func TestReceive_EventsOutOfOrderWaitForWhatTheyNeed(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.asks(t, 1000, "alice")
	for _, m := range []inbox.Message{
		told("m-1", "refund_failed", id, `,"ref":"re_1"`), told("m-2", "refunded", id, `,"ref":"re_1","amount":400`), told("m-3", "captured", id, `,"ref":"ca_1","amount":1000,"fee":40`),
	} {
		if got := c.takes(t, m); got.Result != store.InboxWaiting || got.PaymentID != id || got.Problem == nil {
			t.Fatalf("%s came to %+v", m.ID, got)
		}
	}
	if got := c.takes(t, told("m-4", "authorized", id, `,"ref":"au_1","amount":1000`)); got.Result != store.InboxApplied {
		t.Fatalf("the authorization came to %+v", got)
	}
	for i, want := range []string{"delivered waiting, tried applied", "delivered waiting, tried applied", "delivered waiting, tried applied", "delivered applied"} {
		if m := c.kept(t, fmt.Sprintf("m-%d", i+1)); history(m) != want || m.Problem != nil || !m.NextAt.IsZero() {
			t.Errorf("the history of %s is %s: %+v", m.ID, history(m), m)
		}
	}
	if p := c.is(t, id, payment.Captured, true); p.LeftMinor() != 1000 || p.FeeMinor != 40 {
		t.Errorf("the payment is %+v", p)
	}
	if got := c.takes(t, told("m-3", "captured", id, `,"ref":"ca_1","amount":1000,"fee":40`)); got.Result != store.InboxDuplicate || got.Seq == 0 {
		t.Errorf("the capture again came to %+v", got)
	}
}

func TestReceive_WaitsForAPaymentThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	if got := c.takes(t, told("m-1", "authorized", 1, ``)); got.Result != store.InboxWaiting || got.Problem.Kind != ledger.KindNotFound {
		t.Fatalf("it came to %+v", got)
	}
	id := c.asks(t, 1000, "alice")
	c.clock.advance(5 * time.Second)
	ok(t, c.WorkMessage(t.Context(), c.book.ID, "shop", "m-1"))
	if m := c.kept(t, "m-1"); m.State != store.InboxApplied || m.PaymentID != id {
		t.Errorf("it is %+v", m)
	}
}

func TestReceive_WhatTheGatewayAnsweredIsTheSameEvent(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.asks(t, 1000, "alice")
	c.must(t, id, gateway.Authorize, "k1")
	c.must(t, id, gateway.Capture, "k2", 1000)
	entries := c.counts(t, "entries")
	for name, m := range map[string]inbox.Message{
		"Bare":         told("m-1", "captured", id, ``),
		"WithTheFee":   told("m-2", "captured", id, `,"ref":"capture-2","amount":1000,"fee":40,"currency":"EUR","key":"k"`),
		"TheHold":      told("m-3", "authorized", id, `,"amount":1000`),
		"OfAnotherSum": told("m-4", "captured", id, `,"ref":"capture-2","amount":999`),
		"OfAnotherPay": told("m-5", "captured", id, `,"currency":"USD"`),
	} {
		got, wrong := c.takes(t, m), strings.HasPrefix(name, "OfAnother")
		if wrong != (got.Result == store.InboxFailed) || !wrong && got.Result != store.InboxApplied {
			t.Errorf("%s came to %+v: %v", name, got, got.Problem)
		}
	}
	if now := c.counts(t, "entries"); now != entries {
		t.Errorf("there were %s, and are %s", entries, now)
	}
	if got := c.takes(t, told("m-6", "refunded", id, `,"id":1`)); got.Result != store.InboxParked || got.Problem.Fields[0].Field != "id" {
		t.Errorf("a field too many came to %+v", got)
	}
}

func TestReceive_AnAnswerOfTheGatewayMovesWhatWaitsForIt(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.asks(t, 1000, "alice")
	if got := c.takes(t, told("m-1", "captured", id, `,"ref":"ca_1","amount":1000`)); got.Result != store.InboxWaiting {
		t.Fatalf("it came to %+v", got)
	}
	c.must(t, id, gateway.Authorize, "k1")
	if m := c.kept(t, "m-1"); m.State != store.InboxApplied || m.Seq == 0 {
		t.Errorf("it is %+v", m)
	}
	c.is(t, id, payment.Captured, true)
}

// TestReceive_ADeclineThatIsToldAnswersWhoAskedAndWasNotAnswered: the answer to the same key is that of the gateway, though it came by another way.
func TestReceive_ADeclineThatIsToldAnswersWhoAskedAndWasNotAnswered(t *testing.T) {
	t.Parallel()
	c := setupPayments(t, losesTheRequest)
	id := c.asks(t, 1000, "alice")
	if got := c.must(t, id, gateway.Authorize, "k1"); got.Known {
		t.Fatalf("without an answer it is %+v", got)
	}
	c.takes(t, told("m-1", "declined", id, `,"ref":"au_1","reason":"no funds"`))
	if got := c.must(t, id, gateway.Authorize, "k1"); got.State != "failed" || got.Why != "no funds" || !got.Known {
		t.Errorf("asked again it is %+v", got)
	}
	_, err := c.command(t, id, gateway.Authorize, "k2")
	refused(t, err, ledger.KindIllegalTransition)
}

// sums are the balances of the book's accounts that have one, in words.
func (b bundle) sums(t *testing.T) string {
	t.Helper()
	return strings.Join(b.column(t, `
		SELECT concat(a.code, ' ', sum(p.amount_minor)) FROM postings p JOIN accounts a ON a.book_id = p.book_id AND a.id = p.account_id
		 GROUP BY a.code HAVING sum(p.amount_minor) <> 0 ORDER BY a.code`), ", ")
}

// TestReceive_OrderAndRepetitionDoNotMatter delivers what happened to a payment and some deposits in any order, each message one to four times, and
// asks for the same sums in the journal each time.
func TestReceive_OrderAndRepetitionDoNotMatter(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	checkSome(t, 5, func(r *rapid.T, round int) {
		id := c.asks(t, 10_000, "alice")
		name := func(n int) string { return fmt.Sprintf("m-%d-%d", id, n) }
		messages := []inbox.Message{
			told(name(0), "authorized", id, `,"ref":"au","amount":10000`), told(name(1), "captured", id, `,"ref":"ca","amount":9000,"fee":90`),
			told(name(2), "refunded", id, `,"ref":"r1","amount":1000`), told(name(3), "refunded", id, `,"ref":"r2","amount":500,"fee":10`), told(name(4), "refund_failed", id, `,"ref":"r1"`),
			told(name(5), "disputed", id, `,"ref":"d1","amount":2000,"fee":1500`), told(name(6), "dispute_won", id, `,"ref":"d1","fee":1500`),
			posts(name(7), fmt.Sprintf("t-%d-1", id)), posts(name(8), fmt.Sprintf("t-%d-2", id)),
		}
		var deliveries []int
		for i := range messages {
			deliveries = append(deliveries, slices.Repeat([]int{i}, rapid.IntRange(1, 4).Draw(r, "times"))...)
		}
		for _, i := range rapid.Permutation(deliveries).Draw(r, "order") {
			c.takes(t, messages[i])
		}
		for _, m := range messages {
			if kept := c.kept(t, m.ID); kept.State != store.InboxApplied {
				r.Fatalf("%s is %s: %v", kept.Type, kept.State, kept.Problem)
			}
		}
		// A round leaves 8,500 of 10,000 with a fee of 100, and twice 3,050.
		n := int64(round)
		want := fmt.Sprintf("1010 %d, 1210 %d, 6200 %d, customer:alice %d", 6100*n, 8400*n, 100*n, -14600*n)
		if got := c.sums(t); got != want {
			r.Fatalf("the sums are %s, want %s", got, want)
		}
	})
}

// TestReceive_ManyAtOnceLeaveNothingWaiting delivers what happened to several payments in random order, each message three times, by many at once and over
// two servers: whoever comes too early is taken along by whoever comes last.
func TestReceive_ManyAtOnceLeaveNothingWaiting(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	var messages []inbox.Message
	for range 6 {
		id := c.asks(t, 10_000, "alice")
		for kind, fields := range map[string]string{
			"authorized": `,"ref":"au"`, "captured": `,"ref":"ca","fee":100`, "refunded": `,"ref":"re","amount":4000`, "refund_failed": `,"ref":"re"`, "disputed": `,"ref":"di","amount":1000`,
		} {
			messages = append(messages, told(fmt.Sprintf("%s-%d", kind, id), kind, id, fields))
		}
	}
	deliveries := slices.Concat(messages, messages, messages)
	rand.Shuffle(len(deliveries), func(i, j int) { deliveries[i], deliveries[j] = deliveries[j], deliveries[i] })
	queue := make(chan inbox.Message, len(deliveries))
	for _, m := range deliveries {
		queue <- m
	}
	close(queue)
	servers := []*store.Store{c.Store, c.another(t)}
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for m := range queue {
				if _, err := servers[i%2].Receive(t.Context(), c.preparer, inbox.ByWebhook, m); err != nil {
					t.Errorf("%s: %v", m.ID, err)
				}
			}
		})
	}
	group.Wait()
	for _, m := range messages {
		if kept := c.kept(t, m.ID); kept.State != store.InboxApplied || kept.Deliveries != 3 {
			t.Errorf("%s is %s after %d deliveries: %v", m.ID, kept.State, kept.Deliveries, kept.Problem)
		}
	}
	if got, want := c.sums(t), "1210 53400, 6200 600, 6290 6000, customer:alice -60000"; got != want {
		t.Errorf("the sums are %s, want %s", got, want)
	}
}

func TestRequestPayment_TriesWhatCameBeforeIt(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	if got := c.toldBy(t, "till", "m1", "payment.authorized", `{"payment_id":1,"ref":"a1","amount":1000}`); got.Result != store.InboxWaiting {
		t.Fatalf("before the payment it is %+v", got)
	}
	receipt, err := c.RequestPayment(t.Context(), c.preparer, "k", store.PaymentRequest{AmountMinor: 1_000, Currency: "EUR", Customer: "eva"})
	ok(t, err)
	if receipt.ID != 1 || receipt.State != "authorized" {
		t.Errorf("the payment is %+v", receipt)
	}
}

// TestReceive_NobodySpeaksInTheNameOfTheGateway: the ids of its messages can be guessed, and the first to come with one is believed.
func TestReceive_NobodySpeaksInTheNameOfTheGateway(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	for _, source := range []string{"till", "nats"} {
		m := inbox.Message{Source: source, ID: "evt-1", Type: "till.opened", Data: json.RawMessage(`{}`)}
		for _, way := range []inbox.Way{inbox.ByAPI, inbox.ByCloudEvents, inbox.ByBroker, inbox.ByFile} {
			_, err := c.Receive(t.Context(), c.preparer, way, m)
			refused(t, err, ledger.KindInvalid)
			var refusal *ledger.Error
			if errors.As(err, &refusal); fault(refusal) != "source" {
				t.Errorf("as %s by %s it gave %v", source, way, err)
			}
		}
	}
	if got := c.toldBy(t, "till", "evt-1", "till.opened", `{}`); got.Result != store.InboxParked {
		t.Errorf("the webhook of the gateway came to %+v", got)
	}
	unreadable := inbox.Unreadable(inbox.BrokerSource, "evt-1", []byte("{"), nil)
	if got, err := c.Receive(t.Context(), c.preparer, inbox.ByBroker, unreadable); err != nil || got.Result != store.InboxParked {
		t.Errorf("what the broker brought came to %+v, %v", got, err)
	}
}
