package statement_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// entries draws movements in euros, at most a few.
func drawnAmounts(t *rapid.T, least int) []int64 {
	return rapid.SliceOfN(rapid.Int64Range(-1_000_000, 1_000_000), least, 12).Draw(t, "amounts")
}

func euros(minor int64) string { return ledger.FormatAmount(minor, "EUR") }

// daysOf writes movements as the statements of some days, each with its balances.
func daysOf(opening int64, amounts []int64, cuts []bool) (stmts []string, closing int64) {
	balance, day := opening, 1
	var entries []string
	start := opening
	for i, amount := range amounts {
		balance += amount
		entries = append(entries, ntryOf(euros(amount), fmt.Sprintf("A%d", i)))
		if cuts[i] || i == len(amounts)-1 {
			date := fmt.Sprintf("2026-03-%02d", day)
			stmts = append(stmts, stmtOf(ourIBAN, balOf("OPBD", euros(start), date), balOf("CLBD", euros(balance), date), strings.Join(entries, "")))
			entries, start, day = nil, balance, day+1
		}
	}
	return stmts, balance
}

// However a bank cuts its statement into days and in whatever order it lists them, it is the same statement.
func TestCamt_IsTheSameInWhateverPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amounts := drawnAmounts(t, 1)
		cuts := rapid.SliceOfN(rapid.Bool(), len(amounts), len(amounts)).Draw(t, "cuts")
		opening := rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "opening")
		stmts, closing := daysOf(opening, amounts, cuts)
		if rapid.Bool().Draw(t, "shuffled") {
			stmts = rapid.Permutation(stmts).Draw(t, "order")
		}
		read, err := statement.Read([]byte(camtOf(stmts...)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if *read.OpeningMinor != opening || *read.ClosingMinor != closing || len(read.Lines) != len(amounts) {
			t.Fatalf("from %d to %d in %d lines, want from %d to %d in %d", *read.OpeningMinor, *read.ClosingMinor, len(read.Lines), opening, closing, len(amounts))
		}
		for i, l := range read.Lines {
			var at int
			if _, err := fmt.Sscanf(l.BankID, "A%d", &at); err != nil || l.AmountMinor != amounts[at] || l.Row != i+1 {
				t.Fatalf("line %+v, want %d", l, amounts[at])
			}
		}
	})
}

// A statement from which an entry that moved money is missing, or in which it stands twice, is not stored as if it were whole.
func TestCamt_IsRefusedWithoutAnEntry(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amounts := drawnAmounts(t, 1)
		stmts, _ := daysOf(0, amounts, make([]bool, len(amounts)))
		at := rapid.IntRange(0, len(amounts)-1).Draw(t, "at")
		entry := ntryOf(euros(amounts[at]), fmt.Sprintf("A%d", at))
		file := strings.Replace(camtOf(stmts...), entry, strings.Repeat(entry, rapid.SampledFrom([]int{0, 2}).Draw(t, "times")), 1)
		_, err := statement.Read([]byte(file), nil)
		var refusal *statement.Refusal
		if amounts[at] == 0 {
			return
		}
		if !errors.As(err, &refusal) || refusal.Class != statement.ClassBalance || refusal.Statement == nil || refusal.ClosingMinor == nil || refusal.OpeningMinor == nil {
			t.Fatalf("got %v, want what does not add up", err)
		}
	})
}

// OFX says the same with elements that are closed and with elements that are not.
func TestOFX_IsTheSameInBothForms(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amounts := drawnAmounts(t, 0)
		var open, closed []string
		for i, amount := range amounts {
			name := rapid.StringMatching(`[A-Za-z0-9&;# .,'/-]{0,30}`).Draw(t, "name")
			escaped := strings.ReplaceAll(name, "&", "&amp;")
			open = append(open, fmt.Sprintf("<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260302<TRNAMT>%s<FITID>F%d<NAME>%s</STMTTRN>", euros(amount), i, escaped))
			closed = append(closed, fmt.Sprintf("<STMTTRN>\n<TRNTYPE>OTHER</TRNTYPE><DTPOSTED>20260302</DTPOSTED>\n<TRNAMT>%s</TRNAMT><FITID>F%d</FITID><NAME>%s</NAME></STMTTRN>", euros(amount), i, escaped))
		}
		one, err := statement.Read([]byte(ofxOf(bankOf("00123", "1.00", open...))), nil)
		other, otherErr := statement.Read([]byte(ofxOf(bankOf("00123", "1.00", closed...))), nil)
		if err != nil || otherErr != nil || len(one.Lines) != len(amounts) {
			t.Fatalf("%v, %v, %d lines", err, otherErr, len(one.Lines))
		}
		for i := range one.Lines {
			a, b := one.Lines[i], other.Lines[i]
			a.Raw, b.Raw = "", ""
			if a != b || a.AmountMinor != amounts[i] {
				t.Fatalf("%+v and %+v, want %d", a, b, amounts[i])
			}
		}
	})
}
