package gallery

import (
	"time"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func overviewScreens() []Screen {
	viewer := overview()
	viewer.User.Roles, viewer.Nav.MayUpload, viewer.Nav.ApprovalsWaiting, viewer.MayPost = []string{"Viewer"}, false, 0, false
	viewer.Needs.MayDecide, viewer.Needs.MayRequest = false, false
	machines := overview()
	machines.Needs.PaymentsUnknown, machines.Needs.InboxUnapplied, machines.Nav.PaymentsUnknown, machines.Nav.InboxUnapplied = 1, 2, 1, 2
	return []Screen{
		{"overview-machines", "The overview with a payment unknown and messages not applied", groupBook, templates.OverviewPage(machines)},
		{"overview", "The overview of a busy day", groupBook, templates.OverviewPage(overview())},
		{"overview-viewer", "The overview as a viewer has it", groupBook, templates.OverviewPage(viewer)},
		{"overview-quiet", "The overview when all is done", groupBook, templates.OverviewPage(quietOverview())},
		{"overview-currencies", "The overview of accounts in several currencies", groupBook, templates.OverviewPage(mixedOverview())},
		{"overview-empty", "The overview of an empty book", groupBook, templates.OverviewPage(emptyOverview())},
		{"overview-fault", "The overview of a book that was changed", groupBook, templates.OverviewPage(faultyOverview())},
		{"overview-totals", "The overview of a book whose kept totals were changed", groupBook, templates.OverviewPage(wrongTotals())},
	}
}

func overview() templates.Overview {
	return templates.Overview{
		Shell: shell("Overview", templates.PageOverview), Today: ledger.MustDate("2026-04-01"), MayPost: true,
		Needs: templates.Needs{
			MayDecide: true, MayRequest: true, ForMe: 3, OldestForMe: 50 * time.Hour, Others: 3, OldestOthers: 50 * time.Hour, Mine: 1, OldestMine: 3 * time.Hour,
			OpenBreaks: 15, BreakAccounts: 1, OldestBreak: 315, OldestBreakDays: 29, Unmatched: 4,
		},
		Banks: []templates.BankLine{
			{Account: account("1010", "Bank, operating"), Currency: "EUR", Reconciliation: 7, StatementTo: ledger.MustDate("2026-03-31"), Status: "open",
				Proof: proven(8081520, 648171, -96000, 14630, 7329824), OpenBreaks: 15, OldestDays: 29, Unmatched: 4, ReconciledTo: ledger.MustDate("2026-02-28")},
			{Account: account("1020", "Bank, VAT reserve"), Currency: "EUR", Reconciliation: 6, StatementTo: ledger.MustDate("2026-02-28"), Status: "open",
				Proof: proven(2740000, 0, 0, 0, 2740000), ReconciledTo: ledger.MustDate("2026-02-28")},
			{Account: account("2600", "Card of the company"), Currency: "EUR", Reconciliation: 5, StatementTo: ledger.MustDate("2026-03-31"), Status: "open",
				Proof: proven(-165480, 0, 0, 0, -165480), ReconciledTo: ledger.MustDate("2026-03-31"), Assumed: true},
		},
		Sound: sound(),
		Rates: []ui.RatePoint{
			{Text: "Oct 2025", Short: "Oct", PerMille: 812, Part: 65, Whole: 80}, {Text: "Nov 2025", Short: "Nov", PerMille: 840, Part: 63, Whole: 75}, {Text: "Dec 2025", Short: "Dec", PerMille: 794, Part: 77, Whole: 97},
			{Text: "Jan 2026", Short: "Jan", PerMille: 881, Part: 74, Whole: 84}, {Text: "Feb 2026", Short: "Feb", PerMille: 913, Part: 63, Whole: 69}, {Text: "Mar 2026", Short: "Mar", PerMille: 863, Part: 69, Whole: 80},
		},
		Ages: []ui.Bar{
			{Text: "0–2 days", Values: []int{0, 2, 0, 0}}, {Text: "3–5 days", Values: []int{0, 0, 0, 0}},
			{Text: "6–30 days", Values: []int{5, 3, 4, 1}}, {Text: "31+ days", Values: []int{0, 0, 0, 0}},
		},
		Weeks: []ui.Bar{
			{Text: "9 Feb", Values: []int{3, 0}}, {Text: "16 Feb", Values: []int{0, 2}}, {Text: "23 Feb", Values: []int{6, 8}}, {Text: "2 Mar", Values: []int{5, 4}},
			{Text: "9 Mar", Values: []int{9, 6}}, {Text: "16 Mar", Values: []int{7, 9}}, {Text: "23 Mar", Values: []int{8, 5}}, {Text: "30 Mar", Values: []int{11, 1}},
		},
	}
}

// proven is a proof of the balance per ledger, what explains it, and the balance per statement.
func proven(ledgerMinor, inTransit, outstanding, other, statementMinor int64) recon.Proof {
	p := recon.Proof{LedgerMinor: ledgerMinor, InTransitMinor: inTransit, OutstandingMinor: outstanding, OtherExplainedMinor: other, StatementMinor: statementMinor}
	p.ExpectedMinor = ledgerMinor - inTransit - outstanding - other
	p.UnexplainedMinor = p.ExpectedMinor - statementMinor
	return p
}

func sound() templates.Soundness {
	return templates.Soundness{
		Currencies: []string{"EUR"}, LastClosed: "2026-02", LastStatement: "1010", LastStatementDays: 1, Verified: true, VerifiedAt: at("2026-04-01T09:40:00Z"), Entries: 1702,
	}
}

func quietOverview() templates.Overview {
	v := overview()
	v.Nav.ApprovalsWaiting, v.Nav.OpenBreaks = 0, 0
	v.Needs = templates.Needs{MayDecide: true, MayRequest: true}
	v.Banks = v.Banks[2:]
	v.Sound.Entries = v.Book.Head
	for i := range v.Ages {
		v.Ages[i].Values = make([]int, len(v.Ages[i].Values))
	}
	return v
}

func mixedOverview() templates.Overview {
	v := overview()
	v.Banks = append(v.Banks[:2:2],
		templates.BankLine{Account: account("1050", "Bank, Tokyo"), Currency: "JPY", Reconciliation: 8, StatementTo: ledger.MustDate("2026-03-31"), Status: "open",
			Proof: proven(1200000, 45000, 0, 0, 1155000), ReconciledTo: ledger.MustDate("2026-03-31")},
		templates.BankLine{Account: account("1060", "Bank, Kuwait"), Currency: "KWD", Reconciliation: 9, StatementTo: ledger.MustDate("2026-03-31"), Status: "open",
			Proof: proven(1250500, 0, 0, 0, 1250500), OpenBreaks: 2, OldestDays: 4, EarlierUnseen: true},
		templates.BankLine{Account: account("1070", "Bank, Zürich"), Currency: "CHF"})
	v.Sound.Currencies = []string{"CHF", "EUR", "JPY", "KWD", "USD"}
	v.Needs.BreakAccounts = 2
	return v
}

func emptyOverview() templates.Overview {
	v := templates.Overview{Shell: shell("Overview", templates.PageOverview), Today: ledger.MustDate("2026-04-01"), MayPost: true}
	v.Book.Head, v.Nav.ApprovalsWaiting, v.Nav.OpenBreaks = 0, 0, 0
	v.Needs = templates.Needs{MayDecide: true, MayRequest: true}
	return v
}

func faultyOverview() templates.Overview {
	v := overview()
	v.Sound.Entries, v.Sound.FaultSeq, v.Sound.GuardsOff = 1162, 1163, 2
	v.Sound.Fault = "entry 1163: is not what was recorded: its content does not have its hash"
	return v
}

func wrongTotals() templates.Overview {
	v := overview()
	v.Sound.Differing = []string{"EUR"}
	v.Sound.Fault = "account 1010: its kept total is debits 108,553.33 and credits 34,889.03 EUR, and its postings sum to debits 108,553.32 and credits 34,889.03"
	return v
}
