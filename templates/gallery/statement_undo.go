package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func statementUndo() templates.StatementUndo {
	from, to, rows := marchStatement()
	s := shell("Undo an import", templates.PageStatements)
	return templates.StatementUndo{
		Shell: crumbed(s, ui.Link{Text: "Statements", Href: s.Book.URL("statements")}), ID: 7, ReconciliationID: 7, Account: account("1010", "Bank, operating"),
		FileName: "nordbank_1010_2026-03.csv", From: from, To: to, UploadedBy: "Ana Ruiz", UploadedAt: at("2026-04-01T08:30:00Z"), Rows: rows,
		Lines: 80, Matches: 67, BreaksGone: 11, Back: 2, Form: "form-3f1c-4c55-9a41",
	}
}

func statementUndoRefused() templates.StatementUndo {
	v := statementUndo()
	v.Refused = "Statement 9 depends on this one: it states no balance, and goes on from the balance of this one. Undo statement 9 first."
	v.RefusedBy = ui.Link{Text: "Undo statement 9", Href: v.Book.UndoURL(9)}
	return v
}

func statementUndoTyped() templates.StatementUndo {
	v := statementUndo()
	v.Theme, v.Errors = "dark", []ledger.FieldError{{Field: "reason", Detail: "The reason is missing"}}
	return v
}

func importUndone() *templates.ImportUndone {
	return &templates.ImportUndone{By: "Ana Ruiz", At: at("2026-03-02T08:05:00Z"), Reason: "The bank sent the month before it was over; the final file follows.", Lines: 58, Matches: 51, Breaks: 1}
}

func statementUndone() templates.UndoneStatement {
	v := statementUndo()
	return templates.UndoneStatement{
		Shell: v.Shell, ReconciliationID: 4, Account: v.Account, FileName: "nordbank_1010_2026-02-draft.csv", From: ledger.MustDate("2026-02-01"), To: ledger.MustDate("2026-02-28"),
		UploadedBy: "Ana Ruiz", UploadedAt: at("2026-03-01T08:02:00Z"), Rows: templates.RowCounts{New: 58}, Undo: *importUndone(), Currency: "EUR", Signed: []int{1, 2}, Upload: v.Book.UploadURL("1010"),
		Lines: []templates.BankSide{
			{Row: 1, Date: ledger.MustDate("2026-02-02"), Description: "Halden Foods AS", Reference: "INV-20411", AmountMinor: 124000, Currency: "EUR"},
			{Row: 2, Date: ledger.MustDate("2026-02-03"), Description: "Rent February", Reference: "", AmountMinor: -380000, Currency: "EUR"},
		},
		Next: "/b/main/reconciliations/4?after=2",
	}
}
