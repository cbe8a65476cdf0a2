package web

import (
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// paymentsHead names the columns of exported payments. Moments are UTC, amounts plain decimals. Net is what was captured less what was given back and the fee.
var paymentsHead = []string{
	"payment", "created_at", "customer", "reference", "currency", "amount", "authorized", "captured", "refunded", "disputed", "lost", "fee", "net", "state", "gateway_answered", "entry_refused",
	"bank", "payouts", "gateway", "charge", "gateway_key", "created_by",
}

// exportPayments sends all payments that the page with the same query finds, oldest first.
func (s *server) exportPayments(c echo.Context, actor store.Actor) error {
	f := readPaymentFilter(c.QueryParams())
	if len(f.faults) > 0 { // the page says which
		return seeOther(c, bookView(actor.Book).URL("payments")+"?"+c.QueryString())
	}
	file := newCSVFile(c)
	filter := f.PaymentFilter
	filter.Before, filter.After, filter.OldestFirst, filter.Limit = 0, 0, true, store.MaxPage
	items, more, err := s.Store.Payments(c.Request().Context(), actor, filter)
	if err != nil {
		return err
	}
	if err := file.begin("payments-"+plainName(actor.Book.Code)+".csv", paymentsHead...); err != nil {
		return s.endCSV(file, err)
	}
	for {
		payouts, err := s.Store.PayoutsOf(c.Request().Context(), actor, idsOf(items))
		if err != nil {
			return s.endCSV(file, err)
		}
		for _, p := range items {
			filter.After = p.ID
			if err := file.rows.Write(paymentCells(p, payouts[p.ID])); err != nil {
				return s.endCSV(file, err)
			}
		}
		if !more {
			return s.endCSV(file, nil)
		}
		if items, more, err = s.Store.Payments(c.Request().Context(), actor, filter); err != nil {
			return s.endCSV(file, err)
		}
	}
}

func idsOf(items []store.Payment) []int64 {
	ids := make([]int64, len(items))
	for i, p := range items {
		ids[i] = p.ID
	}
	return ids
}

func paymentCells(p store.Payment, payouts []string) []string {
	amount := func(minor int64) string { return ledger.FormatAmount(minor, p.Currency) }
	net := ""
	if p.CapturedMinor > 0 {
		net = amount(p.NetMinor())
	}
	return []string{
		strconv.FormatInt(p.ID, 10), p.CreatedAt.UTC().Format(time.RFC3339Nano), plainCell(p.Customer), plainCell(p.Reference), p.Currency, amount(p.AmountMinor),
		amount(p.AuthorizedMinor), amount(p.CapturedMinor), amount(p.RefundedMinor), amount(p.DisputedMinor), amount(p.LostMinor), amount(p.FeeMinor), net, p.State.String(),
		strconv.FormatBool(p.Known()), strconv.FormatBool(p.Call != nil && p.Call.State == store.CallUnposted), string(p.Bank), plainCell(strings.Join(payouts, " ")), plainCell(p.Gateway), plainCell(p.Charge), plainCell(p.GatewayKey), plainCell(p.CreatedBy),
	}
}
