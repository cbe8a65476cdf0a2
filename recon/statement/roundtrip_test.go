package statement_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// dialect is one way in which a bank writes the same statement.
type dialect struct {
	delimiter, lineEnd, decimal, group, date string
	quoteAll, debitAndCredit, balance        bool
	newestFirst                              bool
	preamble                                 int
	encoding                                 string
}

func someDialect(t *rapid.T) dialect {
	d := dialect{
		delimiter: rapid.SampledFrom([]string{",", ";", "\t", "|"}).Draw(t, "delimiter"),
		lineEnd:   rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line end"),
		decimal:   rapid.SampledFrom([]string{".", ","}).Draw(t, "decimal"),
		date: rapid.SampledFrom([]string{"2006-01-02", "02.01.2006", "20060102", "2 Jan 2006", "2006/1/2", "02.01.06",
			"2006-01-02T15:04:05Z", "Jan 2, 2006"}).Draw(t, "date"),
		quoteAll:       rapid.Bool().Draw(t, "quote all"),
		debitAndCredit: rapid.Bool().Draw(t, "debit and credit"),
		balance:        rapid.Bool().Draw(t, "balance"),
		newestFirst:    rapid.Bool().Draw(t, "newest first"),
		preamble:       rapid.IntRange(0, 5).Draw(t, "preamble"),
		encoding:       rapid.SampledFrom([]string{"utf-8", "utf-8 marked", "windows-1252", "utf-16le", "utf-16be"}).Draw(t, "encoding"),
	}
	groups := []string{"", "'", " ", "\u00a0"}
	if d.decimal == "," {
		groups = append(groups, ".")
	} else {
		groups = append(groups, ",")
	}
	d.group = rapid.SampledFrom(groups).Draw(t, "group")
	return d
}

func encodings() map[string]encoding.Encoding {
	return map[string]encoding.Encoding{"utf-8": unicode.UTF8, "utf-8 marked": unicode.UTF8BOM, "windows-1252": charmap.Windows1252,
		"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16be": unicode.UTF16(unicode.BigEndian, unicode.UseBOM)}
}

func someLines(t *rapid.T) []statement.Line {
	day := ledger.MustDate("2026-01-01")
	text := rapid.StringMatching(`[A-Za-zäöüéñ]([A-Za-z0-9 äöüéñ,;|"'.&/-]{0,20}[A-Za-z])?`)
	n := rapid.IntRange(1, 12).Draw(t, "lines")
	lines := make([]statement.Line, n)
	for i := range lines {
		day = day.AddDays(rapid.IntRange(0, 20).Draw(t, "days"))
		lines[i] = statement.Line{Date: day, AmountMinor: rapid.Int64Range(-100_000_000, 100_000_000).Draw(t, "amount"),
			Currency: "EUR", Reference: fmt.Sprintf("REF-%d", i), Description: strings.Join(strings.Fields(text.Draw(t, "text")), " ")}
	}
	return lines
}

// TestRead_ReadsTheSameInEveryDialect writes a statement in some bank's manner and reads it back.
func TestRead_ReadsTheSameInEveryDialect(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d, lines := someDialect(t), someLines(t)
		opening := rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "opening")
		data := d.write(t, lines, opening)
		read, err := statement.Read(data, statement.Hints{"currency": "EUR"})
		if err != nil {
			t.Fatalf("refused: %v\n%q", err, data)
		}
		if len(read.Lines) != len(lines) || len(read.Rejects)+len(read.Skipped) > 0 {
			t.Fatalf("read %+v, %v, %v from\n%q", read.Lines, read.Rejects, read.Skipped, data)
		}
		closing := opening
		for i, want := range lines {
			got := read.Lines[i]
			if d.newestFirst {
				got = read.Lines[len(lines)-1-i]
			}
			if got.Date != want.Date || got.AmountMinor != want.AmountMinor || got.Reference != want.Reference || got.Description != want.Description {
				t.Fatalf("line %d: got %+v, want %+v from\n%q", i, got, want, data)
			}
			if got.Fingerprint() != want.Fingerprint() {
				t.Fatalf("line %d has another fingerprint", i)
			}
			closing += want.AmountMinor
		}
		if d.balance && read.ClosingMinor != nil && (*read.ClosingMinor != closing || *read.OpeningMinor != opening) {
			t.Fatalf("balances %d and %d, want %d and %d", *read.OpeningMinor, *read.ClosingMinor, opening, closing)
		}
	})
}

func (d dialect) write(t *rapid.T, lines []statement.Line, opening int64) []byte {
	var rows []string
	running := opening
	for _, l := range lines {
		running += l.AmountMinor
		cells := []string{time.Date(l.Date.Year, l.Date.Month, l.Date.Day, 23, 59, 0, 0, time.UTC).Format(d.date), l.Description, l.Reference}
		switch {
		case !d.debitAndCredit:
			cells = append(cells, d.amount(l.AmountMinor))
		case l.AmountMinor < 0:
			cells = append(cells, d.amount(-l.AmountMinor), "")
		default:
			cells = append(cells, "", d.amount(l.AmountMinor))
		}
		if d.balance {
			cells = append(cells, d.amount(running))
		}
		rows = append(rows, d.row(cells))
	}
	if d.newestFirst {
		for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
			rows[i], rows[j] = rows[j], rows[i]
		}
	}
	header := []string{"Date", "Description", "Reference"}
	if d.debitAndCredit {
		header = append(header, "Debit", "Credit")
	} else {
		header = append(header, "Amount")
	}
	if d.balance {
		header = append(header, "Balance")
	}
	all := append([]string{}, make([]string, d.preamble)...)
	if d.preamble > 0 {
		all[0] = "Movements of the account"
	}
	all = append(append(all, d.row(header)), rows...)
	data, err := encodings()[d.encoding].NewEncoder().Bytes([]byte(strings.Join(all, d.lineEnd) + d.lineEnd))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (d dialect) row(cells []string) string {
	quoted := make([]string, len(cells))
	for i, c := range cells {
		quoted[i] = c
		if d.quoteAll || strings.ContainsAny(c, d.delimiter+"\"\r\n") {
			quoted[i] = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
		}
	}
	return strings.Join(quoted, d.delimiter)
}

// amount writes minor units as this bank does; groups of three only where it groups.
func (d dialect) amount(minor int64) string {
	whole, fraction, _ := strings.Cut(ledger.GroupDigits(ledger.FormatAmount(minor, "EUR")), ".")
	return strings.ReplaceAll(whole, ",", d.group) + d.decimal + fraction
}

// TestRead_AccountsForEveryRow mixes rows of every kind and counts.
func TestRead_AccountsForEveryRow(t *testing.T) {
	t.Parallel()
	kinds := []string{"2026-03-02;Rent;-1,00;Booked", "2026-03-02;Rent;n/a;Booked", "2026-02-31;Rent;-1,00;Booked", "2026-03-02;Rent", "Total;;5,00;",
		";and more text;;", "2026-03-02;Hotel;-1,00;Pending", "a note at the end", "2026-03-02;Rent;;Booked", ";;;2,00;;;", "2026-03-02;Opening balance;5,00;", `2026-03-03;"two` + "\n" + `lines";-1,00;Booked`}
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SampledFrom(kinds), 1, 30).Draw(t, "rows")
		data := "Date;Description;Amount;Status\n2026-03-01;First;-1,50;Booked\n" + strings.Join(rows, "\n\n") + "\n"
		read, err := statement.Read([]byte(data), statement.Hints{"currency": "EUR"})
		if err != nil {
			t.Fatalf("refused: %v", err)
		}
		if got := len(read.Lines) + len(read.Rejects) + len(read.Skipped); got != len(rows)+1 {
			t.Fatalf("%d of %d rows: %+v", got, len(rows)+1, read)
		}
	})
}
