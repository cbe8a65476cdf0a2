package templates

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// NewEntry is the form of a new entry, as typed. Refused, it holds what was typed and what is wrong with it.
type NewEntry struct {
	Shell
	// Form is the key the form carries: however often it is sent, it posts once.
	Form                           string
	EffectiveOn, TxID, Description string
	Lines                          []ui.Line
	Accounts                       []ui.AccountChoice
	// Message says what is wrong with the entry as a whole, Errors with which field.
	Message string
	Errors  []ledger.FieldError
	// Posted is the entry that the form, sent before under an older key, has become; 0 when none. Form is then a fresh
	// key, so that what was typed since can be posted as another entry.
	Posted int64
	// FarDay is a day far ahead that the entry is to be dated on, to be confirmed; the zero date asks for nothing.
	FarDay       ledger.Date
	FarConfirmed bool
}

// errors are those of the fields as they are named in the form, where an amount is typed on one of two sides.
func (n NewEntry) errors() []ledger.FieldError { return ui.TypedErrors("", n.Lines, n.Errors) }

func (n NewEntry) refused() *ui.Alert {
	if n.Posted > 0 {
		return &ui.Alert{
			Tone: ui.Warn, Title: "This form was already posted as " + n.Format.Seq(n.Posted) + ".",
			Text: "What you changed since then was not. To post it as another entry, give it another tx id and post it.",
			Link: ui.Link{Text: "Open " + n.Format.Seq(n.Posted), Href: n.Book.EntryURL(n.Posted)}, Refusal: true,
		}
	}
	return ui.Refused(n.Message, "this entry from being posted", n.errors())
}

func (n NewEntry) editor() ui.Editor {
	return ui.Editor{Caption: "Postings", Lines: n.Lines, Accounts: n.Accounts, Errors: n.errors()}
}

func (n NewEntry) effectiveOn() ui.Field {
	return ui.Field{
		Name: "effective_on", Label: "Effective date", Type: "date", Value: n.EffectiveOn, Required: true,
		Hint: "The accounting day it belongs to", Error: ui.ErrorOf(n.Errors, "effective_on"),
	}
}

// confirmFar asks whether a day far ahead is meant. It names the day, so that another one is asked about again.
func (n NewEntry) confirmFar() ui.Check {
	return ui.Check{Name: "confirm_day", Value: n.FarDay.String(), Label: "Yes, it belongs to " + n.Format.Day(n.FarDay), Checked: n.FarConfirmed}
}

func (n NewEntry) txID() ui.Field {
	return ui.Field{
		Name: "tx_id", Label: "Tx id", Value: n.TxID, Required: true, Autocomplete: "off",
		Hint: "Names it for ever, once in the book: an invoice or order number", Error: ui.ErrorOf(n.Errors, "tx_id"),
	}
}

func (n NewEntry) description() ui.Field {
	return ui.Field{
		Name: "description", Label: "Description", Value: n.Description, Required: true, Autocomplete: "off",
		Hint: "What a reader of the journal sees", Error: ui.ErrorOf(n.Errors, "description"),
	}
}

func (n NewEntry) post() ui.Button {
	b := ui.Button{Text: "Post entry", Icon: "check", Primary: true}
	if n.Posted > 0 {
		b.Text = "Post as another entry"
	}
	return b
}
