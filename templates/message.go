package templates

import (
	"strconv"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// MessageView is one message whole. Data is JSON, as people read it. Problem is why it was not applied, nil for what was.
type MessageView struct {
	Source, ID, Type   string
	State, Way         string
	Data               string
	Deliveries, Tries  int
	Problem            *MessageProblem
	Seq, Payment       int64
	PaymentKnown       bool // there is that payment
	ReceivedBy         string
	ReceivedAt, NextAt time.Time // NextAt is when it is tried again by itself, zero for never
	Events             []MessageEvent
	// MissingRight names the right that the forms need and the reader lacks.
	MissingRight   string
	Administrators []string // who could give it
	// Retry and Dismiss are the keys of the two forms, Reason what was typed in the second.
	Retry, Dismiss string
	Reason         string
	Errors         []ledger.FieldError
}

// MessageProblem is why a message was not applied: in words, by its kind with the status that a program would have had, and by field.
type MessageProblem struct {
	Text, Kind string
	Status     int
	Fields     []ledger.FieldError
}

// MessageEvent is something that happened to a message: delivered, tried, retried, dismissed. Result is what it came to.
type MessageEvent struct {
	Event, Way, Result string
	Problem, Note, By  string
	At                 time.Time
}

// open says whether the message can still be applied; one that was set aside can be, when a person has it retried.
func (v MessageView) open() bool { return v.State != InboxApplied }

// notice says over a message that was not applied why, and what becomes of it.
func (v MessageView) notice() *ui.Alert {
	if v.Problem == nil {
		return nil
	}
	switch v.State {
	case InboxWaiting:
		return &ui.Alert{Tone: ui.Info, Title: v.Problem.Text, Text: "What it waits for may be on its way. Nothing was posted yet; it is tried again by itself."}
	case InboxFailed:
		return &ui.Alert{Tone: ui.Bad, Title: v.Problem.Text, Text: "Nothing was posted. It is tried again by itself, and parked if that does not help."}
	case InboxParked:
		return &ui.Alert{Tone: ui.Bad, Title: v.Problem.Text, Text: "Nothing was posted. The message stays here until it is applied or set aside."}
	}
	return nil
}

func (v MessageView) facts(b Book, f ui.Format) ui.KeyValue {
	facts := ui.KeyValue{{Name: "Source", Text: v.Source}, {Name: "Type", Text: v.Type}, {Name: "Way in", Text: joined(wayWords[v.Way], v.ReceivedBy)}}
	if v.Seq != 0 {
		facts = append(facts, ui.Fact{Name: "Entry", Text: f.Seq(v.Seq), Href: b.EntryURL(v.Seq)})
	}
	if v.Payment != 0 {
		named := ui.Fact{Name: "Payment", Text: NameOfPayment(v.Payment) + ", which there is not"}
		if v.PaymentKnown {
			named.Text, named.Href = NameOfPayment(v.Payment), b.PaymentURL(v.Payment)
		}
		facts = append(facts, named)
	}
	facts = append(facts, ui.Fact{Name: "Delivered", Text: f.Plural(v.Deliveries, "time", "times") + ", first " + f.Instant(v.ReceivedAt)})
	if v.Tries > 0 {
		facts = append(facts, ui.Fact{Name: "Tried", Text: f.Plural(v.Tries, "time", "times")})
	}
	if !v.NextAt.IsZero() {
		facts = append(facts, ui.Fact{Name: "Next try", Text: f.Instant(v.NextAt)})
	}
	return facts
}

// problem names what is wrong, field by field.
func (v MessageView) problem() ui.KeyValue {
	if v.Problem == nil {
		return nil
	}
	facts := ui.KeyValue{{Name: "Problem", Text: v.Problem.Kind + ", " + strconv.Itoa(v.Problem.Status), Mono: true}}
	for _, field := range v.Problem.Fields {
		facts = append(facts, ui.Fact{Name: "Field", Text: field.Field + ": " + field.Detail})
	}
	return facts
}

func (v MessageView) timeline() ui.Timeline {
	var events ui.Timeline
	for i, e := range v.Events {
		events = append(events, ui.Event{
			Text: e.text(), Detail: joined(sentence(e.Problem), quotedNote(e.Note)), At: e.At, By: joined(wayWords[e.Way], e.By), Now: i == len(v.Events)-1,
			Fail: e.Result == InboxFailed || e.Result == InboxParked || e.Result == InboxReused,
		})
	}
	return events
}

func quotedNote(note string) string {
	if note == "" {
		return ""
	}
	return "“" + note + "”"
}

func (e MessageEvent) text() string {
	result := lowered(inboxWords[e.Result].Text)
	switch e.Event {
	case "delivered":
		return "Delivered: " + result
	case "tried":
		return "Tried again by itself: " + result
	case "retried":
		return "Retried: " + result
	}
	return "Set aside"
}
