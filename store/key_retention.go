package store

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// MaxKeyRetentionDays bounds how long a book can keep its keys.
const MaxKeyRetentionDays = 3650

// SetKeyRetention says for how many days the actor's book keeps a key after it has settled. Keys that have settled keep the day they had.
// Errors: KindForbidden, KindInvalid, KindKeyReused.
func (s *Store) SetKeyRetention(ctx context.Context, actor Actor, key string, days int) error {
	if err := actor.Need(RightKeys); err != nil {
		return err
	}
	if days < 1 || days > MaxKeyRetentionDays {
		return ledger.Refuse(ledger.KindInvalid, "keys cannot be kept that long").At("days", "give a number of days from 1 to %d", MaxKeyRetentionDays)
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		_, _, err := once(s, tx, actor, key, "key.retention", map[string]any{"days": days}, func() (struct{}, error) {
			before, err := queryOne[int](tx, "there is no such book", `SELECT key_retention_days FROM books WHERE id = ? FOR UPDATE`, actor.Book.ID)
			if err != nil || before == days {
				return struct{}{}, err
			}
			if _, err := exec(tx, `UPDATE books SET key_retention_days = ? WHERE id = ?`, days, actor.Book.ID); err != nil {
				return struct{}{}, fmt.Errorf("set how long keys are kept: %w", err)
			}
			return struct{}{}, s.audit(tx, actor, "key.retention", "book "+actor.Book.Code, map[string]any{"before": before, "after": days})
		})
		return err
	})
}

// A sweep takes expired keys away in chunks of keysSweptInChunk, each a short transaction of its own with a rest after it, and at most
// chunksSwept of them a book: what is left waits for the next.
const (
	keysSweptInChunk = 500
	chunksSwept      = 200
	restBetween      = 20 * time.Millisecond
)

// SweepKeys takes the expired keys of every book away, a bounded number, and gives how many they were. A live claim never expires.
func (s *Store) SweepKeys(ctx context.Context) (swept int64, err error) {
	books, err := s.Books(ctx)
	if err != nil {
		return 0, err
	}
	for _, book := range books {
		for range chunksSwept {
			n, err := s.sweepChunk(ctx, book)
			swept += n
			if err != nil {
				return swept, fmt.Errorf("sweep the keys of book %s: %w", book.Code, err)
			}
			if n < keysSweptInChunk || !rest(ctx, restBetween) {
				break
			}
		}
	}
	return swept, nil
}

// sweepChunk leaves alone what another transaction holds: a key that is sent again just now, or another server's sweep.
func (s *Store) sweepChunk(ctx context.Context, book Book) (swept int64, err error) {
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		swept, err = exec(tx, `
			DELETE FROM idempotency_keys WHERE book_id = ? AND key = ANY(ARRAY(
			       SELECT k.key FROM idempotency_keys k WHERE k.book_id = ? AND k.expires_at <= ? AND k.settled_at IS NOT NULL
			        ORDER BY k.expires_at LIMIT ? FOR UPDATE SKIP LOCKED))`,
			book.ID, book.ID, s.now(), keysSweptInChunk)
		return err
	})
	return swept, err
}

// KeepSwept sweeps at once and then again each interval until ctx ends, so that keys go also while nobody posts, and files that nobody looks at.
func (s *Store) KeepSwept(ctx context.Context, interval time.Duration, log *slog.Logger) {
	for ctx.Err() == nil {
		s.readings.sweep()
		if _, err := s.SweepKeys(ctx); err != nil && ctx.Err() == nil {
			log.Error("expired keys could not be swept", "error", err)
		}
		rest(ctx, interval)
	}
}

// rest waits, and reports whether ctx goes on.
func rest(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
