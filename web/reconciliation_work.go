package web

import (
	"context"
	"errors"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/web/api"
)

// workOnBreaks takes the form over the breaks of a reconciliation: one decision about what is chosen, by the button that was pressed. Refused,
// wholly or in part, it shows the page as it stands now with what was typed, and chosen what is still as it was seen.
func (s *server) workOnBreaks(c echo.Context, actor store.Actor) error {
	w, r, err := s.readWorkRequest(c, actor)
	if err != nil {
		return err
	}
	ctx, book := c.Request().Context(), bookView(actor.Book)
	if w.text("do") == "find" {
		if at := firstOf(w.chosenIDs(), w.at()); at != 0 {
			return seeOther(c, book.BreakURL(at)+"#candidates")
		}
	}
	next, err := s.Store.NextInList(ctx, actor, w.query, w.chosenIDs())
	if err != nil {
		return err
	}
	result, err := s.doWork(c, actor, r, w)
	if err != nil || len(result.refused) > 0 {
		return s.showRefusedWork(c, actor, r, w, result, err)
	}
	if result.stays {
		next = w.at()
	}
	s.tellWork(c, r.ID, result.done)
	return seeOther(c, listAddress(book, r.ID, c.QueryParams(), next))
}

// beginWork reads a form for who may work in the reconciliation, as long as anybody may. Errors: KindForbidden, KindNotFound,
// KindIllegalTransition, and those of readKeyedForm.
func (s *server) beginWork(c echo.Context, actor store.Actor) (f *form, r store.Reconciliation, err error) {
	if err := actor.Need(store.RightResolve); err != nil {
		return nil, r, err
	}
	id, err := api.PathNumber(c, "id", "reconciliation")
	if err != nil {
		return nil, r, err
	}
	comeBack(c, "Open the reconciliation", bookView(actor.Book).ReconciliationURL(id))
	if f, err = readKeyedForm(c); err != nil {
		return nil, r, err
	}
	if action := workActions[f.text("do")]; action != "" {
		c.Set(api.ActionKey, action)
	}
	if r, err = s.Store.Reconciliation(c.Request().Context(), actor, id); err == nil && r.Status != store.ReconciliationOpen {
		err = ledger.Refuse(ledger.KindIllegalTransition, "this reconciliation is not open any more: nothing in it can be changed. Open it to see what became of it")
	}
	return f, r, err
}

// readWorkRequest is beginWork for a form over breaks.
func (s *server) readWorkRequest(c echo.Context, actor store.Actor) (workForm, store.Reconciliation, error) {
	f, r, err := s.beginWork(c, actor)
	if err != nil {
		return workForm{}, r, err
	}
	w, err := readWork(f, readBreakQuery(r, c.QueryParams(), formatOf(actor), s.today()))
	return w, r, err
}

// workActions are what the audit log calls what the buttons do.
var workActions = map[string]string{
	"match": "match.made", "assign": "break.assigned", "carry": "break.resolved", "resolve": "break.resolved", "comment": "break.commented",
	"reopen": "break.reopened", "release": "break.assigned", "unmatch": "match.unmatched",
}

func firstOf(ids []int64, otherwise int64) int64 {
	if len(ids) > 0 {
		return ids[0]
	}
	return otherwise
}

// workResult is what came of a decision: what is told of it, and which breaks were left as they were.
type workResult struct {
	done    *templates.WorkDone
	refused []store.BreakOutcome
	// stays says that the row stays the one to go on with.
	stays bool
}

func (s *server) doWork(c echo.Context, actor store.Actor, r store.Reconciliation, w workForm) (workResult, error) {
	ctx := c.Request().Context()
	do := w.text("do")
	if do == "match" {
		return s.matchChosen(ctx, actor, w)
	}
	if do == "find" {
		_, err := w.choice()
		return workResult{}, err
	}
	choice, err := w.choice()
	if err != nil {
		return workResult{}, err
	}
	told := workTeller{book: bookView(actor.Book), format: formatOf(actor)}
	switch do {
	case "assign":
		outcomes, _, err := s.Store.AssignChosen(ctx, actor, w.key(), r.ID, choice, actor.Email, "")
		return told.assigned(outcomes), err
	case "comment":
		outcomes, _, err := s.Store.CommentChosen(ctx, actor, w.key(), r.ID, choice, w.text("comment"))
		return told.commented(outcomes), asComment(err)
	case "carry":
		decision := store.BulkResolution{Resolution: recon.CarriedForward, ReasonCode: recon.TimingCutoff}
		outcomes, _, err := s.Store.ResolveChosen(ctx, actor, w.key(), r.ID, choice, decision)
		return told.resolved(outcomes, decision.Resolution), err
	case "resolve":
		decision, err := w.decision()
		if err != nil {
			return workResult{}, err
		}
		outcomes, _, err := s.Store.ResolveChosen(ctx, actor, w.key(), r.ID, choice, decision)
		return told.resolved(outcomes, decision.Resolution), err
	}
	return workResult{}, ledger.Refuse(ledger.KindInvalid, "press the button of what is to be done: nothing was done yet")
}

// asComment has a refusal point at the field of the panel.
func asComment(err error) error {
	var refusal *ledger.Error
	if errors.As(err, &refusal) && refusal.Kind == ledger.KindInvalid {
		return (&ledger.Error{Kind: ledger.KindInvalid}).At("comment", "Write a comment, of at most 500 characters")
	}
	return err
}

func (s *server) matchChosen(ctx context.Context, actor store.Actor, w workForm) (workResult, error) {
	if w.all != nil {
		return workResult{}, ledger.Refuse(ledger.KindInvalid, "what a whole filter finds is not matched at once: select what belongs together row by row")
	}
	breaks := append(w.breaks[:len(w.breaks):len(w.breaks)], w.held...)
	if len(breaks) == 0 {
		return workResult{}, ledger.Refuse(ledger.KindInvalid, "nothing is selected: select lines of the bank and postings that add up to the same, then press Match")
	}
	match, _, err := s.Store.MatchBreaks(ctx, actor, w.key(), w.id, breaks, w.items, "")
	if err != nil {
		return workResult{}, err
	}
	format := formatOf(actor)
	done := &templates.WorkDone{
		Title: "Matched: " + format.Plural(len(match.Bank), "line of the bank", "lines of the bank") + ", " + format.Plural(len(match.Ledger), "posting", "postings") + ".",
		Undo:  templates.WorkUndo{Do: "unmatch", Match: match.ID},
	}
	return workResult{done: done}, nil
}

// showRefusedWork shows the page with why nothing, or not everything, was done.
func (s *server) showRefusedWork(c echo.Context, actor store.Actor, r store.Reconciliation, w workForm, result workResult, refused error) error {
	var refusal *ledger.Error
	if refused != nil {
		if !errors.As(refused, &refusal) || !shownAgain(refusal) {
			return refused
		}
	}
	r, err := s.Store.Reconciliation(c.Request().Context(), actor, r.ID) // as it is now
	if err != nil {
		return err
	}
	view, err := s.reconciliationPage(c, actor, r)
	if err != nil {
		return err
	}
	work := &view.Work
	if refusal != nil {
		work.Message, work.Errors = messageOf(refusal), refusal.Fields
		if refusal.Message != "" { // fields of the API mean nothing here
			work.Message, work.Errors = sentence(refusal.Message)+".", nil
		}
	}
	if refusal != nil && refusal.Kind == ledger.KindKeyReused {
		work.Message = "This form was sent before, with something else. Here is the reconciliation as it stands now."
	}
	w.keep(&view)
	for _, outcome := range result.refused {
		work.Refused = append(work.Refused, templates.RefusedBreak{ID: outcome.ID, Why: whyLeft(outcome)})
	}
	work.Done = result.done
	if refusal == nil {
		refusal = ledger.Refuse(result.refused[0].Kind, "%s", result.refused[0].Message)
	}
	return s.showAgain(c, refusal, templates.ReconciliationPage(view))
}

// shownAgain says for which refusals the page is shown again: what was seen is no longer so, or what was typed is wrong.
func shownAgain(refusal *ledger.Error) bool {
	_, wrong := typedWrong(refusal)
	return wrong || refusal.Kind == ledger.KindIllegalTransition || refusal.Kind == ledger.KindNotFound
}

// keep puts what was typed into the page, and chooses what is still as it was seen.
func (w workForm) keep(view *templates.Reconciliation) {
	work := &view.Work
	work.Resolution, work.Reason = recon.Resolution(w.text("resolution")), recon.Reason(w.text("reason_code"))
	work.Note, work.Contra, work.Comment = w.raw("note"), w.raw("contra"), w.raw("comment")
	switch w.text("do") {
	case "resolve":
		work.Panel = templates.PanelResolve
	case "comment":
		work.Panel = templates.PanelComment
	}
	work.Chosen, work.Parts = map[int64]bool{}, map[string]bool{}
	seen := map[int64]int{}
	for _, b := range w.breaks {
		seen[b.ID] = b.Version
	}
	for _, g := range view.Groups {
		for _, row := range g.Rows {
			if row.Version == seen[row.ID] {
				work.Chosen[row.ID] = true
			}
			if row.ID == w.at() {
				work.At = row.ID
			}
		}
	}
	for _, part := range w.values["part"] {
		work.Parts[part] = true
	}
}

// whyLeft says why a break was left, field by field where that is all there is.
func whyLeft(outcome store.BreakOutcome) string {
	why := outcome.Message
	for i, f := range outcome.Fields {
		if i == 0 {
			why += ": "
		} else {
			why += "; "
		}
		why += f.Detail
	}
	return why
}

// undoWork takes back what was done just before.
func (s *server) undoWork(c echo.Context, actor store.Actor) error {
	w, r, err := s.readWorkRequest(c, actor)
	if err != nil {
		return err
	}
	result, at, err := s.undo(c.Request().Context(), actor, w)
	if err != nil || len(result.refused) > 0 {
		return s.showRefusedWork(c, actor, r, w, result, err)
	}
	s.tellWork(c, r.ID, result.done)
	return seeOther(c, listAddress(bookView(actor.Book), r.ID, c.QueryParams(), at))
}
