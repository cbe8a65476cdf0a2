package store_test

import (
	"reflect"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

func TestSetPaymentSettings_NamesEachAccountThatDoesNotFit(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	c.open(t, "1030", ledger.Asset, inCurrency("USD"))
	wrong := store.PaymentSettings{Currency: "EUR", Clearing: "1030", Received: "nowhere", Fees: "6200", Chargebacks: "6200", Bank: "customer:alice", RefundLimitMinor: -1}
	_, err := c.SetPaymentSettings(t.Context(), c.admin, "", wrong)
	refused(t, err, ledger.KindInvalid)
	fields := []string{}
	for _, f := range err.(*ledger.Error).Fields {
		fields = append(fields, f.Field)
	}
	if want := []string{"refund_limit", "clearing", "received", "chargebacks", "bank"}; !reflect.DeepEqual(fields, want) {
		t.Errorf("at fault are %v, want %v", fields, want)
	}
	_, err = c.SetPaymentSettings(t.Context(), c.preparer, "", settingsInEuro())
	refused(t, err, ledger.KindForbidden)
	_, err = c.SetPaymentSettings(t.Context(), c.admin, "", settingsInEuro())
	ok(t, err)
	changed := settingsInEuro()
	changed.RefundLimitMinor = 1
	_, err = c.SetPaymentSettings(t.Context(), c.admin, "", changed)
	ok(t, err)
	latest, err := c.PaymentSettings(t.Context(), c.viewer)
	ok(t, err)
	if len(latest) != 1 || latest[0].Version != 2 || latest[0].RefundLimitMinor != 1 || latest[0].By != "admin" {
		t.Errorf("the settings are %+v", latest)
	}
}

func TestRequestPayment_NeedsACurrencyThatIsSetUp(t *testing.T) {
	t.Parallel()
	c := setupPayments(t)
	asked := store.PaymentRequest{AmountMinor: 100, Currency: "JPY", Customer: "eva"}
	_, err := c.RequestPayment(t.Context(), c.preparer, "k", asked)
	refused(t, err, ledger.KindInvalid)
	c.open(t, "6220", ledger.Expense)
	c.open(t, "1030", ledger.Asset, inCurrency("JPY"), func(a *ledger.Account) { a.Name = "Bank, yen" })
	opening := c.another(t, store.WithGateway(c.till), store.WithPaymentAccounts())
	first, err := opening.RequestPayment(t.Context(), c.preparer, "k", asked)
	ok(t, err)
	second, err := opening.RequestPayment(t.Context(), c.preparer, "k", asked)
	ok(t, err)
	if first.ID == 0 || second.ID != first.ID || !second.Duplicate {
		t.Errorf("first %+v, second %+v", first, second)
	}
	set, err := c.PaymentSettings(t.Context(), c.viewer)
	ok(t, err)
	if len(set) != 2 || set[1].Clearing != "1210-JPY" || set[1].Chargebacks != "6220-JPY" || set[1].Bank != "1030" || set[1].RefundLimitMinor != 5_000 {
		t.Errorf("the settings are %+v", set)
	}
	_, err = c.RequestPayment(t.Context(), c.preparer, "", store.PaymentRequest{AmountMinor: 0, Currency: "XXX"})
	refused(t, err, ledger.KindInvalid)
	if fields := err.(*ledger.Error).Fields; len(fields) != 3 {
		t.Errorf("at fault are %v", fields)
	}
}
