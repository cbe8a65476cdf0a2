package payment

import "daybook/store/ledger"

// Event is something that happened to a payment at its gateway. Ref is the gateway's own name of it: told twice, by an answer and a message or by
// two messages, it is the same event. Amounts are in minor units of the payment's currency and not negative. Only this package has events.
type Event interface {
	kind() Kind
	ref() string
	check(p Payment) error
	apply(p *Payment) Effect
}

// Authorization holds money for us.
type Authorization struct {
	Ref         string
	AmountMinor int64
}

// Decline is a payment that was refused, at once or when it should be captured.
type Decline struct{ Ref, Reason string }

// Capture takes what was authorized, or less: what is left of the authorization is then let go. FeeMinor is what the gateway keeps of it.
type Capture struct {
	Ref                   string
	AmountMinor, FeeMinor int64
}

// Void lets a payment go before it is captured; so does an authorization that ran out.
type Void struct{ Ref, Reason string }

// Refund gives some of what was captured back. FeeMinor is what the gateway takes for it besides.
type Refund struct {
	Ref                   string
	AmountMinor, FeeMinor int64
}

// RefundFailure is a refund, named by its Ref, that did not reach the payer: its amount is ours again.
type RefundFailure struct{ Ref string }

// Dispute is money that the payer asks back from the bank, which takes it, and FeeMinor besides, until it decides.
type Dispute struct {
	Ref                   string
	AmountMinor, FeeMinor int64
}

// DisputeWon gives back what the dispute of this Ref took, and FeeMinor of its fee.
type DisputeWon struct {
	Ref      string
	FeeMinor int64
}

// DisputeLost leaves what the dispute of this Ref took to the payer.
type DisputeLost struct{ Ref string }

// Kind is what kind of event one is.
type Kind uint8

// The kinds of events.
const (
	KindAuthorization Kind = iota
	KindDecline
	KindCapture
	KindVoid
	KindRefund
	KindRefundFailure
	KindDispute
	KindDisputeWon
	KindDisputeLost
	kinds // how many there are
)

var kindNames = [kinds]string{"authorized", "declined", "captured", "voided", "refunded", "refund_failed", "disputed", "dispute_won", "dispute_lost"}

// kindNouns are the kinds in a sentence.
var kindNouns = [kinds]string{
	"an authorization", "a decline", "a capture", "a void", "a refund", "the failure of a refund", "a dispute", "the winning of a dispute", "the losing of a dispute",
}

// String is the kind as it is stored and as messages say it after "payment.".
func (k Kind) String() string { return kindNames[k] }

// Kinds are all kinds of events.
func Kinds() (all []Kind) {
	for k := range kinds {
		all = append(all, k)
	}
	return all
}

// KindOf gives the kind of an event.
func KindOf(e Event) Kind { return e.kind() }

// ParseKind reads what String writes. Error: KindInvalid.
func ParseKind(text string) (Kind, error) {
	for _, k := range Kinds() {
		if k.String() == text {
			return k, nil
		}
	}
	return 0, ledger.Refuse(ledger.KindInvalid, "%q is not an event of a payment", text).At("type", "is one of %v", kindNames)
}

// Name names an event for ever: two events of one payment with the same name are the same event, or one of them is wrong.
func Name(e Event) string { return e.kind().String() + ":" + e.ref() }

func (e Authorization) kind() Kind { return KindAuthorization }
func (e Decline) kind() Kind       { return KindDecline }
func (e Capture) kind() Kind       { return KindCapture }
func (e Void) kind() Kind          { return KindVoid }
func (e Refund) kind() Kind        { return KindRefund }
func (e RefundFailure) kind() Kind { return KindRefundFailure }
func (e Dispute) kind() Kind       { return KindDispute }
func (e DisputeWon) kind() Kind    { return KindDisputeWon }
func (e DisputeLost) kind() Kind   { return KindDisputeLost }

func (e Authorization) ref() string { return e.Ref }
func (e Decline) ref() string       { return e.Ref }
func (e Capture) ref() string       { return e.Ref }
func (e Void) ref() string          { return e.Ref }
func (e Refund) ref() string        { return e.Ref }
func (e RefundFailure) ref() string { return e.Ref }
func (e Dispute) ref() string       { return e.Ref }
func (e DisputeWon) ref() string    { return e.Ref }
func (e DisputeLost) ref() string   { return e.Ref }
