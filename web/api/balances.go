package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// balances is a trial balance. Turnovers are both positive; a balance is debit - credit.
type balances struct {
	AsOf     *string             `json:"as_of"`
	KnownAt  *string             `json:"known_at"`
	Accounts []accountBalance    `json:"accounts"`
	Totals   map[string]turnover `json:"totals"`
}

type accountBalance struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Type     string `json:"type"`
	Currency string `json:"currency"`
	turnover
	Balance int64 `json:"balance"`
}

type turnover struct {
	Debit  int64 `json:"debit"`
	Credit int64 `json:"credit"`
}

func turnoverOf(t ledger.Turnover) turnover {
	return turnover{Debit: t.DebitMinor, Credit: t.CreditMinor}
}

func (a *api) showBalances(c echo.Context, actor store.Actor) error {
	query := queryOf(c)
	wanted := store.BalanceQuery{AsOf: query.date("as_of"), KnownAt: query.instant("known_at")}
	if err := query.err(); err != nil {
		return err
	}
	computed, err := a.Store.Balances(c.Request().Context(), actor, wanted)
	if err != nil {
		return err
	}
	shown := balances{
		AsOf: textOrNull(wanted.AsOf.String()), KnownAt: instantOrNull(wanted.KnownAt),
		Accounts: make([]accountBalance, len(computed.Accounts)), Totals: map[string]turnover{},
	}
	for i, b := range computed.Accounts {
		shown.Accounts[i] = accountBalance{
			Code: b.Code, Name: b.Name, Type: string(b.Type), Currency: b.Currency, turnover: turnoverOf(b.Turnover), Balance: b.BalanceMinor(),
		}
	}
	for currency, total := range computed.Totals {
		shown.Totals[currency] = turnoverOf(total)
	}
	return answer(c, http.StatusOK, shown)
}

func instantOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return textOrNull(ledger.FormatInstant(t))
}
