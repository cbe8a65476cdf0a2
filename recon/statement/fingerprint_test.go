package statement_test

import (
	"encoding/hex"
	"slices"
	"testing"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

func coffee() statement.Line {
	return statement.Line{Row: 2, Date: ledger.MustDate("2026-03-02"), AmountMinor: -340, Currency: "EUR", Reference: "A-7", Description: "Kilo Café"}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()

	t.Run("IsTheSameInALaterDownload", func(t *testing.T) {
		t.Parallel()
		later, balance := coffee(), int64(99)
		later.Row, later.Description, later.Reference, later.BalanceMinor, later.Raw = 40, "KILO  CAFE", "a 7", &balance, "other"
		if later.Fingerprint() != coffee().Fingerprint() {
			t.Error("another row, balance or spelling makes another fingerprint")
		}
	})

	t.Run("DiffersWithEveryFactOfTheMovement", func(t *testing.T) {
		t.Parallel()
		seen := map[[32]byte]bool{coffee().Fingerprint(): true}
		for _, change := range []func(*statement.Line){
			func(l *statement.Line) { l.Date = l.Date.AddDays(1) },
			func(l *statement.Line) { l.AmountMinor++ },
			func(l *statement.Line) { l.Currency = "USD" },
			func(l *statement.Line) { l.Reference = "A-8" },
			func(l *statement.Line) { l.Reference, l.Description = "A-7 Kilo", "Cafe" },
			func(l *statement.Line) { l.BankID = "A-7" },
		} {
			line := coffee()
			change(&line)
			if seen[line.Fingerprint()] {
				t.Errorf("the fingerprint of %+v is that of another movement", line)
			}
			seen[line.Fingerprint()] = true
		}
	})

	t.Run("WithABankIDDoesNotDependOnTheText", func(t *testing.T) {
		t.Parallel()
		first, completed := coffee(), coffee()
		first.BankID, completed.BankID, completed.Description = "T-1", "T-1", "Kilo Café, Kiel, card 4411"
		if first.Fingerprint() != completed.Fingerprint() {
			t.Error("a completed text makes another movement")
		}
	})
}

// A changed value here means that every line ever stored would look new: raise FingerprintVersion instead.
func TestFingerprint_NeverChanges(t *testing.T) {
	t.Parallel()
	got := coffee().Fingerprint()
	const want = "87ef9b9ad353267048077aad69a0bb0ec9c3027ce26e4a096a69df498daf5c64"
	if statement.FingerprintVersion != 1 || hex.EncodeToString(got[:]) != want {
		t.Errorf("version %d gives %x, want %s", statement.FingerprintVersion, got, want)
	}
}

func TestDuplicateRows_CountsOnlyTheBanksOwnIDs(t *testing.T) {
	t.Parallel()
	line := func(row int, id string, amountMinor int64) statement.Line {
		l := coffee()
		l.Row, l.BankID, l.AmountMinor = row, id, amountMinor
		return l
	}
	got := statement.DuplicateRows([]statement.Line{line(2, "T-1", -340), line(3, "T-1", -340), line(4, "T-1", -30), line(5, "", -340), line(6, "", -340)})
	if !slices.Equal(got, []int{3}) {
		t.Errorf("rows %v are duplicates, want row 3 alone", got)
	}
}
