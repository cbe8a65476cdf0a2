package web

import (
	"strings"

	"daybook/recon"
	"daybook/recon/report"
	"daybook/store"
	"daybook/templates"
)

// breaks lists every break with the end that it came to.
func (w statementWriter) breaks() report.Section {
	table := &report.Table{Empty: "There are none: both sides agree.", Columns: []report.Column{
		{Name: "Break", Share: 6}, {Name: "Type", Share: 11}, {Name: "Since", Share: 8}, {Name: "Age, days", Share: 6, Right: true}, {Name: "Bank", Share: 20}, {Name: "Ledger", Share: 22},
		{Name: "Ledger − bank", Share: 10, Right: true}, {Name: "How it ended", Share: 23},
	}}
	for _, b := range w.s.Breaks {
		table.Rows = append(table.Rows, report.Row{Cells: []report.Cell{
			w.breakCell(b.ID), words(b.Type.Label()), w.day(b.Since), w.count(w.age(b.Since)), words(w.linesText(b.Bank)), words(w.postingsText(b.Ledger)),
			w.money(b.DifferenceMinor), words(w.ended(b)),
		}})
	}
	return report.Section{Title: "Breaks", Note: "Ages are at the end of the period", Sheet: "Breaks", Table: table}
}

// ended says how a break ended, why, by whom and when: "Bank to correct. Bank error. “told the bank”. Ana Ruiz, 2026-04-01 08:30 UTC".
func (w statementWriter) ended(b store.StatementBreak) string {
	if b.Status != recon.Resolved {
		return b.Status.Label()
	}
	parts := []string{b.Resolution.Label()}
	if b.ReasonCode != "" {
		parts = append(parts, b.ReasonCode.Label())
	}
	by := b.ResolvedBy
	if b.Note != "" && by != "" {
		parts = append(parts, "“"+b.Note+"”")
	} else if b.Note != "" {
		parts = append(parts, sentence(b.Note))
	}
	if by == "" {
		by = "By rule"
	}
	return strings.Join(append(parts, by+", "+w.moment(b.ResolvedAt)), ". ")
}

// adjustments lists the entries that settled breaks.
func (w statementWriter) adjustments() report.Section {
	table := &report.Table{Empty: "None was posted.", Columns: []report.Column{
		{Name: "Entry", Share: 12}, {Name: "Day", Share: 9}, {Name: "Text", Share: 36}, {Name: "Settles", Share: 14}, {Name: "Recorded by", Share: 17}, {Name: "On this account", Share: 12, Right: true},
	}}
	for _, a := range w.s.Adjustments {
		settles := make([]string, len(a.Breaks))
		for i, id := range a.Breaks {
			settles[i] = templates.NameOfBreak(id)
		}
		table.Rows = append(table.Rows, report.Row{Cells: []report.Cell{
			w.entry(a.Seq), w.day(a.EffectiveOn), words(a.Description), words(strings.Join(settles, ", ")), words(a.RecordedBy), w.money(a.AmountMinor),
		}})
	}
	return report.Section{Title: "Adjustments", Note: "Entries that were posted to settle breaks", Sheet: "Adjustments", Table: table}
}

// matching says what was matched, and by which rules.
func (w statementWriter) matching() report.Section {
	s := w.s
	kinds := make([]string, len(s.Kinds))
	for i, k := range s.Kinds {
		kinds[i] = k.Kind.Label() + " " + w.Number(k.Matches)
	}
	matched := w.Plural(s.Matches, "match", "matches")
	if len(kinds) > 0 {
		matched += ": " + strings.Join(kinds, ", ")
	}
	rate := "–"
	if share, ok := s.PerMille(); ok {
		rate = w.Percent(share) + " %: " + w.Number(s.AutoLines) + " of " + w.Plural(s.AllLines, "line", "lines") + " of the bank"
	}
	stated := "taken from its lines"
	if s.PeriodStated {
		stated = "stated"
	}
	return report.Section{Title: "What it was made of", Facts: []report.Fact{
		{Name: "File", Value: words(s.FileName)},
		{Name: "SHA-256 of the file", Value: report.Cell{Text: s.FileHash.String(), Kind: report.Hash}},
		{Name: "Uploaded", Value: words(s.UploadedBy + ", " + w.moment(s.UploadedAt))},
		{Name: "Period", Value: words(w.Day(s.ScopeFrom) + " to " + w.Day(s.ScopeTo) + ", " + stated)},
		{Name: "Ledger", Value: words("As of entry " + w.Seq(s.LedgerSeq) + ": " + w.Plural(s.Postings, "posting", "postings") + ", " + w.Amount(s.LedgerTotalMinor, s.Currency))},
		{Name: "Bank", Value: words(w.Plural(s.Lines, "line", "lines") + ", " + w.Amount(s.BankTotalMinor, s.Currency))},
		{Name: "Matches", Value: words(matched)},
		{Name: "Matched by rule", Value: words(rate)},
		{Name: "Rules", Value: words("Version " + w.Number(s.RulesVersion))},
	}}
}

// signatures say who stands for it.
func (w statementWriter) signatures() report.Section {
	s := w.s
	prepared, signed := "Nobody has submitted it yet", "Nobody has signed it off yet"
	if s.SubmittedByName != "" {
		prepared = s.SubmittedByName + ", " + w.moment(s.SubmittedAt)
	}
	facts := []report.Fact{{Name: "Prepared and submitted", Value: words(prepared)}}
	if s.AcceptedReason != "" {
		facts = append(facts, report.Fact{Name: "Accepted, because", Value: words("“" + s.AcceptedReason + "”")})
	}
	if s.Status != store.ReconciliationSignedOff {
		return report.Section{Title: "Sign-off", Facts: append(facts, report.Fact{Name: "Signed off", Value: words(signed)})}
	}
	facts = append(facts, report.Fact{Name: "Signed off", Value: words(s.SignedByName + ", " + w.moment(s.SignedAt))})
	if s.Note != "" {
		facts = append(facts, report.Fact{Name: "Note", Value: words("“" + s.Note + "”")})
	}
	return report.Section{Title: "Sign-off", Facts: append(facts,
		report.Fact{Name: "Hash of the content", Value: report.Cell{Text: s.ContentHash.String(), Kind: report.Hash}},
		report.Fact{Name: "Hash of the sign-off", Value: report.Cell{Text: s.Hash.String(), Kind: report.Hash}})}
}

// stepNames are how people call the steps of a reconciliation.
var stepNames = map[string]string{
	store.StepSubmitted: "Submitted", store.StepReturned: "Returned", store.StepSignedOff: "Signed off", store.StepReopened: "Reopened",
}

// steps lists how it came to be signed, and what was before.
func (w statementWriter) steps() report.Section {
	table := &report.Table{Empty: "Nothing yet.", Columns: []report.Column{
		{Name: "Step", Share: 12}, {Name: "Version", Share: 7, Right: true}, {Name: "When", Share: 16}, {Name: "Who", Share: 18}, {Name: "Why", Share: 35}, {Name: "Unexplained", Share: 12, Right: true},
	}}
	for _, step := range w.s.Steps {
		table.Rows = append(table.Rows, report.Row{Cells: []report.Cell{
			words(stepNames[step.Event]), w.count(step.Version), words(w.moment(step.At)), words(step.User), words(step.Reason), w.money(step.UnexplainedMinor),
		}})
	}
	return report.Section{Title: "History", Sheet: "History", Table: table}
}
