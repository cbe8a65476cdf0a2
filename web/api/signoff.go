package api

import (
	"cmp"
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// reconciliationStep is a step of a reconciliation on its way to being signed off, and back.
type reconciliationStep struct {
	Event            string `json:"event"`
	Version          int    `json:"version"`
	By               string `json:"by"`
	At               string `json:"at"`
	Reason           string `json:"reason"`
	UnexplainedMinor int64  `json:"unexplained_minor"`
	OpenBreaks       int    `json:"open_breaks"`
	ContentHash      string `json:"content_hash"`
}

func stepsOf(r store.Reconciliation) []reconciliationStep {
	steps := make([]reconciliationStep, len(r.Steps))
	for i, s := range r.Steps {
		steps[i] = reconciliationStep{Event: s.Event, Version: s.Version, By: s.User, At: ledger.FormatInstant(s.At), Reason: s.Reason,
			UnexplainedMinor: s.UnexplainedMinor, OpenBreaks: s.OpenBreaks, ContentHash: s.ContentHash.String()}
	}
	return steps
}

// reconciliationWork is a command on a reconciliation whose body was read.
type reconciliationWork func(ctx context.Context, actor store.Actor, key string, id int64, body *object) (store.Reconciliation, bool, error)

func (a *api) submitReconciliation() handler {
	may := func(_ context.Context, actor store.Actor, _ int64) error { return actor.Need(store.RightResolve) }
	return a.workOnReconciliation(may, func(ctx context.Context, actor store.Actor, key string, id int64, body *object) (store.Reconciliation, bool, error) {
		submission := store.Submission{Reason: reasonIn(body)}
		if body.Has("unexplained_minor") {
			seen := body.Amount("unexplained_minor")
			submission.UnexplainedMinor = &seen
		}
		if err := body.Err(); err != nil {
			return store.Reconciliation{}, false, err
		}
		return a.Store.SubmitReconciliation(ctx, actor, key, id, submission)
	})
}

func (a *api) signOff() handler {
	return a.workOnReconciliation(a.Store.MaySignOff, func(ctx context.Context, actor store.Actor, key string, id int64, body *object) (store.Reconciliation, bool, error) {
		note := reasonIn(body)
		if err := body.Err(); err != nil {
			return store.Reconciliation{}, false, err
		}
		return a.Store.SignOff(ctx, actor, key, id, note)
	})
}

func (a *api) reopenReconciliation() handler {
	may := func(_ context.Context, actor store.Actor, _ int64) error { return actor.MayReopenReconciliations() }
	return a.workOnReconciliation(may, func(ctx context.Context, actor store.Actor, key string, id int64, body *object) (store.Reconciliation, bool, error) {
		reason := reasonIn(body)
		if err := body.Err(); err != nil {
			return store.Reconciliation{}, false, err
		}
		return a.Store.ReopenReconciliation(ctx, actor, key, id, reason)
	})
}

// reasonIn is what a person has to say about a step: its reason, or its note.
func reasonIn(body *object) string {
	reason, note := body.Text("reason"), body.Text("note")
	return cmp.Or(reason, note)
}

// workOnReconciliation reads what the steps of a reconciliation have in common, and answers with the reconciliation as it then is. Who may
// not take the step is told so before anything else.
func (a *api) workOnReconciliation(may func(ctx context.Context, actor store.Actor, id int64) error, work reconciliationWork) handler {
	return func(c echo.Context, actor store.Actor) error {
		ctx := c.Request().Context()
		id, err := PathNumber(c, "id", "reconciliation")
		if err != nil {
			return err
		}
		if err := may(ctx, actor, id); err != nil {
			return err
		}
		key, err := optionalKey(c)
		if err != nil {
			return err
		}
		body, err := readObject(c)
		if err != nil {
			return err
		}
		worked, duplicate, err := work(ctx, actor, key, id, body)
		if err != nil {
			return err
		}
		return settled(c, http.StatusOK, duplicate, struct {
			reconciliation
			Duplicate bool `json:"duplicate"`
		}{reconciliationOf(worked), duplicate})
	}
}
