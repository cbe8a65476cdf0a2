package statement_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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
	for _, text := range hostileSeeds() {
		f.Add([]byte(text))
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

// hostileSeeds are small files of the kinds that are made to break a reader.
func hostileSeeds() []string {
	const header, row = "Date,Description,Amount,Currency\n", "2026-03-02,Rent,1.00,EUR\n"
	return []string{
		header + "2026-03-02,\"Rent,1.00,EUR\n" + row,
		header + `2026-03-02,"""",1.00,EUR` + "\n" + `2026-03-02," ""a"" "b" ",1.00,EUR` + "\n",
		`"2026-03-02,""Rent, x"",1.00,EUR"` + "\n" + `"2026-03-03,""Rent, y"",1.00,EUR"` + "\n",
		"'Date';'Text';'Amount'\r'2026-03-02';'Ren''t';'1,00'\r",
		header + row + ",and more,,\n,  and more,,\n" + row + "Total,,2.00,EUR\n",
		header + "2026-03-02,Re\x00nt,1.00,EUR\n", header + "2026-03-02,Caf\xe9,1.00,EUR\n" + row,
		"\xff\xfeD\x00a\x00t\x00e\x00,\x00A\x00m\x00o\x00u\x00n\x00t\x00\n\x002\x00", "\xfe\xff\xd8\x00\x00A", "\ufeff\ufeff" + header + "\ufeff" + row,
		"PK\x03\x04" + header, "\x1f\x8b" + row, "sep=;\nsep=;\nDate;Amount\n1.3.26;1\n",
		header + row + row[:len(row)-1] + "\r" + row[:len(row)-1] + "\r\n" + row[:len(row)-1] + "\n\r" + row,
		"Date" + strings.Repeat(",Amount", 20) + "\n2026-03-02" + strings.Repeat(",1.00", 20) + "\n",
		"Account: 1234567\n" + header + row + "Account: 7654321\n" + header + row,
		"Date,Description,Amount,Balance,Currency\n2026-03-02,a,1.00,5.00,EUR\n2026-03-02,b,2.00,3.00,EUR\n2026-03-02,a,1.00,4.00,EUR\n",
		"Date,Description,Amount,Balance,Currency\n2026-03-02,a,1.00,4.00,EUR\n2026-03-02,b,2.00,9.00,EUR\n2026-03-02,c,3.00,7.00,EUR\n",
		header + "99999999999999999999,Rent,99999999999999999999.99,EUR\n" + "2026-03-02,Rent,1E+99,EUR\n2026-03-02,Rent,--1,EUR\n",
	}
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
