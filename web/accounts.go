package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// accountsShown is a page of the list.
const accountsShown = 200

func (s *server) showAccounts(c echo.Context, actor store.Actor) error {
	shell, err := s.shell(c, actor, heading{title: "Accounts", page: templates.PageAccounts})
	if err != nil {
		return err
	}
	view, filter := readAccountsFilter(c.QueryParams())
	view.Shell, view.MayOpen = shell, actor.Can(store.RightAccounts)
	if len(view.Errors) > 0 {
		return render(c, http.StatusUnprocessableEntity, templates.AccountsPage(view))
	}
	accounts, found, more, err := s.Store.AccountSummaries(c.Request().Context(), actor, filter)
	if err != nil {
		return err
	}
	view.Groups, view.Found = accountGroups(accounts), found
	if more {
		view.Next = accounts[len(accounts)-1].Code
	}
	return render(c, http.StatusOK, templates.AccountsPage(view))
}

func readAccountsFilter(query url.Values) (templates.Accounts, store.AccountFilter) {
	typed := templates.AccountsFilter{Query: query.Get("q"), Type: query.Get("type"), Status: query.Get("status"), After: query.Get("after")}
	view := templates.Accounts{Filter: typed}
	filter := store.AccountFilter{
		Text: strings.TrimSpace(typed.Query), Type: ledger.AccountType(typed.Type), Status: store.AccountStatus(typed.Status), After: typed.After, Limit: accountsShown,
	}
	if filter.Type != "" && !slices.Contains(ledger.AccountTypes, filter.Type) {
		view.Errors = append(view.Errors, ledger.FieldError{Field: "type", Detail: quoted(typed.Type) + " is not a type of account"})
	}
	if filter.Status != "" && filter.Status != store.AccountOpen && filter.Status != store.AccountClosed {
		view.Errors = append(view.Errors, ledger.FieldError{Field: "status", Detail: quoted(typed.Status) + " is not a state: choose open or closed"})
	}
	return view, filter
}

// accountGroups puts accounts, which come by type, under the names of their types.
func accountGroups(accounts []store.AccountSummary) (groups []templates.AccountGroup) {
	for _, a := range accounts {
		name := groupNames[a.Type]
		if n := len(groups); n == 0 || groups[n-1].Name != name {
			groups = append(groups, templates.AccountGroup{Name: name})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, templates.AccountRow{
			AccountFacts: accountFacts(a.Account), LastPostedOn: a.LastPostedOn, LastStatement: a.LastStatement, BalanceMinor: a.BalanceMinor(),
		})
	}
	return groups
}

func (s *server) showNewAccount(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightAccounts); err != nil {
		return err
	}
	view, err := s.newAccountView(c, actor, c.QueryParam("form"))
	if err != nil {
		return err
	}
	view.Currency = actor.Book.Currency
	return render(c, http.StatusOK, templates.NewAccountPage(view))
}

func (s *server) newAccountView(c echo.Context, actor store.Actor, key string) (templates.NewAccount, error) {
	accounts := ui.Link{Text: "Accounts", Href: bookView(actor.Book).URL("accounts")}
	shell, err := s.shell(c, actor, below(templates.PageAccounts, accounts, "New account"))
	return templates.NewAccount{Shell: shell, Form: key}, err
}

// openAccount is the same use case as POST /accounts of the API.
func (s *server) openAccount(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightAccounts); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	wanted := ledger.Account{
		Code: f.text("code"), Name: f.text("name"), Type: ledger.AccountType(f.text("type")), Currency: strings.ToUpper(f.text("currency")),
		NoNegative: f.text("no_negative") != "", ReconcileFrom: f.date("reconcile_from"),
	}
	if refusal := f.refusal(); refusal != nil {
		return s.showTypedAccount(c, actor, f, refusal)
	}
	opened, _, err := s.Store.OpenAccount(c.Request().Context(), actor, f.key(), wanted)
	if refusal, ok := typedWrong(err); ok || ledger.KindOf(err) == ledger.KindAccountExists {
		return s.showTypedAccount(c, actor, f, refusal)
	}
	if err != nil {
		return err
	}
	s.tell(c, "Account "+opened.Code+" is open.")
	return seeOther(c, bookView(actor.Book).AccountURL(opened.Code))
}

// showTypedAccount shows the form with what was typed and why it was refused.
func (s *server) showTypedAccount(c echo.Context, actor store.Actor, f *form, refusal *ledger.Error) error {
	view, err := s.newAccountView(c, actor, f.key())
	if err != nil {
		return err
	}
	view.Code, view.Name, view.Type, view.Currency, view.From = f.raw("code"), f.raw("name"), f.raw("type"), f.raw("currency"), f.raw("reconcile_from")
	view.NoNegative = f.text("no_negative") != ""
	view.Message, view.Errors = messageOf(refusal), accountWords(refusal.Fields)
	if refusal.Kind == ledger.KindKeyReused {
		view.Form, view.Message, view.Errors = newKey(), "This form was sent before as something else. It has a new key now: check it and send it.", nil
	}
	return s.showAgain(c, refusal, templates.NewAccountPage(view))
}

// accountLabels are the fields of an account as its forms call them.
var accountLabels = map[string]string{
	"code": "The code", "name": "The name", "type": "The type", "currency": "The currency", "reconcile_from": "The day from which it is held against statements",
	"no_negative": "Never below zero",
}

// accountWords makes whole sentences of what the rules say about the fields of an account.
func accountWords(fields []ledger.FieldError) []ledger.FieldError {
	sentences := make([]ledger.FieldError, len(fields))
	for i, f := range fields {
		sentences[i] = ledger.FieldError{Field: f.Field, Detail: accountLabels[f.Field] + ": " + f.Detail}
		for _, verb := range append([]string{"cannot "}, verbs...) {
			if strings.HasPrefix(f.Detail, verb) {
				sentences[i].Detail = accountLabels[f.Field] + " " + f.Detail
			}
		}
	}
	return sentences
}
