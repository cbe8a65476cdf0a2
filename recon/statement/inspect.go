package statement

import (
	"errors"
	"strconv"
	"strings"
)

// Inspection is all that one reading of a file shows, whether it can be stored or not: what a person needs who settles how it is to be
// read.
type Inspection struct {
	Settings  Settings
	Statement *Statement  // what was read; nil when the file is refused before its rows are
	Refusal   *Refusal    // nil when the file can be stored as it is
	Question  *Question   // the first thing to ask, nil when nothing is, or when the refusal is none that a person can settle here
	Preamble  []SampleRow // the last rows above the header, cells as they stand
	Sample    []SampleRow // the first rows below it; the first of the file when no table was found
	// RefusedRow is the row that the refusal is about, as it stands in the file; "" where it is about none.
	RefusedRow string
	settled    Hints // what the rows decided, see Lasting
}

// SampleRow is a row as it stands in the file, by its physical line; of a very long cell the beginning.
type SampleRow struct {
	Row   int
	Cells []string
}

// What of a long cell or row is shown, in bytes; an ellipsis stands for the rest.
const (
	cellShown = 500
	rowShown  = 4_000
)

// clipped keeps what is shown to a length.
func clipped(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// sampleShown is how many rows above and below the header are shown.
const sampleShown = 20

// Inspect is Read for a person who can still change the hints: a file that is refused is told about as far as it was understood. The error is
// only about the hints: a ledger.Error of KindInvalid, as with Read.
func Inspect(data []byte, hints Hints) (*Inspection, error) {
	t, err := hints.resolve()
	if err != nil {
		return nil, err
	}
	format, s, read, err := readFile(data, t)
	found := &Inspection{Statement: read}
	if err != nil && !errors.As(err, &found.Refusal) {
		return nil, err
	}
	if format.read != nil {
		found.Settings = format.settings()
	}
	if s != nil {
		found.Settings = s.settings()
		found.Preamble = s.sample(s.preamble[max(0, len(s.preamble)-sampleShown):])
		found.Sample = s.sample(s.body[:min(len(s.body), sampleShown)])
	}
	if found.Refusal == nil && s != nil {
		found.settled = s.settled(read)
	}
	if found.Refusal == nil {
		return found, nil
	}
	if found.Statement = found.Refusal.Statement; found.Statement != nil {
		found.Statement.Settings = found.Settings
	}
	if s != nil {
		found.RefusedRow = s.rawOf(found.Refusal.Row)
		found.Question = s.question(found.Refusal)
	} else if found.Question = found.Refusal.question; found.Refusal.asks == "encoding" {
		found.Question = askEncoding(data, found.Refusal.Row)
	}
	return found, nil
}

// rawOf gives a row of the body as it stands, "" for one that is none.
func (s *sheet) rawOf(row int) string {
	for _, r := range s.body {
		if r.row == row {
			return clipped(s.text[r.start:r.end], rowShown)
		}
	}
	return ""
}

func (s *sheet) sample(records []record) []SampleRow {
	var rows []SampleRow
	for _, r := range records {
		cells := s.cells(r, nil)
		for i := range cells {
			cells[i] = clipped(cells[i], cellShown)
		}
		rows = append(rows, SampleRow{Row: r.row, Cells: cells})
	}
	return rows
}

// Cells splits the raw text of a row of the file into its cells.
func (s Settings) Cells(raw string) []string {
	if len(s.Delimiter) != 1 {
		return []string{raw}
	}
	split := splitter{text: raw, delim: s.Delimiter[0]}
	cells, _, _, _ := split.split(0, nil)
	return cells
}

func number(n int) string { return strconv.Itoa(n) }
