package templates

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Period is one month: what it holds, what is left to do in it, what was asked about it, and the form to ask for its other state.
type Period struct {
	Shell
	PeriodRow
	Notes []PeriodNote
	// Form is the key of the form, Reason what was typed; Message and Errors say why it was refused.
	Form, Reason string
	Message      string
	Errors       []ledger.FieldError
	MissingRight string
	// Approvers are some who could approve.
	Approvers []string
	History   ui.Timeline
}

// PeriodNote is something to look at before a period is closed. None of them keeps it from being closed.
type PeriodNote struct {
	Name  string
	Chip  ui.Chip
	Text  string
	Links []ui.Link
}

// PeriodChangeView is what a request to close or to reopen asks for; Notes are those that stand now.
type PeriodChangeView struct {
	PeriodRow
	Closes bool
	Notes  []PeriodNote
}

// NameOfPeriod is what people call a month: March 2026.
func NameOfPeriod(p ledger.Period) string { return p.First().Time().Format("January 2006") }

// PeriodURL is the address of a month, or of what is asked about it: PeriodURL("2026-03", "close").
func (b Book) PeriodURL(p ledger.Period, action ...string) string {
	return b.URL(append([]string{"periods", string(p)}, action...)...)
}

func (v Period) lead() string {
	if v.ClosedAt.IsZero() {
		return "Open: entries dated in it are taken. A preparer or an approver asks to close it, and another person, an approver, closes it."
	}
	return "Closed: entries dated in it are refused. A preparer or an approver asks to reopen it, and another person, an approver, reopens it."
}

// verb is what can be asked for: "close" or "reopen".
func (r PeriodRow) verb() string {
	if r.ClosedAt.IsZero() {
		return "close"
	}
	return "reopen"
}

// action is what the list leads to.
func (r PeriodRow) action() string {
	if r.MayAsk && r.RequestID == 0 {
		return sentence(r.verb())
	}
	return "Details"
}

// field is the reason: that of a reopening must be given.
func (v Period) field() ui.Field {
	f := ui.Field{Name: "reason", Label: "Note", Type: "textarea", Value: v.Reason, Error: ui.ErrorOf(v.Errors, "reason"), Hint: "What was checked. It stays on record, and whoever approves reads it."}
	if !v.ClosedAt.IsZero() {
		f.Label, f.Hint, f.Required = "Reason", "Why it must change once more. It stays on record, and whoever approves reads it.", true
	}
	return f
}

// auditURL is what the audit log has of the month.
func (v Period) auditURL() string { return v.Book.URL("audit") + "?q=" + string(v.Period) }

// requestChip says that a request waits, and leads there.
func (r PeriodRow) requestChip(b Book) ui.Chip {
	if r.RequestID == 0 {
		return ui.Chip{}
	}
	text := "Closing waits"
	if !r.ClosedAt.IsZero() {
		text = "Reopening waits"
	}
	return ui.Chip{Text: text, Icon: "clock", Tone: ui.Warn, Href: b.RequestURL(r.RequestID)}
}
