package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/payment"
	"daybook/templates"
)

// paymentsShown is a page of payments.
const paymentsShown = 50

// showPayments lists payments, beside the one that the address names.
func (s *server) showPayments(c echo.Context, actor store.Actor) error {
	ctx := c.Request().Context()
	shell, err := s.shell(c, actor, heading{title: "Payments", page: templates.PagePayments})
	if err != nil {
		return err
	}
	f := readPaymentFilter(c.QueryParams())
	view := templates.Payments{
		Shell: shell, Filter: f.typed, Errors: f.faults, MayPost: actor.Can(store.RightPost), Simulated: s.Simulator != nil,
	}
	settings, err := s.Store.PaymentSettings(ctx, actor)
	if err != nil {
		return err
	}
	view.Ready = len(settings) > 0
	if len(f.faults) > 0 {
		return render(c, http.StatusUnprocessableEntity, templates.PaymentsPage(view))
	}
	if view.Figures, err = s.paymentFigures(c, actor, f.PaymentFilter); err != nil {
		return err
	}
	items, more, err := s.Store.Payments(ctx, actor, f.PaymentFilter)
	if err != nil {
		return err
	}
	for _, p := range items {
		view.Rows = append(view.Rows, paymentRow(p))
	}
	view.Newer, view.Older = f.turn(view.Rows, more)
	if id := c.QueryParam("id"); id != "" {
		open, err := s.paymentView(c, actor, cursor(id))
		if err != nil {
			return err
		}
		view.Open = &open
	}
	return render(c, http.StatusOK, templates.PaymentsPage(view))
}

// paymentFilter is which payments are asked for: as typed, and as the store takes it.
type paymentFilter struct {
	store.PaymentFilter
	typed  templates.PaymentsFilter
	faults []ledger.FieldError
}

// readPaymentFilter reads the address of the list. Only days, a state and a bank can be wrong.
func readPaymentFilter(query url.Values) paymentFilter {
	text := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	f := paymentFilter{typed: templates.PaymentsFilter{
		Query: text("q"), State: text("state"), Bank: text("bank"), Unsettled: text("unsettled"), From: text("from"), To: text("to"),
	}}
	f.PaymentFilter = store.PaymentFilter{Words: paymentWords(f.typed.Query), Bank: store.PaymentBank(f.typed.Bank), Unsettled: f.typed.Unsettled != "", Limit: paymentsShown}
	f.From, f.To = readDate(f.typed.From, "from", &f.faults), readDate(f.typed.To, "to", &f.faults)
	inOrderOfDays(f.From, f.To, &f.faults)
	if !slices.Contains([]store.PaymentBank{"", store.PaidOutNot, store.PaidOutInTransit, store.PaidOutMatched}, f.Bank) {
		f.faults = append(f.faults, ledger.FieldError{Field: "bank", Detail: quoted(f.typed.Bank) + " is not a place on the way to the bank: choose one"})
	}
	var err error
	if f.States, err = paymentStates(f.typed.State); err != nil {
		f.faults = append(f.faults, ledger.FieldError{Field: "state", Detail: quoted(f.typed.State) + " is not a state: choose one"})
	}
	f.Before, f.After = cursor(query.Get("before")), cursor(query.Get("after"))
	if f.Before > 0 {
		f.typed.Before, f.After = query.Get("before"), 0
	} else if f.After > 0 {
		f.typed.After = query.Get("after")
	}
	return f
}

// paymentWords are the words of a search: P-17 is what pages call payment 17.
func paymentWords(text string) string {
	if number, ok := strings.CutPrefix(strings.ToUpper(text), "P-"); ok {
		if _, err := strconv.ParseInt(number, 10, 64); err == nil {
			return number
		}
	}
	return text
}

// paymentStates are the states that a word of the filter stands for. Error: KindInvalid.
func paymentStates(word string) ([]payment.State, error) {
	switch word {
	case "":
		return nil, nil
	case templates.PaymentsTaken:
		return []payment.State{payment.Captured, payment.PartlyRefunded, payment.Refunded, payment.Disputed, payment.ChargedBack}, nil
	case templates.PaymentsBack:
		return []payment.State{payment.PartlyRefunded, payment.Refunded}, nil
	}
	state, err := payment.ParseState(word)
	return []payment.State{state}, err
}

// turn gives the cursors of the pages around this one.
func (f paymentFilter) turn(rows []templates.PaymentRow, more bool) (newer, older string) {
	if len(rows) == 0 {
		return "", ""
	}
	if f.Before > 0 || f.After > 0 && more {
		newer = strconv.FormatInt(rows[0].ID, 10)
	}
	if f.After > 0 || more {
		older = strconv.FormatInt(rows[len(rows)-1].ID, 10)
	}
	return newer, older
}

// paymentFigures are the sums of what a filter finds, the currency of the book first.
func (s *server) paymentFigures(c echo.Context, actor store.Actor, f store.PaymentFilter) ([]templates.PaymentFigures, error) {
	figures, err := s.Store.PaymentFigures(c.Request().Context(), actor, f)
	if err != nil {
		return nil, err
	}
	var view []templates.PaymentFigures
	for _, sum := range figures {
		shown := templates.PaymentFigures{
			Currency: sum.Currency, Count: sum.Count, Captured: sum.Captured, Refunded: sum.Refunded, Authorized: sum.Authorized, Unknown: sum.Unknown, Unposted: sum.Unposted,
			CapturedMinor: sum.CapturedMinor, RefundedMinor: sum.RefundedMinor, AuthorizedMinor: sum.AuthorizedMinor, UnknownMinor: sum.UnknownMinor, UnpostedMinor: sum.UnpostedMinor,
			ClearingMinor: sum.ClearingMinor, Clearing: sum.Clearing,
		}
		if sum.Currency == actor.Book.Currency {
			view = slices.Insert(view, 0, shown)
			continue
		}
		view = append(view, shown)
	}
	return view, nil
}

func paymentRow(p store.Payment) templates.PaymentRow {
	row := templates.PaymentRow{
		ID: p.ID, CreatedAt: p.CreatedAt, Customer: p.Customer, Reference: p.Reference, Currency: p.Currency, GrossMinor: p.AmountMinor, State: p.State,
		Bank: string(p.Bank),
	}
	if p.Call != nil {
		row.Call = string(p.Call.State)
	}
	if p.CapturedMinor > 0 {
		row.Taken, row.GrossMinor, row.FeeMinor, row.NetMinor = true, p.CapturedMinor, p.FeeMinor, p.NetMinor()
		row.BackMinor = p.CapturedMinor - p.LeftMinor()
	}
	return row
}
