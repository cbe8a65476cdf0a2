package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

const (
	// payoutsShown is a page of payouts, partsShown what a page shows of one.
	payoutsShown = 50
	partsShown   = 200
)

func (s *server) showPayouts(c echo.Context, actor store.Actor) error {
	payments := ui.Link{Text: "Payments", Href: bookView(actor.Book).URL("payments")}
	shell, err := s.shell(c, actor, below(templates.PagePayments, payments, "Payouts"))
	if err != nil {
		return err
	}
	view := templates.Payouts{Shell: shell, Query: strings.TrimSpace(c.QueryParam("q"))}
	f := readPayoutFilter(c.QueryParams(), view.Query)
	items, more, err := s.Store.Payouts(c.Request().Context(), actor, f)
	if err != nil {
		return err
	}
	for _, p := range items {
		view.Rows = append(view.Rows, payoutRow(p))
	}
	if len(items) > 0 {
		if f.Before > 0 || f.After > 0 && more {
			view.Newer = strconv.FormatInt(items[0].ID, 10)
		}
		if f.After > 0 || more {
			view.Older = strconv.FormatInt(items[len(items)-1].ID, 10)
		}
	}
	return render(c, http.StatusOK, templates.PayoutsPage(view))
}

func readPayoutFilter(query url.Values, words string) store.PayoutFilter {
	f := store.PayoutFilter{Words: words, Before: cursor(query.Get("before")), After: cursor(query.Get("after")), Limit: payoutsShown}
	if f.Before > 0 {
		f.After = 0
	}
	return f
}

func payoutRow(p store.Payout) templates.PayoutRow {
	return templates.PayoutRow{
		ID: p.ID, Name: p.Name, Source: p.Source, Currency: p.Currency, PaidOn: p.PaidOn, Items: p.ItemCount, GrossMinor: p.GrossMinor, FeesMinor: p.FeesMinor,
		AmountMinor: p.AmountMinor, Seq: p.Seq, Place: placeView(p.PayoutPlace),
	}
}

func placeView(p store.PayoutPlace) templates.PayoutPlace {
	return templates.PayoutPlace{Bank: string(p.Bank), Reconciliation: p.ReconciliationID, BreakID: p.BreakID, ReversedBy: p.ReversedBy}
}

func (s *server) showPayout(c echo.Context, actor store.Actor) error {
	p, err := s.payoutOf(c, actor)
	if err != nil {
		return err
	}
	heading := below(templates.PagePayments, ui.Link{Text: "Payouts", Href: bookView(actor.Book).URL("payments", "payouts")}, "Payout "+p.Name)
	heading.crumbs = append([]ui.Link{{Text: "Payments", Href: bookView(actor.Book).URL("payments")}}, heading.crumbs...)
	shell, err := s.shell(c, actor, heading)
	if err != nil {
		return err
	}
	view := templates.Payout{Shell: shell, PayoutRow: payoutRow(p), FeeMinor: p.FeeMinor, Message: p.MessageID, By: p.By, At: p.At}
	for _, i := range p.Items[:min(len(p.Items), partsShown)] {
		view.Parts = append(view.Parts, templates.PayoutPart{
			N: i.N, Payment: i.PaymentID, Kind: i.Kind, Ref: i.Ref, GrossMinor: i.GrossMinor, FeeMinor: i.FeeMinor, AmountMinor: i.AmountMinor, Seq: i.Seq, Line: i.Line,
			Place: placeView(i.PayoutPlace),
		})
	}
	return render(c, http.StatusOK, templates.PayoutPage(view))
}

// payoutOf reads the payout that the address names.
func (s *server) payoutOf(c echo.Context, actor store.Actor) (store.Payout, error) {
	id, err := api.PathNumber(c, "id", "payout")
	if err != nil {
		return store.Payout{}, err
	}
	return s.Store.Payout(c.Request().Context(), actor, id)
}
