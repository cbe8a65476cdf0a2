package gallery

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

func euros(minor int64) ui.Money { return ui.Money{Minor: minor, Currency: "EUR"} }

func eurosPtr(minor int64) *ui.Money {
	m := euros(minor)
	return &m
}

// different is an amount beside another, with the digits that differ marked.
func different(minor, against int64) ui.Money {
	return ui.Money{Minor: minor, Currency: "EUR", Against: &against}
}

func rentPostings() ui.Postings {
	return ui.Postings{Caption: "Postings that balance", ShowTotals: true, Rows: []ui.Posting{line("6100", 210500), line("2210", 44205), line("1010", -254705)}}
}

// mixedPostings are in two currencies, so each row says its own.
func mixedPostings() ui.Postings {
	yen := func(code, name string, minor int64) ui.Posting {
		return ui.Posting{Code: code, Name: name, Href: shell("", "").Book.AccountURL(code), Minor: minor, Currency: "JPY"}
	}
	return ui.Postings{Caption: "Postings in two currencies", ShowTotals: true, Rows: []ui.Posting{
		line("1010", 84700), line("customer:bord", -84700), yen("1050", "Bank, Tokyo", 120000), yen("customer:yuki", "Yuki Tanaka", -120000),
	}}
}

func proofOf(unexplained int64, chip ui.Chip) ui.Proof {
	return ui.Proof{
		Terms: []ui.Term{
			{Label: "Balance per ledger", Money: euros(8081520)}, {Op: "+", Label: "Outstanding payments", Money: euros(96000)},
			{Op: "−", Label: "Deposits in transit", Money: euros(648171)}, {Op: "−", Label: "Bank to correct", Money: euros(14630)},
			{Op: "=", Label: "Expected at the bank", Money: euros(7514719)}, {Label: "Balance per statement", Money: euros(7514719 - unexplained)},
		},
		End: ui.Term{Label: "Unexplained", Money: euros(unexplained)}, Chip: chip,
	}
}

func standingProof() ui.Sum {
	return ui.Sum{Caption: "Proof, standing", Rows: []ui.SumRow{
		{Label: "Balance per ledger", Money: euros(8081520)}, {Label: "Outstanding payments", Money: euros(96000)}, {Label: "Deposits in transit", Money: euros(-648171)},
		{Label: "Bank to correct", Money: euros(-14630)}, {Label: "Expected at the bank", Money: euros(7514719), Total: true},
		{Label: "Balance per statement", Money: euros(7329824)}, {Label: "Unexplained", Money: euros(184895), Final: true},
	}}
}

func exampleRail() ui.Rail {
	return ui.Rail{Label: "Example of a rail", Groups: []ui.RailGroup{
		{Title: "Open", Items: []ui.RailItem{
			{Icon: "equal-not", Text: "Amount differs", Href: "#rail", Count: 5, Money: eurosPtr(8642), Current: true},
			{Icon: "notebook-off", Text: "Missing in ledger", Href: "#rail", Count: 4, Money: eurosPtr(126611)},
		}},
		{Title: "Explained", Items: []ui.RailItem{{Icon: "hourglass", Text: "Timing", Href: "#rail", Count: 3, Money: eurosPtr(552171)}}},
	}}
}

func exampleQueue() ui.Queue {
	return ui.Queue{Label: "Example of a queue", Items: []ui.QueueItem{
		{Title: "Insurance premium, March", Line: "Reversal of #1,411", Age: "2 d", Meta: "Ana Ruiz · 6500 Insurance", Href: "#rail", Money: eurosPtr(21840), Current: true},
		{Title: "Atelier Noor, INV-0318", Line: "Reversal and replacement of #1,447", Age: "52 min", Meta: "Maja Lind · 1010 Bank, operating", Href: "#rail", Money: eurosPtr(242000)},
	}}
}

func exampleEditor() ui.Editor {
	return ui.Editor{
		Caption: "Postings typed", Accounts: newEntry().Accounts,
		Lines:  []ui.Line{{Account: "2010", Debit: "960.00"}, {Account: "1010", Credit: "959.50"}, {Account: "customer:yuko", Debit: "12.5"}},
		Errors: []ledger.FieldError{{Field: "postings[2].account", Detail: "There is no account customer:yuko"}},
	}
}

func exampleFacts() ui.KeyValue {
	return ui.KeyValue{
		{Name: "Text", Text: "LEEM & ZOON"}, {Name: "Entry", Text: "#1,355", Href: entryLink(1355).Href}, {Name: "Amount", Money: eurosPtr(-124850)},
		{Name: "Before", Text: "Not uploaded yet", Muted: true}, {Name: "State", Chip: ui.Chip{Text: "Matched", Tone: ui.OK}},
		{Name: "Hash", Text: entry().Hash, Mono: true, Copy: true},
	}
}

func exampleTimeline() ui.Timeline {
	return ui.Timeline{
		{Text: "Requested", At: at("2026-03-30T16:20:00Z"), By: "Ana Ruiz"},
		{Text: "Rejected", Detail: "“Attach the policy, please.”", At: at("2026-03-31T09:00:00Z"), By: "Tom de Wit", Fail: true},
		{Text: "Requested again", At: at("2026-03-31T09:20:00Z"), By: "Ana Ruiz", Ref: entryLink(1411), Now: true},
	}
}
