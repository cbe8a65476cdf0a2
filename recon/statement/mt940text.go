package statement

import (
	"strings"
	"unicode/utf8"
)

// swiftDetails is what the texts of an entry say.
type swiftDetails struct {
	party, text, posting                      string
	endToEndID, customerRef, mandate, payment string
}

// endToEnd gives the end-to-end reference, "" where the text says that there is none.
func (d *swiftDetails) endToEnd() string {
	return givenReference(d.endToEndID)
}

// pointedAt gives what the details hold where the customer's reference is only the name of one of them.
func (d *swiftDetails) pointedAt(customer string) (reference string, points bool) {
	switch strings.TrimSuffix(customer, "+") {
	case "EREF":
		return d.endToEnd(), true
	case "KREF":
		reference = d.customerRef
	case "MREF", "MARF":
		reference = d.mandate
	case "PREF":
		reference = d.payment
	default:
		return "", false
	}
	return givenReference(reference), true
}

// keep takes the value of a code of SEPA. It reports whether the code is about the text itself.
func (d *swiftDetails) keep(code, value string) {
	var field *string
	switch code {
	case "EREF":
		field = &d.endToEndID
	case "KREF":
		field = &d.customerRef
	case "MREF", "MARF":
		field = &d.mandate
	case "PREF":
		field = &d.payment
	case "SVWZ", "REMI":
		field = &d.text
	case "NAME":
		field = &d.party
	default:
		return
	}
	if *field == "" {
		*field = value
	}
}

// detailsOf reads the field 86 of an entry: in numbered parts, in parts between slashes, or free.
func detailsOf(text string, e swiftEntry) swiftDetails {
	var d swiftDetails
	if e.details == 0 {
		return d
	}
	raw := text[e.details:e.end]
	if strings.HasSuffix(text[:e.details], ":NS:") {
		d.readNS(raw)
		return d
	}
	separator := numberedBy(raw)
	raw = unfolded(raw, separator)
	switch {
	case separator != 0:
		d.readNumbered(raw, separator)
	case !d.readSlashed(raw):
		d.readPurpose(raw)
	}
	return d
}

// What a line of field 86 holds before a bank breaks it, by the format and, with numbered parts, by what banks do.
const (
	swiftLine     = 65
	swiftLineLeft = 60
)

// unfolded joins the lines of a field 86. A line that is full was broken anywhere, also inside a word; before any other break stands a blank.
func unfolded(raw string, separator byte) string {
	full := swiftLine
	if separator != 0 || strings.HasPrefix(raw, "/") {
		full = swiftLineLeft
	}
	if !strings.ContainsAny(raw, "\r\n") {
		return raw
	}
	var b strings.Builder
	b.Grow(len(raw))
	glued := true
	lines := physicalLines{text: raw}
	for lines.next() {
		line := strings.TrimPrefix(raw[lines.start:lines.end], ":86:")
		if !glued && line != "" && line[0] != separator {
			b.WriteByte(' ')
		}
		b.WriteString(line)
		size := utf8.RuneCountInString(line)
		glued = size >= full && (full == swiftLineLeft || size == full)
	}
	return b.String()
}

// readPurpose reads a text in which SEPA codes may stand: "EREF+A-1 SVWZ+Invoice 1". What stands outside of them counts where there is no SVWZ.
func (d *swiftDetails) readPurpose(purpose string) {
	outside, rest := "", purpose
	code := ""
	for {
		at, next := nextCode(rest)
		value := oneLine(strings.TrimSpace(rest[:at]))
		if code == "" {
			outside = value
		} else {
			d.keep(code, value)
		}
		if next == "" {
			break
		}
		code, rest = next, rest[at+len(next)+1:]
		rest = strings.TrimPrefix(rest, " ")
	}
	if d.text == "" {
		d.text = outside
	}
	if d.text == "" && code != "" {
		d.text = oneLine(purpose)
	}
}

// nextCode finds the next code of SEPA in a purpose, with + or : behind it. Without one it gives the end and "".
func nextCode(s string) (at int, code string) {
	for at = 0; at+5 <= len(s); at++ {
		if (s[at+4] == '+' || s[at+4] == ':') && (at == 0 || s[at-1] == ' ' || s[at-1] == '\t') && isSEPACode(s[at:at+4]) {
			return at, s[at : at+4]
		}
	}
	return len(s), ""
}

func isSEPACode(s string) bool {
	switch s {
	case "EREF", "KREF", "MREF", "CRED", "DEBT", "COAM", "OAMT", "SVWZ", "ABWA", "ABWE", "PURP", "RREF", "BREF", "TAN1":
		return true
	}
	return false
}

// readSlashed reads /EREF/A-1/REMI/Invoice 1/NAME/Halden Inc, as banks in the Netherlands and in Asia write it; false for another text.
func (d *swiftDetails) readSlashed(text string) bool {
	text = strings.TrimSpace(text)
	at, code := nextSlashed(text)
	if code == "" || at != 0 {
		return false
	}
	for rest := text[len(code)+1:]; code != ""; {
		at, next := nextSlashed(rest)
		value := oneLine(strings.Trim(rest[:at], "/ "))
		switch {
		case code == "CNTP" && d.party == "":
			d.party = counterparty(rest[:at])
		case code == "REMI":
			value = oneLine(strings.TrimPrefix(strings.TrimPrefix(value, "USTD//"), "STRD/"))
			fallthrough
		default:
			d.keep(code, value)
		}
		code, rest = next, rest[min(at+len(next)+1, len(rest)):]
	}
	if d.text == "" && d.party == "" {
		d.text = oneLine(text)
	}
	return true
}

// counterparty gives the name out of /account/BIC/name/city.
func counterparty(value string) string {
	parts := strings.Split(value, "/")
	if len(parts) < 4 {
		return ""
	}
	return oneLine(parts[3])
}

// nextSlashed finds the next code between slashes. Its place is that of the first slash; without one it gives the end and "".
func nextSlashed(s string) (at int, code string) {
	for at = strings.IndexByte(s, '/'); at >= 0; {
		size := strings.IndexByte(s[at+1:min(len(s), at+6)], '/')
		if size > 0 && isSlashCode(s[at+1:at+1+size]) {
			return at, s[at+1 : at+1+size]
		}
		next := strings.IndexByte(s[at+1:], '/')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return len(s), ""
}

func isSlashCode(s string) bool {
	switch s {
	case "EREF", "KREF", "MREF", "MARF", "PREF", "REMI", "NAME", "IBAN", "BIC", "TRTP", "CNTP", "CSID", "BENM", "ORDP", "ADDR", "ISDT", "RTRN", "UDTR",
		"UCRD", "ULTD", "ULTB", "ULTC", "PURP", "TRCD", "OCMT", "CHGS", "EXCH", "INIT", "SVCL", "ORDR", "BENF":
		return true
	}
	return false
}
