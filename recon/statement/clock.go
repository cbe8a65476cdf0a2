package statement

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"daybook/store/ledger"
)

// A time of day after a date: after a blank, a T, or a dash with blanks.
var clockPattern = regexp.MustCompile(`(?i)(?:^|[T\s,]|\s-\s)\s*(?:at |kl\.? |klo |um |às |à |alle |ore |la |a las |o |u )?(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,:]\d{1,9})?)?\s*([ap]\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?\s*(\(?[A-Z]{2,5}\)?|uhr)?$`)

// dashedClock is a year and the dash that some banks put before the time of day: 31/03/2026-12:30.
var dashedClock = regexp.MustCompile(`^\d{1,2}[./]\d{1,2}[./]\d{4}-`)

// dottedClock is a time of day with points, as databases print it: 2026-04-16-18.30.00.000000.
var dottedClock = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})[ T-](\d{2})\.(\d{2})\.(\d{2})(?:\.\d+)?$`)

// cutClock takes the time of day off a printed date. ok is false for a time that cannot be.
func cutClock(cell string) (day string, at *clock, ok bool) {
	if strings.Contains(cell, ".") {
		if m := dottedClock.FindStringSubmatch(cell); m != nil {
			cell = m[1] + " " + m[2] + ":" + m[3] + ":" + m[4]
		}
	}
	if !strings.Contains(cell, ":") {
		return cell, nil, true
	}
	if !hasMarkInDigits(cell) {
		return cell, nil, false
	}
	if m := dashedClock.FindStringIndex(cell); m != nil {
		cell = cell[:m[1]-1] + " " + cell[m[1]:]
	}
	m := clockPattern.FindStringSubmatchIndex(cell)
	if m == nil || m[0] == 0 {
		return cell, nil, false
	}
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return cell[m[2*i]:m[2*i+1]]
	}
	at = &clock{}
	at.hour, _ = strconv.Atoi(group(1))
	at.minute, _ = strconv.Atoi(group(2))
	at.second, _ = strconv.Atoi(group(3))
	if half := strings.ToLower(group(4)); half != "" {
		if at.hour < 1 || at.hour > 12 {
			return cell, nil, false
		}
		at.hour %= 12
		if half[0] == 'p' {
			at.hour += 12
		}
	}
	if zone := group(5); zone != "" {
		at.offset = zoneOffset(zone)
	}
	if at.hour > 24 || at.minute > 59 || at.second > 60 {
		return cell, nil, false
	}
	return cell[:m[0]], at, true
}

func zoneOffset(zone string) *int {
	seconds := 0
	if zone[0] == '+' || zone[0] == '-' {
		digits := strings.ReplaceAll(zone[1:], ":", "")
		hours, _ := strconv.Atoi(digits[:2])
		minutes := 0
		if len(digits) == 4 {
			minutes, _ = strconv.Atoi(digits[2:])
		}
		seconds = hours*3600 + minutes*60
		if zone[0] == '-' {
			seconds = -seconds
		}
	}
	return &seconds
}

// inZone moves a day to the account's zone, when the user told it and the cell says an instant. Otherwise the day stays as printed,
// wherever the server stands.
func (t *told) inZone(day ledger.Date, at *clock) ledger.Date {
	if t.zone == nil || at == nil || (at.offset == nil && t.stampZone == nil) {
		return day
	}
	from := t.stampZone
	if at.offset != nil {
		from = time.FixedZone("", *at.offset)
	}
	instant := time.Date(day.Year, day.Month, day.Day, at.hour, at.minute, at.second, 0, from)
	year, month, d := instant.In(t.zone).Date()
	return ledger.Date{Year: year, Month: month, Day: d}
}

// hasMarkInDigits tells whether a colon or point stands between two digits, without which there is no time of day.
func hasMarkInDigits(cell string) bool {
	isDigit := func(c byte) bool { return '0' <= c && c <= '9' }
	for i := 1; i < len(cell)-1; i++ {
		if (cell[i] == ':' || cell[i] == '.') && isDigit(cell[i-1]) && isDigit(cell[i+1]) {
			return true
		}
	}
	return false
}
