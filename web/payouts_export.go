package web

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// payoutHead names the columns of the exported items of a payout. Amounts are plain decimals; gross less fee is amount, which arrives.
var payoutHead = []string{
	"payout", "paid_on", "source", "payment", "event", "ref", "currency", "gross", "fee", "amount", "entry", "line", "bank", "reconciliation", "break", "reversed_by",
}

// exportPayout sends all items of a payout. What the payout itself cost has a row of its own, so that the rows come to what arrives.
func (s *server) exportPayout(c echo.Context, actor store.Actor) error {
	p, err := s.payoutOf(c, actor)
	if err != nil {
		return err
	}
	rows := make([][]string, 0, len(p.Items)+1)
	for _, i := range p.Items {
		rows = append(rows, payoutCells(p, i, strconv.FormatInt(i.PaymentID, 10), i.Kind.String()))
	}
	if p.FeeMinor != 0 {
		fee := store.PayoutItem{FeeMinor: p.FeeMinor, AmountMinor: -p.FeeMinor, Seq: p.Seq, PayoutPlace: store.PayoutPlace{ReversedBy: p.ReversedBy}}
		rows = append(rows, payoutCells(p, fee, "", "fee"))
	}
	file := newCSVFile(c)
	if err := file.begin("payout-"+plainName(actor.Book.Code)+"-"+strconv.FormatInt(p.ID, 10)+".csv", payoutHead...); err != nil {
		return s.endCSV(file, err)
	}
	return s.endCSV(file, file.rows.WriteAll(rows))
}

func payoutCells(p store.Payout, i store.PayoutItem, of, event string) []string {
	amount := func(minor int64) string { return ledger.FormatAmount(minor, p.Currency) }
	return []string{
		plainCell(p.Name), p.PaidOn.String(), plainCell(p.Source), of, event, plainCell(i.Ref), p.Currency, amount(i.GrossMinor), amount(i.FeeMinor), amount(i.AmountMinor),
		strconv.FormatInt(i.Seq, 10), numberOrNone(int64(i.Line)), string(i.Bank), numberOrNone(i.ReconciliationID), numberOrNone(i.BreakID), numberOrNone(i.ReversedBy),
	}
}
