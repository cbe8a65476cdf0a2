package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

func (s *server) showBreak(c echo.Context, actor store.Actor) error {
	id, err := api.PathNumber(c, "id", "break")
	if err != nil {
		return err
	}
	view, err := s.breakView(c, actor, id)
	if err != nil {
		return err
	}
	if c.QueryParam("search") != "" && !view.Closed {
		if err := s.searchOpenItems(c, actor, &view, searchOf(c.QueryParam)); err != nil {
			return err
		}
	}
	return render(c, http.StatusOK, templates.BreakPage(view))
}

func (s *server) reopenBreak(c echo.Context, actor store.Actor) error {
	return s.workOnBreak(c, actor, breakWork{
		may: needResolve,
		act: func(ctx context.Context, id int64, f *form) (told, error) {
			if err := ledger.CheckText("note", f.text("note"), true); err != nil {
				return told{}, err
			}
			_, _, err := s.Store.ReopenBreak(ctx, actor, f.key(), id, f.text("note"))
			return told{text: "The break is open again."}, err
		},
		refuse: func(view *templates.Break, f *form, refusal *ledger.Error) {
			view.Reopen = templates.ReopenForm{Form: f.key(), Note: f.raw("note"), Message: messageOf(refusal), Errors: worded(refusal.Fields)}
		},
	})
}

func needResolve(actor store.Actor) error { return actor.Need(store.RightResolve) }

// told is what the next page says of what was done; warns where it needs a look. shown says that the page was shown instead of doing anything.
type told struct {
	text         string
	warns, shown bool
}

// breakWork is one of the forms of a break: who may send it, what it does, and where on the page a refusal and what was typed are shown.
type breakWork struct {
	may    func(store.Actor) error
	act    func(ctx context.Context, id int64, f *form) (told, error)
	refuse func(view *templates.Break, f *form, refusal *ledger.Error)
}

// workOnBreak takes a form of a break. Refused, it shows the break as it stands now with what was typed.
func (s *server) workOnBreak(c echo.Context, actor store.Actor, work breakWork) error {
	if err := work.may(actor); err != nil {
		return err
	}
	id, err := api.PathNumber(c, "id", "break")
	if err != nil {
		return err
	}
	address := bookView(actor.Book).BreakURL(id)
	comeBack(c, "Open the break", address)
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	done, err := work.act(c.Request().Context(), id, f)
	refusal, wrong := typedWrong(err)
	switch {
	case err == nil && done.shown:
		return nil
	case err == nil && done.warns:
		s.warn(c, done.text)
		return seeOther(c, address)
	case err == nil:
		s.tell(c, done.text)
		return seeOther(c, address)
	case ledger.KindOf(err) == ledger.KindIllegalTransition:
		return s.showBreakAsItIsNow(c, actor, id, f, err)
	case !wrong:
		return err
	}
	return s.refuseOnBreak(c, actor, id, f, refusal, work.refuse)
}

// refuseOnBreak shows a form of a break again.
func (s *server) refuseOnBreak(c echo.Context, actor store.Actor, id int64, f *form, refusal *ledger.Error,
	refuse func(view *templates.Break, f *form, refusal *ledger.Error)) error {
	view, err := s.breakView(c, actor, id)
	if err != nil {
		return err
	}
	if refusal.Kind == ledger.KindKeyReused {
		view.Flash = &ui.Alert{Tone: ui.Warn, Title: "This form was sent before.", Text: "Here is the break as it stands now.", Refusal: true}
	} else {
		refuse(&view, f, refusal)
	}
	if f.text("search") != "" {
		if err := s.searchOpenItems(c, actor, &view, searchOf(f.text).choosing(f)); err != nil {
			return err
		}
	}
	return s.showAgain(c, refusal, templates.BreakPage(view))
}

// showBreakAsItIsNow answers whoever came second: what was done with the break meanwhile, and what this person typed.
func (s *server) showBreakAsItIsNow(c echo.Context, actor store.Actor, id int64, f *form, refused error) error {
	view, err := s.breakView(c, actor, id)
	if err != nil {
		return err
	}
	view.Late = &templates.LateWork{
		Done: view.LastChange(), Resolution: recon.Resolution(f.text("resolution")), Reason: recon.Reason(f.text("reason_code")),
		Note: f.raw("note") + f.raw("match_note") + f.raw("comment"),
	}
	if seen, sent := seenVersion(f); sent && seen == view.Version {
		view.Late.Done, view.Late.Elsewhere = sentence(refused.Error())+".", true
	}
	s.recordRefusal(c, refused)
	return render(c, http.StatusConflict, templates.BreakPage(view))
}

// seenVersion is the version of the break that the form was made for; false where it does not say.
func seenVersion(f *form) (int, bool) {
	n, err := strconv.Atoi(f.text("version"))
	return n, err == nil && n > 0
}

// asChosen says of what is chosen on the page what to choose there: the rules name the codes of the API.
func asChosen(fields []ledger.FieldError) []ledger.FieldError {
	chosen := slices.Clone(fields)
	for i, f := range chosen {
		switch f.Field {
		case "resolution":
			chosen[i].Detail = "choose one of the ways that this break can be resolved"
		case "reason_code":
			chosen[i].Detail = "choose a reason"
		case "entry.postings":
			chosen[i].Detail = strings.Replace(f.Detail, "move account", "the postings move account", 1)
		}
	}
	return chosen
}
