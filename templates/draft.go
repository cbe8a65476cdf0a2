package templates

import (
	"strconv"
	"time"

	"daybook/recon"
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
	// Detected is what was found in the file, Settings the controls that change it, hidden unless SettingsOpen.
	Detected     ui.KeyValue
	Settings     []ui.Field
	SettingsOpen bool
	Rows         *DraftRows
	Proof        *ui.Sum
	Checks       []DraftCheck
	// Unproven says that only its balances keep the file from being stored: with BalanceReason it can be.
	Unproven      bool
	BalanceReason string
	Keep          DraftProfile
	Message       string
	Errors        []ledger.FieldError
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
	Answers     []DraftAnswer
	Fields      []ui.Field
}

// DraftAnswer is what one answer would mean: a text that an amount may end, and a hint below it.
type DraftAnswer struct {
	Value, Text, Hint string
	Money             *ui.Money
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
	// Included says that it is new because a person says so, though an equal line is stored.
	Included bool
}

// DraftCheck is something that was looked at, and what to do where it does not hold. Its tone is ui.Neutral where there was nothing to see.
type DraftCheck struct {
	Tone   ui.Tone
	Text   string
	Money  *ui.Money
	Since  ledger.Date
	Advice string
}

// DraftProfile is what is kept of the settings, so that the next file of this bank is read at once.
type DraftProfile struct {
	Name     string
	Was      string // the name that is proposed
	Remember bool
	Message  bool // the file is a bank's message, which has no columns
}

// hint says when the profile is used again.
func (p DraftProfile) hint() string {
	if p.Message {
		return "The next file of this format is read in the same way"
	}
	return "The next file with these columns is read in the same way"
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
func (v Draft) storable() bool {
	return (v.Refusal == nil || v.Unproven) && v.Question == nil && v.Rows != nil
}

// unprovenHint says what becomes of the difference.
func (v Draft) unprovenHint() string {
	return "The difference opens a break of the type “" + recon.Balance.Label() + "”, with this reason in its history."
}
