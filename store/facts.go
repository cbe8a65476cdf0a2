package store

import (
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// mentioned is what a batch of commands names.
type mentioned struct {
	keys, txIDs, accounts, currencies, periods array[string]
	reverses                                   array[int64]
}

func mentionedBy(commands []ledger.Command) mentioned {
	m := mentioned{}
	seen := map[string]bool{}
	add := func(list *array[string], kind, value string) {
		// What no text of the database can hold, the book does not hold.
		if value != "" && value == storable(value) && !seen[kind+value] {
			seen[kind+value] = true
			*list = append(*list, value)
		}
	}
	for _, c := range commands {
		add(&m.keys, "k", c.Key)
		add(&m.txIDs, "t", c.Entry.TxID)
		add(&m.periods, "p", string(ledger.PeriodOf(c.Entry.EffectiveOn)))
		for _, p := range c.Entry.Postings {
			add(&m.accounts, "a", p.Account)
			add(&m.currencies, "c", p.Currency)
		}
		if c.Reverses != 0 {
			m.reverses = append(m.reverses, c.Reverses)
		}
	}
	return m
}

func emptyFacts(book string) ledger.Facts {
	return ledger.Facts{
		Book: book, Accounts: map[string]ledger.Account{}, Keys: map[string]ledger.KeyUse{}, TxIDs: map[string]ledger.TxIDUse{},
		Closed: map[ledger.Period]bool{}, ReversedBy: map[int64]int64{}, Totals: map[string]ledger.Turnover{},
		Days: map[string]ledger.DayBalances{}, Currencies: map[string]int64{},
	}
}

// readFacts reads all that ledger.Append needs to judge the commands. The head row must be held.
func (s *Store) readFacts(tx *gorm.DB, book Book, commands []ledger.Command) (ledger.Facts, error) {
	m := mentionedBy(commands)
	facts := emptyFacts(book.Code)
	for _, read := range []func(*gorm.DB, Book, mentioned, *ledger.Facts) error{
		s.readKeys, readTxIDs, readAccounts, readDays, readCurrencies, readPeriods, readReversals,
	} {
		if err := read(tx, book, m, &facts); err != nil {
			return facts, err
		}
	}
	return facts, nil
}

func (s *Store) readKeys(tx *gorm.DB, book Book, m mentioned, facts *ledger.Facts) error {
	if len(m.keys) == 0 {
		return nil
	}
	rows, err := query[keyRow](tx, selectKeys+` WHERE k.book_id = ? AND k.key = ANY(?::text[]) AND k.expires_at > ?`, book.ID, m.keys, s.now())
	if err != nil {
		return fmt.Errorf("look up keys: %w", err)
	}
	facts.Keys, err = keyUses(tx, book, rows)
	return err
}

func readTxIDs(tx *gorm.DB, book Book, m mentioned, facts *ledger.Facts) error {
	rows, err := query[struct {
		TxID            string
		Seq, ApprovalID int64
	}](tx, `
		SELECT tx_id, seq, 0 AS approval_id FROM entries WHERE book_id = ? AND tx_id = ANY(?::text[])
		UNION ALL
		SELECT tx_id, 0, approval_id FROM reserved_tx_ids WHERE book_id = ? AND tx_id = ANY(?::text[])`, book.ID, m.txIDs, book.ID, m.txIDs)
	for _, row := range rows {
		facts.TxIDs[row.TxID] = ledger.TxIDUse{Seq: row.Seq, ApprovalID: row.ApprovalID}
	}
	return err
}

func readAccounts(tx *gorm.DB, book Book, m mentioned, facts *ledger.Facts) error {
	rows, err := query[AccountBalance](tx, `
		SELECT `+accountColumns+`, coalesce(t.debit_minor, 0) AS debit_minor, coalesce(t.credit_minor, 0) AS credit_minor
		  FROM accounts a LEFT JOIN account_totals t ON t.book_id = a.book_id AND t.account_id = a.id
		 WHERE a.book_id = ? AND a.code = ANY(?::text[])`, book.ID, m.accounts)
	for _, row := range rows {
		facts.Accounts[row.Code], facts.Totals[row.Code] = row.Account, row.Turnover
	}
	return err
}

func readDays(tx *gorm.DB, book Book, _ mentioned, facts *ledger.Facts) error {
	codes := map[int64]string{}
	var ids array[int64]
	for code, account := range facts.Accounts {
		if account.NoNegative {
			codes[account.ID] = code
			ids = append(ids, account.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := query[struct {
		AccountID   int64
		EffectiveOn ledger.Date
		MovedMinor  int64
	}](tx, `
		SELECT account_id, effective_on, sum(debit_minor) - sum(credit_minor) AS moved_minor
		  FROM account_days WHERE book_id = ? AND account_id = ANY(?::bigint[]) GROUP BY account_id, effective_on ORDER BY account_id, effective_on`, book.ID, ids)
	for _, row := range rows {
		code := codes[row.AccountID]
		facts.Days[code] = facts.Days[code].Add(row.EffectiveOn, row.MovedMinor)
	}
	return err
}

func readCurrencies(tx *gorm.DB, book Book, m mentioned, facts *ledger.Facts) error {
	rows, err := query[struct {
		Currency   string
		DebitMinor int64
	}](tx, `SELECT currency, debit_minor FROM currency_totals WHERE book_id = ? AND currency = ANY(?::text[])`, book.ID, m.currencies)
	for _, row := range rows {
		facts.Currencies[row.Currency] = row.DebitMinor
	}
	return err
}

func readPeriods(tx *gorm.DB, book Book, m mentioned, facts *ledger.Facts) error {
	closed, err := query[string](tx, `SELECT period FROM periods WHERE book_id = ? AND period = ANY(?::text[])`, book.ID, m.periods)
	for _, period := range closed {
		facts.Closed[ledger.Period(period)] = true
	}
	return err
}

func readReversals(tx *gorm.DB, book Book, m mentioned, facts *ledger.Facts) error {
	if len(m.reverses) == 0 {
		return nil
	}
	rows, err := query[struct{ Reverses, Seq int64 }](tx, `SELECT reverses, seq FROM entries WHERE book_id = ? AND reverses = ANY(?::bigint[])`, book.ID, m.reverses)
	for _, row := range rows {
		facts.ReversedBy[row.Reverses] = row.Seq
	}
	return err
}
