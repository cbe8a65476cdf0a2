package store

import (
	"context"
	"fmt"
)

// PayoutsOf names the payouts that payments of the actor's book are in, by payment, the oldest first.
func (s *Store) PayoutsOf(ctx context.Context, actor Actor, payments []int64) (map[int64][]string, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	rows, err := query[struct {
		PaymentID int64
		Payout    string
	}](s.db.WithContext(ctx), `
		SELECT i.payment_id, o.payout FROM payout_items i JOIN payouts o ON o.book_id = i.book_id AND o.id = i.payout_id
		 WHERE i.book_id = ? AND i.payment_id = ANY(?::bigint[]) GROUP BY i.payment_id, o.id, o.payout ORDER BY i.payment_id, o.id`, actor.Book.ID, array[int64](payments))
	if err != nil {
		return nil, fmt.Errorf("name the payouts of payments: %w", err)
	}
	names := map[int64][]string{}
	for _, r := range rows {
		names[r.PaymentID] = append(names[r.PaymentID], r.Payout)
	}
	return names, nil
}

// PaymentsKnown says which of the payments that messages name there are in the actor's book.
func (s *Store) PaymentsKnown(ctx context.Context, actor Actor, payments []int64) (map[int64]bool, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	found, err := query[int64](s.db.WithContext(ctx), `SELECT id FROM payments WHERE book_id = ? AND id = ANY(?::bigint[])`, actor.Book.ID, array[int64](payments))
	if err != nil {
		return nil, fmt.Errorf("look for payments: %w", err)
	}
	known := map[int64]bool{}
	for _, id := range found {
		known[id] = true
	}
	return known, nil
}
