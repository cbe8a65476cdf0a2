package gallery

import (
	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// What differs between the bank and the books of March 2026, and who works on it.

func breakScreens() []Screen {
	late := breakResolved()
	late.Pending = []templates.PendingReversal{{Request: 8, Seq: 1355}}
	late.Late = &templates.LateWork{Done: late.LastChange(), Resolution: recon.CarriedForward, Reason: recon.TimingCutoff, Note: "Expect it in April"}
	superseded := breakResolved()
	superseded.Status.Resolution = recon.Superseded
	superseded.Events = append(superseded.Events[:1:1], templates.BreakEvent{At: at("2026-04-03T08:00:00Z"), Event: "superseded", Note: "settled by the matching of reconciliation 9"})
	return []Screen{
		{"break", "A break to be resolved", groupBank, templates.BreakPage(breakPage())},
		{"break-refused", "A break, resolved without what it needs", groupBank, templates.BreakPage(breakRefused())},
		{"break-resolved", "A resolved break", groupBank, templates.BreakPage(breakResolved())},
		{"break-late", "A break that was resolved from an older page", groupBank, templates.BreakPage(late)},
		{"break-superseded", "A break that a later matching settled", groupBank, templates.BreakPage(superseded)},
		{"break-ambiguous", "A break with several candidates", groupBank, templates.BreakPage(breakAmbiguous())},
	}
}

func breakPage() templates.Break {
	s := shell("Break B-311", templates.PageStatements)
	s = crumbed(s, ui.Link{Text: "Statements", Href: s.Book.URL("statements")}, ui.Link{Text: "1010, March 2026", Href: s.Book.ReconciliationURL(7)})
	balance := int64(6210473)
	return templates.Break{
		Shell: s, ID: 311, Type: recon.AmountMismatch, Status: templates.BreakStatus{Status: recon.Open}, Currency: "EUR", DifferenceMinor: -3600,
		Why: "same reference, digits swapped", FirstSeen: ledger.MustDate("2026-04-01"), AgeDays: 16, Owner: "Tom de Wit", Position: 1, Breaks: 19, Next: 312, NextOpen: 312,
		Bank:   []templates.BankFacts{{BankSide: bankSide(44, "2026-03-16", -124850, "LEEM & ZOON", "LZ-2291")[0], FileName: "nordbank_1010_2026-03.csv", BalanceMinor: &balance, Raw: "16-03-2026;16-03-2026;LEEM & ZOON;NL11OOST0100228841;LZ-2291;-1.248,50;62.104,73"}},
		Ledger: ledgerSide(1355, "2026-03-13", -128450, "Leem & Zoon, LZ-2291", "pay-lz-2291"),
		Events: []templates.BreakEvent{
			{At: at("2026-04-01T08:31:00Z"), Event: "found"},
			{At: at("2026-04-01T08:50:00Z"), By: "Ana Ruiz", Event: "resolved", Resolution: recon.External, Reason: recon.BankError, Note: "Asked the bank, ticket 4471"},
			{At: at("2026-04-01T09:05:00Z"), By: "Tom de Wit", Event: "reopened", Note: "Invoice says 1,248.50: the bank is right"},
		},
		Similar: []templates.SimilarBreak{
			{ID: 288, Day: ledger.MustDate("2026-02-11"), Text: "LEEM & ZOON", DifferenceMinor: -27, Status: templates.BreakStatus{Status: recon.Resolved, Resolution: recon.External}},
			{ID: 204, Day: ledger.MustDate("2026-01-09"), Text: "SERVIES WEST", DifferenceMinor: -3600, Status: templates.BreakStatus{Status: recon.Resolved, Resolution: recon.Superseded}},
		},
		Reverse: 1355,
		Resolve: templates.ResolveForm{Form: "form-77aa-4f21-90ce", Allowed: []recon.Resolution{recon.CarriedForward, recon.External}},
	}
}

func breakRefused() templates.Break {
	v := breakPage()
	v.Resolve.Reason = recon.ReasonOther
	v.Resolve.Errors = []ledger.FieldError{
		{Field: "resolution", Detail: "choose carried_forward or external"},
		{Field: "note", Detail: "say in a note what the other reason is"},
	}
	return v
}

func breakResolved() templates.Break {
	v := breakPage()
	v.Reverse, v.Status = 0, templates.BreakStatus{Status: recon.Resolved, Resolution: recon.External}
	v.Events = v.Events[:2]
	v.Reopen = templates.ReopenForm{Form: "form-77aa-4f21-90cf"}
	return v
}

func breakAmbiguous() templates.Break {
	v := breakPage()
	v.Title, v.ID, v.Type, v.DifferenceMinor, v.Why = "Break B-315", 315, recon.Ambiguous, 18000, "2 postings fit 1 line"
	v.Bank[0].BankSide = bankSide(17, "2026-03-03", 18000, "J VERMEER WORKSHOP", "")[0]
	v.Bank[0].Raw, v.Bank[0].BalanceMinor = "", nil
	v.Ledger = append(ledgerSide(1172, "2026-03-02", 18000, "Workshop place, Jip Vermeer", "ws-0301"), ledgerSide(1211, "2026-03-04", 18000, "Workshop place, Iris Kok", "ws-0302")...)
	v.Events, v.Reverse, v.MissingRight, v.Similar = v.Events[:1], 0, "resolve", nil
	v.Position, v.Previous, v.Next = 12, 323, 325
	v.Shell = crumbed(v.Shell, v.Crumbs[:2]...)
	return v
}
