package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// paymentSettings say on which accounts the payments of a currency are booked.
type paymentSettings struct {
	Currency         string  `json:"currency"`
	Clearing         string  `json:"clearing"`
	Received         string  `json:"received"`
	Fees             string  `json:"fees"`
	Chargebacks      string  `json:"chargebacks"`
	Bank             string  `json:"bank"`
	CustomerAccounts bool    `json:"customer_accounts"`
	RefundLimit      int64   `json:"refund_limit"`
	Version          int     `json:"version"`
	SetBy            *string `json:"set_by"`
	SetAt            string  `json:"set_at"`
}

func paymentSettingsOf(p store.PaymentSettings) paymentSettings {
	return paymentSettings{
		Currency: p.Currency, Clearing: p.Clearing, Received: p.Received, Fees: p.Fees, Chargebacks: p.Chargebacks, Bank: p.Bank, CustomerAccounts: p.CustomerAccounts,
		RefundLimit: p.RefundLimitMinor, Version: p.Version, SetBy: textOrNull(p.By), SetAt: ledger.FormatInstant(p.At),
	}
}

// listPaymentSettings gives the latest settings of each currency, in one page.
func (a *api) listPaymentSettings(c echo.Context, actor store.Actor) error {
	settings, err := a.Store.PaymentSettings(c.Request().Context(), actor)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(settings, false, paymentSettingsOf, func(p store.PaymentSettings) string { return p.Currency }))
}

// setPaymentSettings sets those of one currency, and answers with all.
func (a *api) setPaymentSettings(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightAccounts); err != nil {
		return err
	}
	key, err := optionalKey(c)
	if err != nil {
		return err
	}
	body, err := readObject(c)
	if err != nil {
		return err
	}
	settings := store.PaymentSettings{
		Currency: body.Text("currency"), Clearing: body.Text("clearing"), Received: body.Text("received"), Fees: body.Text("fees"), Chargebacks: body.Text("chargebacks"),
		Bank: body.Text("bank"), CustomerAccounts: body.Boolean("customer_accounts"), RefundLimitMinor: body.AmountOrNone("refund_limit"),
	}
	if err := body.Err(); err != nil {
		return err
	}
	if _, err := a.Store.SetPaymentSettings(c.Request().Context(), actor, key, settings); err != nil {
		return err
	}
	return a.listPaymentSettings(c, actor)
}
