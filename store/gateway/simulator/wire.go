package simulator

import (
	"time"

	"daybook/store/gateway"
	"daybook/store/inbox"
	"daybook/store/ledger"
)

// Name is what the simulator is called, as a gateway and as the source of messages.
const Name = "simulator"

// The headers of requests: the key of one that moves money, the signature of a webhook and the book that it is about.
const (
	KeyHeader       = "Idempotency-Key"
	SignatureHeader = "Simulator-Signature"
	BookHeader      = "Simulator-Book"
)

// Order is the body of a request that moves money. Only an authorization says more than the amount and, for it
// to be compared, the currency; a void says nothing.
type Order struct {
	Book      string `json:"book,omitempty"`
	PaymentID int64  `json:"payment_id,omitempty"`
	Reference string `json:"reference,omitempty"`
	Customer  string `json:"customer,omitempty"`
	Currency  string `json:"currency,omitempty"`
	Amount    int64  `json:"amount,omitempty"` // in minor units of the currency
}

// Result is what a request came to. The first three are remembered for its key.
type Result string

// The results.
const (
	Done       Result = "done"
	Declined   Result = "declined"
	Refused    Result = "refused"
	KeyReused  Result = "key_reused"
	KeyUnknown Result = "key_unknown"
	Invalid    Result = "invalid"
	Failed     Result = "failed" // the simulator could not keep it: nothing is known
)

// Answer is what a request is answered with, at once and whenever its key is asked about. Event is what happened, as the webhook tells it.
type Answer struct {
	Result Result              `json:"result"`
	Key    string              `json:"key,omitempty"`
	Charge string              `json:"charge,omitempty"`
	Event  *inbox.Message      `json:"event,omitempty"`
	Reason string              `json:"reason,omitempty"`
	Errors []ledger.FieldError `json:"errors,omitempty"`
}

// Happening is the data of an event of a payment. Amounts are in minor units.
type Happening struct {
	PaymentID int64  `json:"payment_id"`
	Charge    string `json:"charge"`
	Currency  string `json:"currency"`
	Ref       string `json:"ref"`
	Amount    int64  `json:"amount"`
	Fee       int64  `json:"fee"`
	Reason    string `json:"reason,omitempty"`
	Key       string `json:"key"`
}

// Charge is an authorization, and what became of it. Amounts are in minor units; Fee is what the simulator kept.
type Charge struct {
	ID         string          `json:"id"`
	Key        string          `json:"key"`
	Book       string          `json:"book"`
	PaymentID  int64           `json:"payment_id"`
	Reference  string          `json:"reference"`
	Customer   string          `json:"customer"`
	Currency   string          `json:"currency"`
	Amount     int64           `json:"amount"`
	Authorized int64           `json:"authorized"`
	Captured   int64           `json:"captured"`
	Fee        int64           `json:"fee"`
	Refunded   int64           `json:"refunded"`
	Status     Status          `json:"status"`
	Reason     string          `json:"reason,omitempty"`
	CreatedAt  time.Time       `json:"created_at"`
	Requests   []ChargeRequest `json:"requests"`
}

// Status is where a charge stands.
type Status string

// The statuses of a charge.
const (
	Authorized     Status = "authorized"
	DeclinedCharge Status = "declined"
	Captured       Status = "captured"
	Voided         Status = "voided"
	PartlyRefunded Status = "partly_refunded"
	Refunded       Status = "refunded"
)

// ChargeRequest is a request that was decided about a charge, once, whatever number of times it came.
type ChargeRequest struct {
	Key     string          `json:"key"`
	Command gateway.Command `json:"command"`
	Amount  int64           `json:"amount"`
	Result  Result          `json:"result"`
	Ref     string          `json:"ref,omitempty"`
	At      time.Time       `json:"at"`
}

// Charges is the list of all charges, the oldest first.
type Charges struct {
	Items []Charge `json:"items"`
}

// Payout is money on its way to the bank: Gross of its items, less Fees that were kept when they were captured, less the Fee of the payout
// itself, is Amount. BankText is what the line of the bank statement says.
type Payout struct {
	ID        string       `json:"id"`
	Book      string       `json:"book"`
	Currency  string       `json:"currency"`
	Gross     int64        `json:"gross"`
	Fees      int64        `json:"fees"`
	Fee       int64        `json:"fee"`
	Amount    int64        `json:"amount"`
	PaidOn    ledger.Date  `json:"paid_on"`
	BankText  string       `json:"bank_text"`
	MessageID string       `json:"message_id"`
	Items     []PayoutItem `json:"items"`
}

// PayoutItem is a capture, or a refund, in a payout. Net is what it adds to the payout: below nothing for a refund.
type PayoutItem struct {
	PaymentID int64  `json:"payment_id"`
	Charge    string `json:"charge"`
	Kind      string `json:"kind"` // captured, refunded
	Ref       string `json:"ref"`
	Gross     int64  `json:"gross"`
	Fee       int64  `json:"fee"`
	Net       int64  `json:"net"`
}

// Payouts is the list of all payouts, the oldest first.
type Payouts struct {
	Items []Payout `json:"items"`
}

// PayoutOrder says what to pay out. What it leaves out is understood where there is only one.
type PayoutOrder struct {
	Book     string `json:"book,omitempty"`
	Currency string `json:"currency,omitempty"`
}

// PayoutPaid is the data of the message payout.paid. Fee of an item is what was not known before the payout: here nothing.
type PayoutPaid struct {
	Payout   string           `json:"payout"`
	Currency string           `json:"currency"`
	Amount   int64            `json:"amount"`
	Fee      int64            `json:"fee"`
	PaidOn   ledger.Date      `json:"paid_on"`
	Items    []PayoutPaidItem `json:"items"`
}

// PayoutPaidItem is an item of PayoutPaid.
type PayoutPaidItem struct {
	PaymentID int64  `json:"payment_id"`
	Kind      string `json:"kind"`
	Ref       string `json:"ref"`
	Amount    int64  `json:"amount"`
	Fee       int64  `json:"fee"`
}

// Deliveries counts webhooks: Messages = Delivered + Waiting. Attempts counts the requests that were made for them since the simulator started,
// repeated ones too. Problem is why the last one was not taken.
type Deliveries struct {
	Messages  int64  `json:"messages"`
	Delivered int64  `json:"delivered"`
	Waiting   int64  `json:"waiting"`
	Attempts  int64  `json:"attempts"`
	Problem   string `json:"problem,omitempty"`
}
