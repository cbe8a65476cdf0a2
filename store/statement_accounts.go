package store

import (
	"context"
	"fmt"

	"daybook/store/ledger"
)

// StatementAccounts lists the open accounts that take statements, MaxPage at most: first those that have some, then assets, then liabilities, each
// by code. The account of a code that is wanted is among them wherever its place is, "" for none; more reports whether others are left out.
func (s *Store) StatementAccounts(ctx context.Context, actor Actor, wanted string) (accounts []ledger.Account, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	accounts, err = query[ledger.Account](s.db.WithContext(ctx), `
		SELECT `+accountColumns+` FROM accounts a
		 WHERE a.book_id = ? AND a.type IN (?, ?) AND a.closed_at IS NULL
		 ORDER BY a.code <> ?, NOT EXISTS (SELECT FROM statements s WHERE s.book_id = a.book_id AND s.account_id = a.id AND s.undone_at IS NULL),
		          a.type <> ?, a.code COLLATE "C" LIMIT ?`,
		actor.Book.ID, ledger.Asset, ledger.Liability, wanted, ledger.Asset, MaxPage+1)
	if err != nil {
		return nil, false, fmt.Errorf("list accounts that take statements: %w", err)
	}
	if more = len(accounts) > MaxPage; more {
		accounts = accounts[:MaxPage]
	}
	return accounts, more, nil
}
