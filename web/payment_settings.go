package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func (s *server) showPaymentSettings(c echo.Context, actor store.Actor) error {
	view, settings, err := s.paymentSettingsView(c, actor)
	if err != nil {
		return err
	}
	if actor.Can(store.RightAccounts) {
		currency := actor.Book.Currency
		if asked, given := c.QueryParams()["currency"]; given {
			currency = strings.ToUpper(strings.TrimSpace(asked[0]))
		}
		if view.Form, err = s.paymentSettingsForm(c, actor, settings, currency); err != nil {
			return err
		}
	}
	return render(c, http.StatusOK, templates.PaymentSettingsPage(view))
}

// paymentSettingsView shows what is set, without the form.
func (s *server) paymentSettingsView(c echo.Context, actor store.Actor) (templates.PaymentSettingsView, []store.PaymentSettings, error) {
	ctx := c.Request().Context()
	payments := ui.Link{Text: "Payments", Href: bookView(actor.Book).URL("payments")}
	shell, err := s.shell(c, actor, below(templates.PagePayments, payments, "Accounts of payments"))
	if err != nil {
		return templates.PaymentSettingsView{}, nil, err
	}
	settings, err := s.Store.PaymentSettings(ctx, actor)
	if err != nil {
		return templates.PaymentSettingsView{}, nil, err
	}
	view := templates.PaymentSettingsView{Shell: shell, Administrators: s.whoGives(c, actor, store.RightAccounts)}
	if view.Rows, err = s.paymentSettingsRows(ctx, actor, settings); err != nil || !actor.Can(store.RightAccounts) {
		return view, settings, err
	}
	view.Accounts, err = s.accountChoices(ctx, actor)
	return view, settings, err
}

func (s *server) paymentSettingsRows(ctx context.Context, actor store.Actor, settings []store.PaymentSettings) ([]templates.PaymentSettingsRow, error) {
	var codes []string
	for _, of := range settings {
		codes = append(codes, of.Clearing, of.Received, of.Fees, of.Chargebacks, of.Bank)
	}
	names, err := s.Store.AccountsByCode(ctx, actor, codes)
	if err != nil {
		return nil, err
	}
	account := func(code string) ui.Account {
		return ui.Account{Code: code, Name: names[code].Name, Href: bookView(actor.Book).AccountURL(code)}
	}
	var rows []templates.PaymentSettingsRow
	for _, of := range settings {
		rows = append(rows, templates.PaymentSettingsRow{
			Currency: of.Currency, Clearing: account(of.Clearing), Received: account(of.Received), Fees: account(of.Fees), Chargebacks: account(of.Chargebacks),
			BankIn: account(of.Bank), CustomerAccounts: of.CustomerAccounts, LimitMinor: of.RefundLimitMinor, Version: of.Version, By: of.By, At: of.At,
		})
	}
	return rows, nil
}

// paymentSettingsForm holds what is set for a currency or, where nothing is, what its accounts suggest.
func (s *server) paymentSettingsForm(c echo.Context, actor store.Actor, settings []store.PaymentSettings, currency string) (*templates.PaymentSettingsForm, error) {
	for _, of := range settings {
		if of.Currency == currency {
			return &templates.PaymentSettingsForm{
				Key: newKey(), Currency: currency, Clearing: of.Clearing, Received: of.Received, Fees: of.Fees, Chargebacks: of.Chargebacks, Bank: of.Bank,
				CustomerAccounts: of.CustomerAccounts, Limit: formatOf(actor).Typed(of.RefundLimitMinor, currency), Known: true,
			}, nil
		}
	}
	form := &templates.PaymentSettingsForm{Key: newKey(), Currency: currency, CustomerAccounts: true, Limit: "0"}
	if currency == "" {
		return form, nil
	}
	accounts, _, err := s.Store.Accounts(c.Request().Context(), actor, "", accountsOffered)
	suggestAccounts(form, accounts, currency)
	return form, err
}

// suggestAccounts proposes the accounts of a currency whose names say what they are for: each account once, the first of several.
func suggestAccounts(form *templates.PaymentSettingsForm, accounts []ledger.Account, currency string) {
	used := map[string]bool{}
	for _, part := range []struct {
		into  *string
		kinds []ledger.AccountType
		words []string
	}{
		{&form.Clearing, []ledger.AccountType{ledger.Asset}, []string{"clearing", "processor", "gateway", "in transit"}},
		{&form.Fees, []ledger.AccountType{ledger.Expense}, []string{"processor fee", "payment fee", "card fee", "transaction fee", "fee"}},
		{&form.Chargebacks, []ledger.AccountType{ledger.Expense, ledger.Asset, ledger.Income}, []string{"chargeback", "dispute"}},
		{&form.Received, []ledger.AccountType{ledger.Income}, []string{"sales", "revenue", "income"}},
		{&form.Bank, []ledger.AccountType{ledger.Asset}, []string{"bank", "current account", "operating"}},
	} {
		if code := accountLike(accounts, currency, part.kinds, part.words, used); code != "" {
			*part.into, used[code], form.Suggested = code, true, true
		}
	}
}

func accountLike(accounts []ledger.Account, currency string, kinds []ledger.AccountType, words []string, used map[string]bool) string {
	for _, word := range words {
		for _, a := range accounts {
			fits := a.Currency == currency && !a.Closed && !used[a.Code] && strings.Contains(strings.ToLower(a.Name), word)
			for _, kind := range kinds {
				if fits && a.Type == kind {
					return a.Code
				}
			}
		}
	}
	return ""
}

func (s *server) setPaymentSettings(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightAccounts); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	settings := store.PaymentSettings{
		Currency: strings.ToUpper(f.text("currency")), Clearing: f.text("clearing"), Received: f.text("received"), Fees: f.text("fees"), Chargebacks: f.text("chargebacks"),
		Bank: f.text("bank"), CustomerAccounts: f.text("customer_accounts") == "yes",
	}
	settings.RefundLimitMinor = f.amount("refund_limit", formatOf(actor), settings.Currency)
	if err = f.err(); err == nil {
		_, err = s.Store.SetPaymentSettings(c.Request().Context(), actor, f.key(), settings)
	}
	if refusal, ok := typedWrong(err); ok {
		return s.showTypedPaymentSettings(c, actor, f, refusal)
	}
	if err != nil {
		return err
	}
	s.tell(c, "Payments in "+settings.Currency+" are booked on these accounts from now on.")
	return seeOther(c, bookView(actor.Book).URL("payments", "settings")+"?currency="+settings.Currency)
}

func (s *server) showTypedPaymentSettings(c echo.Context, actor store.Actor, f *form, refusal *ledger.Error) error {
	view, settings, err := s.paymentSettingsView(c, actor)
	if err != nil {
		return err
	}
	view.Form = &templates.PaymentSettingsForm{
		Key: f.key(), Currency: f.raw("currency"), Clearing: f.raw("clearing"), Received: f.raw("received"), Fees: f.raw("fees"), Chargebacks: f.raw("chargebacks"),
		Bank: f.raw("bank"), CustomerAccounts: f.text("customer_accounts") == "yes", Limit: f.raw("refund_limit"),
	}
	for _, of := range settings {
		view.Form.Known = view.Form.Known || of.Currency == f.text("currency")
	}
	view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	if refusal.Kind == ledger.KindKeyReused {
		view.Form.Key = newKey()
	}
	return s.showAgain(c, refusal, templates.PaymentSettingsPage(view))
}
