package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// accountColumns are those of an account a, as ledger.Account has them.
const accountColumns = `a.id, a.code, a.name, a.type, a.currency, a.no_negative, a.reconcile_from, a.closed_at IS NOT NULL AS closed`

// OpenAccount adds an account to the actor's book. Errors: KindForbidden, KindInvalid, KindAccountExists, KindKeyReused.
func (s *Store) OpenAccount(ctx context.Context, actor Actor, key string, account ledger.Account) (opened ledger.Account, duplicate bool, err error) {
	if err := actor.Need(RightAccounts); err != nil {
		return ledger.Account{}, false, err
	}
	if err := account.Check(); err != nil {
		return ledger.Account{}, false, err
	}
	account.ID, account.Closed = 0, false
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		opened, duplicate, err = once(s, tx, actor, key, "account", account, func() (ledger.Account, error) {
			return s.insertAccount(tx, actor, account)
		})
		return err
	})
	return opened, duplicate, err
}

// AddAccount adds an account to a book for whoever runs a command of administration. Errors: KindInvalid, KindAccountExists.
func (s *Store) AddAccount(ctx context.Context, book Book, account ledger.Account) (ledger.Account, error) {
	opened, _, err := s.OpenAccount(ctx, operatorOf(book), "", account)
	return opened, err
}

// operatorOf acts with the rights of an admin, and with no login.
func operatorOf(book Book) Actor { return Actor{Email: Operator, Book: book, Roles: []Role{Admin}} }

// AllAccounts lists all accounts of a book by code, for whoever runs a command of administration.
func (s *Store) AllAccounts(ctx context.Context, book Book) (all []ledger.Account, err error) {
	after := ""
	for more := true; more; {
		var page []ledger.Account
		if page, more, err = s.Accounts(ctx, operatorOf(book), after, MaxPage); err != nil {
			return nil, err
		}
		if all = append(all, page...); more {
			after = page[len(page)-1].Code
		}
	}
	return all, nil
}

func (s *Store) insertAccount(tx *gorm.DB, actor Actor, account ledger.Account) (ledger.Account, error) {
	id, err := nextNumber(tx, actor.Book.ID, "account", 1)
	if err != nil {
		return account, err
	}
	account.ID = id
	if _, err := exec(tx, `
		INSERT INTO accounts (book_id, id, code, name, type, currency, no_negative, reconcile_from, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		actor.Book.ID, id, account.Code, account.Name, account.Type, account.Currency, account.NoNegative, account.ReconcileFrom, s.now()); err != nil {
		return account, fmt.Errorf("open account %s: %w", account.Code, err)
	}
	return account, s.audit(tx, actor, "account.open", "account "+account.Code, nil)
}

// Accounts lists the accounts of the actor's book by code, after a code, at most limit; more reports whether others follow.
func (s *Store) Accounts(ctx context.Context, actor Actor, after string, limit int) (items []ledger.Account, more bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, false, err
	}
	limit = pageSize(limit)
	items, err = query[ledger.Account](s.db.WithContext(ctx), `
		SELECT `+accountColumns+` FROM accounts a WHERE a.book_id = ? AND a.code > ? COLLATE "C" ORDER BY a.code COLLATE "C" LIMIT ?`, actor.Book.ID, after, limit+1)
	if err != nil {
		return nil, false, fmt.Errorf("list accounts: %w", err)
	}
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, nil
}

// AccountsByCode gives those of the accounts that the actor's book has, by code.
func (s *Store) AccountsByCode(ctx context.Context, actor Actor, codes []string) (map[string]ledger.Account, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	found, err := query[ledger.Account](s.db.WithContext(ctx), `SELECT `+accountColumns+` FROM accounts a WHERE a.book_id = ? AND a.code = ANY(?::text[])`,
		actor.Book.ID, array[string](codes))
	if err != nil {
		return nil, fmt.Errorf("look up accounts: %w", err)
	}
	accounts := make(map[string]ledger.Account, len(found))
	for _, account := range found {
		accounts[account.Code] = account
	}
	return accounts, nil
}

// AccountsFitting gives the account of this code or, where there is none, those whose code or name begins with the text, in whatever
// case, by code, at most limit.
func (s *Store) AccountsFitting(ctx context.Context, actor Actor, text string, limit int) ([]ledger.Account, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	begins := beginning(text)
	fitting, err := query[ledger.Account](s.db.WithContext(ctx), `
		SELECT `+accountColumns+` FROM accounts a
		 WHERE a.book_id = ? AND (a.code = ? OR a.code ILIKE ? OR a.name ILIKE ? OR a.code || ' ' || a.name ILIKE ?)
		 ORDER BY a.code <> ?, a.code COLLATE "C" LIMIT ?`, actor.Book.ID, text, begins, begins, begins, text, limit)
	if err != nil {
		return nil, fmt.Errorf("find the account %q: %w", text, err)
	}
	if len(fitting) > 0 && fitting[0].Code == text {
		fitting = fitting[:1]
	}
	return fitting, nil
}

// Account gives one account by code. Error: KindNotFound.
func (s *Store) Account(ctx context.Context, actor Actor, code string) (ledger.Account, error) {
	if err := actor.Need(RightRead); err != nil {
		return ledger.Account{}, err
	}
	return loadAccount(s.db.WithContext(ctx), actor.Book, code, "")
}

func loadAccount(db *gorm.DB, book Book, code, lock string) (ledger.Account, error) {
	return queryOne[ledger.Account](db, fmt.Sprintf("book %s has no account %q", book.Code, code),
		`SELECT `+accountColumns+` FROM accounts a WHERE a.book_id = ? AND a.code = ? `+lock, book.ID, code)
}

// AccountPosting is a posting of an account with the account's balance after it, in the order of seq and line.
type AccountPosting struct {
	Seq          int64
	Line         int
	TxID         string
	EffectiveOn  ledger.Date
	RecordedAt   time.Time
	Description  string
	AmountMinor  int64
	BalanceMinor int64
	Currency     string
}

// AccountPostings lists the postings of an account after a posting (seq, line), with running balance; more reports whether
// others follow. Error: KindNotFound.
func (s *Store) AccountPostings(ctx context.Context, actor Actor, code string, afterSeq int64, afterLine, limit int) (items []AccountPosting, more bool, err error) {
	account, err := s.Account(ctx, actor, code)
	if err != nil {
		return nil, false, err
	}
	limit = pageSize(limit)
	items, err = query[AccountPosting](s.db.WithContext(ctx), `
		WITH page AS (
			SELECT p.seq, p.line, p.amount_minor, p.currency FROM postings p
			 WHERE p.book_id = @book AND p.account_id = @account AND (p.seq, p.line) > (@seq, @line) ORDER BY p.seq, p.line LIMIT @limit)
		SELECT page.seq, page.line, e.tx_id, e.effective_on, e.recorded_at, e.description, page.amount_minor, page.currency,
		       (SELECT coalesce(sum(b.amount_minor), 0) FROM postings b WHERE b.book_id = @book AND b.account_id = @account AND (b.seq, b.line) <= (@seq, @line))
		       + sum(page.amount_minor) OVER (ORDER BY page.seq, page.line) AS balance_minor
		  FROM page JOIN entries e ON e.book_id = @book AND e.seq = page.seq ORDER BY page.seq, page.line`,
		map[string]any{"book": actor.Book.ID, "account": account.ID, "seq": afterSeq, "line": afterLine, "limit": limit + 1})
	if err != nil {
		return nil, false, fmt.Errorf("list postings of %s: %w", code, err)
	}
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, nil
}
