package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// RenameAccount gives an account another name; entries name accounts by code, so what is recorded stays as it was. Errors: KindForbidden,
// KindUnknownAccount, KindInvalid, KindKeyReused.
func (s *Store) RenameAccount(ctx context.Context, actor Actor, key, code, name string) (ledger.Account, error) {
	content := map[string]any{"account": code, "name": name}
	return s.changeAccount(ctx, actor, key, "account.rename", code, content, func(tx *gorm.DB, account ledger.Account) error {
		renamed := account
		renamed.Name = name
		if err := renamed.Check(); err != nil || name == account.Name {
			return err
		}
		return s.setAccount(tx, actor, account, "account.rename", "name", name, map[string]any{"name": name, "former name": account.Name})
	})
}

// CloseAccount has an account take no more entries. It must have nothing left: no balance today or on any later day, and no open break.
// Statements can still be held against it. Errors: KindForbidden, KindUnknownAccount, KindIllegalTransition, KindKeyReused.
func (s *Store) CloseAccount(ctx context.Context, actor Actor, key, code string) (ledger.Account, error) {
	content := map[string]any{"account": code, "closed": true}
	return s.changeAccount(ctx, actor, key, "account.close", code, content, func(tx *gorm.DB, account ledger.Account) error {
		if account.Closed {
			return ledger.Refuse(ledger.KindIllegalTransition, "account %s is closed already", code)
		}
		if err := s.canClose(tx, actor.Book, account); err != nil {
			return err
		}
		return s.setAccount(tx, actor, account, "account.close", "closed_at", s.now(), nil)
	})
}

// ReopenAccount has a closed account take entries again. Errors: KindForbidden, KindUnknownAccount, KindIllegalTransition, KindKeyReused.
func (s *Store) ReopenAccount(ctx context.Context, actor Actor, key, code string) (ledger.Account, error) {
	content := map[string]any{"account": code, "closed": false}
	return s.changeAccount(ctx, actor, key, "account.reopen", code, content, func(tx *gorm.DB, account ledger.Account) error {
		if !account.Closed {
			return ledger.Refuse(ledger.KindIllegalTransition, "account %s is open already", code)
		}
		return s.setAccount(tx, actor, account, "account.reopen", "closed_at", nil, nil)
	})
}

// EndAccount closes an account for whoever runs a command of administration. Errors: KindUnknownAccount, KindIllegalTransition.
func (s *Store) EndAccount(ctx context.Context, book Book, code string) error {
	_, err := s.CloseAccount(ctx, operatorOf(book), "", code)
	return err
}

// ResumeAccount opens a closed account again. Errors: KindUnknownAccount, KindIllegalTransition.
func (s *Store) ResumeAccount(ctx context.Context, book Book, code string) error {
	_, err := s.ReopenAccount(ctx, operatorOf(book), "", code)
	return err
}

// SetNoNegative says whether an account may ever have a balance on the side that is not normal for its type. Forbidding it needs that it
// has had none on any day so far. Errors: KindForbidden, KindUnknownAccount, KindInsufficientFunds, KindKeyReused.
func (s *Store) SetNoNegative(ctx context.Context, actor Actor, key, code string, noNegative bool) (ledger.Account, error) {
	content := map[string]any{"account": code, "no_negative": noNegative}
	return s.changeAccount(ctx, actor, key, "account.no-negative", code, content, func(tx *gorm.DB, account ledger.Account) error {
		if noNegative == account.NoNegative {
			return nil
		}
		if noNegative {
			if err := neverNegative(tx, actor.Book, account); err != nil {
				return err
			}
		}
		return s.setAccount(tx, actor, account, "account.no-negative", "no_negative", noNegative, map[string]any{"no_negative": noNegative})
	})
}

// changeAccount does one thing to an account. Nobody posts to the book meanwhile: the account's row is held, as resolving a break holds it,
// and then the head.
func (s *Store) changeAccount(ctx context.Context, actor Actor, key, operation, code string, content any,
	change func(tx *gorm.DB, account ledger.Account) error) (changed ledger.Account, err error) {
	if err := actor.Need(RightAccounts); err != nil {
		return ledger.Account{}, err
	}
	code = storable(code)
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		changed, _, err = once(s, tx, actor, key, operation, content, func() (ledger.Account, error) {
			account, err := holdAccount(tx, actor.Book, code)
			if err != nil {
				return account, err
			}
			if _, err := lockHead(tx, actor.Book.ID); err != nil {
				return account, fmt.Errorf("take the head of book %s: %w", actor.Book.Code, err)
			}
			if err := change(tx, account); err != nil {
				return account, err
			}
			return loadAccount(tx, actor.Book, code, "")
		})
		return err
	})
	return changed, err
}

// setAccount writes one column of an account, which is a constant of this file, and notes it in the audit log.
func (s *Store) setAccount(tx *gorm.DB, actor Actor, account ledger.Account, action, column string, value any, detail map[string]any) error {
	if _, err := exec(tx, `UPDATE accounts SET `+column+` = ? WHERE book_id = ? AND id = ?`, value, actor.Book.ID, account.ID); err != nil {
		return fmt.Errorf("change account %s: %w", account.Code, err)
	}
	return s.audit(tx, actor, action, "account "+account.Code, detail)
}

// dailyBalances are the balances of an account at the end of each day that moved it, for what is asked of all of them.
const dailyBalances = `
	SELECT d.effective_on, sum(sum(d.debit_minor) - sum(d.credit_minor)) OVER (ORDER BY d.effective_on) AS balance_minor
	  FROM account_days d WHERE d.book_id = @book AND d.account_id = @account GROUP BY d.effective_on`

type dailyBalance struct {
	EffectiveOn  ledger.Date
	BalanceMinor int64
}

// canClose refuses an account that has something left, saying what.
func (s *Store) canClose(tx *gorm.DB, book Book, account ledger.Account) error {
	today := ledger.DateOf(s.now())
	left, err := query[dailyBalance](tx, `
		SELECT x.effective_on, x.balance_minor FROM (`+dailyBalances+`) x
		 WHERE x.balance_minor <> 0 AND (x.effective_on > @today OR x.effective_on = (SELECT max(d.effective_on) FROM account_days d
		       WHERE d.book_id = @book AND d.account_id = @account AND d.effective_on <= @today))
		 ORDER BY x.effective_on LIMIT 1`, map[string]any{"book": book.ID, "account": account.ID, "today": today})
	if err != nil {
		return fmt.Errorf("look for a balance of account %s: %w", account.Code, err)
	}
	if len(left) > 0 {
		return ledger.Refuse(ledger.KindIllegalTransition, "account %s has a balance of %s %s on %s: bring it to zero first, then close it",
			account.Code, ledger.FormatAmount(left[0].BalanceMinor, account.Currency), account.Currency, max(left[0].EffectiveOn.String(), today.String()))
	}
	breaks, err := queryOne[int](tx, "no count", `SELECT count(*) FROM breaks WHERE book_id = ? AND account_id = ? AND live AND status <> 'resolved'`, book.ID, account.ID)
	if err != nil {
		return fmt.Errorf("count the breaks of account %s: %w", account.Code, err)
	}
	if breaks > 0 {
		return ledger.Refuse(ledger.KindIllegalTransition, "account %s has open breaks, %d of them: resolve them first, then close it", account.Code, breaks)
	}
	return nil
}

// neverNegative refuses an account that had a balance on the other side of zero on some day, naming the first.
func neverNegative(tx *gorm.DB, book Book, account ledger.Account) error {
	abnormal := `x.balance_minor > 0`
	if account.Type.DebitNormal() {
		abnormal = `x.balance_minor < 0`
	}
	lacks, err := query[dailyBalance](tx, `SELECT x.effective_on, x.balance_minor FROM (`+dailyBalances+`) x WHERE `+abnormal+` ORDER BY x.effective_on LIMIT 1`,
		map[string]any{"book": book.ID, "account": account.ID})
	if err != nil {
		return fmt.Errorf("look for a lack on account %s: %w", account.Code, err)
	}
	if len(lacks) > 0 {
		return ledger.Refuse(ledger.KindInsufficientFunds, "account %s had a balance of %s %s on %s", account.Code,
			ledger.FormatAmount(lacks[0].BalanceMinor, account.Currency), account.Currency, lacks[0].EffectiveOn).
			At("no_negative", "cannot be set: on %s the account stood at %s, on the other side of zero", lacks[0].EffectiveOn,
				ledger.FormatAmount(lacks[0].BalanceMinor, account.Currency))
	}
	return nil
}
