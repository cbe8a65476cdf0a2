package store

import (
	"time"

	"daybook/store/gateway"
	"daybook/store/ledger"
	"daybook/store/payment"
)

// Payment is a payment of a book, as its events have left it. Amounts are in minor units of its currency.
type Payment struct {
	ID         int64
	Gateway    string // its name
	Charge     string // the gateway's own name of the payment, empty before it is known
	Currency   string
	Customer   string
	Reference  string
	Received   string // the account of who pays
	CreatedBy  string
	CreatedAt  time.Time
	FeeMinor   int64 // what the gateway kept of it so far
	Bank       PaymentBank
	Call       *PaymentCall // what the gateway has not answered for good
	GatewayKey string       // what the keys of its requests to the gateway begin with
	payment.Payment
}

// NetMinor is what is left of what was captured, after fees.
func (p Payment) NetMinor() int64 { return p.LeftMinor() - p.FeeMinor }

// Known reports whether the gateway has answered all that it was asked.
func (p Payment) Known() bool { return p.Call == nil || p.Call.State == CallUnposted }

// PaymentBank says how far the money of a payment is on its way to the bank.
type PaymentBank string

// How far: PaidOutNone for a payment that was never captured.
const (
	PaidOutNone      PaymentBank = ""
	PaidOutNot       PaymentBank = "not_paid_out"
	PaidOutInTransit PaymentBank = "in_transit" // in a payout, which is in no match with a statement
	PaidOutMatched   PaymentBank = "matched"
)

// CallState says how far a request to the gateway is.
type CallState string

// The states of a request to the gateway. The first three are live: of these a payment has one at most.
const (
	CallOpen     CallState = "open"     // being asked, or whoever asked is gone
	CallUnknown  CallState = "unknown"  // no answer came
	CallUnposted CallState = "unposted" // done at the gateway, but its entry was refused: Problem says why
	CallDone     CallState = "done"
	CallRefused  CallState = "refused"
	CallNotDone  CallState = "not_done"
)

// PaymentCall is one thing that was asked of the gateway, once or more often by the same key.
type PaymentCall struct {
	ID          int64
	PaymentID   int64
	Command     gateway.Command
	AmountMinor int64
	Key         string // the idempotency key of whoever asked
	GatewayKey  string
	Reason      string
	State       CallState
	Attempts    int // how often it was sent
	Why         string
	Problem     *ledger.Error
	ApprovalID  int64
	AskedBy     string
	CreatedAt   time.Time
	ChangedAt   time.Time
	SentAt      time.Time // when it was last sent to the gateway, as far as that is known
	Tries       []PaymentTry

	content string // what the key stands for
	userID  int64
}

// PaymentTry is one time that the gateway was asked, or that a person said what it answered elsewhere.
type PaymentTry struct {
	Asked   string // do, recover, person
	Outcome gateway.Outcome
	Why     string
	By      string
	At      time.Time
	Took    time.Duration
}

// PaymentEvent is something that happened to a payment: by a request to the gateway, or as a message told.
type PaymentEvent struct {
	N         int
	Event     payment.Event
	Seq       int64 // the entry, 0 for none
	CallID    int64
	Source    string // of the message
	MessageID string
	By        string
	At        time.Time
}

// PaymentHistory is all that is known of a payment.
type PaymentHistory struct {
	Payment
	Events  []PaymentEvent
	Calls   []PaymentCall
	Payouts []PaymentPayout
	Refund  int64 // the request for a refund that waits for approval, 0 for none
}

// PaymentPayout is a part of a payment in a payout of the gateway: what arrives of one of its events, less fees.
type PaymentPayout struct {
	PayoutID      int64
	Payout        string // the gateway's own name of it
	Of            string // the kind of the event
	Seq           int64  // the entry of the payout
	PaidOn        ledger.Date
	AmountMinor   int64
	FeeMinor      int64 // that became known with the payout
	MatchID       int64 // with the line of a statement, 0 for none
	Account       string
	StatementID   int64
	StatementLine string // how the bank names the line
	BookedOn      ledger.Date
	BreakID       int64 // the live break that its posting is in, 0 for none
	Reversed      bool  // the entry of the payout was reversed
}

// PaymentFilter narrows a list of payments; zero fields do not. Before and After are ids that bound the page, exclusive.
type PaymentFilter struct {
	Words   string // an id, customer, reference, key or charge
	States  []payment.State
	Bank    PaymentBank
	Unknown bool // only those the gateway has not answered about
	// Unsettled are those, and those of which it did something that the books refused.
	Unsettled bool
	From, To  ledger.Date
	Before    int64 // of a page that is not OldestFirst
	After     int64
	Limit     int

	OldestFirst bool
}

// PaymentFigures are sums over the payments that a filter finds, by currency.
type PaymentFigures struct {
	Currency                                                                   string
	Count                                                                      int64
	Captured, Refunded, Authorized, Unknown, Unposted                          int64 // how many
	CapturedMinor, RefundedMinor, AuthorizedMinor, UnknownMinor, UnpostedMinor int64
	FeeMinor                                                                   int64
	ClearingMinor                                                              int64  // the balance of the clearing account
	Clearing                                                                   string // its code
}
