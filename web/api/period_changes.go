package api

import (
	"context"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// periodRequest asks to close or to reopen a period.
type periodRequest func(ctx context.Context, actor store.Actor, key string, period ledger.Period, reason string) (store.Approval, bool, error)

// requestPeriodChange answers a request about a period. A page asks for the reason of a reopening; a program may leave it out.
func (a *api) requestPeriodChange(request periodRequest) handler {
	return func(c echo.Context, actor store.Actor) error {
		if err := actor.Need(store.RightPeriods); err != nil {
			return err
		}
		key, err := optionalKey(c)
		if err != nil {
			return err
		}
		period, err := PathPeriod(c)
		if err != nil {
			return err
		}
		body, err := readObject(c)
		if err != nil {
			return err
		}
		reason := body.Text("reason")
		if err := body.Err(); err != nil {
			return err
		}
		asked, duplicate, err := request(c.Request().Context(), actor, key, period, reason)
		if err != nil {
			return err
		}
		return created(c, duplicate, map[string]any{"approval_id": asked.ID, "status": asked.Status, "period": period, "duplicate": duplicate})
	}
}

// PathPeriod gives the period in the path; what is no period names nothing.
func PathPeriod(c echo.Context) (ledger.Period, error) {
	period, err := ledger.ParsePeriod(PathText(c, "period"))
	if err != nil {
		return "", ledger.Refuse(ledger.KindNotFound, "there is no period %q: write it as YYYY-MM", PathText(c, "period"))
	}
	return period, nil
}
