package templates

import (
	"daybook/store/payment"
	"daybook/templates/ui"
)

// PostedFor is what an entry was posted for by itself: an event of a payment, or a payout; 0 for none.
type PostedFor struct {
	Payment    int64
	Kind       payment.Kind // of the event
	Payout     int64
	PayoutName string
}

// eventNouns are what an entry of a payment is the entry of.
var eventNouns = map[payment.Kind]string{
	payment.KindCapture: "the capture", payment.KindRefund: "a refund", payment.KindRefundFailure: "a failed refund", payment.KindDispute: "a dispute",
	payment.KindDisputeWon: "a dispute that was won", payment.KindDisputeLost: "a dispute that was lost",
}

// warning says what reversing the entry does to what it was posted for, and what it does not; nil where it was posted for nothing.
func (p PostedFor) warning(b Book) *ui.Alert {
	switch {
	case p.Payment != 0:
		name := NameOfPayment(p.Payment)
		warning := &ui.Alert{
			Tone: ui.Warn, Title: "This is " + eventNouns[p.Kind] + " of payment " + name + ".", Text: "The reversal corrects the journal only: at the gateway nothing changes.",
			Link: ui.Link{Text: "Open " + name, Href: b.PaymentURL(p.Payment)},
		}
		if p.Kind == payment.KindCapture {
			warning.Text = "The reversal corrects the journal only: the payment stays captured at the gateway. To give the money back, refund it."
		}
		return warning
	case p.Payout != 0:
		return &ui.Alert{
			Tone: ui.Warn, Title: "This is the entry of payout " + p.PayoutName + ".", Text: "Reversing it sets its payments back to not paid out.",
			Link: ui.Link{Text: "Open the payout", Href: b.PayoutURL(p.Payout)},
		}
	}
	return nil
}
