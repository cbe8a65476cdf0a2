package statement

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"daybook/store/ledger"
)

// givenReference gives a reference of a message as printed, "" for one that says that there is none.
func givenReference(text string) string {
	text = strings.TrimSpace(text)
	switch strings.ToUpper(compact(text)) {
	case "NOTPROVIDED", "NONREF", "NOTAVAILABLE", "NOTSPECIFIED", "NOREF":
		return ""
	}
	if strings.Trim(text, "-–—0./ ") == "" {
		return ""
	}
	return text
}

// currencyCode gives an ISO 4217 code, "" for what is none.
func currencyCode(text string) string {
	if code := strings.ToUpper(strings.TrimSpace(text)); isCode(code) {
		return code
	}
	return ""
}

// plainMinor reads a number of a message: digits with one decimal mark, a point or a comma, and no marks between thousands.
func plainMinor(text, currency string) (int64, *faultyCell) {
	body, negative := strings.CutPrefix(strings.TrimSpace(text), "-")
	if !negative {
		body = strings.TrimPrefix(body, "+")
	}
	body = strings.Replace(body, ",", ".", 1)
	if strings.Trim(body, "0123456789") != "" && strings.Trim(body, "0123456789") != "." || strings.Trim(body, ".") == "" {
		return 0, &faultyCell{ReasonBadAmount, fmt.Sprintf("%q is not an amount", short(text))}
	}
	minor, reason := figure{body: body, negative: negative}.minor('.', currency)
	if reason != "" {
		return 0, faultyFigure(text, reason, '.', currency)
	}
	return minor, nil
}

// instantPattern is a day of ISO 8601, alone or with a time of day and an offset, as in the messages of banks.
var instantPattern = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$`)

// instantDay gives the day of an instant as printed, moved only between zones that were told. ok is false for what is none.
func instantDay(text string, t *told) (day ledger.Date, ok bool) {
	m := instantPattern.FindStringSubmatch(text)
	if m == nil {
		return ledger.Date{}, false
	}
	day, err := ledger.ParseDate(m[1])
	if err != nil || m[2] == "" {
		return day, err == nil
	}
	at := &clock{}
	at.hour, _ = strconv.Atoi(m[2])
	at.minute, _ = strconv.Atoi(m[3])
	at.second, _ = strconv.Atoi(m[4])
	if m[5] != "" {
		at.offset = zoneOffset(m[5])
	}
	return t.inZone(day, at), at.hour <= 24 && at.minute < 60 && at.second <= 60
}

// countOf gives a count, 0 for what is none.
func countOf(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > MaxRows {
		return 0
	}
	return n
}
