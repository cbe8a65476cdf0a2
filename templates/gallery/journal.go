package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func journalScreens() []Screen {
	empty := templates.Journal{Shell: shell("Journal", templates.PageJournal), MayPost: true}
	nothing := journal()
	nothing.Rows, nothing.Totals, nothing.Older = nil, templates.JournalTotals{}, ""
	wrong := nothing
	wrong.Filter, wrong.Account = templates.JournalFilter{Account: "customer", From: "2026-03-31", To: "2026-03-01"}, nil
	wrong.Errors = []ledger.FieldError{
		{Field: "account", Detail: "“customer” fits customer:bord Bord & Co and customer:noor Atelier Noor: write more of the one you mean"},
		{Field: "from", Detail: "This day is after the last one, 2026-03-01"},
	}
	flash := wholeJournal()
	flash.Theme = "dark"
	flash.Flash = &ui.Alert{Tone: ui.OK, Title: "Entry #1,707 is posted.", Link: ui.Link{Text: "Post another", Href: "/b/main/journal/new"}}
	return []Screen{
		{"journal", "Journal of one account in a month", groupBook, templates.JournalPage(journal())},
		{"journal-dark", "Journal after posting, in the dark", groupBook, templates.JournalPage(flash)},
		{"journal-side", "Journal: the credits of an account", groupBook, templates.JournalPage(creditsOf1010())},
		{"journal-wrong", "Journal: a filter that cannot be read", groupBook, templates.JournalPage(wrong)},
		{"journal-empty", "Journal before the first entry", groupBook, templates.JournalPage(empty)},
		{"journal-none", "Journal: nothing found", groupBook, templates.JournalPage(nothing)},
	}
}

func journal() templates.Journal {
	return templates.Journal{
		Shell:    shell("Journal", templates.PageJournal),
		Filter:   templates.JournalFilter{Account: "1010", AccountName: names["1010"], From: "2026-03-01", To: "2026-03-31"},
		Accounts: newEntry().Accounts,
		Rows:     journalRows(), Open: 1183, Older: "1163", MayPost: true,
		Totals:  templates.JournalTotals{Entries: 79, Postings: 220, Debits: eur(10855333)},
		Account: &templates.JournalAccount{Code: "1010", Name: names["1010"], Currency: "EUR", DebitMinor: 6748786, CreditMinor: 3488903, BalanceMinor: 3259883},
	}
}

// wholeJournal is the journal without a filter.
func wholeJournal() templates.Journal {
	j := journal()
	j.Filter, j.Account = templates.JournalFilter{}, nil
	return j
}

// creditsOf1010 is what opens behind the credits of 1010 in the trial balance.
func creditsOf1010() templates.Journal {
	j := journal()
	j.Filter.Side, j.Account.Side = "credit", templates.CreditSide
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

func journalRows() []templates.JournalRow {
	row := func(seq int64, recorded, tx, description, by string, postings ...ui.Posting) templates.JournalRow {
		r := templates.JournalRow{
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
	rows := []templates.JournalRow{
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
