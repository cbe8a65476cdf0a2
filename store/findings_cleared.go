package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"daybook/recon"
	"daybook/store/ledger"
)

// clearing is a match that holds all of a break, by its place among those of a run.
type clearing struct {
	match   int
	cleared liveBreak
}

// clearedBreaks finds the breaks of which everything is in one match now, by their numbers.
func (r *run) clearedBreaks(before map[string]liveBreak) map[int64]clearing {
	if len(before) == 0 {
		return nil
	}
	postings, lines := map[PostingRef]liveBreak{}, map[int64]liveBreak{}
	for _, b := range before {
		for _, item := range b.items {
			if item.LineID != 0 {
				lines[item.LineID] = b
			} else {
				postings[PostingRef{item.Seq, item.Line}] = b
			}
		}
	}
	found, held := map[int64]clearing{}, map[int64]int{}
	for i, m := range r.result.Matches {
		clear(held)
		note := func(b liveBreak, known bool) {
			if !known {
				return
			}
			if held[b.ID]++; held[b.ID] == len(b.items) {
				found[b.ID] = clearing{i, b}
			}
		}
		for _, p := range m.Ledger {
			b, known := postings[PostingRef{r.entries[p].Seq, r.entries[p].Line}]
			note(b, known)
		}
		for _, l := range m.Bank {
			b, known := lines[r.lines[l].ID]
			note(b, known)
		}
	}
	return found
}

// tellCleared says in the reasons of matches which breaks they clear that were carried forward.
func (r *run) tellCleared(cleared map[int64]clearing) {
	for _, id := range slices.Sorted(maps.Keys(cleared)) {
		if c := cleared[id]; c.cleared.Resolution == recon.CarriedForward {
			r.result.Matches[c.match].Why += fmt.Sprintf("; clears break %d, carried forward from %s", id, c.cleared.Since)
		}
	}
}

// supersede ends breaks that a run no longer finds: their lines matched, or are part of another break now, or nothing asks for them any more.
func (r *run) supersede(gone map[string]liveBreak, cleared map[int64]clearing, firstMatch int64) error {
	if len(gone) == 0 {
		return nil
	}
	var ids, matches, reversals array[int64]
	var notes array[string]
	rows, err := r.rowsOfCleared(cleared)
	if err != nil {
		return err
	}
	early := r.earlyPostings()
	for _, b := range slices.SortedFunc(maps.Values(gone), func(a, b liveBreak) int { return int(a.ID - b.ID) }) {
		note, match, reversal := fmt.Sprintf("settled by the matching of reconciliation %d", r.id), int64(0), int64(0)
		if c, is := cleared[b.ID]; is {
			match = firstMatch + int64(c.match)
			note, reversal = r.clearedBy(b, r.result.Matches[c.match], rows, match), r.reversalOf(r.result.Matches[c.match])
		} else if b.isOf(early) {
			note = fmt.Sprintf("dated before %s, from which day the account is held against statements: it need not be on one", r.account.ReconcileFrom)
		}
		ids, matches, reversals, notes = append(ids, b.ID), append(matches, match), append(reversals, reversal), append(notes, note)
	}
	if _, err := exec(r.tx, `UPDATE breaks SET status = 'resolved', resolution = 'superseded', live = false, superseded_by = ? WHERE book_id = ? AND id = ANY(?::bigint[])`,
		r.id, r.actor.Book.ID, ids); err != nil {
		return err
	}
	for _, table := range []string{"break_lines", "break_postings"} {
		if _, err := exec(r.tx, `UPDATE `+table+` SET live = false WHERE book_id = ? AND break_id = ANY(?::bigint[])`, r.actor.Book.ID, ids); err != nil {
			return err
		}
	}
	_, err = exec(r.tx, `
		INSERT INTO break_events (book_id, break_id, n, event, resolution, reason_code, note, match_id, seq, at)
		SELECT ?, u.id, 1 + (SELECT coalesce(max(e.n), 0) FROM break_events e WHERE e.book_id = ? AND e.break_id = u.id), 'superseded', ?, '', u.note, nullif(u.match_id, 0), nullif(u.seq, 0), ?
		  FROM unnest(?::bigint[], ?::text[], ?::bigint[], ?::bigint[]) AS u (id, note, match_id, seq)`,
		r.actor.Book.ID, r.actor.Book.ID, recon.Superseded, r.store.now(), ids, notes, matches, reversals)
	return err
}

// earlyPostings are those of before the day from which postings must be on a statement.
func (r *run) earlyPostings() map[PostingRef]bool {
	early := map[PostingRef]bool{}
	for _, e := range r.entries {
		if e.EffectiveOn.Before(r.account.ReconcileFrom) {
			early[PostingRef{e.Seq, e.Line}] = true
		}
	}
	return early
}

// isOf reports whether a break held nothing but some of these postings.
func (b liveBreak) isOf(postings map[PostingRef]bool) bool {
	return !slices.ContainsFunc(b.items, func(i breakItem) bool { return i.LineID != 0 || !postings[PostingRef{i.Seq, i.Line}] })
}

// clearedRow is a row of a statement that cleared something.
type clearedRow struct {
	ID, StatementID int64
	Row             int
	BookedOn        ledger.Date
}

// rowsOfCleared reads where the lines stand that cleared breaks.
func (r *run) rowsOfCleared(cleared map[int64]clearing) (map[int64]clearedRow, error) {
	var ids array[int64]
	for _, c := range cleared {
		for _, i := range r.result.Matches[c.match].Bank {
			ids = append(ids, r.lines[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := query[clearedRow](r.tx, `SELECT id, statement_id, row, booked_on FROM statement_lines WHERE book_id = ? AND id = ANY(?::bigint[])`, r.actor.Book.ID, ids)
	if err != nil {
		return nil, fmt.Errorf("read what cleared breaks: %w", err)
	}
	rows := make(map[int64]clearedRow, len(found))
	for _, row := range found {
		rows[row.ID] = row
	}
	return rows, nil
}

// reversalOf is the entry that reverses in a match of a reversed pair, which is the later of the two; 0 of any other match.
func (r *run) reversalOf(m recon.Matched) (seq int64) {
	if m.Kind != recon.KindReversedPair {
		return 0
	}
	for _, i := range m.Ledger {
		seq = max(seq, r.entries[i].Seq)
	}
	return seq
}

// clearedBy says what a break was matched with, and why: for one that was carried forward, the rows of the statement that it waited for.
func (r *run) clearedBy(b liveBreak, m recon.Matched, rows map[int64]clearedRow, match int64) string {
	const few = 3
	var names []string
	for _, i := range m.Bank {
		row := rows[r.lines[i].ID]
		names = append(names, fmt.Sprintf("row %d of statement %d, %s", row.Row, row.StatementID, row.BookedOn))
	}
	if more := len(names) - few; more > 0 {
		names = append(names[:few], fmt.Sprintf("%d more", more))
	}
	if len(names) == 0 || b.Resolution != recon.CarriedForward {
		return fmt.Sprintf("matched %s: %s, match %d", howMatched(m.Kind), m.Why, match)
	}
	return "cleared by " + strings.Join(names, "; ")
}

// howMatched is a kind of match within a sentence.
func howMatched(kind recon.Kind) string {
	switch kind {
	case recon.KindReversedPair:
		return "with the reversal"
	case recon.KindBatch, recon.KindSplit:
		return "as a " + strings.ToLower(kind.Label())
	}
	return strings.ToLower(kind.Label())
}
