package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/web/api"
)

// auditLimit bounds the writing of a refusal to the audit log, which goes on when the request itself has ended.
const auditLimit = 5 * time.Second

// answerLimit bounds the making of an answer that says the request took too long.
const answerLimit = 5 * time.Second

// handleError is the one place where an error becomes an answer: a problem document for the API, a page for people. What
// is not an error of the rules is logged here, once, and never shown.
func (s *server) handleError(err error, c echo.Context) {
	err = refusalOf(err)
	s.recordRefusal(c, err)
	if errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil {
		return // whoever asked has gone
	}
	if ledger.KindOf(err) == ledger.KindInternal || c.Response().Committed {
		s.Log.Error("failed", "request", requestID(c), "method", c.Request().Method, "path", c.Request().URL.Path, "error", err)
	} else if ledger.KindOf(err) == ledger.KindBusy {
		s.Log.Warn("put off", "request", requestID(c), "method", c.Request().Method, "path", c.Request().URL.Path, "error", err)
	}
	if c.Response().Committed {
		return
	}
	problem := api.ProblemOf(err, requestID(c))
	if problem.RetryAfterSeconds != "" {
		c.Response().Header().Set(echo.HeaderRetryAfter, problem.RetryAfterSeconds)
	}
	// An answer to a request that took too long must not find it ended.
	if ctx := c.Request().Context(); ctx.Err() != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerLimit)
		defer cancel()
		c.SetRequest(c.Request().WithContext(ctx))
	}
	answer := s.showError
	if api.Owns(c.Request().URL.Path) {
		answer = api.AnswerProblem
	}
	if err := answer(c, problem); err != nil {
		s.Log.Error("an error could not be shown", "request", requestID(c), "error", err)
		if !c.Response().Committed {
			c.Response().WriteHeader(problem.Status)
		}
	}
}

// refusalOf gives errors of the libraries around us their place among the kinds of the rules.
func refusalOf(err error) error {
	var known *ledger.Error
	var tooLarge *http.MaxBytesError
	var echoed *echo.HTTPError
	switch {
	case errors.As(err, &tooLarge):
		return ledger.Refuse(ledger.KindTooLarge, "what was sent is larger than %d MiB, the most that is taken here", tooLarge.Limit>>20)
	case errors.As(err, &known):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return &ledger.Error{Kind: ledger.KindBusy, Message: "this took too long: try again in a moment", Err: err}
	case !errors.As(err, &echoed):
		return err
	case echoed.Code == http.StatusNotFound:
		return ledger.Refuse(ledger.KindNotFound, "there is nothing at this address")
	case echoed.Code == http.StatusMethodNotAllowed:
		return ledger.Refuse(api.KindMethodNotAllowed, "this address does not take that method")
	}
	return err
}

// recordRefusal notes in the audit log what a known person tried in vain to change.
func (s *server) recordRefusal(c echo.Context, err error) {
	actor, known := actorOf(c)
	if method := c.Request().Method; !known || method == http.MethodGet || method == http.MethodHead {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request().Context()), auditLimit)
	defer cancel()
	action, named := c.Get(api.ActionKey).(string)
	if !named {
		action = s.actions[c.Request().Method+" "+c.Path()]
	}
	if err := s.Store.RecordRefusal(ctx, actor, action, c.Request().URL.Path, err); err != nil {
		s.Log.Error("a refusal is missing from the audit log", "request", requestID(c), "action", action, "error", err)
	}
}

// actorOf gives who acts in this request, once that is known.
func actorOf(c echo.Context) (store.Actor, bool) {
	actor, known := c.Get(api.ActorKey).(store.Actor)
	return actor, known
}

// render shows a page, whole or not at all: it is written to a buffer first.
func render(c echo.Context, status int, page templ.Component) error {
	buffer := templ.GetBuffer()
	defer templ.ReleaseBuffer(buffer)
	if err := page.Render(c.Request().Context(), buffer); err != nil {
		return err
	}
	return c.HTMLBlob(status, buffer.Bytes())
}
