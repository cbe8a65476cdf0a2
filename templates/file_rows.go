package templates

import "daybook/templates/ui"

// RowCounts accounts for every row of a file: new + known + duplicate + rejected + skipped = rows.
type RowCounts struct{ New, Known, Duplicate, Rejected, Skipped int }

// Total is the number of rows in the file.
func (c RowCounts) Total() int { return c.New + c.Known + c.Duplicate + c.Rejected + c.Skipped }

// Sentence says what became of the rows: “80 lines stored, 2 known, 1 rejected: see Other rows of the file.”
func (c RowCounts) Sentence(f ui.Format) string {
	text := f.Plural(c.New, "line stored", "lines stored")
	for _, part := range []struct {
		n    int
		word string
	}{{c.Known, "known"}, {c.Duplicate, "duplicate"}, {c.Rejected, "rejected"}, {c.Skipped, "skipped"}} {
		if part.n > 0 {
			text += ", " + f.Number(part.n) + " " + part.word
		}
	}
	if c.Total() > c.New {
		text += ": see “Other rows of the file”"
	}
	return text + "."
}

// StatementFileRow is a row of the file that did not become a line. Class is rejected, known, duplicate or skipped.
type StatementFileRow struct {
	Row                        int
	Class, Reason, Detail, Raw string
	// MayBeNew marks a known row that may be one more, equal to a stored line. Offered lets it be included.
	MayBeNew, Offered bool
}

// skipWords say what a skipped row is, of which the reader says nothing more.
var skipWords = map[string]string{
	"total": "A total", "balance": "A balance", "detail": "Continues the row above", "note": "Text without date and amount",
	"excluded": "Left out by the settings", "other_account": "Of another account in the file",
	"repeated": "Of a page that stands in the file a second time",
}

// Words say why the row is no line of its own.
func (r StatementFileRow) Words() string {
	if r.Detail != "" {
		return sentence(r.Detail)
	}
	if words, ok := skipWords[r.Reason]; ok {
		return words
	}
	return r.Reason
}

func (r StatementFileRow) chip() ui.Chip {
	switch r.Class {
	case "known":
		if r.MayBeNew {
			return ui.Chip{Text: "Known, may be new", Tone: ui.Warn, Icon: "copy"}
		}
		return ui.Chip{Text: "Known", Icon: "copy"}
	case "duplicate":
		return ui.Chip{Text: "Duplicate", Tone: ui.Warn, Icon: "versions"}
	case "skipped":
		return ui.Chip{Text: "Skipped", Icon: "circle-minus"}
	}
	return ui.Chip{Text: "Rejected", Tone: ui.Bad}
}
