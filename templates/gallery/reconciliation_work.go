package gallery

import (
	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// breakWork is the form of somebody who has chosen two rows that add up.
func breakWork() templates.BreakWork {
	return templates.BreakWork{
		Offered: true, Form: "form-5b1e-4c02-9d11", UndoForm: "form-5b1e-4c02-9d12", Found: 17, SumMinor: 751696, Digest: "d41d8cd98f00", At: 315, Chosen: map[int64]bool{319: true},
		Parts: map[string]bool{"315.3.l.0.17": true, "315.3.p.1172.1": true}, MayPost: true, LimitMinor: 1000, LimitCurrency: "EUR",
		Accounts: []ui.AccountChoice{{Code: "6200", Name: "Processor fees", Currency: "EUR"}, {Code: "4010", Name: "Sales, web shop", Currency: "EUR"}},
	}
}

// workScreens are what the workspace says after something was done or refused, and the tabs that tell of it.
func workScreens() []Screen {
	done := reconciliation()
	done.Work.Chosen, done.Work.Parts = nil, nil
	done.Work.Done = &templates.WorkDone{Title: "3 breaks resolved: Carried forward.", Undo: templates.WorkUndo{Do: "reopen", Breaks: "315.4 316.5 317.3"}}
	waiting := reconciliation()
	waiting.Work.Done = &templates.WorkDone{Title: "B-311 waits for another person’s approval.", Tone: ui.Warn, Link: ui.Link{Text: "Request A-58", Href: done.Book.RequestURL(58)}}
	refused := reconciliation()
	refused.Work.Panel, refused.Work.Resolution, refused.Work.Note = templates.PanelResolve, recon.Adjusted, "Fee of March"
	refused.Work.Errors = []ledger.FieldError{{Field: "reason_code", Detail: "Choose a reason"}, {Field: "contra", Detail: "Give the account that takes the other side of the entry"}}
	late := reconciliation()
	late.Work.Refused = []templates.RefusedBreak{{ID: 318, Why: "break 318 has changed since you saw it (resolved as Carried forward by Ana Ruiz on 2026-04-01 09:40 UTC)"}}
	late.Work.Panel, late.Work.Resolution, late.Work.Reason = templates.PanelResolve, recon.External, recon.BankError
	late.Work.Done = &templates.WorkDone{Title: "B-319 resolved: Bank to correct.", Undo: templates.WorkUndo{Do: "reopen", Breaks: "319.2"}}
	all := reconciliation()
	all.Status, all.Work.All, all.Text = templates.BreaksOpen, true, "payout"
	cleared := agreed()
	cleared.Flash = nil
	cleared.Work.Done = done.Work.Done
	viewed := reconciliation()
	viewed.Work, viewed.Keys, viewed.MissingRight = templates.BreakWork{}, nil, "resolve"
	return []Screen{
		{"reconciliation-done", "Reconciliation after breaks were resolved", groupBank, templates.ReconciliationPage(done)},
		{"reconciliation-waiting", "Reconciliation after an entry was asked for", groupBank, templates.ReconciliationPage(waiting)},
		{"reconciliation-refused", "Reconciliation: a panel that was refused", groupBank, templates.ReconciliationPage(refused)},
		{"reconciliation-late", "Reconciliation: somebody was faster", groupBank, templates.ReconciliationPage(late)},
		{"reconciliation-all", "Reconciliation: all of a filter chosen", groupBank, templates.ReconciliationPage(all)},
		{"reconciliation-cleared", "Reconciliation after the last break", groupBank, templates.ReconciliationPage(cleared)},
		{"reconciliation-viewed", "Reconciliation of somebody who only reads", groupBank, templates.ReconciliationPage(viewed)},
		{"reconciliation-postings", "Reconciliation: ledger postings", groupBank, templates.ReconciliationPage(postingsTab())},
		{"reconciliation-history", "Reconciliation: history", groupBank, templates.ReconciliationPage(historyTab())},
	}
}

func postingsTab() templates.Reconciliation {
	v := reconciliation()
	v.Tab = templates.ReconciliationPosts
	v.Postings = []templates.PostingRow{
		{LedgerSide: ledgerSide(1162, "2026-03-02", 478599, "Payout, 41 orders", "po-0302")[0], MatchKind: recon.KindReference},
		{LedgerSide: ledgerSide(1244, "2026-03-06", 84700, "Bord & Co, INV-0226", "rcv-inv-0226")[0], BreakID: 322, BreakType: recon.MissingInBank, Status: templates.BreakStatus{Status: recon.Open}},
		{LedgerSide: ledgerSide(1662, "2026-03-30", 465341, "Payout, 46 orders", "po-0330")[0], BreakID: 327, BreakType: recon.Timing, Status: templates.BreakStatus{Status: recon.Resolved, Resolution: recon.CarriedForward}},
	}
	return v
}

func historyTab() templates.Reconciliation {
	v := reconciliation()
	v.Tab = templates.ReconciliationHistory
	v.History = []templates.HistoryStep{
		{About: "signoff", Event: "reopened", Note: "A line was booked twice", By: "Maja Berg", At: at("2026-04-02T10:00:00Z"), Version: 2},
		{About: "breaks", Event: "resolved", Resolution: recon.External, Reason: recon.BankError, Note: "Ticket 4471", By: "Ana Ruiz", At: at("2026-04-01T08:50:00Z"), Count: 14, BreakIDs: []int64{311, 312}},
		{About: "breaks", Event: "assigned", Assignee: "Tom de Wit", By: "Tom de Wit", At: at("2026-04-01T08:48:00Z"), Count: 1, BreakIDs: []int64{316}},
		{About: "breaks", Event: "requested", Reason: recon.BankFee, By: "Tom de Wit", At: at("2026-04-01T08:47:00Z"), Count: 1, BreakIDs: []int64{318}, Request: 58},
		{About: "match", Event: "made", Note: "Paid in one sum", By: "Tom de Wit", At: at("2026-04-01T08:45:00Z"), MatchID: 70, Lines: 1, Postings: 2},
		{About: "matching", By: "Ana Ruiz", At: at("2026-04-01T08:40:00Z")},
	}
	return v
}
