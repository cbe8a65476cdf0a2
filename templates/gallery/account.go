package gallery

import (
	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func accountScreens() []Screen {
	statement := accountStatement()
	filtered := accountStatement()
	filtered.Filter.Bank, filtered.Found, filtered.Later = "missing_in_bank", templates.AccountTurnover{Debits: 1, DebitMinor: 18000}, ""
	filtered.Lines = filtered.Lines[4:5]
	nothing := filtered
	nothing.Filter.Bank, nothing.Found, nothing.Lines = "currency_mismatch", templates.AccountTurnover{}, nil
	quiet := accountStatement()
	quiet.From, quiet.To, quiet.Filter.From, quiet.Filter.To = ledger.MustDate("2026-04-01"), ledger.MustDate("2026-04-30"), "2026-04-01", "2026-04-30"
	quiet.OpeningMinor, quiet.ClosingMinor, quiet.Turnover, quiet.Found = 8081520, 8081520, templates.AccountTurnover{}, templates.AccountTurnover{}
	quiet.Lines, quiet.Later = nil, ""
	wrong := accountStatement()
	wrong.Filter.From, wrong.Filter.To, wrong.Lines, wrong.Later = "2026-03-31", "2026-03-01", nil, ""
	wrong.Errors = []ledger.FieldError{{Field: "from", Detail: "This day is after the last one, 2026-03-01"}}
	return []Screen{
		{"account", "Statement of a bank account, first page", groupBook, templates.AccountPage(statement)},
		{"account-last", "Statement of a bank account, last page with a total for each day", groupBook, templates.AccountPage(lastPageOf1010())},
		{"account-filtered", "Statement narrowed to what is missing in bank", groupBook, templates.AccountPage(filtered)},
		{"account-nothing", "Statement with a filter that leaves nothing", groupBook, templates.AccountPage(nothing)},
		{"account-quiet", "Statement of a month without postings", groupBook, templates.AccountPage(quiet)},
		{"account-liability", "Statement of a liability, signed, closed", groupBook, templates.AccountPage(tradePayables())},
		{"account-yen", "Statement of an account in yen, for an administrator", groupBook, templates.AccountPage(bankTokyo())},
		{"account-empty", "Statement of an account without postings", groupBook, templates.AccountPage(emptyAccount())},
		{"account-wrong", "Statement with a filter that cannot be read", groupBook, templates.AccountPage(wrong)},
	}
}

func accountShell(title string) templates.Shell {
	s := shell(title, templates.PageBalances)
	return crumbed(s, ui.Link{Text: "Balances", Href: s.Book.URL("balances")})
}

var bankStates = []templates.BankState{
	templates.BankMatched, templates.BankReversedPair, templates.BankOpen, "amount_mismatch", "missing_in_bank", "ambiguous", "duplicate_in_ledger",
	"currency_mismatch", "timing", templates.BankCarried, templates.BankResolved, templates.BankNotReconciled, templates.BankOutOfScope,
}

// accountStatement is the first page of 1010 in March, as the story tells it.
func accountStatement() templates.AccountStatement {
	a := templates.AccountStatement{
		Shell: accountShell("1010 Bank, operating"),
		Account: templates.AccountFacts{
			Code: "1010", Name: "Bank, operating", Type: ledger.Asset, Currency: "EUR", ReconcileFrom: ledger.MustDate("2026-01-01"),
		},
		Filter: templates.StatementFilter{From: "2026-03-01", To: "2026-03-31"}, From: ledger.MustDate("2026-03-01"), To: ledger.MustDate("2026-03-31"),
		OpeningMinor: 4821637, ClosingMinor: 8081520, Proven: true, ReconciliationID: 3, Banks: bankStates, MayUpload: true, Later: "2026-03-04.1211.1",
		Turnover: templates.AccountTurnover{Debits: 49, Credits: 30, DebitMinor: 6748786, CreditMinor: 3488903},
	}
	a.Found = a.Turnover
	l := func(day string, seq int64, description, reference, against string, more int, minor int64, bank templates.BankStanding) templates.AccountLine {
		return templates.AccountLine{Seq: seq, EffectiveOn: ledger.MustDate(day), Description: description, Reference: reference, Against: against, AgainstMore: more, AmountMinor: minor, Bank: bank}
	}
	matched := templates.BankStanding{State: templates.BankMatched, ReconciliationID: 3}
	pair := templates.BankStanding{State: templates.BankReversedPair, ReconciliationID: 3}
	missing := templates.BankStanding{State: templates.BankState(recon.MissingInBank), BreakID: 318}
	a.Lines = running(a.OpeningMinor, 0,
		l("2026-03-02", 1159, "Payout, 47 orders", "PP-26-0302", "1210", 1, 478599, matched),
		l("2026-03-02", 1162, "Shopkit, March", "SUB-SHOPKIT-03", "6300", 1, -9559, matched),
		l("2026-03-02", 1163, "Rent, kiln hall, March", "RENT-2026-03", "6100", 1, -260150, pair),
		l("2026-03-02", 1170, "Order by bank transfer, Merel Visser", "BT-0512", "4010", 1, 28150, matched),
		l("2026-03-02", 1172, "Workshop place, Jip Vermeer", "WS-0301", "4010", 1, 18000, missing),
		l("2026-03-03", 1179, "Payout, 12 orders", "PP-26-0303", "1210", 1, 131857, matched),
		l("2026-03-03", 1182, "Reversal of rent-2026-03", "rent-2026-03-rev", "6100", 1, 260150, pair),
		l("2026-03-03", 1183, "Rent, kiln hall, March", "RENT-2026-03", "6100", 1, -254705, matched),
		l("2026-03-03", 1186, "Gereedschap Plus, GP-1182", "GP-1182", "1310", 1, -5100, templates.BankStanding{State: templates.BankState(recon.AmountMismatch), BreakID: 326}),
		l("2026-03-04", 1200, "Atelier Noor, INV-0219", "INV-0219", "customer:noor", 0, 363000, templates.BankStanding{State: templates.BankCarried, BreakID: 331, Resolution: recon.CarriedForward}),
		l("2026-03-04", 1211, "Workshop place, Iris Kok", "WS-0302", "4010", 1, 18000, templates.BankStanding{State: templates.BankResolved, BreakID: 319, Resolution: recon.External}),
	)
	a.Lines[2].ReversedBy, a.Lines[6].Reverses, a.Lines[7].Replaces = 1182, 1163, 1163
	return a
}

// running gives lines the balance and the debits up to them.
func running(balanceMinor, debitMinor int64, lines ...templates.AccountLine) []templates.AccountLine {
	for i := range lines {
		balanceMinor += lines[i].AmountMinor
		debitMinor += max(lines[i].AmountMinor, 0)
		lines[i].BalanceMinor, lines[i].DebitMinor = balanceMinor, debitMinor
	}
	return lines
}

// lastPageOf1010 has what was posted since the statement, too, and what was posted before statements were held against the account.
func lastPageOf1010() templates.AccountStatement {
	a := accountStatement()
	a.Filter.Subtotals, a.Earlier, a.Later = "day", "2026-03-31.1690.1", ""
	a.Lines = running(a.ClosingMinor+12000-30050, a.Turnover.DebitMinor-18050,
		templates.AccountLine{Seq: 1698, EffectiveOn: ledger.MustDate("2026-03-30"), Description: "Fietskoerier, FK-319", Reference: "FK-319", Against: "2010", AmountMinor: -12000,
			Bank: templates.BankStanding{State: templates.BankOutOfScope}},
		templates.AccountLine{Seq: 1702, EffectiveOn: ledger.MustDate("2026-03-31"), Description: "Order by bank transfer, Sam Vos", Reference: "BT-0540", Against: "4010", AgainstMore: 1, AmountMinor: 18050,
			Bank: templates.BankStanding{State: templates.BankNotReconciled}, Pending: true},
		templates.AccountLine{Seq: 1706, EffectiveOn: ledger.MustDate("2026-03-31"), Description: "Interest of the first quarter", Reference: "adj-1010-3", Against: "4900", AmountMinor: 12000,
			Bank: templates.BankStanding{State: templates.BankMatched, ReconciliationID: 3}, Adjustment: true})
	a.Lines[0].Subtotal = &templates.AccountTurnover{Debits: 2, Credits: 3, DebitMinor: 41200, CreditMinor: 52000}
	a.Lines[2].Subtotal = &templates.AccountTurnover{Debits: 2, DebitMinor: 30050}
	return a
}

func tradePayables() templates.AccountStatement {
	a := accountStatement()
	a.Shell = accountShell("2010 Trade payables")
	a.Account = templates.AccountFacts{Code: "2010", Name: "Trade payables", Type: ledger.Liability, Currency: "EUR", Closed: true, NoNegative: true}
	a.ReconciliationID, a.Filter.Amounts, a.Filter.Subtotals, a.Later = 0, templates.Signed, "month", ""
	a.OpeningMinor, a.ClosingMinor = -984265, 0
	a.Turnover = templates.AccountTurnover{Debits: 2, Credits: 1, DebitMinor: 1180365, CreditMinor: 196100}
	a.Found = a.Turnover
	a.Lines = running(a.OpeningMinor, 0,
		templates.AccountLine{Seq: 1190, EffectiveOn: ledger.MustDate("2026-03-03"), Description: "Leem & Zoon, LZ-2274", Reference: "LZ-2274", Against: "1310", AgainstMore: 1, AmountMinor: -196100},
		templates.AccountLine{Seq: 1223, EffectiveOn: ledger.MustDate("2026-03-05"), Description: "Leem & Zoon, LZ-2274", Reference: "LZ-2274", Against: "1010", AmountMinor: 196100},
		templates.AccountLine{Seq: 1245, EffectiveOn: ledger.MustDate("2026-03-06"), Description: "Kartonnage Noord and others", Reference: "KN-884", Against: "1010", AmountMinor: 984265})
	a.Lines[2].Subtotal = &a.Turnover
	return a
}

func bankTokyo() templates.AccountStatement {
	a := tradePayables()
	a.Shell = accountShell("1050 Bank, Tokyo")
	a.Account = templates.AccountFacts{Code: "1050", Name: "Bank, Tokyo", Type: ledger.Asset, Currency: "JPY", NoNegative: true}
	a.From, a.To, a.Filter = ledger.Date{}, ledger.Date{}, templates.StatementFilter{}
	a.OpeningMinor, a.ClosingMinor, a.MayChange = 0, 118800, true
	a.Turnover = templates.AccountTurnover{Debits: 1, Credits: 1, DebitMinor: 120000, CreditMinor: 1200}
	a.Found = a.Turnover
	a.Lines = running(0, 0,
		templates.AccountLine{Seq: 40, EffectiveOn: ledger.MustDate("2026-01-05"), Description: "Deposit of Yuki Tanaka", Reference: "yt-1", Against: "customer:yuki", AmountMinor: 120000},
		templates.AccountLine{Seq: 41, EffectiveOn: ledger.MustDate("2026-01-06"), Description: "Moved within the account", Reference: "yt-2", AmountMinor: -1200})
	return a
}

func emptyAccount() templates.AccountStatement {
	return templates.AccountStatement{
		Shell:   accountShell("customer:eva Eva Jones"),
		Account: templates.AccountFacts{Code: "customer:eva", Name: "Eva Jones", Type: ledger.Liability, Currency: "EUR"},
		Proven:  true, Banks: bankStates, MayUpload: true,
	}
}
