package web

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// showDrill shows the drill that ran under the address's key, or offers to run it.
func (s *server) showDrill(c echo.Context, actor store.Actor) error {
	view := templates.Drill{Form: c.QueryParam("form")}
	ran, err := s.Store.DrillOf(c.Request().Context(), actor, view.Form)
	switch ledger.KindOf(err) {
	case ledger.KindNotFound:
	case ledger.KindKeyInProgress:
		view.Running = true
	default:
		if err != nil {
			return err
		}
	}
	view.Shell, err = s.shell(c, actor, heading{title: "Drill", page: templates.PageKeys, crumbs: []ui.Link{
		{Text: "Keys", Href: bookView(actor.Book).URL("keys")}, {Text: "Drill"},
	}})
	if err != nil {
		return err
	}
	view.RanAt, view.RanBy, view.Callers, view.Delay = ran.RanAt, ran.RanBy, ran.Callers, ran.Delay
	for _, r := range ran.Results {
		view.Rows = append(view.Rows, templates.DrillRow{
			Place: r.Place, Calls: r.Calls, Once: r.Once(), Claim: r.ByClaim(), Held: r.Held(), Fault: r.Fault,
		})
	}
	return render(c, http.StatusOK, templates.DrillPage(view))
}

func (s *server) runDrill(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightKeys); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	if _, err := s.Store.RunDrill(c.Request().Context(), actor, f.key()); err != nil {
		return err
	}
	return seeOther(c, bookView(actor.Book).URL("keys", "drill")+"?"+url.Values{"form": {f.key()}}.Encode())
}
