package templates

import (
	"strings"
	"time"

	"daybook/templates/ui"
)

// what is asked, in words: a capture of 84.50 EUR.
func (c PaymentCall) what(v PaymentView, f ui.Format) string {
	if c.AmountMinor == 0 {
		return commandNouns[c.Command]
	}
	return commandNouns[c.Command] + " of " + v.amount(c.AmountMinor, f)
}

// title is the same as a heading: Capture of 84.50 EUR.
func (c PaymentCall) title(v PaymentView, f ui.Format) string {
	_, noun, _ := strings.Cut(c.what(v, f), " ")
	return sentence(noun)
}

func (c PaymentCall) chip() ui.Chip {
	switch c.State {
	case CallOpen:
		return ui.Chip{Text: "Being asked", Icon: "hourglass", Tone: ui.Info}
	case CallUnknown:
		return unknownChip()
	case CallUnposted:
		return ui.Chip{Text: "Done, entry refused", Tone: ui.Bad}
	case CallDone:
		return ui.Chip{Text: "Done", Tone: ui.OK}
	case CallRefused:
		return ui.Chip{Text: "Refused", Tone: ui.Bad}
	}
	return ui.Chip{Text: "Not done", Icon: "circle-minus"}
}

func (c PaymentCall) facts(b Book) ui.KeyValue {
	facts := ui.KeyValue{
		{Name: "Gateway key", Text: c.GatewayKey, Mono: true, Copy: true},
		{Name: "Asked with key", Text: c.Key, Mono: true},
		{Name: "Asked by", Text: c.AskedBy},
	}
	if c.Reason != "" {
		facts = append(facts, ui.Fact{Name: "Reason", Text: c.Reason})
	}
	if c.Approval != 0 {
		facts = append(facts, ui.Fact{Name: "Approved", Text: "as " + NameOfApproval(c.Approval), Href: b.RequestURL(c.Approval)})
	}
	return facts
}

// live says that nobody knows the answer yet, or that it is not booked.
func (c PaymentCall) live() bool {
	return c.State == CallOpen || c.State == CallUnknown || c.State == CallUnposted
}

// outcomeWords are the answers of a gateway.
var outcomeWords = map[string]ui.Chip{
	"done":     {Text: "Done", Tone: ui.OK},
	"refused":  {Text: "Refused", Tone: ui.Bad},
	"not_done": {Text: "Not done", Icon: "circle-minus"},
	"unknown":  {Text: "No answer", Icon: "user-question", Tone: ui.Warn},
}

// askedWords say how the gateway was asked.
var askedWords = map[string]string{"do": "Asked to do it", "recover": "Asked what became of it", "person": "Put down by a person"}

// took is how long an answer took, in milliseconds or, from two seconds on, in seconds; a person takes no time.
func (t PaymentTry) took(f ui.Format) string {
	switch {
	case t.Asked == "person":
		return ""
	case t.Took < 2*time.Second:
		return f.Number(int(t.Took/time.Millisecond)) + " ms"
	}
	return f.Number(int(t.Took/time.Second)) + " s"
}

// notice tells of what the gateway has not answered for good: what came instead, and that nothing is charged twice.
func (v PaymentView) notice(f ui.Format) *ui.Alert {
	if v.Call == nil {
		return nil
	}
	what := v.Call.what(v, f)
	switch v.Call.State {
	case CallOpen:
		return &ui.Alert{Tone: ui.Info, Title: "The gateway is being asked for " + what + ".", Text: "Load the page again for its answer."}
	case CallUnposted:
		return &ui.Alert{
			Tone: ui.Bad, Title: "The gateway has done " + what + ", and its entry was refused.",
			Text: "Mend what is named below, then have it posted again. The gateway is not asked a second time to do it.",
		}
	}
	return &ui.Alert{
		Tone: ui.Warn, Title: "Nobody knows yet whether the gateway has done " + what + ".",
		Text: "It was asked, and no answer came. It is never charged again by a retry: whoever asks again, asks by the same key.",
	}
}

// story says of a call without an answer what was asked, what came, what happens by itself and what a person can do.
func (v PaymentView) story(f ui.Format) ui.KeyValue {
	c := v.Call
	facts := ui.KeyValue{{Name: "Asked", Text: sentence(c.what(v, f)) + ", " + f.Instant(c.At) + " UTC, by " + c.AskedBy}}
	if c.State == CallUnposted {
		return append(facts, ui.Fact{Name: "Refused because", Text: c.Problem})
	}
	if c.Why != "" {
		facts = append(facts, ui.Fact{Name: "Instead of an answer", Text: sentence(c.Why)})
	}
	return append(facts,
		ui.Fact{Name: "So far", Text: f.Plural(c.Attempts, "try", "tries") + " with one key"},
		ui.Fact{Name: "Its key", Text: c.GatewayKey, Mono: true, Copy: true},
		ui.Fact{Name: "By itself", Text: "Within the hour Daybook asks the gateway again what became of it; it also believes a message of the gateway about it"},
		ui.Fact{Name: "You can", Text: "Ask the gateway again now or, when you have seen on its own pages what it did, say so with a reason"},
	)
}
