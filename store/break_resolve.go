package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// BreakResolution is what a person decides about a break. Entry is posted to settle it (adjusted, written_off); Match names what it is
// matched with. Version is that of the break as the person saw it, 0 where that is not said.
type BreakResolution struct {
	Resolution recon.Resolution
	ReasonCode recon.Reason
	Note       string
	Entry      *ledger.Entry
	Match      *MatchItems
	Version    int
}

// content is what an idempotency key is held against.
func (d BreakResolution) content() map[string]any {
	content := map[string]any{"resolution": d.Resolution, "reason_code": d.ReasonCode, "note": d.Note}
	if d.Entry != nil {
		content["entry"] = ledger.EntryFields(*d.Entry)
	}
	if d.Match != nil {
		content["match"] = d.Match
	}
	if d.Version != 0 {
		content["version"] = d.Version
	}
	return content
}

// ResolveBreak settles a break: in a plain way, by a match, by an entry that is posted with it, or by the reversal of what it is about. An
// entry above the limit of the book, or where the ledger lacks one, waits for another person, and the break with it. Errors: KindForbidden,
// KindNotFound, those of recon.CanSettle, of MatchByHand and of ledger.Append, KindIllegalTransition where the break is not any more as it
// was seen, or is in no open reconciliation, and KindKeyReused.
func (s *Store) ResolveBreak(ctx context.Context, actor Actor, key string, id int64, decision BreakResolution) (Break, bool, error) {
	content := decision.content()
	content["break_id"] = id
	return s.workOnBreak(ctx, actor, key, "break-resolve", content, id, func(w *handwork, b Break) error { return w.resolve(b, decision) })
}

// ReopenBreak opens a resolved break again, which undoes the decision; the note may say why. What was matched by hand is taken apart. Errors:
// KindForbidden, KindNotFound, KindInvalid, KindKeyReused, and KindIllegalTransition, also where an entry was posted that is not reversed.
func (s *Store) ReopenBreak(ctx context.Context, actor Actor, key string, id int64, note string) (Break, bool, error) {
	content := map[string]any{"break_id": id, "note": note}
	return s.workOnBreak(ctx, actor, key, "break-reopen", content, id, func(w *handwork, b Break) error { return w.reopen(b, note) })
}

// workOnBreak holds the account of a break while a person's action on it is judged and stored. The break is worked on in the latest
// reconciliation that holds it, an open one if there is, else one that is submitted; where all are signed off it is not.
func (s *Store) workOnBreak(ctx context.Context, actor Actor, key, operation string, content any, id int64,
	act func(w *handwork, b Break) error) (result Break, duplicate bool, err error) {
	if err := actor.Need(RightResolve); err != nil {
		return Break{}, false, err
	}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		result, duplicate, err = once(s, tx, actor, key, operation, content, func() (Break, error) {
			w, err := s.beginBreakwork(tx, actor, id)
			if err != nil {
				return Break{}, err
			}
			b, err := loadBreak(tx, actor.Book, id)
			if err != nil {
				return Break{}, err
			}
			if err := act(w, b); err != nil {
				return Break{}, err
			}
			return loadBreak(tx, actor.Book, id)
		})
		return err
	})
	return result, duplicate, err
}

// beginBreakwork is beginHandwork for the reconciliation in which a break can be worked on. Errors: KindNotFound, KindIllegalTransition.
func (s *Store) beginBreakwork(tx *gorm.DB, actor Actor, breakID int64) (*handwork, error) {
	homes, err := query[int64](tx, `
		SELECT r.id FROM reconciliation_breaks h JOIN reconciliations r ON r.book_id = h.book_id AND r.id = h.reconciliation_id
		 WHERE h.book_id = ? AND h.break_id = ? ORDER BY array_position(CAST(? AS text[]), r.status), r.scope_to DESC, r.id DESC LIMIT 1`,
		actor.Book.ID, breakID, array[string]{ReconciliationOpen, ReconciliationSubmitted})
	if err != nil {
		return nil, fmt.Errorf("look where break %d is worked on: %w", breakID, err)
	}
	if len(homes) == 0 {
		return nil, ledger.Refuse(ledger.KindNotFound, "book %s has no break %d", actor.Book.Code, breakID)
	}
	w, err := s.beginHandwork(tx, actor, homes[0])
	if err == nil && w.home.Status != ReconciliationOpen && w.home.Status != ReconciliationSubmitted {
		err = notOpen(w.home.ID, w.home.Status)
	}
	return w, err
}

// resolve settles a break as decided.
func (w *handwork) resolve(b Break, decision BreakResolution) error {
	if err := w.isAsSeen(b, decision.Version); err != nil {
		return err
	}
	facts := recon.BreakFacts{Type: b.Type, Status: b.Status, DifferenceMinor: b.DifferenceMinor, Foreign: b.Foreign()}
	means := recon.Means{Entry: decision.Entry != nil, Match: decision.Match != nil}
	if refusal := recon.CanSettle(facts, means, decision.Resolution, decision.ReasonCode, decision.Note); refusal != nil {
		return w.toldBy(b, refusal)
	}
	switch decision.Resolution {
	case recon.MatchedByHand, recon.Reversed:
		return w.resolveByMatch(b, decision)
	case recon.Adjusted, recon.WrittenOff:
		return w.resolveByEntry(b, decision)
	}
	if _, err := exec(w.tx, `UPDATE breaks SET status = ?, resolution = ? WHERE book_id = ? AND id = ?`, recon.Resolved, decision.Resolution, w.actor.Book.ID, b.ID); err != nil {
		return fmt.Errorf("resolve break %d: %w", b.ID, err)
	}
	return w.store.addBreakEvent(w.tx, w.actor, b.ID, breakEvent{Event: "resolved", Resolution: decision.Resolution, ReasonCode: decision.ReasonCode, Note: decision.Note})
}

// isAsSeen refuses an action on a break that has changed since it was seen.
func (w *handwork) isAsSeen(b Break, version int) error {
	if version == 0 || version == b.Version {
		return nil
	}
	return w.toldBy(b, ledger.Refuse(ledger.KindIllegalTransition, "break %d has changed since you saw it", b.ID).With("version", b.Version))
}

// toldBy adds to a refusal who came before, where somebody did.
func (w *handwork) toldBy(b Break, refusal *ledger.Error) error {
	if refusal.Kind != ledger.KindIllegalTransition {
		return refusal
	}
	last, err := query[struct {
		Event, Name string
		Resolution  recon.Resolution
		At          time.Time
	}](w.tx, `
		SELECT e.event, coalesce(u.name, '') AS name, coalesce(e.resolution, '') AS resolution, e.at
		  FROM break_events e LEFT JOIN users u ON u.id = e.user_id WHERE e.book_id = ? AND e.break_id = ? AND e.event NOT IN ('commented', 'attached', 'retyped') ORDER BY e.n DESC LIMIT 1`,
		w.actor.Book.ID, b.ID)
	if err != nil {
		return fmt.Errorf("look who worked on break %d: %w", b.ID, err)
	}
	if len(last) == 0 {
		return refusal
	}
	what, by := last[0].Event, "by the matching"
	if last[0].Resolution != "" {
		what += " as " + last[0].Resolution.Label()
	}
	if last[0].Name != "" {
		by = "by " + last[0].Name
	}
	refusal.Message += fmt.Sprintf(" (%s %s on %s)", what, by, atMinute(last[0].At))
	return refusal.With("break_id", b.ID)
}

// resolveByMatch matches what a break holds: with what is named or, where its postings are of entries that are reversed, with the reversals.
func (w *handwork) resolveByMatch(b Break, decision BreakResolution) error {
	set, err := w.setOf(b, decision.Match)
	if err != nil {
		return err
	}
	made := byHand(decision.Note)
	if decision.Resolution == recon.Reversed {
		made = byReversal(decision.Note)
		if set, err = w.withReversals(set); err != nil {
			return err
		}
	}
	_, err = w.match(set, made, settlement{BreakID: b.ID, Resolution: decision.Resolution, ReasonCode: decision.ReasonCode, Note: decision.Note})
	return err
}

// setOf is what a break is matched as: what it holds and what is named, or only what is named where that has something of the break.
func (w *handwork) setOf(b Break, named *MatchItems) (handSet, error) {
	held, err := w.itemsOf("break", array[int64]{b.ID}, true)
	if err != nil || named == nil {
		return held[b.ID], err
	}
	set, err := w.find(*named)
	if err != nil {
		return handSet{}, within("match", err)
	}
	if inBreak := set.count() - set.without(held[b.ID]).count(); inBreak > 0 {
		return set, nil
	}
	return set.with(held[b.ID]), nil
}

// withReversals adds to postings those of the reversals of their entries. Error: KindInvalid where one is not reversed.
func (w *handwork) withReversals(set handSet) (handSet, error) {
	if len(set.lines) > 0 || set.empty() {
		return handSet{}, ledger.Refuse(ledger.KindInvalid, "only what the ledger alone has can be settled by its reversal").
			At("resolution", "the break has lines of the bank: match them, or post the entry that settles it")
	}
	all := set
	for _, seq := range set.seqs() {
		both, err := w.findReversal(seq)
		if err != nil {
			return handSet{}, err
		}
		if len(both.seqs()) < 2 {
			return handSet{}, ledger.Refuse(ledger.KindInvalid, "entry %d is not reversed: ask for its reversal, and resolve the break when that is approved", seq).
				At("resolution", "entry %d is not reversed yet", seq).With("seq", seq)
		}
		all = all.with(both)
	}
	return all, nil
}

// reopen undoes the decision about a break.
func (w *handwork) reopen(b Break, note string) error {
	if refusal := recon.CanReopen(recon.BreakFacts{Type: b.Type, Status: b.Status}, b.Resolution); refusal != nil {
		return w.toldBy(b, refusal)
	}
	if err := ledger.CheckText("note", note, false); err != nil {
		return err
	}
	if b.MatchID != 0 && (formerBreak{Resolution: b.Resolution}).settledByMatch() {
		return w.takeApart(b.MatchID, MatchItems{}, note)
	}
	if _, err := exec(w.tx, `UPDATE breaks SET status = `+unresolvedStatus+`, resolution = NULL WHERE book_id = ? AND id = ?`, w.actor.Book.ID, b.ID); err != nil {
		return fmt.Errorf("reopen break %d: %w", b.ID, err)
	}
	return w.store.addBreakEvent(w.tx, w.actor, b.ID, breakEvent{Event: "reopened", Note: note})
}
