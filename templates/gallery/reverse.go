package gallery

import (
	"daybook/recon"
	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/templates"
	"daybook/templates/ui"
)

// Two entries of March 2026 that were wrong: what is asked for. Who decides is in approvals.go.

func reverseScreens() []Screen {
	sent := reversalWithReplacement()
	sent.Sent = 62
	captured, payout := reversal(), reversal()
	captured.For = templates.PostedFor{Payment: 20800, Kind: payment.KindCapture}
	payout.For = templates.PostedFor{Payout: 30, PayoutName: "po-0328"}
	return []Screen{
		{"reverse-payment", "Reversal of the capture of a payment", groupBook, templates.ReversePage(captured)},
		{"reverse-payout", "Reversal of a payout", groupBook, templates.ReversePage(payout)},
		{"reverse", "Reversal of an entry", groupBook, templates.ReversePage(reversal())},
		{"reverse-replace", "Reversal with a replacement", groupBook, templates.ReversePage(reversalWithReplacement())},
		{"reverse-refused", "Reversal, refused", groupBook, templates.ReversePage(reversalRefused())},
		{"reverse-sent", "Reversal, whose form was sent before", groupBook, templates.ReversePage(sent)},
		{"reverse-impossible", "An entry that cannot be reversed", groupBook, templates.ReversePage(reversalImpossible())},
	}
}

func reversal() templates.Reverse {
	s := shell("Reverse entry #1,355", templates.PageJournal)
	s.Crumbs = []ui.Link{{Text: "Journal", Href: s.Book.URL("journal")}, {Text: "Entry #1,355", Href: s.Book.EntryURL(1355)}, {Text: "Request reversal"}}
	return templates.Reverse{
		Shell: s, Form: "form-51d0-4c9e-b7ab", Seq: 1355, TxID: "pay-lz-2291", Description: "Leem & Zoon, LZ-2291", EffectiveOn: ledger.MustDate("2026-03-13"),
		Original: []ui.Posting{line("2010", 128450), line("1010", -128450)}, Reversal: []ui.Posting{line("2010", -128450), line("1010", 128450)},
		ReversalTxID: "pay-lz-2291-rev", ReplacementTxID: "pay-lz-2291-fix", EffectsAsOf: ledger.MustDate("2026-03-31"),
		Effects: []templates.BalanceEffect{
			{Account: account("1010", "Bank, operating"), Currency: "EUR", NowMinor: 8081520, ReversalMinor: 128450, AfterMinor: 8209970},
			{Account: account("2010", "Trade payables"), Currency: "EUR", NowMinor: -673365, ReversalMinor: -128450, AfterMinor: -801815},
		},
		Breaks:    []templates.BreakName{{ID: 311, Type: recon.AmountMismatch, Why: "digits swapped"}},
		Approvers: []string{"Joris Aalbers"}, ReversalOn: "2026-03-31",
	}
}

func reversalWithReplacement() templates.Reverse {
	v := reversal()
	v.Reason, v.WithReplacement = "Typed 1,284.50, invoice and bank say 1,248.50. Swapped digits.", true
	v.Replacement = templates.ReplacementDraft{
		TxID: "pay-lz-2291-fix", EffectiveOn: "2026-03-31", Description: "Leem & Zoon, LZ-2291", Accounts: newEntry().Accounts,
		Lines: []ui.Line{{Account: "2010", Debit: "1,248.50"}, {Account: "1010", Credit: "1,248.50"}},
	}
	v.Effects[0].ReplacementMinor, v.Effects[0].AfterMinor = -124850, 8085120
	v.Effects[1].ReplacementMinor, v.Effects[1].AfterMinor = 124850, -676965
	return v
}

func reversalRefused() templates.Reverse {
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

func reversalImpossible() templates.Reverse {
	v := reversal()
	v.Breaks, v.Refused = nil, "It was reversed before, and an entry is reversed at most once."
	v.RefusedBy = ui.Link{Text: "Open #1,710", Href: v.Book.EntryURL(1710)}
	return v
}
