package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// firstAdjustmentLimit is the limit of a new book: ten, in minor units of its currency.
func firstAdjustmentLimit(currency string) int64 {
	limit := int64(10)
	digits, _ := ledger.Exponent(currency)
	for range digits {
		limit *= 10
	}
	return limit
}

// AdjustmentLimit is the largest adjusting entry or write-off of the actor's book that needs no second person, in minor units of the book's
// currency. On an account in another currency each needs one.
func (s *Store) AdjustmentLimit(ctx context.Context, actor Actor) (int64, error) {
	if err := actor.Need(RightRead); err != nil {
		return 0, err
	}
	return adjustmentLimit(s.db.WithContext(ctx), actor.Book)
}

func adjustmentLimit(db *gorm.DB, book Book) (int64, error) {
	return queryOne[int64](db, "there is no such book", `SELECT adjustment_limit_minor FROM books WHERE id = ?`, book.ID)
}

// SetAdjustmentLimit changes it for what is decided from then on; 0 lets every adjusting entry wait for another person. Errors: KindForbidden,
// KindInvalid, KindKeyReused.
func (s *Store) SetAdjustmentLimit(ctx context.Context, actor Actor, key string, limitMinor int64) error {
	if err := actor.Need(RightAccounts); err != nil {
		return err
	}
	if limitMinor < 0 || limitMinor > ledger.MaxAmountMinor {
		return ledger.Refuse(ledger.KindInvalid, "this cannot be the limit").At("limit", "give an amount from 0 on")
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		_, _, err := once(s, tx, actor, key, "book.adjustment-limit", map[string]any{"limit": limitMinor}, func() (struct{}, error) {
			before, err := queryOne[int64](tx, "there is no such book", `SELECT adjustment_limit_minor FROM books WHERE id = ? FOR UPDATE`, actor.Book.ID)
			if err != nil || before == limitMinor {
				return struct{}{}, err
			}
			if _, err := exec(tx, `UPDATE books SET adjustment_limit_minor = ? WHERE id = ?`, limitMinor, actor.Book.ID); err != nil {
				return struct{}{}, fmt.Errorf("set the limit of adjusting entries: %w", err)
			}
			return struct{}{}, s.audit(tx, actor, "book.adjustment-limit", "book "+actor.Book.Code, map[string]any{"before": before, "after": limitMinor})
		})
		return err
	})
}
