package statement

import (
	"fmt"
	"strconv"
	"strings"

	"daybook/store/ledger"
)

// takeBalance reads a field 60 or 62: C or D, the day, the currency and the amount.
func (p *swiftPage) takeBalance(f swiftField, opening bool) error {
	name := "closing"
	if opening {
		name = "opening"
	}
	unreadable := func(why string) error {
		return refuse(ClassMalformed, f.line, "The %s balance in line %d, %q, cannot be read: %s. Download the statement from the bank again.", name, f.line, short(f.firstLine()), why)
	}
	value, _, _ := strings.Cut(f.firstLine(), "-}") // an end of the message in the same line
	mark, day, currency, amount := cutBalance(value)
	if mark != "C" && mark != "D" {
		return unreadable("it begins with neither C nor D")
	}
	if currency == "" {
		currency = p.currency // some banks print it once
	}
	if _, known := ledger.Exponent(currency); !known {
		return unreadable(fmt.Sprintf("%q is not a currency of ISO 4217", currency))
	}
	if p.currency != "" && p.currency != currency {
		return unreadable("its currency is not that of the opening balance, " + p.currency)
	}
	minor, fault := plainMinor(amount, currency)
	if fault != nil {
		return unreadable(fault.detail)
	}
	if mark == "D" {
		minor = -minor
	}
	p.currency = currency
	if opening {
		p.opening, p.from = &minor, day
	} else {
		p.closing, p.to, p.carried = &minor, day, strings.HasSuffix(f.tag, "M")
	}
	if p.day = p.to; p.day.IsZero() {
		p.day = p.from
	}
	return nil
}

// cutBalance takes a balance apart. A day that is none, such as 000000 on a new account, is zero: nothing hangs on it.
func cutBalance(value string) (mark string, day ledger.Date, currency, amount string) {
	if len(value) < 7 || !allDigits(value[1:7]) {
		return "", day, "", ""
	}
	mark, day = value[:1], swiftDay(value[1:7])
	amount = strings.TrimSpace(value[7:])
	if len(amount) >= 3 && 'A' <= amount[0] && amount[0] <= 'Z' {
		currency, amount = amount[:3], strings.TrimSpace(amount[3:])
	}
	return mark, day, currency, amount
}

// swiftDay reads YYMMDD, zero for no day of the calendar.
func swiftDay(digits string) ledger.Date {
	year, month, day := fullYear(digitsAt(digits, 0)), digitsAt(digits, 2), digitsAt(digits, 4)
	if !validDay(year, month, day) {
		return ledger.Date{}
	}
	return dayOf(year, month, day)
}

// digitsAt gives the number that two digits of a text make.
func digitsAt(digits string, at int) int { return int(digits[at]-'0')*10 + int(digits[at+1]-'0') }

// pageNumber reads "31/2", the number of a statement and of its page; 0 for what is not said.
func pageNumber(value string) (number, sheet int) {
	first, second, _ := strings.Cut(value, "/")
	number, _ = strconv.Atoi(lastDigits(first))
	sheet, _ = strconv.Atoi(lastDigits(second))
	return number, sheet
}

// lastDigits keeps a number within what an int holds.
func lastDigits(s string) string {
	s = strings.TrimSpace(s)
	return s[max(0, len(s)-9):]
}

// check refuses a file of which a page is none of a statement, or is not whole.
func (r *swiftReader) check() error {
	balances := false
	for _, p := range r.pages {
		balances = balances || p.opening != nil || p.closing != nil
		if kind := p.reportKind(); kind != "" {
			return refuse(ClassUnsupported, p.line, "The message in line %d is %s. What it tells is not final: download the statement of the day (MT940) and upload that.", p.line, kind)
		}
	}
	for i, p := range r.pages {
		if p.account == "" && i > 0 {
			p.account = r.pages[i-1].account
		}
		if balances && p.closing == nil || !balances && len(p.entries) == 0 {
			return refuse(ClassMalformed, p.line, "The statement that begins in line %d has no closing balance (field 62F): the file is cut off. Download it from the bank again.", p.line)
		}
	}
	return nil
}

// reportKind names a message that is no statement, "" for one that is.
func (p *swiftPage) reportKind() string {
	switch {
	case p.kind == "942" || p.interim && p.opening == nil && p.closing == nil:
		return "an interim report of the day (MT942)"
	case p.kind == "941":
		return "a report of balances (MT941)"
	case p.kind != "" && p.kind != "940" && p.kind != "950":
		return "no statement, but an MT" + p.kind
	}
	return ""
}

// identity tells the page from others by its number and all of its text but the reference of the message.
func (r *swiftReader) identity(p *swiftPage) identity {
	if p.number == 0 {
		return identity{}
	}
	text := strings.TrimSpace(r.text[p.start:p.end])
	if at := strings.IndexAny(text, "\r\n"); at >= 0 {
		text = text[at:]
	}
	return identity{text: text}
}
