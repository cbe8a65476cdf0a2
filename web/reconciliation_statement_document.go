package web

import (
	"fmt"
	"strings"
	"time"

	"daybook/recon"
	"daybook/recon/report"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// statementWriter writes a bank reconciliation statement as its reader wants numbers and days written.
type statementWriter struct {
	ui.Format
	book templates.Book
	s    store.ReconciliationStatement
}

// statementDocument is the one document that the page, the PDF and the workbook show.
func statementDocument(f ui.Format, book templates.Book, s store.ReconciliationStatement) report.Document {
	w := statementWriter{Format: f, book: book, s: s}
	document := report.Document{
		Title: "Bank reconciliation statement",
		Lines: []string{
			book.Name + ", account " + s.AccountCode + " " + s.AccountName + ", " + s.Currency,
			w.period(),
			w.standing(),
		},
		Foot:  s.AccountCode + ", " + w.period() + ". " + w.standing(),
		Stamp: s.UploadedAt,
		Sections: []report.Section{
			w.proof(),
			w.explained("Outstanding payments", "In the ledger, and not with the bank yet", store.PartOutstanding),
			w.explained("Deposits in transit", "In the ledger, and not with the bank yet", store.PartInTransit),
			w.explained("Other explained", "What the bank is to correct, and what else is carried forward", store.PartOther),
			w.breaks(), w.adjustments(), w.matching(), w.signatures(), w.steps(),
		},
	}
	if s.Status == store.ReconciliationSignedOff {
		document.Stamp = s.SignedAt
	}
	return document
}

// period names the days, and the month where they are a whole one.
func (w statementWriter) period() string {
	days := w.Day(w.s.ScopeFrom) + " to " + w.Day(w.s.ScopeTo)
	if name := templates.PeriodName(w.Format, w.s.ScopeFrom, w.s.ScopeTo); name != days {
		return name + ": " + days
	}
	return days
}

// standing says whether it is signed, by whom and when.
func (w statementWriter) standing() string {
	switch w.s.Status {
	case store.ReconciliationSignedOff:
		return "Version " + w.Number(w.s.Version) + ", signed off by " + w.s.SignedByName + " on " + w.Minute(w.s.SignedAt) + " UTC"
	case store.ReconciliationSubmitted:
		return "Not signed off: submitted by " + w.s.SubmittedByName + " on " + w.Minute(w.s.SubmittedAt) + " UTC"
	}
	return "Not signed off: open, as of entry " + w.Seq(w.s.LedgerSeq)
}

func (w statementWriter) money(minor int64) report.Cell {
	return report.Cell{Text: w.Amount(minor, w.s.Currency), Kind: report.Money, Minor: minor, Currency: w.s.Currency}
}

func (w statementWriter) day(d ledger.Date) report.Cell {
	return report.Cell{Text: w.Day(d), Kind: report.Day, Day: d}
}

func (w statementWriter) count(n int) report.Cell {
	return report.Cell{Text: w.Number(n), Kind: report.Count, Number: n}
}

func (w statementWriter) moment(t time.Time) string { return w.Minute(t) + " UTC" }

func words(text string) report.Cell { return report.Cell{Text: text} }

// proof is the arithmetic from the balance per ledger to the balance per statement, as a person adds it up.
func (w statementWriter) proof() report.Section {
	p, s := w.s.Proof, w.s
	row := func(name string, minor int64) report.Row {
		return report.Row{Cells: []report.Cell{words(name), w.money(minor)}}
	}
	unexplained := row("Unexplained difference", p.UnexplainedMinor)
	unexplained.Strong = true
	return report.Section{Title: "Proof", Table: &report.Table{
		Columns: []report.Column{{Name: "Balance", Share: 76}, {Name: "Amount, " + s.Currency, Share: 24, Right: true}},
		Rows: []report.Row{
			row("Balance per ledger, "+w.Day(s.ScopeTo)+", as of entry "+w.Seq(s.LedgerSeq), p.LedgerMinor),
			w.taken("Outstanding payments", store.PartOutstanding, p.OutstandingMinor, "+"),
			w.taken("Deposits in transit", store.PartInTransit, p.InTransitMinor, "−"),
			w.taken("Other explained", store.PartOther, p.OtherExplainedMinor, "−"),
			row("= Expected at the bank", p.ExpectedMinor),
			row("Balance per statement, "+balanceSources[s.BalanceSource], p.StatementMinor),
		},
		Total: &unexplained,
	}}
}

// balanceSources say where a balance per statement comes from.
var balanceSources = map[recon.BalanceSource]string{
	recon.StatedClosing:   "as the file states it",
	recon.PreviousClosing: "the closing before it and its lines",
	recon.AssumedOpening:  "assumed: the opening of the ledger and its lines",
}

// taken is a part of the proof without a sign of its own: what raises the expected balance is added, what lowers it is taken off.
func (w statementWriter) taken(name string, part store.ExplainedPart, minor int64, usual string) report.Row {
	items := 0
	for _, item := range w.s.Explained {
		if item.Part == part {
			items++
		}
	}
	if items > 0 {
		name += ", " + w.Number(items)
	}
	op := usual
	switch {
	case minor < 0:
		op, minor = "+", -minor
	case minor > 0:
		op = "−"
	}
	return report.Row{Cells: []report.Cell{words(op + " " + name), w.money(minor)}}
}

// explained lists what one sum of the proof is made of, the oldest first. Ages are at the end of the period.
func (w statementWriter) explained(title, note string, part store.ExplainedPart) report.Section {
	table := &report.Table{Empty: "There are none.", Columns: []report.Column{
		{Name: "Since", Share: 9}, {Name: "Age, days", Share: 7, Right: true}, {Name: "Text", Share: 36}, {Name: "Reference", Share: 18}, {Name: "Where", Share: 12},
		{Name: "Break", Share: 7}, {Name: "Ledger − bank", Share: 11, Right: true},
	}}
	var total int64
	for _, item := range w.s.Explained {
		if item.Part != part {
			continue
		}
		total += item.AmountMinor // as the proof has it, which is bounded
		text, reference, where := w.told(item.Ledger, item.Bank)
		table.Rows = append(table.Rows, report.Row{Cells: []report.Cell{
			w.day(item.Since), w.count(w.age(item.Since)), words(text), words(reference), where, w.breakCell(item.BreakID), w.money(item.AmountMinor),
		}})
	}
	table.Total = &report.Row{Strong: true, Cells: []report.Cell{words("Total"), {}, {}, {}, {}, {}, w.money(total)}}
	return report.Section{Title: title, Note: note, Sheet: title, Table: table}
}

// age is how many days lay between a day and the end of the period.
func (w statementWriter) age(since ledger.Date) int { return max(since.DaysUntil(w.s.ScopeTo), 0) }

// told says what an item is about in the words of its first posting or line, and where that stands.
func (w statementWriter) told(postings []store.PostingSide, lines []store.LineSide) (text, reference string, where report.Cell) {
	switch {
	case len(postings) > 0:
		p := postings[0]
		text, reference, where = p.Description, p.Reference, w.entry(p.Seq)
	case len(lines) > 0:
		l := lines[0]
		text, reference, where = l.Description, l.Reference, words("Row "+w.Number(l.Row))
	}
	if others := len(postings) + len(lines) - 1; others > 0 {
		text += fmt.Sprintf(" (and %s)", w.Plural(others, "other line", "other lines"))
	}
	return text, reference, where
}

func (w statementWriter) entry(seq int64) report.Cell {
	return report.Cell{Text: "Entry " + w.Seq(seq), Href: w.book.EntryURL(seq)}
}

func (w statementWriter) breakCell(id int64) report.Cell {
	if id == 0 {
		return words("Matched later")
	}
	return report.Cell{Text: templates.NameOfBreak(id), Href: w.book.BreakURL(id)}
}

// postingsText is the ledger side of a break in a cell, and linesText its bank side.
func (w statementWriter) postingsText(postings []store.PostingSide) string {
	var texts []string
	for _, p := range postings {
		texts = append(texts, w.Seq(p.Seq)+" "+w.Day(p.EffectiveOn)+" "+p.Description+" "+w.Amount(p.AmountMinor, p.Currency)+foreign(p.Currency, w.s.Currency))
	}
	return orNone(texts, "Not in the ledger")
}

func (w statementWriter) linesText(lines []store.LineSide) string {
	var texts []string
	for _, l := range lines {
		texts = append(texts, w.Day(l.BookedOn)+" "+l.Description+" "+w.Amount(l.AmountMinor, l.Currency)+foreign(l.Currency, w.s.Currency))
	}
	return orNone(texts, "Not on the statement")
}

func foreign(currency, ours string) string {
	if currency == ours {
		return ""
	}
	return " " + currency
}

func orNone(texts []string, none string) string {
	if len(texts) == 0 {
		return none
	}
	return strings.Join(texts, "; ")
}
