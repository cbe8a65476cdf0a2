package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func accountsScreens() []Screen {
	found := accounts()
	found.Groups, found.Found, found.MayOpen = found.Groups[:1], 61, false
	found.Filter, found.Next = templates.AccountsFilter{Query: "customer", Type: "asset", After: "customer:bord"}, "customer:west"
	none := templates.Accounts{Shell: found.Shell, Filter: templates.AccountsFilter{Query: "zzz"}}
	first := templates.Accounts{Shell: found.Shell, MayOpen: true}
	fresh := newAccount()
	refused := newAccount()
	refused.Code, refused.Name, refused.Currency, refused.Type, refused.From, refused.NoNegative = "-1060", "", "EURO", "income", "2026-01-01", true
	refused.Errors = []ledger.FieldError{
		{Field: "code", Detail: "The code: use 1 to 100 letters, digits and : . _ / - and begin with a letter or digit"},
		{Field: "name", Detail: "The name is missing"}, {Field: "currency", Detail: "The currency: \"EURO\" is not an ISO 4217 currency"},
		{Field: "reconcile_from", Detail: "The day from which it is held against statements goes with asset and liability accounts only: no other takes statements"},
	}
	closed := accountSettings()
	closed.Account.Closed, closed.Account.NoNegative, closed.BalanceMinor = true, true, 0
	cannot := accountSettings()
	cannot.Account.ReconcileFrom, cannot.From = ledger.MustDate("2026-01-01"), "2026-01-01"
	cannot.Message = "Account 1020 has a balance of 27,400.00 EUR on 2026-04-01: bring it to zero first, then close it."
	return []Screen{
		{"accounts", "Accounts, for an administrator", groupBook, templates.AccountsPage(accounts())},
		{"accounts-found", "Accounts of a search, second page, for a reader", groupBook, templates.AccountsPage(found)},
		{"accounts-nothing", "Accounts of a search that finds nothing", groupBook, templates.AccountsPage(none)},
		{"accounts-none", "A book without accounts", groupBook, templates.AccountsPage(first)},
		{"account-new", "A new account", groupBook, templates.NewAccountPage(fresh)},
		{"account-refused", "A new account that was refused", groupBook, templates.NewAccountPage(refused)},
		{"account-settings", "What of an account can be changed", groupBook, templates.AccountSettingsPage(accountSettings())},
		{"account-settings-closed", "The settings of a closed account", groupBook, templates.AccountSettingsPage(closed)},
		{"account-settings-refused", "An account that cannot be closed", groupBook, templates.AccountSettingsPage(cannot)},
	}
}

func accounts() templates.Accounts {
	v := templates.Accounts{Shell: shell("Accounts", templates.PageAccounts), Found: 9, MayOpen: true}
	row := func(kind ledger.AccountType, code, name, currency string, minor int64, posted, statement string) templates.AccountRow {
		r := templates.AccountRow{AccountFacts: templates.AccountFacts{Code: code, Name: name, Type: kind, Currency: currency}, BalanceMinor: minor}
		if posted != "" {
			r.LastPostedOn = ledger.MustDate(posted)
		}
		if statement != "" {
			r.LastStatement, r.ReconcileFrom = ledger.MustDate(statement), ledger.MustDate("2026-01-01")
		}
		return r
	}
	v.Groups = []templates.AccountGroup{
		{Name: "Assets", Rows: []templates.AccountRow{
			row(ledger.Asset, "1010", "Bank, operating", "EUR", 8081520, "2026-03-31", "2026-03-31"), row(ledger.Asset, "1020", "Bank, VAT reserve", "EUR", 2740000, "2026-03-31", ""),
			row(ledger.Asset, "1050", "Bank, Tokyo", "JPY", 118800, "2026-01-06", ""), row(ledger.Asset, "customer:bord", "Bord & Co", "EUR", 574750, "2026-03-27", ""),
		}},
		{Name: "Liabilities", Rows: []templates.AccountRow{
			row(ledger.Liability, "2010", "Trade payables", "EUR", -673365, "2026-03-30", ""), row(ledger.Liability, "customer:eva", "Eva Jones", "EUR", 0, "", ""),
		}},
		{Name: "Income", Rows: []templates.AccountRow{row(ledger.Income, "4010", "Sales, web shop", "EUR", -11556578, "2026-03-31", "")}},
		{Name: "Expenses", Rows: []templates.AccountRow{row(ledger.Expense, "6100", "Rent", "EUR", 631500, "2026-03-03", ""), row(ledger.Expense, "6950", "Small differences", "EUR", 317, "2026-02-11", "")}},
	}
	v.Groups[0].Rows[2].NoNegative, v.Groups[1].Rows[1].Closed = true, true
	return v
}

func newAccount() templates.NewAccount {
	s := shell("New account", templates.PageAccounts)
	return templates.NewAccount{Shell: crumbed(s, ui.Link{Text: "Accounts", Href: s.Book.URL("accounts")}), Form: "form-61d0-4c9e-b7aa", Currency: "EUR"}
}

func accountSettings() templates.AccountSettings {
	s := shell("Settings of 1020", templates.PageAccounts)
	s.Crumbs = []ui.Link{{Text: "Accounts", Href: s.Book.URL("accounts")}, {Text: "1020 Bank, VAT reserve", Href: s.Book.AccountURL("1020")}, {Text: "Settings"}}
	return templates.AccountSettings{
		Shell: s, Form: "form-71d0-4c9e-b7aa", Name: "Bank, VAT reserve", BalanceMinor: 2740000,
		Account: templates.AccountFacts{Code: "1020", Name: "Bank, VAT reserve", Type: ledger.Asset, Currency: "EUR"},
	}
}
