package web

import (
	"slices"
	"strconv"
	"strings"

	"daybook/recon/statement"
	"daybook/templates"
	"daybook/templates/ui"
)

// lineColumn is a field of a line: the control that says its column, and the role that the reader gives that column.
type lineColumn struct{ control, role, label string }

var lineColumns = []lineColumn{
	{"date_column", "date", "Booking date"}, {"amount_column", "amount", "Amount"}, {"debit_column", "debit", "Money out"},
	{"credit_column", "credit", "Money in"}, {"description_column", "description", "Text"}, {"reference_column", "reference", "Reference"},
	{"balance_column", "balance", "Running balance"},
}

var furtherColumns = []lineColumn{
	{"direction_column", "direction", "In or out"}, {"currency_column", "currency", "Currency"}, {"fee_column", "fee", "Fee"}, {"status_column", "status", "Status"},
}

func columnControls(columns []lineColumn) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.control
	}
	return names
}

// notInFile is the choice of no column, as the hints have it.
const notInFile = "#0"

// columnsRead is what the columns of a file are taken for.
type columnsRead []statement.ColumnChoice

// of gives the number of the column that has a role, 0 for none.
func (c columnsRead) of(role string) int {
	for _, column := range c {
		if column.Role == role {
			return column.Number
		}
	}
	return 0
}

func (c columnsRead) name(number int) string {
	if number < 1 || number > len(c) {
		return ""
	}
	return templates.ColumnName(number, c[number-1].Name)
}

// letter is the letter of the column that a hint names.
func (c columnsRead) letter(hint string) string {
	return templates.ColumnName(c.number(hint), "")
}

// number gives the number of the column that a hint names, by #n or by its header.
func (c columnsRead) number(hint string) int {
	if n, err := strconv.Atoi(strings.TrimPrefix(hint, "#")); err == nil && strings.HasPrefix(hint, "#") {
		return n
	}
	if hint == "" {
		return 0
	}
	at := slices.IndexFunc(c, func(column statement.ColumnChoice) bool { return strings.EqualFold(column.Name, hint) })
	return at + 1
}

// options offers every column. Told is what a person chose, "" where Daybook found the column by itself.
func (c columnsRead) options(told string, read int, required bool) []ui.Option {
	first := ui.Option{Text: "Not in file"}
	switch {
	case told != "":
		first.Text = "As Daybook finds it"
	case read > 0:
		first.Text = c.name(read)
	case required:
		first.Text = "Choose a column"
	}
	options := []ui.Option{first}
	for _, column := range c {
		if told != "" || column.Number != read {
			options = append(options, ui.Option{Value: "#" + strconv.Itoa(column.Number), Text: c.name(column.Number)})
		}
	}
	if told != "" || read > 0 {
		options = append(options, ui.Option{Value: notInFile, Text: "Not in file"})
	}
	return options
}

// taken says for the head of each column what it is taken for.
func (c columnsRead) taken() []string {
	words := make([]string, len(c))
	for _, field := range slices.Concat(lineColumns, furtherColumns) {
		if n := c.of(field.role); n > 0 {
			words[n-1] = field.label
		}
	}
	return words
}
