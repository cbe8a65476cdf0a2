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
	"daybook/web/api"
)

// backKey is where a handler leaves the page to go to when what it does is refused.
const backKey = "back"

// comeBack names the page that shows how things are now, should what follows be refused.
func comeBack(c echo.Context, text, href string) { c.Set(backKey, ui.Link{Text: text, Href: href}) }

// showError answers with a page: in the shell of the book where the person may see it, alone otherwise.
func (s *server) showError(c echo.Context, problem api.Problem) error {
	page := templates.ErrorPage{
		Shell:  templates.Shell{Title: problem.Title, Theme: theme(c)},
		Status: problem.Status, Detail: strings.TrimSuffix(problem.Detail, ".") + ".", Request: requestID(c),
	}
	page.Back = wayBack(c, problem.Status)
	switch problem.Kind {
	case ledger.KindUnauthenticated:
		page.Title, page.Do, page.Back = "You are not signed in", "Sign in, then open the page again.", signInAgain(c)
	case ledger.KindKeyInProgress:
		page.Title, page.Do = "This form is being posted just now", "Send it again in a moment: it posts once, however often it is sent."
	case ledger.KindIllegalTransition:
		page.Title = problem.Title
	}
	actor, known := actorOf(c)
	if !known || !actor.Can(store.RightRead) {
		return render(c, problem.Status, templates.ErrorView(page))
	}
	shell, err := s.shell(c, actor, heading{title: problem.Title})
	if err != nil { // the page is worth more than what surrounds it
		s.Log.Warn("an error is shown without its book", "request", requestID(c), "error", err)
		return render(c, problem.Status, templates.ErrorView(page))
	}
	page.Shell = shell
	if problem.Status == http.StatusForbidden {
		s.sayWhatIsAllowed(c, actor, &page)
	}
	return render(c, problem.Status, templates.ErrorView(page))
}

// administratorsNamed is how many people are named who could give a missing role.
const administratorsNamed = 3

// sayWhatIsAllowed puts beside a refusal what the actor may do, and who could change that.
func (s *server) sayWhatIsAllowed(c echo.Context, actor store.Actor, page *templates.ErrorPage) {
	page.Rights, page.Do = rightsOf(actor), "Nothing was changed. The attempt is in the audit log."
	if looking(c) {
		page.Do = "What you may do in this book stands beside."
	}
	page.Administrators = s.administrators(c, actor)
}

// administrators are people who could give a right that the actor lacks.
func (s *server) administrators(c echo.Context, actor store.Actor) []string {
	names, err := s.Store.Administrators(c.Request().Context(), actor, administratorsNamed)
	if err != nil { // the page is worth more than the names
		s.Log.Warn("a refusal names no administrator", "request", requestID(c), "error", err)
	}
	return names
}

// whoGives names who could give a right, where it is missing.
func (s *server) whoGives(c echo.Context, actor store.Actor, right store.Right) []string {
	if actor.Can(right) {
		return nil
	}
	return s.administrators(c, actor)
}

// wayBack is where to go from an error: what the handler named, the same page again where that may help, else the page before.
func wayBack(c echo.Context, status int) ui.Link {
	if named, ok := c.Get(backKey).(ui.Link); ok {
		return named
	}
	if looking(c) && status >= http.StatusInternalServerError {
		return ui.Link{Text: "Load the page again", Href: c.Request().URL.RequestURI()}
	}
	before, err := url.Parse(c.Request().Referer())
	if err != nil || before.Host != c.Request().Host || before.Path == "/login" {
		return ui.Link{}
	}
	href := before.RequestURI()
	if href == c.Request().URL.RequestURI() && looking(c) || strings.HasPrefix(href, "//") {
		return ui.Link{}
	}
	if looking(c) {
		return ui.Link{Text: "Back to where you were", Href: href}
	}
	return ui.Link{Text: "Open that page again", Href: href}
}

// signInAgain leads to the sign-in, and from there back to a page that was only looked at.
func signInAgain(c echo.Context) ui.Link {
	href := "/login"
	if looking(c) {
		href += "?next=" + url.QueryEscape(c.Request().URL.RequestURI())
	}
	return ui.Link{Text: "Sign in", Href: href}
}

// looking says that the request would not have changed anything.
func looking(c echo.Context) bool { return slices.Contains(reading, c.Request().Method) }

// rightNames are the rights as pages call them, in the order in which they are shown.
var rightNames = []struct {
	right store.Right
	name  string
}{
	{store.RightRead, "Read the book"}, {store.RightPost, "Post entries"}, {store.RightRequest, "Request reversals"},
	{store.RightUpload, "Upload statements"}, {store.RightResolve, "Resolve breaks"}, {store.RightPeriods, "Request closing periods"}, {store.RightDecide, "Decide requests"},
	{store.RightAudit, "Read the audit log"}, {store.RightAccounts, "Open accounts"}, {store.RightUsers, "Manage people"},
	{store.RightKeys, "Release keys"},
}

func rightsOf(actor store.Actor) []templates.Right {
	rights := make([]templates.Right, len(rightNames))
	for i, r := range rightNames {
		rights[i] = templates.Right{Name: r.name, Held: actor.Can(r.right)}
	}
	return rights
}

// missing names a right that the actor lacks, "" for one it has.
func missing(actor store.Actor, right store.Right) string {
	if actor.Can(right) {
		return ""
	}
	return string(right)
}
