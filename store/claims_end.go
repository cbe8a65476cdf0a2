package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/claim"
)

// Extend is as claim.Keeper says.
func (k *claimKeeper) Extend(ctx context.Context, ticket claim.Ticket, lease time.Duration) error {
	return k.store.inTx(ctx, func(tx *gorm.DB) error {
		now := k.store.now()
		extended, err := exec(tx, `UPDATE idempotency_keys SET lease_until = ?, heartbeat_at = ? WHERE `+byTicket+` AND settled_at IS NULL`,
			append([]any{now.Add(lease), now}, k.ticketArgs(ticket)...)...)
		return orFenced(extended, err)
	})
}

// Settle is as claim.Keeper says. Who waits is told when the transaction has committed.
func (k *claimKeeper) Settle(ctx context.Context, ticket claim.Ticket, body []byte) error {
	return k.store.inTx(ctx, func(tx *gorm.DB) error {
		now := k.store.now()
		settled, err := exec(tx, `
			UPDATE idempotency_keys
			   SET settled_at = coalesce(settled_at, ?), receipt = coalesce(receipt, CAST(? AS jsonb)), lease_until = NULL, heartbeat_at = NULL, expires_at = ?
			 WHERE `+byTicket,
			append([]any{now, string(body), now.AddDate(0, 0, k.actor.Book.KeyRetentionDays)}, k.ticketArgs(ticket)...)...)
		if err := orFenced(settled, err); err != nil {
			return err
		}
		return ring(tx, claimEnd{Book: k.actor.Book.ID, Key: ticket.Key, Owner: ticket.Owner})
	})
}

// Abandon is as claim.Keeper says: a free key has no row. Who waits is told when the transaction has committed.
func (k *claimKeeper) Abandon(ctx context.Context, ticket claim.Ticket, cause error) error {
	return k.store.inTx(ctx, func(tx *gorm.DB) error {
		freed, err := exec(tx, `DELETE FROM idempotency_keys WHERE `+byTicket+` AND settled_at IS NULL`, k.ticketArgs(ticket)...)
		if err := orFenced(freed, err); err != nil {
			return err
		}
		return ring(tx, claimEnd{Book: k.actor.Book.ID, Key: ticket.Key, Owner: ticket.Owner, Failure: cause.Error()})
	})
}

// byTicket finds the row of one attempt, if it has not passed on.
const byTicket = `book_id = ? AND key = ? AND owner = ? AND attempts = ?`

func (k *claimKeeper) ticketArgs(ticket claim.Ticket) []any {
	return []any{k.actor.Book.ID, ticket.Key, ticket.Owner, ticket.Attempt}
}

func orFenced(touched int64, err error) error {
	if err != nil {
		return fmt.Errorf("end a claim: %w", err)
	}
	if touched == 0 {
		return claim.ErrFenced
	}
	return nil
}
