package web

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// sessionWork is what was done in a reconciliation just before, kept until its next page tells it with the way back. A page of another one, in
// another tab, leaves it.
func sessionWork(reconciliation int64) string { return fmt.Sprintf("work-%d", reconciliation) }

// tellWork has the next page of the reconciliation tell what was done.
func (s *server) tellWork(c echo.Context, reconciliation int64, done *templates.WorkDone) {
	if done == nil {
		return
	}
	text, err := json.Marshal(done)
	if err != nil {
		s.tell(c, done.Title)
		return
	}
	s.sessions.Put(c.Request().Context(), sessionWork(reconciliation), string(text))
}

// toldWork is what was done just before, nil where nothing was.
func (s *server) toldWork(c echo.Context, reconciliation int64) *templates.WorkDone {
	text := s.sessions.PopString(c.Request().Context(), sessionWork(reconciliation))
	done := &templates.WorkDone{}
	if text == "" || json.Unmarshal([]byte(text), done) != nil {
		return nil
	}
	return done
}

// workTeller says in words what came of a decision about breaks.
type workTeller struct {
	book   templates.Book
	format ui.Format
}

// parted tells those that were done from those that were left.
func parted(outcomes []store.BreakOutcome) (done, refused []store.BreakOutcome) {
	for _, o := range outcomes {
		if o.Kind == "" {
			done = append(done, o)
		} else {
			refused = append(refused, o)
		}
	}
	return done, refused
}

// named is one break by its name, or how many.
func (t workTeller) named(done []store.BreakOutcome) string {
	if len(done) == 1 {
		return templates.NameOfBreak(done[0].ID)
	}
	return t.format.Plural(len(done), "break", "breaks")
}

func (t workTeller) assigned(outcomes []store.BreakOutcome) workResult {
	done, refused := parted(outcomes)
	result := workResult{refused: refused}
	if len(done) == 0 {
		return result
	}
	result.done = &templates.WorkDone{Title: t.named(done) + " assigned to you."}
	free := true
	for _, o := range done {
		free = free && !o.Had
	}
	if free { // who had some of them before would have to be asked
		result.done.Undo = templates.WorkUndo{Do: "release", Breaks: seenList(done)}
	}
	return result
}

func (t workTeller) commented(outcomes []store.BreakOutcome) workResult {
	done, refused := parted(outcomes)
	result := workResult{refused: refused, stays: true}
	if len(done) > 0 {
		result.done = &templates.WorkDone{Title: t.named(done) + " commented.", Text: "A comment stays: it is part of the history."}
	}
	return result
}

// resolved tells what is resolved and what waits. What an entry was posted for is not taken back by a button.
func (t workTeller) resolved(outcomes []store.BreakOutcome, how recon.Resolution) workResult {
	done, refused := parted(outcomes)
	result := workResult{refused: refused}
	var settled, waiting []store.BreakOutcome
	for _, o := range done {
		if o.Status == recon.WaitingForApproval {
			waiting = append(waiting, o)
		} else {
			settled = append(settled, o)
		}
	}
	if len(done) == 0 {
		return result
	}
	result.done = &templates.WorkDone{}
	if len(settled) > 0 {
		result.done.Title = t.named(settled) + " resolved: " + how.Label() + "."
		if how == recon.Adjusted || how == recon.WrittenOff {
			result.done.Text = "The entry is posted: to undo it, reverse the entry and then reopen the break."
		} else {
			result.done.Undo = templates.WorkUndo{Do: "reopen", Breaks: seenList(settled)}
		}
	}
	t.waits(result.done, waiting)
	return result
}

func (t workTeller) waits(done *templates.WorkDone, waiting []store.BreakOutcome) {
	if len(waiting) == 0 {
		return
	}
	verb := " wait"
	if len(waiting) == 1 {
		verb = " waits"
	}
	text := t.named(waiting) + verb + " for another person’s approval."
	if done.Title == "" {
		done.Title, done.Tone = text, ui.Warn
	} else {
		done.Text = strings.TrimSpace(done.Text + " " + text)
	}
	done.Link = ui.Link{Text: "Your requests", Href: t.book.URL("approvals") + "?status=mine"}
	if len(waiting) == 1 {
		done.Link = ui.Link{Text: "Request " + templates.NameOfApproval(waiting[0].ApprovalID), Href: t.book.RequestURL(waiting[0].ApprovalID)}
	}
}

// seenList names breaks as they are after what was done: 315.5 316.2.
func seenList(outcomes []store.BreakOutcome) string {
	names := make([]string, len(outcomes))
	for i, o := range outcomes {
		names[i] = fmt.Sprintf("%d.%d", o.ID, o.Version)
	}
	return strings.Join(names, " ")
}

// undo takes back what the form names, and gives the row to go on with.
func (s *server) undo(ctx context.Context, actor store.Actor, w workForm) (workResult, int64, error) {
	told := workTeller{book: bookView(actor.Book), format: formatOf(actor)}
	var seen []store.SeenBreak
	for _, value := range strings.Fields(w.text("breaks")) {
		one, rest := readSeen(value)
		if one.ID == 0 || len(rest) > 0 {
			return workResult{}, 0, notAsSent("breaks")
		}
		seen = append(seen, one)
	}
	var outcomes []store.BreakOutcome
	var err error
	switch w.text("do") {
	case "reopen":
		outcomes, _, err = s.Store.ReopenBreaks(ctx, actor, w.key(), w.id, seen, "undone")
	case "release":
		outcomes, _, err = s.Store.AssignChosen(ctx, actor, w.key(), w.id, store.BreakChoice{Breaks: seen}, "", "undone")
	case "unmatch":
		return s.undoMatch(ctx, actor, w)
	case "match":
		return s.undoUnmatch(ctx, actor, w)
	default:
		return workResult{}, 0, notAsSent("do")
	}
	if err != nil {
		return workResult{}, 0, err
	}
	done, refused := parted(outcomes)
	result := workResult{refused: refused}
	if len(done) == 0 {
		return result, 0, nil
	}
	result.done = &templates.WorkDone{Title: "Undone: " + told.named(done) + " as before."}
	return result, done[0].ID, nil
}

// undoMatch takes a match apart that was made just before.
func (s *server) undoMatch(ctx context.Context, actor store.Actor, w workForm) (workResult, int64, error) {
	id, err := strconv.ParseInt(w.text("match"), 10, 64)
	if err != nil {
		return workResult{}, 0, notAsSent("match")
	}
	if _, _, err = s.Store.Unmatch(ctx, actor, w.key(), id, store.MatchItems{}, "undone"); err != nil {
		return workResult{}, 0, err
	}
	return workResult{done: &templates.WorkDone{Title: "Undone: the match is taken apart."}}, 0, nil
}

// undoUnmatch matches again by hand what was taken apart just before.
func (s *server) undoUnmatch(ctx context.Context, actor store.Actor, w workForm) (workResult, int64, error) {
	var items store.MatchItems
	for _, part := range strings.Fields(w.text("parts")) {
		if !addItem(&items, strings.Split(part, ".")) {
			return workResult{}, 0, notAsSent("parts")
		}
	}
	if _, _, err := s.Store.MatchByHand(ctx, actor, w.key(), w.id, items, "undone: matched again"); err != nil {
		return workResult{}, 0, err
	}
	return workResult{done: &templates.WorkDone{Title: "Undone: matched again, by hand."}}, 0, nil
}

// partsOf name what a match held, to match it again. In another currency than the account's a person cannot.
func partsOf(match store.Match, account ledger.Account) string {
	var parts []string
	for _, p := range match.Ledger {
		parts = append(parts, fmt.Sprintf("p.%d.%d", p.Seq, p.Line))
	}
	for _, l := range match.Bank {
		if l.Currency != account.Currency {
			return ""
		}
		parts = append(parts, fmt.Sprintf("l.%d.%d", l.StatementID, l.Row))
	}
	return strings.Join(parts, " ")
}
