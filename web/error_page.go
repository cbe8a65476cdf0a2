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
	page.Back, _ = c.Get(backKey).(ui.Link)
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
		page.Rights, page.Do = rightsOf(actor), "Nothing was changed. The attempt is in the audit log."
		if looking(c) {
			page.Do = "What you may do in this book stands beside."
		}
	}
	return render(c, problem.Status, templates.ErrorView(page))
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
	{store.RightUpload, "Upload statements"}, {store.RightResolve, "Resolve breaks"}, {store.RightDecide, "Decide requests"},
	{store.RightAudit, "Read the audit log"}, {store.RightAccounts, "Open accounts"}, {store.RightUsers, "Manage people"},
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
