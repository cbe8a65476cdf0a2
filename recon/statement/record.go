package statement

import "strings"

// record is one row of the file: text[start:end] without its line end, and the physical line on which it starts.
type record struct {
	start, end, row int
}

// fault is why a record cannot be split.
type fault string

const (
	faultUnclosed fault = "A quote that opens in row %d is not closed where it should be. Open the file in a text editor and mend the quotes of that row."
	faultLong     fault = "Row %d is longer than any bank's row. This is not a CSV statement, or a quote in it is not closed."
	faultWide     fault = "Row %d has more than 1,000 columns. This is not a CSV statement."
)

func (f fault) refusal(row int) *Refusal { return refuse(ClassMalformed, row, string(f), row) }

// splitter splits text into records and cells by RFC 4180, bent where banks bend it: CR, LF and CRLF each end a row; a
// quote opens a cell only at its start; a backslash is a character like any other.
type splitter struct {
	text  string
	delim byte

	// The last quote that can close a cell in the line that was looked at last. Without it a line of stray quotes
	// would be searched once for each of them.
	lineStart, lineEnd, lastClose int
}

// split reads the record at pos into cells, reusing them. next is where the following record starts.
func (s *splitter) split(pos int, cells []string) (out []string, end, next int, f fault) {
	i := pos
	for {
		var cell string
		if cell, i, f = s.cell(i); f != "" {
			return cells, i, i, f
		}
		if cells = append(cells, cell); len(cells) > MaxColumns {
			return cells, i, i, faultWide
		}
		if i-pos > MaxRecordBytes {
			return cells, i, i, faultLong
		}
		if i >= len(s.text) || s.text[i] != s.delim {
			return cells, i, s.afterLineEnd(i), ""
		}
		i++
	}
}

// cells splits one record that is known to be whole.
func (s *splitter) cells(r record, buffer []string) []string {
	one := splitter{text: s.text[:r.end], delim: s.delim}
	cells, _, _, _ := one.split(r.start, buffer[:0])
	return cells
}

func (s *splitter) cell(i int) (cell string, end int, f fault) {
	open := i
	for open < len(s.text) && s.text[open] == ' ' {
		open++
	}
	if open < len(s.text) && s.text[open] == '"' {
		cell, end, quoted, f := s.quoted(open)
		if quoted || f != "" {
			return cell, end, f
		}
	}
	end = i
	for end < len(s.text) && !s.endsCell(end) {
		if end++; end-i > MaxRecordBytes {
			return "", end, faultLong
		}
	}
	return s.text[i:end], end, ""
}

func (s *splitter) endsCell(i int) bool {
	return s.text[i] == s.delim || s.text[i] == '\n' || s.text[i] == '\r'
}

// quoted reads the cell whose quote opens at open. A quote inside that is neither doubled nor closing is taken as a
// character when the cell is closed further on in the same line; else the cell is not a quoted one. In a cell that goes
// over several lines such a quote means that an earlier one was never closed, and rows would be swallowed.
func (s *splitter) quoted(open int) (cell string, end int, ok bool, f fault) {
	doubled, broken := false, false
	for k := open + 1; ; {
		limit := min(len(s.text), open+MaxRecordBytes)
		q := -1
		if k < limit {
			q = strings.IndexByte(s.text[k:limit], '"')
		}
		if q < 0 && limit < len(s.text) {
			return "", open, false, faultLong
		}
		if q < 0 {
			return "", open, false, faultUnclosed
		}
		q += k
		broken = broken || strings.ContainsAny(s.text[k:q], "\r\n")
		after := s.closes(q)
		switch {
		case q+1 < len(s.text) && s.text[q+1] == '"':
			doubled, k = true, q+2
		case after >= 0 && doubled:
			return strings.ReplaceAll(s.text[open+1:q], `""`, `"`), after, true, ""
		case after >= 0:
			return s.text[open+1 : q], after, true, ""
		case broken:
			return "", open, false, faultUnclosed
		case !s.closesInLine(q):
			return "", open, false, ""
		default:
			k = q + 1
		}
	}
}

// closes gives where the cell ends when the quote at q closes it, else -1. Blanks may follow the quote.
func (s *splitter) closes(q int) int {
	i := q + 1
	for i < len(s.text) && s.text[i] == ' ' {
		i++
	}
	if i >= len(s.text) || s.endsCell(i) {
		return i
	}
	return -1
}

// closesInLine reports whether a quote after q, in the same physical line, can close a cell.
func (s *splitter) closesInLine(q int) bool {
	if q < s.lineStart || q >= s.lineEnd {
		s.lineStart, s.lineEnd, s.lastClose = q, len(s.text), -1
		if n := strings.IndexAny(s.text[q:], "\r\n"); n >= 0 {
			s.lineEnd = q + n
		}
		for i := s.lineEnd - 1; i > q && s.lastClose < 0; i-- {
			if s.text[i] == '"' && s.closes(i) >= 0 {
				s.lastClose = i
			}
		}
	}
	return s.lastClose > q
}

func (s *splitter) afterLineEnd(i int) int {
	switch {
	case i >= len(s.text):
		return i
	case s.text[i] == '\r' && i+1 < len(s.text) && s.text[i+1] == '\n':
		return i + 2
	}
	return i + 1
}

// records gives the rows from pos on that are not blank, at most limit of them. With a fault, those before it.
func (s *splitter) records(pos, row, limit int) ([]record, *Refusal) {
	all := make([]record, 0, min(limit, 1+lineEnds(s.text[pos:])))
	var cells []string
	for pos < len(s.text) && len(all) < limit {
		var end, next int
		var f fault
		if cells, end, next, f = s.split(pos, cells[:0]); f != "" {
			return all, f.refusal(row)
		}
		if !blank(cells) {
			all = append(all, record{pos, end, row})
		}
		row += lineEnds(s.text[pos:next])
		pos = next
	}
	return all, nil
}

func blank(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// lineEnds counts the physical lines that end in a text: CR, LF and CRLF each end one.
func lineEnds(text string) int {
	n := strings.Count(text, "\n")
	for i := 0; i < len(text); i++ {
		at := strings.IndexByte(text[i:], '\r')
		if at < 0 {
			break
		}
		i += at
		if i+1 >= len(text) || text[i+1] != '\n' {
			n++
		}
	}
	return n
}
