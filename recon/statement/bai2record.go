package statement

import (
	"strconv"
	"strings"
)

// baiRecord is a logical record: a physical one and those with code 88 that continue it, and any line without a code behind it.
type baiRecord struct {
	code       string
	pieces     []baiPiece
	physical   int // records, without lines that have no code
	line       int // the physical line on which it begins
	start, end int // where it stands in the text
}

// baiPiece is what one physical record holds behind its code, without the slash that ends it.
type baiPiece struct {
	body   string
	broken bool // the line is full: what follows goes on inside a word
}

// baiRecords gathers logical records from physical lines.
type baiRecords struct {
	lines  baiLines
	record baiRecord
	ahead  *baiRecord // the one that has begun
	stray  int        // the first line that belongs to no record, 0 for none
}

// next gives the next record. It ends at a line that belongs to none.
func (r *baiRecords) next() bool {
	for r.lines.next() {
		line := strings.Trim(r.lines.text[r.lines.start:r.lines.end], " \t\x1a")
		code := baiCode(line)
		switch {
		case line == "":
		case code != "" && code != "88":
			done := r.ahead
			r.ahead = &baiRecord{code: code, line: r.lines.number, start: r.lines.start}
			r.extend(line[len("16,"):], true)
			if done != nil {
				r.record = *done
				return true
			}
		case r.ahead != nil && code == "88":
			r.extend(line[len("88,"):], true)
		case r.ahead != nil && r.ahead.code == "16":
			r.extend(line, false)
		default:
			r.stray = r.lines.number
			return false
		}
	}
	if r.ahead == nil {
		return false
	}
	r.record, r.ahead = *r.ahead, nil
	return true
}

// extend adds a physical line to the record that has begun.
func (r *baiRecords) extend(body string, coded bool) {
	const usual = 80 // the length of a physical record where none is declared
	record := r.ahead
	size := r.lines.end - r.lines.start
	body, ended := strings.CutSuffix(body, "/")
	record.pieces = append(record.pieces, baiPiece{body, !ended && (size == usual || size == r.lines.size)})
	record.end = r.lines.end
	if coded {
		record.physical++
	}
}

// baiCode gives the code with which a line begins, "" for none.
func baiCode(line string) string {
	if len(line) < 3 || line[2] != ',' {
		return ""
	}
	switch code := line[:2]; code {
	case "01", "02", "03", "16", "49", "88", "98", "99":
		return code
	}
	return ""
}

// baiLines goes over the physical records of a text: its lines, or pieces of the declared length where a file has no line ends.
type baiLines struct {
	physicalLines
	size  int  // the declared length, 0 for none
	fixed bool // there are no line ends
}

func baiLinesOf(text string) baiLines {
	l := baiLines{physicalLines: physicalLines{text: text}}
	first := text[:min(len(text), 1_000)]
	if at := strings.IndexAny(first, "\r\n/"); at >= 0 {
		first = first[:at]
	}
	if fields := strings.Split(first, ","); len(fields) > 6 {
		l.size, _ = strconv.Atoi(strings.TrimSpace(fields[6]))
	}
	l.fixed = l.size >= 10 && !strings.ContainsAny(strings.TrimRight(text, "\r\n"), "\r\n")
	return l
}

func (l *baiLines) next() bool {
	if !l.fixed {
		return l.physicalLines.next()
	}
	if l.at >= len(l.text) {
		return false
	}
	l.start, l.end, l.number = l.at, min(len(l.text), l.at+l.size), l.number+1
	l.at = l.end
	return true
}

// baiFields takes the fields of a record one after the other. The end of a physical record ends a field too.
type baiFields struct {
	pieces []baiPiece
	rest   string // of the first of the pieces
	open   bool   // rest begins with a field, which may be empty
	fresh  bool   // the field to come is the first of a continuation
}

func (r baiRecord) fields() baiFields {
	return baiFields{pieces: r.pieces, rest: r.pieces[0].body, open: true}
}

// next gives a field without blanks at its ends; ok is false behind the last.
func (f *baiFields) next() (field string, ok bool) {
	if !f.advance() {
		return "", false
	}
	f.fresh = false
	field, f.rest, f.open = strings.Cut(f.rest, ",")
	return strings.TrimSpace(field), true
}

// advance goes to the piece that holds the next field.
func (f *baiFields) advance() bool {
	if f.open {
		return true
	}
	if len(f.pieces) < 2 {
		return false
	}
	f.pieces = f.pieces[1:]
	f.rest, f.open, f.fresh = f.pieces[0].body, true, true
	return true
}

// text gives all that is left, commas included, as one text.
func (f *baiFields) text() string {
	if !f.advance() {
		return ""
	}
	if len(f.pieces) == 1 {
		return oneLine(f.rest)
	}
	var b strings.Builder
	b.WriteString(f.rest)
	for i, p := range f.pieces[1:] {
		if !f.pieces[i].broken {
			b.WriteByte(' ')
		}
		b.WriteString(p.body)
	}
	return oneLine(b.String())
}
