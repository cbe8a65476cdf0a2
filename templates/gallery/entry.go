package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func entryScreens() []Screen {
	posted := newEntry()
	posted.Posted = 1707
	paid := entry()
	paid.TxID, paid.Description, paid.Key, paid.Payment, paid.MessageSource, paid.MessageID = "pay-20800-captured", "Payment P-20800, Ravi Meijer", "", 20800, "payport", "evt_90381"
	paid.Chain, paid.ReversedBy, paid.Postings = nil, 0, []ui.Posting{line("1210", 12928), line("6200", 222), line("4010", -13150)}
	payout := paid
	payout.TxID, payout.Description, payout.Payment, payout.Payout, payout.PayoutName, payout.MessageID = "payout-30", "Payout po-0328, 4 items", 0, 30, "po-0328", "evt_0328"
	payout.Postings = []ui.Posting{line("1010", 26588), line("1210", -26588)}
	return []Screen{
		{"entry-payout", "An entry that a payout posted by itself", groupBook, templates.EntryPage(payout)},
		{"entry-payment", "An entry that a payment posted by itself", groupBook, templates.EntryPage(paid)},
		{"entry", "An entry that was reversed and replaced", groupBook, templates.EntryPage(entry())},
		{"entry-new", "New entry", groupBook, templates.NewEntryPage(newEntry())},
		{"entry-refused", "New entry, refused", groupBook, templates.NewEntryPage(refusedEntry())},
		{"entry-far", "New entry, dated far ahead", groupBook, templates.NewEntryPage(farEntry())},
		{"entry-posted", "New entry, whose form was posted before", groupBook, templates.NewEntryPage(posted)},
		{"entry-none", "New entry in a book without accounts", groupBook, templates.NewEntryPage(templates.NewEntry{Shell: newEntry().Shell, Form: "form-51d0-4c9e-b7aa", EffectiveOn: "2026-04-01"})},
	}
}

func entry() templates.Entry {
	s := shell("Entry #1,163", templates.PageJournal)
	s.Crumbs = []ui.Link{{Text: "Journal", Href: s.Book.URL("journal")}, {Text: "Entry #1,163"}}
	step := func(label string, seq, minor int64, note string) ui.ChainStep {
		return ui.ChainStep{
			Label: label, Entry: ui.Link{Text: ui.Format{}.Seq(seq), Href: s.Book.EntryURL(seq)}, Money: ui.Money{Minor: minor, Currency: "EUR"}, Note: note,
		}
	}
	e := templates.Entry{
		Shell: s, Seq: 1163, TxID: "rent-2026-03", Description: "Rent, kiln hall, March", EffectiveOn: ledger.MustDate("2026-03-02"),
		RecordedAt: at("2026-03-02T09:12:30Z"), By: "Ana Ruiz", Kind: "entry", Key: "form-8c1e-4b77-a0d2", ReversedBy: 1182,
		Postings: []ui.Posting{line("6100", 215000), line("2210", 45150), line("1010", -260150)},
		Chain: ui.Chain{
			step("Original", 1163, 260150, "2026-03-02, Ana Ruiz"),
			step("Reversal", 1182, -260150, "2026-03-03, asked by Ana Ruiz, approved by Tom de Wit"),
			step("Replacement", 1183, 254705, "2026-03-03, same request"),
		},
		ChainNote:     "Reason: wrong amount. “Invoice says 2,105.00 net, I typed 2,150.00.”",
		PreviousHash:  "8894198e536a56e129b7a8a9d0d8aec48c07e7955bb2b7e52ac8f2f151739ea0",
		Hash:          "41f2cd5342bb9ae1d50617fda97fee4df04d2351f9c41388460ffb68148b6483",
		Integrity:     templates.IntegrityHolds,
		Metadata:      []templates.Metadatum{{Name: "invoice", Value: "HO-2603"}, {Name: "reference", Value: "RENT-2026-03"}},
		WhyNoReversal: "Already reversed by #1,182. An entry is reversed at most once.",
		Timeline: ui.Timeline{
			{Text: "Recorded as #1,163", At: at("2026-03-02T09:12:30Z"), By: "Ana Ruiz", Now: true},
			{Text: "Reversal requested", Detail: "With replacement, reason: wrong amount", At: at("2026-03-03T09:48:00Z"), By: "Ana Ruiz"},
			{Text: "Approved", Detail: "Hash of the request checked", At: at("2026-03-03T10:02:00Z"), By: "Tom de Wit"},
			{Text: "Posted #1,182 and #1,183", At: at("2026-03-03T10:02:30Z"), By: "Daybook"},
		},
	}
	e.Chain[0].Current = true
	return e
}

func newEntry() templates.NewEntry {
	s := shell("New entry", templates.PageJournal)
	s.Crumbs = []ui.Link{{Text: "Journal", Href: s.Book.URL("journal")}, {Text: "New entry"}}
	return templates.NewEntry{
		Shell: s, Form: "form-51d0-4c9e-b7aa", EffectiveOn: "2026-04-01", Lines: make([]ui.Line, 4),
		Accounts: []ui.AccountChoice{
			{Code: "1010", Name: "Bank, operating", Currency: "EUR"}, {Code: "1020", Name: "Bank, VAT reserve", Currency: "EUR"},
			{Code: "2010", Name: "Trade payables", Currency: "EUR"}, {Code: "6100", Name: "Rent", Currency: "EUR"},
			{Code: "customer:yuki", Name: "Yuki Tanaka", Currency: "JPY"},
		},
	}
}

func farEntry() templates.NewEntry {
	n := newEntry()
	n.EffectiveOn, n.TxID, n.Description, n.FarDay = "2062-03-01", "rent-2062", "Rent, March", ledger.MustDate("2062-03-01")
	n.Lines = []ui.Line{{Account: "6100", Debit: "960.00"}, {Account: "1010", Credit: "960.00"}}
	n.Errors = []ledger.FieldError{{Field: "effective_on", Detail: "Effective date lies more than a year ahead, in 2062: correct it, or tick that it is meant"}}
	return n
}

func refusedEntry() templates.NewEntry {
	n := newEntry()
	n.EffectiveOn, n.TxID, n.Description = "2026-02-28", "pay-lz-2300", "Leem & Zoon, LZ-2300"
	n.Lines = []ui.Line{{Account: "2010", Debit: "960.00"}, {Account: "1010", Credit: "959.50"}, {Account: "customer:yuko", Debit: "12.5"}}
	n.Errors = []ledger.FieldError{
		{Field: "effective_on", Detail: "28 February 2026 lies in a closed period. The first open day is 1 March 2026"},
		{Field: "postings[2].account", Detail: "There is no account customer:yuko"},
		{Field: "postings", Detail: "Debits and credits differ by 0.50 EUR"},
	}
	return n
}
