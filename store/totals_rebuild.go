package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// TotalsRebuilt says what a rebuild of the kept totals began with, and how many it set right of each kind.
type TotalsRebuilt struct {
	Before                     Verification
	Accounts, Days, Currencies int64
}

// Changed counts the totals that were set right.
func (r TotalsRebuilt) Changed() int64 { return r.Accounts + r.Days + r.Currencies }

// rebuildRounds bounds how often the kept totals are compared; each round sets right rebuildChunk of a kind at most.
const (
	rebuildRounds = 1000
	rebuildChunk  = 10_000
)

// RebuildTotals proves the kept totals of a book, and sets those right that are not what the postings sum to, while others go on posting.
// The totals are evidence of what the journal was: a book whose journal is not what was recorded is left alone, and Before tells its
// fault. It is several transactions: the long ones only read; the book stands still for the short one that writes, which says so in
// the audit log.
func (s *Store) RebuildTotals(ctx context.Context, book Book) (done TotalsRebuilt, err error) {
	if done.Before, err = s.Verify(ctx, book); err != nil || done.Before.Fault == nil || !done.Before.Fault.OfTotals {
		return done, err
	}
	for range rebuildRounds {
		wrong, err := s.findWrongTotals(ctx, book)
		if err == nil && wrong.none() {
			return done, nil
		}
		if err == nil {
			err = s.inTx(ctx, func(tx *gorm.DB) error { return s.setTotals(tx, book, wrong, &done) })
		}
		if err != nil {
			return done, fmt.Errorf("rebuild the totals of book %s: %w", book.Code, err)
		}
	}
	return done, fmt.Errorf("rebuild the totals of book %s: something else keeps changing them", book.Code)
}

// wrongTotals are the kept totals that differ from the postings up to the entry Seq, with what these sum to. Sums are text: they may be
// beyond an int64.
type wrongTotals struct {
	seq                        int64
	accounts, days, currencies wrongRows
}

func (w wrongTotals) none() bool {
	return len(w.accounts.debits) == 0 && len(w.days.debits) == 0 && len(w.currencies.debits) == 0
}

// wrongRows are columns: of each row its key, as far as its table has it, and both sums.
type wrongRows struct {
	accounts            array[int64]
	effective, recorded array[string]
	currencies          array[string]
	debits, credits     array[string]
}

// findWrongTotals compares in a snapshot: the kept totals of a moment with the postings of that moment.
func (s *Store) findWrongTotals(ctx context.Context, book Book) (wrong wrongTotals, err error) {
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		head, err := readHead(tx, book.ID, "")
		if err != nil {
			return err
		}
		wrong.seq = head.Seq
		for _, find := range []struct {
			rows *wrongRows
			sql  string
		}{{&wrong.accounts, findWrongAccounts}, {&wrong.days, findWrongDays}, {&wrong.currencies, findWrongCurrencies}} {
			if *find.rows, err = findWrong(tx, book, find.sql); err != nil {
				return err
			}
		}
		return nil
	})
	return wrong, err
}

func findWrong(tx *gorm.DB, book Book, sql string) (columns wrongRows, err error) {
	rows, err := query[struct {
		AccountID                                              int64
		EffectiveOn, RecordedOn, Currency, DebitSum, CreditSum string
	}](tx, sql, map[string]any{"book": book.ID, "limit": rebuildChunk})
	for _, row := range rows {
		columns.accounts = append(columns.accounts, row.AccountID)
		columns.effective, columns.recorded = append(columns.effective, row.EffectiveOn), append(columns.recorded, row.RecordedOn)
		columns.currencies = append(columns.currencies, row.Currency)
		columns.debits, columns.credits = append(columns.debits, row.DebitSum), append(columns.credits, row.CreditSum)
	}
	return columns, err
}

// setTotals gives the totals found wrong their right values: the sums of then and of what has been posted since, which the head's lock
// bounds. Servers that remember totals look again: the book has another version.
func (s *Store) setTotals(tx *gorm.DB, book Book, wrong wrongTotals, done *TotalsRebuilt) error {
	if _, err := lockHead(tx, book.ID); err != nil {
		return err
	}
	set := *done
	for _, step := range []struct {
		count *int64
		rows  wrongRows
		sql   string
	}{{&set.Accounts, wrong.accounts, setAccounts}, {&set.Days, wrong.days, setDays}, {&set.Currencies, wrong.currencies, setCurrencies}} {
		if len(step.rows.debits) == 0 {
			continue
		}
		changed, err := exec(tx, step.sql, map[string]any{
			"book": book.ID, "seq": wrong.seq, "accounts": step.rows.accounts, "effective": step.rows.effective, "recorded": step.rows.recorded,
			"currencies": step.rows.currencies, "debits": step.rows.debits, "credits": step.rows.credits,
		})
		if err != nil {
			return err
		}
		*step.count += changed
	}
	if set.Changed() == done.Changed() {
		return nil
	}
	if _, err := exec(tx, `UPDATE book_versions SET version = version + 1 WHERE book_id = ?`, book.ID); err != nil {
		return err
	}
	detail := map[string]any{"accounts": set.Accounts - done.Accounts, "days": set.Days - done.Days, "currencies": set.Currencies - done.Currencies}
	if err := s.audit(tx, operatorOf(book), "totals.rebuild", "book "+book.Code, detail); err != nil {
		return err
	}
	*done = set
	return nil
}
