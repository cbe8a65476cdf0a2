package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
)

// undone is what became of an import that was undone.
type undone struct {
	StatementID      int64  `json:"statement_id"`
	ReconciliationID int64  `json:"reconciliation_id"`
	Lines            int    `json:"lines"`
	Matches          int    `json:"matches"`
	BreaksBack       int    `json:"breaks_back"`
	Reason           string `json:"reason"`
	By               string `json:"by"`
	At               string `json:"at"`
}

func undoneOf(u store.Undo) undone {
	return undone{StatementID: u.StatementID, ReconciliationID: u.ReconciliationID, Lines: u.Lines, Matches: u.Matches, BreaksBack: u.Breaks,
		Reason: u.Reason, By: u.By, At: ledger.FormatInstant(u.At)}
}

func (a *api) undoStatement(c echo.Context, actor store.Actor) error {
	id, err := PathNumber(c, "id", "statement")
	if err != nil {
		return err
	}
	if err := actor.Need(store.RightUpload); err != nil {
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
	reason := body.Text("reason")
	if err := body.Err(); err != nil {
		return err
	}
	done, duplicate, err := a.Store.UndoStatement(c.Request().Context(), actor, key, id, reason)
	if err != nil {
		return err
	}
	return settled(c, http.StatusOK, duplicate, struct {
		undone
		Duplicate bool `json:"duplicate"`
	}{undoneOf(done), duplicate})
}
