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
	// Call is what was asked of the gateway once this was approved, nil for nothing; Seq is the entry of what it did, 0 for none.
	Call *PaymentCall
	Seq  int64
}

// facts say what is asked for and, while that waits, what it would be taken from; afterwards what came of it.
func (v RefundView) facts(b Book, status string, f ui.Format) ui.KeyValue {
	money := func(minor int64) *ui.Money { return &ui.Money{Minor: minor, Currency: v.Currency, WithCode: true} }
	facts := ui.KeyValue{{Name: "Payment", Text: NameOfPayment(v.PaymentID), Href: b.PaymentURL(v.PaymentID)}, {Name: "Customer", Text: v.Customer}}
	if v.Reference != "" {
		facts = append(facts, ui.Fact{Name: "Reference", Text: v.Reference})
	}
	facts = append(facts, ui.Fact{Name: "To be refunded", Money: money(v.AmountMinor)}, ui.Fact{Name: "Captured", Money: money(v.CapturedMinor)})
	if status == "pending" {
		return append(facts, ui.Fact{Name: "Left of it", Money: money(v.LeftMinor)}, ui.Fact{Name: "Without approval up to", Money: money(v.LimitMinor)})
	}
	if v.Call == nil {
		return facts
	}
	facts = append(facts, ui.Fact{Name: "What came of it", Chip: v.outcome()})
	if v.Seq != 0 {
		facts = append(facts, ui.Fact{Name: "Entry", Text: f.Seq(v.Seq), Href: b.EntryURL(v.Seq)})
	}
	if v.Call.Why != "" {
		facts = append(facts, ui.Fact{Name: "The gateway says", Text: sentence(v.Call.Why)})
	}
	return facts
}

// outcome is what became of the refund at the gateway.
func (v RefundView) outcome() ui.Chip {
	chip := v.Call.chip()
	switch v.Call.State {
	case CallDone:
		chip.Text = "Refunded"
	case CallOpen, CallUnknown:
		chip.Text = "The gateway is asked, no answer yet"
	}
	return chip
}

// does says what approving does.
func (v RefundView) does(f ui.Format) string {
	return v.Gateway + " is asked to give " + f.Amount(v.AmountMinor, v.Currency) + " " + v.Currency + " back, by a key that it does once. When it has, the entry is posted. " +
		"Should it not answer, the payment is shown as unknown, and is not refunded twice."
}
