package templates

import (
	"net/url"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// StatementUndo is an import that a person thinks of undoing: what goes with it, what comes back, or what stands in its way.
type StatementUndo struct {
	Shell
	ID, ReconciliationID int64
	Account              ui.Account
	FileName             string
	From, To             ledger.Date
	UploadedBy           string
	UploadedAt           time.Time
	Rows                 RowCounts
	// Lines go, Matches are taken apart, BreaksGone go with them, Back are settled breaks that come back.
	Lines, Matches, BreaksGone, Back int
	// Refused says why it cannot be undone, RefusedBy leads to what stands in its way; empty when nothing does.
	Refused   string
	RefusedBy ui.Link
	// Form is the key of the form, Reason what was typed; Message and Errors say why it was refused.
	Form, Reason string
	Message      string
	Errors       []ledger.FieldError
}

// UndoneStatement is what is left to read of an import that was undone: by whom and why, and the lines of its file.
type UndoneStatement struct {
	Shell
	ReconciliationID int64
	Account          ui.Account
	FileName         string
	From, To         ledger.Date
	UploadedBy       string
	UploadedAt       time.Time
	Rows             RowCounts
	Undo             ImportUndone
	Lines            []BankSide
	// Signed are the versions that were signed off before.
	Signed   []int
	Currency string
	// Upload is where a file for the account is uploaded; empty for who may not.
	Upload string
	// Next is the address of the following lines; empty on the last page.
	Next string
}

// ImportUndone says who undid an import, when and why, and what went with it.
type ImportUndone struct {
	By                     string
	At                     time.Time
	Reason                 string
	Lines, Matches, Breaks int
}

// UndoURL is where the import of a statement is undone.
func (b Book) UndoURL(statementID int64) string {
	return b.numbered("statements", statementID, []string{"undo"})
}

// UploadURL is where a file for an account is uploaded.
func (b Book) UploadURL(account string) string {
	return b.URL("statements", "new") + "?account=" + url.QueryEscape(account)
}

func (v StatementUndo) title() string {
	return "Undo the import of " + v.Account.Code + ", " + PeriodName(v.Format, v.From, v.To)
}

func (v StatementUndo) lead() string {
	return v.FileName + ", uploaded " + v.Format.Minute(v.UploadedAt) + " by " + v.UploadedBy
}

// goes says what the undo takes away, and back what it brings back.
func (v StatementUndo) goes(f ui.Format) []string {
	goes := []string{f.Plural(v.Lines, "line goes", "lines go")}
	if v.Matches > 0 {
		goes = append(goes, f.Plural(v.Matches, "match is taken apart", "matches are taken apart"))
	}
	if v.BreaksGone > 0 {
		goes = append(goes, f.Plural(v.BreaksGone, "break goes with them", "breaks go with them"))
	}
	return goes
}

func (v StatementUndo) back(f ui.Format) string {
	if v.Back == 0 {
		return "No break that it settled comes back."
	}
	return f.Plural(v.Back, "break that it settled comes back, as it was", "breaks that it settled come back, as they were") + "."
}

func (v StatementUndo) reasonField() ui.Field {
	return ui.Field{Name: "reason", Label: "Reason", Type: "textarea", Value: v.Reason, Required: true, Wide: true, Hint: "Why the file should not have been stored. Every later auditor reads it.",
		Error: ui.ErrorOf(v.Errors, "reason")}
}

func (v UndoneStatement) title() string {
	return v.Account.Code + " " + v.Account.Name + ", " + PeriodName(v.Format, v.From, v.To)
}

func (v UndoneStatement) lead() string {
	return v.FileName + ", uploaded " + v.Format.Minute(v.UploadedAt) + " by " + v.UploadedBy
}

// words say what went, and what came back.
func (u ImportUndone) words(f ui.Format) string {
	text := f.Plural(u.Lines, "line", "lines") + " went with it, and " + f.Plural(u.Matches, "match was", "matches were") + " taken apart"
	if u.Breaks > 0 {
		text += "; " + f.Plural(u.Breaks, "break that it had settled came back", "breaks that it had settled came back")
	}
	return text + ". The entries of the journal stay as they are."
}

func (v UndoneStatement) alert() ui.Alert {
	a := ui.Alert{Tone: ui.Warn, Title: v.Undo.By + " undid this import on " + v.Format.Minute(v.Undo.At) + ".", Text: "“" + v.Undo.Reason + "” " + v.Undo.words(v.Format)}
	if v.Upload != "" {
		a.Link = ui.Link{Text: "Upload a file for " + v.Account.Code, Href: v.Upload}
	}
	return a
}
