package web

import (
	"context"
	"net/http"
	"slices"

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
	return render(c, http.StatusOK, templates.BreakPage(view))
}

func (s *server) resolveBreak(c echo.Context, actor store.Actor) error {
	return s.workOnBreak(c, actor, func(ctx context.Context, id int64, f *form) error {
		_, _, err := s.Store.ResolveBreak(ctx, actor, f.key(), id, store.BreakResolution{
			Resolution: recon.Resolution(f.text("resolution")), ReasonCode: recon.Reason(f.text("reason_code")), Note: f.text("note"),
		})
		return err
	}, "The break is resolved.")
}

func (s *server) reopenBreak(c echo.Context, actor store.Actor) error {
	return s.workOnBreak(c, actor, func(ctx context.Context, id int64, f *form) error {
		if err := ledger.CheckText("note", f.text("note"), true); err != nil {
			return err
		}
		_, _, err := s.Store.ReopenBreak(ctx, actor, f.key(), id, f.text("note"))
		return err
	}, "The break is open again.")
}

// workOnBreak takes one of the forms of a break. Refused, it shows the break as it stands now with what was typed.
func (s *server) workOnBreak(c echo.Context, actor store.Actor, act func(ctx context.Context, id int64, f *form) error, done string) error {
	if err := actor.Need(store.RightResolve); err != nil {
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
	err = act(c.Request().Context(), id, f)
	refusal, wrong := typedWrong(err)
	switch {
	case err == nil:
		s.tell(c, done)
		return seeOther(c, address)
	case ledger.KindOf(err) == ledger.KindIllegalTransition:
		return s.showBreakAsItIsNow(c, actor, id, f, err)
	case !wrong:
		return err
	}
	view, err := s.breakView(c, actor, id)
	if err != nil {
		return err
	}
	refuseBreak(&view, f, refusal)
	return s.showAgain(c, refusal, templates.BreakPage(view))
}

// showBreakAsItIsNow answers whoever came second: what was done with the break meanwhile, and what this person typed.
func (s *server) showBreakAsItIsNow(c echo.Context, actor store.Actor, id int64, f *form, refused error) error {
	view, err := s.breakView(c, actor, id)
	if err != nil {
		return err
	}
	view.Late = &templates.LateWork{
		Done: view.LastChange(), Resolution: recon.Resolution(f.text("resolution")), Reason: recon.Reason(f.text("reason_code")), Note: f.raw("note"),
	}
	s.recordRefusal(c, refused)
	return render(c, http.StatusConflict, templates.BreakPage(view))
}

// refuseBreak puts what was typed and what is wrong with it into the form that the break has now.
func refuseBreak(view *templates.Break, f *form, refusal *ledger.Error) {
	if refusal.Kind == ledger.KindKeyReused {
		view.Flash = &ui.Alert{Tone: ui.Warn, Title: "This form was sent before.", Text: "Here is the break as it stands now.", Refusal: true}
		return
	}
	message, faults := messageOf(refusal), worded(asChosen(refusal.Fields))
	view.Resolve.Form, view.Resolve.Message, view.Resolve.Errors = f.key(), message, faults
	view.Resolve.Resolution, view.Resolve.Reason, view.Resolve.Note = recon.Resolution(f.text("resolution")), recon.Reason(f.text("reason_code")), f.raw("note")
	view.Reopen = templates.ReopenForm{Form: f.key(), Note: f.raw("note"), Message: message, Errors: faults}
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
		}
	}
	return chosen
}

func (s *server) breakView(c echo.Context, actor store.Actor, id int64) (view templates.Break, err error) {
	ctx, book := c.Request().Context(), bookView(actor.Book)
	b, events, err := s.Store.Break(ctx, actor, id)
	if err != nil {
		return view, err
	}
	place, err := s.Store.PlaceOfBreak(ctx, actor, id)
	if err != nil {
		return view, err
	}
	view = templates.Break{
		ID: b.ID, Type: b.Type, Status: templates.BreakStatus{Status: b.Status, Resolution: b.Resolution}, Currency: b.Currency,
		DifferenceMinor: b.DifferenceMinor, Why: b.Why, FirstSeen: b.FirstSeenOn, AgeDays: s.ageDays(b), Owner: b.AssigneeName,
		Position: place.Position, Breaks: place.Breaks, Previous: place.Previous, Next: place.Next, NextOpen: place.NextOpen,
		Ledger: ledgerSides(b.Ledger), Events: breakEvents(events),
		MissingRight: missing(actor, store.RightResolve), Reopen: templates.ReopenForm{Form: newKey()},
		Resolve: templates.ResolveForm{Form: newKey(), Allowed: allowedFor(b)},
	}
	crumbs := []ui.Link{
		{Text: "Statements", Href: book.URL("statements")},
		{Text: b.Account + ", " + templates.PeriodName(formatOf(actor), place.ScopeFrom, place.ScopeTo), Href: book.ReconciliationURL(place.ReconciliationID)},
		{Text: templates.NameOfBreak(id)},
	}
	if view.Shell, err = s.shell(c, actor, heading{title: "Break " + templates.NameOfBreak(id), page: templates.PageStatements, crumbs: crumbs}); err != nil {
		return view, err
	}
	lines, err := s.Store.BreakLines(ctx, actor, id)
	if err != nil {
		return view, err
	}
	view.Bank = bankFacts(lines)
	similar, more, err := s.Store.SimilarBreaks(ctx, actor, id, similarShown)
	if err != nil {
		return view, err
	}
	view.Similar, view.MoreSimilar = similarRows(similar), more
	err = s.offerReversal(ctx, actor, &view, entriesOf(b))
	return view, err
}

// similarShown is how many similar breaks stand on the page of one.
const similarShown = 8

func similarRows(breaks []store.Break) []templates.SimilarBreak {
	var rows []templates.SimilarBreak
	for _, b := range breaks {
		row := templates.SimilarBreak{ID: b.ID, Day: b.EarliestDay(), DifferenceMinor: b.DifferenceMinor, Status: templates.BreakStatus{Status: b.Status, Resolution: b.Resolution}}
		switch {
		case len(b.Bank) > 0:
			row.Text = b.Bank[0].Description
		case len(b.Ledger) > 0:
			row.Text = b.Ledger[0].Description
		}
		rows = append(rows, row)
	}
	return rows
}

// offerReversal tells of the reversals that wait, and where none does and one entry is concerned, offers to ask for its reversal.
func (s *server) offerReversal(ctx context.Context, actor store.Actor, view *templates.Break, seqs []int64) error {
	pending, err := s.Store.PendingReversals(ctx, actor, seqs)
	if err != nil {
		return err
	}
	for _, seq := range seqs {
		if pending[seq] != 0 {
			view.Pending = append(view.Pending, templates.PendingReversal{Request: pending[seq], Seq: seq})
		}
	}
	if len(seqs) == 1 && len(view.Pending) == 0 {
		view.Reverse, err = s.reversible(ctx, actor, seqs[0])
	}
	return err
}

// entriesOf are the entries whose postings a break holds, each once.
func entriesOf(b store.Break) []int64 {
	var seqs []int64
	for _, p := range b.Ledger {
		if !slices.Contains(seqs, p.Seq) {
			seqs = append(seqs, p.Seq)
		}
	}
	return seqs
}

// reversible gives the entry if reversing it is possible and this person may ask for it, else 0.
func (s *server) reversible(ctx context.Context, actor store.Actor, seq int64) (int64, error) {
	if !actor.Can(store.RightRequest) {
		return 0, nil
	}
	entry, err := s.Store.Entry(ctx, actor, seq)
	if err != nil || ledger.CanReverse(entry.Record, entry.ReversedBy) != nil {
		return 0, err
	}
	return seq, nil
}

// allowedFor are the resolutions that this break can have now.
func allowedFor(b store.Break) []recon.Resolution {
	facts := recon.BreakFacts{Type: b.Type, Status: recon.Open, DifferenceMinor: b.DifferenceMinor, Foreign: b.Foreign()}
	return slices.DeleteFunc(recon.PlainResolutions(), func(r recon.Resolution) bool {
		return recon.CanResolve(facts, r, recon.BankFee, "") != nil
	})
}

func bankFacts(lines []store.BankLine) []templates.BankFacts {
	facts := make([]templates.BankFacts, len(lines))
	for i, l := range lines {
		facts[i] = templates.BankFacts{BankSide: bankSide(l.LineSide), FileName: l.FileName, BalanceMinor: l.BalanceMinor, Raw: l.Raw}
	}
	return facts
}

func breakEvents(events []store.BreakEvent) []templates.BreakEvent {
	shown := make([]templates.BreakEvent, len(events))
	for i, e := range events {
		shown[i] = templates.BreakEvent{At: e.At, By: e.User, Event: e.Event, Resolution: e.Resolution, Reason: e.ReasonCode, Note: e.Note, Assignee: e.Assignee,
			Request: e.ApprovalID, Seq: e.Seq}
	}
	return shown
}
