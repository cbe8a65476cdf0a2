package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"daybook/store/ledger"
)

type keyRow struct {
	Key         string
	Operation   string
	Fingerprint ledger.Hash
	Seq         *int64
	Content     *string
	Receipt     *string
	Attempts    int
	UsedBy      string
	SettledAt   time.Time // zero while Live
	Live        bool      // its owner is at work since ClaimedAt
	ClaimedAt   time.Time
}

const selectKeys = `
	SELECT k.key, k.operation, k.fingerprint, k.seq, k.content::text AS content, k.receipt::text AS receipt, k.attempts, u.email AS used_by,
	       k.settled_at, k.settled_at IS NULL AS live, k.claimed_at
	  FROM idempotency_keys k JOIN users u ON u.id = k.used_by`

// keyUses says by key what each was used for, with the entry that it posted.
func keyUses(tx *gorm.DB, book Book, rows []keyRow) (map[string]ledger.KeyUse, error) {
	uses := make(map[string]ledger.KeyUse, len(rows))
	posted := map[int64]string{}
	for _, r := range rows {
		use := ledger.KeyUse{Operation: r.Operation, Fingerprint: r.Fingerprint, Attempts: r.Attempts, UsedBy: r.UsedBy, SettledAt: r.SettledAt}
		if r.Live {
			use.SettledAt = r.ClaimedAt // of one at work it is told since when
		}
		if r.Content != nil {
			use.Content = flatten(*r.Content)
		}
		if r.Seq != nil {
			posted[*r.Seq] = r.Key
		}
		uses[r.Key] = use
	}
	if len(posted) == 0 {
		return uses, nil
	}
	records, err := loadRecords(tx, book, `e.seq = ANY(?::bigint[])`, array[int64](slices.Sorted(maps.Keys(posted))))
	for _, record := range records {
		use := uses[posted[record.Seq]]
		use.Record = &record.Record
		uses[posted[record.Seq]] = use
	}
	return uses, err
}

// once runs do under an idempotency key inside the caller's transaction: the unique key row is the claim. The first to insert it
// owns the key; others wait for its transaction to end, and then read its receipt or, when it failed, own the key themselves.
// Without a key it just runs do. T must survive JSON. Errors: KindKeyReused, and those of do, which leave the key free.
func once[T any](s *Store, tx *gorm.DB, actor Actor, key, operation string, content any, do func() (T, error)) (result T, duplicate bool, err error) {
	if key == "" {
		result, err = do()
		return result, false, err
	}
	sent, err := json.Marshal(content)
	if err != nil {
		return result, false, fmt.Errorf("write the content of a key: %w", err)
	}
	fingerprint := ledger.Hash(sha256.Sum256(append([]byte(operation+"\n"), sent...)))
	owned, err := s.claimKey(tx, actor, key, operation, fingerprint, string(sent))
	if err != nil {
		return result, false, err
	}
	if !owned {
		result, err = readKey[T](tx, actor.Book, key, operation, fingerprint, string(sent))
		return result, true, err
	}
	if result, err = do(); err != nil {
		return result, false, err
	}
	receipt, err := json.Marshal(result)
	if err != nil {
		return result, false, fmt.Errorf("write the receipt of a key: %w", err)
	}
	_, err = exec(tx, `UPDATE idempotency_keys SET receipt = CAST(? AS jsonb) WHERE book_id = ? AND key = ?`, string(receipt), actor.Book.ID, key)
	return result, false, err
}

// claimKey inserts the key's row; false when the key is taken by a request that settled.
func (s *Store) claimKey(tx *gorm.DB, actor Actor, key, operation string, fingerprint ledger.Hash, content string) (bool, error) {
	now := s.now()
	if _, err := exec(tx, `DELETE FROM idempotency_keys WHERE book_id = ? AND key = ? AND expires_at <= ?`, actor.Book.ID, key, now); err != nil {
		return false, fmt.Errorf("free an expired key: %w", err)
	}
	inserted, err := exec(tx, `
		INSERT INTO idempotency_keys (book_id, key, operation, fingerprint, content, attempts, replays, used_by, settled_at, expires_at)
		VALUES (?, ?, ?, ?, CAST(? AS jsonb), 1, 0, ?, ?, ?)
		ON CONFLICT (book_id, key) DO NOTHING`,
		actor.Book.ID, key, operation, fingerprint, content, actor.UserID, now, now.AddDate(0, 0, actor.Book.KeyRetentionDays))
	if err != nil {
		return false, inProgress(err)
	}
	return inserted == 1, nil
}

func readKey[T any](tx *gorm.DB, book Book, key, operation string, fingerprint ledger.Hash, sent string) (T, error) {
	var result T
	rows, err := query[keyRow](tx, selectKeys+` WHERE k.book_id = ? AND k.key = ?`, book.ID, key)
	if err != nil {
		return result, fmt.Errorf("read key %q: %w", key, err)
	}
	if len(rows) == 0 {
		return result, ledger.Refuse(ledger.KindBusy, "this idempotency key has just expired: try again in a moment")
	}
	row := rows[0]
	if row.Operation != operation || row.Fingerprint != fingerprint {
		return result, keyReused(tx, book, row, operation, sent)
	}
	if row.Live {
		return result, keyInProgress(nil)
	}
	if err := countReplay(tx, book, key); err != nil {
		return result, err
	}
	if row.Receipt == nil {
		return result, fmt.Errorf("key %q has settled without a receipt", key)
	}
	if err := json.Unmarshal([]byte(*row.Receipt), &result); err != nil {
		return result, fmt.Errorf("read the receipt of key %q: %w", key, err)
	}
	return result, nil
}

// keyReused explains that a key stands for something else than what was sent.
func keyReused(tx *gorm.DB, book Book, row keyRow, operation, sent string) error {
	uses, err := keyUses(tx, book, []keyRow{row})
	if err != nil {
		return err
	}
	return ledger.KeyReused(row.Key, uses[row.Key], operation, flatten(sent))
}

// countReplay remembers that a key absorbed a retry.
func countReplay(tx *gorm.DB, book Book, key string) error {
	return countReplays(tx, book, map[string]int64{key: 1})
}

// flatten gives the fields of a JSON document by path, to compare two of them.
func flatten(document string) map[string]string {
	fields := map[string]string{}
	decoder := json.NewDecoder(bytes.NewReader([]byte(document)))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) == nil {
		flattenInto(fields, "", value)
	}
	return fields
}

func flattenInto(fields map[string]string, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			if path != "" {
				name = path + "." + name
			}
			flattenInto(fields, name, member)
		}
	case []any:
		for i, member := range v {
			flattenInto(fields, path+"["+strconv.Itoa(i)+"]", member)
		}
	case nil:
	default:
		fields[path] = fmt.Sprint(v)
	}
}

// inProgress names a wait for a key that ran out.
func inProgress(err error) error {
	var pg *pgconn.PgError
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &pg) && pg.Code == codeLockTimeout {
		return keyInProgress(err)
	}
	return err
}

func keyInProgress(cause error) error {
	return &ledger.Error{Kind: ledger.KindKeyInProgress, Message: "another request with this idempotency key is still under way: try again in a moment", Err: cause}
}

// KeySettled says what an idempotency key has posted or done in a book: the entry's seq, or 0 when it was something else. ok is
// false for a key that is free.
func (s *Store) KeySettled(ctx context.Context, actor Actor, key string) (seq int64, ok bool, err error) {
	if err := actor.Need(RightRead); err != nil {
		return 0, false, err
	}
	rows, err := query[int64](s.db.WithContext(ctx), `SELECT coalesce(seq, 0) FROM idempotency_keys WHERE book_id = ? AND key = ? AND expires_at > ? AND settled_at IS NOT NULL`,
		actor.Book.ID, key, s.now())
	if err != nil {
		return 0, false, fmt.Errorf("look up key %q: %w", key, err)
	}
	if len(rows) == 0 {
		return 0, false, nil
	}
	return rows[0], true, nil
}
