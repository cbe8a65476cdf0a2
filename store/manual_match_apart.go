package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// Unmatch takes a match apart, whoever made it, or takes some of it out where what leaves and what stays add up each by itself. What is set
// free is a break again: the one that it was before, where that was settled by this match. No matching makes the match again. Errors:
// KindForbidden, KindNotFound, KindInvalid, KindKeyReused, and KindIllegalTransition where it is apart already, its reconciliation is not open,
// or an entry was posted to settle a break by it, which is reversed first.
func (s *Store) Unmatch(ctx context.Context, actor Actor, key string, id int64, part MatchItems, note string) (match Match, duplicate bool, err error) {
	if err := actor.Need(RightResolve); err != nil {
		return Match{}, false, err
	}
	if err := ledger.CheckText("note", note, false); err != nil {
		return Match{}, false, err
	}
	content := map[string]any{"match_id": id, "postings": part.Postings, "rows": part.Rows, "note": note}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		match, duplicate, err = once(s, tx, actor, key, "unmatch", content, func() (Match, error) {
			homes, err := query[int64](tx, `SELECT reconciliation_id FROM matches WHERE book_id = ? AND id = ?`, actor.Book.ID, id)
			if err != nil {
				return Match{}, err
			}
			if len(homes) == 0 {
				return Match{}, noMatch(actor.Book, id)
			}
			w, err := s.beginHandwork(tx, actor, homes[0])
			if err != nil {
				return Match{}, err
			}
			if err := w.takeApart(id, part, note); err != nil {
				return Match{}, err
			}
			return loadMatch(tx, actor.Book, id)
		})
		return err
	})
	return match, duplicate, err
}

func noMatch(book Book, id int64) error {
	return ledger.Refuse(ledger.KindNotFound, "book %s has no match %d", book.Code, id)
}

// takeApart takes a part out of a live match, or all of it where no part is named.
func (w *handwork) takeApart(id int64, part MatchItems, note string) error {
	home, err := queryOne[int64](w.tx, "there is no such match", `SELECT reconciliation_id FROM matches WHERE book_id = ? AND id = ?`, w.actor.Book.ID, id)
	if err != nil {
		return err
	}
	if err := needOpen(w.tx, w.actor.Book, home); err != nil {
		return err
	}
	held, err := w.itemsOf("match", array[int64]{id}, true)
	if err != nil {
		return err
	}
	whole := held[id]
	if whole.empty() {
		return w.apartAlready(id)
	}
	leaving := whole
	if part.count() > 0 {
		if leaving, err = w.partOf(id, whole, part); err != nil {
			return err
		}
	}
	adjusting, err := w.reversedAdjustments(id, leaving)
	if err != nil {
		return err
	}
	if err := w.setLive("match", leaving, false, id); err != nil {
		return err
	}
	event := "reduced"
	if leaving.count() == whole.count() {
		event = "unmatched"
		if _, err := exec(w.tx, `UPDATE matches SET live = false WHERE book_id = ? AND id = ?`, w.actor.Book.ID, id); err != nil {
			return fmt.Errorf("take match %d apart: %w", id, err)
		}
	}
	if err := w.addMatchEvent(id, event, note); err != nil {
		return err
	}
	if err := w.setFree(id, whole, leaving.without(adjusting), note); err != nil {
		return err
	}
	if err := w.matchWithReversals(adjusting); err != nil {
		return err
	}
	return w.store.audit(w.tx, w.actor, "match."+event, fmt.Sprintf("reconciliation %d", w.home.ID), map[string]any{"match_id": id})
}

// partOf finds what is named of a match and may leave it.
func (w *handwork) partOf(id int64, whole handSet, part MatchItems) (handSet, error) {
	leaving, err := w.find(part)
	if err != nil {
		return handSet{}, err
	}
	if foreign := leaving.without(whole); !foreign.empty() {
		return handSet{}, ledger.Refuse(ledger.KindInvalid, "match %d does not hold this: %s", id, w.namesOf(foreign)).At("rows", "name lines and postings of match %d", id)
	}
	rest := whole.without(leaving)
	minor, err := w.difference(leaving)
	if err != nil {
		return handSet{}, err
	}
	switch {
	case rest.empty():
		return leaving, nil
	case minor != 0:
		return handSet{}, ledger.Refuse(ledger.KindInvalid, "without this, the sides of match %d would differ by %s: take out what adds up, or take all of it apart", id, w.money(-minor)).
			At("rows", "what leaves differs by %s", w.money(minor)).With("difference_minor", -minor)
	case rest.count() < 2:
		return handSet{}, ledger.Refuse(ledger.KindInvalid, "nothing that matches would be left of match %d: take all of it apart", id).At("rows", "name less, or nothing for all of it")
	}
	return leaving, nil
}

// apartAlready tells who was faster.
func (w *handwork) apartAlready(id int64) error {
	last, err := query[struct {
		Name string
		At   time.Time
	}](w.tx, `
		SELECT u.name, e.at FROM match_events e JOIN users u ON u.id = e.user_id WHERE e.book_id = ? AND e.match_id = ? AND e.event = 'unmatched' ORDER BY e.n DESC LIMIT 1`,
		w.actor.Book.ID, id)
	if err != nil {
		return fmt.Errorf("look who took match %d apart: %w", id, err)
	}
	if len(last) == 0 {
		return ledger.Refuse(ledger.KindIllegalTransition, "match %d is no longer one: it went with the import that was undone", id)
	}
	return ledger.Refuse(ledger.KindIllegalTransition, "match %d was taken apart already, by %s on %s; nothing was changed", id, last[0].Name, atMinute(last[0].At))
}

// reversedAdjustments gives what leaves of the entries that were posted to settle breaks by the match, or to book the difference that the
// rules let it have. Each must be reversed: its effect on
// the books does not go with the match.
func (w *handwork) reversedAdjustments(id int64, leaving handSet) (handSet, error) {
	entries, err := query[struct{ Seq, ReversedBy int64 }](w.tx, `
		SELECT DISTINCT v.seq, coalesce(r.seq, 0) AS reversed_by
		  FROM breaks b
		  JOIN break_events v ON v.book_id = b.book_id AND v.break_id = b.id AND v.match_id = b.match_id AND v.seq IS NOT NULL
		  LEFT JOIN entries r ON r.book_id = v.book_id AND r.reverses = v.seq AND r.part = 0
		 WHERE b.book_id = @book AND b.match_id = @match AND b.resolution IN ('adjusted', 'written_off')
		UNION
		SELECT m.booked_seq, coalesce(r.seq, 0)
		  FROM matches m LEFT JOIN entries r ON r.book_id = m.book_id AND r.reverses = m.booked_seq AND r.part = 0
		 WHERE m.book_id = @book AND m.id = @match AND m.booked_seq IS NOT NULL
		 ORDER BY seq`, map[string]any{"book": w.actor.Book.ID, "match": id})
	if err != nil {
		return handSet{}, fmt.Errorf("look for entries that settled breaks by match %d: %w", id, err)
	}
	var adjusting handSet
	for _, e := range entries {
		of, _ := leaving.split(func(p handPosting) bool { return p.Seq == e.Seq }, func(handLine) bool { return false })
		if of.empty() {
			continue
		}
		if e.ReversedBy == 0 {
			return handSet{}, ledger.Refuse(ledger.KindIllegalTransition,
				"entry %d was posted to settle this: ask for the reversal of entry %d first. Once that is approved, this can be opened again", e.Seq, e.Seq).With("seq", e.Seq)
		}
		adjusting = adjusting.with(of)
	}
	return adjusting, nil
}

// matchWithReversals matches the postings of entries that are reversed with those of their reversals; what is in a match already stays there.
func (w *handwork) matchWithReversals(reversed handSet) error {
	for _, seq := range reversed.seqs() {
		both, err := w.findReversal(seq)
		if err != nil {
			return err
		}
		of, _ := reversed.split(func(p handPosting) bool { return p.Seq == seq }, func(handLine) bool { return false })
		taken := slices.ContainsFunc(both.postings, func(p handPosting) bool { return p.MatchID != 0 })
		if taken || len(both.postings) != 2*len(of.postings) {
			if err := w.open(of.each(), "posted to settle a break that was opened again"); err != nil {
				return err
			}
			continue
		}
		if err := w.assume(of.postings, 1); err != nil {
			return err
		}
		if _, err := w.match(both, byReversal(""), settlement{Resolution: recon.MatchedByHand}); err != nil {
			return err
		}
	}
	return nil
}

// findReversal gives the postings on the account of an entry and of its reversal, if it has one.
func (w *handwork) findReversal(seq int64) (handSet, error) {
	postings, err := query[handPosting](w.tx, `
		SELECT `+handPostingColumns+`
		  FROM postings p`+handPostingJoins+`
		 WHERE p.book_id = ? AND p.account_id = ? AND (p.seq = ? OR p.seq = (SELECT r.seq FROM entries r WHERE r.book_id = ? AND r.reverses = ? AND r.part = 0))`,
		w.actor.Book.ID, w.account.ID, seq, w.actor.Book.ID, seq)
	if err != nil {
		return handSet{}, fmt.Errorf("read the reversal of entry %d: %w", seq, err)
	}
	return handSet{postings: postings}.byDay(), nil
}
