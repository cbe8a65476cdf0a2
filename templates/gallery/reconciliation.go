package gallery

import (
	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func reconciliationScreens() []Screen {
	dark := reconciliation()
	dark.Theme = "dark"
	filtered := reconciliation()
	filtered.Type, filtered.Status, filtered.Groups = recon.Timing, templates.BreaksExplained, filtered.Groups[5:6]
	nothing := reconciliation()
	nothing.Type, nothing.Status, nothing.Groups = recon.CurrencyMismatch, templates.BreaksOpen, nil
	unmatched := reconciliation()
	unmatched.Latest, unmatched.Unmatched = true, 3
	early := reconciliation()
	early.RulesVersion = 3
	early.Early = &templates.EarlyPostings{Before: ledger.MustDate("2026-01-01"), Count: 2, AmountMinor: -70000, Currency: "EUR", Entries: []int64{1699, 1701}}
	older := reconciliation()
	older.Latest, older.Newest = false, 9
	older.Follows = &templates.StatementFollows{Href: older.Book.ReconciliationURL(3), To: ledger.MustDate("2026-02-14"), GapDays: 14, Differs: differs(48216)}
	submitted, signed := agreed(), agreed()
	submitted.SignOff, signed.SignOff = "submitted", "signed_off"
	submitted.Work, signed.Work = templates.BreakWork{}, templates.BreakWork{}
	noMatch := matchedTab()
	noMatch.Matches, noMatch.MatchCount = nil, 0
	return append([]Screen{
		{"reconciliation", "Reconciliation: breaks by type", groupBank, templates.ReconciliationPage(reconciliation())},
		{"reconciliation-dark", "Reconciliation in the dark", groupBank, templates.ReconciliationPage(dark)},
		{"reconciliation-unmatched", "Reconciliation after new postings", groupBank, templates.ReconciliationPage(unmatched)},
		{"reconciliation-early", "Reconciliation with postings dated before the account is held against statements", groupBank, templates.ReconciliationPage(early)},
		{"reconciliation-older", "Reconciliation that a later one follows", groupBank, templates.ReconciliationPage(older)},
		{"reconciliation-filtered", "Reconciliation: breaks of one type", groupBank, templates.ReconciliationPage(filtered)},
		{"reconciliation-nothing", "Reconciliation: nothing found", groupBank, templates.ReconciliationPage(nothing)},
		{"reconciliation-agreed", "Reconciliation, proven", groupBank, templates.ReconciliationPage(agreed())},
		{"reconciliation-submitted", "Reconciliation, waiting for sign-off", groupBank, templates.ReconciliationPage(submitted)},
		{"reconciliation-signed", "Reconciliation, signed off", groupBank, templates.ReconciliationPage(signed)},
		{"reconciliation-matched", "Reconciliation: matches", groupBank, templates.ReconciliationPage(matchedTab())},
		{"reconciliation-nomatch", "Reconciliation before the first match", groupBank, templates.ReconciliationPage(noMatch)},
		{"reconciliation-lines", "Reconciliation: all lines", groupBank, templates.ReconciliationPage(linesTab())},
		{"reconciliation-rows", "Reconciliation: other rows of the file", groupBank, templates.ReconciliationPage(rowsTab())},
	}, workScreens()...)
}

func reconciliation() templates.Reconciliation {
	s := shell("1010, March 2026", templates.PageStatements)
	s = crumbed(s, ui.Link{Text: "Statements", Href: s.Book.URL("statements")})
	v := templates.Reconciliation{
		Shell: s, ID: 7, Account: account("1010", "Bank, operating"), FileName: "nordbank_1010_2026-03.csv",
		UploadedBy: "Ana Ruiz", UploadedAt: at("2026-04-01T08:30:00Z"), Currency: "EUR",
		OutstandingCount: 1, InTransitCount: 2, OtherExplainedCount: 1,
		Totals: templates.ReconciliationTotals{LedgerMinor: 3418703, BankMinor: 2667007, Postings: 79, Lines: 80}, Latest: true, AsOfSeq: 1706,
		Tab: templates.ReconciliationBreaks, MatchCount: 69, LineCount: 80, Groups: breakGroups(),
	}
	v.RulesVersion, v.PostingCount, v.Views = 7, 79, &templates.BreakViews{Mine: 4, Nobodys: 6}
	v.Follows = &templates.StatementFollows{Href: v.Book.ReconciliationURL(3), To: ledger.MustDate("2026-02-28"), OverlapDays: 1, Differs: differs(0)}
	v.From, v.To, v.Rows = marchStatement()
	v.Totals.DifferenceMinor = v.Totals.LedgerMinor - v.Totals.BankMinor
	v.Proof = recon.Proof{LedgerMinor: 8081520, OutstandingMinor: -96000, InTransitMinor: 648171, OtherExplainedMinor: 14630, ExpectedMinor: 7514719}
	for _, g := range v.Groups {
		v.Kinds = append(v.Kinds, g.BreakKind)
		v.BreakCount += g.Count
		if g.Status == templates.BreaksOpen {
			v.Proof.UnexplainedMinor += g.SumMinor
		}
	}
	v.Proof.StatementMinor = v.Proof.ExpectedMinor - v.Proof.UnexplainedMinor
	v.Work = breakWork()
	v.Keys = templates.WorkspaceKeys()
	return v
}

func differs(minor int64) *int64 { return &minor }

func matchedTab() templates.Reconciliation {
	v := reconciliation()
	v.Tab = templates.ReconciliationMatched
	v.Matches = []templates.MatchRow{
		{ID: 1, Kind: recon.KindReference, Score: 100, Why: "Same reference and amount", Bank: bankSide(10, "2026-03-02", 478599, "PAYPORT PAYOUT", "PP-26-0302"), Ledger: ledgerSide(1162, "2026-03-02", 478599, "Payout, 41 orders", "po-0302")},
		{ID: 2, Kind: recon.KindFuzzy, Score: 88, Why: "Same amount, 1 day apart, nothing else fits", Bank: bankSide(12, "2026-03-02", 28150, "MEREL VISSER", ""), Ledger: ledgerSide(1149, "2026-03-01", 28150, "Order by bank transfer, Merel Visser", "bt-0512")},
	}
	return v
}

func linesTab() templates.Reconciliation {
	v := reconciliation()
	v.Tab = templates.ReconciliationLines
	v.Lines = []templates.LineRow{
		{BankSide: bankSide(10, "2026-03-02", 478599, "PAYPORT PAYOUT", "PP-26-0302")[0], MatchKind: recon.KindReference},
		{BankSide: bankSide(11, "2026-03-02", -9559, "SHOPKIT SUBSCRIPTION", "SUB-SHOPKIT-03")[0], MatchKind: recon.KindReference},
		{BankSide: bankSide(17, "2026-03-03", 18000, "J VERMEER WORKSHOP", "NONREF")[0], BreakID: 315, BreakType: recon.Ambiguous},
		{BankSide: bankSide(44, "2026-03-16", -124850, "LEEM & ZOON", "LZ-2291")[0], BreakID: 311, BreakType: recon.AmountMismatch},
	}
	return v
}

func rowsTab() templates.Reconciliation {
	v := reconciliation()
	v.Download = v.Book.URL("statements", "3", "rows.csv")
	v.Tab, v.FileRows = templates.ReconciliationRows, []templates.StatementFileRow{
		{Row: 6, Class: "known", Detail: "In the statement of February, row 58", Raw: "27-02-2026;PAKKETVLOT PARCELS;-154,88"},
		{Row: 89, Class: "skipped", Reason: "total", Detail: "A total row of the bank, not a line", Raw: "Totaal;;;;;26.415,64;"},
	}
	return v
}

// agreed is a reconciliation with nothing left to do.
func agreed() templates.Reconciliation {
	v := reconciliation()
	v.Groups, v.Kinds, v.BreakCount, v.StatementAssumed = nil, nil, 0, true
	v.OutstandingCount, v.InTransitCount, v.OtherExplainedCount = 0, 0, 0
	v.Proof = recon.Proof{LedgerMinor: 8081520, ExpectedMinor: 8081520, StatementMinor: 8081520}
	v.Totals = templates.ReconciliationTotals{LedgerMinor: 3259883, BankMinor: 3259883, Postings: 79, Lines: 80}
	v.Flash = templates.AlreadyUploaded(v.Format, "Ana Ruiz", at("2026-04-01T08:30:00Z"))
	return v
}
