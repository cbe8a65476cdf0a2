package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
)

func balancesScreens() []Screen {
	return []Screen{
		{"balances", "Balances of a month", groupBook, templates.BalancesPage(balances())},
		{"balances-mixed", "Balances in several currencies, as known at an instant", groupBook, templates.BalancesPage(mixedBalances())},
		{"balances-none", "Balances before the first account", groupBook, templates.BalancesPage(templates.Balances{Shell: shell("Balances", templates.PageBalances)})},
	}
}

func balances() templates.Balances {
	b := templates.Balances{
		Shell: shell("Balances", templates.PageBalances), AsOf: ledger.MustDate("2026-03-31"), From: ledger.MustDate("2026-03-01"), Hidden: 7,
	}
	row := func(code, name string, opening, debit, credit int64) templates.BalanceRow {
		return templates.BalanceRow{Code: code, Name: name, Currency: "EUR", OpeningMinor: opening, DebitMinor: debit, CreditMinor: credit, BalanceMinor: opening + debit - credit}
	}
	b.Groups = []templates.BalanceGroup{
		{Name: "Assets", Rows: []templates.BalanceRow{
			row("1010", "Bank, operating", 4821637, 6748786, 3488903), row("1020", "Bank, VAT reserve", 2140000, 600000, 0),
			row("1210", "Processor clearing", 487080, 4726570, 5048170), row("1300", "Finished ware", 3864000, 0, 1626000),
			row("1310", "Clay and glazes", 791520, 270726, 0), row("1500", "Kilns and equipment", 6450000, 0, 0),
			row("1590", "Accumulated depreciation", -1935000, 0, 89500), row("customer:bord", "Bord & Co", 338800, 320650, 84700),
			row("customer:huis", "Huis van Klei", 423500, 205700, 423500), row("customer:noor", "Atelier Noor", 605000, 242000, 605000),
			row("customer:west", "Servies West", 181500, 290400, 181500),
		}},
		{Name: "Liabilities", Rows: []templates.BalanceRow{
			row("2010", "Trade payables", -984265, 682676, 371776), row("2200", "VAT on sales", -1320471, 9519, 1053923),
			row("2210", "VAT on purchases", 441890, 196478, 45150), row("2300", "Wage tax and social security", -391200, 391200, 530970),
			row("2400", "Gift cards outstanding", -214000, 0, 0),
		}},
		{Name: "Equity", Rows: []templates.BalanceRow{row("3000", "Share capital", -2500000, 0, 0), row("3100", "Retained earnings", -12376321, 0, 0)}},
		{Name: "Income", Rows: []templates.BalanceRow{
			row("4010", "Sales, web shop", -7418255, 0, 4138323), row("4020", "Sales, wholesale", -2230000, 0, 875000),
			row("4090", "Refunds and allowances", 241820, 45331, 5364),
		}},
		{Name: "Expenses", Rows: []templates.BalanceRow{
			row("5010", "Cost of ware sold", 3095000, 1626000, 0), row("5100", "Shipping", 687044, 79142, 0), row("5110", "Packaging", 312490, 107752, 0),
			row("6010", "Wages", 2480000, 1240000, 0), row("6020", "Social security", 496000, 248000, 0), row("6100", "Rent", 421000, 425500, 215000),
			row("6110", "Energy", 231864, 0, 0), row("6200", "Processor fees", 152740, 86674, 0), row("6210", "Bank charges", 7430, 0, 0),
			row("6300", "Software", 81200, 17195, 0), row("6400", "Marketing", 395000, 89300, 0), row("6500", "Insurance", 43680, 43680, 0),
			row("6900", "Depreciation", 179000, 89500, 0), row("6950", "Small differences", 317, 0, 0),
		}},
	}
	return b
}

func mixedBalances() templates.Balances {
	b := balances()
	b.From, b.KnownAt, b.All, b.Hidden = ledger.Date{}, "2026-04-01T09:42", true, 0
	b.Groups = []templates.BalanceGroup{
		{Name: "Assets", Rows: []templates.BalanceRow{
			{Code: "1010", Name: "Bank, operating", Currency: "EUR", DebitMinor: 100000, CreditMinor: 25000, BalanceMinor: 75000},
			{Code: "1050", Name: "Bank, Tokyo", Currency: "JPY", DebitMinor: 120000, BalanceMinor: 120000},
			{Code: "1060", Name: "Bank, Kuwait", Currency: "KWD"},
		}},
		{Name: "Liabilities", Rows: []templates.BalanceRow{
			{Code: "customer:alice", Name: "Alice", Currency: "EUR", DebitMinor: 25000, CreditMinor: 100000, BalanceMinor: -75000},
			{Code: "customer:yuki", Name: "Yuki", Currency: "JPY", CreditMinor: 120000, BalanceMinor: -120000},
		}},
	}
	return b
}
