package web

import (
	"maps"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// periodsShown is a page of the list: each row holds a proof of every bank account.
const periodsShown = 12

func (s *server) showPeriods(c echo.Context, actor store.Actor) error {
	shell, err := s.shell(c, actor, heading{title: "Periods", page: templates.PagePeriods})
	if err != nil {
		return err
	}
	filter := store.PeriodFilter{Before: periodOf(c.QueryParam("before")), Newest: true, Limit: periodsShown}
	if after := periodOf(c.QueryParam("after")); after != "" {
		filter = store.PeriodFilter{After: after, Limit: periodsShown}
	}
	periods, more, err := s.Store.Periods(c.Request().Context(), actor, filter)
	if err != nil {
		return err
	}
	if !filter.Newest {
		slices.Reverse(periods)
	}
	view := templates.Periods{Shell: shell}
	for _, p := range periods {
		view.Rows = append(view.Rows, s.periodRow(actor, p))
	}
	if n := len(periods); n > 0 && (more && !filter.Newest || filter.Before != "") {
		view.Newer = shell.Book.URL("periods") + "?after=" + string(periods[0].Period)
	}
	if n := len(periods); n > 0 && (more || !filter.Newest) {
		view.Older = shell.Book.URL("periods") + "?before=" + string(periods[n-1].Period)
	}
	return render(c, http.StatusOK, templates.PeriodsPage(view))
}

// periodOf reads the cursor of a page. What is no period begins at the newest.
func periodOf(text string) ledger.Period {
	period, err := ledger.ParsePeriod(text)
	if err != nil {
		return ""
	}
	return period
}

func (s *server) periodRow(actor store.Actor, p store.PeriodSummary) templates.PeriodRow {
	row := templates.PeriodRow{
		Period: p.Period, Entries: p.Entries, LastSeq: p.LastSeq, LastRecordedAt: p.LastRecordedAt, ClosedAt: p.ClosedAt, ClosedBy: p.ClosedBy,
		Current: !p.Period.Last().Before(s.today()), MayAsk: actor.Can(store.RightPeriods),
	}
	if p.Closing != nil {
		row.ReasonText = p.Closing.Reason
	}
	if p.Pending != nil {
		row.RequestID, row.RequestBy, row.ReasonText = p.Pending.ID, p.Pending.RequesterName, p.Pending.Reason
	}
	for _, currency := range slices.Sorted(maps.Keys(p.DebitMinor)) {
		row.Turnover = append(row.Turnover, ui.Money{Minor: p.DebitMinor[currency], Currency: currency, WithCode: true})
	}
	for _, a := range p.Accounts {
		row.Accounts = append(row.Accounts, templates.PeriodAccount{
			Code: a.Account.Code, Name: a.Account.Name, Currency: a.Account.Currency, ReconciliationID: a.ReconciliationID, To: a.To,
			UnexplainedMinor: a.UnexplainedMinor, OpenBreaks: a.OpenBreaks,
		})
	}
	return row
}
