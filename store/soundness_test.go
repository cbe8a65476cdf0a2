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
	deadline := time.After(30 * time.Second)
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
