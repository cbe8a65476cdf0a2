package statement

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"daybook/store/ledger"
)

// ofxEntry is a STMTTRN, one movement of the account, or a STMTTRNP, one that is not booked yet.
type ofxEntry struct {
	row, start               int
	pending                  bool
	kind                     string // TRNTYPE
	posted, amount, currency string
	fitID, refNumber, check  string
	name, payee, memo        string
	corrects, action         string // the FITID of an entry that was sent before, and DELETE or REPLACE
}

func (e *ofxEntry) take(within, name, value string) {
	switch within {
	case "STMTTRN", "STMTTRNP":
	case "PAYEE":
		if name == "NAME" {
			e.payee = value
		}
		return
	case "CURRENCY": // the amount is in it; ORIGCURRENCY is only what it was converted from
		if name == "CURSYM" {
			e.currency = value
		}
		return
	default:
		return
	}
	switch name {
	case "TRNTYPE":
		e.kind = strings.ToUpper(value)
	case "DTPOSTED":
		e.posted = value
	case "TRNAMT":
		e.amount = value
	case "FITID":
		e.fitID = givenReference(value)
	case "REFNUM":
		e.refNumber = givenReference(value)
	case "CHECKNUM":
		e.check = givenReference(value)
	case "NAME", "EXTDNAME":
		e.name = addText(e.name, value)
	case "PAYEE":
		e.payee = value
	case "MEMO":
		e.memo = addText(e.memo, value)
	case "CORRECTFITID":
		e.corrects = value
	case "CORRECTACTION":
		e.action = strings.ToUpper(value)
	}
}

// isBalance reports whether the entry is none but states a balance, as banks write it without an id.
func (e *ofxEntry) isBalance() bool {
	for _, text := range []string{e.name, e.memo} {
		switch kind := balanceOf(text); kind {
		case openingBalance, closingBalance, someBalance:
			return e.fitID == "" || kind == openingBalance
		}
	}
	return false
}

// line reads the entry in the currency of its statement, with a reason where it is none.
func (e *ofxEntry) line(currency string, t *told) (Line, *faultyCell) {
	if e.pending || e.kind == "HOLD" {
		return Line{}, &faultyCell{ReasonPending, "the bank lists the entry as pending"}
	}
	day, ok := ofxDay(e.posted, t)
	if e.posted == "" {
		return Line{}, &faultyCell{ReasonBadDate, "the entry has no day (DTPOSTED)"}
	}
	if !ok {
		return Line{}, &faultyCell{ReasonBadDate, fmt.Sprintf("%q is not a day of the calendar (DTPOSTED)", short(e.posted))}
	}
	if e.currency != "" {
		currency = currencyCode(e.currency)
	}
	if currency == "" {
		return Line{}, &faultyCell{ReasonBadAmount, fmt.Sprintf("%q is not a currency", short(e.currency))}
	}
	amount, fault := ofxMinor(e.amount, currency)
	if fault != nil {
		return Line{}, fault
	}
	return Line{
		Row: e.row, Date: day, AmountMinor: amount, Currency: currency, Reference: cmp.Or(e.fitID, e.refNumber, e.check),
		Description: joinText(cmp.Or(e.name, e.payee), e.memo), BankID: e.fitID,
	}, nil
}

// ofxMinor reads an amount. The specification allows a point or a comma as decimal mark and nothing between thousands; where both stand in
// it, the last one is the decimal mark.
func ofxMinor(text, currency string) (int64, *faultyCell) {
	if text == "" {
		return 0, &faultyCell{ReasonMissing, "the entry has no amount"}
	}
	f, ok := lexFigure(text)
	if !ok || f.mark != 0 || f.currency != "" && f.currency != currency {
		return 0, &faultyCell{ReasonBadAmount, fmt.Sprintf("%q is not an amount", short(text))}
	}
	mark := byte('.')
	point, comma := strings.LastIndexByte(f.body, '.'), strings.LastIndexByte(f.body, ',')
	if comma > point && strings.Count(f.body, ",") == 1 || strings.Count(f.body, ".") > 1 {
		mark = ','
	}
	minor, reason := f.minor(mark, currency)
	if reason != "" {
		return 0, faultyFigure(text, reason, mark, currency)
	}
	return minor, nil
}

// ofxDate is YYYYMMDD, and perhaps a time of day and the offset of its zone in hours: 20260331233000.000[-5:EST].
var ofxDate = regexp.MustCompile(`^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,:]\d*)?)?)?\s*(?:\[\s*([+-]?\d{1,2})(?:[.:]?(\d{1,2}))?\s*(?::[^\]]*)?\])?$`)

// ofxDay gives the day as printed, moved only between zones that were told. ok is false for what is none.
func ofxDay(text string, t *told) (day ledger.Date, ok bool) {
	m := ofxDate.FindStringSubmatch(text)
	if m == nil {
		return ledger.Date{}, false
	}
	day, err := ledger.ParseDate(m[1] + "-" + m[2] + "-" + m[3])
	if err != nil || m[4] == "" {
		return day, err == nil
	}
	at := &clock{}
	at.hour, _ = strconv.Atoi(m[4])
	at.minute, _ = strconv.Atoi(m[5])
	at.second, _ = strconv.Atoi(m[6])
	if m[7] != "" {
		offset := ofxOffset(m[7], m[8])
		at.offset = &offset
	}
	return t.inZone(day, at), at.hour <= 24 && at.minute < 60 && at.second <= 60
}

// ofxOffset gives the seconds of an offset in hours with a part of an hour, which banks write in minutes or as a decimal fraction.
func ofxOffset(hours, part string) int {
	n, _ := strconv.Atoi(hours)
	minutes := map[string]int{"5": 30, "50": 30, "25": 15, "75": 45}[part]
	if minutes == 0 {
		minutes, _ = strconv.Atoi(part)
	}
	offset := time.Duration(minutes) * time.Minute
	if strings.HasPrefix(hours, "-") {
		offset = -offset
	}
	return int((time.Duration(n)*time.Hour + offset).Seconds())
}
