package store

import (
	"fmt"
	"maps"
	"slices"

	"daybook/recon"
)

// breaksBack are the breaks of an account while an import is undone.
type breaksBack struct {
	*undoing
	matches array[int64] // that are taken apart
	own     array[int64] // breaks that went with the import
	chosen  array[int64] // breaks that come back
	retyped array[int64] // breaks that are of another type again
}

func (b *breaksBack) takeApart() error {
	for table, column := range map[string]string{"matches": "id", "match_lines": "match_id", "match_postings": "match_id"} {
		if _, err := exec(b.tx, `UPDATE `+table+` SET live = false WHERE book_id = ? AND `+column+` = ANY(?::bigint[]) AND live`, b.actor.Book.ID, b.matches); err != nil {
			return err
		}
	}
	return nil
}

// findOwn finds the breaks that are about lines of the import, or about a time that no statement speaks for without it.
func (b *breaksBack) findOwn() error {
	args := b.args()
	args["matches"], args["balance"] = b.matches, recon.Balance
	own, err := query[int64](b.tx, `
		WITH rest AS (SELECT max(r.scope_to) AS ends FROM reconciliations r WHERE r.book_id = @book AND r.account_id = @account AND r.status <> 'undone' AND r.id <> @home)
		SELECT b.id FROM breaks b CROSS JOIN rest
		 WHERE b.book_id = @book AND b.account_id = @account AND b.live
		   AND (rest.ends IS NULL
		        OR b.reconciliation_id = @home AND b.type = @balance
		        OR b.reconciliation_id = @home AND b.since > rest.ends
		           AND NOT EXISTS (SELECT FROM break_lines i WHERE i.book_id = b.book_id AND i.break_id = b.id AND i.live)
		        OR EXISTS (SELECT FROM break_lines i JOIN statement_lines l ON l.book_id = i.book_id AND l.id = i.line_id AND l.statement_id = @statement
		                    WHERE i.book_id = b.book_id AND i.break_id = b.id AND (i.live OR b.match_id = ANY(CAST(@matches AS bigint[])))))
		 ORDER BY b.id`, args)
	b.own = append(array[int64]{}, own...)
	return err
}

// endOwn ends them.
func (b *breaksBack) endOwn() error {
	if len(b.own) == 0 {
		return nil
	}
	if _, err := exec(b.tx, `UPDATE breaks SET status = ?, resolution = ?, live = false, superseded_by = ? WHERE book_id = ? AND id = ANY(?::bigint[])`,
		recon.Resolved, recon.Superseded, b.home, b.actor.Book.ID, b.own); err != nil {
		return err
	}
	for _, table := range []string{"break_lines", "break_postings"} {
		if _, err := exec(b.tx, `UPDATE `+table+` SET live = false WHERE book_id = ? AND break_id = ANY(?::bigint[]) AND live`, b.actor.Book.ID, b.own); err != nil {
			return err
		}
	}
	return b.tell(b.own, "superseded", recon.Superseded, "went with statement %d, which was undone")
}

// tell appends one event to each of many breaks; where one is of another type again, the event says of which.
func (b *breaksBack) tell(ids []int64, event string, resolution recon.Resolution, note string) error {
	_, err := exec(b.tx, `
		INSERT INTO break_events (book_id, break_id, n, event, type, resolution, reason_code, note, user_id, at)
		SELECT ?, u.id, 1 + (SELECT coalesce(max(e.n), 0) FROM break_events e WHERE e.book_id = ? AND e.break_id = u.id), ?,
		       (SELECT b.type FROM breaks b WHERE b.book_id = ? AND b.id = u.id AND b.id = ANY(?::bigint[])), nullif(?, ''), '', ?, ?, ?
		  FROM unnest(?::bigint[]) AS u (id)`,
		b.actor.Book.ID, b.actor.Book.ID, event, b.actor.Book.ID, b.retyped, resolution, fmt.Sprintf(note, b.statement), b.actor.UserID, b.store.now(), array[int64](ids))
	return err
}

// giveTypesBack makes breaks what they were before matchings of the import saw them in another light: timing is timing again.
func (b *breaksBack) giveTypesBack() error {
	retyped, err := query[int64](b.tx, `
		UPDATE breaks b
		   SET type = v.was_type, status = CASE WHEN v.resolution IS NULL THEN `+unresolvedStatus+` ELSE 'resolved' END, resolution = v.resolution
		  FROM (SELECT DISTINCT ON (e.break_id) e.break_id, e.was_type,
		               (SELECT CASE WHEN p.resolution IN ('carried_forward', 'external', 'not_a_break') THEN p.resolution END
		                  FROM break_events p WHERE p.book_id = e.book_id AND p.break_id = e.break_id AND p.n < e.n AND p.event IN `+statusEvents+`
		                 ORDER BY p.n DESC LIMIT 1) AS resolution
		          FROM break_events e
		         WHERE e.book_id = ? AND e.reconciliation_id = ? AND e.was_type IS NOT NULL ORDER BY e.break_id, e.n) v
		 WHERE b.book_id = ? AND b.id = v.break_id AND b.live AND b.status <> 'waiting_for_approval' AND b.match_id IS NULL
		RETURNING b.id`, b.actor.Book.ID, b.home, b.actor.Book.ID)
	b.retyped = retyped
	return err
}

// statusEvents are the events after which a break has another status.
const statusEvents = `('found', 'resolved', 'reopened', 'returned', 'reduced')`

// notUndoneSQL leaves breaks b out that were settled by an import which was undone, and that did not come back: they went with it.
const notUndoneSQL = ` AND (b.superseded_by IS NULL OR NOT EXISTS (
	SELECT FROM reconciliations u WHERE u.book_id = b.book_id AND u.id = b.superseded_by AND u.status = 'undone'))`

// heldItem is a line or posting of a break that may come back. Free says that nothing else holds it.
type heldItem struct {
	BreakID int64
	Name    string
	Free    bool
}

// find chooses, before anything is taken apart, what comes back: a break that was settled by what is undone, or by a match that is taken apart, and of which all is free. Of two over
// the same thing the later one does, which the earlier had led to.
func (b *breaksBack) find() error {
	args := b.args()
	args["matches"], args["own"] = b.matches, b.own
	items, err := query[heldItem](b.tx, `
		WITH gone AS (
			SELECT b.id, b.match_id FROM breaks b
			 WHERE b.book_id = @book AND b.account_id = @account AND b.id <> ALL(CAST(@own AS bigint[])) AND (b.live AND b.match_id = ANY(CAST(@matches AS bigint[])) OR NOT b.live AND b.id IN (
			       SELECT i.break_id FROM match_postings m JOIN break_postings i ON i.book_id = m.book_id AND i.seq = m.seq AND i.line = m.line
			        WHERE m.book_id = @book AND m.match_id = ANY(CAST(@matches AS bigint[]))
			       UNION SELECT i.break_id FROM match_lines m JOIN break_lines i ON i.book_id = m.book_id AND i.line_id = m.line_id
			        WHERE m.book_id = @book AND m.match_id = ANY(CAST(@matches AS bigint[]))
			       UNION SELECT o.id FROM breaks o WHERE o.book_id = @book AND o.superseded_by = @home)))
		SELECT g.id AS break_id, 'P' || i.seq || '.' || i.line AS name,
		       NOT EXISTS (SELECT FROM match_postings m WHERE m.book_id = i.book_id AND m.seq = i.seq AND m.line = i.line AND m.live AND m.match_id <> ALL(CAST(@matches AS bigint[])))
		       AND NOT EXISTS (SELECT FROM break_postings o WHERE o.book_id = i.book_id AND o.seq = i.seq AND o.line = i.line AND o.live AND o.break_id <> ALL(CAST(@own AS bigint[]))) AS free
		  FROM gone g JOIN break_postings i ON i.book_id = @book AND i.break_id = g.id
		 WHERE g.match_id IS NULL OR EXISTS (SELECT FROM match_postings m WHERE m.book_id = i.book_id AND m.match_id = g.match_id AND m.seq = i.seq AND m.line = i.line)
		UNION ALL
		SELECT g.id, 'L' || i.line_id,
		       NOT EXISTS (SELECT FROM statement_lines l WHERE l.book_id = i.book_id AND l.id = i.line_id AND (l.undone OR l.statement_id = @statement))
		       AND NOT EXISTS (SELECT FROM match_lines m WHERE m.book_id = i.book_id AND m.line_id = i.line_id AND m.live AND m.match_id <> ALL(CAST(@matches AS bigint[])))
		       AND NOT EXISTS (SELECT FROM break_lines o WHERE o.book_id = i.book_id AND o.line_id = i.line_id AND o.live AND o.break_id <> ALL(CAST(@own AS bigint[]))) AS free
		  FROM gone g JOIN break_lines i ON i.book_id = @book AND i.break_id = g.id
		 WHERE g.match_id IS NULL OR EXISTS (SELECT FROM match_lines m WHERE m.book_id = i.book_id AND m.match_id = g.match_id AND m.line_id = i.line_id)
		UNION ALL
		SELECT b.id, 'B', true FROM breaks b WHERE b.book_id = @book AND b.superseded_by = @home AND b.type = 'balance' AND b.id <> ALL(CAST(@own AS bigint[]))`, args)
	if err != nil {
		return err
	}
	b.chosen = comeBack(items)
	return nil
}

// comeBack gives the breaks that are all free, the later of two that share something.
func comeBack(items []heldItem) []int64 {
	held := map[int64][]string{}
	free := map[int64]bool{}
	for _, item := range items {
		if _, seen := free[item.BreakID]; !seen {
			free[item.BreakID] = true
		}
		free[item.BreakID] = free[item.BreakID] && item.Free
		held[item.BreakID] = append(held[item.BreakID], item.Name)
	}
	taken := map[string]bool{}
	var chosen []int64
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(held))) {
		alone := free[id] && !slices.ContainsFunc(held[id], func(name string) bool { return name != "B" && taken[name] })
		if !alone {
			continue
		}
		chosen = append(chosen, id)
		for _, name := range held[id] {
			taken[name] = true
		}
	}
	slices.Sort(chosen)
	return chosen
}

// bringBack makes the chosen breaks live again, as they were before they were settled.
func (b *breaksBack) bringBack() error {
	if len(b.chosen) == 0 {
		return nil
	}
	for table, same := range map[string]string{"lines": "m.line_id = i.line_id", "postings": "m.seq = i.seq AND m.line = i.line"} {
		if _, err := exec(b.tx, `
			UPDATE break_`+table+` i SET live = true FROM breaks b
			 WHERE b.book_id = i.book_id AND b.id = i.break_id AND i.book_id = ? AND i.break_id = ANY(?::bigint[]) AND NOT i.live
			   AND (b.match_id IS NULL OR EXISTS (SELECT FROM match_`+table+` m WHERE m.book_id = i.book_id AND m.match_id = b.match_id AND `+same+`))`,
			b.actor.Book.ID, b.chosen); err != nil {
			return err
		}
	}
	_, err := exec(b.tx, `
		UPDATE breaks b
		   SET live = true, superseded_by = NULL, match_id = NULL, resolution = v.resolution, status = CASE WHEN v.resolution IS NULL THEN `+unresolvedStatus+` ELSE 'resolved' END
		  FROM (SELECT u.id, (SELECT CASE WHEN p.resolution IN ('carried_forward', 'external', 'not_a_break') THEN p.resolution END
		                        FROM break_events p WHERE p.book_id = ? AND p.break_id = u.id AND p.event IN `+statusEvents+`
		                         AND coalesce(p.resolution, '') NOT IN ('matched', 'adjusted', 'written_off', 'reversed')
		                       ORDER BY p.n DESC LIMIT 1) AS resolution
		          FROM unnest(?::bigint[]) AS u (id)) v
		 WHERE b.book_id = ? AND b.id = v.id`, b.actor.Book.ID, b.chosen, b.actor.Book.ID)
	return err
}

// tellReturned notes what has come back in the history of each break.
func (b *breaksBack) tellReturned() error {
	back := append(slices.Clone(b.chosen), b.retyped...)
	for _, resolution := range []recon.Resolution{"", recon.CarriedForward, recon.External, recon.NotABreak} {
		ids, err := query[int64](b.tx, `SELECT id FROM breaks WHERE book_id = ? AND id = ANY(?::bigint[]) AND coalesce(resolution, '') = ? ORDER BY id`,
			b.actor.Book.ID, back, resolution)
		if err != nil {
			return err
		}
		if err := b.tell(ids, "returned", resolution, "as it was before statement %d, which was undone"); err != nil {
			return err
		}
	}
	return nil
}
