package templates

import (
	"time"

	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/templates/ui"
)

// PaymentPageView is one payment on a page of its own, and the form of what is to be done with it.
type PaymentPageView struct {
	Shell
	PaymentView
	// Form is the one that is open: Do says which, empty for none.
	Form PaymentForm
}

// PaymentView is one payment whole. Amounts are in minor units of Currency.
type PaymentView struct {
	ID                            int64
	State                         payment.State
	Gateway, Charge, GatewayKey   string
	Currency, Customer, Reference string
	CreatedBy                     string
	CreatedAt                     time.Time
	AmountMinor                   int64 // asked for
	AuthorizedMinor               int64
	CapturedMinor                 int64
	RefundedMinor                 int64
	DisputedMinor, LostMinor      int64
	FeeMinor, LeftMinor, NetMinor int64
	Bank                          string
	// Call is what the gateway has not answered for good, nil for none.
	Call    *PaymentCall
	Events  []PaymentEvent  // oldest first
	Calls   []PaymentCall   // oldest first
	Payouts []PaymentPayout // oldest first
	// Refund is the request for a refund that waits for approval, 0 for none.
	Refund int64
	// MissingRight names the right that acting on payments needs and the reader lacks; empty when there is nothing in the way.
	MissingRight string
	// Administrators are people who could give it.
	Administrators []string
	// LimitMinor is up to what a refund needs nobody else.
	LimitMinor int64
}

// PaymentCall is one thing that was asked of the gateway, by one key however often. Problem is why its entry was refused.
type PaymentCall struct {
	ID            int64
	Command       string
	AmountMinor   int64
	Key           string
	GatewayKey    string
	Reason        string
	State         string
	Attempts      int
	Why           string
	Problem       string
	Approval      int64
	AskedBy       string
	At, ChangedAt time.Time
	Tries         []PaymentTry
}

// PaymentTry is one time that the gateway was asked, or that a person said what it had answered. Asked is do, recover or person.
type PaymentTry struct {
	Asked, Outcome, Why, By string
	At                      time.Time
	Took                    time.Duration
}

// PaymentEvent is something that happened to a payment. By is a person, or the source of the message that told it.
type PaymentEvent struct {
	Kind                  payment.Kind
	Ref, Reason           string
	AmountMinor, FeeMinor int64
	Seq                   int64 // its entry, 0 for none
	Call                  int64 // what was asked for it, 0 where a message told
	Source, Message       string
	By                    string
	At                    time.Time
}

// PaymentPayout is a part of the payment in a payout, for an event of a kind. Match is the one with the line of a statement, Break the one that its posting
// is in, 0 for none;
// one that was reversed is not paid out.
type PaymentPayout struct {
	ID                    int64
	Payout                string
	Of                    payment.Kind
	Seq                   int64
	PaidOn                ledger.Date
	AmountMinor, FeeMinor int64
	Match, Break          int64
	Account, Line         string
	Reversed              bool // the entry of the payout
}

func (v PaymentView) amount(minor int64, f ui.Format) string {
	return f.Amount(minor, v.Currency) + " " + v.Currency
}

func (v PaymentView) money(minor int64) *ui.Money { return money(minor, v.Currency) }

func (v PaymentView) tags(b Book) ui.Tags {
	tags := ui.Tags{paymentWords[v.State]}
	if v.Call != nil {
		tags = append(tags, unsettledChip(v.Call.State))
	}
	if v.Refund != 0 {
		tags = append(tags, waitingChip(b, "Refund waits for approval", v.Refund))
	}
	return tags
}

func (v PaymentPageView) lead() string {
	lead := "Asked for by " + v.CreatedBy + " on " + v.Format.Minute(v.CreatedAt) + " UTC, through " + v.Gateway
	if v.Customer != "" {
		lead = v.Customer + ". " + lead
	}
	return lead
}

// figures lead from what was captured to what is left of it, or say how far a payment came that was not captured.
func (v PaymentView) figures() ui.Figures {
	if v.CapturedMinor == 0 {
		var heldMinor int64 // what was let go is held no more
		if v.State == payment.Authorized {
			heldMinor = v.AuthorizedMinor
		}
		return ui.Figures{
			{Label: "Asked for", Money: &ui.Money{Minor: v.AmountMinor, Currency: v.Currency, WithCode: true}, Hero: true},
			{Label: "Held for us", Money: v.money(heldMinor), Hero: true},
			{Label: "Captured", Money: v.money(0), Hero: true},
		}
	}
	figures := ui.Figures{{Label: "Captured", Money: &ui.Money{Minor: v.CapturedMinor, Currency: v.Currency, WithCode: true}, Hero: true}}
	for _, part := range []struct {
		label string
		minor int64
	}{{"Refunded", v.RefundedMinor}, {"Disputed", v.DisputedMinor}, {"Lost in disputes", v.LostMinor}} {
		if part.minor != 0 {
			figures = append(figures, ui.Figure{Label: part.label, Money: v.money(-part.minor), Hero: true})
		}
	}
	return append(figures,
		ui.Figure{Label: "Fees", Money: v.money(-v.FeeMinor), Hero: true},
		ui.Figure{Label: "Left after fees", Money: v.money(v.NetMinor), Hero: true})
}

func (v PaymentView) facts() ui.KeyValue {
	facts := ui.KeyValue{{Name: "Customer", Text: v.Customer}}
	if v.Reference != "" {
		facts = append(facts, ui.Fact{Name: "Reference", Text: v.Reference})
	}
	facts = append(facts, ui.Fact{Name: "Gateway", Text: v.Gateway})
	if v.Charge != "" {
		facts = append(facts, ui.Fact{Name: "Its name there", Text: v.Charge, Mono: true, Copy: true})
	}
	facts = append(facts, ui.Fact{Name: "Gateway key", Text: v.GatewayKey, Mono: true, Copy: true})
	if chip := bankChip(v.Bank); chip.Text != "" {
		facts = append(facts, ui.Fact{Name: "Bank", Chip: chip})
	}
	return facts
}

// journal are the entries of the payment, each by the event that it is of.
func (v PaymentView) journal(b Book, f ui.Format) ui.KeyValue {
	var facts ui.KeyValue
	for _, e := range v.Events {
		if e.Seq != 0 {
			facts = append(facts, ui.Fact{Name: eventWords[e.Kind], Text: "Entry " + f.Seq(e.Seq), Href: b.EntryURL(e.Seq)})
		}
	}
	return facts
}

// final says why nothing can be done with the payment any more; "" where something can, or may come.
func (v PaymentView) final() string {
	switch v.State {
	case payment.Refunded:
		return "All of it was given back. No action is left."
	case payment.Voided:
		return "It was let go before any money was taken. No action is left."
	case payment.Failed:
		return "It was declined. No action is left; a new payment can be asked for."
	case payment.ChargedBack:
		if v.LeftMinor == 0 {
			return "The bank gave the money back to the payer. No action is left."
		}
	case payment.Disputed:
		if v.LeftMinor == 0 {
			return "The bank holds the money until it decides. The gateway tells what it decides; nothing can be done here."
		}
	}
	return ""
}

// chip says how far this part of the payment is.
func (p PaymentPayout) chip(b Book) ui.Chip {
	switch {
	case p.Reversed:
		return ui.Chip{Text: "Reversed", Icon: "arrow-back-up", Tone: ui.Bad}
	case p.Match != 0:
		return bankChip(MoneyMatched)
	case p.Break != 0:
		return inBreak(b, p.Break)
	}
	return bankChip(MoneyInTransit)
}
