package statement

import (
	"strings"
)

// swiftField is one field of a message: ":61:" and what stands behind it, up to the next.
type swiftField struct {
	tag            string
	value          string // of an envelope only: the type of its message
	text           string // of the file
	line           int    // the physical line on which it begins, from 1
	start, valueAt int
	end            int // behind its last character, without the line end
}

// swiftEnvelope stands for what goes before and behind a message: the blocks of SWIFT, or the lines that a bank puts there instead.
const swiftEnvelope = "{"

// firstLine gives the first line of a field without blanks at its ends.
func (f swiftField) firstLine() string {
	value := f.text[f.valueAt:f.end]
	if at := strings.IndexAny(value, "\r\n"); at >= 0 {
		value = value[:at]
	}
	return strings.TrimSpace(value)
}

// split takes the text apart into fields. Lines that belong to none, such as the names of a bank above the first, are passed over.
func (r *swiftReader) split() error {
	var open swiftField
	lines := physicalLines{text: r.text}
	for lines.next() {
		end := lines.start + len(strings.TrimRight(r.text[lines.start:lines.end], " \t"))
		for at := lines.start; ; {
			f, behind := r.begins(open, at, end)
			if f.tag == "" {
				if open.tag != "" && at == lines.start {
					open.end = lines.end
				}
				break
			}
			if err := r.take(open); err != nil {
				return err
			}
			f.line, f.text, f.end = lines.number, r.text, lines.end
			if open, at = f, behind; f.tag != swiftEnvelope {
				break
			}
			if err := r.take(f); err != nil {
				return err
			}
			open = swiftField{}
		}
	}
	return r.take(open)
}

// begins gives the field that begins at a place of a line, with an empty tag where the line goes on with the one before. Behind an envelope, in
// the same line, another may begin.
func (r *swiftReader) begins(open swiftField, at, end int) (f swiftField, behind int) {
	line := strings.TrimLeft(r.text[at:end], " \t")
	at = end - len(line)
	switch {
	case line == "":
	case line[0] == ':':
		line, broken := r.mended(line, end)
		tag := swiftTag(line)
		switch {
		case tag == "" || open.tag == "86" && r.isTime(tag, line[len(tag)+2:]):
		case isSwiftKind(tag):
			return swiftField{tag: swiftEnvelope, value: tag}, end
		default:
			return swiftField{tag: tag, start: at, valueAt: at + broken + len(tag) + 2}, end
		}
	case strings.HasPrefix(line, "-}"):
		return swiftField{tag: swiftEnvelope}, at + 2
	case line == "-":
		return swiftField{tag: swiftEnvelope}, end
	case line[0] == '{' && len(line) > 2 && line[2] == ':':
		kind, length := swiftBlocks(line)
		return swiftField{tag: swiftEnvelope, value: kind}, at + length
	case open.tag == "" && isSwiftKind(line):
		return swiftField{tag: swiftEnvelope, value: line}, end
	}
	return swiftField{}, end
}

// mended gives a line with the tag whole where a bank broke it behind the first colon, and how long the break is.
func (r *swiftReader) mended(line string, end int) (whole string, broken int) {
	if line != ":" {
		return line, 0
	}
	behind := r.text[end:min(len(r.text), end+8)]
	whole = strings.TrimLeft(behind, " \t\r\n")
	return ":" + whole, len(behind) - len(whole)
}

// isTime tells "13" at the end of a line and ":20:37" on the next, in the text of an entry, from a field 20: before the closing balance no
// message begins.
func (r *swiftReader) isTime(tag, behind string) bool {
	switch tag {
	case "13", "20", "21", "25", "28":
		return r.entry != nil && r.page.opening != nil && r.page.closing == nil && len(behind) > 1 && allDigits(behind[:2]) && (len(behind) == 2 || !allDigits(behind[2:3]))
	}
	return false
}

// swiftTag gives the tag with which a line begins, "" where it is none of a statement: ":12:30 o'clock" goes on with the text above it.
func swiftTag(line string) string {
	at := strings.IndexByte(line[1:min(len(line), 6)], ':')
	if at < 0 {
		return ""
	}
	switch tag := line[1 : at+1]; tag {
	case "20", "21", "25", "25P", "28", "28C", "60", "60F", "60M", "61", "86", "62", "62F", "62M", "64", "65", "90C", "90D", "13", "13C", "13D", "34F",
		"NS", "940", "942":
		return tag
	}
	return ""
}

// swiftBlocks reads the blocks before a message, {1:…}{2:I940…}{4:, and gives its type and how far they go in the line.
func swiftBlocks(line string) (kind string, length int) {
	length = len(line)
	if at := strings.Index(line, "{4:"); at >= 0 {
		line, length = line[:at], at+len("{4:")
	}
	if at := strings.Index(line, "{2:"); at >= 0 && len(line) >= at+7 && isSwiftKind(line[at+4:at+7]) {
		kind = line[at+4 : at+7]
	}
	return kind, length
}

// isSwiftKind tells a type of message that a bank sends to the holder of an account.
func isSwiftKind(s string) bool { return len(s) == 3 && s[0] == '9' && allDigits(s) }

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// physicalLines goes over the lines of a text; CR, LF and CRLF each end one.
type physicalLines struct {
	text       string
	start, end int // of the line, without its end
	number     int // from 1
	at         int // where the next begins
}

func (l *physicalLines) next() bool {
	if l.at >= len(l.text) {
		return false
	}
	l.start, l.end, l.number = l.at, len(l.text), l.number+1
	if n := strings.IndexAny(l.text[l.at:], "\r\n"); n >= 0 {
		l.end = l.at + n
	}
	l.at = l.end + 1
	if strings.HasPrefix(l.text[min(l.end, len(l.text)):], "\r\n") {
		l.at++
	}
	return true
}
