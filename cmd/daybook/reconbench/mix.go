package reconbench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Mix says how much trouble a world has, in per cent of its lines.
type Mix struct {
	Typos           float64 // a slip of the pen in the reference on one side
	NoReference     float64 // no reference on one side, or on both
	Fees            float64 // a fee taken off by the bank
	WrongAmounts    float64
	Batches         float64 // one bank line for 2 to 6 postings
	Splits          float64 // 2 to 4 bank lines for one posting
	Duplicates      float64 // a second line with the same reference and amount
	EqualRows       float64 // rows of 2 to 4 that nothing tells apart, without a reference
	Late            float64 // booked by the bank 1 to 5 days after the cut-off, or posted before the one before
	MissingInBank   float64
	MissingInLedger float64
	SharedAmounts   float64 // an amount that other lines have too
}

// DefaultMix is the mix that the goals are set for.
func DefaultMix() Mix {
	return Mix{Typos: 2, NoReference: 2, Fees: 1, WrongAmounts: 1, Batches: 1, Splits: 0.5, Duplicates: 1, EqualRows: 1, Late: 1.5,
		MissingInBank: 1, MissingInLedger: 1, SharedAmounts: 20}
}

// shares gives each share under its name.
func (m *Mix) shares() map[string]*float64 {
	return map[string]*float64{"typos": &m.Typos, "no-reference": &m.NoReference, "fees": &m.Fees, "wrong-amounts": &m.WrongAmounts,
		"batches": &m.Batches, "splits": &m.Splits, "duplicates": &m.Duplicates, "equal-rows": &m.EqualRows, "late": &m.Late,
		"missing-in-bank": &m.MissingInBank, "missing-in-ledger": &m.MissingInLedger, "shared-amounts": &m.SharedAmounts}
}

// MixNames are the names of the shares, as Set takes them.
func MixNames() []string {
	var names []string
	for name := range new(Mix).shares() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Set changes one share, given as name=per cent.
func (m *Mix) Set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	share, known := m.shares()[name]
	if !known {
		return fmt.Errorf("%q is no share of the mix: name one of %s", name, strings.Join(MixNames(), ", "))
	}
	percent, err := strconv.ParseFloat(value, 64)
	if err != nil || !(percent >= 0 && percent <= 100) {
		return fmt.Errorf("%s=%s: give the share in per cent, such as %s=2.5", name, value, name)
	}
	*share = percent
	return nil
}

// Check refuses a mix that has no room for lines without trouble.
func (m *Mix) Check() error {
	if sum := m.Fees + m.WrongAmounts + m.Batches + m.Splits + m.Duplicates + m.EqualRows + m.Late + m.MissingInBank + m.MissingInLedger; sum > 90 {
		return fmt.Errorf("the mix has trouble on %g %% of the lines: leave a tenth without", sum)
	}
	if m.Typos+m.NoReference > 100 {
		return fmt.Errorf("the mix has trouble with %g %% of the references", m.Typos+m.NoReference)
	}
	return nil
}
