package statement_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// FuzzRead looks for a file that the reader neither reads nor refuses in its own words, or of which it loses a row.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*/statement.csv")
	if err != nil {
		f.Fatal(err)
	}
	layouts, err := filepath.Glob("testdata/layouts/*.csv")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, layouts...) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := statement.Read(data, statement.Hints{"currency": "EUR"})
		if err != nil {
			checkSaid(t, err)
			return
		}
		checkWhole(t, read)
	})
}

func checkSaid(t *testing.T, err error) {
	t.Helper()
	var refusal *statement.Refusal
	var hint *ledger.Error
	if !errors.As(err, &refusal) && !errors.As(err, &hint) {
		t.Fatalf("an error of neither kind: %v", err)
	}
	if refusal != nil && (refusal.Detail == "" || refusal.Row < 0) {
		t.Fatalf("a refusal that tells nothing: %+v", refusal)
	}
}

// checkWhole holds what must be true of every statement.
func checkWhole(t *testing.T, s *statement.Statement) {
	t.Helper()
	seen := map[int]bool{}
	once := func(row int) {
		if row < 1 || seen[row] {
			t.Fatalf("row %d is counted twice, or is no row", row)
		}
		seen[row] = true
	}
	for _, l := range s.Lines {
		once(l.Row)
		if _, known := ledger.Exponent(l.Currency); !known || l.Date.IsZero() || l.AmountMinor == -ledger.MaxAmountMinor-1 || l.Raw == "" {
			t.Fatalf("a line that cannot be: %+v", l)
		}
	}
	for _, r := range s.Rejects {
		once(r.Row)
		if r.Reason == "" || r.Detail == "" {
			t.Fatalf("a reject without a reason: %+v", r)
		}
	}
	for _, k := range s.Skipped {
		once(k.Row)
		if k.Reason == "" {
			t.Fatalf("a skipped row without a reason: %+v", k)
		}
	}
}
