package store

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// RunMatching matches an account's newest reconciliation again, with what the journal holds and by the rules that the account has by now. Errors: KindForbidden,
// KindNotFound, KindIllegalTransition for an older reconciliation and for one that is not open.
func (s *Store) RunMatching(ctx context.Context, actor Actor, id int64) error {
	if err := actor.Need(RightResolve); err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		code, err := queryOne[string](tx, fmt.Sprintf("book %s has no reconciliation %d", actor.Book.Code, id), `
			SELECT a.code FROM reconciliations r JOIN accounts a ON a.book_id = r.book_id AND a.id = r.account_id WHERE r.book_id = ? AND r.id = ?`,
			actor.Book.ID, id)
		if err != nil {
			return err
		}
		account, err := holdAccount(tx, actor.Book, code)
		if err != nil {
			return err
		}
		rows, err := queryReconciliations(tx, actor.Book, `r.id = ?`, id)
		if err != nil {
			return err
		}
		if err := needOpen(tx, actor.Book, id); err != nil {
			return err
		}
		if row := rows[0]; row.Latest {
			return s.matchAgain(tx, actor, account, row)
		}
		return ledger.Refuse(ledger.KindIllegalTransition, "account %s has a later reconciliation: run the matching there", account.Code)
	})
}

// matchAgain matches a reconciliation again by the rules that its account has now.
func (s *Store) matchAgain(tx *gorm.DB, actor Actor, account ledger.Account, row reconciliationRow) error {
	rules, err := latestRules(tx, actor.Book, account.ID)
	if err != nil {
		return err
	}
	r, err := s.matchBy(tx, actor, account, row, rules)
	if err != nil {
		return err
	}
	return s.audit(tx, actor, "reconciliation.match", fmt.Sprintf("reconciliation %d", row.ID), map[string]any{"entry": r.seq, "rules_version": rules.Version})
}

func (s *Store) matchBy(tx *gorm.DB, actor Actor, account ledger.Account, row reconciliationRow, rules recon.Rules) (*run, error) {
	r := &run{store: s, tx: tx, actor: actor, account: account, id: row.ID, ends: row.ScopeTo, rules: rules}
	if err := r.findLatest(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(rules)
	if err != nil {
		return nil, err
	}
	if err := r.match(); err != nil {
		return nil, err
	}
	ledgerMinor, err := r.ledgerBalance(row.ScopeTo)
	if err != nil {
		return nil, err
	}
	if _, err := exec(tx, `UPDATE reconciliations SET ledger_seq = ?, ledger_minor = ?, rules = CAST(? AS jsonb) WHERE book_id = ? AND id = ?`,
		r.seq, ledgerMinor, string(text), actor.Book.ID, row.ID); err != nil {
		return nil, err
	}
	if err := countPostings(tx, actor.Book, account.ID, r.counted); err != nil {
		return nil, err
	}
	if err := rebalance(tx, actor.Book, account.ID); err != nil {
		return nil, err
	}
	return r, r.checkSums()
}
