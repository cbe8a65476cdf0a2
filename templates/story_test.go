package templates

import (
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// The story all golden screens tell: Kiln & Co, an online ceramics shop, seen on 2026-04-01 by Tom de Wit.

func shell(title string, active Page) Shell {
	return Shell{
		Title: title,
		Book:  Book{Slug: "main", Name: "Kiln & Co", Currency: "EUR", Head: 1706},
		User:  User{Name: "Tom de Wit", Initials: "TW", Roles: []string{"Preparer", "approver"}},
		Nav:   Nav{Active: active, ApprovalsWaiting: 3, OpenBreaks: 15, MayUpload: true},
		Theme: "light", Now: "As of 2026-04-01 09:42 UTC",
	}
}

func at(instant string) time.Time {
	t, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		panic(err)
	}
	return t
}

var names = map[string]string{
	"1010": "Bank, operating", "1210": "Processor clearing", "2010": "Trade payables", "2200": "VAT on sales",
	"2210": "VAT on purchases", "4010": "Sales, web shop", "6100": "Rent", "6200": "Processor fees", "6400": "Marketing",
	"customer:bord": "Bord & Co",
}

func line(code string, minor int64) ui.Posting {
	book := shell("", "").Book
	return ui.Posting{Code: code, Name: names[code], Href: book.AccountURL(code), Minor: minor, Currency: "EUR"}
}

func eur(minor int64) []ui.Money { return []ui.Money{{Minor: minor, Currency: "EUR"}} }

func journalRows() []JournalRow {
	row := func(seq int64, recorded, tx, description, by string, postings ...ui.Posting) JournalRow {
		r := JournalRow{
			Seq: seq, RecordedAt: at(recorded), EffectiveOn: ledger.DateOf(at(recorded)), TxID: tx, Description: description, By: by,
			Postings: postings, PostingCount: len(postings),
		}
		var debit int64
		for _, p := range postings {
			debit += max(p.Minor, 0)
			if p.Code == "1010" {
				r.DebitMinor, r.CreditMinor = max(p.Minor, 0), max(-p.Minor, 0)
			}
		}
		r.Debits = eur(debit)
		return r
	}
	rows := []JournalRow{
		row(1251, "2026-03-06T14:54:50Z", "bt-0516", "Order by bank transfer, Lotte Smit", "webshop-api", line("1010", 24850), line("4010", -20537), line("2200", -4313)),
		row(1249, "2026-03-06T12:38:27Z", "card-sd-0442", "Stadsdrukkerij, SD-0442", "Maja Lind", line("6400", 11800), line("2210", 2478), line("1010", -14278)),
		row(1245, "2026-03-06T10:15:52Z", "pay-kn-884", "Kartonnage Noord, KN-884", "Ana Ruiz", line("2010", 68475), line("1010", -68475)),
		row(1244, "2026-03-06T09:31:10Z", "rcv-inv-0226", "Bord & Co, INV-0226", "Ana Ruiz", line("1010", 84700), line("customer:bord", -84700)),
		row(1241, "2026-03-06T06:10:04Z", "po-0306", "Payout, 18 orders", "payport", line("1010", 215777), line("6200", 3743), line("1210", -219520)),
		row(1223, "2026-03-05T09:55:36Z", "pay-lz-2274", "Leem & Zoon, LZ-2274", "Ana Ruiz", line("2010", 196100), line("1010", -196100)),
		row(1183, "2026-03-03T10:02:46Z", "rent-2026-03-fix", "Rent, kiln hall, March", "Ana Ruiz", line("6100", 210500), line("2210", 44205), line("1010", -254705)),
		row(1182, "2026-03-03T10:02:30Z", "rent-2026-03-rev", "Reversal of rent-2026-03", "Ana Ruiz", line("6100", -215000), line("2210", -45150), line("1010", 260150)),
		row(1163, "2026-03-02T09:12:30Z", "rent-2026-03", "Rent, kiln hall, March", "Ana Ruiz", line("6100", 215000), line("2210", 45150), line("1010", -260150)),
	}
	rows[6].Replaces, rows[7].Reverses, rows[8].ReversedBy = 1163, 1163, 1182
	rows[5].Pending = true
	return rows
}

func journal() Journal {
	return Journal{
		Shell:    shell("Journal", PageJournal),
		Filter:   JournalFilter{Account: "1010", AccountName: names["1010"], From: "2026-03-01", To: "2026-03-31"},
		Accounts: newEntry().Accounts,
		Rows:     journalRows(), Open: 1183, Older: "1163", MayPost: true,
		Totals:  JournalTotals{Entries: 79, Postings: 220, Debits: eur(10855333)},
		Account: &JournalAccount{Code: "1010", Name: names["1010"], Currency: "EUR", DebitMinor: 6748786, CreditMinor: 3488903, BalanceMinor: 3259883},
	}
}

// wholeJournal is the journal without a filter.
func wholeJournal() Journal {
	j := journal()
	j.Filter, j.Account = JournalFilter{}, nil
	return j
}

// creditsOf1010 is what opens behind the credits of 1010 in the trial balance.
func creditsOf1010() Journal {
	j := journal()
	j.Filter.Side, j.Account.Side = "credit", CreditSide
	j.Account.DebitMinor, j.Account.BalanceMinor = 0, -3488903
	rows := j.Rows[:0]
	for _, r := range j.Rows {
		if r.CreditMinor > 0 {
			rows = append(rows, r)
		}
	}
	j.Rows, j.Totals.Entries, j.Totals.Postings = rows, 38, 104
	return j
}

func entry() Entry {
	s := shell("Entry #1,163", PageJournal)
	s.Crumbs = []ui.Link{{Text: "Journal", Href: s.Book.URL("journal")}, {Text: "Entry #1,163"}}
	step := func(label string, seq, minor int64, note string) ui.ChainStep {
		return ui.ChainStep{
			Label: label, Entry: ui.Link{Text: ui.Seq(seq), Href: s.Book.EntryURL(seq)}, Money: ui.Money{Minor: minor, Currency: "EUR"}, Note: note,
		}
	}
	e := Entry{
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
		Integrity:     IntegrityHolds,
		Metadata:      []Metadatum{{"invoice", "HO-2603"}, {"reference", "RENT-2026-03"}},
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

func newEntry() NewEntry {
	s := shell("New entry", PageJournal)
	s.Crumbs = []ui.Link{{Text: "Journal", Href: s.Book.URL("journal")}, {Text: "New entry"}}
	return NewEntry{
		Shell: s, Form: "form-51d0-4c9e-b7aa", EffectiveOn: "2026-04-01", Lines: make([]ui.Line, 4),
		Accounts: []ui.AccountChoice{
			{Code: "1010", Name: "Bank, operating", Currency: "EUR"}, {Code: "1020", Name: "Bank, VAT reserve", Currency: "EUR"},
			{Code: "2010", Name: "Trade payables", Currency: "EUR"}, {Code: "6100", Name: "Rent", Currency: "EUR"},
			{Code: "customer:yuki", Name: "Yuki Tanaka", Currency: "JPY"},
		},
	}
}

func refusedEntry() NewEntry {
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

func balances() Balances {
	b := Balances{
		Shell: shell("Balances", PageBalances), AsOf: ledger.MustDate("2026-03-31"), From: ledger.MustDate("2026-03-01"), Hidden: 7,
	}
	row := func(code, name string, opening, debit, credit int64) BalanceRow {
		return BalanceRow{Code: code, Name: name, Currency: "EUR", OpeningMinor: opening, DebitMinor: debit, CreditMinor: credit, BalanceMinor: opening + debit - credit}
	}
	b.Groups = []BalanceGroup{
		{"Assets", []BalanceRow{
			row("1010", "Bank, operating", 4821637, 6748786, 3488903), row("1020", "Bank, VAT reserve", 2140000, 600000, 0),
			row("1210", "Processor clearing", 487080, 4726570, 5048170), row("1300", "Finished ware", 3864000, 0, 1626000),
			row("1310", "Clay and glazes", 791520, 270726, 0), row("1500", "Kilns and equipment", 6450000, 0, 0),
			row("1590", "Accumulated depreciation", -1935000, 0, 89500), row("customer:bord", "Bord & Co", 338800, 320650, 84700),
			row("customer:huis", "Huis van Klei", 423500, 205700, 423500), row("customer:noor", "Atelier Noor", 605000, 242000, 605000),
			row("customer:west", "Servies West", 181500, 290400, 181500),
		}},
		{"Liabilities", []BalanceRow{
			row("2010", "Trade payables", -984265, 682676, 371776), row("2200", "VAT on sales", -1320471, 9519, 1053923),
			row("2210", "VAT on purchases", 441890, 196478, 45150), row("2300", "Wage tax and social security", -391200, 391200, 530970),
			row("2400", "Gift cards outstanding", -214000, 0, 0),
		}},
		{"Equity", []BalanceRow{row("3000", "Share capital", -2500000, 0, 0), row("3100", "Retained earnings", -12376321, 0, 0)}},
		{"Income", []BalanceRow{
			row("4010", "Sales, web shop", -7418255, 0, 4138323), row("4020", "Sales, wholesale", -2230000, 0, 875000),
			row("4090", "Refunds and allowances", 241820, 45331, 5364),
		}},
		{"Expenses", []BalanceRow{
			row("5010", "Cost of ware sold", 3095000, 1626000, 0), row("5100", "Shipping", 687044, 79142, 0), row("5110", "Packaging", 312490, 107752, 0),
			row("6010", "Wages", 2480000, 1240000, 0), row("6020", "Social security", 496000, 248000, 0), row("6100", "Rent", 421000, 425500, 215000),
			row("6110", "Energy", 231864, 0, 0), row("6200", "Processor fees", 152740, 86674, 0), row("6210", "Bank charges", 7430, 0, 0),
			row("6300", "Software", 81200, 17195, 0), row("6400", "Marketing", 395000, 89300, 0), row("6500", "Insurance", 43680, 43680, 0),
			row("6900", "Depreciation", 179000, 89500, 0), row("6950", "Small differences", 317, 0, 0),
		}},
	}
	return b
}

func mixedBalances() Balances {
	b := balances()
	b.From, b.KnownAt, b.All, b.Hidden = ledger.Date{}, "2026-04-01T09:42", true, 0
	b.Groups = []BalanceGroup{
		{"Assets", []BalanceRow{
			{Code: "1010", Name: "Bank, operating", Currency: "EUR", DebitMinor: 100000, CreditMinor: 25000, BalanceMinor: 75000},
			{Code: "1050", Name: "Bank, Tokyo", Currency: "JPY", DebitMinor: 120000, BalanceMinor: 120000},
			{Code: "1060", Name: "Bank, Kuwait", Currency: "KWD"},
		}},
		{"Liabilities", []BalanceRow{
			{Code: "customer:alice", Name: "Alice", Currency: "EUR", DebitMinor: 25000, CreditMinor: 100000, BalanceMinor: -75000},
			{Code: "customer:yuki", Name: "Yuki", Currency: "JPY", CreditMinor: 120000, BalanceMinor: -120000},
		}},
	}
	return b
}

func forbiddenPage() ErrorPage {
	return ErrorPage{
		Shell: shell("Not allowed", ""), Status: 403, Title: "You may not post entries in book main", Request: "q7f3d8",
		Detail: "This needs the right Prepare, part of the role Preparer. Your role in this book is Viewer. Nothing was changed; the attempt is in the audit log.",
		Rights: []Right{{"Read", true}, {"Prepare", false}, {"Decide", false}, {"Administer", false}},
	}
}
