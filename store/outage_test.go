package store_test

import (
	"context"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

func TestOutage_IsPutOffAndGetsOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"))
	owner := b.owner(t)
	// A superuser comes in whatever the limit; the app does not.
	limit := func(connections string) {
		_, err := owner.Exec(t.Context(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT `+connections+`', current_database()); END $$`)
		ok(t, err)
	}
	limit("0")
	_, err := owner.Exec(t.Context(), `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	ok(t, err)
	for range 3 {
		_, err = b.PostEntry(t.Context(), b.preparer, "k2", entry("t2"))
		refused(t, err, ledger.KindBusy)
		_, _, err = b.Entries(t.Context(), b.viewer, store.EntryFilter{})
		refused(t, err, ledger.KindBusy)
	}
	limit("-1")
	receipt, err := b.PostEntry(t.Context(), b.preparer, "k2", entry("t2"))
	ok(t, err)
	if receipt.Seq != 2 || receipt.Duplicate {
		t.Errorf("after the outage: %+v", receipt)
	}
}

func TestPostEntry_WaitsForItsKeyAsLongAsItMay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.owner(t)
	for _, statement := range []string{`BEGIN`, `INSERT INTO idempotency_keys VALUES (1, 'k', 'statement', sha256('x'), null, '{}', null, 1, 0, 1, now(), now() + interval '100 years')`} {
		_, err := owner.Exec(t.Context(), statement)
		ok(t, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second) // several times as long as one wait for the key
	defer cancel()
	_, err := b.PostEntry(ctx, b.preparer, "k", entry("t1"))
	refused(t, err, ledger.KindKeyInProgress)
	_, err = owner.Exec(t.Context(), `ROLLBACK`)
	ok(t, err)
	_, err = b.PostEntry(t.Context(), b.preparer, "k", entry("t1"))
	ok(t, err)
}
