package templates

import (
	"strings"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Reverse is the form that asks for the reversal of one entry, optionally with a corrected entry in its place.
// Nothing is posted by it: another person approves.
type Reverse struct {
	Shell
	Form        string
	Seq         int64
	TxID        string
	Description string
	EffectiveOn ledger.Date
	Original    []ui.Posting
	Reversal    []ui.Posting
	// ReversalTxID and ReplacementTxID are the tx ids that the request will reserve.
	ReversalTxID    string
	ReplacementTxID string

	Effects     []BalanceEffect
	EffectsAsOf ledger.Date
	// Breaks are the open differences that hold a posting of this entry.
	Breaks []BreakName
	For    PostedFor
	// Approvers are the people who could approve, for the sentence beside the button.
	Approvers []string
	// Refused says why this entry cannot be reversed, RefusedBy links to what stands in the way; there is then no form.
	Refused   string
	RefusedBy ui.Link

	Reason          string
	ReversalOn      string
	WithReplacement bool
	Replacement     ReplacementDraft
	// Message says what is wrong with the request as a whole, Errors with which field.
	Message string
	Errors  []ledger.FieldError
	// Sent is the request that this form has already become, 0 when none.
	Sent int64
}

// errors are those of the fields as they are named in the form, where an amount is typed on one of two sides.
func (v Reverse) errors() []ledger.FieldError {
	return ui.TypedErrors("replacement.", v.Replacement.Lines, v.Errors)
}

func (v Reverse) refused() *ui.Alert {
	if v.Sent > 0 {
		return &ui.Alert{
			Tone: ui.Warn, Title: "This form was already sent as " + NameOfApproval(v.Sent) + ".",
			Text: "What you changed since then was not. Recall that request to send another.",
			Link: ui.Link{Text: "Open " + NameOfApproval(v.Sent), Href: v.Book.RequestURL(v.Sent)}, Refusal: true,
		}
	}
	return ui.Refused(v.Message, "this request from being sent", v.errors())
}

// ReplacementDraft is the corrected entry as it was typed. Its fields are posted below "replacement.".
type ReplacementDraft struct {
	TxID, EffectiveOn, Description string
	Lines                          []ui.Line
	Accounts                       []ui.AccountChoice
}

// BalanceEffect is what a request would do to the balance of one account.
type BalanceEffect struct {
	Account          ui.Account
	Currency         string
	NowMinor         int64
	ReversalMinor    int64
	ReplacementMinor int64
	AfterMinor       int64
}

func (v Reverse) lead() string {
	return v.Description + ", " + v.Format.Day(v.EffectiveOn) + ". Nothing is posted until another person approves."
}

func (v Reverse) approverSentence() string { return whoApproves(v.Approvers) }

// whoApproves names people who could approve what the reader asks for.
func whoApproves(approvers []string) string {
	const own = "You cannot approve your own request. "
	switch len(approvers) {
	case 0:
		return own + "Nobody else has the right to approve yet: an admin can give it."
	case 1, 2:
		return own + strings.Join(approvers, " or ") + " can."
	}
	return own + strings.Join(approvers[:2], ", ") + " and others can."
}

func (e BalanceEffect) money(minor int64) ui.Money {
	return ui.Money{Minor: minor, Currency: e.Currency}
}

// effectsNote says of which day the balances are: late enough to hold all that is posted.
func (v Reverse) effectsNote() string {
	credit := "in parentheses"
	if v.Format.Negatives == ui.MinusSign {
		credit = "with a minus sign"
	}
	return "At the end of " + ui.LongDate(v.EffectsAsOf) + ", when all of it counts. Credit " + credit + "."
}

func (v Reverse) dateHint() string {
	return "Balances change from this day on. On the original’s own day, " + v.Format.Day(v.EffectiveOn) +
		", it is as if it had never been posted. The day must lie in an open period."
}
