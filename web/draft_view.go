package web

import (
	"slices"
	"strconv"
	"strings"

	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// draftShown is what the page of a draft is made of: the draft as it is read, and what is typed into its controls.
type draftShown struct {
	store.Preview
	reader    ui.Format // how who looks at it wants numbers and dates written
	window    store.PreviewWindow
	sampleRow int
	typed     draftTyped
	errors    []ledger.FieldError
}

func (d draftShown) columns() columnsRead { return columnsRead(d.Settings.Columns) }

// columnsView is the mapping, with a row of the file as its sample.
func (d draftShown) columnsView(address string) templates.DraftColumns {
	if len(d.columns()) == 0 {
		return templates.DraftColumns{}
	}
	sample, before, after := d.sample()
	view := templates.DraftColumns{SampleRow: sample.Row}
	for at, row := range map[*string]int{&view.Before: before, &view.After: after} {
		if row > 0 {
			*at = address + "?sample=" + strconv.Itoa(row) + "#columns"
		}
	}
	for _, field := range lineColumns {
		view.Fields = append(view.Fields, d.fieldView(field, sample))
	}
	for _, field := range furtherColumns {
		view.More = append(view.More, d.fieldView(field, sample))
	}
	return view
}

// sample gives the row that is shown and the rows before and after it that could be, 0 where there is none: the row that was asked for, else
// the first that is a line.
func (d draftShown) sample() (shown statement.SampleRow, before, after int) {
	rows := d.Sample
	if len(rows) == 0 {
		return statement.SampleRow{}, 0, 0
	}
	at := slices.IndexFunc(rows, func(r statement.SampleRow) bool { return r.Row == d.sampleRow })
	if at < 0 {
		at = max(0, slices.IndexFunc(rows, func(r statement.SampleRow) bool {
			line, _ := d.readAs(r.Row)
			return line != nil
		}))
	}
	if at > 0 {
		before = rows[at-1].Row
	}
	if at+1 < len(rows) {
		after = rows[at+1].Row
	}
	return rows[at], before, after
}

// readAs gives the line that a row of the sample is read as, nil when it is none, and else why.
func (d draftShown) readAs(row int) (line *statement.Line, why string) {
	if !d.Readable {
		return nil, "not read yet"
	}
	at := slices.IndexFunc(d.SampleRows, func(r store.PreviewRow) bool { return r.Row == row })
	switch {
	case at < 0:
		return nil, ""
	case d.SampleRows[at].Line != nil:
		return d.SampleRows[at].Line, ""
	case d.SampleRows[at].Class == store.RowNew:
		return nil, "no line" // a header that is repeated, or a blank row
	}
	return nil, fileRow(d.SampleRows[at].RowNote).Words()
}

func (d draftShown) fieldView(field lineColumn, sample statement.SampleRow) templates.DraftField {
	told, read := d.typed.settings[field.control], d.columns().of(field.role)
	if n := d.columns().number(told); n > 0 {
		told = "#" + strconv.Itoa(n) // a header is as good as a number; the choices are numbers
	}
	required := d.required(field.control)
	view := templates.DraftField{
		Name: field.control, Label: field.label, Value: told, Options: d.columns().options(told, read, required != ""), Error: ui.ErrorOf(d.errors, field.control), Required: required,
	}
	if read == 0 {
		return view
	}
	if read <= len(sample.Cells) {
		view.Raw = strings.TrimSpace(sample.Cells[read-1])
	}
	view.Read = d.reading(field.role, sample.Row)
	return view
}

// required says of a field that a line cannot do without it.
func (d draftShown) required(control string) string {
	sides := d.columns().of("debit") > 0 || d.columns().of("credit") > 0
	if control == "date_column" || (control == "amount_column" && !sides) {
		return "required"
	}
	return ""
}

// reading is what the cell of a role is read as in a row.
func (d draftShown) reading(role string, row int) templates.DraftReading {
	line, why := d.readAs(row)
	if line == nil {
		return templates.DraftReading{Note: why}
	}
	money := &ui.Money{Minor: line.AmountMinor, Currency: line.Currency, WithCode: true}
	direction := "money in"
	if line.AmountMinor < 0 {
		direction = "money out"
	}
	switch role {
	case "date":
		return templates.DraftReading{Day: line.Date}
	case "amount":
		return templates.DraftReading{Money: money, Note: direction}
	case "debit", "credit":
		if (role == "debit") == (line.AmountMinor < 0) {
			return templates.DraftReading{Money: money, Note: direction}
		}
	case "description":
		return templates.DraftReading{Text: line.Description}
	case "reference":
		return templates.DraftReading{Text: line.Reference}
	case "balance":
		if line.BalanceMinor != nil {
			return templates.DraftReading{Money: &ui.Money{Minor: *line.BalanceMinor, Currency: line.Currency, WithCode: true}}
		}
	case "currency":
		return templates.DraftReading{Text: line.Currency}
	case "direction":
		return templates.DraftReading{Text: direction}
	case "fee":
		if d.typed.settings["fee_column"] != "" {
			return templates.DraftReading{Note: "taken off the amount"}
		}
		return templates.DraftReading{Note: "taken off where the balances show it"}
	case "status":
		return templates.DraftReading{Text: "booked"}
	}
	return templates.DraftReading{}
}

// columnsOffered is how many columns of the raw file are shown; few banks have more.
const columnsOffered = 40

// rawView is the beginning of the file as it stands.
func (d draftShown) rawView() templates.DraftRaw {
	taken := d.columns().taken()
	view := templates.DraftRaw{Columns: taken[:min(len(taken), columnsOffered)], Open: !d.Readable}
	view.MoreColumns = len(taken) - len(view.Columns)
	for _, r := range d.Preamble {
		view.Rows = append(view.Rows, templates.DraftRawRow{Row: r.Row, Cells: r.Cells, Preamble: true})
	}
	if header := d.Settings.HeaderRow; header > 0 {
		row := templates.DraftRawRow{Row: header, Header: true}
		for _, c := range d.columns() {
			row.Cells = append(row.Cells, c.Name)
		}
		view.Rows = append(view.Rows, row)
	}
	for _, r := range d.Sample {
		view.Rows = append(view.Rows, templates.DraftRawRow{Row: r.Row, Cells: r.Cells})
	}
	return view
}
