package templates

import (
	"context"
	"io"
	"net/url"
	"strconv"
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Draft is a statement file that waits: how it is read, what becomes of each of its rows, and what is stored once a person
// confirms. Until then nothing is.
type Draft struct {
	Shell
	ID int64
	// Version says which settings the page shows; Form is the key of confirming them.
	Version int
	Form    string
	Step    DraftStep
	File    DraftFile
	// Account and Profile are the controls beside the file.
	Account, Profile ui.Field
	Question         *DraftQuestion
	Refusal          *StatementRefusal
	Columns          DraftColumns
	Raw              DraftRaw
	// Detected is what was found in the file, Format the controls that change it, hidden unless FormatOpen.
	Detected   ui.KeyValue
	Format     []ui.Field
	FormatOpen bool
	Rows       *DraftRows
	Proof      *ui.Sum
	Checks     []DraftCheck
	Keep       DraftProfile
	Message    string
	Errors     []ledger.FieldError
}

// DraftStep is how far a draft has come.
type DraftStep int

// The steps, in their order.
const (
	DraftStepFile DraftStep = iota
	DraftStepFormat
	DraftStepColumns
	DraftStepRows
	DraftStepConfirm
)

// DraftFile is the file that waits, and until when.
type DraftFile struct {
	Name      string
	KeptUntil time.Time
}

// DraftQuestion is the one thing that the file leaves open, with what each answer would mean. Where there is nothing to choose from,
// it has Fields to be filled in.
type DraftQuestion struct {
	Name        string
	Title, Text string
	Answers     []ui.Choice
	Fields      []ui.Field
}

// DraftColumns is the mapping: a control for each field, beside what the sample row has there and what it is read as.
type DraftColumns struct {
	Fields, More []DraftField
	// SampleRow is the row of the file that is shown, 0 when it has none. Before and After are the addresses of its neighbours.
	SampleRow     int
	Before, After string
}

// DraftField is one field of a line and the column it is taken from. Required stands beside its name: "required", "one of the three".
type DraftField struct {
	Name, Label, Required string
	Value                 string
	Options               []ui.Option
	Raw                   string
	Read                  DraftReading
	Error                 string
}

// DraftReading is what a cell is read as: a day, an amount or a text, with a word about it.
type DraftReading struct {
	Day   ledger.Date
	Money *ui.Money
	Text  string
	Note  string
}

// DraftRaw is the beginning of the file as it stands, under the letters of its columns.
type DraftRaw struct {
	// Columns are what the columns are taken for; "" for nothing.
	Columns []string
	Rows    []DraftRawRow
	// MoreColumns are those beyond what is shown.
	MoreColumns int
	// Open shows the rows at once, where the file cannot be read yet.
	Open bool
}

// DraftRawRow is a row as it stands. Header is that of the table; what is above it is the preamble.
type DraftRawRow struct {
	Row              int
	Cells            []string
	Header, Preamble bool
}

// DraftRows is one class of the rows of the file. Lines are those to be stored, Others those that are not.
type DraftRows struct {
	Counts   RowCounts
	Class    string
	Currency string
	Lines    []DraftLine
	Others   []StatementFileRow
	// First and Next are addresses; empty where the page begins or ends there.
	First, Next string
}

// DraftLine is a line as it would be stored.
type DraftLine struct {
	Row                    int
	BookedOn               ledger.Date
	Description, Reference string
	AmountMinor            int64
	BalanceMinor           *int64
	// BalanceEqual says whether the balance in the file follows from the row before; nil where there is nothing to compare.
	BalanceEqual *bool
}

// DraftCheck is something that was looked at, and what to do where it does not hold.
type DraftCheck struct {
	OK     bool
	Text   string
	Money  *ui.Money
	Since  ledger.Date
	Advice string
}

// DraftProfile is what is kept of the settings, so that the next file of this bank is read at once.
type DraftProfile struct {
	Name     string
	Remember bool
}

// DraftURL is the address of a draft, or of what is done to it: DraftURL(12, "confirm").
func (b Book) DraftURL(id int64, action ...string) string {
	return b.URL(append([]string{"statements", "drafts", strconv.FormatInt(id, 10)}, action...)...)
}

// steps are the names of the steps.
func (s DraftStep) stepper() ui.Stepper {
	return ui.Stepper{Label: "Steps", Steps: []string{"File", "Format", "Columns", "Check rows", "Confirm"}, Current: int(s)}
}

// url is the address of the draft or of what is done to it.
func (v Draft) url(action ...string) string { return v.Book.DraftURL(v.ID, action...) }

// storable says whether the file can be stored as it is read.
func (v Draft) storable() bool { return v.Refusal == nil && v.Question == nil && v.Rows != nil }

// rowClass is a tab of the rows.
type rowClass struct {
	class, title string
	count        int
}

// The classes of rows, as the address names them.
const (
	RowsNew       = "new"
	RowsKnown     = "known"
	RowsDuplicate = "duplicate"
	RowsRejected  = "rejected"
	RowsSkipped   = "skipped"
)

func (c RowCounts) classes() []rowClass {
	return []rowClass{
		{RowsNew, "New", c.New}, {RowsKnown, "Already known", c.Known}, {RowsDuplicate, "Duplicate in file", c.Duplicate},
		{RowsRejected, "Rejected", c.Rejected}, {RowsSkipped, "Skipped", c.Skipped},
	}
}

// sum is the account of the rows: “79 new + 3 already known + 1 rejected = 83 rows in the file”.
func (c RowCounts) sum() string {
	text := ui.Number(c.New) + " new"
	for _, part := range []struct {
		n    int
		word string
	}{{c.Known, "already known"}, {c.Duplicate, "duplicate"}, {c.Rejected, "rejected"}, {c.Skipped, "skipped"}} {
		if part.n > 0 {
			text += " + " + ui.Number(part.n) + " " + part.word
		}
	}
	return text + " = " + ui.Plural(c.Total(), "row", "rows") + " in the file"
}

func (v Draft) rowTabs() ui.Tabs {
	tabs := ui.Tabs{Label: "Rows by result"}
	for _, c := range v.Rows.Counts.classes() {
		tabs.Items = append(tabs.Items, ui.Tab{
			Text: c.title, Href: v.url() + "?rows=" + c.class + "#rows", Count: c.count, Counted: true, Current: c.class == v.Rows.Class,
		})
	}
	return tabs
}

// download is the address of the class of rows that is open, as a file.
func (v Draft) download() string {
	return v.url("rows.csv") + "?" + url.Values{"rows": {v.Rows.Class}}.Encode()
}

// shown says how much of the class is on the page.
func (r DraftRows) shown() string {
	total := 0
	for _, c := range r.Counts.classes() {
		if c.class == r.Class {
			total = c.count
		}
	}
	if n := len(r.Lines) + len(r.Others); n < total {
		return ui.Number(n) + " of " + ui.Number(total) + " shown."
	}
	return ""
}

func (r DraftRows) title() string {
	for _, c := range r.Counts.classes() {
		if c.class == r.Class {
			return c.title
		}
	}
	return ""
}

// none says why a class has no rows.
func (r DraftRows) none() string {
	switch r.Class {
	case RowsNew:
		return "No row of the file is new."
	case RowsKnown:
		return "No row was stored by an earlier file."
	case RowsDuplicate:
		return "No row repeats another one under the same id of the bank."
	case RowsRejected:
		return "No row is rejected."
	}
	return "No row is skipped: no totals, balances or notes stand between the lines."
}

// balances says whether the file has a running balance.
func (r DraftRows) balances() bool {
	for _, l := range r.Lines {
		if l.BalanceMinor != nil {
			return true
		}
	}
	return false
}

// storeText is what the button does, in its words.
func (v Draft) storeText() string {
	if v.Rows.Counts.New == 0 {
		return "Store the statement, without new lines"
	}
	return "Store " + ui.Plural(v.Rows.Counts.New, "line", "lines")
}

// columnLetter names a column as a spreadsheet does: 1 is A, 27 is AA.
func columnLetter(number int) string {
	letters := ""
	for ; number > 0; number = (number - 1) / 26 {
		letters = string(rune('A'+(number-1)%26)) + letters
	}
	return letters
}

// ColumnName names a column by its letter and its header: "A Boekdatum".
func ColumnName(number int, header string) string {
	if header == "" {
		return columnLetter(number)
	}
	return columnLetter(number) + " " + header
}

// cell is what stands in a column, "" where the row is shorter.
func (r DraftRawRow) cell(i int) string {
	if i < len(r.Cells) {
		return r.Cells[i]
	}
	return ""
}

// moreUsed says whether one of the fields that few files have is taken from the file.
func (c DraftColumns) moreUsed() bool {
	for _, f := range c.More {
		if f.Raw != "" || f.Value != "" || f.Error != "" {
			return true
		}
	}
	return false
}

// Render writes the reading.
func (r DraftReading) Render(ctx context.Context, w io.Writer) error {
	return draftReading(r).Render(ctx, w)
}
