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

// openTable chooses the delimiter under which the file is a statement, and splits the whole file at it.
func openTable(text string, t *told) (*sheet, error) {
	delim, start := sepLine(text)
	candidates := []byte(delimiters)
	if t.delimiter != 0 {
		candidates = []byte{t.delimiter}
	} else if delim != 0 {
		candidates = []byte{delim}
	}
	best := layout{score: -1}
	firstRow := 1 + lineEnds(text[:start])
	for _, delim := range candidates {
		if len(candidates) > 1 && strings.IndexByte(text[:min(len(text), 1<<20)], delim) < 0 {
			continue
		}
		l := layoutUnder(text, start, firstRow, delim, t)
		if l.score > best.score {
			best = l
		}
	}
	if best.score < 0 {
		return nil, noTable()
	}
	s := &sheet{told: t, layout: best, splitter: splitter{text: text, delim: best.delim}}
	records, refusal := s.records(start, firstRow, MaxRows+1)
	if refusal != nil {
		return nil, refusal
	}
	if len(records) > MaxRows {
		return nil, refuse(ClassMalformed, records[MaxRows].row, "The file has more than 1,000,000 rows. Split it by period and upload the parts.")
	}
	if err := cmp.Or(best.err, best.twin); err != nil {
		return nil, err
	}
	s.preamble, s.body = records[:max(best.headerAt, 0)], records[best.firstBody:]
	if best.headerAt < 0 {
		s.preamble = records[:best.firstBody]
	} else {
		s.headerRow = records[best.headerAt].row
	}
	return s, nil
}

func layoutUnder(text string, start, firstRow int, delim byte, t *told) layout {
	split := splitter{text: text, delim: delim}
	records, _ := split.records(start, firstRow, sampleRows)
	rows := make([][]string, 0, len(records))
	for _, r := range records {
		rows = append(rows, split.cells(r, nil))
	}
	l := findLayout(rows, t)
	l.delim = delim
	return l
}
