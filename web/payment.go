package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/payment"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// showPayment shows one payment whole, and no form.
func (s *server) showPayment(c echo.Context, actor store.Actor) error {
	view, err := s.paymentPage(c, actor)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.PaymentPage(view))
}

// showPaymentForm shows one payment with the form of what is to be done with it. What cannot be done now has none.
func (s *server) showPaymentForm(do string) actorHandler {
	return func(c echo.Context, actor store.Actor) error {
		view, err := s.paymentPage(c, actor)
		if err != nil {
			return err
		}
		view.Form = templates.PaymentForm{Do: do, Key: c.QueryParam("form")}
		switch do {
		case templates.DoCapture:
			view.Form.Amount = view.Format.Typed(view.AuthorizedMinor, view.Currency)
		case templates.DoRefund:
			view.Form.Amount = view.Format.Typed(view.LeftMinor, view.Currency)
		}
		return render(c, http.StatusOK, templates.PaymentPage(view))
	}
}

// paymentPage is the page of the payment that the address names.
func (s *server) paymentPage(c echo.Context, actor store.Actor) (templates.PaymentPageView, error) {
	id, err := api.PathNumber(c, "id", "payment")
	if err != nil {
		return templates.PaymentPageView{}, err
	}
	view, err := s.paymentView(c, actor, id)
	if err != nil {
		return templates.PaymentPageView{}, err
	}
	payments := ui.Link{Text: "Payments", Href: bookView(actor.Book).URL("payments")}
	shell, err := s.shell(c, actor, below(templates.PagePayments, payments, "Payment "+templates.NameOfPayment(id)))
	return templates.PaymentPageView{Shell: shell, PaymentView: view}, err
}

func (s *server) paymentView(c echo.Context, actor store.Actor, id int64) (templates.PaymentView, error) {
	h, err := s.Store.PaymentHistory(c.Request().Context(), actor, id)
	if err != nil {
		return templates.PaymentView{}, err
	}
	view := templates.PaymentView{
		ID: h.ID, State: h.State, Gateway: h.Gateway, Charge: h.Charge, GatewayKey: h.GatewayKey, Currency: h.Currency, Customer: h.Customer, Reference: h.Reference,
		CreatedBy: h.CreatedBy, CreatedAt: h.CreatedAt, AmountMinor: h.AmountMinor, AuthorizedMinor: h.AuthorizedMinor, CapturedMinor: h.CapturedMinor,
		RefundedMinor: h.RefundedMinor, DisputedMinor: h.DisputedMinor, LostMinor: h.LostMinor, FeeMinor: h.FeeMinor, LeftMinor: h.LeftMinor(), NetMinor: h.NetMinor(),
		Bank: string(h.Bank), Refund: h.Refund, MissingRight: missing(actor, store.RightPost),
		Administrators: s.whoGives(c, actor, store.RightPost),
	}
	for _, call := range h.Calls {
		view.Calls = append(view.Calls, paymentCallView(call))
	}
	if h.Call != nil {
		call := paymentCallView(*h.Call)
		view.Call = &call
	}
	for _, e := range h.Events {
		view.Events = append(view.Events, paymentEventView(e))
	}
	for _, p := range h.Payouts {
		of, err := payment.ParseKind(p.Of)
		if err != nil {
			return view, err
		}
		view.Payouts = append(view.Payouts, templates.PaymentPayout{
			ID: p.PayoutID, Payout: p.Payout, Of: of, Seq: p.Seq, PaidOn: p.PaidOn, AmountMinor: p.AmountMinor, FeeMinor: p.FeeMinor, Match: p.MatchID, Break: p.BreakID,
			Account: p.Account, Line: p.StatementLine, Reversed: p.Reversed,
		})
	}
	view.LimitMinor, err = s.refundLimit(c, actor, h.Currency)
	return view, err
}

// refundLimit is up to what a refund needs nobody else; 0 for a currency that is not set up any more.
func (s *server) refundLimit(c echo.Context, actor store.Actor, currency string) (int64, error) {
	settings, err := s.Store.PaymentSettings(c.Request().Context(), actor)
	for _, of := range settings {
		if of.Currency == currency {
			return of.RefundLimitMinor, err
		}
	}
	return 0, err
}

func paymentCallView(call store.PaymentCall) templates.PaymentCall {
	view := templates.PaymentCall{
		ID: call.ID, Command: string(call.Command), AmountMinor: call.AmountMinor, Key: call.Key, GatewayKey: call.GatewayKey, Reason: call.Reason, State: string(call.State),
		Attempts: call.Attempts, Why: call.Why, Approval: call.ApprovalID, AskedBy: call.AskedBy, At: call.CreatedAt, ChangedAt: call.ChangedAt,
	}
	if call.Problem != nil {
		view.Problem = problemText(call.Problem)
	}
	for _, t := range call.Tries {
		view.Tries = append(view.Tries, templates.PaymentTry{Asked: t.Asked, Outcome: string(t.Outcome), Why: t.Why, By: t.By, At: t.At, Took: t.Took})
	}
	return view
}

func paymentEventView(e store.PaymentEvent) templates.PaymentEvent {
	told := payment.Tell(e.Event)
	return templates.PaymentEvent{
		Kind: told.Kind, Ref: told.Ref, Reason: told.Reason, AmountMinor: told.AmountMinor, FeeMinor: told.FeeMinor, Seq: e.Seq, Call: e.CallID,
		Source: e.Source, Message: e.MessageID, By: e.By, At: e.At,
	}
}
