package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// KeyTotals are the figures of a book's keys. Settled is counted up to SettledCounted.
type KeyTotals struct {
	Settled int64
	Running int64
	Stuck   int64
	Clashes int64
	Retries int64
}

// SettledCounted is how far the keys of a book are counted: beyond it, their number is "more than".
const SettledCounted = 100_000

// KeyTotals counts the keys of the actor's book: those that settled and live, those at work and past their lease, the clashes of the
// time for which keys are kept, and the retries that were answered without effect. Error: KindForbidden.
func (s *Store) KeyTotals(ctx context.Context, actor Actor) (KeyTotals, error) {
	if err := actor.Need(RightRead); err != nil {
		return KeyTotals{}, err
	}
	s.writers.writeReplays(actor.Book)
	now := s.now()
	totals, err := queryOne[KeyTotals](s.db.WithContext(ctx), "no totals", `
		SELECT (SELECT count(*) FROM (SELECT FROM idempotency_keys k WHERE k.book_id = @book AND k.expires_at > @now AND k.settled_at IS NOT NULL
		                               LIMIT @most) counted) AS settled,
		       (SELECT count(*) FROM idempotency_keys k WHERE k.book_id = @book AND k.settled_at IS NULL AND k.lease_until > @now) AS running,
		       (SELECT count(*) FROM idempotency_keys k WHERE k.book_id = @book AND k.settled_at IS NULL AND k.lease_until <= @now) AS stuck,
		       (SELECT count(*) FROM key_clashes c WHERE c.book_id = @book AND c.at > @since) AS clashes,
		       (SELECT coalesce(sum(k.replays), 0)::bigint FROM idempotency_keys k WHERE k.book_id = @book AND k.replays > 0) AS retries`,
		map[string]any{"book": actor.Book.ID, "now": now, "most": SettledCounted + 1, "since": now.AddDate(0, 0, -actor.Book.KeyRetentionDays)})
	if err != nil {
		return KeyTotals{}, fmt.Errorf("count keys: %w", err)
	}
	return totals, nil
}

// KeyDetail is all that is known of one key: its record, what was asked with it, and its clashes, newest first. Gone says that the key
// itself has expired and was swept: only its clashes are left.
type KeyDetail struct {
	KeyRecord
	// Asked is what the first request held, in order of the fields; Private says that the reader may not see it.
	Asked   []ledger.ClashField
	Private bool
	// Entry is what the key posted, nil for another operation.
	Entry  *ledger.Record
	Newest []Clash
	Gone   bool
}

// clashesOfKey is how many clashes of a key are shown with it.
const clashesOfKey = 20

// IdempotencyKey gives one key of the actor's book with its clashes. Errors: KindForbidden, KindNotFound for a key that was never used
// or has expired without a clash.
func (s *Store) IdempotencyKey(ctx context.Context, actor Actor, key string) (detail KeyDetail, err error) {
	if err := actor.Need(RightRead); err != nil {
		return KeyDetail{}, err
	}
	s.writers.writeReplays(actor.Book)
	err = s.inSnapshot(ctx, func(tx *gorm.DB) error {
		args := map[string]any{"book": actor.Book.ID, "now": s.now(), "key": storable(key), "limit": clashesOfKey}
		found, err := readKeyRows(tx, ` AND k.key = @key`, args)
		if err != nil {
			return err
		}
		detail.Newest, err = readClashes(tx, actor, ` WHERE c.book_id = @book AND c.key = @key ORDER BY c.id DESC LIMIT @limit`, args)
		if err != nil {
			return err
		}
		switch {
		case len(found) > 0:
			detail.KeyRecord = found[0]
			return detail.readAsked(tx, actor)
		case len(detail.Newest) == 0:
			return ledger.Refuse(ledger.KindNotFound, "book %s has no such key: it was never used, or it has expired", actor.Book.Code)
		}
		detail.Key, detail.Gone, detail.Clashes = detail.Newest[0].Key, true, int64(len(detail.Newest))
		return nil
	})
	return detail, err
}

func (d *KeyDetail) readAsked(tx *gorm.DB, actor Actor) error {
	if d.Private = !actor.maySeeAsked(d.Operation); d.Private {
		return nil
	}
	rows, err := query[keyRow](tx, selectKeys+` WHERE k.book_id = ? AND k.key = ?`, actor.Book.ID, d.Key)
	if err != nil {
		return err
	}
	uses, err := keyUses(tx, actor.Book, rows)
	if err != nil {
		return err
	}
	use := uses[d.Key]
	fields := use.Content
	if d.Entry = use.Record; d.Entry != nil {
		fields = ledger.EntryFields(d.Entry.Entry)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		d.Asked = append(d.Asked, ledger.ClashField{Field: name, First: fields[name], HadFirst: true})
	}
	d.Asked = cutFields(d.Asked)
	return nil
}

// maySeeAsked reports whether the actor may see what was asked with an operation: what is asked about people and their tokens is for who
// manages them, and for auditors.
func (a Actor) maySeeAsked(operation string) bool {
	about, _, _ := strings.Cut(operation, ".")
	switch about {
	case "user", "role-change", "role", "token", "password":
		return a.Can(RightUsers) || a.Can(RightAudit)
	}
	return true
}
