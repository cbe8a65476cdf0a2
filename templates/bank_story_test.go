package templates

import (
	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// March 2026 at the bank of Kiln & Co: what was uploaded, what differs, and who works on it.

func crumbed(s Shell, before ...ui.Link) Shell {
	s.Crumbs = append(before, ui.Link{Text: s.Title})
	return s
}

func account(code, name string) ui.Account {
	return ui.Account{Code: code, Name: name, Href: shell("", "").Book.AccountURL(code)}
}

func bankSide(row int, day string, minor int64, text, reference string) []BankSide {
	return []BankSide{{Row: row, Date: ledger.MustDate(day), Description: text, Reference: reference, AmountMinor: minor, Currency: "EUR"}}
}

func ledgerSide(seq int64, day string, minor int64, text, txID string) []LedgerSide {
	return []LedgerSide{{Seq: seq, Line: 1, TxID: txID, Date: ledger.MustDate(day), Description: text, AmountMinor: minor, Currency: "EUR"}}
}

func breakOf(id int64, age int, bank []BankSide, postings []LedgerSide, why string, status recon.Status, owner string) BreakRow {
	r := BreakRow{ID: id, AgeDays: age, Bank: bank, Ledger: postings, Currency: "EUR", Why: why, Status: BreakStatus{Status: status}, Owner: owner}
	for _, p := range postings {
		r.DifferenceMinor += p.AmountMinor
	}
	for _, b := range bank {
		r.DifferenceMinor -= b.AmountMinor
	}
	return r
}

func explained(r BreakRow, how recon.Resolution) BreakRow {
	r.Status = BreakStatus{Status: recon.Resolved, Resolution: how}
	return r
}

func breakGroups() []BreakGroup {
	group := func(t recon.BreakType, status string, rows ...BreakRow) BreakGroup {
		g := BreakGroup{BreakKind: BreakKind{Type: t, Status: status, Count: len(rows)}, Rows: rows}
		for _, r := range rows {
			g.SumMinor += r.DifferenceMinor
		}
		return g
	}
	return []BreakGroup{
		group(recon.AmountMismatch, BreaksOpen,
			breakOf(311, 16, bankSide(44, "2026-03-16", -124850, "LEEM & ZOON", "LZ-2291"), ledgerSide(1355, "2026-03-13", -128450, "Leem & Zoon, LZ-2291", "pay-lz-2291"), "Digits swapped", recon.WaitingForApproval, "Tom"),
			breakOf(312, 14, bankSide(53, "2026-03-18", 239500, "ATELIER NOOR", "INV-0318"), ledgerSide(1447, "2026-03-18", 242000, "Atelier Noor, INV-0318", "rcv-inv-0318"), "25.00 less at the bank", recon.Open, ""),
			breakOf(313, 13, bankSide(56, "2026-03-19", 105471, "PAYPORT PAYOUT", "PP-26-0319"), ledgerSide(1463, "2026-03-19", 106371, "Payout, 11 orders", "po-0319"), "9.00 less at the bank", recon.Open, ""),
			breakOf(326, 12, bankSide(60, "2026-03-20", -49862, "ORTON GLAZES INC", "OR-5517"), ledgerSide(1490, "2026-03-20", -54000, "Orton Glazes, OR-5517", "pay-or-5517"), "41.38 less at the bank", recon.InReview, "Maja"),
			breakOf(314, 8, bankSide(66, "2026-03-24", -6490, "REFUND ORDER 20614", "RFD-20614"), ledgerSide(1557, "2026-03-24", 6490, "Refund by bank, 20614", "rfd-20614"), "Sign flipped", recon.Open, "Tom")),
		group(recon.MissingInLedger, BreaksOpen,
			breakOf(316, 15, bankSide(50, "2026-03-17", -114273, "STROOM EN WARMTE", "E-2603-8841"), nil, "No posting with this reference or amount", recon.InReview, "Tom"),
			breakOf(317, 8, bankSide(69, "2026-03-24", -8900, "PAYPORT CHARGEBACK", "CB-20571"), nil, "No posting with this reference or amount", recon.Open, ""),
			breakOf(318, 1, bankSide(87, "2026-03-31", -3850, "ACCOUNT CHARGES", "CHG-2603"), nil, "No posting with this reference or amount", recon.Open, ""),
			breakOf(319, 1, bankSide(88, "2026-03-31", 412, "CREDIT INTEREST", ""), nil, "No posting with this reference or amount", recon.Open, "")),
		group(recon.MissingInBank, BreaksOpen,
			breakOf(322, 26, nil, ledgerSide(1244, "2026-03-06", 84700, "Bord & Co, INV-0226", "rcv-inv-0226"), "No line with this reference or amount", recon.Open, "Ana"),
			breakOf(323, 20, nil, ledgerSide(1334, "2026-03-12", -31218, "Fietskoerier, FK-302", "pay-fk-302"), "No line with this reference or amount", recon.Open, "Tom")),
		group(recon.Ambiguous, BreaksOpen,
			breakOf(315, 29, bankSide(17, "2026-03-03", 18000, "J VERMEER WORKSHOP", "NONREF"),
				append(ledgerSide(1172, "2026-03-02", 18000, "Workshop place, Jip Vermeer", "ws-0301"), ledgerSide(1211, "2026-03-04", 18000, "Workshop place, Iris Kok", "ws-0302")...), "2 postings fit 1 line", recon.Open, "")),
		group(recon.DuplicateInLedger, BreaksOpen,
			breakOf(325, 16, nil, ledgerSide(1411, "2026-03-16", -21840, "Insurance premium, March", "ins-2026-03b"), "Equal to #1,410", recon.Open, "Ana")),
		group(recon.Timing, BreaksExplained,
			explained(breakOf(327, 2, nil, ledgerSide(1662, "2026-03-30", 465341, "Payout, 46 orders", "po-0330"), "2 days before the end of the period", recon.Open, "By rule"), recon.CarriedForward),
			explained(breakOf(328, 1, nil, ledgerSide(1673, "2026-03-31", 182830, "Payout, 16 orders", "po-0331"), "On the last day of the period", recon.Open, "By rule"), recon.CarriedForward),
			explained(breakOf(329, 1, nil, ledgerSide(1683, "2026-03-31", -96000, "Glazuurdepot, GD-126", "pay-gd-126"), "On the last day of the period", recon.Open, "By rule"), recon.CarriedForward)),
		group(recon.DuplicateInBank, BreaksExplained,
			explained(breakOf(324, 21, bankSide(36, "2026-03-11", -14630, "PAKKETVLOT PARCELS", "PV-77120"), nil, "Equal to row 35", recon.Open, "Ana"), recon.External)),
	}
}

func marchStatement() (from, to ledger.Date, rows RowCounts) {
	return ledger.MustDate("2026-03-01"), ledger.MustDate("2026-03-31"), RowCounts{New: 80, Known: 3, Skipped: 1}
}

func reconciliation() Reconciliation {
	s := shell("1010, March 2026", PageStatements)
	s = crumbed(s, ui.Link{Text: "Statements", Href: s.Book.URL("statements")})
	v := Reconciliation{
		Shell: s, ID: 7, Account: account("1010", "Bank, operating"), FileName: "nordbank_1010_2026-03.csv",
		UploadedBy: "Ana Ruiz", UploadedAt: at("2026-04-01T08:30:00Z"), Currency: "EUR",
		OutstandingCount: 1, InTransitCount: 2, OtherExplainedCount: 1,
		Totals: ReconciliationTotals{LedgerMinor: 3418703, BankMinor: 2667007, Postings: 79, Lines: 80}, Latest: true, AsOfSeq: 1706,
		Tab: ReconciliationBreaks, MatchCount: 69, LineCount: 80, Groups: breakGroups(),
	}
	v.From, v.To, v.Rows = marchStatement()
	v.Totals.DifferenceMinor = v.Totals.LedgerMinor - v.Totals.BankMinor
	for _, g := range v.Groups {
		v.Kinds = append(v.Kinds, g.BreakKind)
		v.BreakCount += g.Count
	}
	v.Proof = recon.Proof{LedgerMinor: 8081520, OutstandingMinor: -96000, InTransitMinor: 648171, OtherExplainedMinor: 14630, ExpectedMinor: 7514719}
	v.Proof.UnexplainedMinor = v.sum(BreaksOpen)
	v.Proof.StatementMinor = v.Proof.ExpectedMinor - v.Proof.UnexplainedMinor
	return v
}

func matchedTab() Reconciliation {
	v := reconciliation()
	v.Tab = ReconciliationMatched
	v.Matches = []MatchRow{
		{ID: 1, Kind: recon.KindReference, Score: 100, Why: "Same reference and amount", Bank: bankSide(10, "2026-03-02", 478599, "PAYPORT PAYOUT", "PP-26-0302"), Ledger: ledgerSide(1162, "2026-03-02", 478599, "Payout, 41 orders", "po-0302")},
		{ID: 2, Kind: recon.KindFuzzy, Score: 88, Why: "Same amount, 1 day apart, nothing else fits", Bank: bankSide(12, "2026-03-02", 28150, "MEREL VISSER", ""), Ledger: ledgerSide(1149, "2026-03-01", 28150, "Order by bank transfer, Merel Visser", "bt-0512")},
	}
	return v
}

func linesTab() Reconciliation {
	v := reconciliation()
	v.Tab = ReconciliationLines
	v.Lines = []LineRow{
		{BankSide: bankSide(10, "2026-03-02", 478599, "PAYPORT PAYOUT", "PP-26-0302")[0], MatchKind: recon.KindReference},
		{BankSide: bankSide(11, "2026-03-02", -9559, "SHOPKIT SUBSCRIPTION", "SUB-SHOPKIT-03")[0], MatchKind: recon.KindReference},
		{BankSide: bankSide(17, "2026-03-03", 18000, "J VERMEER WORKSHOP", "NONREF")[0], BreakID: 315, BreakType: recon.Ambiguous},
		{BankSide: bankSide(44, "2026-03-16", -124850, "LEEM & ZOON", "LZ-2291")[0], BreakID: 311, BreakType: recon.AmountMismatch},
	}
	return v
}

func rowsTab() Reconciliation {
	v := reconciliation()
	v.Tab, v.FileRows = ReconciliationRows, []StatementFileRow{
		{Row: 6, Class: "known", Detail: "In the statement of February, row 58", Raw: "27-02-2026;PAKKETVLOT PARCELS;-154,88"},
		{Row: 89, Class: "skipped", Reason: "total", Detail: "A total row of the bank, not a line", Raw: "Totaal;;;;;26.415,64;"},
	}
	return v
}

// agreed is a reconciliation with nothing left to do.
func agreed() Reconciliation {
	v := reconciliation()
	v.Groups, v.Kinds, v.BreakCount, v.StatementAssumed = nil, nil, 0, true
	v.OutstandingCount, v.InTransitCount, v.OtherExplainedCount = 0, 0, 0
	v.Proof = recon.Proof{LedgerMinor: 8081520, ExpectedMinor: 8081520, StatementMinor: 8081520}
	v.Totals = ReconciliationTotals{LedgerMinor: 3259883, BankMinor: 3259883, Postings: 79, Lines: 80}
	v.Flash = AlreadyUploaded("Ana Ruiz", at("2026-04-01T08:30:00Z"))
	return v
}

func breakPage() Break {
	s := shell("Break B-311", PageStatements)
	s = crumbed(s, ui.Link{Text: "Statements", Href: s.Book.URL("statements")}, ui.Link{Text: "1010, March 2026", Href: s.Book.ReconciliationURL(7)})
	balance := int64(6210473)
	return Break{
		Shell: s, ID: 311, Type: recon.AmountMismatch, Status: BreakStatus{Status: recon.Open}, Currency: "EUR", DifferenceMinor: -3600,
		Why: "same reference, digits swapped", FirstSeen: ledger.MustDate("2026-04-01"), AgeDays: 16, Owner: "Tom de Wit", Next: 312,
		Bank:   []BankFacts{{BankSide: bankSide(44, "2026-03-16", -124850, "LEEM & ZOON", "LZ-2291")[0], FileName: "nordbank_1010_2026-03.csv", BalanceMinor: &balance, Raw: "16-03-2026;16-03-2026;LEEM & ZOON;NL11OOST0100228841;LZ-2291;-1.248,50;62.104,73"}},
		Ledger: ledgerSide(1355, "2026-03-13", -128450, "Leem & Zoon, LZ-2291", "pay-lz-2291"),
		Events: []BreakEvent{
			{At: at("2026-04-01T08:31:00Z"), Event: "found"},
			{At: at("2026-04-01T08:50:00Z"), By: "Ana Ruiz", Event: "resolved", Resolution: recon.External, Reason: recon.BankError, Note: "Asked the bank, ticket 4471"},
			{At: at("2026-04-01T09:05:00Z"), By: "Tom de Wit", Event: "reopened", Note: "Invoice says 1,248.50: the bank is right"},
		},
		Reverse: 1355,
		Resolve: ResolveForm{Form: "form-77aa-4f21-90ce", Allowed: []recon.Resolution{recon.CarriedForward, recon.External}},
	}
}

func breakRefused() Break {
	v := breakPage()
	v.Resolve.Reason = recon.ReasonOther
	v.Resolve.Errors = []ledger.FieldError{
		{Field: "resolution", Detail: "choose carried_forward or external"},
		{Field: "note", Detail: "say in a note what the other reason is"},
	}
	return v
}

func breakResolved() Break {
	v := breakPage()
	v.Reverse, v.Status = 0, BreakStatus{Status: recon.Resolved, Resolution: recon.External}
	v.Events = v.Events[:2]
	v.Reopen = ReopenForm{Form: "form-77aa-4f21-90cf"}
	return v
}

func breakAmbiguous() Break {
	v := breakPage()
	v.Title, v.ID, v.Type, v.DifferenceMinor, v.Why = "Break B-315", 315, recon.Ambiguous, 18000, "2 postings fit 1 line"
	v.Bank[0].BankSide = bankSide(17, "2026-03-03", 18000, "J VERMEER WORKSHOP", "")[0]
	v.Bank[0].Raw, v.Bank[0].BalanceMinor = "", nil
	v.Ledger = append(ledgerSide(1172, "2026-03-02", 18000, "Workshop place, Jip Vermeer", "ws-0301"), ledgerSide(1211, "2026-03-04", 18000, "Workshop place, Iris Kok", "ws-0302")...)
	v.Events, v.Reverse, v.MissingRight = v.Events[:1], 0, "resolve"
	v.Shell = crumbed(v.Shell, v.Crumbs[:2]...)
	return v
}

func statements() Statements {
	from, to, rows := marchStatement()
	return Statements{Shell: shell("Statements", PageStatements), Accounts: []StatementAccount{
		{Account: account("1010", "Bank, operating"), Currency: "EUR", Older: "/b/main/statements?account=1010&before=5", Statements: []StatementRow{
			{ID: 7, ReconciliationID: 7, FileName: "nordbank_1010_2026-03.csv", From: from, To: to, PeriodStated: true, Rows: rows, UploadedBy: "Ana Ruiz", UploadedAt: at("2026-04-01T08:30:00Z"), Status: "open", OpenBreaks: 13, UnexplainedMinor: 184895},
			{ID: 5, ReconciliationID: 5, FileName: "nordbank_1010_2026-02.csv", From: ledger.MustDate("2026-02-01"), To: ledger.MustDate("2026-02-28"), Rows: RowCounts{New: 60}, UploadedBy: "Ana Ruiz", UploadedAt: at("2026-03-02T08:12:00Z"), Status: "open"},
		}},
		{Account: account("1020", "Bank, VAT reserve"), Currency: "EUR", Statements: []StatementRow{
			{ID: 6, ReconciliationID: 6, FileName: "vat_reserve_2026-03.csv", From: from, To: to, PeriodStated: true, Rows: RowCounts{New: 1}, UploadedBy: "Maja Lind", UploadedAt: at("2026-04-01T09:02:00Z"), Status: "signed_off"},
		}},
	}}
}

func upload() Upload {
	s := shell("Upload statement", PageUpload)
	s = crumbed(s, ui.Link{Text: "Statements", Href: s.Book.URL("statements")})
	return Upload{
		Shell: s, Form: "form-0b1e-4e0d-8a57", LimitMB: 32,
		Accounts: []ui.Option{{Value: "1010", Text: "1010 Bank, operating, EUR"}, {Value: "1020", Text: "1020 Bank, VAT reserve, EUR"}, {Value: "1210", Text: "1210 Processor clearing, EUR"}},
	}
}

func uploadRefused() Upload {
	v := upload()
	v.Account, v.PeriodFrom, v.PeriodTo, v.Hints = "1010", "2026-03-01", "2026-03-31", []string{"encoding=windows-1252"}
	v.Refusal = &StatementRefusal{
		FileName: "nordbank_1010_2026-03.csv", ErrorClass: "ambiguous_date", Row: 6, Detail: "03-04-2026 can be 3 April or 4 March, and no other row decides it.",
		Rejects: []StatementFileRow{
			{Row: 12, Class: "rejected", Reason: "bad_amount", Detail: "“1.2x” is not an amount", Raw: "03-04-2026;ACCOUNT CHARGES;1.2x"},
			{Row: 14, Class: "rejected", Reason: "pending", Detail: "The bank has not booked it yet", Raw: "04-04-2026;PENDING;MERCHANT 88;-12,00"},
		},
	}
	return v
}
