package gallery

import (
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

func draftScreens() []Screen {
	return []Screen{
		{"draft", "A statement that can be stored", groupBank, templates.DraftPage(draft())},
		{"draft-known", "A statement, its rows that are known", groupBank, templates.DraftPage(draftOf(templates.RowsKnown))},
		{"draft-rejected", "A statement, its row that is rejected", groupBank, templates.DraftPage(draftOf(templates.RowsRejected))},
		{"draft-warned", "A statement of another account", groupBank, templates.DraftPage(draftWarned())},
		{"draft-unknown", "A statement whose columns nobody knows", groupBank, templates.DraftPage(draftUnknown())},
		{"draft-dates", "A statement whose dates leave doubt", groupBank, templates.DraftPage(draftDates())},
		{"draft-years", "A statement whose dates have no year", groupBank, templates.DraftPage(draftYears())},
		{"draft-balance", "A statement whose balances do not add up", groupBank, templates.DraftPage(draftBalance())},
		{"draft-refused", "A statement with settings that cannot be used", groupBank, templates.DraftPage(draftRefused())},
	}
}

var nordbank = []string{"Boekdatum", "Rentedatum", "Omschrijving", "Tegenrekening", "Kenmerk", "Bedrag", "Saldo"}

func draft() templates.Draft {
	s := shell("Upload statement", templates.PageUpload)
	s = crumbed(s, ui.Link{Text: "Statements", Href: s.Book.URL("statements")})
	v := templates.Draft{
		Shell: s, ID: 12, Version: 3, Form: "form-0b1e-4e0d-8a57", Step: templates.DraftStepConfirm,
		File: templates.DraftFile{Name: "nordbank_1010_2026-03.csv", KeptUntil: at("2026-04-02T09:42:00Z")},
		Account: ui.Field{Name: "account", Label: "Account", Value: "1010", Options: []ui.Option{
			{Value: "1010", Text: "1010 Bank, operating"}, {Value: "1020", Text: "1020 Bank, VAT reserve"}, {Value: "1210", Text: "1210 Processor clearing"},
		}},
		Profile: ui.Field{Name: "profile", Label: "Profile", Value: "4", Hint: "Chosen by the header row", Options: []ui.Option{
			{Value: "none", Text: "No profile"}, {Value: "4", Text: "Nordbank CSV, version 3"},
		}},
		Detected: ui.KeyValue{
			{Name: "Name", Text: "nordbank_1010_2026-03.csv"}, {Name: "Size", Text: "9.4 KB, 84 rows"},
			{Name: "SHA-256", Text: "41c9f07b2c8e53a61d90f7be42aa0c15e7d3986b54f20a1cc8e7b9630f5d8d2e", Mono: true, Copy: true},
			{Name: "Before", Chip: ui.Chip{Text: "Not uploaded yet", Tone: ui.OK}}, {Name: "Encoding", Text: "Windows-1252"}, {Name: "Delimiter", Text: "Semicolon"},
			{Name: "Header", Text: "Row 5"}, {Name: "Dates", Text: "dd-mm-yyyy, certain"}, {Name: "Decimals", Text: "Comma, point for thousands"},
			{Name: "Amounts", Text: "One signed column"}, {Name: "Sign", Text: "Plus is money in"},
		},
		Settings: draftFormat(),
		Columns:  draftColumns(), Raw: draftRaw(), Rows: draftRows(), Proof: draftProof(),
		Checks: []templates.DraftCheck{
			{Tone: ui.OK, Text: "Opening equals the closing of the statement before"}, {Tone: ui.OK, Text: "No gap between statements"}, {Tone: ui.OK, Text: "80 of 80 row balances equal"},
		},
		Keep: templates.DraftProfile{Name: "Nordbank CSV", Remember: true},
	}
	return v
}

func draftFormat() []ui.Field {
	asRead := func(text string) []ui.Option { return []ui.Option{{Value: "", Text: text + ", as found"}} }
	return []ui.Field{
		{Name: "encoding", Label: "Encoding", Options: append(asRead("Windows-1252"), ui.Option{Value: "utf-8", Text: "UTF-8"})},
		{Name: "delimiter", Label: "Delimiter", Options: append(asRead("Semicolon"), ui.Option{Value: ",", Text: "Comma"}, ui.Option{Value: "tab", Text: "Tab"})},
		{Name: "header_row", Label: "Header", Options: append(asRead("Row 5"), ui.Option{Value: "none", Text: "No header"})},
		{Name: "date_format", Label: "Dates", Options: append(asRead("dd-mm-yyyy"), ui.Option{Value: "mm-dd-yyyy", Text: "03-31-2026: month first"})},
		{Name: "currency", Label: "Currency", Placeholder: "EUR", Hint: "Three letters, where the file does not say it"},
	}
}

// draftField is a field with its column by number, 0 for none.
func draftField(name, label, required string, column int, raw string, read templates.DraftReading) templates.DraftField {
	f := templates.DraftField{Name: name, Label: label, Required: required, Raw: raw, Read: read}
	f.Options = []ui.Option{{Value: "", Text: "Not in file"}}
	if column > 0 {
		f.Options[0].Text = templates.ColumnName(column, nordbank[column-1])
	}
	return f
}

func draftColumns() templates.DraftColumns {
	money := func(minor int64) *ui.Money { return &ui.Money{Minor: minor, Currency: "EUR", WithCode: true} }
	return templates.DraftColumns{
		SampleRow: 9, Before: "/b/main/statements/drafts/12?sample=8#columns", After: "/b/main/statements/drafts/12?sample=10#columns",
		Fields: []templates.DraftField{
			draftField("date_column", "Booking date", "required", 1, "02-03-2026", templates.DraftReading{Day: ledger.MustDate("2026-03-02")}),
			draftField("amount_column", "Amount", "required", 6, "1.588,20", templates.DraftReading{Money: money(158820), Note: "money in"}),
			draftField("debit_column", "Money out", "", 0, "", templates.DraftReading{}),
			draftField("credit_column", "Money in", "", 0, "", templates.DraftReading{}),
			draftField("description_column", "Text", "", 3, "PAYPORT PAYOUT", templates.DraftReading{Text: "PAYPORT PAYOUT"}),
			draftField("reference_column", "Reference", "", 5, "PP-26-0227", templates.DraftReading{Text: "PP-26-0227"}),
			draftField("balance_column", "Running balance", "", 7, "48.216,37", templates.DraftReading{Money: money(4821637)}),
		},
		More: []templates.DraftField{
			draftField("direction_column", "In or out", "", 0, "", templates.DraftReading{}), draftField("currency_column", "Currency", "", 0, "", templates.DraftReading{}),
			draftField("fee_column", "Fee", "", 0, "", templates.DraftReading{}), draftField("status_column", "Status", "", 0, "", templates.DraftReading{}),
		},
	}
}

func draftRaw() templates.DraftRaw {
	return templates.DraftRaw{
		Columns: []string{"Booking date", "", "Text", "", "Reference", "Amount", "Running balance"},
		Rows: []templates.DraftRawRow{
			{Row: 1, Cells: []string{"Nordbank", "Rekeningoverzicht"}, Preamble: true}, {Row: 3, Cells: []string{"Rekening", "NL12NORD0123456789"}, Preamble: true},
			{Row: 5, Cells: nordbank, Header: true},
			{Row: 9, Cells: []string{"02-03-2026", "02-03-2026", "PAYPORT PAYOUT", "NL08 PAYP 0200 0551 72", "PP-26-0227", "1.588,20", "48.216,37"}},
			{Row: 10, Cells: []string{"02-03-2026", "02-03-2026", "PAYPORT PAYOUT", "NL08 PAYP 0200 0551 72", "PP-26-0302", "4.785,99", "53.002,36"}},
			{Row: 11, Cells: []string{"02-03-2026", "02-03-2026", "SHOPKIT SUBSCRIPTION", "NL44 SHOP 0417 1000 08", "SUB-SHOPKIT-03", "-95,59", "52.906,77"}},
		},
	}
}

func draftRows() *templates.DraftRows {
	equal := true
	line := func(row int, text, reference string, minor, balance int64) templates.DraftLine {
		return templates.DraftLine{Row: row, BookedOn: ledger.MustDate("2026-03-02"), Description: text, Reference: reference, AmountMinor: minor, BalanceMinor: &balance, BalanceEqual: &equal}
	}
	return &templates.DraftRows{
		Counts: templates.RowCounts{New: 80, Known: 3, Skipped: 1}, Class: templates.RowsNew, Currency: "EUR", Next: "/b/main/statements/drafts/12?rows=new&after=12#rows",
		Lines: []templates.DraftLine{
			line(9, "PAYPORT PAYOUT", "PP-26-0227", 158820, 4821637), line(10, "PAYPORT PAYOUT", "PP-26-0302", 478599, 5300236),
			line(11, "SHOPKIT SUBSCRIPTION", "SUB-SHOPKIT-03", -9559, 5290677), line(12, "MEREL VISSER", "BT-0512", 28150, 5318827),
		},
	}
}

func draftProof() *ui.Sum {
	money := func(minor int64) ui.Money { return ui.Money{Minor: minor, Currency: "EUR"} }
	return &ui.Sum{Caption: "Balance proof, EUR", Rows: []ui.SumRow{
		{Label: "Opening in file", Money: money(4688260)}, {Label: "3 known rows", Money: money(-25443)},
		{Label: "Opening of what is new", Money: money(4662817), Total: true},
		{Label: "Money in, 45 lines", Money: money(5887107)}, {Label: "Money out, 35 lines", Money: money(-3220100)},
		{Label: "Closing computed", Money: money(7329824), Total: true}, {Label: "Closing in file", Money: money(7329824)},
		{Label: "Difference", Money: money(0), Final: true},
	}}
}

// draftOf has the rows of another class open.
func draftOf(class string) templates.Draft {
	v := draft()
	rows := *v.Rows
	rows.Class, rows.Lines, rows.Next = class, nil, ""
	switch class {
	case templates.RowsKnown:
		rows.Others = []templates.StatementFileRow{
			{Row: 6, Class: class, Detail: "stored by statement 2", Raw: "27-02-2026;27-02-2026;PAKKETVLOT PARCELS;;;-154,88;46.727,72"},
			{Row: 7, Class: class, Detail: "stored by statement 2", Raw: "27-02-2026;27-02-2026;GEREEDSCHAP PLUS;;;-62,40;46.665,32"},
			{Row: 8, Class: class, Detail: "equal to a line that statement 2 stored, but nothing in the two files decides that it is the same: it may be another",
				Raw: "27-02-2026;27-02-2026;ACCOUNT CHARGES FEBRUARY;;;-37,15;", MayBeNew: true, Offered: true},
		}
		v.Step = templates.DraftStepRows
		v.Checks = append(v.Checks, templates.DraftCheck{Tone: ui.Warn, Text: "1 known row may be new",
			Advice: "A line of the same day and amount is stored, and nothing decides that it is the same: one of the files may begin or end within the day, or be of another format. Look under “Already known”, and include what the bank booked once more."})
	case templates.RowsRejected:
		rows.Counts = templates.RowCounts{New: 79, Known: 3, Rejected: 1, Skipped: 1}
		rows.Others = []templates.StatementFileRow{{Row: 36, Class: class, Reason: "bad_amount", Detail: "“-146,3O” is not an amount", Raw: "11-03-2026;11-03-2026;PAKKETVLOT PARCELS;;;-146,3O;"}}
		v.Step = templates.DraftStepRows
	}
	v.Rows = &rows
	return v
}

func draftWarned() templates.Draft {
	v := draft()
	v.Theme, v.Step = "dark", templates.DraftStepFile
	v.Question = &templates.DraftQuestion{
		Name: "file_account", Title: "Is this file of 1020?",
		Text: "It states the account NL12NORD0123456789 of the bank, of which the statements are stored for 1010; the files of 1020 before are of NL90NORD0987654321. " +
			"If it is not, choose the account that it is of below.",
		Answers: []templates.DraftAnswer{{Value: "NL12NORD0123456789", Text: "Yes, NL12NORD0123456789 is 1020"}},
	}
	v.Account.Value, v.Profile.Value, v.Profile.Hint = "1020", "none", "No profile of this account has this header"
	v.Checks = []templates.DraftCheck{
		{Tone: ui.Warn, Text: "Another account of the bank than before", Advice: "It states the account NL12NORD0123456789 of the bank, of which the statements are stored for 1010; the files of 1020 before are of NL90NORD0987654321. Choose the account that it is of, or store it if the bank has renumbered it."},
		{Tone: ui.Warn, Text: "12 days between the statements", Since: ledger.MustDate("2026-02-17"), Advice: "Upload what lies between, if anything was booked then."},
		{Tone: ui.OK, Text: "80 of 80 row balances equal"},
	}
	return v
}

func draftUnknown() templates.Draft {
	v := draft()
	v.Step, v.Rows, v.Proof, v.Checks = templates.DraftStepColumns, nil, nil, nil
	v.Profile.Value, v.Profile.Hint = "none", "No profile of this account has this header"
	v.Refusal = &templates.StatementRefusal{FileName: v.File.Name, Waiting: true, ErrorClass: "malformed_csv", Detail: "No column could be recognised as the amount; its columns are Huhr, Zzam, Qwer, Blub."}
	v.Raw = templates.DraftRaw{Open: true, Columns: []string{"Booking date", "", "", ""}, Rows: []templates.DraftRawRow{
		{Row: 1, Cells: []string{"Huhr", "Zzam", "Qwer", "Blub"}, Header: true}, {Row: 2, Cells: []string{"02.03.2026", "1.588,20", "47.870,00", "PAYPORT"}},
	}}
	for i := range v.Columns.Fields {
		f := &v.Columns.Fields[i]
		f.Raw, f.Read = "", templates.DraftReading{}
		f.Options = []ui.Option{{Value: "", Text: "Choose a column"}, {Value: "#1", Text: "A Huhr"}, {Value: "#2", Text: "B Zzam"}, {Value: "#3", Text: "C Qwer"}, {Value: "#4", Text: "D Blub"}}
	}
	v.Columns.SampleRow, v.Columns.Before, v.Columns.After = 2, "", ""
	return v
}

func draftDates() templates.Draft {
	v := draftUnknown()
	v.Step, v.Refusal = templates.DraftStepFormat, nil
	v.Question = &templates.DraftQuestion{
		Name: "date_format", Title: "How are the dates of this file written?", Text: "Row 2 says “01/02/2026”. No other row decides it.",
		Answers: []templates.DraftAnswer{{Value: "dd/mm/yyyy", Text: "01/02/2026 is 1 February 2026"}, {Value: "mm/dd/yyyy", Text: "01/02/2026 is 2 January 2026"}},
	}
	return v
}

func draftYears() templates.Draft {
	v := draftDates()
	v.Theme = "dark"
	v.Question = &templates.DraftQuestion{
		Name: "period_from", Title: "From which day to which does this file go?", Text: "Its dates have no year. Row 2 says “02.01.”.",
		Fields: []ui.Field{
			{Name: "period_from", Label: "First day", Type: "date", Value: "2026-01-14", Required: true, Error: "The first day is after the last"},
			{Name: "period_to", Label: "Last day", Type: "date", Value: "2025-12-15", Required: true},
		},
	}
	return v
}

func draftBalance() templates.Draft {
	v := draft()
	v.Step, v.Unproven = templates.DraftStepRows, true
	v.Errors = []ledger.FieldError{{Field: "balance_reason", Detail: "Say why the file is stored although its balances do not add up"}}
	v.Refusal = &templates.StatementRefusal{
		FileName: v.File.Name, Waiting: true, ErrorClass: "balance_mismatch", Row: 10, Detail: "The balance beside it is 53,002.36, and 48,216.37 and 4,785.00 make 53,001.37.",
		Raw: "02-03-2026;02-03-2026;PAYPORT PAYOUT;NL08 PAYP 0200 0551 72;PP-26-0302;4.785,00;53.002,36",
	}
	rows := *v.Rows
	rows.Lines = append([]templates.DraftLine(nil), rows.Lines...)
	differs := false
	rows.Lines[1].AmountMinor, rows.Lines[1].BalanceEqual = 478500, &differs
	v.Rows = &rows
	v.Checks = []templates.DraftCheck{{Tone: ui.Warn, Text: "79 of 80 row balances equal", Advice: "Row 10 is the first that does not follow from the row before."}}
	return v
}

func draftRefused() templates.Draft {
	v := draft()
	v.SettingsOpen = true
	v.Errors = []ledger.FieldError{{Field: "currency", Detail: "“EURO” is not a currency such as EUR"}}
	for i := range v.Settings {
		if f := &v.Settings[i]; f.Name == "currency" {
			f.Value, f.Error = "EURO", v.Errors[0].Detail
		}
	}
	return v
}
