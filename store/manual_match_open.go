package store

import (
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// standing says what break a set makes: one line or posting what the last pass of the matching would call it, several one of the type. why
// is told where the type does not say it.
func (w *handwork) standing(set handSet, t recon.BreakType, why string) (standingBreak, error) {
	minor, err := w.difference(set)
	if err != nil {
		return standingBreak{}, err
	}
	first, _ := set.days()
	stands := standingBreak{Type: t, DifferenceMinor: minor, Since: first, Why: why}
	if set.count() > 1 {
		return stands, nil
	}
	if err := w.findLatest(); err != nil {
		return standingBreak{}, err
	}
	alone, timing, resolution := recon.Alone(len(set.lines) == 1, first, w.latest, w.rules)
	stands.Type, stands.Resolution = alone, resolution
	if timing != "" {
		stands.Why = timing
	}
	return stands, nil
}

// findLatest looks up, once, the time that the account's statements speak for, and the rules that its latest matching went by.
func (w *handwork) findLatest() error {
	if !w.latest.To.IsZero() {
		return nil
	}
	r := &run{store: w.store, tx: w.tx, actor: w.actor, account: w.account, id: w.home.ID}
	if err := r.findLatest(); err != nil {
		return err
	}
	text, err := queryOne[string](w.tx, "the account has no reconciliation", `SELECT rules::text FROM reconciliations WHERE book_id = ? AND id = ?`, w.actor.Book.ID, r.latest)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), &w.rules); err != nil {
		return fmt.Errorf("read the rules of reconciliation %d: %w", r.latest, err)
	}
	w.latest = recon.Period{From: r.period.From, To: r.period.To, Stated: r.period.Stated}
	return nil
}

// open makes a new break of each set, found by the reconciliation in which the work is done. A posting outside the time that the account's
// statements speak for is no break.
func (w *handwork) open(sets []handSet, why string) error {
	for _, set := range sets {
		outside, err := w.outside(set)
		if err == nil && outside {
			err = w.assume(set.postings, 1)
		}
		if err != nil {
			return err
		}
		if outside {
			continue
		}
		stands, err := w.standing(set, recon.Ambiguous, why)
		if err != nil {
			return err
		}
		if err := w.insertBreak(set, stands, why); err != nil {
			return fmt.Errorf("open a break: %w", err)
		}
	}
	return nil
}

// outside reports whether a set is one posting that the account's statements do not speak for.
func (w *handwork) outside(set handSet) (bool, error) {
	if len(set.lines) > 0 || len(set.postings) != 1 {
		return false, nil
	}
	if err := w.findLatest(); err != nil {
		return false, err
	}
	day := set.postings[0].EffectiveOn
	return day.Before(w.account.ReconcileFrom) || day.After(w.latest.To), nil
}

func (w *handwork) insertBreak(set handSet, stands standingBreak, note string) error {
	id, err := nextNumber(w.tx, w.actor.Book.ID, "break", 1)
	if err != nil {
		return err
	}
	now := w.store.now()
	if _, err := exec(w.tx, `
		INSERT INTO breaks (book_id, id, account_id, type, difference_minor, currency, why, first_seen_on, since, reconciliation_id, status, live, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', true, ?)`,
		w.actor.Book.ID, id, w.account.ID, stands.Type, stands.DifferenceMinor, w.account.Currency, stands.Why, ledger.DateOf(now), stands.Since, w.home.ID, now); err != nil {
		return err
	}
	if _, err := exec(w.tx, `INSERT INTO break_lines (book_id, break_id, line_id, live) SELECT ?, ?, u.id, true FROM unnest(?::bigint[]) AS u (id)`,
		w.actor.Book.ID, id, set.lineIDs()); err != nil {
		return err
	}
	seqs, lines := set.postingRefs()
	if _, err := exec(w.tx, `INSERT INTO break_postings (book_id, break_id, seq, line, live) SELECT ?, ?, u.seq, u.line, true FROM unnest(?::bigint[], ?::integer[]) AS u (seq, line)`,
		w.actor.Book.ID, id, seqs, lines); err != nil {
		return err
	}
	if err := w.store.addBreakEvent(w.tx, w.actor, id, breakEvent{Event: "found", Type: stands.Type, Note: note}); err != nil {
		return err
	}
	if err := w.carry(id, stands); err != nil {
		return err
	}
	return w.hold(id)
}

// carry resolves a break that is timing, as it would be born.
func (w *handwork) carry(id int64, stands standingBreak) error {
	if stands.Resolution == "" {
		return nil
	}
	if _, err := exec(w.tx, `UPDATE breaks SET status = ?, resolution = ? WHERE book_id = ? AND id = ?`, recon.Resolved, stands.Resolution, w.actor.Book.ID, id); err != nil {
		return fmt.Errorf("carry break %d forward: %w", id, err)
	}
	return w.store.addBreakEvent(w.tx, Actor{Book: w.actor.Book}, id,
		breakEvent{Event: "resolved", Resolution: stands.Resolution, Note: "near the end of the period: expected on the next statement"})
}

// hold puts breaks into the reconciliations that they are a difference of.
func (w *handwork) hold(ids ...int64) error {
	return holdBreaks(w.tx, w.actor.Book, w.account.ID, ids, w.home.ID)
}

// holdBreaks puts breaks into the reconciliation in which they come up, and into all those of the account that are not signed off and have
// something of them inside at their end: what a later file brought is not in the balance of one that was submitted before.
func holdBreaks(tx *gorm.DB, book Book, accountID int64, ids array[int64], home int64) error {
	if _, err := exec(tx, `
		INSERT INTO reconciliation_breaks (book_id, reconciliation_id, break_id)
		SELECT b.book_id, r.id, b.id
		  FROM reconciliations r
		  JOIN statements s ON s.book_id = r.book_id AND s.id = r.statement_id
		  JOIN breaks b ON b.book_id = r.book_id AND b.id = ANY(CAST(@ids AS bigint[])) AND (b.since <= r.scope_to OR r.id = @home)
		 WHERE r.book_id = @book AND r.account_id = @account
		   AND (r.id = @home OR r.status <> @signed AND s.undone_at IS NULL
		        AND (EXISTS (SELECT FROM break_lines i JOIN statement_lines l ON l.book_id = i.book_id AND l.id = i.line_id
		                      WHERE i.book_id = b.book_id AND i.break_id = b.id AND i.live AND l.booked_on <= r.scope_to
		                        AND (l.statement_id <= r.statement_id OR r.balance_source = 'stated' OR r.status = 'open'))
		             OR EXISTS (SELECT FROM break_postings o JOIN entries e ON e.book_id = o.book_id AND e.seq = o.seq
		                         WHERE o.book_id = b.book_id AND o.break_id = b.id AND o.live AND e.effective_on <= r.scope_to AND `+countsSQL+`)))
		ON CONFLICT (book_id, reconciliation_id, break_id) DO NOTHING`,
		map[string]any{"book": book.ID, "account": accountID, "ids": ids, "home": home, "signed": ReconciliationSignedOff}); err != nil {
		return fmt.Errorf("put breaks into reconciliations: %w", err)
	}
	return nil
}
