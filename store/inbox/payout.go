package inbox

import (
	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/store/strictjson"
)

// PayoutPaid is the type of a message that a gateway has paid out what it held.
const PayoutPaid = "payout.paid"

// Payout is one amount that a gateway pays to the bank, in minor units of Currency: the sum of its items, less their fees and a fee of its own.
type Payout struct {
	Payout                string // the gateway's own name of it
	Currency              string
	AmountMinor, FeeMinor int64
	PaidOn                ledger.Date
	Items                 []PayoutItem
}

// PayoutItem is an event of a payment whose money is in a payout: AmountMinor is the event's own, and FeeMinor a fee that was not known with it.
type PayoutItem struct {
	PaymentID             int64
	Kind                  payment.Kind
	Ref                   string
	AmountMinor, FeeMinor int64
}

// MaxPayoutItems is how many items a payout has at most.
const MaxPayoutItems = 10_000

// ReadPayout reads the data of a message about a payout. Errors: KindInvalid, KindAmountOverflow.
func ReadPayout(data []byte) (Payout, error) {
	fields, err := strictjson.ReadObject("data", data)
	if err != nil {
		return Payout{}, err
	}
	payout := Payout{
		Payout: shortText(fields, "payout", MaxIDRunes), Currency: shortText(fields, "currency", maxCurrencyRunes),
		AmountMinor: fields.Amount("amount"), FeeMinor: fields.AmountOrNone("fee"), PaidOn: fields.Date("paid_on"),
	}
	items := fields.Objects("items")
	if len(items) > MaxPayoutItems {
		return Payout{}, ledger.Refuse(ledger.KindInvalid, "the payout has %d items, and at most %d are taken: send several, each with what it pays", len(items), MaxPayoutItems).
			At("items", "has %d, at most %d are taken", len(items), MaxPayoutItems)
	}
	for _, item := range items {
		payout.Items = append(payout.Items, readPayoutItem(item))
	}
	if payout.FeeMinor < 0 {
		fields.Fault("fee", "must be 0 or more")
	}
	if payout.Payout == "" {
		fields.Fault("payout", "is missing: give the gateway's own name of the payout")
	}
	if payout.PaidOn.IsZero() {
		fields.Fault("paid_on", "is missing: give the day as YYYY-MM-DD")
	}
	if len(items) == 0 {
		fields.Fault("items", "is empty: name what is paid out")
	}
	return payout, fields.Err()
}

// readPayoutItem reads an item. Only where a dispute was won the gateway may give a fee back with it, and not more than was disputed.
func readPayoutItem(fields *strictjson.Object) PayoutItem {
	kind, err := payment.ParseKind(fields.Text("kind"))
	if err != nil {
		fields.Fault("kind", "is not an event of a payment")
	}
	item := PayoutItem{
		PaymentID: fields.Number("payment_id"), Kind: kind, Ref: shortText(fields, "ref", MaxIDRunes), AmountMinor: fields.Amount("amount"), FeeMinor: fields.AmountOrNone("fee"),
	}
	switch {
	case item.AmountMinor < 0:
		fields.Fault("amount", "must be 0 or more: its kind says which way it goes")
	case item.FeeMinor < 0 && kind != payment.KindDisputeWon:
		fields.Fault("fee", "must be 0 or more")
	case item.FeeMinor < -max(item.AmountMinor, payment.SmallFeeMinor):
		fields.Fault("fee", "must not be below -%d", max(item.AmountMinor, payment.SmallFeeMinor))
	}
	return item
}
