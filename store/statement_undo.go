package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// ReconciliationUndone is the status of a reconciliation whose import was undone: nothing happens in it any more.
const ReconciliationUndone = "undone"

// Undo is what became of an import that was undone: what went with it, and the breaks that came back.
type Undo struct {
	StatementID      int64
	ReconciliationID int64
	Lines            int
	Matches          int
	Breaks           int
	Reason           string
	By               string
	At               time.Time
}

// UndoStatement undoes an import as a whole: its lines are gone, the matches of them are taken apart, and what these held is a break again, the
// one that it was where there was one. The same file can be uploaded again. Errors: KindForbidden, KindNotFound, KindInvalid for the reason,
// KindKeyReused, and KindIllegalTransition where it is undone already, where something of it is signed off or submitted, where a request about one of
// its breaks waits, and where a later statement depends on it, which the refusal names.
func (s *Store) UndoStatement(ctx context.Context, actor Actor, key string, id int64, reason string) (undone Undo, duplicate bool, err error) {
	if err := actor.Need(RightUpload); err != nil {
		return Undo{}, false, err
	}
	if err := ledger.CheckText("reason", reason, true); err != nil {
		return Undo{}, false, err
	}
	content := map[string]any{"statement_id": id, "reason": reason}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		undone, duplicate, err = once(s, tx, actor, key, "statement.undo", content, func() (Undo, error) {
			u, err := s.beginUndo(tx, actor, id, "FOR NO KEY UPDATE")
			if err != nil {
				return Undo{}, err
			}
			if err := u.allowed(); err != nil {
				return Undo{}, err
			}
			return u.undo(reason)
		})
		return err
	})
	return undone, duplicate, err
}

// undoing is one import that is being undone.
type undoing struct {
	store     *Store
	tx        *gorm.DB
	actor     Actor
	account   ledger.Account
	statement int64
	home      int64 // its reconciliation
	from, to  ledger.Date
	undoneAt  time.Time
	made      bool // it made the account reconcilable
}

func (u *undoing) args() map[string]any {
	return map[string]any{"book": u.actor.Book.ID, "account": u.account.ID, "statement": u.statement, "home": u.home}
}

// beginUndo finds an import, and holds its account.
func (s *Store) beginUndo(tx *gorm.DB, actor Actor, id int64, lock string) (*undoing, error) {
	found, err := queryOne[struct {
		Code                 string
		Home                 int64
		PeriodFrom, PeriodTo ledger.Date
	}](tx, fmt.Sprintf("book %s has no statement %d", actor.Book.Code, id), `
		SELECT a.code, r.id AS home, s.period_from, s.period_to
		  FROM statements s
		  JOIN accounts a ON a.book_id = s.book_id AND a.id = s.account_id
		  JOIN reconciliations r ON r.book_id = s.book_id AND r.statement_id = s.id
		 WHERE s.book_id = ? AND s.id = ?`, actor.Book.ID, id)
	if err != nil {
		return nil, err
	}
	u := &undoing{store: s, tx: tx, actor: actor, statement: id, home: found.Home, from: found.PeriodFrom, to: found.PeriodTo}
	if u.account, err = loadAccount(tx, actor.Book, found.Code, lock); err != nil {
		return nil, err
	}
	// Only now does it stay as it is.
	state, err := queryOne[struct {
		UndoneAt         time.Time
		MadeReconcilable bool
	}](tx, "the statement is gone", `SELECT undone_at, made_reconcilable FROM statements WHERE book_id = ? AND id = ?`, actor.Book.ID, id)
	u.undoneAt, u.made = state.UndoneAt, state.MadeReconcilable
	return u, err
}
