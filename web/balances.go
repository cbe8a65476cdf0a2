package web

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
)

// balanceFilter is which balances are asked for.
type balanceFilter struct {
	asOf, from ledger.Date
	knownAt    time.Time
	all        bool
	faults     []ledger.FieldError
}

func readBalanceFilter(query url.Values) balanceFilter {
	f := balanceFilter{all: query.Get("all") == "1"}
	f.asOf = readDate(query.Get("as_of"), "as_of", &f.faults)
	f.from = readDate(query.Get("from"), "from", &f.faults)
	f.knownAt = readMoment(query.Get("known_at"), "known_at", &f.faults)
	if len(f.faults) == 0 && !f.from.IsZero() && !f.asOf.IsZero() && f.from.After(f.asOf) {
		f.faults = append(f.faults, ledger.FieldError{Field: "from", Detail: "The movement begins after the day of the balances"})
	}
	return f
}

// momentForms are how a moment may be written: as browsers send it, as the API does, or a day, which means its end.
var momentForms = []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339Nano, "2006-01-02 15:04", "2006-01-02 15:04:05"}

func readMoment(text, name string, faults *[]ledger.FieldError) time.Time {
	if text == "" {
		return time.Time{}
	}
	if day, err := ledger.ParseDate(text); err == nil {
		return day.AddDays(1).Time().Add(-time.Microsecond)
	}
	for _, form := range momentForms {
		if moment, err := time.Parse(form, text); err == nil && moment.Year() >= 1900 && moment.Year() <= 9999 {
			return moment.UTC()
		}
	}
	*faults = append(*faults, ledger.FieldError{Field: name, Detail: quoted(text) + " is not a moment: write it as 2026-03-31T17:00"})
	return time.Time{}
}

func (s *server) showBalances(c echo.Context, actor store.Actor) error {
	f := readBalanceFilter(c.QueryParams())
	shell, err := s.shell(c, actor, heading{title: "Balances", page: templates.PageBalances})
	if err != nil {
		return err
	}
	if len(f.faults) > 0 {
		return render(c, http.StatusUnprocessableEntity, templates.BalancesPage(f.view(shell)))
	}
	view := f.view(shell)
	if view.Groups, view.Hidden, err = s.readBalances(c.Request().Context(), actor, f); err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.BalancesPage(view))
}

// readBalances gives the balances that a filter asks for, by type, and how many accounts it leaves out.
func (s *server) readBalances(ctx context.Context, actor store.Actor, f balanceFilter) (groups []templates.BalanceGroup, hidden int, err error) {
	closing, err := s.Store.Balances(ctx, actor, store.BalanceQuery{AsOf: f.asOf, KnownAt: f.knownAt})
	if err != nil {
		return nil, 0, err
	}
	opening := map[string]ledger.Turnover{}
	if !f.from.IsZero() {
		before, err := s.Store.Balances(ctx, actor, store.BalanceQuery{AsOf: f.from.AddDays(-1), KnownAt: f.knownAt})
		if err != nil {
			return nil, 0, err
		}
		for _, account := range before.Accounts {
			opening[account.Code] = account.Turnover
		}
	}
	groups, hidden = balanceGroups(closing.Accounts, opening, f.all)
	return groups, hidden, nil
}

func (f balanceFilter) view(shell templates.Shell) templates.Balances {
	view := templates.Balances{Shell: shell, AsOf: f.asOf, From: f.from, All: f.all, Errors: f.faults}
	if !f.knownAt.IsZero() {
		view.KnownAt = f.knownAt.Format("2006-01-02T15:04:05")
	}
	return view
}

var groupNames = map[ledger.AccountType]string{
	ledger.Asset: "Assets", ledger.Liability: "Liabilities", ledger.Equity: "Equity", ledger.Income: "Income", ledger.Expense: "Expenses",
}

// balanceGroups sorts accounts to their types, what happened before the movement apart. Accounts without any activity are
// counted and left out, unless all are asked for.
func balanceGroups(accounts []store.AccountBalance, opening map[string]ledger.Turnover, all bool) (groups []templates.BalanceGroup, hidden int) {
	rows := map[ledger.AccountType][]templates.BalanceRow{}
	for _, a := range accounts {
		if a.Turnover == (ledger.Turnover{}) && !all {
			hidden++
			continue
		}
		before := opening[a.Code]
		rows[a.Type] = append(rows[a.Type], templates.BalanceRow{
			Code: a.Code, Name: a.Name, Currency: a.Currency, OpeningMinor: before.BalanceMinor(),
			DebitMinor: a.DebitMinor - before.DebitMinor, CreditMinor: a.CreditMinor - before.CreditMinor, BalanceMinor: a.BalanceMinor(),
		})
	}
	for _, kind := range ledger.AccountTypes {
		if len(rows[kind]) > 0 {
			groups = append(groups, templates.BalanceGroup{Name: groupNames[kind], Rows: rows[kind]})
		}
	}
	return groups, hidden
}
