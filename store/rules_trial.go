package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"daybook/recon"
	"daybook/store/ledger"
)

// RulesTrial is what matching an account again by other rules would change. ReconciliationID is the newest of the account, 0 where none is
// open: then the rules are for the next statement, and nothing was tried.
type RulesTrial struct {
	Account          ledger.Account
	ReconciliationID int64
	ScopeTo          ledger.Date
	Before, After    TrialFindings
	Booked           int   // entries that would be posted
	BookedMinor      int64 // by how much they would move the account
}

// TrialFindings is what a reconciliation holds: matches by kind, breaks that are not resolved by type, and what its proof leaves unexplained.
type TrialFindings struct {
	Matches          map[recon.Kind]int
	Breaks           map[recon.BreakType]int
	UnexplainedMinor int64
}

// errTried ends a transaction of which nothing is to stay.
var errTried = errors.New("only tried")

// TryAccountRules matches the newest reconciliation of an account by rules that are not set, and lets nothing of it stay. Errors:
// KindForbidden, KindUnknownAccount, and KindInvalid as of SetAccountRules.
func (s *Store) TryAccountRules(ctx context.Context, actor Actor, code string, rules recon.Rules) (trial RulesTrial, err error) {
	if err := actor.Need(RightAccounts); err != nil {
		return RulesTrial{}, err
	}
	rules.Prefixes = tidyPrefixes(rules.Prefixes)
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		trial = RulesTrial{}
		account, err := holdAccount(tx, actor.Book, storable(code))
		if err != nil {
			return err
		}
		if err := checkRules(tx, actor.Book, account, rules); err != nil {
			return err
		}
		trial.Account = account
		rows, err := queryReconciliations(tx, actor.Book, `r.account_id = ? AND n.id = r.id`, account.ID)
		if err != nil || len(rows) == 0 || rows[0].Status != ReconciliationOpen {
			return err
		}
		if err := s.try(tx, actor, &trial, rows[0], rules); err != nil {
			return err
		}
		return errTried
	})
	if errors.Is(err, errTried) {
		err = nil
	}
	return trial, err
}

// try matches, in a transaction that is rolled back.
func (s *Store) try(tx *gorm.DB, actor Actor, trial *RulesTrial, row reconciliationRow, rules recon.Rules) (err error) {
	trial.ReconciliationID, trial.ScopeTo = row.ID, row.ScopeTo
	if trial.Before, err = findingsOf(tx, actor.Book, row.ID); err != nil {
		return err
	}
	latest, err := latestRules(tx, actor.Book, trial.Account.ID)
	if err != nil {
		return err
	}
	rules.Version = latest.Version + 1
	// Whoever sets rules may not post what they book; the trial is as it will be for who may.
	actor.Roles, actor.Only = append(slices.Clip(actor.Roles), Preparer), nil
	r, err := s.matchBy(tx, actor, trial.Account, row, rules)
	if err != nil {
		return err
	}
	trial.Booked, trial.BookedMinor = len(r.booked), r.bookedMinor
	trial.After, err = findingsOf(tx, actor.Book, row.ID)
	return err
}

func findingsOf(tx *gorm.DB, book Book, id int64) (TrialFindings, error) {
	found := TrialFindings{Matches: map[recon.Kind]int{}, Breaks: map[recon.BreakType]int{}}
	kinds, err := query[struct {
		Kind    recon.Kind
		Matches int
	}](tx, `SELECT kind, count(*) AS matches FROM matches WHERE book_id = ? AND reconciliation_id = ? AND live GROUP BY kind`, book.ID, id)
	if err != nil {
		return found, fmt.Errorf("count the matches of reconciliation %d: %w", id, err)
	}
	for _, k := range kinds {
		found.Matches[k.Kind] = k.Matches
	}
	items, err := loadProofs(tx, book, `r.id = ?`, id)
	if err != nil {
		return found, err
	}
	for _, sum := range items[0].Breaks {
		if sum.Status != recon.Resolved {
			found.Breaks[sum.Type] += sum.Breaks
		}
	}
	found.UnexplainedMinor = items[0].Proof.UnexplainedMinor
	return found, nil
}
