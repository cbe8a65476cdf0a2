package simulator

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"daybook/store/ledger"
)

// Faults says how unreliable the simulator is. Rates are from 0 to 1, of all requests that move money; TimeoutRecover is of those that ask what
// became of a key, and Decline of new authorizations.
type Faults struct {
	Latency          Span    `json:"latency"`        // every request takes so long,
	LatencySpread    Span    `json:"latency_spread"` // and up to so much longer
	Decline          float64 `json:"decline"`
	TimeoutBefore    float64 `json:"timeout_before"` // nothing is done, the connection is held for Hang and cut
	TimeoutAfter     float64 `json:"timeout_after"`  // it is done, the connection is held for Hang and cut
	TimeoutRecover   float64 `json:"timeout_recover"`
	Hang             Span    `json:"hang"`
	Webhooks         bool    `json:"webhooks"` // false holds them back until it is true again
	WebhookRepeatMin int     `json:"webhook_repeat_min"`
	WebhookRepeatMax int     `json:"webhook_repeat_max"`
	WebhookReorder   bool    `json:"webhook_reorder"` // each is held back for a random time of up to WebhookHold
	WebhookHold      Span    `json:"webhook_hold"`
	Seed             int64   `json:"seed"` // setting it begins the random choices anew
}

// NoFaults is a processor that does what it should. What the switches need besides has its usual size.
func NoFaults() Faults {
	return Faults{Hang: Span(300 * time.Millisecond), Webhooks: true, WebhookRepeatMin: 1, WebhookRepeatMax: 1, WebhookHold: Span(250 * time.Millisecond)}
}

// maxRepeats is how often a webhook may be repeated.
const maxRepeats = 10

// maxSpan bounds every duration: a request that hangs is one that somebody waits for.
const maxSpan = Span(time.Minute)

// Span is a duration, written as 15ms.
type Span time.Duration

// MarshalText writes it as 15ms.
func (s Span) MarshalText() ([]byte, error) { return []byte(time.Duration(s).String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Span) UnmarshalText(text []byte) error {
	read, err := time.ParseDuration(string(text))
	*s = Span(read)
	return err
}

// Changed gives the faults with the fields that a JSON object names set to other values. Errors: KindInvalid, which names the fields at fault.
func (f Faults) Changed(body []byte) (Faults, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(body, &given); err != nil || given == nil {
		return f, ledger.Refuse(ledger.KindInvalid, "send the faults to change as a JSON object")
	}
	refusal := ledger.Refuse(ledger.KindInvalid, "the faults cannot be set so")
	fields := f.fields()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		into, known := fields[name]
		if !known {
			refusal.At(name, "is no fault: there are %v", slices.Sorted(maps.Keys(fields)))
			continue
		}
		if err := json.Unmarshal(given[name], into); err != nil {
			refusal.At(name, "is %s, but must be %s", given[name], wanted(into))
		}
	}
	if err := refusal.OrNil(); err != nil {
		return Faults{}, err
	}
	return f, f.Check()
}

// fields gives where each field lies, by its name.
func (f *Faults) fields() map[string]any {
	return map[string]any{
		"latency": &f.Latency, "latency_spread": &f.LatencySpread, "decline": &f.Decline, "timeout_before": &f.TimeoutBefore,
		"timeout_after": &f.TimeoutAfter, "timeout_recover": &f.TimeoutRecover, "hang": &f.Hang, "webhooks": &f.Webhooks,
		"webhook_repeat_min": &f.WebhookRepeatMin, "webhook_repeat_max": &f.WebhookRepeatMax, "webhook_reorder": &f.WebhookReorder,
		"webhook_hold": &f.WebhookHold, "seed": &f.Seed,
	}
}

func wanted(into any) string {
	switch into.(type) {
	case *Span:
		return `a duration such as "15ms"`
	case *float64:
		return "a rate from 0 to 1"
	case *bool:
		return "true or false"
	}
	return "a whole number"
}

// Check refuses faults that cannot be. Error: KindInvalid, which names the fields at fault.
func (f Faults) Check() error {
	refusal := ledger.Refuse(ledger.KindInvalid, "the faults cannot be set so")
	for _, name := range slices.Sorted(maps.Keys(f.fields())) {
		switch value := f.fields()[name].(type) {
		case *float64:
			if !(*value >= 0 && *value <= 1) {
				refusal.At(name, "must be from 0 to 1")
			}
		case *Span:
			if *value < 0 || *value > maxSpan {
				refusal.At(name, "must be from 0s to %v", time.Duration(maxSpan))
			}
		}
	}
	if f.TimeoutBefore+f.TimeoutAfter > 1 {
		refusal.At("timeout_after", "must be at most 1 together with timeout_before")
	}
	if f.WebhookRepeatMin < 1 || f.WebhookRepeatMin > maxRepeats {
		refusal.At("webhook_repeat_min", "must be from 1 to %d", maxRepeats)
	}
	if f.WebhookRepeatMax < f.WebhookRepeatMin || f.WebhookRepeatMax > maxRepeats {
		refusal.At("webhook_repeat_max", "must be from webhook_repeat_min to %d", maxRepeats)
	}
	return refusal.OrNil()
}

// Problem tells an error to whoever asked the simulator.
func Problem(err error) Answer {
	var refusal *ledger.Error
	if !errors.As(err, &refusal) || refusal.Kind == ledger.KindInternal {
		return Answer{Result: Failed, Reason: "the simulator could not keep it"}
	}
	return Answer{Result: Invalid, Reason: refusal.Message, Errors: refusal.Fields}
}
