package main

import "strings"

// hint is what a person may tell about a statement file, by its name in key=value.
type hint struct{ name, meaning string }

// knownHints are all that the reader knows, those that are needed most first.
var knownHints = []hint{
	{"currency", "the currency of the amounts, such as EUR"},
	{"account", "which account to read, where the file holds several"},
	{"date_format", "how dates are written: dd/mm/yyyy, mm/dd/yyyy, yyyymmdd, …"},
	{"decimal", "the sign before the decimals: . or ,"},
	{"delimiter", "the character between columns, or tab"},
	{"encoding", "how letters are written: utf-8, windows-1252, …"},
	{"header_row", "the row of the file in which the header stands, 0 for none"},
	{"has_header", "false: the first row is data, and columns are named #1, #2, … from the left"},
	{"date_column", "the column of the booking date; #0 after any of these: the file has no such column"},
	{"amount_column", "the column of the amount"},
	{"debit_column", "the column of money out, where it has one of its own"},
	{"credit_column", "the column of money in, where it has one of its own"},
	{"balance_column", "the column of the running balance"},
	{"fee_column", "the column of a fee, which is subtracted from the amount"},
	{"description_column", "the column of the text"},
	{"reference_column", "the column of the reference"},
	{"currency_column", "the column of the currency"},
	{"status_column", "the column that says what is only pending"},
	{"direction_column", "the column that says whether money goes in or out"},
	{"direction_debit", "what stands in the direction column for money out, such as D"},
	{"unmarked_sign", "what an amount without a mark is: debit or credit"},
	{"sign", "invert: amounts have the opposite sign, as on a card statement"},
	{"include_rows", `only these rows: {"column":"Type","value":"Payment"}, or a list of values`},
	{"exclude_rows", "not these rows, written alike"},
	{"locale", "the language that says how numbers and dates are written, such as de or en-US"},
	{"timezone", "the zone of the days of the statement, such as Europe/Amsterdam"},
	{"timestamp_timezone", "the zone of the times in the file, such as UTC"},
	{"period_start", "the first day of the file, for dates without a year"},
	{"period_end", "the last day of the file"},
}

// hintHelp lists them, one a line, for the help of the commands that take them.
func hintHelp(flag string) string {
	var b strings.Builder
	b.WriteString("What a file leaves in doubt is told with " + flag + " key=value. A column is named as its header has it. The keys:\n")
	for _, h := range knownHints {
		b.WriteString("\n" + h.name + strings.Repeat(" ", 20-len(h.name)) + h.meaning)
	}
	return b.String()
}
