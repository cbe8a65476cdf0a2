package store

import (
	"gorm.io/gorm"

	"daybook/store/ledger"
)

// BalanceProof adds a file up: opening in the file, plus known and duplicate rows, plus money in and out, is the closing computed, which is
// held against the closing in the file. What the file does not state is nil, and so is what follows from it. Of a file whose balances do not
// add up, it shows by how much.
type BalanceProof struct {
	OpeningMinor *int64
	Known        LineSum
	Duplicate    LineSum
	// OpeningNewMinor is the balance before the new lines: where the known ones are older than all of them.
	OpeningNewMinor *int64
	OpeningNewOn    ledger.Date // the day of the earliest new line
	In              LineSum
	Out             LineSum // negative
	ComputedMinor   *int64
	ClosingMinor    *int64
	DifferenceMinor *int64 // computed - in file
	Rejected        int    // rows that are in none of the sums
}

// LineSum is how many lines there are and what they move together.
type LineSum struct {
	Rows  int
	Minor int64
}

// proof is nil when the lines are of several currencies or add up to more than the largest amount.
func (r reading) proof() *BalanceProof {
	parsed, t := r.found.Statement, r.tally
	if parsed.Currency == "" && len(parsed.Lines) > 0 || t.in.overflowed || t.out.overflowed || t.known.overflowed || t.duplicate.overflowed {
		return nil
	}
	p := &BalanceProof{OpeningMinor: parsed.OpeningMinor, ClosingMinor: parsed.ClosingMinor, Known: t.known.sum(), Duplicate: t.duplicate.sum(),
		In: t.in.sum(), Out: t.out.sum(), OpeningNewOn: t.firstFresh, Rejected: r.counts.Rejected}
	if refusal := r.found.Refusal; refusal != nil {
		p.OpeningMinor, p.ClosingMinor = refusal.OpeningMinor, refusal.ClosingMinor
	}
	if p.OpeningMinor == nil {
		return p
	}
	before, ok := sumOf(*p.OpeningMinor, t.known.minor)
	if ok && (t.known.rows == 0 || !t.lastKnown.After(t.firstFresh) || t.firstFresh.IsZero()) {
		p.OpeningNewMinor = &before
	}
	computed, ok := sumOf(*p.OpeningMinor, t.known.minor, t.duplicate.minor, t.in.minor, t.out.minor)
	if !ok {
		return nil
	}
	if p.ComputedMinor = &computed; p.ClosingMinor == nil {
		return p
	}
	if difference, ok := sumOf(computed, -*p.ClosingMinor); ok {
		p.DifferenceMinor = &difference
	}
	return p
}

func (m movement) sum() LineSum { return LineSum{m.rows, m.minor} }

func sumOf(amounts ...int64) (sum int64, ok bool) {
	for _, amount := range amounts {
		if sum, ok = ledger.Add(sum, amount); !ok {
			return 0, false
		}
	}
	return sum, true
}

// Checks are what a file can be held against. One that cannot be made is nil.
type Checks struct {
	Opening  *OpeningCheck
	Dates    *DatesCheck
	Balances *BalancesCheck
	Account  *AccountCheck
}

// BalancesCheck is how many running balances beside the lines were recomputed, and how many agree.
type BalancesCheck struct{ Compared, Equal int }

// OK reports whether all agree.
func (c BalancesCheck) OK() bool { return c.Compared == c.Equal }

func checksOf(tx *gorm.DB, book Book, account ledger.Account, read reading) (Checks, error) {
	var checks Checks
	parsed := read.found.Statement
	if parsed.BalancesCompared > 0 {
		checks.Balances = &BalancesCheck{parsed.BalancesCompared, parsed.BalancesEqual}
	}
	checks.Account = read.whose
	if read.period.From.IsZero() || len(parsed.Lines) == 0 {
		return checks, nil
	}
	continuity, err := continuityOf(tx, book, account.ID, 0, read.period, read.openingNew())
	if continuity != nil {
		checks.Opening, checks.Dates = continuity.Opening, &continuity.Dates
	}
	return checks, err
}
