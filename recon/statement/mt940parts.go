package statement

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// numberedBy gives the sign before the numbers of the parts of a field 86, such as the ? of German banks, after three digits or letters that
// say what kind of movement it is. 0 for a text that is not in parts.
func numberedBy(raw string) byte {
	head := raw[:min(len(raw), 16)]
	at := 0
	for at < len(head) && at < 4 && (isDigit(rune(head[at])) || head[at] >= 'A' && head[at] <= 'Z') {
		at++
	}
	head = strings.TrimLeft(head[at:], "\r\n")
	if len(head) < 3 || !strings.ContainsRune("?~<>^@|#!$&%*", rune(head[0])) || !allDigits(head[1:3]) {
		return 0
	}
	return head[0]
}

// readNumbered reads "166?00TRANSFER?20Invoice 1?21of March?32Halden Inc?33Sons": 20-29 and 60-63 are the purpose, 32 and 33 the name of the other
// side, 00 how the bank calls the movement.
func (d *swiftDetails) readNumbered(raw string, separator byte) {
	var purpose, party pieces
	for at := strings.IndexByte(raw, separator); at >= 0; {
		number := raw[at+1 : at+3]
		end := nextNumber(raw, at+3, separator)
		value := raw[at+3 : end]
		switch {
		case number == "00":
			d.posting = oneLine(value)
		case number[0] == '2' || number >= "60" && number <= "63":
			purpose.add(value)
		case number == "32" || number == "33":
			party.add(value)
		}
		if at = end; end == len(raw) {
			break
		}
	}
	d.readPurpose(purpose.String())
	d.party = oneLine(party.String())
}

// nextNumber finds the next part, the end of the text where there is none. A question mark before other digits belongs to the text.
func nextNumber(raw string, from int, separator byte) int {
	for at := from; at+2 < len(raw); at++ {
		if raw[at] != separator || !allDigits(raw[at+1:at+3]) {
			continue
		}
		switch number := raw[at+1 : at+3]; {
		case number == "00" || number == "10", number[0] == '2', number[0] == '3', number[0] == '6':
			return at
		}
	}
	return len(raw)
}

// pieces puts together what a bank cut into parts of 27 or 35 letters. A part that is full goes on inside a word, others end with one.
type pieces struct {
	text strings.Builder
	full bool
	last rune
}

func (p *pieces) add(piece string) {
	_, code := nextCode(piece[:min(len(piece), 5)])
	if p.text.Len() > 0 && (!p.full || code != "" || p.endsWord(piece)) {
		p.text.WriteByte(' ')
	}
	p.text.WriteString(piece)
	size := utf8.RuneCountInString(piece)
	p.full = size == 27 || size == 35
	p.last, _ = utf8.DecodeLastRuneInString(piece)
}

// endsWord reports whether a part after a full one begins a word, by its capital: "…of 2026" and "Interest".
func (p *pieces) endsWord(next string) bool {
	first, size := utf8.DecodeRuneInString(next)
	second, _ := utf8.DecodeRuneInString(next[size:])
	return unicode.IsUpper(first) && unicode.IsLower(second) && (unicode.IsLower(p.last) || unicode.IsDigit(p.last))
}

func (p *pieces) String() string { return p.text.String() }

// readNS reads the field NS with which German cooperative banks tell what others do in field 86, a number before each line: 01-14 are the purpose, 15
// and 16 the name of the other side, 17 how the bank calls the movement.
func (d *swiftDetails) readNS(raw string) {
	var purpose, party []string
	lines := physicalLines{text: raw}
	for lines.next() {
		line := raw[lines.start:lines.end]
		if len(line) < 3 || !allDigits(line[:2]) {
			continue
		}
		switch number, value := line[:2], line[2:]; {
		case number >= "01" && number <= "14":
			purpose = append(purpose, value)
		case number == "15" || number == "16":
			party = append(party, value)
		case number == "17":
			d.posting = oneLine(value)
		}
	}
	d.readPurpose(strings.Join(purpose, " "))
	d.party = oneLine(strings.Join(party, " "))
}
