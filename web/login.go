package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store/ledger"
	"daybook/templates"
)

func (s *server) showLogin(c echo.Context) error {
	return render(c, http.StatusOK, templates.LoginPage(templates.Login{Next: localPath(c.QueryParam("next")), Theme: theme(c)}))
}

func (s *server) logIn(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	next := localPath(f.raw("next"))
	user, err := s.Store.SignIn(c.Request().Context(), f.raw("email"), f.raw("password"), c.RealIP())
	if err != nil {
		return refuseLogin(c, err, templates.Login{Email: f.text("email"), Next: next, Theme: theme(c)})
	}
	if err := s.signIn(c, user.ID); err != nil {
		return err
	}
	s.sessions.Put(c.Request().Context(), sessionOneTime, user.PasswordToChange)
	if user.PasswordToChange {
		return seeOther(c, passwordPath+"?next="+url.QueryEscape(next))
	}
	return seeOther(c, next)
}

// refuseLogin shows the form again. The attempt is in the audit log already.
func refuseLogin(c echo.Context, err error, page templates.Login) error {
	var refusal *ledger.Error
	if !errors.As(err, &refusal) {
		return err
	}
	status := http.StatusUnprocessableEntity
	switch refusal.Kind {
	case ledger.KindUnauthenticated:
	case ledger.KindTooManyAttempts:
		status = http.StatusTooManyRequests
		c.Response().Header().Set(echo.HeaderRetryAfter, fmt.Sprint(refusal.Extra["retry_after"]))
	default:
		return err
	}
	page.Error = messageOf(refusal)
	return render(c, status, templates.LoginPage(page))
}

func (s *server) logOut(c echo.Context) error {
	if err := s.signOut(c); err != nil {
		return err
	}
	return seeOther(c, "/login")
}

// localPath gives an address of this site as it was asked for, and the start page for any other: whoever signs in must not
// land elsewhere. Browsers read a backslash as a slash and skip control characters.
func localPath(address string) string {
	const start = "/"
	target, err := url.Parse(address)
	if err != nil || target.Scheme != "" || target.Host != "" || !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
		return start
	}
	if strings.ContainsFunc(address, func(r rune) bool { return r == '\\' || r <= ' ' || r == 0x7f }) || strings.HasPrefix(target.Path, "/log") {
		return start
	}
	return address
}
