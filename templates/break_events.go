package templates

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"daybook/recon"
	"daybook/templates/ui"
)

// BreakEvent is one thing that happened to a break. Event is as recorded: found, carried, resolved, reopened, assigned,
// commented, attached, superseded, returned, requested, reduced, retyped. By is empty for what a rule did; Assignee is who was given it.
type BreakEvent struct {
	At    time.Time
	By    string
	Event string
	// Type is what the break is from then on, where the step tells.
	Type       recon.BreakType
	Resolution recon.Resolution
	Reason     recon.Reason
	Note       string
	Assignee   string
	// Match and Request are those that it has to do with, Seq the entry that was posted for it, Attachment the file that was attached; 0 for none.
	Match, Request, Seq, Attachment int64
}

func (v Break) timeline() ui.Timeline {
	var events ui.Timeline
	for i, e := range v.Events {
		shown := ui.Event{Text: e.text(), Detail: e.detail()}
		if by := e.supersededBy(); by != 0 {
			shown.Ref = ui.Link{Text: "reconciliation " + strconv.FormatInt(by, 10), Href: v.Book.ReconciliationURL(by)}
			shown.Detail = "Its lines were matched or regrouped"
		}
		switch {
		case e.Seq != 0:
			shown.Ref = ui.Link{Text: "entry " + v.Format.Seq(e.Seq), Href: v.Book.EntryURL(e.Seq)}
		case e.Attachment != 0:
			shown.Ref, shown.Detail = ui.Link{Text: e.Note, Href: v.attachmentURL(Attachment{ID: e.Attachment})}, ""
		case e.Request != 0:
			shown.Ref = ui.Link{Text: "request " + NameOfApproval(e.Request), Href: v.Book.RequestURL(e.Request)}
		}
		shown.At, shown.By, shown.Now = e.At, e.by(), i == len(v.Events)-1
		events = append(events, shown)
	}
	return events
}

func (e BreakEvent) text() string {
	switch e.Event {
	case "found":
		if e.Type == "" {
			return "Found"
		}
		return "Found: " + e.Type.Label()
	case "retyped":
		return "Now: " + e.Type.Label()
	case "carried":
		return "Carried to another statement"
	case "resolved":
		return "Resolved: " + e.Resolution.Label()
	case "reopened":
		return "Reopened"
	case "assigned":
		if e.Assignee == "" {
			return "Given to nobody"
		}
		return "Given to " + e.Assignee
	case "requested":
		return "Waits for approval"
	case "reduced":
		return "Matched in part"
	case "commented":
		return "“" + e.Note + "”"
	case "attached":
		return "Attached"
	case "superseded":
		return e.endedBy()
	case "returned":
		if e.Type != "" {
			return "Now: " + e.Type.Label()
		}
		return "Back again"
	}
	return e.Event
}

// endedBy says what ended a break without a decision about it. Of these, only an undo is what a person did.
func (e BreakEvent) endedBy() string {
	switch {
	case e.By != "":
		return "Its import was undone"
	case e.Match != 0 && e.Seq != 0:
		return "Settled by the reversal,"
	case e.Match != 0:
		return "Settled by match " + strconv.FormatInt(e.Match, 10)
	case e.supersededBy() != 0:
		return "No longer found by the matching of"
	}
	return "No longer found"
}

// settledBy is how the note of a superseded break names the reconciliation whose matching no longer found it.
var settledBy = regexp.MustCompile(`matching of reconciliation (\d+)`)

// supersededBy gives that reconciliation, 0 where none is named.
func (e BreakEvent) supersededBy() int64 {
	named := settledBy.FindStringSubmatch(e.Note)
	if e.Event != "superseded" || e.Match != 0 || named == nil {
		return 0
	}
	id, _ := strconv.ParseInt(named[1], 10, 64)
	return id
}

func (e BreakEvent) detail() string {
	note := e.Note
	if e.Event == "commented" {
		return ""
	}
	if note != "" && e.By != "" && e.Event != "superseded" {
		note = "“" + note + "”"
	}
	if e.By == "" || e.Event == "superseded" {
		note = sentence(note)
	}
	return joined(e.Reason.Label(), note)
}

// LastChange says who changed the break last, when, and how it stands since.
func (v Break) LastChange() string {
	for i := len(v.Events) - 1; i >= 0; i-- {
		e := v.Events[i]
		switch e.Event {
		case "resolved":
			return e.by() + " resolved it as “" + e.Resolution.Label() + "” on " + v.Format.Minute(e.At) + " UTC."
		case "reopened":
			return e.by() + " reopened it on " + v.Format.Minute(e.At) + " UTC."
		case "superseded":
			if e.By != "" {
				return e.By + " undid its import on " + v.Format.Minute(e.At) + " UTC."
			}
			return "A matching no longer found it on " + v.Format.Minute(e.At) + " UTC."
		case "assigned", "requested", "reduced", "returned", "carried":
			return e.by() + ": " + lowered(e.text()) + ", on " + v.Format.Minute(e.At) + " UTC."
		}
	}
	return "It has changed since you opened it."
}

// lowered begins a sentence's second half.
func lowered(text string) string { return strings.ToLower(text[:1]) + text[1:] }

func (e BreakEvent) by() string {
	if e.By == "" {
		return "By rule"
	}
	return e.By
}
