package web

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

func (s *server) showStatementUndo(c echo.Context, actor store.Actor) error {
	id, err := api.PathNumber(c, "id", "statement")
	if err != nil {
		return err
	}
	plan, err := s.Store.PlanUndo(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	view, err := s.statementUndoView(c, actor, plan, c.QueryParam("form"))
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.StatementUndoPage(view))
}

func (s *server) undoStatement(c echo.Context, actor store.Actor) error {
	id, err := api.PathNumber(c, "id", "statement")
	if err != nil {
		return err
	}
	if err := actor.Need(store.RightUpload); err != nil {
		return err
	}
	comeBack(c, "Look at the import", bookView(actor.Book).UndoURL(id))
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	undone, _, err := s.Store.UndoStatement(c.Request().Context(), actor, f.key(), id, f.text("reason"))
	var refusal *ledger.Error
	if _, wrong := typedWrong(err); errors.As(err, &refusal) && (wrong || refusal.Kind == ledger.KindIllegalTransition) {
		return s.showRefusedUndo(c, actor, id, f, refusal)
	}
	if err != nil {
		return err
	}
	s.tell(c, "The import is undone. "+formatOf(actor).Plural(undone.Lines, "line went", "lines went")+" with it.")
	return seeOther(c, bookView(actor.Book).URL("statements"))
}

// showRefusedUndo shows what the undo would do now, with what was typed.
func (s *server) showRefusedUndo(c echo.Context, actor store.Actor, id int64, f *form, refusal *ledger.Error) error {
	plan, err := s.Store.PlanUndo(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	key := f.key()
	if refusal.Kind == ledger.KindKeyReused {
		key = newKey()
	}
	view, err := s.statementUndoView(c, actor, plan, key)
	if err != nil {
		return err
	}
	view.Reason = f.raw("reason")
	switch {
	case refusal.Kind == ledger.KindKeyReused:
		view.Message = "This form was sent before with another reason. Here is the import as it stands now."
	case refusal.Kind != ledger.KindIllegalTransition: // of that the page tells by itself
		view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	}
	s.recordRefusal(c, refusal)
	return render(c, api.ProblemOf(refusal, "").Status, templates.StatementUndoPage(view))
}

func (s *server) statementUndoView(c echo.Context, actor store.Actor, plan store.UndoPlan, key string) (templates.StatementUndo, error) {
	statements := ui.Link{Text: "Statements", Href: bookView(actor.Book).URL("statements")}
	shell, err := s.shell(c, actor, below(templates.PageStatements, statements, "Undo an import"))
	st := plan.Statement
	view := templates.StatementUndo{
		Shell: shell, ID: st.ID, ReconciliationID: st.ReconciliationID, Account: ui.Account{Code: st.Account, Name: st.AccountName, Href: shell.Book.AccountURL(st.Account)},
		FileName: st.FileName, From: st.PeriodFrom, To: st.PeriodTo, UploadedBy: st.UploadedBy, UploadedAt: st.UploadedAt, Rows: templates.RowCounts(st.Rows),
		Lines: plan.Lines, Matches: plan.Matches, BreaksGone: plan.BreaksGone, Back: plan.Back, Form: key,
	}
	if plan.Refusal != nil {
		view.Refused, view.RefusedBy = messageOf(plan.Refusal), inTheWay(shell.Book, plan.Refusal)
	}
	return view, err
}

// inTheWay leads to what keeps an import from being undone.
func inTheWay(book templates.Book, refusal *ledger.Error) ui.Link {
	of := func(name string) (id int64) {
		id, _ = refusal.Extra[name].(int64)
		return id
	}
	if id := of("break_id"); id != 0 {
		return ui.Link{Text: "Open break " + templates.NameOfBreak(id), Href: book.BreakURL(id)}
	}
	if id := of("depends_statement_id"); id != 0 {
		return ui.Link{Text: "Undo statement " + strconv.FormatInt(id, 10), Href: book.UndoURL(id)}
	}
	if id := of("reconciliation_id"); id != 0 {
		return ui.Link{Text: "Open its statement", Href: book.ReconciliationStatementURL(id, "", 0)}
	}
	return ui.Link{}
}

// showUndone shows, in place of a reconciliation, what is left to read of one whose import was undone.
func (s *server) showUndone(c echo.Context, actor store.Actor, shell templates.Shell, r store.Reconciliation) error {
	after := cursor(c.QueryParam("after"))
	lines, more, err := s.Store.StatementLines(c.Request().Context(), actor, r.Statement.ID, int(after), itemsShown)
	if err != nil {
		return err
	}
	view := templates.UndoneStatement{
		Shell: shell, ReconciliationID: r.ID, Account: ui.Account{Code: r.Account.Code, Name: r.Account.Name, Href: shell.Book.AccountURL(r.Account.Code)},
		FileName: r.Statement.FileName, From: r.ScopeFrom, To: r.ScopeTo, UploadedBy: r.Statement.UploadedBy, UploadedAt: r.Statement.UploadedAt,
		Rows: templates.RowCounts(r.Statement.Rows), Undo: undoneView(r.Undo), Currency: r.Account.Currency,
	}
	for _, step := range r.Steps {
		if step.Event == store.StepSignedOff {
			view.Signed = append(view.Signed, step.Version)
		}
	}
	rows, last := lineRows(lines)
	for _, row := range rows {
		view.Lines = append(view.Lines, row.BankSide)
	}
	if more {
		view.Next = shell.Book.ReconciliationURL(r.ID) + "?after=" + strconv.FormatInt(last, 10)
	}
	if actor.Can(store.RightUpload) {
		view.Upload = shell.Book.UploadURL(r.Account.Code)
	}
	return render(c, http.StatusOK, templates.UndoneStatementPage(view))
}

func undoneView(undo *store.Undo) templates.ImportUndone {
	if undo == nil {
		return templates.ImportUndone{}
	}
	return templates.ImportUndone{By: undo.By, At: undo.At, Reason: undo.Reason, Lines: undo.Lines, Matches: undo.Matches, Breaks: undo.Breaks}
}
