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

// showReconciliationStatement shows the bank reconciliation statement as it is now, or a version of it that was signed off.
func (s *server) showReconciliationStatement(c echo.Context, actor store.Actor) error {
	statement, err := s.readReconciliationStatement(c, actor)
	if err != nil {
		return err
	}
	view, err := s.reconciliationStatementView(c, actor, statement, c.QueryParam("form"))
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.ReconciliationStatementPage(view))
}

// sendReconciliationStatement sends the same as a file. It is made anew each time, of what the statement says only: the same statement,
// written for the same reader, is the same bytes.
func (s *server) sendReconciliationStatement(file, contentType string) actorHandler {
	return func(c echo.Context, actor store.Actor) error {
		statement, err := s.readReconciliationStatement(c, actor)
		if err != nil {
			return err
		}
		document := statementDocument(formatOf(actor), bookView(actor.Book), statement)
		make := document.PDF
		if file == "xlsx" {
			make = document.XLSX
		}
		data, err := make()
		if err != nil {
			return err
		}
		c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+statementName(statement)+"."+file+`"`)
		return c.Blob(http.StatusOK, contentType, data)
	}
}

// statementName says of which account, up to which day, and in which version: bank-reconciliation-1010-2026-03-31-version-1.
func statementName(s store.ReconciliationStatement) string {
	name := "bank-reconciliation-" + plainName(s.AccountCode) + "-" + s.ScopeTo.String()
	if s.Status != store.ReconciliationSignedOff {
		return name + "-not-signed"
	}
	return name + "-version-" + strconv.Itoa(s.Version)
}

func (s *server) readReconciliationStatement(c echo.Context, actor store.Actor) (store.ReconciliationStatement, error) {
	id, err := api.PathNumber(c, "id", "reconciliation")
	if err != nil {
		return store.ReconciliationStatement{}, err
	}
	version := 0
	if text := c.QueryParam("version"); text != "" {
		if version, err = strconv.Atoi(text); err != nil || version < 1 {
			return store.ReconciliationStatement{}, ledger.Refuse(ledger.KindNotFound, "reconciliation %d has no version %s", id, quoted(text))
		}
	}
	return s.Store.ReconciliationStatement(c.Request().Context(), actor, id, version)
}

func (s *server) reconciliationStatementView(c echo.Context, actor store.Actor, statement store.ReconciliationStatement, key string) (templates.ReconciliationStatement, error) {
	ctx, book, f := c.Request().Context(), bookView(actor.Book), formatOf(actor)
	r, err := s.Store.Reconciliation(ctx, actor, statement.ReconciliationID)
	if err != nil {
		return templates.ReconciliationStatement{}, err
	}
	shell, err := s.shell(c, actor, heading{title: "Bank reconciliation statement", page: templates.PageStatements, crumbs: []ui.Link{
		{Text: "Statements", Href: book.URL("statements")},
		{Text: r.Account.Code + ", " + templates.PeriodName(f, r.ScopeFrom, r.ScopeTo), Href: book.ReconciliationURL(r.ID)}, {Text: "Statement"},
	}})
	if err != nil {
		return templates.ReconciliationStatement{}, err
	}
	view := templates.ReconciliationStatement{
		Shell: shell, ID: r.ID, Document: statementDocument(f, book, statement), Version: statement.Version, Current: r.Version, Signed: statement.Signed,
		Frozen: statement.Status == store.ReconciliationSignedOff, Status: r.Status, Currency: r.Account.Currency,
		UnexplainedMinor: r.Proof.UnexplainedMinor, OpenBreaks: r.OpenBreaks, Unmatched: r.Unmatched,
	}
	view.SignOff, err = s.signOffForm(c, actor, r, statement, key)
	return view, err
}

// signOffForm is what this person may do next with a reconciliation.
func (s *server) signOffForm(c echo.Context, actor store.Actor, r store.Reconciliation, statement store.ReconciliationStatement, key string) (templates.SignOffForm, error) {
	form := templates.SignOffForm{
		Form: key, MissingRight: missing(actor, store.RightResolve), MayReopen: actor.MayReopenReconciliations() == nil,
		SubmittedBy: statement.SubmittedByName, SubmittedAt: statement.SubmittedAt, Accepted: statement.AcceptedReason,
		SignedBy: statement.SignedByName, SignedAt: statement.SignedAt,
	}
	switch r.Status {
	case store.ReconciliationOpen:
		signers, err := s.Store.Deciders(c.Request().Context(), actor, 3)
		form.Signers = signers
		return form, err
	case store.ReconciliationSubmitted:
		err := s.Store.MaySignOff(c.Request().Context(), actor, r.ID)
		var refusal *ledger.Error
		if !errors.As(err, &refusal) {
			return form, err
		}
		form.CannotSign = messageOf(refusal)
	}
	return form, nil
}
