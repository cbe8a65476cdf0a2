package store

import (
	"context"
	"fmt"

	"daybook/store/ledger"
)

// AccountFilter narrows the list of accounts; zero fields do not. Text is looked for in code and name, in whatever case. After is the code
// that the page begins behind.
type AccountFilter struct {
	Text   string
	Type   ledger.AccountType
	Status AccountStatus
	After  string
	Limit  int
}

// AccountStatus says whether an account takes entries.
type AccountStatus string

// The states of an account.
const (
	AccountOpen   AccountStatus = "open"
	AccountClosed AccountStatus = "closed"
)

// AccountSummary is an account as the list shows it, over all entries: its turnover, and the last day that an entry and that a statement
// reaches. A zero day is that of an account without any.
type AccountSummary struct {
	ledger.Account
	ledger.Turnover
	LastPostedOn  ledger.Date
	LastStatement ledger.Date
}

// AccountSummaries lists accounts by type, in the order of a trial balance, then by code; found counts all that the filter finds, and more
// reports whether others follow the page.
func (s *Store) AccountSummaries(ctx context.Context, actor Actor, f AccountFilter) (items []AccountSummary, found int64, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, 0, false, err
	}
	limit := pageSize(f.Limit)
	where, args := f.where(actor.Book)
	args["limit"] = limit + 1
	db := s.db.WithContext(ctx)
	if found, err = queryOne[int64](db, "no count", `SELECT count(*) FROM accounts a WHERE `+where, args); err != nil {
		return nil, 0, false, fmt.Errorf("count accounts: %w", err)
	}
	items, err = query[AccountSummary](db, `
		WITH page AS MATERIALIZED (
			SELECT a.* FROM accounts a
			 WHERE `+where+` AND (@after = '' OR (`+typeRank+`, a.code COLLATE "C") > (
			       SELECT `+typeRank+`, a.code COLLATE "C" FROM accounts a WHERE a.book_id = @book AND a.code = @after))
			 ORDER BY `+typeRank+`, a.code COLLATE "C" LIMIT @limit)
		SELECT `+accountColumns+`, coalesce(t.debit_minor, 0) AS debit_minor, coalesce(t.credit_minor, 0) AS credit_minor,
		       (SELECT max(d.effective_on) FROM account_days d WHERE d.book_id = a.book_id AND d.account_id = a.id) AS last_posted_on,
		       (SELECT max(s.period_to) FROM statements s WHERE s.book_id = a.book_id AND s.account_id = a.id AND s.undone_at IS NULL) AS last_statement
		  FROM page a LEFT JOIN account_totals t ON t.book_id = a.book_id AND t.account_id = a.id
		 ORDER BY `+typeRank+`, a.code COLLATE "C"`, args)
	if err != nil {
		return nil, 0, false, fmt.Errorf("list accounts: %w", err)
	}
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, found, more, nil
}

// typeRank is the place of an account's type in a trial balance.
const typeRank = `array_position(CAST(@types AS text[]), a.type)`

func (f AccountFilter) where(book Book) (string, map[string]any) {
	var types array[string]
	for _, t := range ledger.AccountTypes {
		types = append(types, string(t))
	}
	return `a.book_id = @book AND (@type = '' OR a.type = @type) AND (@status = '' OR (a.closed_at IS NULL) = (@status = 'open'))
		AND (@text = '' OR a.code ILIKE @pattern OR a.name ILIKE @pattern)`,
		map[string]any{
			"book": book.ID, "types": types, "type": f.Type, "status": f.Status, "after": f.After, "text": f.Text, "pattern": containing(f.Text),
		}
}
