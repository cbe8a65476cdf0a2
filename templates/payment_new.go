package templates

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// NewPayment is the form that asks for a payment. It can be sent only where a currency is set up.
type NewPayment struct {
	Shell
	Form                                  string
	Amount, Currency, Customer, Reference string
	// Currencies are those that payments are set up in, Customers accounts whose owners have paid or will.
	Currencies []string
	Customers  []ui.AccountChoice
	Message    string
	Errors     []ledger.FieldError
}

func (v NewPayment) currencies() []ui.Option {
	var options []ui.Option
	for _, code := range v.Currencies {
		options = append(options, ui.Option{Value: code, Text: code})
	}
	return options
}

func (v NewPayment) nothingSetUp() ui.Empty {
	return ui.Empty{
		Icon: "list-details", Title: "Payments are not set up", Text: "Somebody who may change accounts says first on which of them payments are booked.",
		Actions: []ui.Button{{Text: "Accounts of payments", Icon: "list-details", Href: v.Book.URL("payments", "settings")}},
	}
}
