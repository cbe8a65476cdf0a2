package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// draftRowsShown is a page of the rows of a draft.
const draftRowsShown = 50

// inDraft finds out which draft is meant, and where to go when it is gone.
func (s *server) inDraft(next func(c echo.Context, actor store.Actor, id int64) error) actorHandler {
	return func(c echo.Context, actor store.Actor) error {
		id, err := api.PathNumber(c, "id", "draft")
		if err != nil {
			return err
		}
		comeBack(c, "Upload the file again", bookView(actor.Book).URL("statements", "new"))
		err = next(c, actor, id)
		var refusal *ledger.Error
		if errors.As(err, &refusal) && refusal.Kind == ledger.KindNotFound {
			if stored, ok := refusal.Extra["reconciliation_id"].(int64); ok {
				return seeOther(c, bookView(actor.Book).ReconciliationURL(stored))
			}
		}
		return err
	}
}

func (s *server) showDraft(c echo.Context, actor store.Actor, id int64) error {
	shown, err := s.readDraft(c, actor, id, c.QueryParams())
	if err != nil {
		return err
	}
	view, err := s.draftView(c, actor, shown)
	if err != nil {
		return err
	}
	view.Form, view.SettingsOpen = newKey(), c.QueryParam("open") == "format"
	return render(c, http.StatusOK, templates.DraftPage(view))
}

// readDraft reads a draft with the rows that a query asks for.
func (s *server) readDraft(c echo.Context, actor store.Actor, id int64, query url.Values) (draftShown, error) {
	window := store.PreviewWindow{Class: query.Get("rows"), AfterRow: int(cursor(query.Get("after"))), Limit: draftRowsShown}
	preview, err := s.Store.PreviewDraft(c.Request().Context(), actor, id, window)
	if window.Class == "" {
		window.Class = store.RowNew
	}
	return draftShown{
		reader: formatOf(actor), Preview: preview, typed: settingsOf(preview.Told), periodFrom: preview.PeriodFrom.String(), periodTo: preview.PeriodTo.String(), window: window,
		sampleRow: int(cursor(query.Get("sample"))), account: preview.Account.Code, profile: profileOf(preview.Draft), profileName: preview.ProfileName, remember: true,
	}, err
}

// changeDraft takes the settings of a draft, and leads back to the page that shows what they make of the file.
func (s *server) changeDraft(c echo.Context, actor store.Actor, id int64) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	shown, err := s.readDraft(c, actor, id, f.values)
	if err != nil {
		return err
	}
	change := shown.typeInto(f)
	refusal := f.refusal()
	if refusal == nil {
		_, err = s.Store.ChangeDraft(c.Request().Context(), actor, id, change)
		if typed, ok := typedWrong(err); ok {
			refusal = typed
		} else if err != nil {
			return err
		}
	}
	if refusal != nil {
		return s.showTypedDraft(c, actor, shown, f, refusal)
	}
	return seeOther(c, bookView(actor.Book).DraftURL(id)+afterChange(f))
}

// afterChange is the query that keeps the page as it was before a change: its tab, its sample row, what is unfolded.
func afterChange(f *form) string {
	query := url.Values{}
	for _, name := range []string{"rows", "sample", "open"} {
		if value := f.text(name); value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

// showTypedDraft shows the page of a draft with what was typed and why it was refused. Settings that were changed in another window are shown as
// they are now.
func (s *server) showTypedDraft(c echo.Context, actor store.Actor, shown draftShown, f *form, refusal *ledger.Error) error {
	faults := onControls(worded(refusal.Fields))
	if _, stale := refusalField(refusal, "version"); stale {
		now, err := s.readDraft(c, actor, shown.ID, f.values)
		if err != nil {
			return err
		}
		shown, faults = now, nil
	}
	shown.errors = faults
	view, err := s.draftView(c, actor, shown)
	if err != nil {
		return err
	}
	view.Form, view.SettingsOpen = f.key(), true
	if view.Form == "" || refusal.Kind == ledger.KindKeyReused {
		view.Form = newKey()
	}
	view.Message, view.Errors = messageOf(refusal), faults
	if len(faults) == 0 && view.Message == "" {
		view.Message = sentence(refusal.Message)
	}
	view.Question = nil // one thing at a time: what was typed comes first
	return s.showAgain(c, refusal, templates.DraftPage(view))
}

// refusalField gives what a refusal says of a field.
func refusalField(refusal *ledger.Error, field string) (string, bool) {
	for _, fault := range refusal.Fields {
		if fault.Field == field {
			return fault.Detail, true
		}
	}
	return "", false
}

// confirmDraft stores a draft as it was shown. Settings that were changed and not read yet are read first: nobody stores what they have not seen.
func (s *server) confirmDraft(c echo.Context, actor store.Actor, id int64) error {
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	version, _ := strconv.Atoi(f.text("version"))
	_, repeated, err := s.Store.KeySettled(ctx, actor, f.key())
	if err != nil {
		return err
	}
	if !repeated {
		shown, err := s.readDraft(c, actor, id, f.values)
		if err != nil {
			return err
		}
		if change := shown.typeInto(f); shown.changed(change) && shown.Version == version {
			return s.readFirst(c, actor, shown, f, change)
		}
	}
	_, remember := f.pressed("remember")
	result, duplicate, err := s.Store.ConfirmDraft(ctx, actor, f.key(), id, store.DraftConfirm{Version: version, Remember: remember, ProfileName: f.text("profile_name")})
	if refusal, ok := typedWrong(err); ok {
		shown, err := s.readDraft(c, actor, id, f.values)
		if err != nil {
			return err
		}
		shown.typeInto(f)
		return s.showTypedDraft(c, actor, shown, f, outsideThePeriod(refusal))
	}
	if err != nil {
		return err
	}
	address := bookView(actor.Book).ReconciliationURL(result.ReconciliationID)
	if duplicate && !repeated {
		return seeOther(c, address+"?again=1")
	}
	if err := s.tellOfUpload(c, actor, result); err != nil {
		return err
	}
	return seeOther(c, address)
}

// readFirst takes settings that were typed beside the button that stores, and asks for another look.
func (s *server) readFirst(c echo.Context, actor store.Actor, shown draftShown, f *form, change store.DraftChange) error {
	refusal := f.refusal()
	if refusal == nil {
		_, err := s.Store.ChangeDraft(c.Request().Context(), actor, shown.ID, change)
		if typed, ok := typedWrong(err); ok {
			refusal = typed
		} else if err != nil {
			return err
		}
	}
	if refusal != nil {
		return s.showTypedDraft(c, actor, shown, f, refusal)
	}
	s.warn(c, "Nothing is stored yet: the file was read again with what you changed.\nLook at it, then store it.")
	return seeOther(c, bookView(actor.Book).DraftURL(shown.ID)+afterChange(f))
}

// discardDraft clears a file away of which nothing was stored.
func (s *server) discardDraft(c echo.Context, actor store.Actor, id int64) error {
	if err := s.Store.DiscardDraft(c.Request().Context(), actor, id); err != nil && ledger.KindOf(err) != ledger.KindNotFound {
		return err
	}
	s.tell(c, "The file is discarded. Nothing of it was stored.")
	return seeOther(c, bookView(actor.Book).URL("statements", "new"))
}

// draftView is the page of a draft.
func (s *server) draftView(c echo.Context, actor store.Actor, shown draftShown) (templates.Draft, error) {
	statements := ui.Link{Text: "Statements", Href: bookView(actor.Book).URL("statements")}
	shell, err := s.shell(c, actor, below(templates.PageUpload, statements, "Upload statement"))
	if err != nil {
		return templates.Draft{}, err
	}
	accounts, err := s.statementAccounts(c, actor)
	if err != nil {
		return templates.Draft{}, err
	}
	address := shell.Book.DraftURL(shown.ID)
	view := templates.Draft{
		Shell: shell, ID: shown.ID, Version: shown.Version, Step: shown.step(),
		File:     templates.DraftFile{Name: shown.FileName, KeptUntil: shown.CreatedAt.Add(store.DraftLife)},
		Account:  ui.Field{Name: "account", Label: "Account", Value: shown.account, Options: accounts, Error: ui.ErrorOf(shown.errors, "account")},
		Profile:  shown.profileField(),
		Question: shown.questionView(),
		Refusal:  shown.refusalView(),
		Columns:  shown.columnsView(address), Raw: shown.rawView(), Detected: shown.detected(),
		Rows: shown.rowsView(address), Proof: shown.proofView(), Checks: shown.checksView(),
		Keep: templates.DraftProfile{Name: shown.profileName, Remember: shown.remember},
	}
	var asked []ui.Field
	if view.Question != nil {
		asked = view.Question.Fields
	}
	view.Settings = shown.format(asked)
	return view, nil
}
