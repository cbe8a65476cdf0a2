package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
)

type reconciliation struct {
	ID            int64                   `json:"id"`
	Account       string                  `json:"account"`
	Currency      string                  `json:"currency"`
	StatementID   int64                   `json:"statement_id"`
	Status        string                  `json:"status"`
	ScopeFrom     string                  `json:"scope_from"`
	ScopeTo       string                  `json:"scope_to"`
	PeriodStated  bool                    `json:"period_stated"`
	RulesVersion  int                     `json:"rules_version"`
	BalanceSource recon.BalanceSource     `json:"balance_source"`
	Matches       int                     `json:"matches"`
	OpenBreaks    int                     `json:"open_breaks"`
	Counts        map[recon.BreakType]int `json:"counts"`
	Totals        recon.Totals            `json:"totals"`
	Proof         recon.Proof             `json:"proof"`
	Version       int                     `json:"version"`
	Steps         []reconciliationStep    `json:"steps"`
	Undo          *undone                 `json:"undo,omitempty"`
}

func reconciliationOf(r store.Reconciliation) reconciliation {
	shown := reconciliation{
		ID: r.ID, Account: r.Account.Code, Currency: r.Account.Currency, StatementID: r.Statement.ID, Status: r.Status,
		ScopeFrom: r.ScopeFrom.String(), ScopeTo: r.ScopeTo.String(), PeriodStated: r.PeriodStated, RulesVersion: r.RulesVersion, BalanceSource: r.BalanceSource,
		Matches: r.Matches, OpenBreaks: r.OpenBreaks, Counts: r.Counts, Totals: r.Totals, Proof: r.Proof, Version: r.Version, Steps: stepsOf(r),
	}
	if r.Undo != nil {
		undo := undoneOf(*r.Undo)
		shown.Undo = &undo
	}
	return shown
}

func (a *api) showReconciliation(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "reconciliation")
	if err != nil {
		return err
	}
	found, err := a.Store.Reconciliation(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, reconciliationOf(found))
}
