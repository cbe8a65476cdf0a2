package api

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// payoutShown is a payout in a list: gross less fees is amount, which arrives. Fee is that of the payout itself, and one of the fees.
type payoutShown struct {
	ID        int64  `json:"id"`
	Payout    string `json:"payout"`
	Source    string `json:"source"`
	MessageID string `json:"message_id"`
	PaidOn    string `json:"paid_on"`
	Currency  string `json:"currency"`
	ItemCount int64  `json:"item_count"`
	Gross     int64  `json:"gross"`
	Fees      int64  `json:"fees"`
	Fee       int64  `json:"fee"`
	Amount    int64  `json:"amount"`
	Seq       int64  `json:"seq"`
	At        string `json:"at"`
	By        string `json:"by"`
	payoutPlace
}

// payoutPlace says how far the money is, and what holds it.
type payoutPlace struct {
	Bank             *string `json:"bank"`
	ReconciliationID *int64  `json:"reconciliation_id"`
	BreakID          *int64  `json:"break_id"`
	ReversedBy       *int64  `json:"reversed_by"`
}

type payoutItem struct {
	PaymentID int64  `json:"payment_id"`
	Kind      string `json:"kind"`
	Ref       string `json:"ref"`
	Gross     int64  `json:"gross"`
	Fee       int64  `json:"fee"`
	Amount    int64  `json:"amount"`
	Seq       int64  `json:"seq"`
	Line      *int64 `json:"line"`
	payoutPlace
}

func payoutOf(p store.Payout) payoutShown {
	return payoutShown{
		ID: p.ID, Payout: p.Name, Source: p.Source, MessageID: p.MessageID, PaidOn: p.PaidOn.String(), Currency: p.Currency, ItemCount: p.ItemCount, Gross: p.GrossMinor,
		Fees: p.FeesMinor, Fee: p.FeeMinor, Amount: p.AmountMinor, Seq: p.Seq, At: ledger.FormatInstant(p.At), By: p.By, payoutPlace: placeOf(p.PayoutPlace),
	}
}

func placeOf(p store.PayoutPlace) payoutPlace {
	return payoutPlace{
		Bank: textOrNull(string(p.Bank)), ReconciliationID: numberOrNull(p.ReconciliationID), BreakID: numberOrNull(p.BreakID), ReversedBy: numberOrNull(p.ReversedBy),
	}
}

func (a *api) listPayouts(c echo.Context, actor store.Actor) error {
	query := queryOf(c)
	filter := store.PayoutFilter{Words: query.text("q"), After: query.after(), Limit: query.limit(), OldestFirst: true}
	if err := query.err(); err != nil {
		return err
	}
	payouts, more, err := a.Store.Payouts(c.Request().Context(), actor, filter)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(payouts, more, payoutOf, func(p store.Payout) string { return strconv.FormatInt(p.ID, 10) }))
}

func (a *api) showPayout(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "payout")
	if err != nil {
		return err
	}
	p, err := a.Store.Payout(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	whole := struct {
		payoutShown
		Items []payoutItem `json:"items"`
	}{payoutOf(p), make([]payoutItem, len(p.Items))}
	for n, i := range p.Items {
		whole.Items[n] = payoutItem{
			PaymentID: i.PaymentID, Kind: i.Kind.String(), Ref: i.Ref, Gross: i.GrossMinor, Fee: i.FeeMinor, Amount: i.AmountMinor, Seq: i.Seq,
			Line: numberOrNull(int64(i.Line)), payoutPlace: placeOf(i.PayoutPlace),
		}
	}
	return answer(c, http.StatusOK, whole)
}
