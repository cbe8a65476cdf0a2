package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Where no statement says what the bank had before the first one, that is taken to be what the ledger had, less what is found since: a
// posting of before that is in a match or in a break is not what the bank had then. So the balance per statement changes with what is found,
// as far as the reconciliation counts the posting and is open.

// assumption is a reconciliation's balance per statement, and what of it is assumed.
type assumption struct {
	ID             int64
	StatementMinor int64
	AssumedFrom    ledger.Date // zero where a bank stated a balance
	AssumedMinor   int64
	LedgerSeq      int64
	ScopeTo        ledger.Date
}

// with is the assumption with another amount assumed. Error: KindAmountOverflow.
func (a assumption) with(minor int64) (assumption, error) {
	change, ok := ledger.Add(minor, -a.AssumedMinor)
	if ok {
		a.StatementMinor, ok = ledger.Add(a.StatementMinor, change)
	}
	if !ok {
		return a, ledger.Refuse(ledger.KindAmountOverflow, "the balance per statement is beyond the largest amount")
	}
	a.AssumedMinor = minor
	return a, nil
}

// openAssumptions are those of the open reconciliations of an account that assumed something.
func openAssumptions(tx *gorm.DB, book Book, accountID int64) ([]assumption, error) {
	found, err := query[assumption](tx, `
		SELECT id, statement_minor, assumed_from, assumed_minor, ledger_seq, scope_to FROM reconciliations
		 WHERE book_id = ? AND account_id = ? AND status = ? AND assumed_from IS NOT NULL ORDER BY id`, book.ID, accountID, ReconciliationOpen)
	if err != nil {
		return nil, fmt.Errorf("read what was assumed of an account: %w", err)
	}
	return found, nil
}

// assume stores what changed of an assumption.
func (a assumption) assume(tx *gorm.DB, book Book, minor int64) error {
	if minor == a.AssumedMinor {
		return nil
	}
	a, err := a.with(minor)
	if err != nil {
		return err
	}
	if _, err := exec(tx, `UPDATE reconciliations SET statement_minor = ?, assumed_minor = ? WHERE book_id = ? AND id = ?`, a.StatementMinor, a.AssumedMinor, book.ID, a.ID); err != nil {
		return fmt.Errorf("change what reconciliation %d assumes: %w", a.ID, err)
	}
	return nil
}

// takenPosting is a posting that a reconciliation counts though it came after its matching.
type takenPosting struct {
	ReconciliationID, Seq int64
	Line                  int
}

func loadTakenIn(tx *gorm.DB, book Book, accountID int64) (map[takenPosting]bool, error) {
	rows, err := query[takenPosting](tx, `
		SELECT t.reconciliation_id, t.seq, t.line
		  FROM reconciliations r JOIN reconciliation_postings t ON t.book_id = r.book_id AND t.reconciliation_id = r.id
		 WHERE r.book_id = ? AND r.account_id = ? AND r.assumed_from IS NOT NULL`, book.ID, accountID)
	if err != nil {
		return nil, fmt.Errorf("read which postings count early: %w", err)
	}
	taken := map[takenPosting]bool{}
	for _, row := range rows {
		taken[row] = true
	}
	return taken, nil
}

// assume is rebalance for postings that are found by hand (sign -1), or not any more (1).
func (w *handwork) assume(postings []handPosting, sign int64) error {
	if len(postings) == 0 {
		return nil
	}
	open, err := openAssumptions(w.tx, w.actor.Book, w.account.ID)
	if err != nil || len(open) == 0 {
		return err
	}
	taken, err := loadTakenIn(w.tx, w.actor.Book, w.account.ID)
	if err != nil {
		return err
	}
	for _, a := range open {
		minor := a.AssumedMinor
		for _, p := range postings {
			if p.EffectiveOn.Before(a.AssumedFrom) && !p.EffectiveOn.After(a.ScopeTo) && (p.Seq <= a.LedgerSeq || taken[takenPosting{a.ID, p.Seq, p.Line}]) {
				minor += sign * p.AmountMinor // part of the account's turnover, which is bounded
			}
		}
		if err := a.assume(w.tx, w.actor.Book, minor); err != nil {
			return err
		}
	}
	return nil
}
