package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func (s *server) showNewPayment(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	view, err := s.newPaymentView(c, actor, c.QueryParam("form"))
	if err != nil {
		return err
	}
	view.Currency = actor.Book.Currency
	return render(c, http.StatusOK, templates.NewPaymentPage(view))
}

// newPaymentView is the form before anything was typed.
func (s *server) newPaymentView(c echo.Context, actor store.Actor, key string) (templates.NewPayment, error) {
	ctx := c.Request().Context()
	payments := ui.Link{Text: "Payments", Href: bookView(actor.Book).URL("payments")}
	shell, err := s.shell(c, actor, below(templates.PagePayments, payments, "New payment"))
	if err != nil {
		return templates.NewPayment{}, err
	}
	settings, err := s.Store.PaymentSettings(ctx, actor)
	if err != nil {
		return templates.NewPayment{}, err
	}
	view := templates.NewPayment{Shell: shell, Form: key, Unset: len(settings) == 0, Currencies: []string{actor.Book.Currency}}
	own := false
	for _, of := range settings {
		own = own || of.CustomerAccounts
		if !slices.Contains(view.Currencies, of.Currency) {
			view.Currencies = append(view.Currencies, of.Currency)
		}
	}
	if !own {
		return view, nil
	}
	accounts, err := s.accountChoices(ctx, actor)
	for _, account := range accounts {
		if customer, has := strings.CutPrefix(account.Code, "customer:"); has {
			account.Code = customer
			view.Customers = append(view.Customers, account)
		}
	}
	return view, err
}

func (s *server) requestPayment(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	asked := store.PaymentRequest{Currency: f.text("currency"), Customer: f.text("customer"), Reference: f.text("reference")}
	if f.text("amount") == "" {
		f.fault("amount", "is missing")
	} else {
		asked.AmountMinor = f.amount("amount", formatOf(actor), asked.Currency)
	}
	if asked.Customer == "" {
		f.fault("customer", "is missing")
	}
	if refusal := f.refusal(); refusal != nil {
		return s.showTypedPayment(c, actor, f, refusal)
	}
	receipt, err := s.Store.RequestPayment(c.Request().Context(), actor, f.key(), asked)
	if refusal, ok := typedWrong(err); ok {
		return s.showTypedPayment(c, actor, f, refusal)
	}
	if err != nil {
		return err
	}
	if receipt.Duplicate {
		s.tell(c, "This form was sent before: here is the payment that it put down.")
	} else {
		s.tell(c, "Payment "+templates.NameOfPayment(receipt.ID)+" is put down.\nNothing was asked of the gateway yet: authorize it next.")
	}
	return seeOther(c, bookView(actor.Book).PaymentURL(receipt.ID))
}

// showTypedPayment shows the form again with what was typed. One whose key had another payment gets a fresh key.
func (s *server) showTypedPayment(c echo.Context, actor store.Actor, f *form, refusal *ledger.Error) error {
	view, err := s.newPaymentView(c, actor, f.key())
	if err != nil {
		return err
	}
	view.Amount, view.Currency, view.Customer, view.Reference = f.raw("amount"), f.raw("currency"), f.raw("customer"), f.raw("reference")
	view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	if refusal.Kind == ledger.KindKeyReused {
		view.Form, view.Errors = newKey(), nil
		view.Message = "This form put another payment down before. Send it again if this is one more."
	}
	return s.showAgain(c, refusal, templates.NewPaymentPage(view))
}
