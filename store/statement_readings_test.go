package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// The cache is looked at from within: from outside only its time and its memory show.

func sheet(lines int) []byte {
	var b bytes.Buffer
	b.WriteString("Date,Amount,Reference\n")
	for i := range lines {
		fmt.Fprintf(&b, "2026-03-02,%d.00,r%d\n", i+1, i)
	}
	return b.Bytes()
}

func read(t *testing.T, r *readings, data []byte, hints statement.Hints) *keptReading {
	t.Helper()
	kept, err := r.inspect(ledger.Hash(sha256.Sum256(data)), data, hints)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func TestReadings_AFileIsReadOnceForTheSameHints(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	r := newReadings(func() time.Time { return now })
	data := sheet(3)
	first := read(t, r, data, statement.Hints{"decimal": ".", "currency": "EUR"})
	if again := read(t, r, data, statement.Hints{"currency": "EUR", "decimal": "."}); again != first || len(first.prints) != 3 {
		t.Error("a file was read twice for the same hints")
	}
	if other := read(t, r, data, statement.Hints{"currency": "USD"}); other == first {
		t.Error("other hints gave the same reading")
	}
	if r.file(first.key.file) == nil || r.file(ledger.Hash{}) != nil {
		t.Error("the bytes of a file that was read are not kept, or those of another are")
	}
	now = now.Add(keptFor)
	read(t, r, data, statement.Hints{"currency": "USD"})
	if r.sweep(); len(r.kept) != 1 {
		t.Errorf("%d readings are kept that somebody asked for lately", len(r.kept))
	}
	if r.drop(first.key.file); len(r.kept) != 0 || r.bytes != 0 || r.byUse.Len() != 0 {
		t.Errorf("after all were dropped, %d readings of %d bytes are kept", len(r.kept), r.bytes)
	}
}

func TestReadings_KeepNoMoreThanTheirBound(t *testing.T) {
	t.Parallel()
	r := newReadings(time.Now)
	r.limitBytes = 1 << 20
	for i := range 30 {
		read(t, r, append(sheet(200), fmt.Sprintf("2026-03-03,1.00,n%d\n", i)...), statement.Hints{"currency": "EUR"})
		if r.bytes > r.limitBytes {
			t.Fatalf("%d bytes are kept", r.bytes)
		}
	}
	if len(r.kept) >= 30 || len(r.kept) < 10 {
		t.Errorf("%d of 30 readings are kept", len(r.kept))
	}
	if read(t, r, sheet(20_000), statement.Hints{"currency": "EUR"}); len(r.kept) != 1 {
		t.Errorf("beside a file that is larger than all that is kept, %d are", len(r.kept)-1)
	}
}

func TestReadings_FilesWaitForTheirTurn(t *testing.T) {
	t.Parallel()
	r := newReadings(time.Now)
	first, err := r.turn(t.Context(), statement.MaxFileBytes)
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.turn(t.Context(), statement.MaxFileBytes/2)
	if err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := r.turn(gone, statement.MaxFileBytes); err == nil || ledger.KindOf(err) == ledger.KindBusy {
		t.Errorf("who has gone is told %v", err)
	}
	second()
	third, err := r.turn(t.Context(), statement.MaxFileBytes-2*lineBytes)
	if err != nil {
		t.Fatal(err)
	}
	first()
	third()
}

func TestReadings_WhoWaitsTooLongIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newReadings(time.Now)
		done, err := r.turn(t.Context(), 2*statement.MaxFileBytes)
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.turn(t.Context(), 1)
		if problem := (&ledger.Error{}); !errors.As(err, &problem) || problem.Kind != ledger.KindBusy || problem.Extra["retry_after"] != 5 {
			t.Errorf("after a wait: %v", err)
		}
		done()
	})
}
