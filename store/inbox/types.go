package inbox

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/store/strictjson"
)

// EntryPost is the type of a message whose data is an entry, as the API takes it.
const EntryPost = "entry.post"

// paymentPrefix begins the types of messages about payments; what follows is the kind of an event.
const paymentPrefix = "payment."

// PaymentKind gives the event that a message of a type tells of a payment; false for another type.
func PaymentKind(messageType string) (payment.Kind, bool) {
	name, found := strings.CutPrefix(messageType, paymentPrefix)
	kind, err := payment.ParseKind(name)
	return kind, found && err == nil
}

// UnknownType is the refusal of a message of a type that nothing is done for, as KindInvalid.
func UnknownType(messageType string) *ledger.Error {
	return ledger.Refuse(ledger.KindInvalid, "nothing is known of messages of type %q: it is kept, and does nothing", messageType).
		At("type", "is %s, %s, or %s and the kind of an event", EntryPost, PayoutPaid, paymentPrefix)
}

// Payment is what a message tells of a payment. Of an event that the payment has, and of one that takes all there is, amount and fee may be left out.
type Payment struct {
	PaymentID         int64
	Told              payment.Told
	HasAmount, HasFee bool
	Currency          string // "" where it is left out
	Charge            string // the gateway's name of the payment, "" where it is left out
	GatewayKey        string // of the request that the event came from, "" for none
}

// ReadPayment reads the data of a message about a payment: payment_id, ref, amount, currency, fee, reason, charge and key. All but the first may be
// left out. Errors: KindInvalid, KindAmountOverflow.
func ReadPayment(kind payment.Kind, data []byte) (Payment, error) {
	fields, err := strictjson.ReadObject("data", data)
	if err != nil {
		return Payment{}, err
	}
	id := "payment_id"
	if !fields.Has(id) && fields.Has("id") {
		id = "id"
	}
	told := Payment{
		PaymentID: fields.Number(id), HasAmount: fields.Has("amount"), HasFee: fields.Has("fee"),
		Currency: shortText(fields, "currency", maxCurrencyRunes), Charge: shortText(fields, "charge", MaxIDRunes), GatewayKey: shortText(fields, "key", MaxIDRunes),
		Told: payment.Told{
			Kind: kind, Ref: shortText(fields, "ref", MaxIDRunes), AmountMinor: fields.AmountOrNone("amount"), FeeMinor: fields.AmountOrNone("fee"),
			Reason: shortText(fields, "reason", maxReasonRunes),
		},
	}
	return told, fields.Err()
}

// The longest texts in the data of messages; names have at most MaxIDRunes.
const (
	maxReasonRunes   = 500
	maxCurrencyRunes = 3
)

// shortText takes a text of one line, "" where it is left out.
func shortText(fields *strictjson.Object, name string, maxRunes int) string {
	text := fields.Text(name)
	switch {
	case utf8.RuneCountInString(text) > maxRunes:
		fields.Fault(name, "is longer than %d characters", maxRunes)
	case strings.ContainsFunc(text, unicode.IsControl) && !strings.ContainsRune(text, 0): // of that the reader has told
		fields.Fault(name, "has control characters")
	}
	return text
}
