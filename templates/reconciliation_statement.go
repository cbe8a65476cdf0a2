package templates

import (
	"strconv"
	"strings"
	"time"

	"daybook/recon/report"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// ReconciliationStatement is the bank reconciliation statement of a reconciliation: the document as its files have it, beside what can be
// done next with the reconciliation.
type ReconciliationStatement struct {
	Shell
	ID       int64
	Document report.Document
	// Version is the one that is shown, Current the one that the reconciliation is at, Signed are those that were signed off.
	Version, Current int
	Signed           []int
	// Frozen says that what is shown was signed off.
	Frozen bool
	// Status is that of the reconciliation now: open, submitted or signed_off.
	Status           string
	Currency         string
	UnexplainedMinor int64
	OpenBreaks       int
	Unmatched        int // postings that came since it was matched
	SignOff          SignOffForm
}

// SignOffForm is the next step of a reconciliation: to submit it, to sign it off, to return or to reopen it.
type SignOffForm struct {
	// Form is the key of the forms; Reason and Note are what was typed, Message and Errors say why it was refused.
	Form, Reason, Note string
	Message            string
	Errors             []ledger.FieldError
	// MissingRight is the right to submit, where the reader lacks it; CannotSign says why the reader may not sign it off.
	MissingRight, CannotSign string
	MayReopen                bool
	SubmittedBy              string
	SubmittedAt              time.Time
	SignedBy                 string
	SignedAt                 time.Time
	Accepted                 string // why what is unexplained was accepted, as submitted
	// Signers are some who could sign it off.
	Signers []string
}

// SignOffRow is a reconciliation in the queue of what waits for a person.
type SignOffRow struct {
	ReconciliationID                 int64
	Account, Period                  string
	StatementMinor, UnexplainedMinor int64
	Currency                         string
	SubmittedBy                      string
	Age                              time.Duration
}

func (r SignOffRow) item(book Book, f ui.Format) ui.QueueItem {
	return ui.QueueItem{
		Title: "Sign off " + r.Account + ", " + r.Period, Money: money(r.StatementMinor, r.Currency), Line: "Unexplained " + f.Amount(r.UnexplainedMinor, r.Currency),
		Age: f.Age(r.Age), Meta: joined("Reconciliation", r.SubmittedBy), Href: book.SignOffURL(r.ReconciliationID),
	}
}

// The statuses of a reconciliation.
const (
	statusSubmitted = "submitted"
	statusSigned    = "signed_off"
	statusUndone    = "undone"
)

// SignOffURL is where a reconciliation is submitted and signed off: beside its statement, which may be long.
func (b Book) SignOffURL(id int64) string {
	return b.ReconciliationStatementURL(id, "", 0) + "#next-step"
}

// ReconciliationStatementURL is the address of a bank reconciliation statement, or of a file of it: "", "pdf" or "xlsx". version 0 is the one of now.
func (b Book) ReconciliationStatementURL(id int64, file string, version int) string {
	name := "statement"
	if file != "" {
		name += "." + file
	}
	address := b.numbered("reconciliations", id, []string{name})
	if version != 0 {
		address += "?version=" + strconv.Itoa(version)
	}
	return address
}

func (v ReconciliationStatement) file(name string) string {
	version := 0
	if v.Frozen {
		version = v.Version
	}
	return v.Book.ReconciliationStatementURL(v.ID, name, version)
}

func (v ReconciliationStatement) step(name string) string {
	return v.Book.numbered("reconciliations", v.ID, []string{name})
}

// past says that what is shown is not the reconciliation as it is now.
func (v ReconciliationStatement) past() bool {
	return v.Frozen && (v.Version != v.Current || v.Status != statusSigned)
}

// since says what became of the reconciliation after what is shown was signed.
func (v ReconciliationStatement) since() string {
	if v.Status == statusUndone {
		return "It was reopened since, and its import undone: nothing else is left of it."
	}
	return "It has been reopened since: the reconciliation is at version " + strconv.Itoa(v.Current) + "."
}

// now leads to the reconciliation as it is now.
func (v ReconciliationStatement) now() ui.Link {
	if v.Status == statusUndone {
		return ui.Link{Text: "Open the reconciliation", Href: v.Book.ReconciliationURL(v.ID)}
	}
	return ui.Link{Text: "Open the one of now", Href: v.Book.ReconciliationStatementURL(v.ID, "", 0)}
}

func (v ReconciliationStatement) tags() ui.Tags {
	switch {
	case v.Frozen:
		return ui.Tags{{Text: "Signed off", Tone: ui.OK, Icon: "lock"}}
	case v.Status == statusSubmitted:
		return ui.Tags{{Text: "Waiting for sign-off", Tone: ui.Warn, Icon: "clock"}}
	case v.explained():
		return ui.Tags{{Text: "Ready to submit", Tone: ui.Info, Icon: "circle-check"}}
	}
	return ui.Tags{{Text: "Not explained yet", Tone: ui.Bad}}
}

func (v ReconciliationStatement) explained() bool {
	return v.UnexplainedMinor == 0 && v.OpenBreaks == 0
}

// unexplained says what keeps it from being submitted without a reason.
func (v ReconciliationStatement) unexplained() string {
	amount := v.Format.Amount(v.UnexplainedMinor, v.Currency) + " " + v.Currency
	switch {
	case v.OpenBreaks == 0:
		return amount + " is unexplained, and no break is open: the difference lies outside the rows held against each other, most likely in the opening balance."
	case v.UnexplainedMinor == 0:
		return v.Format.Plural(v.OpenBreaks, "break is", "breaks are") + " open, whose differences cancel out."
	}
	return amount + " is unexplained, in " + v.Format.Plural(v.OpenBreaks, "open break", "open breaks") + "."
}

// reason is the field of a step that needs one: reopening, and submitting while something is unexplained.
func (v ReconciliationStatement) reason(label, hint string) ui.Field {
	return ui.Field{Name: "reason", Label: label, Type: "textarea", Value: v.SignOff.Reason, Hint: hint, Required: true, Error: ui.ErrorOf(v.SignOff.Errors, "reason")}
}

// whoSigns says who could sign it off.
func whoSigns(names []string) string {
	switch len(names) {
	case 0:
		return "Another person signs it off. Nobody else has the right to yet: an admin can give it"
	case 1, 2:
		return "Another person signs it off: " + strings.Join(names, " or ") + " can"
	}
	return "Another person signs it off: " + strings.Join(names[:2], ", ") + " and others can"
}

// versionLink leads to a signed version.
func (v ReconciliationStatement) versionLink(version int) ui.Link {
	return ui.Link{Text: "Version " + strconv.Itoa(version), Href: v.Book.ReconciliationStatementURL(v.ID, "", version)}
}

// others are the signed versions that are not shown.
func (v ReconciliationStatement) others() (links []ui.Link) {
	for _, version := range v.Signed {
		if !v.Frozen || version != v.Version {
			links = append(links, v.versionLink(version))
		}
	}
	return links
}

// cellMoney is a figure of a document as the components show it.
func cellMoney(c report.Cell) ui.Money { return ui.Money{Minor: c.Minor, Currency: c.Currency} }

// wrapsFrom is the share of a column from which its words may go on in the next line.
const wrapsFrom = 15

func cellClass(column report.Column) string {
	switch {
	case column.Right:
		return "num"
	case column.Share >= wrapsFrom:
		return "wraps"
	}
	return ""
}

// cameSince tells of postings that the statement is without.
func (v ReconciliationStatement) cameSince(f ui.Format) string {
	return f.Plural(v.Unmatched, "posting", "postings") + " dated in its period, or within days of its end, came after it was matched. "
}
