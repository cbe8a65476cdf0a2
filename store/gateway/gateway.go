package gateway

import (
	"context"
	"errors"
	"time"

	"daybook/store/payment"
)

// Gateway moves money at a payment processor. Both methods end when their context does, and in bounded time anyway. They never panic over
// what a processor answers, and their errors and words never hold its secrets.
type Gateway interface {
	// Name is what the gateway is called, as the source of its messages too: "simulator", "stripe".
	Name() string
	// Do asks for a request to be done, once whatever happens: the key goes down to the gateway, which does the same key once. An answer
	// that did not come, or that nobody understands, is Unknown.
	Do(ctx context.Context, key string, r Request) Answer
	// Recover asks what became of a request that was sent with this key, and does nothing. NotDone says that the gateway knows nothing of it
	// or has refused it; it may still be on its way, so it is sent again with the same key only.
	Recover(ctx context.Context, key string, r Request) Answer
}

// Command is what can be asked for.
type Command string

// The commands.
const (
	Authorize Command = "authorize"
	Capture   Command = "capture"
	Refund    Command = "refund"
	Void      Command = "void"
)

// Commands are all commands.
var Commands = []Command{Authorize, Capture, Refund, Void}

// Request is what is asked for. Charge is the gateway's own name of the payment, empty before it is authorized. AmountMinor is in minor units of
// Currency; a void has none. AskedAt is when it was asked for first, zero where that is not known: a gateway that has to look through what it did looks
// no further back.
type Request struct {
	Command     Command
	BookCode    string
	PaymentID   int64
	Charge      string
	AmountMinor int64
	Currency    string
	Customer    string
	Reference   string
	AskedAt     time.Time
}

// Outcome is what became of a request.
type Outcome string

// The outcomes. Of Done and Refused it is certain that nothing follows any more by the same key.
const (
	Done    Outcome = "done"     // it was done: Events say what happened
	Refused Outcome = "refused"  // the gateway said no for good: Events hold a decline where it is one of the payment, else nothing happened
	NotDone Outcome = "not_done" // the gateway knows nothing of it; it may be asked again with the same key
	Unknown Outcome = "unknown"  // there was no answer
)

// Answer is what a gateway says to a request, now or when it is asked again. Charge names the payment from then on. Events happened to the
// payment by this request. Why is for people: the reason of a refusal, or what came instead of an answer.
type Answer struct {
	Outcome Outcome
	Charge  string
	Events  []payment.Event
	Why     string
}

// Unanswered is the answer for an error that says nothing about what the gateway did.
func Unanswered(err error) Answer {
	if errors.Is(err, context.DeadlineExceeded) {
		return Answer{Outcome: Unknown, Why: "the gateway did not answer in time"}
	}
	return Answer{Outcome: Unknown, Why: "the gateway could not be reached, or broke off"}
}
