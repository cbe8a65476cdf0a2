package store

import (
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// countReplays remembers how many retries each key absorbed.
func countReplays(tx *gorm.DB, book Book, replays map[string]int64) error {
	if len(replays) == 0 {
		return nil
	}
	var keys array[string]
	var counts array[int64]
	for _, key := range slices.Sorted(maps.Keys(replays)) {
		keys, counts = append(keys, key), append(counts, replays[key])
	}
	_, err := exec(tx, `
		UPDATE idempotency_keys k SET replays = k.replays + u.n
		  FROM unnest(?::text[], ?::bigint[]) AS u (key, n) WHERE k.book_id = ? AND k.key = u.key`, keys, counts, book.ID)
	if err != nil {
		return fmt.Errorf("count retries: %w", err)
	}
	return nil
}

// freeExpiredKeys makes way for the keys that a batch settles where they stand in the table still, expired.
func freeExpiredKeys(tx *gorm.DB, book Book, batch ledger.Batch) error {
	if len(batch.Keys) == 0 {
		return nil
	}
	keys := array[string](slices.Sorted(maps.Values(batch.Keys)))
	_, err := exec(tx, `DELETE FROM idempotency_keys WHERE book_id = ? AND key = ANY(?::text[]) AND expires_at <= ?`, book.ID, keys, batch.Head.RecordedAt)
	if err != nil {
		return fmt.Errorf("free expired keys: %w", err)
	}
	return nil
}
