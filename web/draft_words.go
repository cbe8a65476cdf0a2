package web

import (
	"fmt"
	"strings"

	"daybook/recon/statement"
	"daybook/templates/ui"
)

var encodingNames = []ui.Option{
	{Value: "utf-8", Text: "UTF-8"}, {Value: "windows-1252", Text: "Windows-1252, Western Europe"}, {Value: "windows-1250", Text: "Windows-1250, Central Europe"},
	{Value: "iso-8859-2", Text: "ISO 8859-2, Central Europe"}, {Value: "windows-1251", Text: "Windows-1251, Cyrillic"}, {Value: "windows-1253", Text: "Windows-1253, Greek"},
	{Value: "windows-1254", Text: "Windows-1254, Turkish"}, {Value: "windows-1257", Text: "Windows-1257, Baltic"}, {Value: "utf-16le", Text: "UTF-16, little-endian"},
	{Value: "utf-16be", Text: "UTF-16, big-endian"}, {Value: "shift_jis", Text: "Shift_JIS, Japanese"}, {Value: "euc-jp", Text: "EUC-JP, Japanese"},
	{Value: "gb18030", Text: "GB 18030, Chinese"}, {Value: "big5", Text: "Big5, Chinese"}, {Value: "euc-kr", Text: "EUC-KR, Korean"},
	{Value: "cp850", Text: "DOS 850, Western Europe"}, {Value: "cp852", Text: "DOS 852, Central Europe"}, {Value: "macintosh", Text: "Mac OS Roman"},
}

// messageNames are the formats of the messages of banks.
var messageNames = []ui.Option{
	{Value: "camt.053", Text: "ISO 20022 camt.053"}, {Value: "mt940", Text: "SWIFT MT940"}, {Value: "ofx", Text: "OFX"}, {Value: "bai2", Text: "BAI2"},
}

var delimiterNames = []ui.Option{{Value: ";", Text: "Semicolon"}, {Value: ",", Text: "Comma"}, {Value: "tab", Text: "Tab"}, {Value: "|", Text: "Bar"}}

var dateFormatNames = []ui.Option{
	{Value: "dd/mm/yyyy", Text: "Day first: 31/03/2026"}, {Value: "mm/dd/yyyy", Text: "Month first: 03/31/2026"}, {Value: "yyyy-mm-dd", Text: "Year first: 2026-03-31"},
}

var decimalNames = []ui.Option{{Value: ".", Text: "Point: 1,234.56"}, {Value: ",", Text: "Comma: 1.234,56"}}

var signNames = []ui.Option{{Value: "normal", Text: "Plus is money in"}, {Value: "invert", Text: "Plus is money out"}}

var unmarkedNames = []ui.Option{{Value: "debit", Text: "Money out"}, {Value: "credit", Text: "Money in"}}

// nameOf gives the name of a value, or the value itself where it has none.
func nameOf(names []ui.Option, value string) string {
	for _, name := range names {
		if strings.EqualFold(name.Value, value) {
			return name.Text
		}
	}
	return value
}

func encodingWords(s statement.Settings) string {
	name, _, _ := strings.Cut(nameOf(encodingNames, s.Encoding), ",")
	return name
}

func delimiterWords(s statement.Settings) string {
	if s.Delimiter == "\t" {
		return "Tab"
	}
	return nameOf(delimiterNames, s.Delimiter)
}

func headerWords(f ui.Format, s statement.Settings) string {
	if s.HeaderRow == 0 {
		return "None"
	}
	return "Row " + f.Number(s.HeaderRow)
}

func decimalWords(s statement.Settings, readable bool) string {
	words := map[string]string{".": "Point", ",": "Comma"}[s.Decimal]
	thousands := map[string]string{".": "point", ",": "comma", "'": "apostrophe", " ": "space"}[s.Thousands]
	switch {
	case words == "" && s.By["amount_column"] != "" && readable:
		return "None"
	case words != "" && thousands != "":
		return words + ", " + thousands + " for thousands"
	}
	return words
}

func amountWords(s statement.Settings) string {
	switch s.Amounts {
	case statement.AmountsSigned:
		return "One signed column"
	case statement.AmountsMarked:
		return "One column, marked Cr or Dr"
	case statement.AmountsSides:
		return "A column for money out, one for money in"
	case statement.AmountsDirected:
		return "One column, its direction in another"
	}
	return ""
}

func signWords(s statement.Settings) string {
	switch {
	case s.Amounts == "" || s.Amounts == statement.AmountsSides:
		return ""
	case s.Inverted:
		return "Plus is money out"
	}
	return "Plus is money in"
}

// sizeWords writes a size as people say it.
func sizeWords(f ui.Format, bytes int) string {
	switch {
	case bytes < 1<<10:
		return f.Plural(bytes, "byte", "bytes")
	case bytes < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
}
