package web

import (
	"maps"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func (s *server) showReverse(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightRequest); err != nil {
		return err
	}
	r, err := s.readReversal(c, actor)
	if err != nil {
		return err
	}
	view, err := s.reverseView(c, actor, r)
	if err != nil {
		return err
	}
	// The same day for both: where its period is closed, the rules say so when the request is sent.
	view.Form, view.ReversalOn = c.QueryParam("form"), r.subject.EffectiveOn.String()
	view.WithReplacement = c.QueryParam("with_replacement") != ""
	view.Replacement = proposedReplacement(view, r.subject)
	return s.renderReverse(c, actor, http.StatusOK, view, r)
}

func (s *server) requestReversal(c echo.Context, actor store.Actor) error {
	if err := actor.Need(store.RightRequest); err != nil {
		return err
	}
	f, err := readKeyedForm(c)
	if err != nil {
		return err
	}
	r, err := s.readReversal(c, actor)
	if err != nil {
		return err
	}
	with, _ := f.pressed("with_replacement")
	replacement, pressed := readEntryForm(f, "replacement.", formatOf(actor))
	if pressed || with == "open" {
		return s.showTypedReversal(c, actor, r, replacement, nil)
	}
	request := store.ReversalRequest{Reason: f.text("reason"), EffectiveOn: f.date("effective_on")}
	var lineOf []int
	if with != "" {
		entry, lines, err := replacement.entry(c.Request().Context(), s.Store, actor)
		if err != nil {
			return err
		}
		entry.Metadata = maps.Clone(r.subject.Metadata) // the bank's line names the reference of the original
		request.Replacement, lineOf = &entry, lines
	}
	if len(f.faults) > 0 && request.Reason == "" {
		f.faults = append(f.faults, ledger.FieldError{Field: "reason", Detail: "is missing"})
	}
	if refusal := f.refusal(); refusal != nil {
		return s.showTypedReversal(c, actor, r, replacement, refusal)
	}
	approval, _, err := s.Store.RequestReversal(c.Request().Context(), actor, f.key(), r.subject.Seq, request)
	if refusal, ok := typedWrong(err); ok {
		refusal.Fields = replacement.inLines(refusal.Fields, lineOf)
		return s.showTypedReversal(c, actor, r, replacement, refusal)
	}
	if err != nil {
		return err
	}
	s.tell(c, "The request is sent. It takes effect when another person approves it.")
	return seeOther(c, bookView(actor.Book).RequestURL(approval.ID))
}

// showTypedReversal shows the form with what was typed and, where it was refused, why.
func (s *server) showTypedReversal(c echo.Context, actor store.Actor, r reversal, typed entryForm, refused error) error {
	view, err := s.reverseView(c, actor, r)
	if err != nil {
		return err
	}
	view.Form, view.Reason, view.ReversalOn = typed.key(), typed.raw("reason"), typed.raw("effective_on")
	opened, with := typed.pressed("with_replacement")
	view.WithReplacement = with
	view.Replacement = templates.ReplacementDraft{
		TxID: typed.raw("replacement.tx_id"), EffectiveOn: typed.raw("replacement.effective_on"), Description: typed.raw("replacement.description"),
		Lines: typed.lines,
	}
	if opened == "open" || !with {
		view.Replacement = proposedReplacement(view, r.subject)
	}
	refusal, wrong := typedWrong(refused)
	if !wrong {
		return s.renderReverse(c, actor, http.StatusOK, view, r)
	}
	s.recordRefusal(c, refusal)
	view.Message, view.Errors = messageOf(refusal), worded(refusal.Fields)
	if refusal.Kind == ledger.KindKeyReused {
		view.Message, view.Errors = "This form was used for something else. Open the entry and ask again.", nil
		view.Sent = lastOf(r.requests, actor)
	}
	return s.renderReverse(c, actor, http.StatusUnprocessableEntity, view, r)
}

func (s *server) renderReverse(c echo.Context, actor store.Actor, status int, view templates.Reverse, r reversal) error {
	ctx := c.Request().Context()
	var err error
	if view.Replacement.Accounts, err = s.accountChoices(ctx, actor); err != nil {
		return err
	}
	change := effect{reversal: ledger.Mirror(r.subject.Postings), on: laterOf(laterOf(s.today(), r.subject.EffectiveOn), typedDay(view.ReversalOn))}
	if view.WithReplacement {
		change.on = laterOf(change.on, typedDay(view.Replacement.EffectiveOn))
		change.replacement = readable(view.Format, view.Replacement.Lines, view.Replacement.Accounts)
	}
	view.EffectsAsOf = change.on
	if view.Effects, err = s.effects(ctx, actor, change); err != nil {
		return err
	}
	return render(c, status, templates.ReversePage(view))
}

// typedDay reads a day that was typed; what cannot be read is the zero day, before all others.
func typedDay(text string) ledger.Date {
	day, _ := ledger.ParseDate(strings.TrimSpace(text))
	return day
}

// proposedReplacement is the entry as it stands, to be corrected.
func proposedReplacement(view templates.Reverse, subject store.Receipt) templates.ReplacementDraft {
	return templates.ReplacementDraft{
		TxID: view.ReplacementTxID, EffectiveOn: subject.EffectiveOn.String(), Description: subject.Description, Lines: typedLines(view.Format, subject.Postings),
	}
}

// lastOf is the newest of these requests that the actor made, 0 when there is none.
func lastOf(requests []store.Approval, actor store.Actor) (id int64) {
	for _, a := range requests {
		if a.RequesterID == actor.UserID {
			id = a.ID
		}
	}
	return id
}

// reverseView is the form before anything was typed, or the reason why there is none.
func (s *server) reverseView(c echo.Context, actor store.Actor, r reversal) (templates.Reverse, error) {
	ctx, book := c.Request().Context(), bookView(actor.Book)
	heading := below(templates.PageJournal, ui.Link{Text: "Entry " + formatOf(actor).Seq(r.subject.Seq), Href: book.EntryURL(r.subject.Seq)}, "Reverse")
	heading.crumbs = append([]ui.Link{{Text: "Journal", Href: book.URL("journal")}}, heading.crumbs...)
	shell, err := s.shell(c, actor, heading)
	if err != nil {
		return templates.Reverse{}, err
	}
	names, err := s.accountsOf(ctx, actor, r.subject.Postings)
	if err != nil {
		return templates.Reverse{}, err
	}
	view := templates.Reverse{
		Shell: shell, Seq: r.subject.Seq, TxID: r.subject.TxID, Description: r.subject.Description, EffectiveOn: r.subject.EffectiveOn,
		Original: postingsView(actor.Book, names, r.subject.Postings), Reversal: postingsView(actor.Book, names, ledger.Mirror(r.subject.Postings)),
	}
	view.Refused, view.RefusedBy = r.impossible(view.Format, book)
	if view.ReversalTxID, view.ReplacementTxID, err = s.Store.ReversalNames(ctx, actor, r.subject.TxID); err != nil {
		return view, err
	}
	if view.Breaks, err = s.breaksOf(ctx, actor, r.subject.Seq); err != nil {
		return view, err
	}
	if view.For, err = s.postedFor(ctx, actor, r.subject); err != nil {
		return view, err
	}
	view.Approvers, err = s.Store.Deciders(ctx, actor, 3)
	return view, err
}
