package web

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

func (s *server) showEntry(c echo.Context, actor store.Actor) error {
	seq, err := api.PathNumber(c, "seq", "entry")
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	entry, err := s.Store.Entry(ctx, actor, seq)
	if err != nil {
		return err
	}
	requests, _, err := s.Store.Approvals(ctx, actor, store.ApprovalFilter{SubjectSeq: seq})
	if err != nil {
		return err
	}
	related, err := s.corrections(ctx, actor, entry)
	if err != nil {
		return err
	}
	names, err := s.accountsOf(ctx, actor, entry.Postings)
	if err != nil {
		return err
	}
	journal := ui.Link{Text: "Journal", Href: bookView(actor.Book).URL("journal")}
	shell, err := s.shell(c, actor, below(templates.PageJournal, journal, "Entry "+formatOf(actor).Seq(seq)))
	if err != nil {
		return err
	}
	view := entryView(shell, entry)
	view.Postings = postingsView(actor.Book, names, entry.Postings)
	if at := slices.IndexFunc(requests, isPending); at >= 0 {
		view.Request = requests[at].ID
	}
	if err := s.fillSettled(ctx, actor, entry, &view); err != nil {
		return err
	}
	if err := s.fillPosted(ctx, actor, &view); err != nil {
		return err
	}
	view.WhyNoReversal = whyNoReversal(actor, entry, requests)
	view.Timeline = append(view.Timeline, entryTimeline(shell, entry, requests)...)
	view.Chain, view.ChainNote = correctionChain(shell, entry, related)
	return render(c, http.StatusOK, templates.EntryPage(view))
}

// fillSettled names what an adjusting entry was posted for: the break and, where another person approved it, the request.
func (s *server) fillSettled(ctx context.Context, actor store.Actor, e store.Receipt, view *templates.Entry) (err error) {
	if e.Kind != ledger.Adjustment {
		return nil
	}
	if view.Settles, err = s.Store.BreakSettledBy(ctx, actor, e.Seq); err != nil || e.ApprovalID == 0 {
		return err
	}
	a, err := s.Store.Approval(ctx, actor, e.ApprovalID)
	if err != nil {
		return err
	}
	view.Approved, view.AskedBy = a.ID, a.RequesterName
	view.Timeline = ui.Timeline{
		{Text: "Asked for,", Ref: ui.Link{Text: templates.NameOfApproval(a.ID), Href: view.Book.RequestURL(a.ID)}, Detail: a.Reason, At: a.RequestedAt, By: a.RequesterName},
		{Text: "Approved", Detail: a.Note, At: a.DecidedAt, By: a.DeciderName},
	}
	return nil
}

// fillPosted names what the entry was posted for by itself: a payment, a payout, a message.
func (s *server) fillPosted(ctx context.Context, actor store.Actor, view *templates.Entry) (err error) {
	if view.Payment, err = s.Store.PaymentOfEntry(ctx, actor, view.Seq); err != nil {
		return err
	}
	if view.Payout, err = s.Store.PayoutOfEntry(ctx, actor, view.Seq); err != nil {
		return err
	}
	view.MessageSource, view.MessageID, err = s.Store.MessageOfEntry(ctx, actor, view.Seq)
	return err
}

func isPending(a store.Approval) bool { return a.Status == store.Pending }

func entryView(shell templates.Shell, e store.Receipt) templates.Entry {
	view := templates.Entry{
		Shell: shell, Seq: e.Seq, TxID: e.TxID, Description: e.Description, EffectiveOn: e.EffectiveOn, RecordedAt: e.RecordedAt, By: e.RecorderName,
		Kind: string(e.Kind), Key: e.Key, Reason: e.Reason, Reverses: e.Reverses, Replaces: e.Replaces, ReversedBy: e.ReversedBy,
		Hash: e.Hash.String(), PreviousHash: e.PrevHash.String(), Integrity: templates.IntegrityBroken, PayoutName: e.Metadata["payout"],
	}
	if e.ComputeHash() == e.Hash {
		view.Integrity = templates.IntegrityHolds
	}
	for _, name := range slices.Sorted(maps.Keys(e.Metadata)) {
		view.Metadata = append(view.Metadata, templates.Metadatum{Name: name, Value: e.Metadata[name]})
	}
	return view
}

// whyNoReversal says in words why this person cannot ask for the reversal of an entry; "" when they can.
func whyNoReversal(actor store.Actor, e store.Receipt, requests []store.Approval) string {
	switch {
	case e.Kind == ledger.Reversal:
		return "This is a reversal itself. Post a new entry instead."
	case e.ReversedBy != 0:
		return "Already reversed by " + formatOf(actor).Seq(e.ReversedBy) + ". An entry is reversed at most once."
	case slices.ContainsFunc(requests, isPending):
		return "A reversal of it waits for approval."
	case !actor.Can(store.RightRequest):
		return "Asking for it needs the right “request”, which the role preparer has."
	}
	return ""
}

// corrections reads what the entry corrects and what corrects it, by seq, itself included.
func (s *server) corrections(ctx context.Context, actor store.Actor, e store.Receipt) (map[int64]store.Receipt, error) {
	related := map[int64]store.Receipt{e.Seq: e}
	// Two steps reach everything: from a replacement to its original, and from there to the reversal.
	for range 2 {
		var missing []int64
		for _, known := range related {
			for _, seq := range []int64{known.Reverses, known.Replaces, known.ReversedBy, known.ReplacedBy} {
				if _, read := related[seq]; seq != 0 && !read {
					missing = append(missing, seq)
				}
			}
		}
		if len(missing) == 0 {
			break
		}
		found, _, err := s.Store.Entries(ctx, actor, store.EntryFilter{Seqs: missing})
		if err != nil {
			return nil, err
		}
		for _, other := range found {
			related[other.Seq] = other
		}
	}
	return related, nil
}

// correctionChain leads from the original over its reversal to the replacement, and on where that was corrected too.
func correctionChain(shell templates.Shell, e store.Receipt, related map[int64]store.Receipt) (chain ui.Chain, note string) {
	original := e
	if seq := max(e.Reverses, e.Replaces); seq != 0 {
		original = related[seq]
	}
	step := func(label string, seq int64) {
		if r, ok := related[seq]; ok && seq != 0 {
			chain = append(chain, chainStep(shell, label, r, r.Seq == e.Seq))
			if r.Reason != "" {
				note = "Reason: " + r.Reason
			}
		}
	}
	step("Original", original.Seq)
	step("Reversal", original.ReversedBy)
	step("Replacement", original.ReplacedBy)
	if original.Seq != e.Seq && e.Kind == ledger.Replacement {
		step("Its reversal", e.ReversedBy)
		step("Its replacement", e.ReplacedBy)
	}
	return chain, note
}

func chainStep(shell templates.Shell, label string, r store.Receipt, current bool) ui.ChainStep {
	amount := debits(store.Book{Currency: shell.Book.Currency}, r.Postings)[0]
	if r.Kind == ledger.Reversal {
		amount.Minor = -amount.Minor
	}
	return ui.ChainStep{
		Label: label, Entry: ui.Link{Text: shell.Format.Seq(r.Seq), Href: shell.Book.EntryURL(r.Seq)}, Money: amount,
		Note: shell.Format.Day(r.EffectiveOn) + ", " + r.RecorderName, Current: current,
	}
}

// entryTimeline tells what happened to the entry, oldest first.
func entryTimeline(shell templates.Shell, e store.Receipt, requests []store.Approval) ui.Timeline {
	timeline := ui.Timeline{{Text: "Recorded as " + shell.Format.Seq(e.Seq), At: e.RecordedAt, By: e.RecorderName, Now: true}}
	for _, a := range requests {
		timeline = append(timeline, ui.Event{
			Text: "Reversal requested,", Ref: ui.Link{Text: templates.NameOfApproval(a.ID), Href: shell.Book.RequestURL(a.ID)}, Detail: a.Reason,
			At: a.RequestedAt, By: a.RequesterName,
		})
		if a.Status == store.Pending {
			continue
		}
		decided := ui.Event{Text: sentence(string(a.Status)), Detail: a.Note, At: a.DecidedAt, By: a.DeciderName}
		if a.ReversalSeq != 0 {
			decided.Text = "Approved and posted as " + shell.Format.Seq(a.ReversalSeq)
		}
		timeline = append(timeline, decided)
	}
	return timeline
}
