package web

import (
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// similarShown is how many similar breaks stand on the page of one, candidatesShown how many candidates.
const (
	similarShown    = 8
	candidatesShown = 6
)

// breakView is the page of a break before anything was typed.
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
		ID: b.ID, Version: b.Version, Type: b.Type, Status: templates.BreakStatus{Status: b.Status, Resolution: b.Resolution}, Currency: b.Currency,
		DifferenceMinor: b.DifferenceMinor, Why: b.Why, FirstSeen: b.FirstSeenOn, AgeDays: s.ageDays(b), Owner: b.AssigneeName, Assignee: b.Assignee,
		Position: place.Position, Breaks: place.Breaks, Previous: place.Previous, Next: place.Next, NextOpen: place.NextOpen,
		ReconciliationID: place.ReconciliationID, Closed: place.Closed, Ledger: ledgerSides(b.Ledger), Events: breakEvents(events),
		MissingRight: missing(actor, store.RightResolve), Reopen: templates.ReopenForm{Form: newKey()}, Match: templates.MatchForm{Form: newKey()},
	}
	if place.UndoneAt != nil {
		view.Undone = templates.UndoneImport{By: place.UndoneBy, At: *place.UndoneAt}
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
	for _, fill := range []func(context.Context, store.Actor, store.Break, *templates.Break) error{s.fillSimilar, s.fillCandidates, s.fillNotes, s.fillResolve} {
		if err := fill(ctx, actor, b, &view); err != nil {
			return view, err
		}
	}
	return view, s.offerReversal(ctx, actor, &view, entriesOf(b))
}

func (s *server) fillSimilar(ctx context.Context, actor store.Actor, b store.Break, view *templates.Break) error {
	similar, more, err := s.Store.SimilarBreaks(ctx, actor, b.ID, similarShown)
	view.MoreSimilar = more
	if err != nil {
		return err
	}
	pending, err := s.pendingOf(ctx, actor, similar)
	view.Similar = s.similarRows(similar, pending)
	return err
}

func (s *server) similarRows(breaks []store.Break, pending map[int64]int64) []templates.SimilarBreak {
	var rows []templates.SimilarBreak
	for _, b := range breaks {
		row := templates.SimilarBreak{ID: b.ID, Version: b.Version, Day: b.EarliestDay(), DifferenceMinor: b.DifferenceMinor, Text: textOfBreak(b),
			Status: s.breakRow(b, pending).Status}
		rows = append(rows, row)
	}
	return rows
}

// textOfBreak is what the first line of a break says, or its first posting.
func textOfBreak(b store.Break) string {
	switch {
	case len(b.Bank) > 0:
		return b.Bank[0].Description
	case len(b.Ledger) > 0:
		return b.Ledger[0].Description
	}
	return ""
}

// fillNotes adds the owner, the attachments, and the forms that change them.
func (s *server) fillNotes(ctx context.Context, actor store.Actor, b store.Break, view *templates.Break) error {
	attached, err := s.Store.Attachments(ctx, actor, b.ID)
	if err != nil {
		return err
	}
	for _, a := range attached {
		view.Attachments = append(view.Attachments, templates.Attachment{ID: a.ID, Name: a.Name, SizeBytes: a.SizeBytes, Hash: a.Hash.String(), By: a.User, At: a.At})
	}
	may := actor.MayComment() == nil
	view.Comment = templates.NoteForm{Form: newKey(), Allowed: may}
	view.Attach = templates.NoteForm{Form: newKey(), Allowed: may && !view.Closed && len(attached) < store.MaxAttachments}
	view.Assign = templates.NoteForm{Form: newKey()}
	if view.MissingRight != "" {
		return nil
	}
	view.Me = actor.Email
	people, err := s.Store.Assignees(ctx, actor)
	view.Assignees = []ui.Option{{Text: "Nobody"}}
	for _, p := range people {
		view.Assignees = append(view.Assignees, ui.Option{Value: p.Email, Text: p.Name})
	}
	if known := func(o ui.Option) bool { return o.Value == b.Assignee }; !slices.ContainsFunc(view.Assignees, known) {
		view.Assignees = append(view.Assignees, ui.Option{Value: b.Assignee, Text: b.AssigneeName}) // who lost the right since
	}
	return err
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
		shown[i] = templates.BreakEvent{At: e.At, By: e.User, Event: e.Event, Type: e.Type, Resolution: e.Resolution, Reason: e.ReasonCode, Note: e.Note, Assignee: e.Assignee,
			Match: e.MatchID, Request: e.ApprovalID, Seq: e.Seq, Attachment: e.AttachmentID}
	}
	return shown
}

// resolutionsOffered are the ways to resolve a break, in the order of the page.
func resolutionsOffered() []recon.Resolution {
	return []recon.Resolution{recon.MatchedByHand, recon.Adjusted, recon.CarriedForward, recon.WrittenOff, recon.External, recon.NotABreak, recon.Reversed}
}
