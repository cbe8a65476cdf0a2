package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// resolveBreak settles a break as its form says, alone or together with similar ones. A press of Preview, or of a button beside the postings, is
// only shown.
func (s *server) resolveBreak(c echo.Context, actor store.Actor) error {
	var typed entryForm
	var lineOf []int
	return s.workOnBreak(c, actor, breakWork{
		may: needResolve,
		act: func(ctx context.Context, id int64, f *form) (done told, err error) {
			var pressed bool
			typed, pressed = readEntryForm(f, "entry.", formatOf(actor))
			preview, asked := f.pressed("preview")
			if pressed || asked && preview != "" {
				return told{shown: true}, s.showTypedResolution(c, actor, id, typed, asked && !pressed)
			}
			decision, lines, err := s.readResolution(ctx, actor, id, typed)
			if lineOf = lines; err != nil {
				return told{}, err
			}
			if also := f.values["also"]; len(also) > 0 {
				return s.resolveTogether(ctx, actor, id, f, decision, also)
			}
			after, _, err := s.Store.ResolveBreak(ctx, actor, f.key(), id, decision)
			return resolved(after), err
		},
		refuse: func(view *templates.Break, f *form, refusal *ledger.Error) {
			message, faults := messageOf(refusal), typed.inLines(refusal.Fields, lineOf)
			if f.text("resolution") == string(recon.MatchedByHand) {
				message = wholeMessage(refusal)
				faults = slices.DeleteFunc(faults, func(fault ledger.FieldError) bool { return fault.Field == "postings" || fault.Field == "rows" })
			}
			keepResolution(view, typed, message, worded(asChosen(faults)))
		},
	})
}

// resolved says what came of a decision.
func resolved(after store.Break) told {
	switch {
	case after.Status == recon.WaitingForApproval:
		return told{text: "The entry waits for another person.\nRequest " + templates.NameOfApproval(after.ApprovalID) + " is sent; when it is approved the entry is posted and the break resolved."}
	case after.Status != recon.Resolved:
		return told{text: "What was chosen is matched.\nWhat is left of the break stays open."}
	case after.Resolution == recon.Adjusted || after.Resolution == recon.WrittenOff:
		return told{text: "The entry is posted and the break is resolved."}
	}
	return told{text: "The break is resolved."}
}

// readResolution reads the decision. An entry is read only where one goes with it. Error: KindInvalid with what cannot be read.
func (s *server) readResolution(ctx context.Context, actor store.Actor, id int64, typed entryForm) (decision store.BreakResolution, lineOf []int, err error) {
	f := typed.form
	decision = store.BreakResolution{Resolution: recon.Resolution(f.text("resolution")), ReasonCode: recon.Reason(f.text("reason_code")), Note: f.text("note")}
	decision.Version, _ = seenVersion(f)
	switch decision.Resolution {
	case recon.MatchedByHand:
		if names := f.values["candidate"]; len(names) > 0 {
			items, err := s.chosenItems(ctx, actor, id, names)
			decision.Match = &items
			return decision, nil, err
		}
	case recon.Adjusted, recon.WrittenOff:
		var entry ledger.Entry
		if entry, lineOf, err = typed.entry(ctx, s.Store, actor); err != nil {
			return decision, nil, err
		}
		if reference := f.text("entry.reference"); reference != "" {
			entry.Metadata["reference"] = reference
		}
		decision.Entry = &entry
		f.faults = slices.DeleteFunc(f.faults, func(fault ledger.FieldError) bool { return fault.Field == "entry.tx_id" }) // it is given one
		if refusal := f.refusal(); refusal != nil {
			return decision, nil, refusal // its fields are named by line already
		}
	}
	return decision, lineOf, nil
}

// showTypedResolution shows the form as typed and, for a preview, what would be posted or what stands in the way.
func (s *server) showTypedResolution(c echo.Context, actor store.Actor, id int64, typed entryForm, preview bool) error {
	ctx := c.Request().Context()
	view, err := s.breakView(c, actor, id)
	if err != nil {
		return err
	}
	keepResolution(&view, typed, "", nil)
	if !preview {
		return render(c, http.StatusOK, templates.BreakPage(view))
	}
	decision, lineOf, err := s.readResolution(ctx, actor, id, typed)
	if err == nil && decision.Entry == nil {
		err = ledger.Refuse(ledger.KindInvalid, "there is no entry to preview").At("resolution", "choose an adjusting entry or a write-off")
	}
	if err != nil {
		return err
	}
	// A reason is for the decision: an entry can be looked at before it.
	decision.ReasonCode = cmp.Or(decision.ReasonCode, recon.BankFee)
	would, err := s.Store.PreviewResolution(ctx, actor, id, decision)
	var refusal *ledger.Error
	if refusal, _ = typedWrong(err); refusal != nil {
		refusal.Fields = typed.inLines(refusal.Fields, lineOf)
		return refusal
	}
	if err != nil {
		return err
	}
	if view.Resolve.Entry.Preview, err = s.previewOf(ctx, actor, id, *decision.Entry); err != nil {
		return err
	}
	view.Resolve.Entry.Preview.Waits = would.Status == recon.WaitingForApproval
	return render(c, http.StatusOK, templates.BreakPage(view))
}

func (s *server) previewOf(ctx context.Context, actor store.Actor, id int64, entry ledger.Entry) (*templates.EntryPreview, error) {
	names, err := s.accountsOf(ctx, actor, entry.Postings)
	if err != nil {
		return nil, err
	}
	txID, err := s.Store.FreeTxIDOf(ctx, actor, id)
	return &templates.EntryPreview{TxID: txID, Description: entry.Description, Reference: entry.Metadata["reference"], EffectiveOn: entry.EffectiveOn,
		Postings: postingsView(actor.Book, names, entry.Postings)}, err
}

// keepResolution puts what was typed, and what is wrong with it, into the form that the break has now.
func keepResolution(view *templates.Break, typed entryForm, message string, faults []ledger.FieldError) {
	f := typed.form
	r := &view.Resolve
	r.Form, r.Message, r.Errors = f.key(), message, faults
	r.Resolution, r.Reason, r.Note = recon.Resolution(f.text("resolution")), recon.Reason(f.text("reason_code")), f.raw("note")
	r.Entry.EffectiveOn, r.Entry.Description, r.Entry.Reference = f.raw("entry.effective_on"), f.raw("entry.description"), f.raw("entry.reference")
	r.Entry.Lines = typed.lines
	r.Practice = templates.Practice{}
	for i, other := range view.Similar {
		view.Similar[i].Chosen = slices.ContainsFunc(f.values["also"], func(seen string) bool { return seenID(seen) == other.ID })
	}
}

// fillResolve offers the ways in which the break can be resolved now, and proposes what was done before.
func (s *server) fillResolve(ctx context.Context, actor store.Actor, b store.Break, view *templates.Break) error {
	view.Resolve = templates.ResolveForm{Form: newKey()}
	if view.MissingRight != "" || view.Closed || b.Status == recon.Resolved || b.Status == recon.WaitingForApproval {
		return nil
	}
	reversed, err := s.isReversed(ctx, actor, b)
	if err != nil {
		return err
	}
	view.Resolve.Allowed = allowedFor(actor, b, len(view.Candidates) > 0, reversed)
	practice, err := s.Store.PracticeOf(ctx, actor, b.ID)
	if err != nil {
		return err
	}
	if slices.Contains(view.Resolve.Allowed, practice.Resolution) {
		view.Resolve.Practice = templates.Practice{Breaks: practice.Breaks, Resolution: practice.Resolution, Reason: practice.ReasonCode, Contra: practice.Contra}
		view.Resolve.Resolution, view.Resolve.Reason = practice.Resolution, practice.ReasonCode
	}
	if b.DifferenceMinor == 0 {
		return nil
	}
	view.Resolve.Entry, err = s.settlingEntry(ctx, actor, b, view.Resolve.Practice, view.Format)
	return err
}

// settlingEntry is the entry that would settle a break: it moves its account by the difference, and the other side is to be chosen.
func (s *server) settlingEntry(ctx context.Context, actor store.Actor, b store.Break, practice templates.Practice, format ui.Format) (templates.SettlingEntry, error) {
	how, err := s.Store.SettlingOf(ctx, actor, b)
	if err != nil {
		return templates.SettlingEntry{}, err
	}
	e := templates.SettlingEntry{EffectiveOn: b.EarliestDay().String(), Description: textOfBreak(b), Waits: how.Waits, Because: whySettled(how, b, actor.Book, format)}
	if len(b.Bank) > 0 {
		e.Reference = b.Bank[0].Reference
	}
	contra := ""
	if len(practice.Contra) == 1 {
		contra = practice.Contra[0]
	}
	e.Lines = typedLines(format, []ledger.Posting{
		{Account: b.Account, AmountMinor: -b.DifferenceMinor, Currency: b.Currency}, {Account: contra, AmountMinor: b.DifferenceMinor, Currency: b.Currency}})
	e.Accounts, err = s.accountChoices(ctx, actor)
	return e, err
}

// whySettled says whether an entry is posted at once, and why.
func whySettled(how store.Settling, b store.Break, book store.Book, format ui.Format) string {
	limit := format.Amount(how.LimitMinor, book.Currency) + " " + book.Currency
	switch {
	case !how.Waits:
		return "It is posted at once: up to " + limit + " no second person is needed."
	case how.Limited:
		return "It waits for another person: it is above the limit of " + limit + "."
	case b.Currency != book.Currency:
		return "It waits for another person: the limit of " + limit + " does not hold for " + b.Currency + "."
	}
	return "It waits for another person, whatever the amount: the ledger has no posting for this. The limit of " + limit + " is for differences."
}

// isReversed reports whether a break holds only postings, of entries that are all reversed.
func (s *server) isReversed(ctx context.Context, actor store.Actor, b store.Break) (bool, error) {
	const few = 5
	seqs := entriesOf(b)
	if len(b.Bank) > 0 || len(seqs) == 0 || len(seqs) > few {
		return false, nil
	}
	for _, seq := range seqs {
		entry, err := s.Store.Entry(ctx, actor, seq)
		if err != nil || entry.ReversedBy == 0 {
			return false, err
		}
	}
	return true, nil
}

// allowedFor are the resolutions that this break can have now, by this person.
func allowedFor(actor store.Actor, b store.Break, candidates, reversed bool) []recon.Resolution {
	facts := recon.BreakFacts{Type: b.Type, Status: recon.Open, DifferenceMinor: b.DifferenceMinor, Foreign: b.Foreign()}
	return slices.DeleteFunc(resolutionsOffered(), func(r recon.Resolution) bool {
		means := recon.Means{}
		switch r {
		case recon.MatchedByHand:
			if means.Match = candidates; !candidates && len(b.Bank)+len(b.Ledger) < 2 {
				return true
			}
		case recon.Adjusted, recon.WrittenOff:
			if means.Entry = true; b.DifferenceMinor == 0 || !actor.Can(store.RightPost) {
				return true
			}
		case recon.Reversed:
			if !reversed {
				return true
			}
		}
		return recon.CanSettle(facts, means, r, recon.BankFee, "") != nil
	})
}
