package web

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

func (s *server) showPeriod(c echo.Context, actor store.Actor) error {
	view, err := s.periodView(c, actor, c.QueryParam("form"))
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, templates.PeriodPage(view))
}

// periodView is the month of the address before anything was typed.
func (s *server) periodView(c echo.Context, actor store.Actor, key string) (templates.Period, error) {
	period, err := api.PathPeriod(c)
	if err != nil {
		return templates.Period{}, err
	}
	ctx := c.Request().Context()
	found, err := s.Store.Period(ctx, actor, period)
	if err != nil {
		return templates.Period{}, err
	}
	periods := ui.Link{Text: "Periods", Href: bookView(actor.Book).URL("periods")}
	shell, err := s.shell(c, actor, below(templates.PagePeriods, periods, templates.NameOfPeriod(period)))
	if err != nil {
		return templates.Period{}, err
	}
	approvers, err := s.Store.Deciders(ctx, actor, 3)
	return templates.Period{
		Shell: shell, PeriodRow: s.periodRow(actor, found.PeriodSummary), Notes: s.periodNotes(shell.Format, shell.Book, found), Form: key,
		MissingRight: missing(actor, store.RightPeriods), Approvers: approvers, History: periodHistory(shell.Book, found.Requests),
	}, err
}

// requestPeriodChange asks to close or to reopen the month of the address.
func (s *server) requestPeriodChange(kind store.ApprovalKind) actorHandler {
	request := s.Store.RequestPeriodClose
	if kind == store.KindPeriodReopen {
		request = s.Store.RequestPeriodReopen
	}
	return func(c echo.Context, actor store.Actor) error {
		if err := actor.Need(store.RightPeriods); err != nil {
			return err
		}
		f, err := readKeyedForm(c)
		if err != nil {
			return err
		}
		period, err := api.PathPeriod(c)
		if err != nil {
			return err
		}
		// A page asks why a period is opened again; a program may leave it out.
		err = ledger.CheckText("reason", f.text("reason"), kind == store.KindPeriodReopen)
		var asked store.Approval
		if err == nil {
			asked, _, err = request(c.Request().Context(), actor, f.key(), period, f.text("reason"))
		}
		refusal, wrong := typedWrong(err)
		switch {
		case wrong || ledger.KindOf(err) == ledger.KindIllegalTransition:
			return s.showRefusedPeriod(c, actor, f, refusal)
		case err != nil:
			return err
		}
		s.tell(c, "The request is sent. It takes effect when another person approves it.")
		return seeOther(c, bookView(actor.Book).RequestURL(asked.ID))
	}
}

// showRefusedPeriod shows the month as it stands now, with what was typed.
func (s *server) showRefusedPeriod(c echo.Context, actor store.Actor, f *form, refusal *ledger.Error) error {
	key := f.key()
	if refusal.Kind == ledger.KindKeyReused {
		key = newKey()
	}
	view, err := s.periodView(c, actor, key)
	if err != nil {
		return err
	}
	view.Reason, view.Message, view.Errors = f.raw("reason"), messageOf(refusal), worded(refusal.Fields)
	if refusal.Kind == ledger.KindKeyReused {
		view.Message, view.Errors = "This form was sent before with another text. Here is the period as it stands now.", nil
	}
	s.recordRefusal(c, refusal)
	return render(c, api.ProblemOf(refusal, "").Status, templates.PeriodPage(view))
}

// periodNotes are what a controller looks at before a month is closed.
func (s *server) periodNotes(f ui.Format, book templates.Book, p store.Period) []templates.PeriodNote {
	var notes []templates.PeriodNote
	note := func(name, chip, text string, links ...ui.Link) {
		notes = append(notes, templates.PeriodNote{Name: name, Chip: ui.Chip{Text: chip, Tone: ui.Warn}, Text: text, Links: links})
	}
	if last := p.Period.Last(); !last.Before(s.today()) {
		note("Month", "Not over yet", "Entries of its days to come would be refused too.")
	}
	if len(p.Waiting) > 0 {
		var links []ui.Link
		for _, a := range p.Waiting {
			links = append(links, ui.Link{Text: templates.NameOfApproval(a.ID), Href: book.RequestURL(a.ID)})
		}
		note("Reversals", f.Plural(len(links), "waits", "wait")+" for approval", "With a date in it: while it is closed they cannot take effect.", links...)
	}
	for _, b := range p.Breaks {
		note("Breaks", f.Number(b.Open)+" open", "", ui.Link{Text: b.Account + " " + b.Name, Href: book.ReconciliationURL(b.ReconciliationID)})
	}
	for _, u := range p.Unmatched {
		note("Postings", f.Plural(u.Postings, "posting", "postings")+" not matched yet", "Recorded since the last matching: run it again.", ui.Link{Text: u.Account + " " + u.Name, Href: book.ReconciliationURL(u.ReconciliationID)})
	}
	if p.Unanswered > 0 {
		note("Payments", f.Plural(p.Unanswered, "is", "are")+" without an answer", "What the gateway did may still have to be posted.", ui.Link{Text: "Payments", Href: book.URL("payments") + "?unknown=1"})
	}
	if p.Unapplied > 0 {
		note("Messages", f.Plural(p.Unapplied, "is", "are")+" not applied", "They may be entries of this month.", ui.Link{Text: "Inbox", Href: book.URL("inbox") + "?state=unapplied"})
	}
	for _, a := range p.Accounts {
		name := a.Account.Code + " " + a.Account.Name
		switch {
		case a.ReconciliationID == 0:
			note("Statements", "None ends in it", "", ui.Link{Text: name, Href: book.AccountURL(a.Account.Code)})
		case a.UnexplainedMinor != 0:
			note("Statements", "Not proven", "", ui.Link{Text: name, Href: book.ReconciliationURL(a.ReconciliationID)})
		}
	}
	if len(p.EarlierOpen) > 0 {
		var links []ui.Link
		for _, earlier := range p.EarlierOpen {
			links = append(links, ui.Link{Text: templates.NameOfPeriod(earlier), Href: book.PeriodURL(earlier)})
		}
		note("Months before", f.Number(len(links))+" open", "", links...)
	}
	return notes
}

// periodHistory tells what was asked about a month and decided, the newest last.
func periodHistory(book templates.Book, requests []store.Approval) (history ui.Timeline) {
	for _, a := range slices.Backward(requests) {
		asked, done := "Closing asked for,", "Closed"
		if a.Kind == store.KindPeriodReopen {
			asked, done = "Reopening asked for,", "Reopened"
		}
		history = append(history, ui.Event{
			Text: asked, Ref: ui.Link{Text: templates.NameOfApproval(a.ID), Href: book.RequestURL(a.ID)}, Detail: a.Reason, At: a.RequestedAt, By: a.RequesterName,
		})
		if a.Status == store.Pending {
			continue
		}
		if a.Status != store.Approved {
			done = sentence(string(a.Status))
		}
		history = append(history, ui.Event{Text: done, Detail: a.Note, At: a.DecidedAt, By: a.DeciderName})
	}
	if len(history) > 0 {
		history[len(history)-1].Now = true
	}
	return history
}
