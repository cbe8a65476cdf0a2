package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
)

func (s *server) showBooks(c echo.Context, actor store.Actor) error {
	view, err := s.booksView(c, actor, newKey())
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.BooksPage(view))
}

func (s *server) booksView(c echo.Context, actor store.Actor, key string) (templates.Books, error) {
	ctx := c.Request().Context()
	memberships, err := s.Store.Memberships(ctx, actor.UserID)
	if err != nil {
		return templates.Books{}, err
	}
	limit, err := s.Store.AdjustmentLimit(ctx, actor)
	if err != nil {
		return templates.Books{}, err
	}
	shell, err := s.shell(c, actor, heading{title: "Books", page: templates.PageSettings, crumbs: settingsCrumbs("Books")})
	if err != nil {
		return templates.Books{}, err
	}
	view := templates.Books{Shell: shell, Limit: templates.AdjustmentLimit{
		Minor: limit, Typed: shell.Format.Typed(limit, actor.Book.Currency), Form: key, MayChange: actor.Can(store.RightAccounts),
	}}
	for _, m := range memberships {
		view.Rows = append(view.Rows, templates.BookRow{Book: bookView(m.Book), Roles: roleWords(m.Roles), Current: m.Book.ID == actor.Book.ID})
	}
	return view, nil
}

// setAdjustmentLimit changes the limit of the book around the page.
func (s *server) setAdjustmentLimit(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightAccounts); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	view, err := s.booksView(c, actor, f.key())
	if err != nil {
		return err
	}
	currency := actor.Book.Currency
	limit, err := view.Format.ParseAmount(f.text("limit"), currency)
	if err != nil {
		f.faults = append(f.faults, ledger.FieldError{Field: "limit", Detail: quoted(f.text("limit")) + " is not an amount: write it as " + view.Format.Typed(view.Limit.Minor, currency)})
	}
	refusal, wrong := f.refusal(), len(f.faults) > 0
	if !wrong {
		err = s.Store.SetAdjustmentLimit(c.Request().Context(), actor, f.key(), limit)
		refusal, wrong = typedWrong(err)
	}
	switch {
	case wrong:
		view.Limit.Typed, view.Limit.Form = f.raw("limit"), freshIfReused(f, refusal)
		view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
		return s.showAgain(c, refusal, templates.BooksPage(view))
	case err != nil:
		return err
	}
	s.tell(c, "Adjusting entries up to "+view.Format.Amount(limit, currency)+" "+currency+" need no second person from now on.")
	return seeOther(c, bookView(actor.Book).SettingsURL(templates.SettingsBooks))
}
