package store

import (
	"slices"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// sampleRows gives for each row of the sample what becomes of it, with the line that it is read as.
func (r reading) sampleRows() []PreviewRow {
	rows := make([]PreviewRow, len(r.found.Sample))
	at := map[int]*PreviewRow{}
	for i, s := range r.found.Sample {
		rows[i].RowNote = RowNote{Row: s.Row, Class: RowNew}
		at[s.Row] = &rows[i]
	}
	for _, note := range r.notes {
		if row, sampled := at[note.Row]; sampled {
			row.RowNote = note
		}
	}
	lines := r.found.Statement.Lines
	for i := range lines {
		if row, sampled := at[lines[i].Row]; sampled {
			row.Line = &lines[i]
		}
	}
	return rows
}

// balances says of the lines of a file which running balances follow from the line before.
type balances struct {
	lines    []statement.Line
	up       bool  // the newest line comes first
	broken   bool  // some balance does not follow
	rejected []int // rows whose money is missing between the lines
}

func (r reading) balances() balances {
	b := balances{lines: r.found.Statement.Lines, broken: r.found.Statement.BalancesEqual < r.found.Statement.BalancesCompared}
	for _, note := range r.notes {
		if note.Class == RowRejected {
			b.rejected = append(b.rejected, note.Row)
		}
	}
	slices.Sort(b.rejected)
	down, up := 0, 0
	for i := 1; i < len(b.lines); i++ {
		if follows(&b.lines[i-1], &b.lines[i]) {
			down++
		}
		if follows(&b.lines[i], &b.lines[i-1]) {
			up++
		}
	}
	b.up = up > down
	return b
}

// equal reports whether the balance beside a line follows from its neighbour; nil where nothing can be said.
func (b balances) equal(line *statement.Line) *bool {
	at, found := slices.BinarySearchFunc(b.lines, line.Row, func(l statement.Line, row int) int { return l.Row - row })
	before := at - 1
	if b.up {
		before = at + 1
	}
	if !found || line.BalanceMinor == nil || before < 0 || before >= len(b.lines) || b.lines[before].BalanceMinor == nil {
		return nil
	}
	holds := follows(&b.lines[before], line)
	if !holds && (!b.broken || b.gap(b.lines[before].Row, line.Row)) {
		return nil
	}
	return &holds
}

func (b balances) gap(one, other int) bool {
	at, _ := slices.BinarySearch(b.rejected, min(one, other))
	return at < len(b.rejected) && b.rejected[at] < max(one, other)
}

func follows(before, line *statement.Line) bool {
	if before.BalanceMinor == nil || line.BalanceMinor == nil {
		return false
	}
	sum, ok := ledger.Add(*before.BalanceMinor, line.AmountMinor)
	return ok && sum == *line.BalanceMinor
}
