package store

import "fmt"

// matchesOfImport are the matches that go with an import: those of its lines, and what else was matched in its reconciliation.
const matchesOfImport = `
	SELECT m.id FROM matches m
	 WHERE m.book_id = @book AND m.account_id = @account AND m.live
	   AND (m.reconciliation_id = @home OR EXISTS (
	        SELECT FROM match_lines i JOIN statement_lines l ON l.book_id = i.book_id AND l.id = i.line_id AND l.statement_id = @statement
	         WHERE i.book_id = m.book_id AND i.match_id = m.id AND i.live))`

func (u *undoing) undo(reason string) (Undo, error) {
	undone := Undo{StatementID: u.statement, ReconciliationID: u.home, Reason: reason, By: u.actor.Name, At: u.store.now()}
	lines, err := u.countLines()
	if err != nil {
		return undone, err
	}
	b, err := u.look()
	if err != nil {
		return undone, err
	}
	for _, step := range []func() error{b.takeApart, u.mark, b.endOwn, b.bringBack, b.giveTypesBack, b.tellReturned} {
		if err := step(); err != nil {
			return undone, fmt.Errorf("undo statement %d: %w", u.statement, err)
		}
	}
	undone.Lines, undone.Matches, undone.Breaks = lines, len(b.matches), len(b.chosen)
	if _, err := exec(u.tx, `INSERT INTO statement_undos (book_id, statement_id, user_id, reason, lines, matches, breaks, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		u.actor.Book.ID, u.statement, u.actor.UserID, reason, undone.Lines, undone.Matches, undone.Breaks, undone.At); err != nil {
		return undone, err
	}
	if err := u.close(); err != nil {
		return undone, err
	}
	if err := u.matchRest(); err != nil {
		return undone, err
	}
	return undone, u.store.audit(u.tx, u.actor, "statement.undo", fmt.Sprintf("statement %d", u.statement),
		map[string]any{"reason": reason, "lines": undone.Lines, "matches": undone.Matches, "breaks": undone.Breaks})
}

// mark closes its reconciliation; the lines are marked once they are in no match and no break any more.
func (u *undoing) mark() error {
	_, err := exec(u.tx, `UPDATE reconciliations SET status = 'undone' WHERE book_id = ? AND id = ?`, u.actor.Book.ID, u.home)
	return err
}

// close marks the statement and its lines. The account is as before its first statement where no other is left.
func (u *undoing) close() error {
	if _, err := exec(u.tx, `UPDATE statements SET undone_at = ? WHERE book_id = ? AND id = ?`, u.store.now(), u.actor.Book.ID, u.statement); err != nil {
		return err
	}
	if _, err := exec(u.tx, `UPDATE statement_lines SET undone = true WHERE book_id = ? AND statement_id = ?`, u.actor.Book.ID, u.statement); err != nil {
		return err
	}
	if !u.made {
		return nil
	}
	_, err := exec(u.tx, `
		UPDATE accounts SET reconcile_from = NULL WHERE book_id = ? AND id = ? AND reconcile_from = ?
		   AND NOT EXISTS (SELECT FROM statements WHERE book_id = ? AND account_id = ? AND undone_at IS NULL)`,
		u.actor.Book.ID, u.account.ID, u.from, u.actor.Book.ID, u.account.ID)
	return err
}

// matchRest lets the account's latest reconciliation find a place for what has none now. One that is signed off or submitted takes nothing more:
// what it held has come back, and the rest waits for the next statement.
func (u *undoing) matchRest() error {
	rows, err := queryReconciliations(u.tx, u.actor.Book, `r.account_id = ? AND n.id = r.id`, u.account.ID)
	if err != nil || len(rows) == 0 {
		return err
	}
	if rows[0].Status != ReconciliationOpen {
		return rebalance(u.tx, u.actor.Book, u.account.ID)
	}
	if u.account, err = loadAccount(u.tx, u.actor.Book, u.account.Code, ""); err != nil {
		return err
	}
	return u.store.matchAgain(u.tx, u.actor, u.account, rows[0])
}
