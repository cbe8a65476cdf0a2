package statement

import (
	"slices"
	"strings"

	"daybook/store/ledger"
)

// signByBalance finds the signs of amounts that are all printed without one, when no column tells money in from money out but the running
// balance does: each amount must be the step between two balances. The oldest line has no balance before it; it takes its sign from a stated
// opening balance or from a column that tells the signs of all others, else it is rejected.
func (rd *reader) signByBalance() {
	if !rd.signsOpen() || rd.prove().holds() {
		return
	}
	down, okDown := rd.steps(false)
	up, okUp := rd.steps(true)
	if okDown == okUp && (!okDown || !slices.Equal(down, up)) {
		return
	}
	signs, oldest := down, 0
	if okUp && !okDown {
		signs, oldest = up, len(up)-1
	}
	if signs[oldest] = rd.oldestSign(signs, oldest); signs[oldest] == 0 {
		line := rd.out.Lines[oldest]
		rd.out.Lines = slices.Delete(rd.out.Lines, oldest, oldest+1)
		signs = slices.Delete(signs, oldest, oldest+1)
		rd.rejectLine(line, "the amounts have no sign; the running balance shows those of all other rows, but there is none before this one (hint direction_column, or unmarked_sign)")
	}
	for i := range rd.out.Lines {
		rd.out.Lines[i].AmountMinor *= signs[i]
	}
}

// signsOpen reports whether nothing but the balance can tell the signs.
func (rd *reader) signsOpen() bool {
	g := rd.survey.signs
	t := rd.told
	if !rd.columns.has(roleAmount) || !rd.columns.has(roleBalance) || rd.forms.directed || t.invert || t.unmarkedDebit != nil || t.names(roleDirection) {
		return false
	}
	if g.negative+g.creditMarks+g.debitMarks > 0 || len(rd.gaps) > 0 || len(rd.out.Lines) < 2 || only(currenciesOf(rd.out.Lines)) == "" {
		return false
	}
	for i := range rd.out.Lines {
		if rd.out.Lines[i].BalanceMinor == nil {
			return false
		}
	}
	return true
}

// steps gives the sign of each line as the step from the balance before it, down the file or up; 0 for the oldest, and ok false when an
// amount is no step.
func (rd *reader) steps(up bool) (signs []int64, ok bool) {
	lines := rd.out.Lines
	signs = make([]int64, len(lines))
	for i := range lines {
		before := i - 1
		if up {
			before = i + 1
		}
		if before < 0 || before >= len(lines) {
			continue
		}
		if signs[i] = lines[i].signFrom(*lines[before].BalanceMinor); signs[i] == 0 {
			return nil, false
		}
	}
	return signs, true
}

// oldestSign gives the sign of the line without a balance before it, 0 when nothing tells it.
func (rd *reader) oldestSign(signs []int64, oldest int) int64 {
	line := rd.out.Lines[oldest]
	if opening, _, _ := rd.statedBalances(); opening != nil {
		return line.signFrom(*opening)
	}
	return rd.signBeside(signs, oldest)
}

// signFrom gives the sign with which the amount leads from a balance to that of the line, 0 for none.
func (l Line) signFrom(before int64) int64 {
	step, ok := ledger.Add(*l.BalanceMinor, -before)
	switch {
	case ok && step == l.AmountMinor:
		return 1
	case ok && step == -l.AmountMinor:
		return -1
	}
	return 0
}

// signBeside looks for columns in which each value goes with one sign only, such as a column of types, and gives the sign that all of them
// have for the oldest line.
func (rd *reader) signBeside(signs []int64, oldest int) int64 {
	told := make([]signsTold, MaxColumns+1)
	var cells []string
	for i, l := range rd.out.Lines {
		if i == oldest {
			continue
		}
		cells = rd.rawCells(l, cells)
		for column, cell := range cells {
			told[column].add(strings.TrimSpace(cell), signs[i])
		}
	}
	found := int64(0)
	for column, cell := range rd.rawCells(rd.out.Lines[oldest], nil) {
		sign := told[column].of(strings.TrimSpace(cell))
		if sign == 0 {
			continue
		}
		if found != 0 && found != sign {
			return 0
		}
		found = sign
	}
	return found
}

// rawCells splits the row of a line again.
func (rd *reader) rawCells(l Line, buffer []string) []string {
	one := splitter{text: l.Raw, delim: rd.splitter.delim}
	return one.cells(record{0, len(l.Raw), l.Row}, buffer)
}

// signsTold is which sign each value of a column goes with.
type signsTold struct {
	byValue map[string]int64
	both    [2]bool
	none    bool // a value goes with both signs, or there are too many for a column of types
}

func (t *signsTold) add(value string, sign int64) {
	if t.none {
		return
	}
	if t.byValue == nil {
		t.byValue = map[string]int64{}
	}
	known, seen := t.byValue[value]
	t.byValue[value] = sign
	t.both[(sign+1)/2] = true
	if t.none = seen && known != sign || len(t.byValue) > 12; t.none {
		t.byValue = nil
	}
}

// of gives the sign that a value stands for: 0 unless the column has both signs and the value stands in another row too.
func (t *signsTold) of(value string) int64 {
	if t.none || !t.both[0] || !t.both[1] {
		return 0
	}
	return t.byValue[value]
}

// rejectLine turns a line into a rejected row, in its place among the others.
func (rd *reader) rejectLine(line Line, detail string) {
	at := len(rd.out.Rejects)
	for at > 0 && rd.out.Rejects[at-1].Row > line.Row {
		at--
	}
	rd.out.Rejects = slices.Insert(rd.out.Rejects, at, Reject{Row: line.Row, Reason: ReasonBadAmount, Detail: detail, Raw: line.Raw})
	gap, _ := slices.BinarySearch(rd.gaps, line.Row)
	rd.gaps = slices.Insert(rd.gaps, gap, line.Row)
}
