package statement

import (
	"cmp"
	"fmt"
	"strings"
)

// readEntry reads a record 16: type code, amount, kind of funds, the bank's reference, the customer's, and a text that goes on to the end.
func (r *baiReader) readEntry(record baiRecord) error {
	if r.rows++; r.rows > MaxRows {
		return refuse(ClassMalformed, record.line, "The file has more than %d movements. Split it by period and upload the parts.", MaxRows)
	}
	p, row := r.section, r.rows
	raw := strings.TrimSpace(r.text[record.start:record.end])
	fields := record.fields()
	code, _ := fields.next()
	amount, _ := fields.next()
	minor, reason := baiAmount(amount)
	switch reason {
	case "":
		r.account.add(minor)
	case ReasonMissing:
	default:
		r.account.unknown = true
	}
	side := baiSideOf(code)
	switch {
	case side == baiTotal:
		p.skipped = append(p.skipped, Skipped{Row: row, Reason: SkipTotal, Raw: raw})
	case side == baiStatus:
		p.reject(row, ReasonInfoOnly, fmt.Sprintf("the type code %s is of a note or a balance, not of a movement", code), raw)
	case reason == ReasonMissing:
		p.reject(row, reason, "the movement has no amount", raw)
	case reason == ReasonOverflow:
		p.reject(row, reason, fmt.Sprintf("the amount %q is beyond the largest that can be kept", short(amount)), raw)
	case reason != "":
		p.reject(row, reason, fmt.Sprintf("%q is not an amount: it is written in the smallest unit of the currency, without a decimal point", short(amount)), raw)
	case side == baiUnknown:
		p.reject(row, ReasonBadAmount, fmt.Sprintf("the type code %q does not say whether money came in or went out", short(code)), raw)
	default:
		r.keepEntry(baiMovement{row, code, side, minor, raw}, fields)
	}
	return nil
}

// baiMovement is a movement of which the amount is known.
type baiMovement struct {
	row   int
	code  string
	side  baiSide
	minor int64 // as printed
	raw   string
}

func (r *baiReader) keepEntry(m baiMovement, fields baiFields) {
	p := r.section
	funds, _ := fields.next()
	if !skipFunds(funds, &fields) {
		p.reject(m.row, ReasonRagged, fmt.Sprintf("the fields after the amount are not those of the format: the kind of funds is %q", short(funds)), m.raw)
		return
	}
	bank, customer := fields.reference(), fields.reference()
	line := Line{Row: m.row, Date: p.day, AmountMinor: m.minor, Currency: p.currency, Raw: m.raw,
		Reference: cmp.Or(givenReference(customer), givenReference(bank)), Description: cmp.Or(fields.text(), baiName(m.code))}
	if m.side == baiDebit {
		line.AmountMinor = -m.minor
	}
	if m.minor < 0 {
		p.minus = append(p.minus, len(p.lines))
	}
	p.lines = append(p.lines, line)
}

// reference gives the next field, but nothing where a continuation begins with a text: some banks end the record before the references.
func (f *baiFields) reference() string {
	const longest = 40
	if !f.open && len(f.pieces) > 1 {
		field, _, _ := strings.Cut(f.pieces[1].body, ",")
		if field = strings.TrimSpace(field); len(field) > longest || strings.Contains(field, " ") {
			return ""
		}
	}
	field, _ := f.next()
	return field
}
