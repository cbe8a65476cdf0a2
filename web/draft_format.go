package web

import (
	"slices"
	"strconv"

	"daybook/recon/statement"
	"daybook/templates/ui"
)

// detected is what was found in the file, with who settled it where that was not the file itself.
func (d draftShown) detected() ui.KeyValue {
	s := d.Settings
	facts := ui.KeyValue{
		{Name: "Name", Text: d.FileName}, {Name: "Size", Text: sizeWords(d.reader, d.SizeBytes)},
		{Name: "SHA-256", Text: d.FileHash.String(), Mono: true, Copy: true}, d.before(),
	}
	if s.Message != "" {
		facts = append(facts, ui.Fact{Name: "Format", Text: nameOf(messageNames, s.Message)})
		if account := d.accountPrinted(); account != "" {
			facts = append(facts, ui.Fact{Name: "Account", Text: account + d.by("account")})
		}
	}
	for _, fact := range []struct{ name, words, hint string }{
		{"Encoding", encodingWords(s), "encoding"}, {"Delimiter", delimiterWords(s), "delimiter"}, {"Header", headerWords(d.reader, s), "header_row"},
		{"Dates", s.DateFormat, "date_format"}, {"Decimals", decimalWords(s, d.Readable), "decimal"}, {"Amounts", amountWords(s), ""}, {"Sign", signWords(s), "sign"},
		{"Currency", s.Currency, "currency"}, {"Account", d.accountPrinted(), "account"}, {"Rows", d.rowsChosen(), ""},
	} {
		if fact.words != "" && len(s.Columns) > 0 {
			facts = append(facts, ui.Fact{Name: fact.name, Text: fact.words + d.by(fact.hint)})
		}
	}
	return facts
}

// by says who settled a thing.
func (d draftShown) by(hint string) string {
	switch {
	case hint == "":
		return ""
	case d.Told[hint] != "" || (hint == "header_row" && d.Told["has_header"] != ""):
		return ", as you say"
	case d.Profile != nil && d.Profile.Hints[hint] != "":
		return ", by the profile"
	case hint == "date_format" && d.Settings.By[hint] == statement.ByFile:
		return ", certain"
	}
	return ""
}

func (d draftShown) before() ui.Fact {
	if len(d.Elsewhere) > 0 {
		return ui.Fact{Name: "Before", Chip: ui.Chip{Text: "Stored for " + d.Elsewhere[0], Tone: ui.Warn}}
	}
	return ui.Fact{Name: "Before", Chip: ui.Chip{Text: "Not uploaded yet", Tone: ui.OK}}
}

func (d draftShown) accountPrinted() string {
	if d.Checks.Account == nil {
		return ""
	}
	return d.Checks.Account.Printed
}

// rowsChosen says which rows of the file are read, where these are not all.
func (d draftShown) rowsChosen() string {
	words := ""
	for _, choice := range []struct{ hint, word string }{{"include_rows", "Only"}, {"exclude_rows", "Without"}} {
		column, values := rowChoice(d.Hints[choice.hint])
		if column != "" {
			words += choice.word + " " + values + " in column " + d.columns().letter(column) + ". "
		}
	}
	return words
}

// messageControls are those that change how a bank's message is read, which has no columns.
var messageControls = []string{"encoding", "sign", "currency", fileAccount, "period_from", "period_to", "timestamp_timezone", "timezone"}

// format are the controls that change how the file is read.
func (d draftShown) format(asked []ui.Field) []ui.Field {
	s := d.Settings
	columns := []ui.Option{{Text: "–"}}
	for _, c := range d.columns() {
		columns = append(columns, ui.Option{Value: "#" + strconv.Itoa(c.Number), Text: d.columns().name(c.Number)})
	}
	const oneALine = "One text a line"
	fields := []ui.Field{
		d.choice("encoding", "Encoding", encodingWords(s), encodingNames),
		d.choice("delimiter", "Delimiter", delimiterWords(s), delimiterNames),
		d.choice("header_row", "Header", headerWords(d.reader, s), d.headerRows()),
		d.choice("date_format", "Dates", s.DateFormat, dateFormatNames),
		d.choice("decimal", "Decimal mark", decimalWords(s, d.Readable), decimalNames),
		d.choice("sign", "Sign", signWords(s), signNames),
		d.choice("unmarked_sign", "An amount without Cr or Dr", "", unmarkedNames),
		{Name: "direction_debit", Label: "Word for money out", Value: d.typed.settings["direction_debit"], Hint: "As it stands in the column “In or out”, such as D or Af"},
		{Name: "currency", Label: "Currency", Value: d.typed.settings["currency"], Placeholder: d.Account.Currency, Hint: "Of rows that do not say theirs"},
		{Name: fileAccount, Label: "Account in the file", Value: d.typed.settings[fileAccount], Hint: "Where the file holds several, the one to read"},
		{Name: "period_from", Label: "First day of the period", Type: "date", Value: d.typed.periodFrom},
		{Name: "period_to", Label: "Last day of the period", Type: "date", Value: d.typed.periodTo},
		{Name: "only_column", Label: "Read only rows by this column", Value: d.typed.settings["only_column"], Options: columns},
		{Name: "only_value", Label: "Texts of the rows to read", Type: "textarea", Value: d.typed.settings["only_value"], Hint: oneALine},
		{Name: "except_column", Label: "Leave out rows by this column", Value: d.typed.settings["except_column"], Options: columns},
		{Name: "except_value", Label: "Texts of the rows to leave out", Type: "textarea", Value: d.typed.settings["except_value"], Hint: oneALine},
		{Name: "timestamp_timezone", Label: "Time zone of the times in the file", Value: d.typed.settings["timestamp_timezone"], Placeholder: "UTC", Hint: "Only where days are to be counted in another zone"},
		{Name: "timezone", Label: "Time zone in which days are counted", Value: d.typed.settings["timezone"], Placeholder: "Europe/Amsterdam"},
	}
	fields = slices.DeleteFunc(fields, func(f ui.Field) bool {
		return s.Message != "" && !slices.Contains(messageControls, f.Name) || slices.ContainsFunc(asked, func(a ui.Field) bool { return a.Name == f.Name })
	})
	for i := range fields {
		fields[i].Error = ui.ErrorOf(d.errors, fields[i].Name)
	}
	return fields
}

// choice is a select whose first choice is what the file, or the profile, says by itself.
func (d draftShown) choice(control, label, read string, names []ui.Option) ui.Field {
	told := d.typed.settings[control]
	asFound := ui.Option{Text: "As the file says"}
	if read != "" && told == "" {
		asFound.Text = read + ", as found"
		if d.Profile != nil && d.Profile.Hints[hintOf(control)] != "" {
			asFound.Text = read + ", by the profile"
		}
	}
	options := append([]ui.Option{asFound}, names...)
	if told != "" && !slices.ContainsFunc(names, func(o ui.Option) bool { return o.Value == told }) {
		options = append(options, ui.Option{Value: told, Text: told})
	}
	return ui.Field{Name: control, Label: label, Value: told, Options: options}
}

// headerRows offers the first rows of the file, and none, as its header.
func (d draftShown) headerRows() []ui.Option {
	options := []ui.Option{{Value: "0", Text: "No header"}}
	for _, r := range d.rawView().Rows {
		text := "Row " + d.reader.Number(r.Row) + ": "
		for _, cell := range r.Cells {
			if cell != "" {
				text += cell
				break
			}
		}
		options = append(options, ui.Option{Value: strconv.Itoa(r.Row), Text: text})
	}
	return options
}
