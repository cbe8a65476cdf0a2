package gallery

import (
	"daybook/recon/report"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func reconciliationStatementScreens() []Screen {
	screen := func(name, title string, v templates.ReconciliationStatement) Screen {
		return Screen{name, title, groupBank, templates.ReconciliationStatementPage(v)}
	}
	dark := reconciliationStatement()
	dark.Theme = "dark"
	refused := reconciliationStatement()
	refused.SignOff.Errors = []ledger.FieldError{{Field: "reason", Detail: "Say why this is accepted, or explain it first"}}
	refused.SignOff.Message = "1,848.95 EUR is unexplained, and 15 breaks are open: resolve it first, or give a reason why you submit it all the same."
	viewed := reconciliationStatement()
	viewed.SignOff.MissingRight, viewed.SignOff.MayReopen = "resolve", false
	ready := reconciliationStatement()
	ready.UnexplainedMinor, ready.OpenBreaks = 0, 0
	own := submittedStatement()
	own.SignOff.CannotSign = "You submitted this; another person must sign off reconciliation 7."
	past := signedStatement()
	past.Status, past.Current = "open", 2
	return []Screen{
		screen("reconciliation-statement", "Bank reconciliation statement, not explained", reconciliationStatement()),
		screen("reconciliation-statement-dark", "Bank reconciliation statement in the dark", dark),
		screen("reconciliation-statement-refused", "Bank reconciliation statement: submitting was refused", refused),
		screen("reconciliation-statement-viewed", "Bank reconciliation statement for a reader", viewed),
		screen("reconciliation-statement-ready", "Bank reconciliation statement, ready to submit", ready),
		screen("reconciliation-statement-submitted", "Bank reconciliation statement, to be signed off", submittedStatement()),
		screen("reconciliation-statement-own", "Bank reconciliation statement that waits for another", own),
		screen("reconciliation-statement-signed", "Bank reconciliation statement, signed off", signedStatement()),
		screen("reconciliation-statement-past", "Bank reconciliation statement that was reopened", past),
	}
}

func submittedStatement() templates.ReconciliationStatement {
	v := reconciliationStatement()
	v.Status = "submitted"
	v.SignOff.SubmittedBy, v.SignOff.SubmittedAt, v.SignOff.Accepted = "Ana Ruiz", at("2026-04-01T08:55:00Z"), "Below the limit; the bank was asked"
	v.Document.Lines[2] = "Not signed off: submitted by Ana Ruiz on 2026-04-01 08:55 UTC"
	return v
}

func signedStatement() templates.ReconciliationStatement {
	v := submittedStatement()
	v.Status, v.Frozen, v.UnexplainedMinor, v.OpenBreaks = "signed_off", true, 0, 0
	v.Signed, v.SignOff.SignedBy, v.SignOff.SignedAt = []int{1}, "Maja Lind", at("2026-04-01T09:40:00Z")
	v.Document.Lines[2] = "Version 1, signed off by Maja Lind on 2026-04-01 09:40 UTC"
	return v
}

func reconciliationStatement() templates.ReconciliationStatement {
	s := shell("Bank reconciliation statement", templates.PageStatements)
	s.Crumbs = []ui.Link{{Text: "Statements", Href: s.Book.URL("statements")}, {Text: "1010, March 2026", Href: s.Book.ReconciliationURL(7)}, {Text: "Statement"}}
	return templates.ReconciliationStatement{
		Shell: s, ID: 7, Version: 1, Current: 1, Status: "open", Currency: "EUR", UnexplainedMinor: 184895, OpenBreaks: 15, Unmatched: 2,
		SignOff: templates.SignOffForm{Form: "form-s7", MayReopen: true, Signers: []string{"Maja Lind", "Tom de Wit"}},
		Document: report.Document{
			Title: "Bank reconciliation statement",
			Lines: []string{"Kiln & Co, account 1010 Bank, operating, EUR", "March 2026: 2026-03-01 to 2026-03-31", "Not signed off: open, as of entry #1,706"},
			Sections: []report.Section{
				statementProof(), statementOutstanding(s.Book), statementBreaks(s.Book),
				{Title: "Adjustments", Note: "Entries that were posted to settle breaks", Table: &report.Table{Columns: []report.Column{{Name: "Entry"}}, Empty: "None was posted."}},
				{Title: "What it was made of", Facts: []report.Fact{
					{Name: "File", Value: report.Cell{Text: "nordbank_1010_2026-03.csv"}},
					{Name: "SHA-256 of the file", Value: report.Cell{Text: "5f0c6a1d0e4b7f52c8a9d3e6b1f4a7c05f0c6a1d0e4b7f52c8a9d3e6b1f4a7c0", Kind: report.Hash}},
					{Name: "Matched by rule", Value: report.Cell{Text: "86.3 %: 69 of 80 lines of the bank"}},
					{Name: "Rules", Value: report.Cell{Text: "Version 7"}},
				}},
			},
		},
	}
}

func documentMoney(minor int64) report.Cell {
	return report.Cell{Text: ui.Format{}.Amount(minor, "EUR"), Kind: report.Money, Minor: minor, Currency: "EUR"}
}

func documentDay(day string) report.Cell {
	return report.Cell{Text: day, Kind: report.Day, Day: ledger.MustDate(day)}
}

func statementProof() report.Section {
	row := func(name string, minor int64) report.Row {
		return report.Row{Cells: []report.Cell{{Text: name}, documentMoney(minor)}}
	}
	end := row("Unexplained difference", 184895)
	return report.Section{Title: "Proof", Table: &report.Table{
		Columns: []report.Column{{Name: "Balance"}, {Name: "Amount, EUR", Right: true}},
		Rows: []report.Row{
			row("Balance per ledger, 2026-03-31, as of entry #1,706", 8081520), row("+ Outstanding payments, 1", 96000), row("− Deposits in transit, 2", 648171),
			row("− Other explained, 1", 14630), row("= Expected at the bank", 7514719), row("Balance per statement, as the file states it", 7329824),
		},
		Total: &end,
	}}
}

func statementOutstanding(book templates.Book) report.Section {
	row := func(day, age, text, reference string, seq int64, id int64, minor int64) report.Row {
		return report.Row{Cells: []report.Cell{
			documentDay(day), {Text: age}, {Text: text}, {Text: reference}, {Text: "Entry " + ui.Format{}.Seq(seq), Href: book.EntryURL(seq)},
			{Text: templates.NameOfBreak(id), Href: book.BreakURL(id)}, documentMoney(minor),
		}}
	}
	return report.Section{Title: "Outstanding payments", Note: "In the ledger, and not with the bank yet", Table: &report.Table{
		Columns: []report.Column{{Name: "Since"}, {Name: "Age, days", Right: true}, {Name: "Text", Share: 36}, {Name: "Reference", Share: 18}, {Name: "Where"}, {Name: "Break"}, {Name: "Ledger − bank", Right: true}},
		Rows:    []report.Row{row("2026-03-31", "0", "Kiln shelves, Leem & Zoon", "LZ-2304", 1698, 326, -96000)},
		Total:   &report.Row{Strong: true, Cells: []report.Cell{{Text: "Total"}, {}, {}, {}, {}, {}, documentMoney(-96000)}},
	}}
}

func statementBreaks(book templates.Book) report.Section {
	return report.Section{Title: "Breaks", Note: "Ages are at the end of the period", Table: &report.Table{
		Columns: []report.Column{{Name: "Break"}, {Name: "Type"}, {Name: "Since"}, {Name: "Age, days", Right: true}, {Name: "Bank", Share: 20}, {Name: "Ledger", Share: 22}, {Name: "Ledger − bank", Right: true}, {Name: "How it ended", Share: 23}},
		Rows: []report.Row{
			{Cells: []report.Cell{{Text: "B-311", Href: book.BreakURL(311)}, {Text: "Amount differs"}, documentDay("2026-03-13"), {Text: "18"}, {Text: "2026-03-16 LEEM & ZOON (1,248.50)"},
				{Text: "#1,355 2026-03-13 Leem & Zoon (1,284.50)"}, documentMoney(-3600), {Text: "Open"}}},
			{Cells: []report.Cell{{Text: "B-327", Href: book.BreakURL(327)}, {Text: "Duplicate in bank"}, documentDay("2026-03-24"), {Text: "7"}, {Text: "2026-03-24 SHOPKIT SUBSCRIPTION (146.30)"},
				{Text: "Not in the ledger"}, documentMoney(14630), {Text: "Bank to correct. Bank error. “Booked twice, the bank returns it in April”. Ana Ruiz, 2026-04-01 08:40 UTC"}}},
		},
	}}
}
