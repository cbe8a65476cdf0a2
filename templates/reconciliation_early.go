package templates

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// EarlyPostings count in a proof and are no breaks: they are dated before the day from which the account is held against statements.
type EarlyPostings struct {
	Before      ledger.Date
	Count       int
	AmountMinor int64
	Currency    string
	Entries     []int64 // some of them
}

// alert tells of them below a proof.
func (e EarlyPostings) alert(f ui.Format, b Book) ui.Alert {
	alert := ui.Alert{
		Tone:  ui.Warn,
		Title: f.Plural(e.Count, "posting", "postings") + " dated before " + ui.LongDate(e.Before) + ", " + f.Amount(e.AmountMinor, e.Currency) + " " + e.Currency + ", in the balance per ledger and in no break.",
		Text: "The account is held against statements from that day on, so that no statement must have what is of before, and it is no break. " +
			"It came after the account was first matched, or of a time that a statement speaks for: correct its date by a reversal, or change the day in the account’s settings.",
	}
	for _, seq := range e.Entries {
		alert.Items = append(alert.Items, ui.Link{Text: "Entry " + f.Seq(seq), Href: b.EntryURL(seq)})
	}
	return alert
}
