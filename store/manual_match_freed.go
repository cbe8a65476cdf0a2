package store

import (
	"fmt"
	"maps"
	"slices"

	"daybook/recon"
)

// formerBreak is a break that something which is set free was in before it was matched.
type formerBreak struct {
	ID         int64
	Type       recon.BreakType
	Status     recon.Status
	Resolution recon.Resolution
	MatchID    int64
	Live       bool
	ever       handSet `gorm:"-"` // all that it ever held
}

// setFree finds the place of what leaves a match. It goes back into the break that it was: one that this match settled, when all that it
// gave leaves; one that a matching superseded, when all of it is free; one that still asks what belongs together. All else opens breaks of
// its own.
func (w *handwork) setFree(matchID int64, whole, leaving handSet, note string) error {
	former, err := w.formerBreaks(leaving)
	if err != nil {
		return err
	}
	rest := leaving
	for _, id := range slices.Sorted(maps.Keys(former)) {
		b, mine := former[id].formerBreak, former[id].mine
		back := false
		switch given, _ := b.ever.split(whole.holdsPosting, whole.holdsLine); {
		case b.Live && b.MatchID == matchID && b.settledByMatch():
			back = given.count() == mine.count()
		case b.Resolution == recon.Superseded:
			back = b.ever.count() == mine.count()
		case b.Live && b.Status != recon.Resolved && b.Status != recon.WaitingForApproval:
			back = b.Type == recon.Ambiguous
		}
		if !back {
			continue
		}
		if err := w.takeBack(b, mine, note); err != nil {
			return err
		}
		rest = rest.without(mine)
	}
	return w.open(rest.each(), fmt.Sprintf("match %d, which it was in, was taken apart by hand", matchID))
}

func (b formerBreak) settledByMatch() bool {
	return slices.Contains([]recon.Resolution{recon.MatchedByHand, recon.Adjusted, recon.WrittenOff, recon.Reversed}, b.Resolution)
}

func (s handSet) holdsPosting(p handPosting) bool { return s.hasPosting(p.ref()) }
func (s handSet) holdsLine(l handLine) bool       { return s.hasLine(l.ID) }

// former is a former break with what of it is set free.
type former struct {
	formerBreak
	mine handSet
}

// formerBreaks gives, by number, the break that each of a set was in last.
func (w *handwork) formerBreaks(set handSet) (map[int64]former, error) {
	found := map[int64]former{}
	seqs, lines := set.postingRefs()
	postings, err := query[struct {
		Seq     int64
		Line    int
		BreakID int64
	}](w.tx, `
		SELECT u.seq, u.line, max(i.break_id) AS break_id FROM unnest(?::bigint[], ?::integer[]) AS u (seq, line)
		  JOIN break_postings i ON i.book_id = ? AND i.seq = u.seq AND i.line = u.line AND NOT i.live GROUP BY u.seq, u.line`, seqs, lines, w.actor.Book.ID)
	if err != nil {
		return nil, fmt.Errorf("look which breaks postings were in: %w", err)
	}
	for _, row := range postings {
		f := found[row.BreakID]
		of, _ := set.split(func(p handPosting) bool { return p.ref() == PostingRef{row.Seq, row.Line} }, func(handLine) bool { return false })
		f.mine = f.mine.with(of)
		found[row.BreakID] = f
	}
	ofLines, err := query[struct{ LineID, BreakID int64 }](w.tx, `
		SELECT i.line_id, max(i.break_id) AS break_id FROM break_lines i WHERE i.book_id = ? AND i.line_id = ANY(?::bigint[]) AND NOT i.live GROUP BY i.line_id`,
		w.actor.Book.ID, set.lineIDs())
	if err != nil {
		return nil, fmt.Errorf("look which breaks lines were in: %w", err)
	}
	for _, row := range ofLines {
		f := found[row.BreakID]
		of, _ := set.split(func(handPosting) bool { return false }, func(l handLine) bool { return l.ID == row.LineID })
		f.mine = f.mine.with(of)
		found[row.BreakID] = f
	}
	return found, w.readFormer(found)
}

func (w *handwork) readFormer(found map[int64]former) error {
	ids := array[int64](slices.Sorted(maps.Keys(found)))
	breaks, err := query[formerBreak](w.tx, `
		SELECT b.id, b.type, b.status, coalesce(b.resolution, '') AS resolution, coalesce(b.match_id, 0) AS match_id, b.live
		  FROM breaks b WHERE b.book_id = ? AND b.id = ANY(?::bigint[])`, w.actor.Book.ID, ids)
	if err != nil {
		return fmt.Errorf("read former breaks: %w", err)
	}
	ever, err := w.itemsOf("break", ids, false)
	for _, b := range breaks {
		b.ever = ever[b.ID]
		found[b.ID] = former{b, found[b.ID].mine}
	}
	return err
}

// takeBack puts what is set free back into a break, which is open again where it was not.
func (w *handwork) takeBack(b formerBreak, mine handSet, note string) error {
	if err := w.setLive("break", mine, true, b.ID); err != nil {
		return err
	}
	held, err := w.itemsOf("break", array[int64]{b.ID}, true)
	if err != nil {
		return err
	}
	now, err := w.asItWas(b, held[b.ID])
	if err != nil {
		return err
	}
	if _, err := exec(w.tx, `
		UPDATE breaks SET type = ?, difference_minor = ?, why = CASE WHEN ? = '' THEN why ELSE ? END, since = ?, status = `+unresolvedStatus+`, resolution = NULL, match_id = NULL, live = true, superseded_by = NULL
		 WHERE book_id = ? AND id = ?`, now.Type, now.DifferenceMinor, now.Why, now.Why, now.Since, w.actor.Book.ID, b.ID); err != nil {
		return fmt.Errorf("open break %d again: %w", b.ID, err)
	}
	event := breakEvent{Event: "reopened", Note: note}
	if b.Status != recon.Resolved {
		event = breakEvent{Event: "returned", Note: w.namesOf(mine) + " came back"}
	}
	if err := w.store.addBreakEvent(w.tx, w.actor, b.ID, event); err != nil {
		return err
	}
	if err := w.store.addTypeEvent(w.tx, Actor{Book: w.actor.Book}, b.ID, b.Type, now.Type, now.Why); err != nil {
		return err
	}
	if err := w.carry(b.ID, now); err != nil {
		return err
	}
	return w.hold(b.ID)
}

// asItWas says what a break is again that gets back what it held. What was timing is so no more once the statements speak for a later time.
func (w *handwork) asItWas(b formerBreak, held handSet) (standingBreak, error) {
	if b.Type == recon.Timing {
		return w.standing(held, b.Type, "the match that it was in was taken apart by hand")
	}
	minor, err := w.difference(held)
	if err != nil {
		return standingBreak{}, err
	}
	first, _ := held.days()
	return standingBreak{Type: b.Type, DifferenceMinor: minor, Since: first}, nil
}
