package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func (s *server) showNewEntry(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	view, err := s.newEntryView(c, actor, c.QueryParam("form"))
	if err != nil {
		return err
	}
	if err := s.renewKey(c, actor, &view); err != nil {
		return err
	}
	view.EffectiveOn, view.Lines = s.today().String(), make([]ui.Line, linesOffered)
	return render(c, http.StatusOK, templates.NewEntryPage(view))
}

// newEntryView is the form before anything was typed.
func (s *server) newEntryView(c echo.Context, actor store.Actor, key string) (templates.NewEntry, error) {
	journal := ui.Link{Text: "Journal", Href: bookView(actor.Book).URL("journal")}
	shell, err := s.shell(c, actor, below(templates.PageJournal, journal, "New entry"))
	if err != nil {
		return templates.NewEntry{}, err
	}
	accounts, err := s.accountChoices(c.Request().Context(), actor)
	return templates.NewEntry{Shell: shell, Form: key, Accounts: accounts}, err
}

// renewKey gives a form whose key has settled a fresh one, and says what it has become.
func (s *server) renewKey(c echo.Context, actor store.Actor, view *templates.NewEntry) error {
	seq, settled, err := s.Store.KeySettled(c.Request().Context(), actor, view.Form)
	if view.Posted = seq; settled {
		view.Form = newKey()
	}
	return err
}

func (s *server) postEntry(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightPost); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	typed, pressed := readEntryForm(f, "", formatOf(actor))
	if pressed {
		return s.showTypedEntry(c, actor, typed, nil)
	}
	ctx := c.Request().Context()
	entry, lineOf, err := typed.entry(ctx, s.Store, actor)
	if err != nil {
		return err
	}
	if refusal := f.refusal(); refusal != nil {
		return s.showTypedEntry(c, actor, typed, refusal)
	}
	if s.isFarAhead(entry.EffectiveOn) && f.text("confirm_day") != entry.EffectiveOn.String() {
		return s.showTypedEntry(c, actor, typed, farAhead(entry.EffectiveOn))
	}
	posted, err := s.Store.PostEntry(ctx, actor, f.key(), entry)
	if refusal, ok := typedWrong(err); ok {
		refusal.Fields = typed.inLines(refusal.Fields, lineOf)
		return s.showTypedEntry(c, actor, typed, refusal)
	}
	if err != nil {
		return err
	}
	s.tell(c, "Entry "+formatOf(actor).Seq(posted.Seq)+" is posted.")
	return seeOther(c, bookView(actor.Book).EntryURL(posted.Seq))
}

// farAheadDays is how far ahead a day may lie before a page asks whether it is meant. The rules take any day: a lease of years is posted too.
const farAheadDays = 366

func (s *server) isFarAhead(day ledger.Date) bool { return s.today().DaysUntil(day) > farAheadDays }

// farAhead refuses a day that was not confirmed. A program that sends one over the API means it.
func farAhead(day ledger.Date) error {
	return ledger.Refuse(ledger.KindInvalid, "the day lies far ahead").
		At("effective_on", "lies more than a year ahead, in %d: correct it, or tick that it is meant", day.Year)
}

// showTypedEntry shows the form with what was typed and, where it was refused, why.
func (s *server) showTypedEntry(c echo.Context, actor store.Actor, typed entryForm, refused error) error {
	view, err := s.newEntryView(c, actor, typed.key())
	if err != nil {
		return err
	}
	view.EffectiveOn, view.TxID, view.Description = typed.raw("effective_on"), typed.raw("tx_id"), typed.raw("description")
	view.Lines = typed.lines
	if day := typedDay(view.EffectiveOn); s.isFarAhead(day) {
		view.FarDay, view.FarConfirmed = day, typed.text("confirm_day") == day.String()
	}
	refusal, wrong := typedWrong(refused)
	if !wrong {
		return render(c, http.StatusOK, templates.NewEntryPage(view))
	}
	view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	if refusal.Kind == ledger.KindKeyReused {
		if err := s.renewKey(c, actor, &view); err != nil {
			return err
		}
		view.Message, view.Errors = "This form was sent before as something else. It has a new key now: check it and post it.", nil
	}
	if seq, ok := refusal.Extra["seq"].(int64); ok && refusal.Kind == ledger.KindTxIDExists {
		view.Message = "The tx id names entry " + formatOf(actor).Seq(seq) + " already. It names one entry for ever."
	}
	return s.showAgain(c, refusal, templates.NewEntryPage(view))
}
