package report

import (
	"time"

	"daybook/store/ledger"
)

// Document is a report: a title, lines about it, and sections.
type Document struct {
	Title    string
	Lines    []string
	Sections []Section
	Foot     string    // on every sheet, before its number
	Stamp    time.Time // what the file says of when it was made: of what it tells, never of the clock
}

// Section is facts or a table under a heading. One with a Sheet has a sheet of that name of its own in a workbook.
type Section struct {
	Title, Note string
	Sheet       string
	Facts       []Fact
	Table       *Table
}

// Fact is a name and its value.
type Fact struct {
	Name  string
	Value Cell
}

// Table is rows under columns, and perhaps their sum. Empty is what stands in place of a table without rows.
type Table struct {
	Columns []Column
	Rows    []Row
	Total   *Row
	Empty   string
}

// Column is the head of a column. Share is its part of the width, in comparison with the others.
type Column struct {
	Name  string
	Share int
	Right bool // figures stand at the right
}

// Row is as many cells as there are columns. A Strong one is a sum: it stands between a single and a double rule.
type Row struct {
	Cells  []Cell
	Strong bool
}

// Cell is a text and, where it is a figure, its value: Text is what people read, in the way they want it.
type Cell struct {
	Text     string
	Href     string // on the page only
	Kind     Kind
	Minor    int64
	Currency string
	Day      ledger.Date
	Number   int
}

// Kind is what a cell holds.
type Kind uint8

// The kinds of cells.
const (
	Words Kind = iota
	Money
	Day
	Count
	Hash // words that may break anywhere
)
