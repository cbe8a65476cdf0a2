package gallery

import (
	"time"

	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func periodScreens() []Screen {
	return []Screen{
		{"period", "A period with things left to do", groupControl, templates.PeriodPage(openPeriod())},
		{"period-ready", "A period ready to be closed, a request that was refused", groupControl, templates.PeriodPage(readyPeriod())},
		{"period-waiting", "A period whose closing waits", groupControl, templates.PeriodPage(waitingPeriod())},
		{"period-closed", "A closed period", groupControl, templates.PeriodPage(closedPeriod())},
		{"period-viewer", "A period for who may not ask", groupControl, templates.PeriodPage(viewedPeriod())},
	}
}

// periodOf is a month of the list with what surrounds it.
func periodOf(row templates.PeriodRow) templates.Period {
	s := shell("", templates.PagePeriods)
	s.Title = templates.NameOfPeriod(row.Period)
	s.Crumbs = []ui.Link{{Text: "Periods", Href: s.Book.URL("periods")}, {Text: s.Title}}
	return templates.Period{Shell: s, PeriodRow: row, Form: "form-2b91-4a80-b6c4", Approvers: []string{"Tom de Wit", "Joris Aalbers"}}
}

func openPeriod() templates.Period {
	v := periodOf(periods().Rows[1])
	v.Notes = periodNotes()
	return v
}

func periodNotes() []templates.PeriodNote {
	book := shell("", "").Book
	warn := func(text string) ui.Chip { return ui.Chip{Text: text, Tone: ui.Warn} }
	return []templates.PeriodNote{
		{Name: "Month", Chip: warn("Not over yet"), Text: "Entries of its days to come would be refused too."},
		{
			Name: "Reversals", Chip: warn("2 wait for approval"), Text: "With a date in it: while it is closed they cannot take effect.",
			Links: []ui.Link{{Text: "A-58", Href: book.RequestURL(58)}, {Text: "A-60", Href: book.RequestURL(60)}},
		},
		{Name: "Breaks", Chip: warn("15 open"), Links: []ui.Link{{Text: "1010 Bank, operating", Href: book.ReconciliationURL(3)}}},
		{Name: "Statements", Chip: warn("None ends in it"), Links: []ui.Link{{Text: "1020 Bank, VAT reserve", Href: book.AccountURL("1020")}}},
		{Name: "Months before", Chip: warn("1 open"), Links: []ui.Link{{Text: "February 2026", Href: book.PeriodURL("2026-02")}}},
	}
}

func readyPeriod() templates.Period {
	v := periodOf(periods().Rows[2])
	v.RequestID, v.ReasonText = 0, ""
	v.Accounts[0].OpenBreaks = 0
	v.Reason, v.Errors = "Bank proven <to the cent>", []ledger.FieldError{{Field: "reason", Detail: "Note is longer than 10,000 characters"}}
	v.History = ui.Timeline{
		{Text: "Closing asked for,", Ref: ui.Link{Text: "A-41", Href: v.Book.RequestURL(41)}, Detail: "All done", At: at("2026-03-02T10:30:00Z"), By: "Ana Ruiz"},
		{Text: "Rejected", Detail: "The VAT entry is missing", At: at("2026-03-02T11:04:00Z"), By: "Tom de Wit", Now: true},
	}
	return v
}

func waitingPeriod() templates.Period {
	v := periodOf(periods().Rows[2])
	v.History = ui.Timeline{{Text: "Closing asked for,", Ref: ui.Link{Text: "A-64", Href: v.Book.RequestURL(64)}, Detail: v.ReasonText, At: at("2026-04-01T08:10:00Z"), By: "Ana Ruiz", Now: true}}
	return v
}

func closedPeriod() templates.Period {
	v := periodOf(periods().Rows[3])
	v.Nav.MayAudit = true
	v.History = ui.Timeline{
		{Text: "Closing asked for,", Ref: ui.Link{Text: "A-37", Href: v.Book.RequestURL(37)}, Detail: v.ReasonText, At: at("2026-02-09T14:50:00Z"), By: "Ana Ruiz"},
		{Text: "Closed", Detail: "Proof of 1010 seen", At: at("2026-02-09T15:04:00Z"), By: "Tom de Wit", Now: true},
	}
	return v
}

func viewedPeriod() templates.Period {
	v := openPeriod()
	v.MissingRight, v.Notes = "periods", nil
	return v
}

func periodApproval() templates.Approvals {
	row := templates.ApprovalRow{
		ID: 64, Title: "Close March 2026", Description: "Entries dated in it are refused from then on", Requester: "Ana Ruiz", Reason: "All accounts looked at, two items carried forward",
		Age: 3 * time.Hour, Status: "pending",
	}
	return templates.Approvals{
		Shell: shell("Approvals", templates.PageApprovals), MayDecide: true, Status: templates.ApprovalsForMe, ForMe: 1, Done: 27, Queue: []templates.ApprovalRow{row},
		Detail: &templates.ApprovalDetail{
			ApprovalRow: row, RequestedAt: at("2026-04-01T06:42:00Z"), CheckedAt: at("2026-04-01T09:42:00Z"),
			PeriodChange: &templates.PeriodChangeView{PeriodRow: periods().Rows[1], Closes: true, Notes: periodNotes()[1:]},
			Checks: []templates.ApprovalCheck{
				{What: "March 2026", AtRequest: "Open", Now: "Open", Holds: true},
				{What: "Request as it was sent", AtRequest: "41c09f27…e0b1", Now: "41c09f27…e0b1", Holds: true},
				{What: "Requester is not you", AtRequest: "Ana Ruiz", Now: "Joris Aalbers", Holds: true},
			},
			Decide: templates.DecisionForm{Form: "form-7be2-4a80-b6c5"},
		},
	}
}

func reopenApproval() templates.Approvals {
	v := periodApproval()
	d := *v.Detail
	d.Title, d.Description, d.Reason = "Reopen January 2026", "Entries dated in it are taken again", ""
	row := periods().Rows[3]
	row.ClosedAt, row.ClosedBy, row.ReasonText = time.Time{}, "", ""
	d.PeriodChange = &templates.PeriodChangeView{PeriodRow: row}
	d.Checks = append([]templates.ApprovalCheck{{What: "January 2026", AtRequest: "Closed", Now: "Open"}}, d.Checks[1:]...)
	d.Decide.Blocked = "It cannot take effect any more: see the checks above."
	v.Detail, v.Queue = &d, []templates.ApprovalRow{d.ApprovalRow}
	return v
}
