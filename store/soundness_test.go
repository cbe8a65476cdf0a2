package store_test

import (
	"context"
	"io"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/store"
)

func (b bundle) soundness(t *testing.T) store.Soundness {
	t.Helper()
	found, err := b.Soundness(t.Context(), b.viewer)
	ok(t, err)
	return found
}

func (b bundle) verifyBooks(t *testing.T) (faulty []store.Verified) {
	t.Helper()
	faulty, err := b.VerifyBooks(t.Context())
	ok(t, err)
	return faulty
}

func TestSoundness_KeepsWhatTheLastVerificationFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"), entry("t2"))
	before := b.soundness(t)
	if before.Last != nil || before.Head != 2 || before.Missing != 0 || !reflect.DeepEqual(before.Currencies, []string{"EUR"}) || before.Differing != nil {
		t.Errorf("before any verification: %+v", before)
	}
	at := b.clock.now()
	if faulty := b.verifyBooks(t); len(faulty) != 0 {
		t.Errorf("a fault in %+v", faulty)
	}
	b.clock.advance(time.Minute)
	b.post(t, entry("t3"))
	after := b.soundness(t)
	if after.Head != 3 || after.Missing != 0 || after.Last == nil || after.Last.Entries != 2 || after.Last.Fault != nil || !after.Last.At.Equal(at) || after.Last.GuardsOff != nil {
		t.Errorf("after it: %+v, %+v", after, after.Last)
	}
}

func TestSoundness_SeesWhatWasTamperedWith(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change    string
		fault     string
		missing   int64
		differing []string
	}{
		"an amount":      {`UPDATE postings SET amount_minor = amount_minor * 2 WHERE seq = 3`, "entry 3: is not what was recorded", 0, nil},
		"an entry":       {`DELETE FROM entries WHERE seq = 3`, "entry 3: is missing", 1, nil},
		"a kept total":   {`UPDATE account_totals SET debit_minor = debit_minor + 1 WHERE account_id = (SELECT id FROM accounts WHERE code = '1020')`, "account 1020: its kept total", 0, []string{"JPY"}},
		"kept and found": {`UPDATE currency_totals SET debit_minor = 1 WHERE currency = 'JPY'`, "book: its kept debits in JPY", 0, []string{"JPY"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setupTampered(t)
			b.run(t, c.change)
			if found := b.soundness(t); found.Missing != c.missing || !reflect.DeepEqual(found.Differing, c.differing) {
				t.Errorf("at once: %+v, want %d missing, differing %v", found, c.missing, c.differing)
			}
			faulty := b.verifyBooks(t)
			found := b.soundness(t)
			if len(faulty) != 1 || found.Last.Fault == nil || !strings.HasPrefix(found.Last.Fault.String(), c.fault) || len(found.Last.GuardsOff) == 0 {
				t.Errorf("verified: %+v, want %s", found.Last, c.fault)
			}
			if found.Missing != c.missing {
				t.Errorf("once verified %d are missing, want %d", found.Missing, c.missing)
			}
		})
	}
}

func TestVerifyOn_ReadsWhatCameSinceAndEverythingOnceADay(t *testing.T) {
	t.Parallel()
	plain := setup(t)
	plain.post(t, entry("t1"), entry("t2"), entry("t3"))
	b := tampered{bundle: plain, conn: plain.owner(t)}
	b.run(t, `ALTER TABLE entries DISABLE TRIGGER entries_no_change`)
	verifyOn := func(when string, want store.Verified) {
		t.Helper()
		_, err := b.VerifyOn(t.Context())
		ok(t, err)
		got := b.soundness(t).Last
		if got.Entries != want.Entries || !got.WholeAt.Equal(want.WholeAt) || (got.Fault == nil) != (want.Fault == nil) || got.Fault != nil && !strings.HasPrefix(got.Fault.String(), want.Fault.What) {
			t.Errorf("%s: %d entries, whole at %v, %v", when, got.Entries, got.WholeAt, got.Fault)
		}
	}
	whole := b.clock.now()
	verifyOn("at first", store.Verified{Verification: store.Verification{Entries: 3}, WholeAt: whole})
	b.clock.advance(time.Hour)
	b.post(t, entry("t4", amount(7)))
	verifyOn("after one more", store.Verified{Verification: store.Verification{Entries: 4}, WholeAt: whole})
	b.run(t, `UPDATE account_days SET credit_minor = credit_minor + 1 WHERE account_id = 1`)
	verifyOn("after a kept total changed", store.Verified{Verification: store.Verification{Entries: 4, Fault: &store.Fault{What: "account 1010: its kept total"}}, WholeAt: whole})
	b.run(t, `UPDATE account_days SET credit_minor = credit_minor - 1 WHERE account_id = 1`)
	verifyOn("after a fault", store.Verified{Verification: store.Verification{Entries: 4}, WholeAt: b.clock.now()})
	whole = b.clock.now()
	b.run(t, `UPDATE entries SET description = 'x' WHERE seq = 2`)
	verifyOn("after something old changed", store.Verified{Verification: store.Verification{Entries: 4}, WholeAt: whole})
	b.clock.advance(24 * time.Hour)
	verifyOn("a day later", store.Verified{Verification: store.Verification{Entries: 1, Fault: &store.Fault{What: "entry 2: is not what was recorded"}}, WholeAt: b.clock.now()})
	b.run(t, `UPDATE entries SET description = 'Deposit t2' WHERE seq = 2`)
	verifyOn("restored", store.Verified{Verification: store.Verification{Entries: 4}, WholeAt: b.clock.now()})
	b.run(t, `UPDATE entries SET hash = sha256('x') WHERE seq = 4`)
	verifyOn("after the entry to go on from changed", store.Verified{Verification: store.Verification{Entries: 3, Fault: &store.Fault{What: "entry 4: is not what was recorded"}}, WholeAt: b.clock.now()})
}

func TestKeepVerified_VerifiesAtOnceAndEndsWithItsContext(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		b.KeepVerified(ctx, time.Hour, slog.New(slog.NewTextHandler(io.Discard, nil)))
	}()
	deadline := time.After(time.Minute)
	for b.soundness(t).Last == nil {
		select {
		case <-deadline:
			t.Fatal("nothing was verified")
		default:
		}
	}
	cancel()
	<-ended
}
