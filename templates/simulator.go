package templates

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Simulator is the page on which the simulated gateway is made unreliable. Everything is as typed: durations as 250ms, shares in per cent.
type Simulator struct {
	Shell
	Form, PayoutForm string
	Faults           SimulatorFaults
	// Currencies are those that something can be paid out in.
	Currencies []string
	Message    string
	Errors     []ledger.FieldError
	// Right names the right that changing it needs and the reader lacks; empty when there is nothing in the way. Silent says that the simulator
	// does not answer.
	MissingRight string
	// Administrators are people who could give it.
	Administrators []string
	Silent         bool
}

// SimulatorFaults are the switches.
type SimulatorFaults struct {
	Latency, LatencySpread, Hang                         string
	Decline, TimeoutBefore, TimeoutAfter, TimeoutRecover string
	RepeatMin, RepeatMax, Hold                           string
	Webhooks, Reorder                                    bool
}

// simulatorFields are the fields of the switches in their sections: the name, what it is called and what it does.
type simulatorField struct{ name, label, value, hint string }

func (f SimulatorFaults) answers() []simulatorField {
	return []simulatorField{
		{"decline", "Declined, per cent", f.Decline, "Of new authorizations"},
		{"timeout_before", "Times out before, per cent", f.TimeoutBefore, "Nothing is done, and no answer comes"},
		{"timeout_after", "Times out after, per cent", f.TimeoutAfter, "It is done, and no answer comes"},
		{"timeout_recover", "Asking again times out, per cent", f.TimeoutRecover, "Of requests for what became of one"},
		{"hang", "A time-out holds for", f.Hang, "Such as 300ms or 5s"},
		{"latency", "Every answer takes", f.Latency, "Such as 0s or 15ms"},
		{"latency_spread", "and up to as much more", f.LatencySpread, "Chosen at random for each"},
	}
}

func (f SimulatorFaults) messages() []simulatorField {
	return []simulatorField{
		{"webhook_repeat_min", "Sent at least, times", f.RepeatMin, "1 to 10"},
		{"webhook_repeat_max", "Sent at most, times", f.RepeatMax, "1 to 10"},
		{"webhook_hold", "Held back for up to", f.Hold, "Where they are sent out of order"},
	}
}

func (v Simulator) field(f simulatorField) ui.Field {
	return ui.Field{Name: f.name, Label: f.label, Value: f.value, Hint: f.hint, Autocomplete: "off", ReadOnly: v.MissingRight != "", Error: ui.ErrorOf(v.Errors, f.name)}
}

func (v Simulator) payoutCurrencies() []ui.Option {
	var options []ui.Option
	for _, code := range v.Currencies {
		options = append(options, ui.Option{Value: code, Text: code})
	}
	return options
}
