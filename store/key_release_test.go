package store_test

import (
	"errors"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/claim"
	"daybook/store/ledger"
)

func TestReleaseKey_FencesTheOwnerOffAndLeavesTheKeyToOneHeir(t *testing.T) {
	t.Parallel()
	b := setup(t)
	claims := b.claims(t, b.Store, patient)
	owner := own(t, claims, "k")
	release := store.KeyRelease{Key: "k", Attempt: 1, Reason: "the process was stopped"}
	refused(t, b.ReleaseKey(t.Context(), b.admin, "r1", release), ledger.KindIllegalTransition)
	b.clock.advance(patient.Lease)
	refused(t, b.ReleaseKey(t.Context(), b.controller, "r2", release), ledger.KindForbidden)
	ok(t, b.ReleaseKey(t.Context(), b.admin, "r3", release))
	ok(t, b.ReleaseKey(t.Context(), b.admin, "r3", release)) // a retry
	refused(t, b.ReleaseKey(t.Context(), b.admin, "r4", release), ledger.KindIllegalTransition)

	if err := owner.Extend(t.Context()); !errors.Is(err, claim.ErrFenced) {
		t.Errorf("the released owner extends its lease: %v", err)
	}
	if err := owner.Settle(t.Context(), []byte(`{"charge":1}`)); !errors.Is(err, claim.ErrFenced) {
		t.Errorf("the released owner settles the key: %v", err)
	}
	heir := own(t, claims, "k")
	if heir.Attempt() != 3 {
		t.Errorf("the heir is attempt %d: it would not recover first", heir.Attempt())
	}
	refused(t, b.ReleaseKey(t.Context(), b.admin, "r5", store.KeyRelease{Key: "k", Attempt: 2, Reason: "once more"}), ledger.KindIllegalTransition)
	ok(t, heir.Settle(t.Context(), []byte(`{"charge":1}`)))
	refused(t, b.ReleaseKey(t.Context(), b.admin, "r6", store.KeyRelease{Key: "k", Attempt: 3, Reason: "once more"}), ledger.KindIllegalTransition)
	if noted := b.column(t, `SELECT detail->>'reason' FROM audit_log WHERE action = 'key.release' AND outcome = 'done'`); len(noted) != 1 || noted[0] != release.Reason {
		t.Errorf("the audit log has the releases %q", noted)
	}
}

func TestReleaseKey_TellsWhoWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hardlyPolling := claim.Terms{Lease: time.Hour, Wait: 20 * time.Second, Poll: time.Hour}
	own(t, b.claims(t, b.Store, hardlyPolling), "k")
	waiting, err := b.claims(t, b.another(t), hardlyPolling).Claim(t.Context(), "k", charge)
	ok(t, err)
	answered := make(chan error, 1)
	go func() {
		_, err := waiting.Outcome(t.Context())
		answered <- err
	}()
	b.eventually(t, `SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'listen %'`, "1")
	b.clock.advance(hardlyPolling.Lease)
	ok(t, b.ReleaseKey(t.Context(), b.admin, "r", store.KeyRelease{Key: "k", Attempt: 1, Reason: "the process was stopped"}))
	refused(t, <-answered, ledger.KindOwnerFailed)
}

func TestSweepKeys_TakesExpiredKeysAndLeavesLiveClaims(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"), entry("t2"))
	own(t, b.claims(t, b.Store, patient), "live")
	b.clock.advance(29 * 24 * time.Hour)
	b.post(t, entry("t3"))
	sweep := func() int64 {
		swept, err := b.SweepKeys(t.Context())
		ok(t, err)
		return swept
	}
	before := sweep()
	b.clock.advance(48 * time.Hour)
	if swept := sweep(); before != 0 || swept != 2 {
		t.Errorf("within the retention %d keys are swept and after it %d, want 0 and 2", before, swept)
	}
	if left := b.column(t, `SELECT key FROM idempotency_keys ORDER BY key`); len(left) != 2 || left[0] != "key-t3" || left[1] != "live" {
		t.Errorf("these keys are left: %q", left)
	}
}

func TestSweepKeys_GoesOnInChunksUntilNothingIsLeft(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.sql(t, `INSERT INTO idempotency_keys (book_id, key, operation, fingerprint, attempts, replays, used_by, settled_at, expires_at)
		SELECT b.id, 'old-' || n, 'entry', sha256('x'), 1, 0, u.id, '2026-01-01', '2026-02-01' FROM books b, users u, generate_series(1, 1203) n WHERE u.email = 'preparer@demo.test'`)
	swept, err := b.SweepKeys(t.Context())
	ok(t, err)
	if swept != 1203 {
		t.Errorf("%d of 1,203 expired keys are swept", swept)
	}
}

func TestPostEntry_AfterTheRetentionIsNewAndTheTxIDGuardsTheJournal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"))
	b.clock.advance(31 * 24 * time.Hour)
	_, err := b.PostEntry(t.Context(), b.preparer, "key-t1", entry("t1"))
	refused(t, err, ledger.KindTxIDExists)
	var known *ledger.Error
	if errors.As(err, &known); known.Extra["seq"] != int64(1) {
		t.Errorf("the late posting is told entry %v, want 1", known.Extra["seq"])
	}
	late, err := b.PostEntry(t.Context(), b.preparer, "key-t1", entry("t2"))
	ok(t, err)
	if late.Duplicate || late.Seq != 2 {
		t.Errorf("the expired key is not new: seq %d, duplicate %v", late.Seq, late.Duplicate)
	}
}
