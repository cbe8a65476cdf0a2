package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func paymentSettingsScreens() []Screen {
	empty := newPayment()
	empty.Currencies, empty.Unset = []string{"EUR"}, true
	refused := newPayment()
	refused.Amount, refused.Customer = "84,5.0", ""
	refused.Errors = []ledger.FieldError{{Field: "amount", Detail: "“84,5.0” is not an amount: write it as 1234.56"}, {Field: "customer", Detail: "Customer is missing"}}
	looked := paymentSettings()
	looked.Form = nil
	unset := looked
	unset.Rows = nil
	proposed := paymentSettings()
	proposed.Rows = nil
	proposed.Form = &templates.PaymentSettingsForm{
		Key: "form-07", Currency: "EUR", Clearing: "1210", Received: "4010", Fees: "6200", Bank: "1010", CustomerAccounts: true, Limit: "0", Suggested: true,
	}
	wrong := proposed
	wrong.Errors = []ledger.FieldError{{Field: "chargebacks", Detail: "The book has no account “”"}}
	return []Screen{
		{"payment-new", "A payment to be asked for", groupBank, templates.NewPaymentPage(newPayment())},
		{"payment-new-refused", "A payment that cannot be asked for like this", groupBank, templates.NewPaymentPage(refused)},
		{"payment-new-unset", "A payment before any currency is set up", groupBank, templates.NewPaymentPage(empty)},
		{"payment-settings", "The accounts of payments", groupBank, templates.PaymentSettingsPage(paymentSettings())},
		{"payment-settings-looked-at", "The accounts of payments for who may not set them", groupBank, templates.PaymentSettingsPage(looked)},
		{"payment-settings-none", "The accounts of payments before they are set", groupBank, templates.PaymentSettingsPage(unset)},
		{"payment-settings-proposed", "The accounts of payments, proposed, in the dark", groupBank, templates.PaymentSettingsPage(dark(proposed))},
		{"payment-settings-refused", "The accounts of payments: one is missing", groupBank, templates.PaymentSettingsPage(wrong)},
		{"simulator", "The simulator of the gateway", groupBank, templates.SimulatorPage(simulator())},
		{"simulator-refused", "The simulator: a share that cannot be", groupBank, templates.SimulatorPage(simulatorRefused())},
		{"simulator-looked-at", "The simulator for who may not change it", groupBank, templates.SimulatorPage(simulatorLookedAt())},
		{"simulator-silent", "The simulator does not answer", groupBank, templates.SimulatorPage(simulatorSilent())},
	}
}

func dark(v templates.PaymentSettingsView) templates.PaymentSettingsView {
	v.Theme = "dark"
	return v
}

func newPayment() templates.NewPayment {
	s := shell("New payment", templates.PagePayments)
	return templates.NewPayment{
		Shell: crumbed(s, ui.Link{Text: "Payments", Href: s.Book.URL("payments")}), Form: "form-08", Amount: "84.50", Currency: "EUR", Customer: "bord", Reference: "Order 20891",
		Currencies: []string{"EUR", "JPY"}, Customers: []ui.AccountChoice{{Code: "bord", Name: "Bord & Co", Currency: "EUR"}},
	}
}

func paymentSettings() templates.PaymentSettingsView {
	s := shell("Accounts of payments", templates.PagePayments)
	row := templates.PaymentSettingsRow{
		Currency: "EUR", Clearing: account("1210", "Processor clearing"), Received: account("4010", "Sales, web shop"), Fees: account("6200", "Processor fees"),
		Chargebacks: account("6210", "Chargebacks"), BankIn: account("1010", "Bank, operating"), CustomerAccounts: true, LimitMinor: 5000, Version: 2, By: "Joris Aalbers",
		At: at("2026-03-02T08:00:00Z"),
	}
	yen := row
	yen.Currency, yen.LimitMinor, yen.By, yen.CustomerAccounts = "JPY", 10000, "", false
	return templates.PaymentSettingsView{
		Shell: crumbed(s, ui.Link{Text: "Payments", Href: s.Book.URL("payments")}), Rows: []templates.PaymentSettingsRow{row, yen},
		Form: &templates.PaymentSettingsForm{
			Key: "form-07", Currency: "EUR", Clearing: "1210", Received: "4010", Fees: "6200", Chargebacks: "6210", Bank: "1010", CustomerAccounts: true, Limit: "50.00", Known: true,
		},
		Accounts: []ui.AccountChoice{{Code: "1010", Name: "Bank, operating", Currency: "EUR"}, {Code: "1210", Name: "Processor clearing", Currency: "EUR"}},
	}
}

func simulator() templates.Simulator {
	s := shell("Simulator", templates.PagePayments)
	return templates.Simulator{
		Shell: crumbed(s, ui.Link{Text: "Payments", Href: s.Book.URL("payments")}), Form: "form-09", PayoutForm: "form-10", Currencies: []string{"EUR", "JPY"},
		Faults: templates.SimulatorFaults{
			Latency: "5ms", LatencySpread: "20ms", Hang: "300ms", Decline: "10", TimeoutBefore: "15", TimeoutAfter: "15", TimeoutRecover: "0", RepeatMin: "1", RepeatMax: "4",
			Hold: "250ms", Webhooks: true, Reorder: true,
		},
	}
}

func simulatorRefused() templates.Simulator {
	v := simulator()
	v.Faults.Decline = "110"
	v.Errors = []ledger.FieldError{{Field: "decline", Detail: "Must be from 0 to 100"}}
	return v
}

func simulatorLookedAt() templates.Simulator {
	v := simulator()
	v.MissingRight = "post"
	return v
}

func simulatorSilent() templates.Simulator {
	v := simulator()
	v.Silent = true
	return v
}
