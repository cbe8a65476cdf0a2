package templates

import (
	"cmp"
	"slices"
	"time"

	"daybook/store/payment"
	"daybook/templates/ui"
)

// timeline is the life of a payment: what happened to it with its entries, what was asked and came to nothing, the payouts it was in.
func (v PaymentView) timeline(b Book, f ui.Format) ui.Timeline {
	events := ui.Timeline{{Text: "Created", At: v.CreatedAt, By: v.CreatedBy}}
	for _, e := range v.Events {
		events = append(events, v.happened(e, b, f))
	}
	for _, c := range v.Calls {
		if event, tells := v.cameToNothing(c, f); tells {
			events = append(events, event)
		}
	}
	for _, p := range v.Payouts {
		events = append(events, v.paidOut(p, b, f))
	}
	slices.SortStableFunc(events, func(x, y ui.Event) int { return x.At.Compare(y.At) })
	events[len(events)-1].Now = true
	return events
}

func (v PaymentView) happened(e PaymentEvent, b Book, f ui.Format) ui.Event {
	shown := ui.Event{Text: eventWords[e.Kind], At: e.At, By: cmp.Or(e.By, e.Source), Fail: e.Kind == payment.KindDecline}
	if e.AmountMinor != 0 {
		shown.Text += " " + f.Amount(e.AmountMinor, v.Currency)
	}
	if e.Seq != 0 {
		shown.Text += ","
		shown.Ref = ui.Link{Text: "entry " + f.Seq(e.Seq), Href: b.EntryURL(e.Seq)}
	}
	fee := ""
	if e.FeeMinor != 0 {
		fee = "Fee " + f.Amount(e.FeeMinor, v.Currency)
	}
	shown.Detail, shown.Told = joined(sentence(cmp.Or(e.Reason, v.reasonOf(e.Call))), fee, v.asked(e.Call, f)), told(e, b)
	return shown
}

// told leads to the message that an event came by.
func told(e PaymentEvent, b Book) ui.Link {
	if e.Source == "" {
		return ui.Link{}
	}
	return ui.Link{Text: "Told by message " + e.Message + " of " + e.Source, Href: b.MessageURL(e.Source, e.Message)}
}

// reasonOf is why something was asked of the gateway.
func (v PaymentView) reasonOf(call int64) string {
	for _, c := range v.Calls {
		if c.ID == call {
			return c.Reason
		}
	}
	return ""
}

// asked says how often the gateway was asked for what it did, where that was more than once.
func (v PaymentView) asked(call int64, f ui.Format) string {
	for _, c := range v.Calls {
		if c.ID == call && c.Attempts > 1 {
			return f.Number(c.Attempts) + " tries with one key, one effect"
		}
	}
	return ""
}

// cameToNothing tells of a request to which no event belongs; tells is false for the others.
func (v PaymentView) cameToNothing(c PaymentCall, f ui.Format) (event ui.Event, tells bool) {
	event = ui.Event{Text: c.title(v, f), Detail: sentence(c.Why), At: c.ChangedAt, By: c.AskedBy}
	switch {
	case slices.ContainsFunc(v.Events, func(e PaymentEvent) bool { return e.Call == c.ID }):
		return event, false
	case c.State == CallOpen:
		event.Text, event.At = event.Text+" asked", c.At
	case c.State == CallUnknown:
		event.Text, event.Unsure = event.Text+" asked, no answer", true
	case c.State == CallUnposted:
		event.Text, event.Detail, event.Fail = event.Text+" done, entry refused", c.Problem, true
	case c.State == CallRefused:
		event.Text, event.Fail = event.Text+" refused by the gateway", true
	case c.State == CallNotDone:
		event.Text += " not done"
	default:
		return event, false
	}
	return event, true
}

func (v PaymentView) paidOut(p PaymentPayout, b Book, f ui.Format) ui.Event {
	endOfDay := p.PaidOn.Time().AddDate(0, 0, 1).Add(-time.Second) // it stands behind what happened on its day
	event := ui.Event{Text: "Paid out in " + p.Payout + ": " + lowered(eventWords[p.Of]) + " " + f.Amount(p.AmountMinor, v.Currency), At: endOfDay, On: p.PaidOn}
	if p.Seq != 0 {
		event.Text += ","
		event.Ref = ui.Link{Text: "entry " + f.Seq(p.Seq), Href: b.EntryURL(p.Seq)}
	}
	switch {
	case p.Reversed:
		event.Detail = "The entry was reversed: this is not paid out"
	case p.Match != 0:
		event.Detail = "On the statement of " + p.Account + ": " + p.Line
	}
	if p.Reversed {
		event.Detail = "The entry was reversed: nothing was paid out"
	}
	if p.Break != 0 {
		event.Told = ui.Link{Text: "In break " + NameOfBreak(p.Break), Href: b.BreakURL(p.Break)}
	}
	return event
}
