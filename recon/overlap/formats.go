package overlap

import (
	"slices"

	"daybook/store/ledger"
)

// likeness is by what a line of one format is taken for a line of another: the day is the same already.
type likeness struct {
	amountMinor int64
	words       Words
}

// compareFormats looks for what is left of the file among what is left of other formats. The same reference or text is the same movement, each
// stored line once, so that a second coffee stays new. Where only the amount is the same, nothing decides it unless the balances of both files do.
func (d *day) compareFormats() {
	if !d.hasOtherFormat() {
		return
	}
	sure := func(s Stored) bool { return !d.begins && !d.ends || s.WholeDay || s.SameBalances }
	d.takeAlike(func(w Words) bool { return w.Reference != "" && w.Text != "" },
		func(w Words) Words { return w }, func(Line, Stored) bool { return true })
	d.takeAlike(func(w Words) bool { return w.Reference != "" },
		func(w Words) Words { return Words{w.Currency, w.Reference, ""} }, func(Line, Stored) bool { return true })
	d.takeAlike(func(w Words) bool { return w.Text != "" },
		func(w Words) Words { return Words{w.Currency, "", w.Text} },
		func(line Line, s Stored) bool {
			contradicts := line.Words.Reference != "" && s.Words.Reference != ""
			return s.SameBalances || sure(s) && !contradicts
		})
	d.takeAlike(func(Words) bool { return true },
		func(w Words) Words { return Words{w.Currency, "", ""} }, func(_ Line, s Stored) bool { return s.SameBalances })
	d.takeWhole()
}

func (d *day) hasOtherFormat() bool {
	return slices.ContainsFunc(d.stored, func(s Stored) bool { return s.OtherFormat })
}

// takeAlike takes for known each line that is still new and like a stored line of another format that is not taken yet. What has is whether words
// can be compared at all, by what of them.
func (d *day) takeAlike(has func(Words) bool, by func(Words) Words, certain func(Line, Stored) bool) {
	left := map[likeness][]int{}
	for n, s := range d.stored {
		if s.OtherFormat && !d.taken[n] && has(s.Words) {
			like := likeness{s.AmountMinor, by(s.Words)}
			left[like] = append(left[like], n)
		}
	}
	for _, i := range d.at {
		line := d.file.Lines[i]
		if d.verdicts[i].StatementID != 0 || !has(line.Words) {
			continue
		}
		like := likeness{line.AmountMinor, by(line.Words)}
		if among := left[like]; len(among) > 0 {
			s := d.stored[among[0]]
			d.verdicts[i], d.taken[among[0]] = Verdict{StatementID: s.StatementID, MayBeNew: !certain(line, s)}, true
			left[like] = among[1:]
		}
	}
}

// takeWhole takes what is left of the day for what is left of a file with the same balances that comes to the same sum, in doubt: one format
// lists what the other books as one.
func (d *day) takeWhole() {
	var theirs, ours []int64
	var statementID int64
	for n, s := range d.stored {
		if s.OtherFormat && s.SameBalances && !d.taken[n] && (statementID == 0 || statementID == s.StatementID) {
			ours, statementID = append(ours, s.AmountMinor), s.StatementID
		}
	}
	var open []int
	for _, i := range d.at {
		if d.verdicts[i].StatementID == 0 {
			open, theirs = append(open, i), append(theirs, d.file.Lines[i].AmountMinor)
		}
	}
	if len(ours) == 0 || len(open) == 0 || !sameSum(ours, theirs) {
		return
	}
	for _, i := range open {
		d.verdicts[i] = Verdict{StatementID: statementID, MayBeNew: true}
	}
}

func sameSum(a, b []int64) bool {
	sum := func(amounts []int64) (total int64, ok bool) {
		for _, amount := range amounts {
			if total, ok = ledger.Add(total, amount); !ok {
				return 0, false
			}
		}
		return total, true
	}
	first, fits := sum(a)
	second, alsoFits := sum(b)
	return fits && alsoFits && first == second
}
