package templates

import (
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// unsetPayments says who sets the accounts of payments.
const unsetPayments = "An admin sets the accounts; in the demo the first payment does."

// PaymentSettingsView says on which accounts the payments of each currency are booked, with the form of one of them.
type PaymentSettingsView struct {
	Shell
	Rows []PaymentSettingsRow // by currency
	// Form is what the form holds, nil for who may only look.
	Form     *PaymentSettingsForm
	Accounts []ui.AccountChoice
	// Administrators are people who could give the reader without a form the right to one.
	Administrators []string
	Message        string
	Errors         []ledger.FieldError
}

// PaymentSettingsRow are the settings of one currency, with the accounts that they name.
type PaymentSettingsRow struct {
	Currency                                      string
	Clearing, Received, Fees, Chargebacks, BankIn ui.Account
	CustomerAccounts                              bool
	LimitMinor                                    int64
	Version                                       int
	By                                            string
	At                                            time.Time
}

// PaymentSettingsForm is what was typed for a currency. Suggested says that the accounts were proposed by their names and nothing is saved yet.
type PaymentSettingsForm struct {
	Key, Currency                               string
	Clearing, Received, Fees, Chargebacks, Bank string
	CustomerAccounts                            bool
	Limit                                       string
	Suggested, Known                            bool
}

// accountParts are the accounts of the settings: the name of the field, what it is called and what is booked there.
var accountParts = []struct{ name, label, hint string }{
	{"clearing", "At the processor", "An asset: what was captured and not paid out yet"},
	{"received", "Received", "Revenue, or what customers owe or are owed: the other side of a capture"},
	{"fees", "Fees", "What the processor keeps"},
	{"chargebacks", "Chargebacks", "What is disputed, and what banks have given back"},
	{"bank", "Bank", "An asset: where payouts arrive"},
}

func (f PaymentSettingsForm) account(part string) string {
	return map[string]string{"clearing": f.Clearing, "received": f.Received, "fees": f.Fees, "chargebacks": f.Chargebacks, "bank": f.Bank}[part]
}

// title is what the form is about.
func (f PaymentSettingsForm) title() string {
	if f.Known {
		return "Change " + f.Currency
	}
	if f.Currency == "" {
		return "Set up a currency"
	}
	return "Set up " + f.Currency
}

func (f PaymentSettingsForm) note() string {
	switch {
	case f.Suggested:
		return "Proposed by the names of your accounts; nothing is saved yet"
	case f.Known:
		return "It counts for what happens from now on; what is booked stays as it is"
	}
	return ""
}

// accounts are those of the row, as links.
func (r PaymentSettingsRow) accounts() []ui.Account {
	return []ui.Account{r.Clearing, r.Received, r.Fees, r.Chargebacks, r.BankIn}
}

func (v PaymentSettingsView) change(currency string) string {
	return v.Book.URL("payments", "settings") + "?currency=" + currency + "#form"
}

func (r PaymentSettingsRow) customers() string {
	if r.CustomerAccounts {
		return "customer:… where there is one"
	}
	return "Not used"
}
