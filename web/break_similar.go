package web

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
)

// resolveTogether takes one decision about a break and similar ones. What cannot be resolved is told break by break.
func (s *server) resolveTogether(ctx context.Context, actor store.Actor, id int64, f *form, decision store.BreakResolution, also []string) (told, error) {
	b, _, err := s.Store.Break(ctx, actor, id)
	if err != nil {
		return told{}, err
	}
	bulk, err := forAll(decision, b)
	if err != nil {
		return told{}, err
	}
	breaks := []store.SeenBreak{{ID: id, Version: decision.Version}}
	for _, text := range also {
		other := seenBreak(text)
		if other.ID == 0 {
			return told{}, ledger.Refuse(ledger.KindInvalid, "the form names a break that cannot be read: open it again").At("resolution", "was sent with %s, which is no break", quoted(text))
		}
		breaks = append(breaks, other)
	}
	place, err := s.Store.PlaceOfBreak(ctx, actor, id)
	if err != nil {
		return told{}, err
	}
	if err := s.tryOnce(ctx, actor, f.key(), id, decision); err != nil {
		return told{}, err
	}
	outcomes, _, err := s.Store.ResolveBreaks(ctx, actor, f.key(), place.ReconciliationID, breaks, bulk)
	if err != nil {
		return told{}, err
	}
	return tellOutcomes(outcomes), nil
}

// tryOnce refuses, with the fields at fault, a decision that this break cannot have: then none of the others is touched. A form that was sent
// before has been tried then.
func (s *server) tryOnce(ctx context.Context, actor store.Actor, key string, id int64, decision store.BreakResolution) error {
	if _, settled, err := s.Store.KeySettled(ctx, actor, key); err != nil || settled {
		return err
	}
	_, err := s.Store.PreviewResolution(ctx, actor, id, decision)
	return err
}

// forAll makes a decision about one break one about many. Error: KindInvalid where it is about this break alone.
func forAll(d store.BreakResolution, b store.Break) (store.BulkResolution, error) {
	bulk := store.BulkResolution{Resolution: d.Resolution, ReasonCode: d.ReasonCode, Note: d.Note}
	alone := ledger.Refuse(ledger.KindInvalid, "this decision is about one break alone")
	if d.Resolution == recon.MatchedByHand {
		return bulk, alone.At("resolution", "a match is made break by break: choose another way, or only this break")
	}
	if d.Entry == nil {
		return bulk, nil
	}
	var contra []ledger.Posting
	for _, p := range d.Entry.Postings {
		if p.Account != b.Account {
			contra = append(contra, p)
		}
	}
	if len(contra) != 1 || len(d.Entry.Postings) != 2 || contra[0].AmountMinor != b.DifferenceMinor {
		return bulk, alone.At("entry.postings", "for several breaks the whole difference of each goes to one account: give one other line, with all of it")
	}
	bulk.Contra, bulk.Entry, bulk.EntryOf, bulk.Reference = contra[0].Account, d.Entry, b.ID, d.Entry.Metadata["reference"]
	if d.Entry.Description != textOfBreak(b) { // typed, so that it is about all of them
		bulk.Description = d.Entry.Description
	}
	if d.Entry.EffectiveOn != b.EarliestDay() {
		bulk.On = d.Entry.EffectiveOn
	}
	return bulk, nil
}

// seenBreak reads "12:3", the number of a break and its version.
func seenBreak(text string) store.SeenBreak {
	id, version, _ := strings.Cut(text, ":")
	n, err := strconv.Atoi(version)
	if err != nil {
		return store.SeenBreak{}
	}
	number, _ := strconv.ParseInt(id, 10, 64)
	return store.SeenBreak{ID: number, Version: n}
}

func seenID(text string) int64 { return seenBreak(text).ID }

// tellOutcomes says how many breaks were resolved, which wait, and of each that was not, why.
func tellOutcomes(outcomes []store.BreakOutcome) told {
	var done, waiting, refused []string
	for _, o := range outcomes {
		switch name := templates.NameOfBreak(o.ID); {
		case o.Message != "":
			refused = append(refused, name+" was left as it is: "+o.Message+".")
		case o.Status == recon.WaitingForApproval:
			waiting = append(waiting, name+" as "+templates.NameOfApproval(o.ApprovalID))
		default:
			done = append(done, name)
		}
	}
	var all []string
	if len(waiting) > 0 {
		all = append(all, "Waiting for another person: "+strings.Join(waiting, ", ")+".")
	}
	if len(done) > 0 {
		all = append(all, "Resolved: "+strings.Join(done, ", ")+".")
	}
	title := strconv.Itoa(len(done)+len(waiting)) + " of " + strconv.Itoa(len(outcomes)) + " breaks are decided."
	return told{text: title + "\n" + strings.Join(slices.Concat(all, refused), " "), warns: len(refused) > 0}
}
