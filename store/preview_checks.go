package store

import (
	"fmt"
	"slices"
	"strings"

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

// OpeningCheck holds the balance before the new lines against the closing of the statement before.
type OpeningCheck struct {
	StatementID  int64
	ClosedOn     ledger.Date
	ClosingMinor int64
	OpeningMinor int64
}

// OK reports whether they are equal.
func (c OpeningCheck) OK() bool { return c.ClosingMinor == c.OpeningMinor }

// DatesCheck holds the period against that of the statement before: the days between them, and the days they share.
type DatesCheck struct {
	StatementID int64
	PreviousTo  ledger.Date
	From        ledger.Date
	GapDays     int
	OverlapDays int
	// Continues is true where the balances prove that nothing is missing between them, whatever the days say.
	Continues bool
}

// OK reports whether no time may be missing.
func (c DatesCheck) OK() bool { return c.GapDays == 0 || c.Continues }

// BalancesCheck is how many running balances beside the lines were recomputed, and how many agree.
type BalancesCheck struct{ Compared, Equal int }

// OK reports whether all agree.
func (c BalancesCheck) OK() bool { return c.Compared == c.Equal }

// AccountCheck holds the account that the file prints against those that earlier files of the account printed.
type AccountCheck struct {
	Printed string
	Earlier []string // none for the first file that prints one
}

// OK reports whether an earlier file printed the same, or none printed any.
func (c AccountCheck) OK() bool {
	return len(c.Earlier) == 0 || slices.ContainsFunc(c.Earlier, func(earlier string) bool { return bare(earlier) == bare(c.Printed) })
}

// bare is a number of an account without the marks that are printed now and not then.
func bare(account string) string {
	return strings.NewReplacer("-", "", "/", "", ".", "").Replace(account)
}

// previousStatement is the one that a file continues.
type previousStatement struct {
	ID           int64
	PeriodTo     ledger.Date
	ClosingMinor *int64
}

func checksOf(tx *gorm.DB, book Book, account ledger.Account, read reading) (Checks, error) {
	var checks Checks
	parsed := read.found.Statement
	if parsed.BalancesCompared > 0 {
		checks.Balances = &BalancesCheck{parsed.BalancesCompared, parsed.BalancesEqual}
	}
	if parsed.AccountPrinted != "" {
		earlier, err := query[string](tx, `SELECT DISTINCT account_printed FROM statements
			 WHERE book_id = ? AND account_id = ? AND undone_at IS NULL AND account_printed <> '' ORDER BY account_printed LIMIT 10`, book.ID, account.ID)
		if err != nil {
			return checks, fmt.Errorf("read the accounts that files of %s printed: %w", account.Code, err)
		}
		checks.Account = &AccountCheck{Printed: parsed.AccountPrinted, Earlier: earlier}
	}
	if read.period.From.IsZero() || len(parsed.Lines) == 0 {
		return checks, nil
	}
	previous, err := query[previousStatement](tx, `SELECT id, period_to, closing_minor FROM statements
		 WHERE book_id = ? AND account_id = ? AND undone_at IS NULL AND period_from <= ? AND period_to <= ?
		 ORDER BY period_to DESC, id DESC LIMIT 1`, book.ID, account.ID, read.period.From, read.period.To)
	if err != nil {
		return checks, fmt.Errorf("read the statement before: %w", err)
	}
	if len(previous) > 0 {
		checks.against(previous[0], read)
	}
	return checks, nil
}

// against holds a file against the statement before it.
func (c *Checks) against(previous previousStatement, read reading) {
	if proof := read.proof(); proof != nil && proof.OpeningNewMinor != nil && previous.ClosingMinor != nil {
		c.Opening = &OpeningCheck{StatementID: previous.ID, ClosedOn: previous.PeriodTo, ClosingMinor: *previous.ClosingMinor, OpeningMinor: *proof.OpeningNewMinor}
	}
	between := previous.PeriodTo.DaysUntil(read.period.From)
	c.Dates = &DatesCheck{StatementID: previous.ID, PreviousTo: previous.PeriodTo, From: read.period.From,
		GapDays: max(between-1, 0), OverlapDays: max(1-between, 0), Continues: c.Opening != nil && c.Opening.OK()}
}
