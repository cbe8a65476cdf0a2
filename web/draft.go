package web

import (
	"errors"
	"net/http"
	"net/url"

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
			if job, ok := refusal.Extra["job_id"].(int64); ok {
				return seeOther(c, bookView(actor.Book).JobURL(job))
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
	shown.typed = typedOf(shown.Draft)
	shown.typed.profileName, shown.typed.forget = c.QueryParam("profile_name"), c.QueryParam("forget") != ""
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
	return draftShown{reader: formatOf(actor), Preview: preview, window: window, sampleRow: int(cursor(query.Get("sample")))}, err
}

// changeDraft takes the settings of a draft, and leads back to the page that shows what they make of the file.
func (s *server) changeDraft(c echo.Context, actor store.Actor, id int64) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	draft, err := s.Store.Draft(c.Request().Context(), actor, id)
	if err != nil {
		return err
	}
	typed, change := f.draftChange(draft)
	return s.settleDraft(c, actor, draft, f, change, typed, "")
}

// settleDraft makes a change and leads to the page that shows it, with a warning where there is one; what cannot be made is shown as it was typed.
func (s *server) settleDraft(c echo.Context, actor store.Actor, draft store.Draft, f *form, change store.DraftChange, typed draftTyped, warning string) error {
	if refusal := f.refusal(); refusal != nil {
		return s.showTypedDraft(c, actor, draft.ID, f, typed, refusal)
	}
	_, err := s.Store.ChangeDraft(c.Request().Context(), actor, draft.ID, change)
	if refusal, ok := typedWrong(err); ok {
		return s.showTypedDraft(c, actor, draft.ID, f, typed, refusal)
	}
	if err != nil {
		return err
	}
	if warning != "" {
		s.warn(c, warning)
	}
	return seeOther(c, bookView(actor.Book).DraftURL(draft.ID)+afterChange(f, typed))
}

// afterChange is the query that keeps the page as it was before a change: its tab, its sample row, what is unfolded, the name of the profile.
func afterChange(f *form, typed draftTyped) string {
	query := url.Values{}
	for _, name := range []string{"rows", "sample", "open"} {
		if value := f.text(name); value != "" {
			query.Set(name, value)
		}
	}
	if typed.profileName != "" && typed.profileName != f.raw("profile_was") {
		query.Set("profile_name", typed.profileName)
	}
	if typed.forget {
		query.Set("forget", "yes")
	}
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

// showTypedDraft shows the page of a draft with what was typed and why it was refused. Settings that were changed in another window are shown as
// they are now.
func (s *server) showTypedDraft(c echo.Context, actor store.Actor, id int64, f *form, typed draftTyped, refusal *ledger.Error) error {
	shown, err := s.readDraft(c, actor, id, f.values)
	if err != nil {
		return err
	}
	shown.typed, shown.errors = typed, onControls(worded(refusal.Fields))
	message := messageOf(refusal)
	if ui.ErrorOf(refusal.Fields, "version") != "" {
		shown.typed, shown.errors, message = typedOf(shown.Draft), nil, sentence(refusal.Message)+"."
	}
	view, err := s.draftView(c, actor, shown)
	if err != nil {
		return err
	}
	if view.Form = f.key(); view.Form == "" || refusal.Kind == ledger.KindKeyReused {
		view.Form = newKey()
	}
	view.SettingsOpen, view.Message, view.Errors = true, message, shown.errors
	return s.showAgain(c, refusal, templates.DraftPage(view))
}

// confirmDraft stores a draft as it was shown. Settings that were changed and not read yet are read first: nobody stores what they have not seen.
func (s *server) confirmDraft(c echo.Context, actor store.Actor, id int64) error {
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	draft, err := s.Store.Draft(ctx, actor, id)
	// Of a draft that is gone this form may have been the end: its key knows what came of it.
	gone := ledger.KindOf(err) == ledger.KindNotFound
	if err != nil && !gone {
		return err
	}
	typed, change := f.draftChange(draft)
	if !gone && changes(draft, change) && draft.Version == change.Version {
		return s.settleDraft(c, actor, draft, f, change, typed, "Nothing is stored yet: the file was read again with what you changed.\nLook at it, then store it.")
	}
	confirm := store.DraftConfirm{Version: change.Version, Remember: !typed.forget, ProfileName: f.text("profile_name"), BalanceReason: f.text("balance_reason")}
	result, duplicate, err := s.Store.ConfirmDraft(ctx, actor, f.key(), id, confirm)
	if refusal, ok := typedWrong(err); ok {
		return s.showTypedDraft(c, actor, id, f, typed, withoutReason(f, outsideThePeriod(refusal)))
	}
	if err != nil {
		return err
	}
	if result.JobID != 0 {
		return seeOther(c, bookView(actor.Book).JobURL(result.JobID))
	}
	address := bookView(actor.Book).ReconciliationURL(result.ReconciliationID)
	if result.StoredBefore {
		return seeOther(c, address+"?again=1")
	}
	// Of the second of two clicks nothing is said that the first did not say.
	if duplicate {
		return seeOther(c, address)
	}
	if err := s.tellOfUpload(c, actor, result); err != nil {
		return err
	}
	return seeOther(c, address)
}

// discardDraft clears a file away of which nothing was stored.
func (s *server) discardDraft(c echo.Context, actor store.Actor, id int64) error {
	err := s.Store.DiscardDraft(c.Request().Context(), actor, id)
	var refusal *ledger.Error
	gone := errors.As(err, &refusal) && refusal.Kind == ledger.KindNotFound && refusal.Extra["reconciliation_id"] == nil
	if err != nil && !gone {
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
	accounts, _, err := s.statementAccounts(c, actor, shown.typed.account)
	if err != nil {
		return templates.Draft{}, err
	}
	address := shell.Book.DraftURL(shown.ID)
	view := templates.Draft{
		Shell: shell, ID: shown.ID, Version: shown.Version, Step: shown.step(),
		File:     templates.DraftFile{Name: shown.FileName, KeptUntil: shown.CreatedAt.Add(store.DraftLife)},
		Account:  ui.Field{Name: "account", Label: "Account", Value: shown.typed.account, Options: accounts, Error: ui.ErrorOf(shown.errors, "account")},
		Profile:  shown.profileField(),
		Question: shown.questionView(),
		Refusal:  shown.refusalView(),
		Columns:  shown.columnsView(address), Raw: shown.rawView(), Detected: shown.detected(),
		Rows: shown.rowsView(address), Proof: shown.proofView(), Checks: shown.checksView(), Unproven: shown.Unproven, BalanceReason: shown.typed.balanceReason,
		Keep: templates.DraftProfile{Name: shown.profileNamed(), Was: shown.ProfileName, Remember: !shown.typed.forget, Message: shown.Settings.Message != ""},
	}
	var asked []ui.Field
	if view.Question != nil {
		asked = view.Question.Fields
	}
	view.Settings = shown.format(asked)
	return view, nil
}
