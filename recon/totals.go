package recon

import (
	"math"
	"math/bits"

	"daybook/store/ledger"
)

// Totals are the sums of both sides in the account's currency, and ledger - bank.
type Totals struct {
	LedgerMinor     int64 `json:"ledger_minor"`
	BankMinor       int64 `json:"bank_minor"`
	DifferenceMinor int64 `json:"difference_minor"`
}

// Total adds up the lines in scope that are in the account's currency. Errors: KindAmountOverflow.
func Total(in Input) (Totals, error) {
	var sums [2]wide
	for s, items := range [][]Item{in.Ledger, in.Bank} {
		for i := range items {
			if items[i].Currency == in.Currency && !items[i].Candidate {
				sums[s].add(items[i].AmountMinor)
			}
		}
	}
	ours, inLedger := sums[ledgerSide].minor()
	theirs, inBank := sums[bankSide].minor()
	apart, inBetween := difference(ours, theirs)
	for _, check := range []struct {
		fits bool
		what string
	}{{inLedger, "total of the ledger"}, {inBank, "total of the bank"}, {inBetween, "difference between ledger and bank"}} {
		if !check.fits {
			return Totals{}, ledger.Refuse(ledger.KindAmountOverflow, "the %s is beyond the largest amount, %s",
				check.what, money(ledger.MaxAmountMinor, in.Currency))
		}
	}
	return Totals{ours, theirs, apart}, nil
}

// wide is a sum of amounts that cannot overflow, in 128 bits.
type wide struct{ high, low uint64 }

func (w *wide) add(minor int64) {
	var carry uint64
	w.low, carry = bits.Add64(w.low, uint64(minor), 0)
	w.high, _ = bits.Add64(w.high, uint64(minor>>63), carry)
}

func (w *wide) subtract(minor int64) {
	var borrow uint64
	w.low, borrow = bits.Sub64(w.low, uint64(minor), 0)
	w.high, _ = bits.Sub64(w.high, uint64(minor>>63), borrow)
}

// minor is the sum as an amount; false when it is beyond ±ledger.MaxAmountMinor.
func (w wide) minor() (int64, bool) {
	sum := int64(w.low)
	if w.high != uint64(sum>>63) || sum == math.MinInt64 {
		return 0, false
	}
	return sum, true
}

// difference is ledger - bank; false when it is beyond ±ledger.MaxAmountMinor.
func difference(ours, theirs int64) (int64, bool) {
	var d wide
	d.add(ours)
	d.subtract(theirs)
	return d.minor()
}

func magnitude(minor int64) uint64 {
	if minor < 0 {
		return -uint64(minor)
	}
	return uint64(minor)
}
