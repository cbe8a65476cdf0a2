package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

// fault is the field of a refusal that comes first, "" for none.
func fault(problem *ledger.Error) string {
	if problem == nil || len(problem.Fields) == 0 {
		return ""
	}
	return problem.Fields[0].Field
}

func TestPayout_PaysAnEventOnce(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	ids := c.capture(t, 1_000)
	one := item(ids[0], "captured", "capture-2", 1_000, 0)
	if got := c.toldBy(t, "till", "twice", "payout.paid", paid("po_1", 1_920, 0, one+","+one)); got.Result != store.InboxFailed || fault(got.Problem) != "items[1]" {
		t.Errorf("an event twice in a payout is %+v: %v", got, got.Problem)
	}
	if got := c.toldBy(t, "till", "once", "payout.paid", paid("po_1", 960, 0, one)); got.Result != store.InboxApplied {
		t.Errorf("once it is %+v: %v", got, got.Problem)
	}
	c.isSound(t)
}

// TestPayout_OfManyThatPayTheSameOnePays has many deliver payouts of one event at once, half of them by the same name: one is posted, and the others
// are kept as refused.
func TestPayout_OfManyThatPayTheSameOnePays(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	ids := c.capture(t, 1_000)
	servers := []*store.Store{c.Store, c.another(t, store.WithGateway(c.till))}
	var lock sync.Mutex
	results := map[store.InboxState]int{}
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			data := paid(fmt.Sprintf("po_%d", i*(i%2)), 960, 0, item(ids[0], "captured", "capture-2", 1_000, 0))
			m := inbox.Message{Source: "shop", ID: fmt.Sprint("evt-", i), Type: inbox.PayoutPaid, Data: json.RawMessage(data)}
			got, err := servers[i/2%2].Receive(t.Context(), c.preparer, inbox.ByBroker, m)
			lock.Lock()
			defer lock.Unlock()
			if results[got.Result]++; err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if results[store.InboxApplied] != 1 || results[store.InboxFailed] != 15 || c.balance(t, "1010") != 960 {
		t.Errorf("the results are %v, and the bank is at %d", results, c.balance(t, "1010"))
	}
}

func TestReceive_ParksWhatTheDatabaseDoesNotHold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.sql(t, `ALTER TABLE entries ADD CONSTRAINT entries_not_so CHECK (tx_id <> 'bad')`)
	file := strings.Join([]string{asLine(posts("m-1", "bad")), asLine(posts("m-2", "good"))}, "\n")
	result, err := b.ReceiveFile(t.Context(), b.preparer, []byte(file))
	ok(t, err)
	if result.Applied != 1 || result.Failed != 1 || len(result.Lines) != 1 || result.Lines[0].Line != 1 || result.Lines[0].Result != store.InboxParked {
		t.Fatalf("the file came to %+v", result)
	}
	m := b.kept(t, "m-1")
	if m.State != store.InboxParked || !strings.Contains(m.Problem.Message, "could not be kept") || strings.Contains(m.Problem.Message, "entries_not_so") {
		t.Errorf("it is %+v: %v", m, m.Problem)
	}
	b.sql(t, `ALTER TABLE entries DROP CONSTRAINT entries_not_so`)
	if got, err := b.RetryMessage(t.Context(), b.preparer, "shop", "m-1"); err != nil || got.Result != store.InboxApplied {
		t.Errorf("with the cause mended it came to %+v, %v", got, err)
	}
}

// asLine is a message as a line of a file.
func asLine(m inbox.Message) string {
	text, err := json.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func TestPayout_RefusesAmountsKindsAndDaysThatCannotBe(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.capture(t, 1_000)[0]
	captured := item(id, "captured", "capture-2", 1_000, 0)
	on := func(day string) string { return strings.Replace(paid("po", 960, 0, captured), "2026-03-31", day, 1) }
	soon := ledger.DateOf(c.clock.now())
	for field, data := range map[string]string{
		"items[0].fee":    paid("po", 1_060, 0, item(id, "captured", "capture-2", 1_000, -100)),
		"items[1].fee":    paid("po", 9_000, 0, captured+","+item(id, "dispute_won", "d", 500, -10_001)),
		"items[0].amount": paid("po", 9_000, 0, item(id, "captured", "capture-2", -1_000, 0)),
		"fee":             paid("po", 1_000, -40, captured),
		"items[1].kind":   paid("po", 960, 0, captured+","+item(id, "authorized", "authorize-1", 1_000, 0)),
		"items[0].kind":   paid("po", 0, 0, item(id, "dispute_lost", "d", 0, 0)),
		"paid_on":         on("1999-12-31"),
		"paid_on ahead":   on(soon.AddDays(32).String()),
		"items":           paid("po", 960, 0, strings.Repeat(captured+",", inbox.MaxPayoutItems)+captured),
	} {
		got := c.toldBy(t, "till", field, "payout.paid", data)
		if named, _, _ := strings.Cut(field, " "); got.Result != store.InboxParked || fault(got.Problem) != named {
			t.Errorf("%s: it is %+v: %v", field, got, got.Problem)
		}
	}
	if got := c.toldBy(t, "till", "sum", "payout.paid", paid("po", 960, 0, item(id, "captured", "capture-2", 1_000, ledger.MaxAmountMinor))); got.Result != store.InboxFailed {
		t.Errorf("with a fee beyond all measure it is %+v: %v", got, got.Problem)
	}
	if got := c.toldBy(t, "till", "last", "payout.paid", on(soon.AddDays(31).String())); got.Result != store.InboxApplied {
		t.Errorf("on the last day that can be it is %+v: %v", got, got.Problem)
	}
}

func TestPayout_FindsACaptureThatAPersonNamedByItsAmount(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.capture(t, 1_000)[0]
	if got := c.toldBy(t, "till", "evt-1", "payout.paid", paid("po_1", 959, 0, item(id, "captured", "ch_9", 999, 0))); got.Result != store.InboxWaiting {
		t.Errorf("with another amount it is %+v: %v", got, got.Problem)
	}
	if got := c.toldBy(t, "till", "evt-2", "payout.paid", paid("po_2", 960, 0, item(id, "captured", "ch_9", 1_000, 0))); got.Result != store.InboxApplied {
		t.Errorf("with its amount it is %+v: %v", got, got.Problem)
	}
	c.must(t, id, gateway.Refund, "r", 300)
	if got := c.toldBy(t, "till", "evt-3", "payout.paid", paid("po_3", -300, 0, item(id, "refunded", "re_9", 300, 0))); got.Result != store.InboxWaiting {
		t.Errorf("a refund, of which there may be several, is %+v: %v", got, got.Problem)
	}
}

func TestPayout_PaysWhatCameBack(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	id := c.capture(t, 1_000)[0]
	for kind, fields := range map[string]string{"refunded": `,"ref":"r","amount":300`, "refund_failed": `,"ref":"r"`, "disputed": `,"ref":"d","amount":500,"fee":15`, "dispute_won": `,"ref":"d","fee":15`} {
		c.takes(t, told(kind, kind, id, fields))
	}
	items := strings.Join([]string{
		item(id, "captured", "capture-2", 1_000, 0), item(id, "refunded", "r", 300, 0), item(id, "refund_failed", "r", 300, 0),
		item(id, "disputed", "d", 500, 0), item(id, "dispute_won", "d", 500, 0),
	}, ",")
	if got := c.toldBy(t, "till", "evt-1", "payout.paid", paid("po_1", 960, 0, items)); got.Result != store.InboxApplied {
		t.Errorf("it is %+v: %v", got, got.Problem)
	}
	if bank, held := c.balance(t, "1010"), c.balance(t, "1210"); bank != 960 || held != 0 {
		t.Errorf("the bank is at %d, the gateway holds %d", bank, held)
	}
	c.isSound(t)
}
