package overlap

import (
	"slices"

	"daybook/store/ledger"
)

// Fingerprint identifies a movement across files; equal movements have equal ones.
type Fingerprint [32]byte

// Line is one movement of the file.
type Line struct {
	Fingerprint  Fingerprint
	Date         ledger.Date
	AmountMinor  int64
	BalanceMinor *int64 // the running balance after it, nil where the file has none
	Named        bool   // the fingerprint is over an id of the bank: there is one such movement
	// Words are what tells the line from others of its day and amount where another format says it with other fields; only a day on which a
	// line of another format is stored needs them.
	Words Words
}

// Words are the currency, the reference and the text of a line, in a form in which those of two formats can be compared. "" is none.
type Words struct{ Currency, Reference, Text string }

// Stored is a line that the account has.
type Stored struct {
	Line
	StatementID int64
	Row         int
	WholeDay    bool // its file speaks for the whole of its day
	// OtherFormat says that its file is of another format or layout: the fingerprint of the same movement may be another there.
	OtherFormat bool
	// SameBalances says that its file leads from the same opening to the same closing over the days of this one.
	SameBalances bool
}

// Order is how a file lists its lines.
type Order int

// The orders of a file.
const (
	NoOrder Order = iota
	OldestFirst
	NewestFirst
)

// File is a bank's file with what the account has of its days.
type File struct {
	Lines []Line // in the order of the file
	// WholeFirst and WholeLast say that the file speaks for the whole of its first day, and of its last.
	WholeFirst, WholeLast bool
	// Proven says that no running balance of the file contradicts its neighbour.
	Proven bool
	Stored []Stored
	// Orders are those of the files that the stored lines came in, by statement.
	Orders map[int64]Order
}

// Verdict says of a line which statement has stored it, 0 for a line that is new. MayBeNew marks a known line that may be one more, equal to
// a stored one: nothing decides it.
type Verdict struct {
	StatementID int64
	MayBeNew    bool
}

// Judge gives the verdict of each line.
func Judge(f File) []Verdict {
	verdicts := make([]Verdict, len(f.Lines))
	if len(f.Stored) == 0 || len(f.Lines) == 0 {
		return verdicts
	}
	first, last := Bounds(f.Lines)
	stored := map[ledger.Date][]Stored{}
	for _, s := range f.Stored {
		stored[s.Date] = append(stored[s.Date], s)
	}
	days := map[ledger.Date][]int{}
	for i, line := range f.Lines {
		if len(stored[line.Date]) > 0 {
			days[line.Date] = append(days[line.Date], i)
		}
	}
	for date, at := range days {
		d := day{file: f, at: at, stored: stored[date], verdicts: verdicts,
			begins: date == first && !f.WholeFirst, ends: date == last && !f.WholeLast}
		d.judge()
	}
	return verdicts
}

// day is what the file and the account have of one day. Begins and ends say that the file may do so within it.
type day struct {
	file         File
	at           []int // the lines of the day, in the order of the file
	stored       []Stored
	taken        map[int]bool // what is stored that count has found in the file
	verdicts     []Verdict
	begins, ends bool
}

func (d *day) judge() {
	switch {
	case !d.begins && !d.ends:
		d.count(func(Line, Stored) bool { return true })
	case d.followBalances() || !d.hasBalances() && !d.hasOtherFormat() && d.followPositions():
		return
	default:
		holds := d.holdsAnother()
		d.count(func(line Line, s Stored) bool {
			return line.Named || s.WholeDay || s.SameBalances || holds && (line.BalanceMinor == nil || s.BalanceMinor == nil)
		})
	}
	d.compareFormats()
}

// count takes as many of equal lines for known as are stored, those with an equal balance first. Of the others certain says whether a
// line can only be the stored one.
func (d *day) count(certain func(line Line, s Stored) bool) {
	d.taken = map[int]bool{}
	left := map[Fingerprint][]int{}
	for n, s := range d.stored {
		left[s.Fingerprint] = append(left[s.Fingerprint], n)
	}
	var open []int
	for _, i := range d.at {
		line := d.file.Lines[i]
		among := left[line.Fingerprint]
		at := slices.IndexFunc(among, func(n int) bool { return equalBalance(line, d.stored[n].Line) })
		if at < 0 {
			open = append(open, i)
			continue
		}
		d.verdicts[i], d.taken[among[at]] = Verdict{StatementID: d.stored[among[at]].StatementID}, true
		left[line.Fingerprint] = slices.Delete(among, at, at+1)
	}
	for _, i := range open {
		line := d.file.Lines[i]
		if among := left[line.Fingerprint]; len(among) > 0 {
			known := d.stored[among[0]]
			d.verdicts[i], d.taken[among[0]] = Verdict{StatementID: known.StatementID, MayBeNew: !certain(line, known)}, true
			left[line.Fingerprint] = among[1:]
		}
	}
}

// holdsAnother reports whether the file has all that is stored of the day, and that is more than equal lines: it then begins no later in
// the day than what is stored.
func (d *day) holdsAnother() bool {
	held := map[Fingerprint]int{}
	for _, i := range d.at {
		held[d.file.Lines[i].Fingerprint]++
	}
	kinds := map[Fingerprint]bool{}
	for _, s := range d.stored {
		if held[s.Fingerprint]--; held[s.Fingerprint] < 0 {
			return false
		}
		kinds[s.Fingerprint] = true
	}
	return len(kinds) > 1
}

// hasBalances reports whether every line of the day, in the file and stored, has its balance. Where these do not fit, no order of lines can
// be trusted either.
func (d *day) hasBalances() bool {
	without := func(line Line) bool { return line.BalanceMinor == nil }
	return !slices.ContainsFunc(d.at, func(i int) bool { return without(d.file.Lines[i]) }) &&
		!slices.ContainsFunc(d.stored, func(s Stored) bool { return without(s.Line) })
}

func equalBalance(a, b Line) bool {
	return a.BalanceMinor != nil && b.BalanceMinor != nil && *a.BalanceMinor == *b.BalanceMinor
}

// Bounds gives the first and the last day of lines, of which there are some.
func Bounds(lines []Line) (first, last ledger.Date) {
	first, last = lines[0].Date, lines[0].Date
	for _, line := range lines {
		if line.Date.Before(first) {
			first = line.Date
		}
		if line.Date.After(last) {
			last = line.Date
		}
	}
	return first, last
}
