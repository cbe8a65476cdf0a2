package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// till is a gateway that does what its plan says, one step a request, and then all that it is asked.
type till struct {
	mu    sync.Mutex
	plan  []step
	done  map[string]gateway.Answer // by key
	tried map[string]int            // how often each key came to Do
	ended map[int64]gateway.Command // by payment: whether it was captured or let go
	late  []func()                  // what arrives when somebody has asked about a request
	// asked is told of each Do before it is answered; it may wait.
	asked func(key string)
}

type step int

const (
	does step = iota
	losesTheRequest
	losesTheAnswer
	declines
	refuses
	isDeaf // to what is asked about a request
	isLate // the request arrives after somebody has asked about it
)

func (g *till) Name() string { return "till" }

func (g *till) next() step {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.plan) == 0 {
		return does
	}
	next := g.plan[0]
	g.plan = g.plan[1:]
	return next
}

func (g *till) Do(_ context.Context, key string, r gateway.Request) gateway.Answer {
	if g.asked != nil {
		g.asked(key)
	}
	next := g.next()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tried[key]++
	if next == losesTheRequest {
		return gateway.Unanswered(context.DeadlineExceeded)
	}
	if next == isLate {
		g.late = append(g.late, func() { g.keep(does, key, r) })
		return gateway.Unanswered(context.DeadlineExceeded)
	}
	answer := g.keep(next, key, r)
	if next == losesTheAnswer {
		return gateway.Unanswered(context.DeadlineExceeded)
	}
	return answer
}

// keep does the same key once.
func (g *till) keep(next step, key string, r gateway.Request) gateway.Answer {
	answer, known := g.done[key]
	if !known {
		answer = g.answer(next, r)
		g.done[key] = answer
	}
	return answer
}

func (g *till) answer(next step, r gateway.Request) gateway.Answer {
	ref := fmt.Sprintf("%s-%d", r.Command, len(g.done)+1)
	answer := gateway.Answer{Outcome: gateway.Done, Charge: fmt.Sprintf("ch-%d", r.PaymentID)}
	switch {
	case next == declines:
		return gateway.Answer{Outcome: gateway.Refused, Why: "no funds", Events: []payment.Event{payment.Decline{Ref: ref, Reason: "no funds"}}}
	case next == refuses:
		return gateway.Answer{Outcome: gateway.Refused, Why: "not today"}
	case (r.Command == gateway.Capture || r.Command == gateway.Void) && g.ended[r.PaymentID] != "":
		return gateway.Answer{Outcome: gateway.Refused, Why: "too late to " + string(r.Command)}
	case r.Command == gateway.Authorize:
		answer.Events = []payment.Event{payment.Authorization{Ref: ref, AmountMinor: r.AmountMinor}}
	case r.Command == gateway.Capture:
		g.ended[r.PaymentID] = r.Command
		answer.Events = []payment.Event{payment.Capture{Ref: ref, AmountMinor: r.AmountMinor, FeeMinor: 40}}
	case r.Command == gateway.Refund:
		answer.Events = []payment.Event{payment.Refund{Ref: ref, AmountMinor: r.AmountMinor}}
	default:
		g.ended[r.PaymentID] = r.Command
		answer.Events = []payment.Event{payment.Void{Ref: ref}}
	}
	return answer
}

func (g *till) Recover(_ context.Context, key string, _ gateway.Request) gateway.Answer {
	if g.next() == isDeaf {
		return gateway.Unanswered(context.DeadlineExceeded)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	defer g.arrive()
	if answer, known := g.done[key]; known {
		return answer
	}
	return gateway.Answer{Outcome: gateway.NotDone}
}

func (g *till) arrive() {
	for _, request := range g.late {
		request()
	}
	g.late = nil
}

// counter is a bundle whose store has a till.
type counter struct {
	bundle
	till *till
}

func setupPayments(t *testing.T, plan ...step) counter {
	t.Helper()
	b := setup(t)
	c := counter{bundle: b, till: &till{plan: plan, done: map[string]gateway.Answer{}, tried: map[string]int{}, ended: map[int64]gateway.Command{}}}
	c.Store = b.another(t, store.WithGateway(c.till))
	for code, kind := range map[string]ledger.AccountType{"1210": ledger.Asset, "2410": ledger.Liability, "6200": ledger.Expense, "6290": ledger.Expense} {
		c.open(t, code, kind)
	}
	_, err := c.SetPaymentSettings(t.Context(), c.admin, "", settingsInEuro())
	ok(t, err)
	return c
}

func settingsInEuro() store.PaymentSettings {
	return store.PaymentSettings{Currency: "EUR", Clearing: "1210", Received: "2410", Fees: "6200", Chargebacks: "6290", Bank: "1010", CustomerAccounts: true, RefundLimitMinor: 5000}
}

// asks puts a payment down for a customer.
func (c counter) asks(t *testing.T, amountMinor int64, customer string) int64 {
	t.Helper()
	receipt, err := c.RequestPayment(t.Context(), c.preparer, "", store.PaymentRequest{AmountMinor: amountMinor, Currency: "EUR", Customer: customer, Reference: "ORD-1"})
	ok(t, err)
	return receipt.ID
}

// command sends a command as the preparer under a key of its own.
func (c counter) command(t *testing.T, id int64, command gateway.Command, key string, amountMinor ...int64) (store.PaymentReceipt, error) {
	t.Helper()
	asked := store.PaymentCommand{PaymentID: id, Command: command}
	if len(amountMinor) > 0 {
		asked.AmountMinor = &amountMinor[0]
	}
	return c.CommandPayment(t.Context(), c.preparer, key, asked)
}

// must is command for one that is not refused.
func (c counter) must(t *testing.T, id int64, command gateway.Command, key string, amountMinor ...int64) store.PaymentReceipt {
	t.Helper()
	receipt, err := c.command(t, id, command, key, amountMinor...)
	ok(t, err)
	return receipt
}

// is asks for the state of a payment and whether the gateway has answered all.
func (c counter) is(t *testing.T, id int64, state payment.State, known bool) store.Payment {
	t.Helper()
	p, err := c.Payment(t.Context(), c.viewer, id)
	ok(t, err)
	if p.State != state || p.Known() != known {
		t.Fatalf("payment %d is %s, known %v; want %s, %v", id, p.State, p.Known(), state, known)
	}
	return p
}
