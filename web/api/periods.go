package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// period is a month of the book. Turnover is what was debited in it by currency; the credits are as much. Closing is the id of the
// request that closed it.
type period struct {
	Period         string           `json:"period"`
	Status         string           `json:"status"`
	From           string           `json:"from"`
	To             string           `json:"to"`
	Entries        int64            `json:"entries"`
	Turnover       map[string]int64 `json:"turnover"`
	LastSeq        *int64           `json:"last_seq"`
	LastRecordedAt *string          `json:"last_recorded_at"`
	ClosedAt       *string          `json:"closed_at"`
	ClosedBy       *string          `json:"closed_by"`
	Closing        *int64           `json:"closing"`
	Request        *waitingRequest  `json:"request"`
	Accounts       []periodAccount  `json:"accounts"`
}

// waitingRequest is one to close or to reopen a period, which waits for another person.
type waitingRequest struct {
	ApprovalID  int64  `json:"approval_id"`
	Kind        string `json:"kind"`
	RequestedBy string `json:"requested_by"`
	RequestedAt string `json:"requested_at"`
	Reason      string `json:"reason"`
}

// periodAccount is an account with statements at the end of a period; without a reconciliation no statement ends in the period.
type periodAccount struct {
	Account          string  `json:"account"`
	Currency         string  `json:"currency"`
	ReconciliationID *int64  `json:"reconciliation_id"`
	StatementTo      *string `json:"statement_to"`
	UnexplainedMinor *int64  `json:"unexplained_minor"`
	OpenBreaks       int     `json:"open_breaks"`
}

func (a *api) listPeriods(c echo.Context, actor store.Actor) error {
	query := queryOf(c)
	after, limit := query.period("after"), query.limit()
	if err := query.err(); err != nil {
		return err
	}
	periods, more, err := a.Store.Periods(c.Request().Context(), actor, store.PeriodFilter{After: after, Limit: limit})
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, listOf(periods, more, periodOf, func(p store.PeriodSummary) string { return string(p.Period) }))
}

func periodOf(p store.PeriodSummary) period {
	shown := period{
		Period: string(p.Period), Status: "open", From: p.Period.First().String(), To: p.Period.Last().String(), Entries: p.Entries, Turnover: p.DebitMinor,
		LastSeq: numberOrNull(p.LastSeq), LastRecordedAt: instantOrNull(p.LastRecordedAt), ClosedAt: instantOrNull(p.ClosedAt), ClosedBy: textOrNull(p.ClosedBy),
		Accounts: make([]periodAccount, len(p.Accounts)),
	}
	if p.Closed() {
		shown.Status = "closed"
	}
	if p.Closing != nil {
		shown.Closing = &p.Closing.ID
	}
	if r := p.Pending; r != nil {
		shown.Request = &waitingRequest{r.ID, string(r.Kind), r.Requester, ledger.FormatInstant(r.RequestedAt), r.Reason}
	}
	for i, account := range p.Accounts {
		shown.Accounts[i] = periodAccount{
			Account: account.Account.Code, Currency: account.Account.Currency, ReconciliationID: numberOrNull(account.ReconciliationID),
			StatementTo: textOrNull(account.To.String()), OpenBreaks: account.OpenBreaks,
		}
		if account.ReconciliationID > 0 {
			shown.Accounts[i].UnexplainedMinor = &account.UnexplainedMinor
		}
	}
	return shown
}

// period reads a month; none is the empty one.
func (p *parameters) period(name string) ledger.Period {
	text := p.text(name)
	if text == "" {
		return ""
	}
	period, err := ledger.ParsePeriod(text)
	if err != nil {
		p.fault.At(name, "%q is not a period: write it as YYYY-MM", text)
	}
	return period
}
