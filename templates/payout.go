package templates

import (
	"time"

	"daybook/store/payment"
	"daybook/templates/ui"
)

// Payout is one payout with what is in it.
type Payout struct {
	Shell
	PayoutRow
	FeeMinor int64 // of the payout itself
	Message  string
	By       string
	At       time.Time
	// Parts are its items as far as the page shows them; PayoutRow counts all.
	Parts []PayoutPart
}

// PayoutPart is one event of a payment in a payout. GrossMinor less FeeMinor is AmountMinor; what was given back is negative.
type PayoutPart struct {
	N                                 int
	Payment                           int64
	Kind                              payment.Kind
	Ref                               string
	GrossMinor, FeeMinor, AmountMinor int64
	Seq                               int64 // the entry of the payout
	Line                              int   // its posting there, 0 for none
	Place                             PayoutPlace
}

func (v Payout) lead() string {
	return "Paid on " + v.Format.Day(v.PaidOn) + " by " + v.Source + ": " + v.Format.Plural(int(v.Items), "item", "items") + ", " + v.Format.Amount(v.AmountMinor, v.Currency) + " " + v.Currency
}

func (v Payout) figures() ui.Figures {
	return ui.Figures{
		{Label: "Gross", Money: money(v.GrossMinor, v.Currency), Hero: true},
		{Label: "Fees", Money: money(-v.FeesMinor, v.Currency), Hero: true},
		{Label: "Arrives at the bank", Money: &ui.Money{Minor: v.AmountMinor, Currency: v.Currency, WithCode: true}, Hero: true},
	}
}

// reversed warns of a payout whose entry was taken back.
func (v Payout) reversed() *ui.Alert {
	if v.Place.ReversedBy == 0 {
		return nil
	}
	return &ui.Alert{
		Tone: ui.Warn, Title: "This payout was reversed.", Text: "Its payments are not paid out, unless another payout has them.",
		Link: ui.Link{Text: "Open " + v.Format.Seq(v.Place.ReversedBy), Href: v.Book.EntryURL(v.Place.ReversedBy)},
	}
}

func (v Payout) facts() ui.KeyValue {
	return ui.KeyValue{
		{Name: "Payout", Text: v.Name, Mono: true, Copy: true},
		{Name: "Paid on", Text: v.Format.Day(v.PaidOn)},
		{Name: "Source", Text: v.Source},
		{Name: "Message", Text: v.Message, Href: v.Book.MessageURL(v.Source, v.Message)},
		{Name: "Taken in", Text: v.Format.Instant(v.At) + " UTC, " + v.By},
		{Name: "Entry", Text: v.Format.Seq(v.Seq), Href: v.Book.EntryURL(v.Seq)},
	}
}

// shown says how much of the payout the page shows; "" for all.
func (v Payout) shown() string {
	if int64(len(v.Parts)) == v.Items {
		return ""
	}
	return "The first " + v.Format.Number(len(v.Parts)) + " of " + v.Format.Number(int(v.Items)) + " items. The file has all; the totals are those of all."
}

// itemFees are all fees but that of the payout itself, itemsMinor what its items come to before that.
func (v Payout) itemFees() int64   { return v.FeesMinor - v.FeeMinor }
func (v Payout) itemsMinor() int64 { return v.AmountMinor + v.FeeMinor }
