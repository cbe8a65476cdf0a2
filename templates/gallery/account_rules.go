package gallery

import (
	"time"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func accountRulesScreens() []Screen {
	tried := accountRules()
	tried.Typed.Tolerance, tried.Typed.Note = "0.05", "The bank rounds card payments"
	tried.Trial = &templates.RulesTrialView{ReconciliationID: 3, Until: ledger.MustDate("2026-03-31"), Booked: 3, BookedMinor: -641, UnexplainedBefore: 2641, Unexplained: 2000, Rows: []templates.TrialRow{
		{Name: "By reference", Match: true, Before: 1204, After: 1207}, {Name: "By amount and date", Match: true, Before: 31, After: 31},
		{Name: "Amount differs", Before: 4, After: 1}, {Name: "Missing in bank", Before: 2, After: 2},
	}}
	nothing := accountRules()
	nothing.Trial = &templates.RulesTrialView{}
	refused := accountRules()
	refused.Typed.WindowDays, refused.Typed.FeeAccount, refused.Typed.FeePerCent, refused.Typed.Tolerance = "400", "6800", "2.95", "x"
	refused.Errors = []ledger.FieldError{
		{Field: "window_days", Detail: "The window must be a number of days from 0 to 366"}, {Field: "tolerance_minor", Detail: "The tolerance: “x” is not an amount: write it as 1,234.56"},
		{Field: "fee.per_mille", Detail: "The share of the amount: “2.95” is not a share of an amount: write it as 1.5, with one digit behind the point at most"},
		{Field: "fee.account", Detail: "The fee's account: there is no account \"6800\" in this book"},
	}
	stale := accountRules()
	stale.Message = "The rules of account 1010 are at version 3 by now, set by Ada Okafor on 2026-03-30 09:12 UTC: look at them, and change them again."
	first := accountRules()
	first.Rules = recon.DefaultRules()
	first.Typed.Tolerance, first.Typed.FeeAccount, first.Typed.FeeFixed, first.Typed.FeePerCent, first.Typed.Seen = "", "", "", "", 1
	first.Versions = first.Versions[2:]
	reader := accountRules()
	reader.MayChange = false
	foreign := accountRules()
	foreign.Account, foreign.Foreign = templates.AccountFacts{Code: "1050", Name: "Bank, Tokyo", Type: ledger.Asset, Currency: "JPY"}, true
	return []Screen{
		{"rules", "The rules that an account is matched by", groupBank, templates.AccountRulesPage(accountRules())},
		{"rules-tried", "Rules that were tried before they are saved", groupBank, templates.AccountRulesPage(tried)},
		{"rules-tried-nothing", "Rules that were tried where no reconciliation is open", groupBank, templates.AccountRulesPage(nothing)},
		{"rules-refused", "Rules that no matching could go by", groupBank, templates.AccountRulesPage(refused)},
		{"rules-stale", "Rules that somebody else changed meanwhile", groupBank, templates.AccountRulesPage(stale)},
		{"rules-first", "The rules of an account that nobody has changed", groupBank, templates.AccountRulesPage(first)},
		{"rules-reader", "The rules of an account, for a reader", groupBank, templates.AccountRulesPage(reader)},
		{"rules-foreign", "The rules of an account in another currency", groupBank, templates.AccountRulesPage(foreign)},
	}
}

func accountRules() templates.AccountRulesView {
	s := shell("Rules of 1010", templates.PageAccounts)
	s.Crumbs = []ui.Link{{Text: "Accounts", Href: s.Book.URL("accounts")}, {Text: "1010 Bank, operating", Href: s.Book.AccountURL("1010")}, {Text: "Rules"}}
	rules := recon.DefaultRules()
	rules.Version, rules.WindowDays, rules.ToleranceMinor = 3, 5, 2
	rules.Prefixes = []string{"EREF", "REF", "INV", "KD-"}
	rules.Fee = recon.FeeRule{Account: "6800", FixedMinor: 30, PerMille: 29}
	return templates.AccountRulesView{
		Shell: s, Form: "form-81d0-4c9e-b7aa", MayChange: true, LimitMinor: 1000, Rules: rules,
		Account:  templates.AccountFacts{Code: "1010", Name: "Bank, operating", Type: ledger.Asset, Currency: "EUR"},
		Typed:    templates.TypedRules{WindowDays: "5", Prefixes: "EREF\nREF\nINV\nKD-", Tolerance: "0.02", FeeAccount: "6800", FeeFixed: "0.30", FeePerCent: "2.9", Seen: 3},
		Accounts: []ui.AccountChoice{{Code: "6800", Name: "Bank charges", Currency: "EUR"}, {Code: "6950", Name: "Small differences", Currency: "EUR"}},
		Versions: []templates.RulesStep{
			{Version: 3, Changes: []string{"Fee none → 0.30", "Fee of the amount, %, none → 2.9", "Fee booked to none → 6800", "Prefixes added: KD-"}, Note: "As the card processor's contract says since March",
				By: "Ada Okafor", At: time.Date(2026, 3, 30, 9, 12, 0, 0, time.UTC)},
			{Version: 2, Changes: []string{"Window 3 days → 5 days", "Tolerance none → 0.02"}, By: "Ada Okafor", At: time.Date(2026, 2, 2, 8, 1, 0, 0, time.UTC)},
			{Version: 1},
		},
	}
}
