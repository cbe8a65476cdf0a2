package store

import (
	"gorm.io/gorm"

	"daybook/store/ledger"
)

// plainFacts reads what one command is judged by, a query a table. The head row must be held.
func (s *Store) plainFacts(tx *gorm.DB, actor Actor, command ledger.Command) (ledger.Facts, error) {
	facts := ledger.Facts{
		Book: actor.Book.Code, Accounts: map[string]ledger.Account{}, Keys: map[string]ledger.KeyUse{}, TxIDs: map[string]ledger.TxIDUse{},
		Closed: map[ledger.Period]bool{}, ReversedBy: map[int64]int64{}, Totals: map[string]ledger.Turnover{}, Currencies: map[string]int64{},
	}
	mentions := mentionedBy([]ledger.Command{command})
	for _, read := range []func(*gorm.DB, Book, ledger.Command, mentioned, *ledger.Facts) error{
		s.plainKeyUse, plainReserved, plainAccounts, plainPeriods, plainCurrencies,
	} {
		if err := read(tx, actor.Book, command, mentions, &facts); err != nil {
			return facts, err
		}
	}
	return facts, nil
}

// plainKeyUse looks the key up, with the entry that it posted. One that has expired is freed.
func (s *Store) plainKeyUse(tx *gorm.DB, book Book, command ledger.Command, _ mentioned, facts *ledger.Facts) error {
	var found []plainKey
	if err := tx.Where("book_id = ? AND key = ?", book.ID, command.Key).Limit(1).Find(&found).Error; err != nil || len(found) == 0 {
		return err
	}
	key := found[0]
	if !key.ExpiresAt.After(s.now()) {
		return tx.Delete(&key).Error
	}
	use := ledger.KeyUse{Operation: key.Operation, Fingerprint: key.Fingerprint, Attempts: key.Attempts, SettledAt: key.SettledAt}
	if key.Seq != nil {
		record, err := loadEntry(tx, book, *key.Seq)
		if err != nil {
			return err
		}
		use.Record = &record.Record
	}
	facts.Keys[command.Key] = use
	return nil
}

// plainReserved looks for a pending request that will use the tx id. Of those that are posted the unique index knows.
func plainReserved(tx *gorm.DB, book Book, command ledger.Command, _ mentioned, facts *ledger.Facts) error {
	var reserved []int64
	err := tx.Table("reserved_tx_ids").Where("book_id = ? AND tx_id = ?", book.ID, command.Entry.TxID).Limit(1).Pluck("approval_id", &reserved).Error
	if len(reserved) > 0 {
		facts.TxIDs[command.Entry.TxID] = ledger.TxIDUse{ApprovalID: reserved[0]}
	}
	return err
}

func plainAccounts(tx *gorm.DB, book Book, _ ledger.Command, m mentioned, facts *ledger.Facts) error {
	var rows []AccountBalance
	err := tx.Table("accounts a").
		Select(accountColumns+", coalesce(t.debit_minor, 0) AS debit_minor, coalesce(t.credit_minor, 0) AS credit_minor").
		Joins("LEFT JOIN account_totals t ON t.book_id = a.book_id AND t.account_id = a.id").
		Where("a.book_id = ? AND a.code IN ?", book.ID, []string(m.accounts)).Find(&rows).Error
	for _, row := range rows {
		facts.Accounts[row.Code], facts.Totals[row.Code] = row.Account, row.Turnover
		if row.NoNegative {
			return ledger.Refuse(ledger.KindInvalid, "the plain writer does not know the funds of account %s", row.Code)
		}
	}
	return err
}

func plainPeriods(tx *gorm.DB, book Book, _ ledger.Command, m mentioned, facts *ledger.Facts) error {
	var closed []string
	err := tx.Table("periods").Where("book_id = ? AND period IN ?", book.ID, []string(m.periods)).Pluck("period", &closed).Error
	for _, period := range closed {
		facts.Closed[ledger.Period(period)] = true
	}
	return err
}

func plainCurrencies(tx *gorm.DB, book Book, _ ledger.Command, m mentioned, facts *ledger.Facts) error {
	var rows []plainCurrencyTotal
	err := tx.Where("book_id = ? AND currency IN ?", book.ID, []string(m.currencies)).Find(&rows).Error
	for _, row := range rows {
		facts.Currencies[row.Currency] = row.DebitMinor
	}
	return err
}
