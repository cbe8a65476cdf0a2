package statement

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ofOneFile are the hints about one file, which say nothing of the next.
var ofOneFile = []string{"period_start", "period_end"}

// Lasting gives the hints under which the next file of the same layout is read as this one was: what was told, with columns by their
// names where names tell them apart, and what this file settled by its rows and the next may leave open: the order of dates, the decimal
// mark, and columns whose name is not known. given are the hints that the file was inspected under, which may say more than was told. What
// would read this very file otherwise is not kept.
func (in *Inspection) Lasting(data []byte, told, given Hints) Hints {
	plain := maps.Clone(told)
	if plain == nil {
		plain = Hints{}
	}
	for _, hint := range ofOneFile {
		delete(plain, hint)
	}
	hints := in.withSettled(plain)
	if in.Statement == nil || maps.Equal(hints, plain) {
		return plain
	}
	under := maps.Clone(given)
	for hint, value := range hints {
		if _, moved := given[hint]; !moved || hint != "header_row" {
			under[hint] = value
		}
	}
	again, err := Inspect(data, under)
	if err == nil && again.Refusal == nil && again.Settings.HeaderFingerprint == in.Settings.HeaderFingerprint && slices.EqualFunc(again.Statement.Lines, in.Statement.Lines, Line.equal) {
		return hints
	}
	return plain
}

// equal reports whether two lines say the same, balances and all.
func (l Line) equal(other Line) bool {
	balance, otherBalance := l.BalanceMinor, other.BalanceMinor
	l.BalanceMinor, other.BalanceMinor = nil, nil
	return l == other && (balance == otherBalance || balance != nil && otherBalance != nil && *balance == *otherBalance)
}

// withSettled completes what was told by what the rows decided.
func (in *Inspection) withSettled(told Hints) Hints {
	hints := maps.Clone(told)
	for hint, value := range in.settled {
		if hints[hint] == "" {
			hints[hint] = value
		}
	}
	for hint := range columnHints {
		if value := hints[hint]; strings.HasPrefix(value, "#") {
			hints[hint] = in.Settings.columnName(value)
		}
	}
	return hints
}

// columnName gives the name of a column #n where no other has it, else #n.
func (s Settings) columnName(number string) string {
	name := ""
	for _, c := range s.Columns {
		if fmt.Sprintf("#%d", c.Number) == number {
			name = c.Name
		}
	}
	same := 0
	for _, c := range s.Columns {
		if fold(c.Name) == fold(name) {
			same++
		}
	}
	if name == "" || same != 1 || strings.HasPrefix(name, "#") {
		return number
	}
	return name
}

// settled gives what the rows of a sheet decided and those of another month may not.
func (s *sheet) settled(read *Statement) Hints {
	hints := Hints{}
	if format := s.dateFormat(); s.told.dates == nil && format != "" && !strings.HasPrefix(format, "y") && len(s.survey.dates) == 1 {
		hints["date_format"] = format
	}
	if mark := s.oneMark(); s.told.decimal == 0 && mark != 0 {
		hints["decimal"] = string(mark)
	}
	for hint, r := range columnHints {
		if _, told := s.told.columns[r]; told || !s.columns.has(r) {
			continue
		}
		switch at := s.columns[r]; r {
		case roleBalance:
			if read.BalancesCompared == 0 || read.BalancesEqual < read.BalancesCompared {
				continue
			}
			fallthrough
		case roleDate, roleAmount, roleDebit, roleCredit, roleCurrency, roleDirection, roleStatus:
			if at >= len(s.header) || headerRole(s.header[at]).role == roleNone {
				hints[hint] = fmt.Sprintf("#%d", at+1)
			}
		}
	}
	if _, settled := hints["amount_column"]; settled && !s.columns.has(roleDirection) {
		hints["direction_column"] = notInFile // it was found to need none, and is looked for where the amount is told
	}
	return hints
}

// oneMark gives the decimal mark that all columns of money have, 0 when they differ or none has one.
func (s *sheet) oneMark() byte {
	one := byte(0)
	for _, mark := range s.forms.marks {
		if mark != 0 && one != 0 && mark != one {
			return 0
		}
		if mark != 0 {
			one = mark
		}
	}
	return one
}
