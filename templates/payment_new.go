package templates

import (
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// NewPayment is the form that asks for a payment.
type NewPayment struct {
	Shell
	Form                                  string
	Amount, Currency, Customer, Reference string
	// Currencies are those that payments are set up in, and that of the book; Unset says that nobody has set any up. Customers have accounts of
	// their own.
	Currencies []string
	Unset      bool
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

func (v NewPayment) nothingSetUp() ui.Alert {
	return ui.Alert{
		Tone: ui.Info, Title: "Nobody has said yet on which accounts payments are booked.", Text: unsetPayments,
		Link: ui.Link{Text: "Accounts of payments", Href: v.Book.URL("payments", "settings")},
	}
}
