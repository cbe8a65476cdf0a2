package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/templates"
	"daybook/templates/ui"
)

// statementsShown is a page of the list; each of its rows holds a proof.
const statementsShown = 50

func (s *server) showStatements(c echo.Context, actor store.Actor) error {
	shell, err := s.shell(c, actor, heading{title: "Statements", page: templates.PageStatements})
	if err != nil {
		return err
	}
	before := cursor(c.QueryParam("before"))
	reconciliations, more, err := s.Store.Reconciliations(c.Request().Context(), actor, before, statementsShown)
	if err != nil {
		return err
	}
	view := templates.Statements{Shell: shell, Accounts: byAccount(actor, shell.Book, reconciliations), MissingRight: missing(actor, store.RightUpload)}
	if more {
		view.Older = shell.Book.URL("statements") + "?before=" + strconv.FormatInt(reconciliations[len(reconciliations)-1].ID, 10)
	}
	return render(c, http.StatusOK, templates.StatementsPage(view))
}

// byAccount puts reconciliations, newest first, under their accounts in the order of the codes.
func byAccount(actor store.Actor, book templates.Book, reconciliations []store.Reconciliation) []templates.StatementAccount {
	var accounts []templates.StatementAccount
	for _, r := range reconciliations {
		at := slices.IndexFunc(accounts, func(a templates.StatementAccount) bool { return a.Account.Code == r.Account.Code })
		if at < 0 {
			at = len(accounts)
			accounts = append(accounts, templates.StatementAccount{
				Account:  ui.Account{Code: r.Account.Code, Name: r.Account.Name, Href: book.AccountURL(r.Account.Code)},
				Currency: r.Account.Currency,
			})
		}
		accounts[at].Statements = append(accounts[at].Statements, statementRow(actor, r))
	}
	slices.SortFunc(accounts, func(a, b templates.StatementAccount) int { return strings.Compare(a.Account.Code, b.Account.Code) })
	return accounts
}

func statementRow(actor store.Actor, r store.Reconciliation) templates.StatementRow {
	row := templates.StatementRow{
		ID: r.Statement.ID, ReconciliationID: r.ID, FileName: r.Statement.FileName, From: r.ScopeFrom, To: r.ScopeTo, PeriodStated: r.PeriodStated,
		Rows: templates.RowCounts(r.Statement.Rows), UploadedBy: r.Statement.UploadedBy, UploadedAt: r.Statement.UploadedAt,
		Status: r.Status, OpenBreaks: r.OpenBreaks, UnexplainedMinor: r.Proof.UnexplainedMinor,
		MayUndo: r.Status == store.ReconciliationOpen && actor.Can(store.RightUpload),
	}
	if r.Status == store.ReconciliationUndone {
		undone := undoneView(r.Undo)
		row.Undone = &undone
	}
	return row
}
