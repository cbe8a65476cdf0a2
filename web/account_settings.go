package web

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

func (s *server) showAccountSettings(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightAccounts); err != nil {
		return err
	}
	view, err := s.accountSettingsView(c, actor, c.QueryParam("form"))
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.AccountSettingsPage(view))
}

func (s *server) accountSettingsView(c echo.Context, actor store.Actor, key string) (templates.AccountSettings, error) {
	statement, err := s.Store.AccountStatement(c.Request().Context(), actor, store.StatementQuery{Account: accountCode(c), Latest: true, Limit: 1})
	if err != nil {
		return templates.AccountSettings{}, err
	}
	account := statement.Account
	accounts := ui.Link{Text: "Accounts", Href: bookView(actor.Book).URL("accounts")}
	shell, err := s.shell(c, actor, heading{title: "Settings of " + account.Code, page: templates.PageAccounts, crumbs: []ui.Link{
		accounts, {Text: account.Code + " " + account.Name, Href: bookView(actor.Book).AccountURL(account.Code)}, {Text: "Settings"},
	}})
	return templates.AccountSettings{Shell: shell, Account: accountFacts(account), Form: key, Name: account.Name, From: account.ReconcileFrom.String(), BalanceMinor: statement.ClosingMinor}, err
}

// accountChange does one thing to an account, as a form asks, and says what was done.
type accountChange func(ctx context.Context, actor store.Actor, code string, f *form) (done string, err error)

func (s *server) renameAccount(ctx context.Context, actor store.Actor, code string, f *form) (string, error) {
	renamed, err := s.Store.RenameAccount(ctx, actor, f.key(), code, f.text("name"))
	return "Account " + code + " is now called " + renamed.Name + ".", err
}

func (s *server) closeAccount(ctx context.Context, actor store.Actor, code string, f *form) (string, error) {
	_, err := s.Store.CloseAccount(ctx, actor, f.key(), code)
	return "Account " + code + " is closed. It takes no entries.", err
}

func (s *server) reopenAccount(ctx context.Context, actor store.Actor, code string, f *form) (string, error) {
	_, err := s.Store.ReopenAccount(ctx, actor, f.key(), code)
	return "Account " + code + " is open again.", err
}

func (s *server) setNoNegative(ctx context.Context, actor store.Actor, code string, f *form) (string, error) {
	if f.text("no_negative") == "yes" {
		_, err := s.Store.SetNoNegative(ctx, actor, f.key(), code, true)
		return "Account " + code + " can never go below zero from now on.", err
	}
	_, err := s.Store.SetNoNegative(ctx, actor, f.key(), code, false)
	return "Account " + code + " may go below zero.", err
}

func (s *server) setReconcileFrom(ctx context.Context, actor store.Actor, code string, f *form) (string, error) {
	day := f.date("reconcile_from")
	if refusal := f.refusal(); refusal != nil {
		return "", refusal
	}
	changed, err := s.Store.SetReconcileFrom(ctx, actor, f.key(), code, day)
	if changed.ReconcileFrom.IsZero() {
		return "The first statement of account " + code + " decides from which day on it is held against them.", err
	}
	return "Account " + code + " is held against statements from " + changed.ReconcileFrom.String() + " on.", err
}

// changeAccount answers a form of an account's settings: with the settings as they are then or, where the change was refused, with why.
func (s *server) changeAccount(change accountChange) actorHandler {
	return func(c echo.Context, actor store.Actor) error {
		if err := actor.Need(store.RightAccounts); err != nil {
			return err
		}
		f, err := readKeyedForm(c)
		if err != nil {
			return err
		}
		ctx := c.Request().Context()
		account, err := s.Store.Account(ctx, actor, accountCode(c))
		if err != nil {
			return err
		}
		done, err := change(ctx, actor, account.Code, f)
		refusal, wrong := typedWrong(err)
		switch {
		case wrong || ledger.KindOf(err) == ledger.KindIllegalTransition:
			return s.showRefusedChange(c, actor, f, refusal)
		case err != nil:
			return err
		}
		s.tell(c, done)
		return seeOther(c, bookView(actor.Book).URL("accounts", account.Code, "settings"))
	}
}

func (s *server) showRefusedChange(c echo.Context, actor store.Actor, f *form, refusal *ledger.Error) error {
	view, err := s.accountSettingsView(c, actor, newKey())
	if err != nil {
		return err
	}
	if name, typed := f.pressed("name"); typed {
		view.Name = name
	}
	if from, typed := f.pressed("reconcile_from"); typed {
		view.From = from
	}
	view.Message, view.Errors = messageOf(refusal), accountWords(refusal.Fields)
	s.recordRefusal(c, refusal)
	return render(c, api.ProblemOf(refusal, "").Status, templates.AccountSettingsPage(view))
}
