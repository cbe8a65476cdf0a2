package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func periodsScreens() []Screen {
	return []Screen{
		{"periods", "Periods of a book", groupControl, templates.PeriodsPage(periods())},
		{"periods-first", "The one period of a new book", groupControl, templates.PeriodsPage(templates.Periods{
			Shell: shell("Periods", templates.PagePeriods), Rows: []templates.PeriodRow{{Period: "2026-04", Current: true}},
		})},
	}
}

func inEuro(minor int64) []ui.Money {
	return []ui.Money{{Minor: minor, Currency: "EUR", WithCode: true}}
}

func periods() templates.Periods {
	bank := func(id int64, to string, unexplained int64, open int) templates.PeriodAccount {
		return templates.PeriodAccount{Code: "1010", Name: "Bank, operating", Currency: "EUR", ReconciliationID: id, To: ledger.MustDate(to), UnexplainedMinor: unexplained, OpenBreaks: open}
	}
	reserve := templates.PeriodAccount{Code: "1020", Name: "Bank, VAT reserve", Currency: "EUR"}
	view := templates.Periods{
		Shell: shell("Periods", templates.PagePeriods), Older: "/b/main/periods?before=2025-12",
		Rows: []templates.PeriodRow{
			{Period: "2026-04", Current: true, Accounts: []templates.PeriodAccount{{Code: "1010", Name: "Bank, operating", Currency: "EUR"}, reserve}},
			{Period: "2026-03", Entries: 544, Turnover: inEuro(17243381), LastSeq: 1706, LastRecordedAt: at("2026-03-31T16:20:00Z"),
				Accounts: []templates.PeriodAccount{bank(3, "2026-03-31", 128450, 15), reserve}},
			{Period: "2026-02", Entries: 570, Turnover: []ui.Money{{Minor: 16120044, Currency: "EUR", WithCode: true}, {Minor: 120000, Currency: "JPY", WithCode: true}}, LastSeq: 1165, LastRecordedAt: at("2026-03-02T10:11:00Z"),
				Accounts: []templates.PeriodAccount{bank(2, "2026-02-27", 0, 1)}, RequestID: 64, RequestBy: "Ana Ruiz", ReasonText: "All accounts looked at"},
			{Period: "2026-01", Entries: 592, Turnover: inEuro(15988210), LastSeq: 592, LastRecordedAt: at("2026-02-01T08:00:00Z"),
				Accounts: []templates.PeriodAccount{bank(1, "2026-01-31", 0, 0)}, ClosedAt: at("2026-02-09T15:04:00Z"), ClosedBy: "Tom de Wit", ReasonText: "Bank proven"},
			{Period: "2025-12", Entries: 1, Turnover: inEuro(2500000), LastSeq: 1, LastRecordedAt: at("2025-12-31T09:00:00Z"), ClosedAt: at("2026-02-09T15:02:00Z"), ClosedBy: "Tom de Wit"},
		},
	}
	for i := range view.Rows {
		view.Rows[i].MayAsk = true
	}
	return view
}
