package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"gorm.io/gorm"

	"daybook/store/claim"
	"daybook/store/ledger"
)

// Claims gives the actor's ledger of claims over the book's keys, for work that leaves the process: no transaction is open while an owner
// works. What it keeps is shared by all processes. A content, and a receipt, must be JSON; of a receipt the meaning is kept, not the
// spelling. The right is the one that the work itself needs. Errors: KindForbidden, KindInvalid for terms that are not positive.
func (s *Store) Claims(actor Actor, right Right, terms claim.Terms) (*claim.Ledger, error) {
	if err := actor.Need(right); err != nil {
		return nil, err
	}
	return claim.New(&claimKeeper{store: s, actor: actor}, processName(), terms)
}

// processName is how people find the process that owns a key: host and process id.
func processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

// claimKeeper keeps claims in idempotency_keys: a live one has an owner and a lease, and its attempt (attempts) and owner fence off
// those that came before. Leases are measured by the clocks of the servers; should these disagree, an heir comes early or late, but
// it comes alone, and the owner before it is refused all the same.
type claimKeeper struct {
	store *Store
	actor Actor
}

var _ claim.Keeper = (*claimKeeper)(nil)

type claimRow struct {
	Owner       string
	Attempts    int
	Fingerprint ledger.Hash
	Receipt     string
	Settled     bool
	LeaseUntil  time.Time
}

// takeTries is how often Take looks at a key that others take and free at the same time.
const takeTries = 5

// Take is as claim.Keeper says: the unique key row is the claim. Whoever inserts it owns the key; an heir takes over exactly the
// attempt that it saw, so that of several only the first does.
func (k *claimKeeper) Take(ctx context.Context, key, owner string, print claim.Fingerprint, lease time.Duration) (state claim.State, err error) {
	err = k.store.inTx(ctx, func(tx *gorm.DB) error {
		for range takeTries {
			var decided bool
			if state, decided, err = k.take(tx, key, owner, print, lease); err != nil || decided {
				return err
			}
		}
		return ledger.Refuse(ledger.KindBusy, "the idempotency key is taken and freed by many at once: try again in a moment")
	})
	return state, err
}

// take is one try; it is not decided when the key changed hands between its steps.
func (k *claimKeeper) take(tx *gorm.DB, key, owner string, print claim.Fingerprint, lease time.Duration) (state claim.State, decided bool, err error) {
	ours := claim.State{Ticket: claim.Ticket{Key: key, Owner: owner, Attempt: 1}, Print: print.Hash(), LeaseLeft: lease}
	if inserted, err := k.insert(tx, key, owner, print, lease); err != nil || inserted {
		return ours, true, err
	}
	rows, err := k.rows(tx, key)
	if err != nil || len(rows) == 0 {
		return claim.State{}, false, err
	}
	row, now := rows[0], k.store.now()
	switch {
	case row.Fingerprint != print.Hash():
		return claim.State{}, false, k.reused(tx, key, print)
	case row.Settled || row.LeaseUntil.After(now):
		return row.state(key, now), true, countReplay(tx, k.actor.Book, key)
	}
	ours.Attempt = row.Attempts + 1
	inherited, err := k.inherit(tx, key, owner, row, lease)
	return ours, inherited, err
}

// insert takes a key that has no row, or one that is past its retention.
func (k *claimKeeper) insert(tx *gorm.DB, key, owner string, print claim.Fingerprint, lease time.Duration) (bool, error) {
	now, book := k.store.now(), k.actor.Book
	if _, err := exec(tx, `DELETE FROM idempotency_keys WHERE book_id = ? AND key = ? AND expires_at <= ?`, book.ID, key, now); err != nil {
		return false, fmt.Errorf("free an expired key: %w", err)
	}
	inserted, err := exec(tx, `
		INSERT INTO idempotency_keys (book_id, key, operation, fingerprint, content, attempts, replays, used_by,
		                              claimed_at, owner, lease_until, heartbeat_at, expires_at)
		VALUES (?, ?, ?, ?, CAST(? AS jsonb), 1, 0, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (book_id, key) DO NOTHING`,
		book.ID, key, print.Operation, print.Hash(), print.Content, k.actor.UserID,
		now, owner, now.Add(lease), now, now.AddDate(0, 0, book.KeyRetentionDays))
	return inserted == 1, inProgress(err)
}

// inherit takes over from an owner whose lease is over.
func (k *claimKeeper) inherit(tx *gorm.DB, key, owner string, from claimRow, lease time.Duration) (bool, error) {
	now, book := k.store.now(), k.actor.Book
	taken, err := exec(tx, `
		UPDATE idempotency_keys
		   SET attempts = attempts + 1, used_by = ?, claimed_at = ?, owner = ?, lease_until = ?, heartbeat_at = ?, expires_at = ?
		 WHERE book_id = ? AND key = ? AND settled_at IS NULL AND attempts = ? AND owner = ? AND lease_until <= ?`,
		k.actor.UserID, now, owner, now.Add(lease), now, now.AddDate(0, 0, book.KeyRetentionDays), book.ID, key, from.Attempts, from.Owner, now)
	return taken == 1, err
}

// reused explains what the key stands for; nil when it was freed just now.
func (k *claimKeeper) reused(tx *gorm.DB, key string, print claim.Fingerprint) error {
	rows, err := query[keyRow](tx, selectKeys+` WHERE k.book_id = ? AND k.key = ? AND k.fingerprint <> ?`, k.actor.Book.ID, key, print.Hash())
	if err != nil || len(rows) == 0 {
		return err
	}
	return keyReused(tx, k.actor.Book, rows[0], print.Operation, print.Content)
}

func (k *claimKeeper) rows(tx *gorm.DB, key string) ([]claimRow, error) {
	rows, err := query[claimRow](tx, `
		SELECT coalesce(owner, '') AS owner, attempts, fingerprint, coalesce(receipt::text, '') AS receipt, settled_at IS NOT NULL AS settled, lease_until
		  FROM idempotency_keys WHERE book_id = ? AND key = ? AND expires_at > ?`, k.actor.Book.ID, key, k.store.now())
	if err != nil {
		return nil, fmt.Errorf("look up key %q: %w", key, err)
	}
	return rows, nil
}

func (r claimRow) state(key string, now time.Time) claim.State {
	state := claim.State{
		Ticket: claim.Ticket{Key: key, Owner: r.Owner, Attempt: r.Attempts}, Print: r.Fingerprint, Settled: r.Settled,
		LeaseLeft: r.LeaseUntil.Sub(now),
	}
	if r.Settled {
		var body bytes.Buffer
		// What jsonb gives is JSON, with spaces that nobody sent.
		_ = json.Compact(&body, []byte(r.Receipt))
		state.Body = body.Bytes()
	}
	return state
}

// Look is as claim.Keeper says.
func (k *claimKeeper) Look(ctx context.Context, key string) (claim.State, error) {
	rows, err := k.rows(k.store.db.WithContext(ctx), key)
	if err != nil || len(rows) == 0 {
		return claim.State{}, err
	}
	return rows[0].state(key, k.store.now()), nil
}
