package store

import (
	"fmt"
	"slices"
	"strings"

	"daybook/recon"
	"daybook/store/ledger"
)

// settlement is how a break ends that is matched as a whole. The break BreakID is what a person resolved, in this way; any other that goes
// with it is matched.
type settlement struct {
	BreakID    int64
	Resolution recon.Resolution
	ReasonCode recon.Reason
	Note       string
	MatchID    int64
	ApprovalID int64
	Seq        int64 // the entry that was posted for it
}

// heldBreak is a break with what it holds now.
type heldBreak struct {
	ID         int64
	Type       recon.BreakType
	Status     recon.Status
	Resolution recon.Resolution
	ApprovalID int64
	items      handSet `gorm:"-"`
}

// breaksOf are the live breaks that hold something of a set, by number.
func (w *handwork) breaksOf(set handSet) ([]heldBreak, error) {
	var ids array[int64]
	for _, p := range set.postings {
		ids = append(ids, p.BreakID)
	}
	for _, l := range set.lines {
		ids = append(ids, l.BreakID)
	}
	return w.loadHeld(ids)
}

// loadHeld reads breaks with what they hold now; a number that is none is passed over.
func (w *handwork) loadHeld(ids array[int64]) ([]heldBreak, error) {
	breaks, err := query[heldBreak](w.tx, `
		SELECT b.id, b.type, b.status, coalesce(b.resolution, '') AS resolution, coalesce(b.approval_id, 0) AS approval_id
		  FROM breaks b WHERE b.book_id = ? AND b.id = ANY(?::bigint[]) ORDER BY b.id`, w.actor.Book.ID, ids)
	if err != nil {
		return nil, fmt.Errorf("read breaks: %w", err)
	}
	items, err := w.itemsOf("break", ids, true)
	for i := range breaks {
		breaks[i].items = items[breaks[i].ID]
	}
	return breaks, err
}

// itemsOf reads what matches or breaks hold, now or ever; owner is "match" or "break".
func (w *handwork) itemsOf(owner string, ids array[int64], now bool) (map[int64]handSet, error) {
	sets := map[int64]handSet{}
	postings, err := query[struct {
		Owner int64
		Item  handPosting `gorm:"embedded"`
	}](w.tx, `
		SELECT o.`+owner+`_id AS owner, `+handPostingColumns+`
		  FROM `+owner+`_postings o JOIN postings p ON p.book_id = o.book_id AND p.seq = o.seq AND p.line = o.line`+handPostingJoins+`
		 WHERE o.book_id = ? AND o.`+owner+`_id = ANY(?::bigint[]) AND (o.live OR NOT ?)`, w.actor.Book.ID, ids, now)
	if err != nil {
		return nil, fmt.Errorf("read the postings of a %s: %w", owner, err)
	}
	for _, p := range postings {
		set := sets[p.Owner]
		set.postings = append(set.postings, p.Item)
		sets[p.Owner] = set
	}
	lines, err := query[struct {
		Owner int64
		Item  handLine `gorm:"embedded"`
	}](w.tx, `
		SELECT o.`+owner+`_id AS owner, `+handLineColumns+`
		  FROM `+owner+`_lines o JOIN statement_lines l ON l.book_id = o.book_id AND l.id = o.line_id`+handLineJoins+`
		 WHERE o.book_id = ? AND o.`+owner+`_id = ANY(?::bigint[]) AND (o.live OR NOT ?)`, w.actor.Book.ID, ids, now)
	if err != nil {
		return nil, fmt.Errorf("read the lines of a %s: %w", owner, err)
	}
	for _, l := range lines {
		set := sets[l.Owner]
		set.lines = append(set.lines, l.Item)
		sets[l.Owner] = set
	}
	for id := range sets {
		sets[id] = sets[id].byDay()
	}
	return sets, nil
}

// leaveBreaks takes what is matched out of the breaks that hold it. A break of which all is matched is settled; any other stays the same
// break, of what is left.
func (w *handwork) leaveBreaks(set handSet, how settlement) error {
	breaks, err := w.breaksOf(set)
	if err != nil {
		return err
	}
	if err := w.setLive("break", set, false); err != nil {
		return err
	}
	for _, b := range breaks {
		rest := b.items.without(set)
		if !rest.empty() {
			err = w.reduce(b, rest, b.items.without(rest), how)
		} else {
			err = w.settle(b, how)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setLive marks what breaks or matches hold of a set as held, or as not held any more: the live of one owner each, or else the given.
func (w *handwork) setLive(owner string, set handSet, live bool, ownerID ...int64) error {
	var ids array[int64] = ownerID
	seqs, lines := set.postingRefs()
	if _, err := exec(w.tx, `
		UPDATE `+owner+`_postings i SET live = ? FROM unnest(?::bigint[], ?::integer[]) AS u (seq, line)
		 WHERE i.book_id = ? AND i.seq = u.seq AND i.line = u.line AND i.live <> ? AND (? OR i.`+owner+`_id = ANY(?::bigint[]))`,
		live, seqs, lines, w.actor.Book.ID, live, len(ids) == 0, ids); err != nil {
		return fmt.Errorf("mark the postings of a %s: %w", owner, err)
	}
	if _, err := exec(w.tx, `
		UPDATE `+owner+`_lines i SET live = ? WHERE i.book_id = ? AND i.line_id = ANY(?::bigint[]) AND i.live <> ? AND (? OR i.`+owner+`_id = ANY(?::bigint[]))`,
		live, w.actor.Book.ID, set.lineIDs(), live, len(ids) == 0, ids); err != nil {
		return fmt.Errorf("mark the lines of a %s: %w", owner, err)
	}
	return nil
}

// settle resolves a break of which all is matched.
func (w *handwork) settle(b heldBreak, how settlement) error {
	event := breakEvent{Event: "resolved", Resolution: recon.MatchedByHand, Note: how.Note, MatchID: how.MatchID}
	if b.ID == how.BreakID {
		event.Resolution, event.ReasonCode, event.ApprovalID, event.Seq = how.Resolution, how.ReasonCode, how.ApprovalID, how.Seq
	}
	if _, err := exec(w.tx, `UPDATE breaks SET status = ?, resolution = ?, match_id = ?, approval_id = NULL WHERE book_id = ? AND id = ?`,
		recon.Resolved, event.Resolution, how.MatchID, w.actor.Book.ID, b.ID); err != nil {
		return fmt.Errorf("settle break %d: %w", b.ID, err)
	}
	return w.store.addBreakEvent(w.tx, w.actor, b.ID, event)
}

// reduce leaves a break with the rest of what it held. While that has two sides it is still one question; lines of one side are each
// a break of their own, of which the first stays this one.
func (w *handwork) reduce(b heldBreak, rest, gone handSet, how settlement) error {
	parts := []handSet{rest}
	if len(rest.postings) == 0 || len(rest.lines) == 0 {
		parts = rest.each()
	}
	why := fmt.Sprintf("left when the rest of break %d was matched by hand", b.ID)
	first, err := w.standing(parts[0], b.Type, why)
	if err != nil {
		return err
	}
	if _, err := exec(w.tx, `UPDATE breaks SET type = ?, difference_minor = ?, why = ?, since = ?, status = `+unresolvedStatus+`, resolution = NULL WHERE book_id = ? AND id = ?`,
		first.Type, first.DifferenceMinor, first.Why, first.Since, w.actor.Book.ID, b.ID); err != nil {
		return fmt.Errorf("leave break %d with the rest: %w", b.ID, err)
	}
	note := fmt.Sprintf("%s: matched by match %d. What is left: %s", w.namesOf(gone), how.MatchID, strings.ToLower(first.Type.Label()))
	if err := w.store.addBreakEvent(w.tx, w.actor, b.ID, breakEvent{Event: "reduced", Note: note, MatchID: how.MatchID}); err != nil {
		return err
	}
	if err := w.store.addTypeEvent(w.tx, Actor{Book: w.actor.Book}, b.ID, b.Type, first.Type, first.Why); err != nil {
		return err
	}
	if err := w.carry(b.ID, first); err != nil {
		return err
	}
	for _, part := range parts[1:] {
		if err := w.setLive("break", part, false, b.ID); err != nil {
			return err
		}
	}
	return w.open(parts[1:], why)
}

// each gives every line and posting of a set by itself, in order.
func (s handSet) each() []handSet {
	var all []handSet
	for _, p := range s.postings {
		all = append(all, handSet{postings: []handPosting{p}})
	}
	for _, l := range s.lines {
		all = append(all, handSet{lines: []handLine{l}})
	}
	return all
}

// namesOf names a set to people, the first few of it.
func (w *handwork) namesOf(set handSet) string {
	const few = 5
	var names []string
	for _, p := range set.postings {
		names = append(names, p.String())
	}
	for _, l := range set.lines {
		names = append(names, w.lineName(l))
	}
	if more := len(names) - few; more > 0 {
		names = append(slices.Clone(names[:few]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, "; ")
}

// standingBreak is what a break says of what it holds.
type standingBreak struct {
	Type            recon.BreakType
	Resolution      recon.Resolution
	DifferenceMinor int64
	Why             string
	Since           ledger.Date
}
