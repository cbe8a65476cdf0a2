package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"
)

// KeyState is where an idempotency key stands.
type KeyState string

// The states. A running key has an owner at work; a stuck one has an owner that was not heard from within its lease. A retried key is a
// settled one that absorbed retries; an expired one is new to whoever sends it next, and is swept.
const (
	KeyRunning KeyState = "running"
	KeyStuck   KeyState = "stuck"
	KeySettled KeyState = "settled"
	KeyRetried KeyState = "retried"
	KeyExpired KeyState = "expired"
)

// KeyRecord is one idempotency key as the book has it. Of a live one ClaimedAt, Owner, LeaseUntil and HeardAt say who works on it;
// SettledAt is zero then. Attempts fences off an owner that comes back late. Replays are the retries it absorbed.
type KeyRecord struct {
	Key         string
	Operation   string
	State       KeyState
	UsedBy      string
	UsedByName  string
	Attempts    int
	Replays     int64
	Seq         int64
	SettledAt   time.Time
	ExpiresAt   time.Time
	ClaimedAt   time.Time
	Owner       string
	LeaseUntil  time.Time
	HeardAt     time.Time
	Clashes     int64
	Fingerprint string
}

// KeyFilter narrows the keys of a book. Text is within the key, or the number of an entry as #17; Who is within the name or the e-mail
// address of who sent it. State is KeySettled, KeyRetried, KeyExpired or "" for any that settled. Before and After bound the page,
// exclusive; with After it is the one just before that key.
type KeyFilter struct {
	Text, Who     string
	State         KeyState
	Before, After KeyPlace
	Limit         int
}

// KeyPlace is the place of a key in the list. The zero place is none.
type KeyPlace struct {
	ExpiresAt time.Time
	Key       string
}

// Place is where the key stands in the list.
func (r KeyRecord) Place() KeyPlace { return KeyPlace{ExpiresAt: r.ExpiresAt, Key: r.Key} }

// KeyPage is a page of the settled keys of a book, those that are kept longest first.
type KeyPage struct {
	Keys []KeyRecord
	More bool
}

// keyRows are the keys of a book @book as they are @now.
const keyRows = `
	SELECT k.key, k.operation, u.email AS used_by, u.name AS used_by_name, k.attempts, k.replays, coalesce(k.seq, 0) AS seq, k.settled_at, k.expires_at,
	       k.claimed_at, coalesce(k.owner, '') AS owner, k.lease_until, k.heartbeat_at AS heard_at, encode(k.fingerprint, 'hex') AS fingerprint,
	       CASE WHEN k.settled_at IS NULL AND k.lease_until > @now THEN 'running' WHEN k.settled_at IS NULL THEN 'stuck'
	            WHEN k.expires_at <= @now THEN 'expired' ELSE 'settled' END AS state,
	       (SELECT count(*) FROM key_clashes c WHERE c.book_id = k.book_id AND c.key = k.key) AS clashes
	  FROM idempotency_keys k JOIN users u ON u.id = k.used_by
	 WHERE k.book_id = @book`

// SettledKeys gives a page of the keys that have settled. Error: KindForbidden.
func (s *Store) SettledKeys(ctx context.Context, actor Actor, f KeyFilter) (KeyPage, error) {
	if err := actor.Need(RightRead); err != nil {
		return KeyPage{}, err
	}
	s.writers.writeReplays(actor.Book)
	f.Limit = pageSize(f.Limit)
	where, args := f.where(actor.Book, s.now())
	order := "DESC"
	if f.After != (KeyPlace{}) {
		order = "ASC"
	}
	keys, err := readKeyRows(s.db.WithContext(ctx), ` AND k.settled_at IS NOT NULL`+where+` ORDER BY k.expires_at `+order+`, k.key `+order+` LIMIT @limit`, args)
	if err != nil {
		return KeyPage{}, fmt.Errorf("list keys: %w", err)
	}
	page := KeyPage{Keys: keys, More: len(keys) > f.Limit}
	if page.More {
		page.Keys = keys[:f.Limit]
	}
	if f.After != (KeyPlace{}) {
		slices.Reverse(page.Keys)
	}
	return page, nil
}

// liveKeysShown bounds the list of live claims. There are as many as calls are under way, and those that got stuck.
const liveKeysShown = 200

// LiveKeys lists the claims whose owners are at work, the oldest first, at most two hundred; a state narrows them to KeyRunning or
// KeyStuck, and the texts of the filter as in SettledKeys. Error: KindForbidden.
func (s *Store) LiveKeys(ctx context.Context, actor Actor, f KeyFilter) ([]KeyRecord, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	f.Limit, f.Before, f.After = liveKeysShown-1, KeyPlace{}, KeyPlace{}
	where, args := f.where(actor.Book, s.now())
	keys, err := readKeyRows(s.db.WithContext(ctx), ` AND k.settled_at IS NULL`+where+` ORDER BY k.claimed_at, k.key LIMIT @limit`, args)
	if err != nil {
		return nil, fmt.Errorf("list live claims: %w", err)
	}
	return keys, nil
}

// where is the condition of the filter on keys k, to follow another one.
func (f KeyFilter) where(book Book, now time.Time) (string, map[string]any) {
	args := map[string]any{"book": book.ID, "now": now, "limit": f.Limit + 1}
	conditions := ""
	add := func(name string, value any, condition string) {
		conditions, args[name] = conditions+" AND "+condition, value
	}
	switch f.State {
	case KeyRunning:
		conditions += ` AND k.lease_until > @now`
	case KeyStuck:
		conditions += ` AND k.lease_until <= @now`
	case KeySettled:
		conditions += ` AND k.expires_at > @now`
	case KeyRetried:
		conditions += ` AND k.replays > 0`
	case KeyExpired:
		conditions += ` AND k.expires_at <= @now`
	}
	if seq, ok := entryNumber(f.Text); ok {
		add("seq", seq, "k.seq = @seq")
	} else if f.Text != "" {
		add("text", containing(f.Text), "k.key ILIKE @text")
	}
	if f.Who != "" {
		add("who", containing(f.Who), "(u.email ILIKE @who OR u.name ILIKE @who)")
	}
	for _, bound := range []struct {
		place      KeyPlace
		name, sign string
	}{{f.Before, "before", "<"}, {f.After, "after", ">"}} {
		if bound.place != (KeyPlace{}) {
			args[bound.name+"_key"] = bound.place.Key
			add(bound.name, bound.place.ExpiresAt, "(k.expires_at, k.key) "+bound.sign+" (@"+bound.name+", @"+bound.name+"_key)")
		}
	}
	return conditions, args
}

// entryNumber reads the number of an entry as pages write it: #1,684.
func entryNumber(text string) (int64, bool) {
	digits, marked := strings.CutPrefix(text, "#")
	seq, err := strconv.ParseInt(strings.NewReplacer(",", "", ".", "", " ", "").Replace(digits), 10, 64)
	return seq, marked && err == nil
}

func readKeyRows(tx *gorm.DB, rest string, args map[string]any) ([]KeyRecord, error) {
	keys, err := query[KeyRecord](tx, keyRows+rest, args)
	for i := range keys {
		k := &keys[i]
		k.SettledAt, k.ExpiresAt, k.ClaimedAt = k.SettledAt.UTC(), k.ExpiresAt.UTC(), k.ClaimedAt.UTC()
		k.LeaseUntil, k.HeardAt = k.LeaseUntil.UTC(), k.HeardAt.UTC()
	}
	return keys, err
}
