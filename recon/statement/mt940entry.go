package statement

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/store/ledger"
)

// swiftMovement is a field 61 taken apart, and not yet understood.
type swiftMovement struct {
	value, entry       string // YYMMDD, and MMDD or ""
	credit             bool
	reversal, expected bool
	amount             string
	customer, bank     string // references, "" for none
	more               string // supplementary details
}

// readEntries turns the entries of a page into its lines and rejects.
func (p *swiftPage) readEntries(text string, t *told) error {
	if p.currency == "" {
		p.currency = t.currency
	}
	if p.currency == "" && len(p.entries) > 0 {
		return refuse(ClassMissingCurrency, 0, "The file does not say the currency of its amounts. Say it (hint currency).").asking(&Question{Hint: "currency"})
	}
	p.lines = make([]Line, 0, len(p.entries))
	for _, e := range p.entries {
		p.readEntry(text, e)
	}
	p.entries = nil
	p.tellMissing()
	return nil
}

func (p *swiftPage) readEntry(text string, e swiftEntry) {
	raw := strings.TrimSpace(text[e.start:e.end])
	m, fault := cutMovement(text[e.head:e.headEnd])
	if fault != "" {
		p.reject(e.row, ReasonBadAmount, fault, raw)
		return
	}
	minor, wrong := plainMinor(m.amount, p.currency)
	if m.amount == "" {
		wrong = &faultyCell{ReasonMissing, "the entry has no amount"}
	}
	if wrong != nil {
		p.reject(e.row, wrong.reason, wrong.detail, raw)
		return
	}
	day, fault := p.bookedOn(m.value, m.entry)
	if fault != "" {
		p.reject(e.row, ReasonBadDate, fault, raw)
		return
	}
	if m.expected {
		p.reject(e.row, ReasonPending, "the bank marks the entry as expected (EC or ED): it is not booked", raw)
		return
	}
	if m.credit == m.reversal {
		minor = -minor
	}
	line := Line{Row: e.row, Date: day, AmountMinor: minor, Currency: p.currency, Raw: raw}
	line.nameSwift(m, detailsOf(text, e))
	if m.reversal {
		p.turned = append(p.turned, len(p.lines))
	}
	p.lines = append(p.lines, line)
}

// cutMovement takes a field 61 apart: value date, entry date, mark of debit or credit, funds code, amount, type, references, and on the next
// line supplementary details. Some banks break the line before the amount, fill the entry date with blanks, or write longer references.
func cutMovement(field string) (m swiftMovement, fault string) {
	if len(field) < 6 {
		return m, "the entry is cut off"
	}
	m.value = field[:6]
	rest := field[6:]
	if len(rest) >= 4 && allDigits(rest[:4]) {
		m.entry, rest = rest[:4], rest[4:]
	}
	rest, marked := m.cutMark(strings.TrimLeft(rest, " "))
	if !marked {
		return m, fmt.Sprintf("the entry %q does not say whether it is a debit or a credit", short(field))
	}
	if rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' { // the funds code: the third letter of the currency
		rest = rest[1:]
	}
	rest = strings.TrimLeft(rest, " \r\n")
	size := len(rest) - len(strings.TrimLeft(rest, "0123456789,."))
	m.amount, rest = rest[:size], rest[size:]
	first, more := rest, ""
	if at := strings.IndexAny(rest, "\r\n"); at >= 0 {
		first, more = rest[:at], rest[at:]
	}
	m.cutReferences(first)
	m.more = oneLine(more)
	return m, ""
}

// cutMark reads C or D, with R before it for a reversal and E for what is only expected.
func (m *swiftMovement) cutMark(s string) (rest string, marked bool) {
	mark := s[:min(len(s), 2)]
	switch {
	case mark == "RC" || mark == "RD":
		m.reversal = true
	case mark == "EC" || mark == "ED":
		m.expected = true
	case mark == "" || mark[0] != 'C' && mark[0] != 'D':
		return s, false
	default:
		m.credit = mark[0] == 'C'
		return s[1:], true
	}
	m.credit = mark[1] == 'C'
	return s[2:], true
}

// cutReferences reads the type, a letter and three signs, and "customer//bank".
func (m *swiftMovement) cutReferences(s string) {
	if !strings.HasPrefix(s, "NONREF") {
		s = s[lengthOfRunes(s, 4):]
	}
	customer, bank, _ := strings.Cut(s, "//")
	m.customer, m.bank = givenReference(customer), givenReference(bank)
}

// lengthOfRunes gives how many bytes the first letters of a text take.
func lengthOfRunes(s string, runes int) int {
	at := 0
	for ; runes > 0 && at < len(s); runes-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// bookedOn gives the day on which an entry was booked: its entry date, which is printed without the year, else its value date.
func (p *swiftPage) bookedOn(value, entry string) (ledger.Date, string) {
	if !allDigits(value) {
		return ledger.Date{}, fmt.Sprintf("%q is not a date", short(value))
	}
	if entry == "" || entry == "0000" {
		day := swiftDay(value)
		if day.IsZero() {
			return day, fmt.Sprintf("%q is not a day of the calendar (year, month, day)", value)
		}
		return day, ""
	}
	month, day := digitsAt(entry, 0), digitsAt(entry, 2)
	if year := p.yearOf(month, day); year != 0 {
		return dayOf(year, month, day), ""
	}
	if found := nearestDay(value, month, day); !found.IsZero() {
		return found, ""
	}
	return ledger.Date{}, fmt.Sprintf("%q after the value date %q is not a day of the calendar (month, day)", entry, value)
}

// yearOf gives the one year that puts a day between the balances of the page, 0 when none or several do.
func (p *swiftPage) yearOf(month, day int) int {
	if p.from.IsZero() || p.to.IsZero() || p.to.Before(p.from) || p.to.Year-p.from.Year > 1 {
		return 0
	}
	found := 0
	for year := p.from.Year; year <= p.to.Year; year++ {
		if !validDay(year, month, day) {
			continue
		}
		if d := dayOf(year, month, day); !d.Before(p.from) && !d.After(p.to) {
			if found != 0 {
				return 0
			}
			found = year
		}
	}
	return found
}

// nearestDay gives the day in the year that puts it nearest to the value date, which may be one of 30 days in February.
func nearestDay(value string, month, day int) ledger.Date {
	var best ledger.Date
	valueMonth, valueDay := digitsAt(value, 2), digitsAt(value, 4)
	if valueMonth < 1 || valueMonth > 12 || valueDay < 1 || valueDay > 31 {
		return best
	}
	near := time.Date(fullYear(digitsAt(value, 0)), time.Month(valueMonth), valueDay, 0, 0, 0, 0, time.UTC)
	least := 400
	for year := near.Year() - 1; year <= near.Year()+1; year++ {
		if !validDay(year, month, day) {
			continue
		}
		found := dayOf(year, month, day)
		if apart := found.DaysUntil(ledger.DateOf(near)); max(apart, -apart) < least {
			best, least = found, max(apart, -apart)
		}
	}
	return best
}

func dayOf(year, month, day int) ledger.Date {
	return ledger.Date{Year: year, Month: time.Month(month), Day: day}
}

// nameSwift fills in what tells one line from another. The customer's reference may only point into the details: EREF stands for the
// end-to-end reference there. The bank's reference is no id: banks repeat it, so that BankID stays empty.
func (l *Line) nameSwift(m swiftMovement, d swiftDetails) {
	customer := m.customer
	if pointed, points := d.pointedAt(customer); points {
		customer = pointed
	}
	l.Reference = cmp.Or(customer, m.bank, d.endToEnd())
	l.Description = joinText(d.party, d.text)
	if m.more != "" && m.more[0] != '/' {
		l.Description = joinText(l.Description, m.more)
	}
	if l.Description == "" {
		l.Description = d.posting
	}
	if id := d.endToEnd(); id != l.Reference && !strings.Contains(l.Description, id) {
		l.Description = joinText(l.Description, "EREF "+id)
	}
}
