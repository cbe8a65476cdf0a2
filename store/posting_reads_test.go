package store_test

import (
	"fmt"
	"strconv"
	"testing"

	"daybook/store"
	"daybook/store/postgres"
)

// rowsRead are the rows that indexes of the journal and its keys have given so far.
const rowsRead = `SELECT sum(idx_tup_read)::text FROM pg_stat_user_indexes WHERE relname IN ('entries', 'postings', 'idempotency_keys', 'account_days')`

// The first plans of a connection are made when the book is empty, and to read a whole book costs nothing.
func TestPosting_ReadsNoMoreOfABookThatHasGrown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	db, err := postgres.Open(t.Context(), b.appURL)
	ok(t, err)
	pool, err := db.DB()
	ok(t, err)
	pool.SetMaxOpenConns(1)
	s := store.New(db, b.clock.now)
	t.Cleanup(func() { ok(t, s.Close()) })
	post := func(from, to int) (read int) {
		t.Helper()
		for i := from; i < to; i++ {
			_, err := s.PostEntry(t.Context(), b.preparer, fmt.Sprint("k", i), entry(fmt.Sprint("t", i)))
			ok(t, err)
		}
		ok(t, db.Exec(`SELECT pg_stat_force_next_flush()`).Error)
		ok(t, db.Exec(`SELECT 1`).Error)
		read, err := strconv.Atoi(b.column(t, rowsRead)[0])
		ok(t, err)
		return read
	}
	const grown, posts, most = 600, 50, 60
	before := post(0, grown)
	if perPost := (post(grown, grown+posts) - before) / posts; perPost > most {
		t.Errorf("a post reads %d rows of a book with %d entries, want at most %d", perPost, grown, most)
	}
}
