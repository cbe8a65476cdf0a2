package store

import (
	"fmt"
	"slices"
	"strings"

	"daybook/recon"
	"daybook/store/ledger"
)

// keep stores what a run found: its matches, and its breaks held against those that the account has. A break over the same lines
// and postings stays the same break; one whose lines matched or regrouped is superseded; the rest are new.
func (r *run) keep() error {
	before, err := r.liveBreaks()
	if err != nil {
		return fmt.Errorf("read the account's breaks: %w", err)
	}
	cleared := r.clearedBreaks(before)
	r.tellCleared(cleared)
	firstMatch, err := r.insertMatches()
	if err != nil {
		return fmt.Errorf("store the matches: %w", err)
	}
	var fresh []recon.Break
	var kept, homes []int64
	for _, found := range r.result.Breaks {
		items := r.itemsOf(found)
		old, known := before[items]
		if !known {
			fresh = append(fresh, found)
			continue
		}
		delete(before, items)
		kept, homes = append(kept, old.ID), append(homes, r.home(found.Ledger, found.Bank))
		if err := r.bringUpToDate(old, found); err != nil {
			return fmt.Errorf("bring break %d up to date: %w", old.ID, err)
		}
	}
	if err := r.supersede(before, cleared, firstMatch); err != nil {
		return fmt.Errorf("supersede breaks: %w", err)
	}
	if err := r.linkBreaks(kept, homes); err != nil {
		return err
	}
	if err := r.insertBreaks(fresh); err != nil {
		return fmt.Errorf("store the breaks: %w", err)
	}
	return nil
}

// insertMatches gives the number of the first match; the others follow in their order.
func (r *run) insertMatches() (first int64, err error) {
	matches := r.result.Matches
	if len(matches) == 0 {
		return 0, nil
	}
	if first, err = nextNumber(r.tx, r.actor.Book.ID, "match", int64(len(matches))); err != nil {
		return 0, err
	}
	var items itemColumns
	for i, m := range matches {
		items.add(r, first+int64(i), m.Ledger, m.Bank)
	}
	if err := r.progress.inPieces(len(matches), func(from, to int) error { return r.insertSomeMatches(first+int64(from), matches[from:to]) }); err != nil {
		return 0, err
	}
	return first, items.insert(r, "match_lines", "match_postings", "match_id")
}

// insertSomeMatches stores matches, without what they hold, under the numbers that begin with first.
func (r *run) insertSomeMatches(first int64, matches []recon.Matched) error {
	n := len(matches)
	ids, homes, scores := make(array[int64], 0, n), make(array[int64], 0, n), make(array[int64], 0, n)
	kinds, rules, whys := make(array[string], 0, n), make(array[string], 0, n), make(array[string], 0, n)
	var lastDays, firstOn, lastOn array[ledger.Date]
	var lastSeqs, bookedSeqs array[*int64]
	for i, m := range matches {
		id := first + int64(i)
		day, seq := r.lastOf(m)
		from, to := r.span(m)
		lastDays, lastSeqs, firstOn, lastOn = append(lastDays, day), append(lastSeqs, seq), append(firstOn, from), append(lastOn, to)
		ids, homes, scores = append(ids, id), append(homes, r.home(m.Ledger, m.Bank)), append(scores, int64(m.Score))
		kinds, rules, whys = append(kinds, string(m.Kind)), append(rules, m.Rule), append(whys, m.Why)
		bookedSeqs = append(bookedSeqs, r.bookedSeq(m))
	}
	_, err := exec(r.tx, `
		INSERT INTO matches (book_id, id, account_id, reconciliation_id, kind, rule, score, why, last_effective_on, last_seq, first_on, last_on, booked_seq, rules_version, live, made_at)
		SELECT ?, u.id, ?, u.home, u.kind, u.rule, u.score, u.why, u.last_day, u.last_seq, u.first_on, u.last_on, u.booked_seq, ?, true, ?
		  FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::integer[], ?::text[], ?::date[], ?::bigint[], ?::date[], ?::date[], ?::bigint[])
		       AS u (id, home, kind, rule, score, why, last_day, last_seq, first_on, last_on, booked_seq)`,
		r.actor.Book.ID, r.account.ID, r.rules.Version, r.store.now(), ids, homes, kinds, rules, scores, whys, lastDays, lastSeqs, firstOn, lastOn, bookedSeqs)
	return err
}

// itemsOf names the lines and postings of a break, in an order of their own.
func (r *run) itemsOf(b recon.Break) string {
	var names []string
	for _, i := range b.Bank {
		names = append(names, fmt.Sprintf("L%d", r.lines[i].ID))
	}
	for _, i := range b.Ledger {
		names = append(names, fmt.Sprintf("P%d.%d", r.entries[i].Seq, r.entries[i].Line))
	}
	return joinNames(names)
}

type liveBreak struct {
	ID              int64
	Type            recon.BreakType
	Status          recon.Status
	DifferenceMinor int64
	Why             string
	Resolution      recon.Resolution
	Since           ledger.Date
	items           []breakItem `gorm:"-"`
}

// breakItem is a line of the bank, or a posting where LineID is 0.
type breakItem struct {
	BreakID, LineID, Seq int64
	Line                 int
}

func (i breakItem) name() string {
	if i.LineID != 0 {
		return fmt.Sprintf("L%d", i.LineID)
	}
	return fmt.Sprintf("P%d.%d", i.Seq, i.Line)
}

// liveBreaks reads the account's breaks by the names of their items; those that are set aside, and those that hold nothing, as of a balance
// or settled by hand, stay as they are whatever a run finds. Breaks and items are put together here: after a large upload the planner knows nothing yet of
// what came in, and would look at every item for every break.
func (r *run) liveBreaks() (map[string]liveBreak, error) {
	const chosen = ` WHERE b.book_id = @book AND b.account_id = @account AND b.live AND NOT ` + setAside
	of := map[string]any{"book": r.actor.Book.ID, "account": r.account.ID}
	items, err := query[breakItem](r.tx, `
		SELECT b.id AS break_id, i.line_id, CAST(0 AS bigint) AS seq, 0 AS line
		  FROM breaks b JOIN break_lines i ON i.book_id = b.book_id AND i.break_id = b.id AND i.live`+chosen+`
		UNION ALL
		SELECT b.id, 0, i.seq, i.line
		  FROM breaks b JOIN break_postings i ON i.book_id = b.book_id AND i.break_id = b.id AND i.live`+chosen, of)
	if err != nil {
		return nil, fmt.Errorf("read what is in breaks: %w", err)
	}
	names, held := map[int64][]string{}, map[int64][]breakItem{}
	for _, item := range items {
		names[item.BreakID], held[item.BreakID] = append(names[item.BreakID], item.name()), append(held[item.BreakID], item)
	}
	rows, err := query[liveBreak](r.tx, `
		SELECT b.id, b.type, b.status, b.difference_minor, b.why, coalesce(b.resolution, '') AS resolution, coalesce(b.since, b.first_seen_on) AS since FROM breaks b`+chosen, of)
	if err != nil {
		return nil, fmt.Errorf("read breaks: %w", err)
	}
	byItems := make(map[string]liveBreak, len(rows))
	for _, row := range rows {
		if row.items = held[row.ID]; len(row.items) > 0 {
			byItems[joinNames(names[row.ID])] = row
		}
	}
	return byItems, nil
}

// joinNames puts the names of items in an order of their own.
func joinNames(names []string) string {
	slices.Sort(names)
	return strings.Join(names, " ")
}

// bringUpToDate changes the type of a break whose lines are seen in another light now: what was timing and is still not on the
// statement is open again.
func (r *run) bringUpToDate(old liveBreak, found recon.Break) error {
	if old.Type == found.Type && old.DifferenceMinor == found.DifferenceMinor && old.Why == found.Why {
		return nil
	}
	if old.Type == found.Type {
		_, err := exec(r.tx, `UPDATE breaks SET difference_minor = ?, why = ? WHERE book_id = ? AND id = ?`,
			found.DifferenceMinor, found.Why, r.actor.Book.ID, old.ID)
		return err
	}
	var resolution *string
	if found.Resolution != "" {
		text := string(found.Resolution)
		resolution = &text
	}
	if _, err := exec(r.tx, `
		UPDATE breaks SET type = ?, difference_minor = ?, why = ?, status = CASE WHEN ? THEN 'resolved' ELSE `+unresolvedStatus+` END, resolution = ?
		 WHERE book_id = ? AND id = ?`,
		found.Type, found.DifferenceMinor, found.Why, resolution != nil, resolution, r.actor.Book.ID, old.ID); err != nil {
		return err
	}
	note := fmt.Sprintf("was %s, now %s: %s", strings.ToLower(old.Type.Label()), strings.ToLower(found.Type.Label()), found.Why)
	_, err := exec(r.tx, `
		INSERT INTO break_events (book_id, break_id, n, event, type, resolution, reason_code, note, was_type, reconciliation_id, at)
		SELECT ?, ?, 1 + coalesce(max(n), 0), 'returned', ?, CAST(? AS text), '', ?, ?, ?, ? FROM break_events WHERE book_id = ? AND break_id = ?`,
		r.actor.Book.ID, old.ID, found.Type, resolution, note, old.Type, r.id, r.store.now(), r.actor.Book.ID, old.ID)
	return err
}

// addEvents appends one event that Daybook itself caused to each break.
func (r *run) addEvents(event string, resolution *string, note string, breakIDs ...int64) error {
	_, err := exec(r.tx, `
		INSERT INTO break_events (book_id, break_id, n, event, resolution, reason_code, note, at)
		SELECT ?, u.id, 1 + (SELECT coalesce(max(e.n), 0) FROM break_events e WHERE e.book_id = ? AND e.break_id = u.id), ?, CAST(? AS text), '', ?, ?
		  FROM unnest(?::bigint[]) AS u (id)`,
		r.actor.Book.ID, r.actor.Book.ID, event, resolution, note, r.store.now(), array[int64](breakIDs))
	return err
}

// addFound appends the first event of breaks that are new, with the type that each is found as.
func (r *run) addFound(breakIDs array[int64], types array[string]) error {
	_, err := exec(r.tx, `
		INSERT INTO break_events (book_id, break_id, n, event, type, reason_code, note, at)
		SELECT ?, u.id, 1, 'found', u.type, '', '', ? FROM unnest(?::bigint[], ?::text[]) AS u (id, type)`, r.actor.Book.ID, r.store.now(), breakIDs, types)
	return err
}

// addSecondEvents is addEvents for breaks that are new, of which nothing but the first event is known.
func (r *run) addSecondEvents(event, resolution, note string, breakIDs array[int64]) error {
	_, err := exec(r.tx, `
		INSERT INTO break_events (book_id, break_id, n, event, resolution, reason_code, note, at)
		SELECT ?, u.id, 2, ?, ?, '', ?, ? FROM unnest(?::bigint[]) AS u (id)`, r.actor.Book.ID, event, resolution, note, r.store.now(), breakIDs)
	return err
}

// linkBreaks puts breaks into the reconciliations that hold them.
func (r *run) linkBreaks(ids, homes array[int64]) error {
	_, err := exec(r.tx, `
		INSERT INTO reconciliation_breaks (book_id, reconciliation_id, break_id) SELECT ?, u.home, u.id FROM unnest(?::bigint[], ?::bigint[]) AS u (id, home)
		ON CONFLICT (book_id, reconciliation_id, break_id) DO NOTHING`, r.actor.Book.ID, ids, homes)
	if err != nil {
		return fmt.Errorf("link breaks to reconciliation %d: %w", r.id, err)
	}
	return nil
}

func (r *run) insertBreaks(found []recon.Break) error {
	if len(found) == 0 {
		return nil
	}
	first, err := nextNumber(r.tx, r.actor.Book.ID, "break", int64(len(found)))
	if err != nil {
		return err
	}
	return r.progress.inPieces(len(found), func(from, to int) error { return r.insertSomeBreaks(first+int64(from), found[from:to]) })
}

// insertSomeBreaks stores breaks under the numbers that begin with first.
func (r *run) insertSomeBreaks(first int64, found []recon.Break) error {
	var ids, homes, differences, born array[int64]
	var types, whys array[string]
	var since array[ledger.Date]
	var items itemColumns
	for i, b := range found {
		id := first + int64(i)
		ids, homes, differences = append(ids, id), append(homes, r.home(b.Ledger, b.Bank)), append(differences, b.DifferenceMinor)
		types, whys, since = append(types, string(b.Type)), append(whys, b.Why), append(since, r.earliestDay(b))
		items.add(r, id, b.Ledger, b.Bank)
		if b.Resolution == recon.CarriedForward {
			born = append(born, id)
		}
	}
	now := r.store.now()
	if _, err := exec(r.tx, `
		INSERT INTO breaks (book_id, id, account_id, type, difference_minor, currency, why, first_seen_on, since, reconciliation_id, status, resolution, live, created_at)
		SELECT ?, u.id, ?, u.type, u.difference_minor, ?, u.why, ?, u.since, u.home, CASE WHEN u.id = ANY(?::bigint[]) THEN 'resolved' ELSE 'open' END,
		       CASE WHEN u.id = ANY(?::bigint[]) THEN 'carried_forward' END, true, ?
		  FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::text[], ?::date[]) AS u (id, home, type, difference_minor, why, since)`,
		r.actor.Book.ID, r.account.ID, r.account.Currency, now, born, born, now, ids, homes, types, differences, whys, since); err != nil {
		return err
	}
	if err := items.insert(r, "break_lines", "break_postings", "break_id"); err != nil {
		return err
	}
	if err := r.addFound(ids, types); err != nil {
		return err
	}
	if len(born) > 0 {
		carried := string(recon.CarriedForward)
		if err := r.addSecondEvents("resolved", carried, "near the end of the period: expected on the next statement", born); err != nil {
			return err
		}
	}
	if err := r.linkBreaks(ids, homes); err != nil {
		return err
	}
	return r.linkEarlier(ids, since)
}
