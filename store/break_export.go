package store

import (
	"context"

	"gorm.io/gorm"
)

// ExportBreaks hands out every break that a query finds, in the order of WorkList and as of one moment. It stops at the first error of
// write. Errors: KindNotFound, and that of write.
func (s *Store) ExportBreaks(ctx context.Context, actor Actor, q BreakQuery, write func(Break) error) error {
	if err := actor.Need(RightRead); err != nil {
		return err
	}
	return s.inSnapshot(ctx, func(tx *gorm.DB) error {
		if err := needReconciliation(tx, actor.Book, q.ReconciliationID); err != nil {
			return err
		}
		version, err := signedVersion(tx, actor.Book, q.ReconciliationID)
		if err != nil {
			return err
		}
		q.After, q.Limit = 0, MaxPage
		for more := true; more; q.After += q.Limit {
			var items []Break
			if version != 0 {
				items, more, err = breaksKept(tx, actor.Book, q.kept(), version)
			} else {
				items, more, err = q.page(tx, actor)
			}
			if err != nil {
				return err
			}
			for _, b := range items {
				if err := write(b); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
