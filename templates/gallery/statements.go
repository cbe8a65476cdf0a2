package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
)

func statementsScreens() []Screen {
	return []Screen{
		{"statements", "Statements by account", groupBank, templates.StatementsPage(statements())},
		{"statement-undo", "An import that is about to be undone", groupBank, templates.StatementUndoPage(statementUndo())},
		{"statement-undo-refused", "An import that cannot be undone", groupBank, templates.StatementUndoPage(statementUndoRefused())},
		{"statement-undo-typed", "An undo without a reason", groupBank, templates.StatementUndoPage(statementUndoTyped())},
		{"statement-undone", "An import that was undone", groupBank, templates.UndoneStatementPage(statementUndone())},
		{"statements-none", "Statements before the first", groupBank, templates.StatementsPage(templates.Statements{Shell: shell("Statements", templates.PageStatements)})},
	}
}

func statements() templates.Statements {
	from, to, rows := marchStatement()
	return templates.Statements{Shell: shell("Statements", templates.PageStatements), Accounts: []templates.StatementAccount{
		{Account: account("1010", "Bank, operating"), Currency: "EUR", Older: "/b/main/statements?account=1010&before=5", Statements: []templates.StatementRow{
			{ID: 7, ReconciliationID: 7, FileName: "nordbank_1010_2026-03.csv", From: from, To: to, PeriodStated: true, Rows: rows, UploadedBy: "Ana Ruiz", UploadedAt: at("2026-04-01T08:30:00Z"), Status: "open", OpenBreaks: 13, UnexplainedMinor: 184895, MayUndo: true},
			{ID: 5, ReconciliationID: 5, FileName: "nordbank_1010_2026-02.csv", From: ledger.MustDate("2026-02-01"), To: ledger.MustDate("2026-02-28"), Rows: templates.RowCounts{New: 60}, UploadedBy: "Ana Ruiz", UploadedAt: at("2026-03-02T08:12:00Z"), Status: "open", MayUndo: true},
			{ID: 4, ReconciliationID: 4, FileName: "nordbank_1010_2026-02-draft.csv", From: ledger.MustDate("2026-02-01"), To: ledger.MustDate("2026-02-28"), Rows: templates.RowCounts{New: 58}, UploadedBy: "Ana Ruiz", UploadedAt: at("2026-03-01T08:02:00Z"), Status: "undone", Undone: importUndone()},
		}},
		{Account: account("1020", "Bank, VAT reserve"), Currency: "EUR", Statements: []templates.StatementRow{
			{ID: 6, ReconciliationID: 6, FileName: "vat_reserve_2026-03.csv", From: from, To: to, PeriodStated: true, Rows: templates.RowCounts{New: 1}, UploadedBy: "Maja Lind", UploadedAt: at("2026-04-01T09:02:00Z"), Status: "signed_off"},
		}},
	}}
}

// marchStatement is the period of the statement that most screens are about, and what became of its rows.
func marchStatement() (from, to ledger.Date, rows templates.RowCounts) {
	return ledger.MustDate("2026-03-01"), ledger.MustDate("2026-03-31"), templates.RowCounts{New: 80, Known: 3, Skipped: 1}
}
