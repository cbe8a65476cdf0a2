package templates

import (
	"context"
	"io"
	"net/url"
	"slices"

	"daybook/templates/ui"
)

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
func (c RowCounts) sum(f ui.Format) string {
	text := f.Number(c.New) + " new"
	for _, part := range []struct {
		n    int
		word string
	}{{c.Known, "already known"}, {c.Duplicate, "duplicate"}, {c.Rejected, "rejected"}, {c.Skipped, "skipped"}} {
		if part.n > 0 {
			text += " + " + f.Number(part.n) + " " + part.word
		}
	}
	return text + " = " + f.Plural(c.Total(), "row", "rows") + " in the file"
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
func (r DraftRows) shown(f ui.Format) string {
	total := 0
	for _, c := range r.Counts.classes() {
		if c.class == r.Class {
			total = c.count
		}
	}
	if n := len(r.Lines) + len(r.Others); n < total {
		return f.Number(n) + " of " + f.Number(total) + " shown."
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
	return slices.ContainsFunc(r.Lines, func(l DraftLine) bool { return l.BalanceMinor != nil })
}

// recomputed says whether a balance was held against the row before.
func (r DraftRows) recomputed() bool {
	return slices.ContainsFunc(r.Lines, func(l DraftLine) bool { return l.BalanceEqual != nil })
}

// blank says that the field has nothing to show beside its control.
func (f DraftField) blank() bool {
	return f.Raw == "" && f.Read.Day.IsZero() && f.Read.Money == nil && f.Read.Text == "" && f.Read.Note == ""
}

// storeText is what the button does, in its words.
func (v Draft) storeText() string {
	text := "Store the statement, without new lines"
	if v.Rows.Counts.New > 0 {
		text = "Store " + v.Format.Plural(v.Rows.Counts.New, "line", "lines")
	}
	if v.Unproven {
		text += " all the same"
	}
	return text
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

// moreUsed says whether one of the fields that few files have was chosen.
func (c DraftColumns) moreUsed() bool {
	for _, f := range c.More {
		if f.Value != "" || f.Error != "" {
			return true
		}
	}
	return false
}

// Render writes the reading.
func (r DraftReading) Render(ctx context.Context, w io.Writer) error {
	return draftReading(r).Render(ctx, w)
}
