package web

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
)

const (
	passwordPath = "/login/password"
	// sessionOneTime marks a session that was begun with a one-time password.
	sessionOneTime = "one-time"
)

// passwordFirst keeps a session that was begun with a one-time password to the page where another is chosen. Signing out works too.
func (s *server) passwordFirst(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		path := c.Request().URL.Path
		if path == passwordPath || path == "/login" || path == "/logout" || !s.sessions.GetBool(c.Request().Context(), sessionOneTime) {
			return next(c)
		}
		if looking(c) {
			return seeOther(c, passwordPath+"?next="+url.QueryEscape(c.Request().URL.RequestURI()))
		}
		return ledger.Refuse(ledger.KindUnauthenticated, "choose a password of your own first; nothing was changed")
	}
}

func (s *server) showChoosePassword(c echo.Context) error {
	return s.renderChoosePassword(c, templates.ChoosePassword{Next: localPath(c.QueryParam("next"))}, nil)
}

func (s *server) renderChoosePassword(c echo.Context, view templates.ChoosePassword, refusal *ledger.Error) error {
	userID, ok, err := s.signedIn(c)
	if err != nil {
		return err
	}
	if !ok {
		return seeOther(c, "/login?next="+url.QueryEscape(view.Next))
	}
	given, err := s.Store.GivenPassword(c.Request().Context(), userID)
	if ledger.KindOf(err) == ledger.KindNotFound {
		return seeOther(c, view.Next)
	}
	if err != nil {
		return err
	}
	view.Theme, view.By, view.At = theme(c), given.By, given.At
	if refusal == nil {
		return render(c, http.StatusOK, templates.ChoosePasswordPage(view))
	}
	view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	return s.showAgain(c, refusal, templates.ChoosePasswordPage(view))
}

// choosePassword replaces the one-time password, and goes on under a new session.
func (s *server) choosePassword(c echo.Context) error {
	userID, ok, err := s.signedIn(c)
	if err != nil {
		return err
	}
	if !ok {
		return ledger.Refuse(ledger.KindUnauthenticated, "you are not signed in any more; nothing was changed")
	}
	f, err := readForm(c)
	if err != nil {
		return err
	}
	view := templates.ChoosePassword{Next: localPath(f.raw("next"))}
	if f.raw("password") != f.raw("password_again") {
		return s.renderChoosePassword(c, view, ledger.Refuse(ledger.KindInvalid, "the two differ").At("password_again", "This is not what you typed above: type both again"))
	}
	actor := store.Actor{UserID: userID, Request: requestID(c), Address: c.RealIP()}
	err = s.Store.ReplaceOneTimePassword(c.Request().Context(), actor, f.raw("password"))
	if refusal, ok := typedWrong(err); ok {
		return s.renderChoosePassword(c, view, refusal)
	}
	if err != nil {
		return err
	}
	if err := s.signIn(c, userID); err != nil {
		return err
	}
	s.sessions.Remove(c.Request().Context(), sessionOneTime)
	s.tell(c, "Your password is your own now.")
	return seeOther(c, view.Next)
}
