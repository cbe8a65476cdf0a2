package statement

import (
	"cmp"
	"strings"
)

// delimiters are tried in this order; an earlier one wins when several fit equally well.
const delimiters = ",;\t|^~"

func canDelimit(b byte) bool {
	return b == '\t' || b > ' ' && b < 0x7f && b != '"' && b != '\'' && b != '.' && b != '-' &&
		!(b >= '0' && b <= '9') && !(b >= 'a' && b <= 'z') && !(b >= 'A' && b <= 'Z')
}

// sepLine reads Excel's first line "sep=;", which is neither header nor data. next is where the line after it starts.
func sepLine(text string) (delim byte, next int) {
	end := strings.IndexAny(text, "\r\n")
	if end < 0 {
		end = len(text)
	}
	line := strings.Trim(strings.TrimRight(text[:end], " "), `"`)
	if len(line) != 5 || !strings.EqualFold(line[:4], "sep=") || !canDelimit(line[4]) {
		return 0, 0
	}
	s := splitter{text: text}
	return line[4], s.afterLineEnd(end)
}

// openTable chooses the delimiter under which the file is a statement, and splits the whole file at it. With an error, the sheet holds
// the rows as far as they could be split.
func openTable(text string, t *told) (*sheet, error) {
	best, start, firstRow := bestLayout(text, t)
	if best.score < 0 {
		return nil, noTable()
	}
	s := &sheet{told: t, layout: best, splitter: splitter{text: text, delim: best.delim}}
	records, refusal := s.records(start, firstRow, MaxRows+1)
	s.place(records[:min(len(records), MaxRows)])
	if refusal != nil {
		return s, refusal
	}
	if len(records) > MaxRows {
		return s, refuse(ClassMalformed, records[MaxRows].row, "The file has more than 1,000,000 rows. Split it by period and upload the parts.")
	}
	return s, cmp.Or(best.err, best.twin)
}

// bestLayout tries the delimiters on the first rows. start and firstRow are where the table's text begins, after a line that names the
// delimiter.
func bestLayout(text string, t *told) (best layout, start, firstRow int) {
	delim, start := sepLine(text)
	candidates := []byte(delimiters)
	if t.delimiter != 0 {
		candidates = []byte{t.delimiter}
	} else if delim != 0 {
		candidates = []byte{delim}
	}
	best = layout{score: -1}
	firstRow = 1 + lineEnds(text[:start])
	for _, delim := range candidates {
		if len(candidates) > 1 && strings.IndexByte(text[:min(len(text), 1<<20)], delim) < 0 {
			continue
		}
		if l := layoutUnder(text, start, firstRow, delim, t); l.score > best.score {
			best = l
		}
	}
	return best, start, firstRow
}

func layoutUnder(text string, start, firstRow int, delim byte, t *told) layout {
	split := splitter{text: text, delim: delim}
	records, _ := split.records(start, firstRow, sampleRows)
	rows, header := make([][]string, 0, len(records)), -1
	for i, r := range records {
		rows = append(rows, split.cells(r, nil))
		if r.row == t.headerRow {
			header = i
		}
	}
	if t.headerRow > 0 && header < 0 {
		return layout{headerAt: -1, firstBody: -1, delim: delim, err: badHint("header_row", "row %d is blank, or not among the first rows of the file", t.headerRow)}
	}
	l := findLayout(rows, t, header)
	l.delim = delim
	return l
}
