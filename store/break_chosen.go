package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// BreakChoice is what one decision is about: breaks as a person saw them or, with All, every break that a filter found.
type BreakChoice struct {
	Breaks []SeenBreak
	All    *SeenFilter
}

// SeenFilter is a filter as a person saw what it finds: how many breaks, and their digest of then.
type SeenFilter struct {
	BreakQuery
	Found  int
	Digest string
}

// ResolveChosen is ResolveBreaks for a choice. Error also: KindIllegalTransition where a filter does not find any more what it found.
func (s *Store) ResolveChosen(ctx context.Context, actor Actor, key string, reconciliationID int64, choice BreakChoice, decision BulkResolution) ([]BreakOutcome, bool, error) {
	if err := decision.bounded(choice.count()); err != nil {
		return nil, false, err
	}
	return s.workOnBreaks(ctx, actor, key, "breaks-resolve", decision.content("choice", choice.content()), reconciliationID, choice, func(w *handwork, b Break, seen SeenBreak) error {
		return w.resolve(b, decision.of(b, seen))
	})
}

// AssignChosen is AssignBreak for a choice, each of which is left as ResolveBreaks leaves it.
func (s *Store) AssignChosen(ctx context.Context, actor Actor, key string, reconciliationID int64, choice BreakChoice, email, note string) ([]BreakOutcome, bool, error) {
	content := map[string]any{"choice": choice.content(), "assignee": email, "note": note}
	return s.workOnBreaks(ctx, actor, key, "breaks-assign", content, reconciliationID, choice, func(w *handwork, b Break, seen SeenBreak) error {
		if err := w.isAsSeen(b, seen.Version); err != nil {
			return err
		}
		return s.assign(w.tx, actor, b, email, note)
	})
}

// CommentChosen is CommentBreak for a choice. A comment takes nothing from what others did meanwhile: it is added to a break that changed.
func (s *Store) CommentChosen(ctx context.Context, actor Actor, key string, reconciliationID int64, choice BreakChoice, note string) ([]BreakOutcome, bool, error) {
	if err := ledger.CheckText("note", note, true); err != nil {
		return nil, false, err
	}
	content := map[string]any{"choice": choice.content(), "note": note}
	return s.workOnBreaks(ctx, actor, key, "breaks-comment", content, reconciliationID, choice, func(w *handwork, b Break, _ SeenBreak) error {
		return s.addBreakEvent(w.tx, actor, b.ID, breakEvent{Event: "commented", Note: note})
	})
}

// content is what a key is held against.
func (c BreakChoice) content() any {
	if c.All != nil {
		return map[string]any{"found": c.All.Found, "digest": c.All.Digest}
	}
	return c.Breaks
}

func (c BreakChoice) count() int {
	if c.All != nil {
		return c.All.Found
	}
	return len(c.Breaks)
}

func (c BreakChoice) check() error {
	count := c.count()
	if count == 0 || count > maxBreaksAtOnce {
		return ledger.Refuse(ledger.KindInvalid, "choose from 1 to %d breaks, not %d", maxBreaksAtOnce, count).At("breaks", "are %d", count)
	}
	return nil
}

// breaks are those of the choice. Error: KindIllegalTransition where a filter does not find what it found.
func (c BreakChoice) breaks(tx *gorm.DB, actor Actor, reconciliationID int64) ([]SeenBreak, error) {
	if c.All == nil {
		return c.Breaks, nil
	}
	q := c.All.BreakQuery
	q.ReconciliationID = reconciliationID
	seen, err := q.seen(tx, actor)
	if err != nil {
		return nil, err
	}
	if len(seen) != c.All.Found || digestOf(seen) != c.All.Digest {
		return nil, ledger.Refuse(ledger.KindIllegalTransition,
			"what this filter finds has changed since you saw it: it found %d breaks then, and finds %s now, some of which may have changed. Nothing was done; look at them again",
			c.All.Found, atMost(len(seen))).At("all", "has changed")
	}
	return seen, nil
}

func atMost(found int) string {
	if found > maxBreaksAtOnce {
		return fmt.Sprintf("more than %d", maxBreaksAtOnce)
	}
	return fmt.Sprint(found)
}

// MatchBreaks matches what breaks hold: of one of which items are named only those, of any other all. A break that changed since it was seen
// has all of it refused. Errors: those of MatchByHand.
func (s *Store) MatchBreaks(ctx context.Context, actor Actor, key string, reconciliationID int64, breaks []SeenBreak, items MatchItems, note string) (match Match, duplicate bool, err error) {
	if err := actor.Need(RightResolve); err != nil {
		return Match{}, false, err
	}
	if err := (BreakChoice{Breaks: breaks}).check(); err != nil {
		return Match{}, false, err
	}
	if err := ledger.CheckText("note", note, false); err != nil {
		return Match{}, false, err
	}
	content := map[string]any{"breaks": breaks, "postings": items.Postings, "rows": items.Rows, "note": note}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		match, duplicate, err = once(s, tx, actor, key, "breaks-match", content, func() (Match, error) {
			w, err := s.beginHandwork(tx, actor, reconciliationID)
			if err != nil {
				return Match{}, err
			}
			set, err := w.held(breaks, items)
			if err != nil {
				return Match{}, err
			}
			id, err := w.match(set, byHand(note), settlement{Resolution: recon.MatchedByHand, Note: note})
			if err != nil {
				return Match{}, err
			}
			return loadMatch(tx, actor.Book, id)
		})
		return err
	})
	return match, duplicate, err
}

// held is what is to be matched of breaks. Errors: KindNotFound, KindInvalid, KindIllegalTransition for a break that is not as it was seen.
func (w *handwork) held(seen []SeenBreak, items MatchItems) (set handSet, err error) {
	ids, versions := array[int64]{}, map[int64]int{}
	for _, b := range seen {
		ids, versions[b.ID] = append(ids, b.ID), b.Version
	}
	breaks, err := loadBreaks(w.tx, w.actor.Book, `b.id = ANY(?::bigint[]) AND a.id = ? ORDER BY b.id`, ids, w.account.ID)
	if err != nil {
		return handSet{}, err
	}
	if len(breaks) < len(versions) {
		return handSet{}, ledger.Refuse(ledger.KindNotFound, "account %s does not have all of these breaks", w.account.Code)
	}
	for _, b := range breaks {
		if err := w.isAsSeen(b, versions[b.ID]); err != nil {
			return handSet{}, err
		}
	}
	picked, err := w.find(items)
	if err != nil {
		return handSet{}, err
	}
	all, err := w.itemsOf("break", ids, true)
	if err != nil {
		return handSet{}, err
	}
	for _, b := range breaks {
		part := all[b.ID]
		if part.empty() {
			return handSet{}, ledger.Refuse(ledger.KindInvalid, "break %d holds nothing that could be matched", b.ID).At("breaks", "include one without lines")
		}
		if rest := part.without(picked); rest.count() == part.count() {
			set = set.with(part)
		}
	}
	return set.with(picked), nil
}
