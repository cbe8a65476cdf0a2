package templates

import (
	"time"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Two entries of March 2026 that were wrong: what is asked for, and who decides.

func reversal() Reverse {
	s := shell("Reverse entry #1,355", PageJournal)
	s.Crumbs = []ui.Link{{Text: "Journal", Href: s.Book.URL("journal")}, {Text: "Entry #1,355", Href: s.Book.EntryURL(1355)}, {Text: "Request reversal"}}
	return Reverse{
		Shell: s, Form: "form-51d0-4c9e-b7ab", Seq: 1355, TxID: "pay-lz-2291", Description: "Leem & Zoon, LZ-2291", EffectiveOn: ledger.MustDate("2026-03-13"),
		Original: []ui.Posting{line("2010", 128450), line("1010", -128450)}, Reversal: []ui.Posting{line("2010", -128450), line("1010", 128450)},
		ReversalTxID: "pay-lz-2291-rev", ReplacementTxID: "pay-lz-2291-fix", EffectsAsOf: ledger.MustDate("2026-03-31"),
		Effects: []BalanceEffect{
			{Account: account("1010", "Bank, operating"), Currency: "EUR", NowMinor: 8081520, ReversalMinor: 128450, AfterMinor: 8209970},
			{Account: account("2010", "Trade payables"), Currency: "EUR", NowMinor: -673365, ReversalMinor: -128450, AfterMinor: -801815},
		},
		Breaks:    []BreakName{{ID: 311, Type: recon.AmountMismatch, Why: "digits swapped"}},
		Approvers: []string{"Joris Aalbers"}, ReversalOn: "2026-03-31",
	}
}

func reversalWithReplacement() Reverse {
	v := reversal()
	v.Reason, v.WithReplacement = "Typed 1,284.50, invoice and bank say 1,248.50. Swapped digits.", true
	v.Replacement = ReplacementDraft{
		TxID: "pay-lz-2291-fix", EffectiveOn: "2026-03-31", Description: "Leem & Zoon, LZ-2291", Accounts: newEntry().Accounts,
		Lines: []ui.Line{{Account: "2010", Debit: "1,248.50"}, {Account: "1010", Credit: "1,248.50"}},
	}
	v.Effects[0].ReplacementMinor, v.Effects[0].AfterMinor = -124850, 8085120
	v.Effects[1].ReplacementMinor, v.Effects[1].AfterMinor = 124850, -676965
	return v
}

func reversalRefused() Reverse {
	v := reversalWithReplacement()
	v.Reason, v.ReversalOn, v.Effects = "", "2026-02-28", nil
	v.Replacement.Lines[1].Credit = "1,284.5x"
	v.Errors = []ledger.FieldError{
		{Field: "reason", Detail: "Say why the entry is wrong"},
		{Field: "effective_on", Detail: "28 February 2026 lies in a closed period"},
		{Field: "replacement.postings[1].amount", Detail: "“1,284.5x” is not an amount: write it as 1234.56"},
	}
	return v
}

func reversalImpossible() Reverse {
	v := reversal()
	v.Breaks, v.Refused = nil, "It was reversed before, and an entry is reversed at most once."
	v.RefusedBy = ui.Link{Text: "Open #1,710", Href: v.Book.EntryURL(1710)}
	return v
}

func approvals() Approvals {
	row := ApprovalRow{
		ID: 58, Seq: 1411, Description: "Insurance premium, March", Account: "6500 Insurance", AmountMinor: 21840, Currency: "EUR", Requester: "Ana Ruiz",
		Reason: "Same policy and month as #1,410, entered four minutes later. The bank took it once.", Age: 41 * time.Hour, Status: "pending",
	}
	second := ApprovalRow{
		ID: 60, Seq: 1447, Replaces: true, Description: "Atelier Noor, INV-0318", Account: "1010 Bank, operating", AmountMinor: 242000, Currency: "EUR", Requester: "Maja Lind",
		Reason: "The bank kept 25.00", Age: 52 * time.Minute, Status: "pending",
	}
	insurance := ui.Posting{Code: "6500", Name: "Insurance", Href: shell("", "").Book.AccountURL("6500"), Minor: 21840, Currency: "EUR"}
	back := insurance
	back.Minor = -21840
	return Approvals{
		Shell: shell("Approvals", PageApprovals), MayDecide: true, MayRequest: true, Status: ApprovalsForMe, ForMe: 2, Mine: 1, Done: 27, Queue: []ApprovalRow{row, second},
		Detail: &ApprovalDetail{
			ApprovalRow: row, RequestedAt: at("2026-03-30T16:20:00Z"), EffectiveOn: ledger.MustDate("2026-03-31"),
			Original: []ui.Posting{insurance, line("1010", -21840)}, Reversal: []ui.Posting{back, line("1010", 21840)}, ReversalTxID: "ins-2026-03b-rev",
			Checks: []ApprovalCheck{
				{What: "Not reversed yet", AtRequest: "Not reversed", Now: "Not reversed", Holds: true},
				{What: "Period of 2026-03-31", AtRequest: "Open", Now: "Open", Holds: true},
				{What: "Request as it was sent", AtRequest: "9f27 41c0", Now: "9f27 41c0", Holds: true},
				{What: "Requester is not you", AtRequest: "Ana Ruiz", Now: "Tom de Wit", Holds: true},
			},
			CheckedAt: at("2026-04-01T09:42:00Z"),
			Effects: []BalanceEffect{
				{Account: account("1010", "Bank, operating"), Currency: "EUR", NowMinor: 8081520, AfterMinor: 8103360},
				{Account: account("6500", "Insurance"), Currency: "EUR", NowMinor: 87360, AfterMinor: 65520},
			},
			Breaks: []BreakName{{ID: 325, Type: recon.DuplicateInLedger, Why: "equal to #1,410"}},
			Decide: DecisionForm{Form: "form-93d1-4a80-b6c4"},
		},
	}
}

// ownApproval is the queue of the person who asked: nothing to approve, only to recall.
func ownApproval() Approvals {
	v := approvals()
	v.Status, v.Queue = ApprovalsMine, nil
	d := *v.Detail
	d.Requester, d.Decide.Own, d.Replaces = "Tom de Wit", true, true
	d.Replacement = &ReplacementView{TxID: "ins-2026-03b-fix", EffectiveOn: ledger.MustDate("2026-03-31"), Description: "Insurance premium, April", Postings: d.Original}
	v.Queue, v.Detail = []ApprovalRow{d.ApprovalRow}, &d
	return v
}

func blockedApproval() Approvals {
	v := approvals()
	d := *v.Detail
	d.Checks = append([]ApprovalCheck(nil), d.Checks...)
	d.Checks[1].Now, d.Checks[1].Holds = "Closed", false
	d.Decide.Blocked = "March 2026 is closed: reject the request, or ask for the period to be opened."
	d.Decide.Errors = []ledger.FieldError{{Field: "note", Detail: "Say why you reject it"}}
	v.Detail = &d
	return v
}

func decidedApproval() Approvals {
	v := approvals()
	d := *v.Detail
	v.Status, d.Status = ApprovalsDone, "approved"
	d.Decision = &DecisionView{Decision: "approved", By: "Joris Aalbers", At: at("2026-04-01T10:15:00Z"), Note: "Checked with the policy", ReversalSeq: 1707}
	v.Queue, v.Detail = []ApprovalRow{d.ApprovalRow}, &d
	return v
}

func viewedApproval() Approvals {
	v := approvals()
	d := *v.Detail
	d.Decide.MissingRight = "decide"
	v.Detail, v.MayDecide, v.MayRequest = &d, false, false
	return v
}
