package web

import (
	"cmp"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// What was done just before is kept until the next page tells it: sessionFlash as something done, sessionWarning as something to look at.
const (
	sessionFlash   = "flash"
	sessionWarning = "warning"
)

// heading is what a page is called and where it stands. Without crumbs the title stands alone in the bar.
type heading struct {
	title  string
	page   templates.Page
	crumbs []ui.Link
}

// below is the heading of a page that stands below another one.
func below(page templates.Page, parent ui.Link, title string) heading {
	return heading{title: title, page: page, crumbs: []ui.Link{parent, {Text: title}}}
}

// shell is what surrounds a page of the actor's book. The flash of the session is told by the page that asks first.
func (s *server) shell(c echo.Context, actor store.Actor, h heading) (templates.Shell, error) {
	counts, err := s.Store.Counts(c.Request().Context(), actor)
	if err != nil {
		return templates.Shell{}, err
	}
	return s.shellOf(c, actor, h, counts), nil
}

func (s *server) shellOf(c echo.Context, actor store.Actor, h heading, counts store.Counts) templates.Shell {
	format := formatOf(actor)
	shell := templates.Shell{
		Title: h.title, Crumbs: h.crumbs, Theme: cmp.Or(actor.Preferences.Theme, theme(c)), Density: actor.Preferences.Density, Format: format,
		Now: "As of " + format.Minute(s.Now()) + " UTC", Book: bookView(actor.Book), User: userView(actor),
		Nav: templates.Nav{
			Active: h.page, ApprovalsWaiting: counts.ForMe + counts.SignOffs, OpenBreaks: counts.OpenBreaks, StuckKeys: counts.StuckKeys,
			PaymentsUnknown: counts.PaymentsUnknown, InboxUnapplied: counts.InboxToDo, MayUpload: actor.Can(store.RightUpload),
			MayAudit: actor.Can(store.RightAudit), MayAdminister: actor.Can(store.RightUsers),
		},
	}
	shell.Book.Head = counts.Head
	for _, book := range actor.Elsewhere {
		shell.Elsewhere = append(shell.Elsewhere, bookView(book))
	}
	for name, tone := range map[string]ui.Tone{sessionFlash: ui.OK, sessionWarning: ui.Warn} {
		if text := s.sessions.PopString(c.Request().Context(), name); text != "" {
			title, more, _ := strings.Cut(text, "\n")
			shell.Flash = &ui.Alert{Tone: tone, Title: title, Text: more}
		}
	}
	return shell
}

// tell has the next page say what was done; what follows a line break is less strong.
func (s *server) tell(c echo.Context, text string) {
	s.sessions.Put(c.Request().Context(), sessionFlash, text)
}

// warn has the next page say what was done, and that it needs a look.
func (s *server) warn(c echo.Context, text string) {
	s.sessions.Put(c.Request().Context(), sessionWarning, text)
}

func bookView(book store.Book) templates.Book {
	return templates.Book{Slug: book.Code, Name: book.Name, Currency: book.Currency}
}

func userView(actor store.Actor) templates.User {
	return templates.User{Name: actor.Name, Initials: initials(actor.Name), Roles: roleWords(actor.Roles)}
}

func roleWords(roles []store.Role) []string {
	words := make([]string, len(roles))
	for i, role := range roles {
		words[i] = string(role)
	}
	return words
}

// initials are the first letters of the first and the last word of a name.
func initials(name string) string {
	words := strings.Fields(name)
	if len(words) > 2 {
		words = []string{words[0], words[len(words)-1]}
	}
	letters := ""
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		letters += strings.ToUpper(string(first))
	}
	return letters
}

// theme is "light", "dark" or "system", as the browser was told last. It counts where nobody is signed in, and for a person who
// never chose one.
func theme(c echo.Context) string {
	if cookie, err := c.Cookie("theme"); err == nil && (cookie.Value == "dark" || cookie.Value == "system") {
		return cookie.Value
	}
	return "light"
}

// formatOf is how a person wants numbers and dates written.
func formatOf(actor store.Actor) ui.Format {
	p := actor.Preferences
	return ui.Format{Numbers: ui.NumberStyle(p.Numbers), Negatives: ui.NegativeStyle(p.Negatives), Dates: ui.DateStyle(p.Dates)}
}

// today is the day by the clock, in UTC.
func (s *server) today() ledger.Date { return ledger.DateOf(s.Now()) }

func laterOf(a, b ledger.Date) ledger.Date {
	if a.Before(b) {
		return b
	}
	return a
}

// since is how long ago a moment was; the future is now.
func (s *server) since(moment time.Time) time.Duration { return max(s.Now().Sub(moment), 0) }

// seeOther leads on after a form was taken, to a page that can be loaded again.
func seeOther(c echo.Context, address string) error { return c.Redirect(http.StatusSeeOther, address) }
