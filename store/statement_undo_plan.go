package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// UndoPlan says what undoing an import would do: how many lines go, how many matches are taken apart, how many breaks go with it, and how
// many that were settled come back. Refusal is why it cannot be undone, nil when it can.
type UndoPlan struct {
	Statement                        Statement
	Lines, Matches, BreaksGone, Back int
	Refusal                          *ledger.Error
}

// PlanUndo looks at what undoing an import would do. Errors: KindForbidden, KindNotFound.
func (s *Store) PlanUndo(ctx context.Context, actor Actor, id int64) (plan UndoPlan, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return UndoPlan{}, err
	}
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		u, err := s.beginUndo(tx, actor, id, "")
		if err != nil {
			return err
		}
		items, err := loadStatements(tx, actor.Book, `s.id = ?`, id)
		if err != nil {
			return err
		}
		plan.Statement = items[0]
		if plan.Refusal, err = asRefusal(u.allowed()); err != nil || !u.undoneAt.IsZero() {
			return err
		}
		if plan.Lines, err = u.countLines(); err != nil {
			return err
		}
		b, err := u.look()
		plan.Matches, plan.BreaksGone, plan.Back = len(b.matches), len(b.own), len(b.chosen)
		return err
	})
	return plan, err
}

// asRefusal gives a refusal of the rules by itself, and any other error as one.
func asRefusal(err error) (*ledger.Error, error) {
	if refusal, ok := err.(*ledger.Error); ok && refusal.Kind != ledger.KindInternal {
		return refusal, nil
	}
	return nil, err
}

// look finds what an undo takes apart, ends and brings back, before any of that is done.
func (u *undoing) look() (*breaksBack, error) {
	b := &breaksBack{undoing: u}
	var err error
	if b.matches, err = query[int64](u.tx, matchesOfImport+` ORDER BY m.id`, u.args()); err != nil {
		return b, fmt.Errorf("find the matches of statement %d: %w", u.statement, err)
	}
	b.matches = append(array[int64]{}, b.matches...)
	if err := b.findOwn(); err != nil {
		return b, fmt.Errorf("find the breaks of statement %d: %w", u.statement, err)
	}
	if err := b.find(); err != nil {
		return b, fmt.Errorf("find what comes back without statement %d: %w", u.statement, err)
	}
	return b, nil
}

func (u *undoing) countLines() (int, error) {
	return queryOne[int](u.tx, "no count", `SELECT count(*) FROM statement_lines WHERE book_id = ? AND statement_id = ? AND NOT undone`, u.actor.Book.ID, u.statement)
}

// loadUndo gives what became of a statement that was undone, nil for one that was not.
func loadUndo(tx *gorm.DB, book Book, statementID, reconciliationID int64) (*Undo, error) {
	found, err := query[Undo](tx, undoSQL+` WHERE u.book_id = ? AND u.statement_id = ?`, book.ID, statementID)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	found[0].ReconciliationID, found[0].At = reconciliationID, found[0].At.UTC()
	return &found[0], nil
}

const undoSQL = `SELECT u.statement_id, u.lines, u.matches, u.breaks, u.reason, p.name AS by, u.at FROM statement_undos u JOIN users p ON p.id = u.user_id`

// addUndos is loadUndo for a list.
func addUndos(tx *gorm.DB, book Book, items []Reconciliation) error {
	byStatement := map[int64]*Reconciliation{}
	var ids array[int64]
	for i := range items {
		if items[i].Status == ReconciliationUndone {
			byStatement[items[i].Statement.ID] = &items[i]
			ids = append(ids, items[i].Statement.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := query[Undo](tx, undoSQL+` WHERE u.book_id = ? AND u.statement_id = ANY(?::bigint[])`, book.ID, ids)
	if err != nil {
		return fmt.Errorf("read what was undone: %w", err)
	}
	for _, undone := range found {
		r := byStatement[undone.StatementID]
		undone.ReconciliationID, undone.At = r.ID, undone.At.UTC()
		r.Undo = &undone
	}
	return nil
}
