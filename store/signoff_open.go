package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// The statuses of a reconciliation. Only in an open one is anything matched or taken apart.
const (
	ReconciliationOpen      = "open"
	ReconciliationSubmitted = "submitted"
	ReconciliationSignedOff = "signed_off"
)

// needOpen refuses to change the matches or lines of reconciliations that are submitted or signed off. The caller holds the account, which
// submitting and signing off hold too. Error: KindIllegalTransition, with the reconciliation and its status.
func needOpen(tx *gorm.DB, book Book, ids ...int64) error {
	closed, err := query[struct {
		ID     int64
		Status string
	}](tx, `SELECT id, status FROM reconciliations WHERE book_id = ? AND id = ANY(?::bigint[]) AND status <> ? ORDER BY id LIMIT 1`,
		book.ID, array[int64](ids), ReconciliationOpen)
	if err != nil {
		return fmt.Errorf("look whether reconciliations %d are open: %w", ids, err)
	}
	if len(closed) == 0 {
		return nil
	}
	return notOpen(closed[0].ID, closed[0].Status)
}

func notOpen(id int64, status string) error {
	done := "signed off: what it says is kept as it was. Reopen it, with a reason, to change it"
	switch status {
	case ReconciliationSubmitted:
		done = "submitted for sign-off: take it back, with a reason, to change it"
	case ReconciliationUndone:
		done = "undone with its import: nothing is left of it to work on"
	}
	return ledger.Refuse(ledger.KindIllegalTransition, "reconciliation %d is %s", id, done).With("reconciliation_id", id).With("status", status)
}
