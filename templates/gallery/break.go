package gallery

import (
	"strconv"

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
	reversed := superseded
	reversed.Events = append(reversed.Events[:1:1], templates.BreakEvent{At: at("2026-04-03T08:00:00Z"), Event: "superseded", Match: 212, Seq: 1709,
		Note: "matched with the reversal: an entry and its reversal cancel on this account, match 212"})
	undone := superseded
	undone.Closed, undone.Undone = true, templates.UndoneImport{By: "Ana Ruiz", At: at("2026-04-03T08:00:00Z")}
	undone.Events = append(undone.Events[:1:1], templates.BreakEvent{At: at("2026-04-02T10:00:00Z"), Event: "retyped", Type: recon.MissingInLedger, Note: "left when the rest of break 311 was matched by hand"},
		templates.BreakEvent{At: at("2026-04-03T08:00:00Z"), By: "Ana Ruiz", Event: "superseded", Note: "went with statement 7, which was undone"})
	return []Screen{
		{"break", "A break to be resolved", groupBank, templates.BreakPage(breakPage())},
		{"break-refused", "A break, resolved without what it needs", groupBank, templates.BreakPage(breakRefused())},
		{"break-resolved", "A resolved break", groupBank, templates.BreakPage(breakResolved())},
		{"break-late", "A break that was resolved from an older page", groupBank, templates.BreakPage(late)},
		{"break-superseded", "A break that a later matching settled", groupBank, templates.BreakPage(superseded)},
		{"break-cured", "A break whose entry was reversed", groupBank, templates.BreakPage(reversed)},
		{"break-undone", "A break whose import was undone", groupBank, templates.BreakPage(undone)},
		{"break-ambiguous", "A break with several candidates", groupBank, templates.BreakPage(breakAmbiguous())},
		{"break-entry", "A break, its entry previewed", groupBank, templates.BreakPage(breakEntry())},
		{"break-search", "A break, what it is matched with searched by hand", groupBank, templates.BreakPage(breakSearch())},
		{"break-waiting", "A break that waits for another person", groupBank, templates.BreakPage(breakWaiting())},
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
			{At: at("2026-04-01T08:31:00Z"), Event: "found", Type: recon.AmountMismatch},
			{At: at("2026-04-01T08:50:00Z"), By: "Ana Ruiz", Event: "resolved", Resolution: recon.External, Reason: recon.BankError, Note: "Asked the bank, ticket 4471"},
			{At: at("2026-04-01T09:05:00Z"), By: "Tom de Wit", Event: "reopened", Note: "Invoice says 1,248.50: the bank is right"},
		},
		Similar: []templates.SimilarBreak{
			{ID: 288, Day: ledger.MustDate("2026-02-11"), Text: "LEEM & ZOON", DifferenceMinor: -27, Status: templates.BreakStatus{Status: recon.Resolved, Resolution: recon.External}},
			{ID: 204, Day: ledger.MustDate("2026-01-09"), Text: "SERVIES WEST", DifferenceMinor: -3600, Status: templates.BreakStatus{Status: recon.Resolved, Resolution: recon.Superseded}},
		},
		Reverse: 1355, Me: "tom@kiln.example", Assignee: "tom@kiln.example", Assign: templates.NoteForm{Form: "form-77aa-4f21-90d0"},
		Assignees: []ui.Option{{Text: "Nobody"}, {Value: "ana@kiln.example", Text: "Ana Ruiz"}, {Value: "tom@kiln.example", Text: "Tom de Wit"}},
		Resolve:   templates.ResolveForm{Form: "form-77aa-4f21-90ce", Allowed: []recon.Resolution{recon.CarriedForward, recon.External}},
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
	v.Candidates = candidates()
	v.Position, v.Previous, v.Next = 12, 323, 325
	v.Shell = crumbed(v.Shell, v.Crumbs[:2]...)
	return v
}

func candidates() []templates.Candidate {
	candidate := func(item templates.OpenItem, score, words int, said string, resolves ...int64) templates.Candidate {
		return templates.Candidate{Items: []templates.OpenItem{item}, Score: score, Match: []string{"r.7.17", item.Name}, Resolves: resolves, Fits: []recon.Fit{
			{Text: "Amount equal", How: recon.Fits}, {Text: "1 day apart", How: recon.FitsInPart}, {Text: said, How: recon.Grade(words)},
		}}
	}
	return []templates.Candidate{
		candidate(openItem(1172, "2026-03-02", "Workshop place, Jip Vermeer", "WS-0301", 18000), 90, 2, "“Vermeer” in both", 320),
		candidate(openItem(1211, "2026-03-04", "Workshop place, Iris Kok", "WS-0302", 18000), 74, 0, "No common word", 321),
	}
}

func openItem(seq int64, day, text, reference string, minor int64) templates.OpenItem {
	return templates.OpenItem{Name: "p." + strconv.FormatInt(seq, 10) + ".1", Seq: seq, Date: ledger.MustDate(day), Text: text, Reference: reference, AmountMinor: minor, Currency: "EUR"}
}

// breakAlone is the line of B-315 that the ledger may hold under another name.
func breakAlone() templates.Break {
	v := breakPage()
	v.Title, v.ID, v.Type, v.DifferenceMinor, v.Why = "Break B-315", 315, recon.MissingInLedger, -18000, "nothing unmatched in the ledger has this reference"
	v.Bank[0].BankSide = bankSide(17, "2026-03-03", 18000, "J VERMEER WORKSHOP", "NONREF")[0]
	v.Ledger, v.Reverse, v.Candidates, v.Version = nil, 0, candidates(), 1
	v.Assignee, v.Owner = "", ""
	v.Crumbs = append(v.Crumbs[:2:2], ui.Link{Text: "B-315"})
	v.Events = append(v.Events[:1:1],
		templates.BreakEvent{At: at("2026-04-01T09:05:00Z"), By: "Ana Ruiz", Event: "commented", Note: "Workshop list says Jip Vermeer, 7 March. Looks like the first one."},
		templates.BreakEvent{At: at("2026-04-01T09:07:00Z"), By: "Ana Ruiz", Event: "attached", Note: "workshop-list.pdf", Attachment: 3})
	v.Comment = templates.NoteForm{Form: "form-1", Allowed: true}
	v.Attach = templates.NoteForm{Form: "form-2", Allowed: true}
	v.Attachments = []templates.Attachment{{ID: 3, Name: "workshop-list.pdf", SizeBytes: 148_213, By: "Ana Ruiz", At: at("2026-04-01T09:07:00Z"), Hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}}
	v.Similar = append([]templates.SimilarBreak{{ID: 316, Version: 1, Day: ledger.MustDate("2026-03-17"), Text: "I KOK WORKSHOP", DifferenceMinor: -18000, Status: templates.BreakStatus{Status: recon.Open}}}, v.Similar[:1]...)
	v.Resolve.Allowed = []recon.Resolution{recon.MatchedByHand, recon.Adjusted, recon.CarriedForward, recon.WrittenOff, recon.External}
	v.Match.Form = "form-3"
	return v
}

func breakEntry() templates.Break {
	v := breakAlone()
	v.Resolve.Resolution, v.Resolve.Reason = recon.Adjusted, recon.MissingReference
	v.Resolve.Practice = templates.Practice{Breaks: 2, Resolution: recon.Adjusted, Reason: recon.MissingReference, Contra: []string{"4010"}}
	accounts := []ui.AccountChoice{{Code: "1010", Name: "Bank, Nordbank", Currency: "EUR"}, {Code: "2200", Name: "VAT to pay", Currency: "EUR"}, {Code: "4010", Name: "Workshops", Currency: "EUR"}}
	v.Resolve.Entry = templates.SettlingEntry{
		EffectiveOn: "2026-03-03", Description: "J VERMEER WORKSHOP", Reference: "NONREF", Accounts: accounts, Waits: true,
		Lines:   []ui.Line{{Account: "1010", Debit: "180.00"}, {Account: "4010", Credit: "148.76"}, {Account: "2200", Credit: "31.24"}},
		Because: "It waits for another person, whatever the amount: the ledger has no posting for this. The limit of 10.00 EUR is for differences.",
		Preview: &templates.EntryPreview{TxID: "break-315-adj", Description: "J VERMEER WORKSHOP", Reference: "NONREF", EffectiveOn: ledger.MustDate("2026-03-03"), Waits: true, Postings: []ui.Posting{
			{Code: "1010", Name: "Bank, Nordbank", Minor: 18000, Currency: "EUR"}, {Code: "4010", Name: "Workshops", Minor: -14876, Currency: "EUR"}, {Code: "2200", Name: "VAT to pay", Minor: -3124, Currency: "EUR"},
		}},
	}
	return v
}

func breakSearch() templates.Break {
	v := breakAlone()
	v.Match.Message = "The two sides differ by 20.00 EUR: the ledger's add up to 200.00 EUR, the bank's to 180.00 EUR"
	own, found := templates.OpenItem{Name: "r.7.17", Row: 17, Date: ledger.MustDate("2026-03-03"), Text: "J VERMEER WORKSHOP", AmountMinor: 18000, Currency: "EUR", Chosen: true}, openItem(1180, "2026-03-02", "Two workshop places", "WS-0303", 20000)
	found.Chosen, found.BreakID = true, 322
	v.Search = &templates.OpenSearch{Text: "workshop", Own: []templates.OpenItem{own}, Postings: []templates.OpenItem{found, openItem(1214, "2026-03-05", "Workshop place, Bo", "WS-0304", -2000)}, More: true}
	return v
}

func breakWaiting() templates.Break {
	v := breakAlone()
	v.Status.Status = recon.WaitingForApproval
	v.Events = append(v.Events, templates.BreakEvent{At: at("2026-04-01T09:10:00Z"), By: "Tom de Wit", Event: "requested", Reason: recon.MissingReference, Request: 9, Note: "asks for entry break-315-adj"})
	v.Flash = &ui.Alert{Tone: ui.OK, Title: "The entry waits for another person.", Text: "Request A-9 is sent."}
	return v
}
