package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// KeyRelease takes a stuck claim from its owner. Attempt is the one that was looked at: another one has an owner of its own.
type KeyRelease struct {
	Key     string
	Attempt int
	Reason  string
}

// ReleaseKey takes the claim of an owner that was not heard from within its lease away from it, and notes why. The attempt goes up, so
// that the owner is refused should it come back; who waits for the key is told, and the next to send it inherits it. Errors: KindForbidden, KindInvalid, KindNotFound,
// KindIllegalTransition where the claim is not stuck (any more), KindKeyReused.
func (s *Store) ReleaseKey(ctx context.Context, actor Actor, key string, release KeyRelease) error {
	if err := actor.Need(RightKeys); err != nil {
		return err
	}
	if err := ledger.CheckText("reason", release.Reason, true); err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		_, _, err := once(s, tx, actor, key, "key.release", release, func() (struct{}, error) {
			return struct{}{}, s.releaseKey(tx, actor, release)
		})
		return err
	})
}

func (s *Store) releaseKey(tx *gorm.DB, actor Actor, release KeyRelease) error {
	now := s.now()
	claim, err := queryOne[struct {
		Settled    bool
		Attempts   int
		Owner      string
		LeaseUntil time.Time
	}](tx, "there is no claim of this key: it is free", `
		SELECT k.settled_at IS NOT NULL AS settled, k.attempts, coalesce(k.owner, '') AS owner, k.lease_until
		  FROM idempotency_keys k WHERE k.book_id = ? AND k.key = ? FOR UPDATE`, actor.Book.ID, storable(release.Key))
	switch {
	case err != nil:
		return err
	case claim.Settled:
		return ledger.Refuse(ledger.KindIllegalTransition, "the key has settled meanwhile: there is nothing to release")
	case claim.Attempts != release.Attempt:
		return ledger.Refuse(ledger.KindIllegalTransition, "attempt %d is at work on the key now, not attempt %d that you looked at", claim.Attempts, release.Attempt)
	case claim.LeaseUntil.After(now):
		return ledger.Refuse(ledger.KindIllegalTransition, "the owner of the key is at work: its lease runs until %s", ledger.FormatInstant(claim.LeaseUntil))
	}
	if _, err := exec(tx, `
		UPDATE idempotency_keys SET attempts = attempts + 1, owner = ?, lease_until = ?, heartbeat_at = ? WHERE book_id = ? AND key = ?`,
		"released by "+actor.Email, now, now, actor.Book.ID, release.Key); err != nil {
		return fmt.Errorf("release key %q: %w", release.Key, err)
	}
	if err := ring(tx, claimEnd{Book: actor.Book.ID, Key: release.Key, Owner: claim.Owner}); err != nil {
		return err
	}
	return s.audit(tx, actor, "key.release", "key "+release.Key,
		map[string]any{"reason": release.Reason, "attempt": release.Attempt, "owner": claim.Owner})
}
