package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
)

func (s *server) showProfile(c echo.Context, actor store.Actor) error {
	view, err := s.profileView(c, actor)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.ProfilePage(view))
}

// profileView is the page before anything was typed.
func (s *server) profileView(c echo.Context, actor store.Actor) (templates.Profile, error) {
	shell, err := s.shell(c, actor, heading{title: "Your profile", page: templates.PageSettings, crumbs: settingsCrumbs("Your profile")})
	if err != nil {
		return templates.Profile{}, err
	}
	memberships, err := s.Store.Memberships(c.Request().Context(), actor.UserID)
	if err != nil {
		return templates.Profile{}, err
	}
	chosen := actor.Preferences
	chosen.Theme = shell.Theme
	view := templates.Profile{Shell: shell, Email: actor.Email, Preferences: preferencesForm(chosen.Whole())}
	for _, m := range memberships {
		view.Books = append(view.Books, templates.ProfileBook{Book: bookView(m.Book), Roles: roleWords(m.Roles)})
	}
	return view, nil
}

func preferencesForm(p store.Preferences) templates.PreferencesForm {
	return templates.PreferencesForm{Numbers: p.Numbers, Negatives: p.Negatives, Dates: p.Dates, Density: p.Density, Theme: p.Theme}
}

func (s *server) savePreferences(c echo.Context, actor store.Actor) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	chosen := store.Preferences{
		Numbers: f.text("numbers"), Negatives: f.text("negatives"), Dates: f.text("dates"), Density: f.text("density"), Theme: f.text("theme"),
	}
	err = s.Store.SavePreferences(c.Request().Context(), actor, chosen)
	if refusal, ok := typedWrong(err); ok {
		view, err := s.profileView(c, actor)
		if err != nil {
			return err
		}
		view.Preferences = preferencesForm(chosen)
		view.Preferences.Message, view.Preferences.Errors = messageOf(refusal), worded(refusal.Fields)
		return s.showAgain(c, refusal, templates.ProfilePage(view))
	}
	if err != nil {
		return err
	}
	s.rememberTheme(c, chosen.Theme)
	s.tell(c, "Your preferences are saved.")
	return seeOther(c, bookView(actor.Book).SettingsURL(templates.SettingsProfile))
}

// saveTheme keeps what the button of the bar chose; the script of the page has shown it already.
func (s *server) saveTheme(c echo.Context, actor store.Actor) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	chosen := actor.Preferences
	chosen.Theme = f.text("theme")
	if err := s.Store.SavePreferences(c.Request().Context(), actor, chosen.Whole()); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// rememberTheme has this browser show the theme where nobody is signed in, too.
func (s *server) rememberTheme(c echo.Context, theme string) {
	c.SetCookie(&http.Cookie{Name: "theme", Value: theme, Path: "/", MaxAge: 365 * 24 * 60 * 60, SameSite: http.SameSiteLaxMode, Secure: s.Secure})
}

func (s *server) changePassword(c echo.Context, actor store.Actor) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	if f.raw("password") != f.raw("password_again") {
		err = ledger.Refuse(ledger.KindInvalid, "the password was not changed").At("password_again", "the two new passwords differ")
	} else {
		err = s.Store.ChangePassword(c.Request().Context(), actor, f.raw("current_password"), f.raw("password"))
	}
	if refusal, ok := typedWrong(err); ok {
		view, err := s.profileView(c, actor)
		if err != nil {
			return err
		}
		view.Password = templates.PasswordForm{Message: messageOf(refusal), Errors: worded(refusal.Fields)}
		return s.showAgain(c, refusal, templates.ProfilePage(view))
	}
	if err != nil {
		return err
	}
	if err := s.signIn(c, actor.UserID); err != nil {
		return err
	}
	s.tell(c, "Your password is changed.\nYou are signed out everywhere else.")
	return seeOther(c, bookView(actor.Book).SettingsURL(templates.SettingsProfile))
}
