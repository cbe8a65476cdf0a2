package store

import (
	"fmt"

	"daybook/recon"
	"daybook/store/ledger"
)

// allowed refuses to undo an import on which something rests that would not stand without it.
func (u *undoing) allowed() error {
	if !u.undoneAt.IsZero() {
		return ledger.Refuse(ledger.KindIllegalTransition, "statement %d is undone already", u.statement).With("statement_id", u.statement)
	}
	for _, rule := range []func() error{u.notSignedOff, u.nothingWaits, u.nothingKnownByIt, u.nothingGoesOnFromIt} {
		if err := rule(); err != nil {
			return err
		}
	}
	return nil
}

// notSignedOff looks at its own reconciliation, at those that hold something of it, and at those that speak for a later time: their proofs are
// over all of the account up to their end.
func (u *undoing) notSignedOff() error {
	closed, err := query[struct {
		ID     int64
		Status string
	}](u.tx, `
		SELECT r.id, r.status FROM reconciliations r
		 WHERE r.book_id = @book AND r.account_id = @account AND r.status IN ('submitted', 'signed_off')
		   AND (r.id = @home OR r.scope_to >= (SELECT h.scope_to FROM reconciliations h WHERE h.book_id = @book AND h.id = @home)
		        OR EXISTS (SELECT FROM statement_lines l JOIN match_lines i ON i.book_id = l.book_id AND i.line_id = l.id AND i.live
		                     JOIN matches m ON m.book_id = i.book_id AND m.id = i.match_id
		                    WHERE l.book_id = @book AND l.statement_id = @statement AND m.reconciliation_id = r.id)
		        OR EXISTS (SELECT FROM statement_lines l JOIN break_lines i ON i.book_id = l.book_id AND i.line_id = l.id
		                     JOIN reconciliation_breaks h ON h.book_id = i.book_id AND h.break_id = i.break_id
		                    WHERE l.book_id = @book AND l.statement_id = @statement AND h.reconciliation_id = r.id))
		 ORDER BY r.id <> @home, r.scope_to, r.id LIMIT 1`, u.args())
	if err != nil {
		return fmt.Errorf("look for what is signed off of statement %d: %w", u.statement, err)
	}
	if len(closed) == 0 {
		return nil
	}
	return notOpen(closed[0].ID, closed[0].Status)
}

func (u *undoing) nothingWaits() error {
	waiting, err := query[int64](u.tx, `
		SELECT b.id FROM statement_lines l
		  JOIN break_lines i ON i.book_id = l.book_id AND i.line_id = l.id AND i.live
		  JOIN breaks b ON b.book_id = i.book_id AND b.id = i.break_id AND b.status = 'waiting_for_approval'
		 WHERE l.book_id = @book AND l.statement_id = @statement ORDER BY b.id LIMIT 1`, u.args())
	if err != nil || len(waiting) == 0 {
		return err
	}
	return ledger.Refuse(ledger.KindIllegalTransition, "break %d, of a line of this statement, waits for approval: have that decided, or recall it, first", waiting[0]).
		With("break_id", waiting[0])
}

func (u *undoing) nothingKnownByIt() error {
	later, err := query[struct {
		StatementID int64
		Rows        int
	}](u.tx, `
		SELECT k.statement_id, count(*) AS rows FROM statement_rows k
		  JOIN statements s ON s.book_id = k.book_id AND s.id = k.statement_id AND s.undone_at IS NULL
		 WHERE k.book_id = @book AND k.known_statement_id = @statement GROUP BY k.statement_id ORDER BY k.statement_id DESC LIMIT 1`, u.args())
	if err != nil || len(later) == 0 {
		return err
	}
	return u.depends(later[0].StatementID, fmt.Sprintf("%d of its rows are stored by this one", later[0].Rows))
}

// nothingGoesOnFromIt looks for a statement without a balance of its own, whose balance goes on from the one of this.
func (u *undoing) nothingGoesOnFromIt() error {
	later, err := query[int64](u.tx, `
		SELECT r.statement_id FROM reconciliations r
		 CROSS JOIN LATERAL (
		       SELECT p.id FROM reconciliations p
		        WHERE p.book_id = r.book_id AND p.account_id = r.account_id AND p.id < r.id AND p.scope_to <= r.scope_to AND p.status <> 'undone'
		        ORDER BY p.scope_to DESC, p.id DESC LIMIT 1) p
		 WHERE r.book_id = @book AND r.account_id = @account AND r.balance_source = @previous AND r.status <> 'undone' AND p.id = @home
		 ORDER BY r.statement_id DESC LIMIT 1`, map[string]any{"book": u.actor.Book.ID, "account": u.account.ID, "home": u.home, "previous": recon.PreviousClosing})
	if err != nil || len(later) == 0 {
		return err
	}
	return u.depends(later[0], "it states no balance, and goes on from the balance of this one")
}

func (u *undoing) depends(later int64, why string) error {
	return ledger.Refuse(ledger.KindIllegalTransition, "statement %d depends on this one: %s. Undo statement %d first", later, why, later).With("depends_statement_id", later)
}
