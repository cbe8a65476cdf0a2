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

// ReadPayout reads the data of a message about a payout. Errors: KindInvalid, KindAmountOverflow.
func ReadPayout(data []byte) (Payout, error) {
	fields, err := strictjson.ReadObject("data", data)
	if err != nil {
		return Payout{}, err
	}
	payout := Payout{
		Payout: fields.Text("payout"), Currency: fields.Text("currency"), AmountMinor: fields.Amount("amount"), FeeMinor: fields.AmountOrNone("fee"), PaidOn: fields.Date("paid_on"),
	}
	items := fields.Objects("items")
	for _, item := range items {
		kind, err := payment.ParseKind(item.Text("kind"))
		if err != nil {
			item.Fault("kind", "is not an event of a payment")
		}
		payout.Items = append(payout.Items, PayoutItem{
			PaymentID: item.Number("payment_id"), Kind: kind, Ref: item.Text("ref"), AmountMinor: item.Amount("amount"), FeeMinor: item.AmountOrNone("fee"),
		})
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
