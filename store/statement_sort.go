package store

import (
	"slices"
	"strconv"

	"gorm.io/gorm"

	"daybook/recon/overlap"
	"daybook/recon/statement"
	"daybook/store/ledger"
)

// freshLine is a line that no earlier file brought, with its place among equal ones.
type freshLine struct {
	*statement.Line
	fingerprint [32]byte
	occurrence  int
	included    bool // though an equal line is stored: a person says so
}

// tally adds up the lines of a file by what becomes of them.
type tally struct {
	in, out, known, duplicate movement
	firstFresh, lastKnown     ledger.Date // the earliest day of a new line, the latest of a known one; zero without any
}

// movement is how many lines move how much together.
type movement struct {
	rows       int
	minor      int64
	overflowed bool // the sum is beyond the largest amount
}

func (m *movement) add(line *statement.Line) {
	sum, ok := ledger.Add(m.minor, line.AmountMinor)
	m.rows++
	m.minor, m.overflowed = sum, m.overflowed || !ok
}

func (t *tally) addFresh(line *statement.Line) {
	if t.firstFresh.IsZero() || line.Date.Before(t.firstFresh) {
		t.firstFresh = line.Date
	}
	if line.AmountMinor < 0 {
		t.out.add(line)
	} else {
		t.in.add(line)
	}
}

func (t *tally) addKnown(line *statement.Line) {
	if t.known.add(line); line.Date.After(t.lastKnown) {
		t.lastKnown = line.Date
	}
}

// sortRows tells the lines that are new from those that an earlier file stored (known) or this file repeats under the same bank
// id (duplicate). Known lines that may be new are so where they are among the included rows.
func sortRows(tx *gorm.DB, book Book, account ledger.Account, parsed *statement.Statement, prints [][32]byte, whole wholeDays, included []int) (fresh []freshLine, notes []RowNote, sums tally, err error) {
	for _, r := range parsed.Rejects {
		notes = append(notes, RowNote{Row: r.Row, Class: RowRejected, Reason: string(r.Reason), Detail: r.Detail, Raw: r.Raw})
	}
	for _, r := range parsed.Skipped {
		notes = append(notes, RowNote{Row: r.Row, Class: RowSkipped, Reason: string(r.Reason), Raw: r.Raw})
	}
	repeated := map[int]bool{}
	for _, row := range statement.DuplicateRows(parsed.Lines) {
		repeated[row] = true
	}
	lines := make([]freshLine, 0, len(parsed.Lines))
	for i := range parsed.Lines {
		line := &parsed.Lines[i]
		if repeated[line.Row] {
			sums.duplicate.add(line)
			notes = append(notes, RowNote{Row: line.Row, Class: RowDuplicate, Reason: "bank_id", Detail: "the bank's id " + line.BankID + " came earlier in this file with the same date and amount", Raw: line.Raw})
			continue
		}
		lines = append(lines, freshLine{Line: line, fingerprint: prints[i]})
	}
	stored, err := storedOnDays(tx, book, account, lines, parsed)
	if err != nil {
		return nil, nil, tally{}, err
	}
	verdicts, err := stored.judge(tx, book, account, lines, parsed, whole)
	if err != nil {
		return nil, nil, tally{}, err
	}
	fresh = lines[:0]
	for i, line := range lines {
		known := verdicts[i].StatementID != 0
		if known && !(verdicts[i].MayBeNew && slices.Contains(included, line.Row)) {
			sums.addKnown(line.Line)
			notes = append(notes, knownNote(line.Line, verdicts[i]))
			continue
		}
		line.included = known
		sums.addFresh(line.Line)
		fresh = append(fresh, line)
	}
	stored.number(fresh)
	return fresh, notes, sums, nil
}

func knownNote(line *statement.Line, verdict overlap.Verdict) RowNote {
	note := RowNote{Row: line.Row, Class: RowKnown, Reason: "stored", Raw: line.Raw, KnownBy: verdict.StatementID, MayBeNew: verdict.MayBeNew}
	note.Detail = "stored by statement " + strconv.FormatInt(verdict.StatementID, 10)
	if verdict.MayBeNew {
		note.Reason = "equal"
		note.Detail = "equal to a line that statement " + strconv.FormatInt(verdict.StatementID, 10) + " stored, but nothing in the two files decides that it is the same: it may be another"
	}
	return note
}

func countRows(fresh int, notes []RowNote) RowCounts {
	counts := RowCounts{New: fresh}
	for _, note := range notes {
		switch note.Class {
		case RowKnown:
			counts.Known++
		case RowDuplicate:
			counts.Duplicate++
		case RowRejected:
			counts.Rejected++
		default:
			counts.Skipped++
		}
	}
	return counts
}

func ofClass(notes []RowNote, class string) []RowNote {
	var chosen []RowNote
	for _, note := range notes {
		if note.Class == class {
			chosen = append(chosen, note)
		}
	}
	return chosen
}
