package gallery

import (
	"time"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func approvalsScreens() []Screen {
	return []Screen{
		{"approvals", "Approvals, one open", groupBook, templates.ApprovalsPage(approvals())},
		{"approvals-own", "Approvals: a request of one’s own", groupBook, templates.ApprovalsPage(ownApproval())},
		{"approvals-blocked", "Approvals: what cannot take effect", groupBook, templates.ApprovalsPage(blockedApproval())},
		{"approvals-viewer", "Approvals for who may not decide", groupBook, templates.ApprovalsPage(viewedApproval())},
		{"approvals-roles", "Approvals: someone’s roles", groupBook, templates.ApprovalsPage(roleApproval())},
		{"approvals-roles-stale", "Approvals: roles that were changed meanwhile", groupBook, templates.ApprovalsPage(staleRoleApproval())},
		{"approvals-period", "Approvals: the closing of a period", groupBook, templates.ApprovalsPage(periodApproval())},
		{"approvals-period-reopen", "Approvals: a reopening that can take no effect", groupBook, templates.ApprovalsPage(reopenApproval())},
		{"approvals-refund", "Approvals: a refund above the limit", groupBook, templates.ApprovalsPage(refundApproval())},
		{"approvals-refunded", "Approvals: a refund that was approved and came back", groupBook, templates.ApprovalsPage(refundApproved())},
		{"approvals-done", "Approvals: a decided one", groupBook, templates.ApprovalsPage(decidedApproval())},
		{"approvals-none", "Approvals, all done", groupBook, templates.ApprovalsPage(noApproval(templates.ApprovalsForMe))},
		{"approvals-none-mine", "Approvals, none of one’s own", groupBook, templates.ApprovalsPage(noApproval(templates.ApprovalsMine))},
		{"approvals-none-done", "Approvals before the first decision", groupBook, templates.ApprovalsPage(noApproval(templates.ApprovalsDone))},
	}
}

func approvals() templates.Approvals {
	row := templates.ApprovalRow{
		ID: 58, Seq: 1411, Description: "Insurance premium, March", Account: "6500 Insurance", AmountMinor: 21840, Currency: "EUR", Requester: "Ana Ruiz",
		Reason: "Same policy and month as #1,410, entered four minutes later. The bank took it once.", Age: 41 * time.Hour, Status: "pending",
	}
	second := templates.ApprovalRow{
		ID: 60, Seq: 1447, Replaces: true, Description: "Atelier Noor, INV-0318", Account: "1010 Bank, operating", AmountMinor: 242000, Currency: "EUR", Requester: "Maja Lind",
		Reason: "The bank kept 25.00", Age: 52 * time.Minute, Status: "pending",
	}
	insurance := ui.Posting{Code: "6500", Name: "Insurance", Href: shell("", "").Book.AccountURL("6500"), Minor: 21840, Currency: "EUR"}
	back := insurance
	back.Minor = -21840
	return templates.Approvals{
		Shell: shell("Approvals", templates.PageApprovals), MayDecide: true, MayRequest: true, Status: templates.ApprovalsForMe, ForMe: 3, Mine: 1, Done: 27, Queue: []templates.ApprovalRow{row, second},
		SignOffs: []templates.SignOffRow{{ReconciliationID: 4, Account: "1020", Period: "March 2026", StatementMinor: 2740000, Currency: "EUR", SubmittedBy: "Ana Ruiz", Age: 40 * time.Minute}},
		Detail: &templates.ApprovalDetail{
			ApprovalRow: row, RequestedAt: at("2026-03-30T16:20:00Z"), EffectiveOn: ledger.MustDate("2026-03-31"),
			Original: []ui.Posting{insurance, line("1010", -21840)}, Reversal: []ui.Posting{back, line("1010", 21840)}, ReversalTxID: "ins-2026-03b-rev",
			Checks: []templates.ApprovalCheck{
				{What: "Not reversed yet", AtRequest: "Not reversed", Now: "Not reversed", Holds: true},
				{What: "Period of 2026-03-31", AtRequest: "Open", Now: "Open", Holds: true},
				{What: "Request as it was sent", AtRequest: "9f27 41c0", Now: "9f27 41c0", Holds: true},
				{What: "Requester is not you", AtRequest: "Ana Ruiz", Now: "Tom de Wit", Holds: true},
			},
			CheckedAt: at("2026-04-01T09:42:00Z"),
			Effects: []templates.BalanceEffect{
				{Account: account("1010", "Bank, operating"), Currency: "EUR", NowMinor: 8081520, AfterMinor: 8103360},
				{Account: account("6500", "Insurance"), Currency: "EUR", NowMinor: 87360, AfterMinor: 65520},
			},
			Breaks: []templates.BreakName{{ID: 325, Type: recon.DuplicateInLedger, Why: "equal to #1,410"}},
			Decide: templates.DecisionForm{Form: "form-93d1-4a80-b6c4"},
		},
	}
}

func noApproval(status string) templates.Approvals {
	return templates.Approvals{Shell: shell("Approvals", templates.PageApprovals), Status: status, MayDecide: true, MayRequest: status == templates.ApprovalsMine}
}

// ownApproval is the queue of the person who asked: nothing to approve, only to recall.
func ownApproval() templates.Approvals {
	v := approvals()
	v.Status, v.Queue = templates.ApprovalsMine, nil
	d := *v.Detail
	d.Requester, d.Decide.Own, d.Replaces = "Tom de Wit", true, true
	d.Replacement = &templates.ReplacementView{TxID: "ins-2026-03b-fix", EffectiveOn: ledger.MustDate("2026-03-31"), Description: "Insurance premium, April", Postings: d.Original}
	v.Queue, v.Detail = []templates.ApprovalRow{d.ApprovalRow}, &d
	return v
}

func blockedApproval() templates.Approvals {
	v := approvals()
	d := *v.Detail
	d.Checks = append([]templates.ApprovalCheck(nil), d.Checks...)
	d.Checks[1].Now, d.Checks[1].Holds = "Closed", false
	d.Decide.Blocked = "March 2026 is closed: reject the request, or ask for the period to be opened."
	d.Decide.Errors = []ledger.FieldError{{Field: "note", Detail: "Say why you reject it"}}
	v.Detail = &d
	return v
}

func decidedApproval() templates.Approvals {
	v := approvals()
	d := *v.Detail
	v.Status, d.Status = templates.ApprovalsDone, "approved"
	d.Decision = &templates.DecisionView{Decision: "approved", By: "Joris Aalbers", At: at("2026-04-01T10:15:00Z"), Note: "Checked with the policy", ReversalSeq: 1707}
	v.Queue, v.Detail = []templates.ApprovalRow{d.ApprovalRow}, &d
	return v
}

func viewedApproval() templates.Approvals {
	v := approvals()
	d := *v.Detail
	d.Decide.MissingRight = "decide"
	v.Status, v.ForMe, v.Mine, v.Others = templates.ApprovalsOthers, 0, 0, 2
	v.Detail, v.MayDecide, v.MayRequest = &d, false, false
	return v
}

// roleApproval is the queue of an administrator.
func roleApproval() templates.Approvals {
	row := templates.ApprovalRow{
		ID: 63, Title: "Roles of Maja Lind", Description: "preparer → preparer, approver", Requester: "Pim Haan", Reason: "Stands in for Joris in April",
		Age: 3 * time.Hour, Status: "pending",
	}
	return templates.Approvals{
		Shell: shell("Approvals", templates.PageApprovals), MayDecide: true, Status: templates.ApprovalsForMe, ForMe: 1, Others: 2, Done: 27, Queue: []templates.ApprovalRow{row},
		Detail: &templates.ApprovalDetail{
			ApprovalRow: row, RequestedAt: at("2026-04-01T06:42:00Z"), CheckedAt: at("2026-04-01T09:42:00Z"),
			RoleChange: &templates.RoleChangeView{
				Person: "Maja Lind", Email: "maja@kilnandco.example", Before: "preparer", After: "preparer, approver",
				Added: []templates.RoleView{{Name: "Approver", Allows: "read this book, request to close and to reopen periods, decide requests"}}, Both: true,
			},
			Checks: []templates.ApprovalCheck{
				{What: "Roles of Maja Lind", AtRequest: "preparer", Now: "preparer", Holds: true},
				{What: "Pim Haan may ask", AtRequest: "Administrator", Now: "Administrator", Holds: true},
				{What: "Administrators left", AtRequest: "At least one", Now: "At least one", Holds: true},
				{What: "Request as it was sent", AtRequest: "41c09f27…e0b1", Now: "41c09f27…e0b1", Holds: true},
				{What: "Requester is not you", AtRequest: "Pim Haan", Now: "Joris Aalbers", Holds: true},
			},
			Decide: templates.DecisionForm{Form: "form-7be2-4a80-b6c4"},
		},
	}
}

func staleRoleApproval() templates.Approvals {
	v := roleApproval()
	d := *v.Detail
	d.Checks = append([]templates.ApprovalCheck(nil), d.Checks...)
	d.Checks[0].Now, d.Checks[0].Holds = "preparer, auditor", false
	d.Decide.Blocked = "It cannot take effect any more: see the checks above."
	v.Detail = &d
	return v
}
