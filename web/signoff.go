package web

import (
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

func (s *server) submitReconciliation(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightResolve); err != nil {
		return err
	}
	return s.stepReconciliation(c, actor, "Submitted. Another person signs it off.", func(ctx context.Context, id int64, f *form) (store.Reconciliation, bool, error) {
		submission := store.Submission{Reason: f.text("reason")}
		seen, err := strconv.ParseInt(f.text("unexplained_minor"), 10, 64)
		if err == nil && seen != math.MinInt64 {
			submission.UnexplainedMinor = &seen
		}
		return s.Store.SubmitReconciliation(ctx, actor, f.key(), id, submission)
	})
}

func (s *server) signOff(c echo.Context, actor store.Actor) error {
	return s.stepReconciliation(c, actor, "Signed off. What it says is kept as it is.", func(ctx context.Context, id int64, f *form) (store.Reconciliation, bool, error) {
		return s.Store.SignOff(ctx, actor, f.key(), id, f.text("note"))
	})
}

func (s *server) reopenReconciliation(c echo.Context, actor store.Actor) error {
	return s.stepReconciliation(c, actor, "It is open again.", func(ctx context.Context, id int64, f *form) (store.Reconciliation, bool, error) {
		return s.Store.ReopenReconciliation(ctx, actor, f.key(), id, f.text("reason"))
	})
}

// stepReconciliation takes a step from the page of the statement. Whoever comes second, and whoever typed something wrong, is shown it as
// it is now.
func (s *server) stepReconciliation(c echo.Context, actor store.Actor, done string, step func(ctx context.Context, id int64, f *form) (store.Reconciliation, bool, error)) error {
	id, err := api.PathNumber(c, "id", "reconciliation")
	if err != nil {
		return err
	}
	address := bookView(actor.Book).ReconciliationStatementURL(id, "", 0)
	comeBack(c, "Open the statement", address)
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	_, _, err = step(c.Request().Context(), id, f)
	var refusal *ledger.Error
	if _, wrong := typedWrong(err); errors.As(err, &refusal) && (wrong || refusal.Kind == ledger.KindIllegalTransition) {
		return s.showRefusedStep(c, actor, id, f, refusal)
	}
	if err != nil {
		return err
	}
	s.tell(c, done)
	return seeOther(c, address)
}

func (s *server) showRefusedStep(c echo.Context, actor store.Actor, id int64, f *form, refusal *ledger.Error) error {
	statement, err := s.Store.ReconciliationStatement(c.Request().Context(), actor, id, 0)
	if err != nil {
		return err
	}
	view, err := s.reconciliationStatementView(c, actor, statement, newKey())
	if err != nil {
		return err
	}
	if refusal.Kind == ledger.KindKeyReused {
		view.Flash = &ui.Alert{Tone: ui.Warn, Title: "This form was sent before.", Text: "Here is the statement as it stands now.", Refusal: true}
	} else {
		view.SignOff.Message, view.SignOff.Errors = messageOf(refusal), worded(refusal.Fields)
		view.SignOff.Reason, view.SignOff.Note = f.raw("reason"), f.raw("note")
	}
	s.recordRefusal(c, refusal)
	return render(c, api.ProblemOf(refusal, "").Status, templates.ReconciliationStatementPage(view))
}

// signOffRows are the reconciliations that wait for this person.
func (s *server) signOffRows(ctx context.Context, actor store.Actor) (rows []templates.SignOffRow, err error) {
	waiting, err := s.Store.WaitingSignOffs(ctx, actor, requestsShown)
	for _, w := range waiting {
		rows = append(rows, templates.SignOffRow{
			ReconciliationID: w.ReconciliationID, Account: w.Account, Period: templates.PeriodName(formatOf(actor), w.ScopeFrom, w.ScopeTo), Currency: w.Currency,
			StatementMinor: w.StatementMinor, UnexplainedMinor: w.UnexplainedMinor, SubmittedBy: w.SubmittedBy, Age: s.since(w.SubmittedAt),
		})
	}
	return rows, err
}
