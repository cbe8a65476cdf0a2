package web_test

import (
	"testing"
)

func TestPaymentSettingsPage_SaysOnWhichAccountsPaymentsAreBooked(t *testing.T) {
	t.Parallel()
	b := setup(t, simulated(t, `{}`))
	for code, kind := range map[string]string{"1210": "asset", "4010": "income", "6200": "expense", "6210": "expense"} {
		b.open(t, code, kind, "EUR")
	}
	admin, preparer := b.browser(t, "admin"), b.browser(t, "preparer")
	preparer.get(t, "/b/main/payments").says(t, "No payment yet", "An admin sets the accounts; in the demo the first payment does.")
	preparer.get(t, "/b/main/payments/settings").says(t, "No currency is set up", "It needs the right “accounts”")
	form := preparer.get(t, "/b/main/payments/new").says(t, "Nobody has said yet on which accounts payments are booked.")
	preparer.submit(t, form, "/b/main/payments/new", typed("amount", "1.00", "customer", "x")).want(t, 422).says(t, "Payments in EUR are not set up")

	const address = "/b/main/payments/settings"
	accounts := typed("clearing", "1210", "received", "4010", "fees", "6200", "chargebacks", "9999", "bank", "1010", "refund_limit", "50.00")
	empty := admin.get(t, address).says(t, "Set up EUR")
	admin.submit(t, empty, address, accounts).want(t, 422).says(t, "The book has no account")
	accounts.Set("chargebacks", "6210")
	saved := admin.submit(t, admin.get(t, address), address, accounts).want(t, 303)
	admin.get(t, saved.location()).says(t, "Payments in EUR are booked on these accounts from now on.", "1210 Account 1210", "50.00", "Change EUR")
	preparer.get(t, address).says(t, "1210 Account 1210", "It needs the right “accounts”")
	preparer.post(t, address, accounts).want(t, 403)
	pays(t, preparer, "amount", "1.00", "customer", "x").says(t, "Payment P-1 is put down.")
}

func TestPaymentSettingsPage_ProposesAccountsByTheirNames(t *testing.T) {
	t.Parallel()
	b := setup(t, simulated(t, `{}`))
	for _, account := range []string{
		`{"code":"1210","name":"Processor clearing","type":"asset","currency":"EUR"}`, `{"code":"1211","name":"Processor clearing","type":"asset","currency":"JPY"}`,
		`{"code":"6200","name":"Processor fees","type":"expense","currency":"EUR"}`, `{"code":"1000","name":"Bank, operating","type":"asset","currency":"EUR"}`,
	} {
		b.as("admin").post(t, "/accounts", account).want(t, 201)
	}
	form := b.browser(t, "admin").get(t, "/b/main/payments/settings").says(t, "Proposed by the names of your accounts").form(t, "/b/main/payments/settings")
	for field, want := range map[string]string{"clearing": "1210", "fees": "6200", "bank": "1000", "chargebacks": ""} {
		if got := form.Get(field); got != want {
			t.Errorf("%s is proposed as %q, want %q", field, got, want)
		}
	}
}
