package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

// message is one of source shop, with data as it is written.
func message(id, kind, data string) inbox.Message {
	return inbox.Message{Source: "shop", ID: id, Type: kind, Data: json.RawMessage(data)}
}

// posts is a message that posts a deposit of Alice under a tx id.
func posts(id, txID string) inbox.Message {
	return message(id, inbox.EntryPost, deposit(txID, "customer:alice"))
}

// deposit is the data of a message: 30.50 EUR from 1010 to an account.
func deposit(txID, account string) string {
	return fmt.Sprintf(`{"tx_id":%q,"effective_on":"2026-03-01","description":"Deposit","postings":[{"account":"1010","amount":3050,"currency":"EUR"},{"account":%q,"amount":-3050,"currency":"EUR"}],"metadata":{}}`, txID, account)
}

// takes has the preparer deliver a message.
func (b bundle) takes(t *testing.T, m inbox.Message) store.InboxReceipt {
	t.Helper()
	receipt, err := b.Receive(t.Context(), b.preparer, inbox.ByAPI, m)
	ok(t, err)
	return receipt
}

// kept reads a message of source shop.
func (b bundle) kept(t *testing.T, id string) store.InboxMessage {
	t.Helper()
	m, err := b.InboxMessage(t.Context(), b.viewer, "shop", id)
	ok(t, err)
	return m
}

// history is what happened to a message, in words.
func history(m store.InboxMessage) string {
	var words []string
	for _, e := range m.Events {
		words = append(words, strings.TrimSpace(e.Event+" "+e.Result+" "+e.Note))
	}
	return strings.Join(words, ", ")
}

func TestReceive_ManyDeliveriesAtOnceHaveOneEffect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.another(t)
	results := make(chan store.InboxReceipt, 64)
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			receipt, err := []*store.Store{b.Store, other}[i%2].Receive(t.Context(), b.preparer, inbox.ByBroker, posts("m-1", "t1"))
			if err != nil {
				t.Error(err)
			}
			results <- receipt
		})
	}
	group.Wait()
	close(results)
	counts := map[store.InboxState]int{}
	for r := range results {
		if counts[r.Result]++; r.Seq != 1 {
			t.Errorf("a delivery came to %+v", r)
		}
	}
	if counts[store.InboxApplied] != 1 || counts[store.InboxDuplicate] != 63 {
		t.Errorf("the results are %v", counts)
	}
	if m := b.kept(t, "m-1"); m.Deliveries != 64 || m.Tries != 1 || m.State != store.InboxApplied || len(m.Events) != 64 || m.Way != inbox.ByBroker {
		t.Errorf("the message is %+v", m)
	}
	if got := b.counts(t, "entries", "inbox_messages", "river_job"); got != "entries 1, inbox_messages 1, river_job 0" {
		t.Errorf("there are %s", got)
	}
}

func TestReceive_TheSameEntryIsOneByWhicheverWayItComes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	posted := b.post(t, entry("t1", described("Deposit")))
	data := `{"idempotency_key":"key-t1",` + strings.TrimPrefix(deposit("t1", "customer:alice"), "{")
	if got := b.takes(t, message("m-1", inbox.EntryPost, data)); got.Result != store.InboxApplied || got.Seq != posted.Seq {
		t.Errorf("an entry that the API posted came to %+v", got)
	}
	got := b.takes(t, posts("m-2", "t1"))
	if got.Result != store.InboxFailed || got.Problem.Kind != ledger.KindTxIDExists {
		t.Errorf("its tx id without the key came to %+v", got)
	}
}

func TestReceive_RefusesAnIDThatComesWithOtherData(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.takes(t, posts("m-1", "t1"))
	spaced := strings.ReplaceAll(deposit("t1", "customer:alice"), `":`, `" : `)
	if got := b.takes(t, message("m-1", inbox.EntryPost, spaced)); got.Result != store.InboxDuplicate || got.Seq != 1 {
		t.Errorf("the same data written otherwise came to %+v", got)
	}
	_, err := b.Receive(t.Context(), b.preparer, inbox.ByAPI, message("m-1", "payment.captured", deposit("t1", "customer:bob")))
	refused(t, err, ledger.KindMessageReused)
	var refusal *ledger.Error
	errors.As(err, &refusal)
	if len(refusal.Fields) != 2 || refusal.Fields[0].Field != "type" || refusal.Fields[1].Field != "data.postings[1].account" {
		t.Errorf("what differs is %+v", refusal.Fields)
	}
	ok(t, b.RecordRefusal(t.Context(), b.preparer, "inbox.receive", "/inbox", err))
	m := b.kept(t, "m-1")
	if history(m) != "delivered applied, delivered duplicate, delivered reused" || m.Deliveries != 2 || m.Events[2].Problem == nil {
		t.Errorf("its history is %s, of %d deliveries", history(m), m.Deliveries)
	}
	if got := b.column(t, `SELECT concat(action, ' ', object, ' ', outcome) FROM audit_log WHERE action LIKE 'inbox.%'`); len(got) != 1 || got[0] != "inbox.receive message m-1 of shop refused" {
		t.Errorf("the audit log has %q", got)
	}
}

func TestReceive_KeepsWhatIsRefusedAndTriesItAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	eva := message("m-1", inbox.EntryPost, deposit("t1", "customer:eva"))
	first := b.takes(t, eva)
	if first.Result != store.InboxFailed || first.Problem.Kind != ledger.KindUnknownAccount || first.Problem.Fields[0].Field != "postings[1].account" {
		t.Fatalf("it came to %+v", first)
	}
	again := b.takes(t, eva)
	m := b.kept(t, "m-1")
	if again.Result != store.InboxFailed || m.Tries != 2 || m.Deliveries != 2 || !m.NextAt.Equal(b.clock.now().Add(5*time.Second)) {
		t.Errorf("delivered again it is %+v", m)
	}
	if got := b.counts(t, "entries", "river_job"); got != "entries 0, river_job 1" {
		t.Errorf("there are %s", got)
	}
	b.open(t, "customer:eva", ledger.Liability)
	b.clock.advance(5 * time.Second)
	b.works(t)
	if m = b.until(t, "m-1", store.InboxApplied); m.Seq != 1 || m.Problem != nil || !m.NextAt.IsZero() {
		t.Errorf("it is %+v", m)
	}
	if history(m) != "delivered failed, delivered failed, tried applied" {
		t.Errorf("its history is %s", history(m))
	}
}

// until waits until a message has a state.
func (b bundle) until(t *testing.T, id string, state store.InboxState) store.InboxMessage {
	t.Helper()
	for {
		if m := b.kept(t, id); m.State == state || t.Context().Err() != nil {
			return m
		}
		<-time.After(10 * time.Millisecond)
	}
}

func TestReceive_ParksAMessageWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.takes(t, message("m-1", inbox.EntryPost, deposit("t1", "customer:eva")))
	for i, pause := range []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour} {
		m := b.kept(t, "m-1")
		if m.State != store.InboxFailed || !m.NextAt.Equal(b.clock.now().Add(pause)) {
			t.Fatalf("after %d tries it is %s, tried next at %s", m.Tries, m.State, m.NextAt)
		}
		ok(t, b.WorkMessage(t.Context(), b.book.ID, "shop", "m-1")) // too early: nothing happens
		b.clock.advance(pause)
		ok(t, b.WorkMessage(t.Context(), b.book.ID, "shop", "m-1"))
		if m = b.kept(t, "m-1"); m.Tries != i+2 {
			t.Fatalf("after pause %d it was tried %d times", i, m.Tries)
		}
	}
	m := b.kept(t, "m-1")
	if m.State != store.InboxParked || !m.NextAt.IsZero() || m.Problem.Kind != ledger.KindUnknownAccount {
		t.Errorf("in the end it is %+v", m)
	}
	if got := b.takes(t, message("m-1", inbox.EntryPost, deposit("t1", "customer:eva"))); got.Result != store.InboxParked || got.Problem == nil {
		t.Errorf("delivered once more it comes to %+v", got)
	}
	b.open(t, "customer:eva", ledger.Liability)
	retried, err := b.RetryMessage(t.Context(), b.controller, "shop", "m-1")
	ok(t, err)
	if retried.Result != store.InboxApplied || retried.Seq != 1 {
		t.Errorf("retried it comes to %+v", retried)
	}
	_, err = b.RetryMessage(t.Context(), b.controller, "shop", "m-1")
	refused(t, err, ledger.KindIllegalTransition)
}

func TestReceive_ParksWhatNoTimeMends(t *testing.T) {
	t.Parallel()
	b := setup(t)
	broken := message("m-3", "unreadable", `"{\"half\": "`)
	broken.Unreadable = ledger.Refuse(ledger.KindInvalid, "the message is not JSON: it ends too early")
	for id, m := range map[string]inbox.Message{
		"m-1": message("m-1", "shop.opened", `{"door":1}`),
		"m-2": message("m-2", inbox.EntryPost, `{"tx_id":7,"colour":"red"}`),
		"m-3": broken,
	} {
		got := b.takes(t, m)
		kept := b.kept(t, id)
		if got.Result != store.InboxParked || got.Problem == nil || kept.State != store.InboxParked || kept.Problem.Message != got.Problem.Message {
			t.Errorf("%s came to %+v and is kept as %+v", id, got, kept)
		}
		if retried, err := b.RetryMessage(t.Context(), b.preparer, "shop", id); err != nil || retried.Result != store.InboxParked || retried.Problem.Message != got.Problem.Message {
			t.Errorf("%s retried came to %+v, %v", id, retried, err)
		}
	}
	if got := b.counts(t, "river_job"); got != "river_job 0" {
		t.Errorf("there are %s", got)
	}
}

func TestReceive_RefusesWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, test := range map[string]struct {
		message inbox.Message
		kind    ledger.Kind
		field   string
	}{
		"NoID":         {message("", inbox.EntryPost, `{}`), ledger.KindInvalid, "message_id"},
		"SpacedType":   {message("m", " entry.post", `{}`), ledger.KindInvalid, "type"},
		"LongSource":   {inbox.Message{Source: strings.Repeat("s", 101), ID: "m", Type: "t", Data: json.RawMessage(`{}`)}, ledger.KindInvalid, "source"},
		"NoObject":     {message("m", inbox.EntryPost, `[1]`), ledger.KindInvalid, "data"},
		"NoJSON":       {message("m", inbox.EntryPost, `{"a":`), ledger.KindInvalid, ""},
		"TwiceTheSame": {message("m", inbox.EntryPost, `{"a":1,"a":1}`), ledger.KindInvalid, "data.a"},
		"TooLarge":     {message("m", inbox.EntryPost, `{"a":"`+strings.Repeat("x", inbox.MaxBytes)+`"}`), ledger.KindTooLarge, ""},
	} {
		_, err := b.Receive(t.Context(), b.preparer, inbox.ByAPI, test.message)
		var refusal *ledger.Error
		if errors.As(err, &refusal); refusal == nil || refusal.Kind != test.kind || test.field != "" && refusal.Fields[0].Field != test.field {
			t.Errorf("%s gave %v", name, err)
		}
	}
	_, err := b.Receive(t.Context(), b.viewer, inbox.ByAPI, posts("m-1", "t1"))
	refused(t, err, ledger.KindForbidden)
	if got := b.counts(t, "inbox_messages"); got != "inbox_messages 0" {
		t.Errorf("there are %s", got)
	}
}

func TestAdoptMessages_HasMessagesOfADeadServerTried(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.takes(t, message("m-1", inbox.EntryPost, deposit("t1", "customer:eva")))
	b.open(t, "customer:eva", ledger.Liability)
	b.sql(t, `UPDATE river_job SET state = 'running', attempted_at = now(), attempt = 1, attempted_by = '{gone}'`)
	b.clock.advance(time.Minute)
	b.works(t)
	if m := b.until(t, "m-1", store.InboxApplied); m.Seq != 1 {
		t.Errorf("it is %+v", m)
	}
}

func TestWorkMessages_KeepsWhatNobodyMayPostAnyMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.takes(t, message("m-1", inbox.EntryPost, deposit("t1", "customer:eva")))
	b.open(t, "customer:eva", ledger.Liability)
	b.sql(t, `DELETE FROM user_roles WHERE user_id = (SELECT id FROM users WHERE email = 'preparer@demo.test')`)
	b.clock.advance(5 * time.Second)
	ok(t, b.WorkMessage(t.Context(), b.book.ID, "shop", "m-1"))
	if m := b.kept(t, "m-1"); m.State != store.InboxFailed || m.Problem.Kind != ledger.KindForbidden {
		t.Errorf("it is %+v, %v", m, m.Problem)
	}
	if got, err := b.RetryMessage(t.Context(), b.controller, "shop", "m-1"); err != nil || got.Result != store.InboxApplied {
		t.Errorf("retried by another it came to %+v, %v", got, err)
	}
}
