package templates

import "daybook/templates/ui"

// RefundView is a refund that somebody asks for, above the limit.
type RefundView struct {
	PaymentID             int64
	Customer, Reference   string
	Currency              string
	AmountMinor           int64
	CapturedMinor         int64
	LeftMinor, LimitMinor int64
	Gateway               string
}

func (v RefundView) facts(b Book) ui.KeyValue {
	money := func(minor int64) *ui.Money { return &ui.Money{Minor: minor, Currency: v.Currency, WithCode: true} }
	facts := ui.KeyValue{{Name: "Payment", Text: NameOfPayment(v.PaymentID), Href: b.PaymentURL(v.PaymentID)}, {Name: "Customer", Text: v.Customer}}
	if v.Reference != "" {
		facts = append(facts, ui.Fact{Name: "Reference", Text: v.Reference})
	}
	return append(facts, ui.Fact{Name: "To be refunded", Money: money(v.AmountMinor)}, ui.Fact{Name: "Captured", Money: money(v.CapturedMinor)},
		ui.Fact{Name: "Left of it", Money: money(v.LeftMinor)}, ui.Fact{Name: "Without approval up to", Money: money(v.LimitMinor)})
}

// does says what approving does.
func (v RefundView) does(f ui.Format) string {
	return v.Gateway + " is asked to give " + f.Amount(v.AmountMinor, v.Currency) + " " + v.Currency + " back, by a key that it does once. When it has, the entry is posted. " +
		"Should it not answer, the payment is shown as unknown, and is not refunded twice."
}
