package store_test

import (
	"fmt"
	"sync"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/postgres"
)

// plain is another store over the same database, that posts as a program without a writer does.
func (b bundle) plain(t *testing.T) *store.Store {
	t.Helper()
	db, err := postgres.Open(t.Context(), b.appURL)
	ok(t, err)
	s := store.New(db, b.clock.now, store.WithPlainWriter())
	t.Cleanup(func() { ok(t, s.Close()) })
	return s
}

func TestPlainWriter_KeepsTheRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	plain := b.plain(t)
	first, err := plain.PostEntry(t.Context(), b.preparer, "k1", entry("t1", noting("reference", "INV 1")))
	ok(t, err)
	again, err := plain.PostEntry(t.Context(), b.preparer, "k1", entry("t1", noting("reference", "INV 1")))
	ok(t, err)
	if first.Duplicate || !again.Duplicate || again.Hash != first.Hash {
		t.Errorf("a retry got %+v, want %+v as a duplicate", again, first)
	}
	_, err = plain.PostEntry(t.Context(), b.preparer, "k1", entry("t1", amount(3051)))
	refused(t, err, ledger.KindKeyReused)
	_, err = plain.PostEntry(t.Context(), b.preparer, "k2", entry("t1"))
	refused(t, err, ledger.KindTxIDExists)
	_, err = plain.PostEntry(t.Context(), b.preparer, "k2", entry("t2", moves("1010", "nobody", 5)))
	refused(t, err, ledger.KindUnknownAccount)
	_, err = plain.PostEntry(t.Context(), b.viewer, "k3", entry("t3"))
	refused(t, err, ledger.KindForbidden)
}

// TestPlainWriter_WritesWhatTheWriterWrites has both post into one book at once: the chain, the totals and the links must hold.
func TestPlainWriter_WritesWhatTheWriterWrites(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const posts = 20
	var group sync.WaitGroup
	for name, s := range map[string]*store.Store{"plain": b.plain(t), "own": b.Store} {
		for i := range posts {
			group.Go(func() {
				id := fmt.Sprintf("%s-%d", name, i)
				if _, err := s.PostEntry(t.Context(), b.preparer, id, entry(id)); err != nil {
					t.Errorf("post %s: %v", id, err)
				}
			})
		}
	}
	group.Wait()
	v, err := b.Verify(t.Context(), b.book)
	ok(t, err)
	if v.Fault != nil || v.Entries != 2*posts {
		t.Errorf("%d entries, fault %v: want %d and none", v.Entries, v.Fault, 2*posts)
	}
}
