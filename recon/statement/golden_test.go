package statement_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

var update = flag.Bool("update", false, "write the golden files of testdata/banks and testdata/layouts")

// TestLayouts holds the reader to what it makes of the exports of many banks, in testdata/banks, and of single traps, in testdata/layouts: a
// file, beside it the hints if it needs any, and what is read from it in words. What is in words was checked by hand before it was kept.
func TestLayouts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/[bl]*/*.csv")
	if err != nil || len(files) < 300 {
		t.Fatalf("found %d layouts: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".csv"), func(t *testing.T) {
			t.Parallel()
			got := inWords(t, file)
			golden := strings.TrimSuffix(file, ".csv") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// inWords reads a file with the hints beside it and tells everything that was read.
func inWords(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	told, err := os.ReadFile(strings.TrimSuffix(file, ".csv") + ".hints")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	hints, err := statement.ParseHints(strings.FieldsFunc(string(told), func(r rune) bool { return r == '\n' }))
	if err != nil {
		t.Fatal(err)
	}
	read, err := statement.Read(data, hints)
	var refusal *statement.Refusal
	if errors.As(err, &refusal) {
		return fmt.Sprintf("refused: %s\n%s\n", refusal.Class, refusal.Detail)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tell(read)
}

func tell(s *statement.Statement) string {
	var b strings.Builder
	fmt.Fprintf(&b, "currency %s account %s opening %s closing %s\n", dash(s.Currency), dash(s.Account), show(s.OpeningMinor, s.Currency), show(s.ClosingMinor, s.Currency))
	set := s.Settings
	fmt.Fprintf(&b, "%s, delimiter %q, header %d, dates %s, decimal %s\n", set.Encoding, set.Delimiter, set.HeaderRow, set.DateFormat, dash(set.Decimal))
	for _, l := range s.Lines {
		fmt.Fprintf(&b, "%d: %s %s %s | %s | %s | %s\n", l.Row, l.Date, ledger.FormatAmount(l.AmountMinor, l.Currency), l.Currency, dash(l.Reference), dash(l.Description), dash(l.BankID))
	}
	for _, r := range s.Rejects {
		fmt.Fprintf(&b, "%d: rejected, %s: %s\n", r.Row, r.Reason, r.Detail)
	}
	for _, k := range s.Skipped {
		fmt.Fprintf(&b, "%d: skipped, %s\n", k.Row, k.Reason)
	}
	return b.String()
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func show(minor *int64, currency string) string {
	if minor == nil {
		return "-"
	}
	return ledger.FormatAmount(*minor, currency)
}
