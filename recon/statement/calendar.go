package statement

import (
	"strconv"
	"strings"
	"time"

	"daybook/store/ledger"
)

// countedDay reads a day that is counted from an epoch: 46083 or 46083.5 as Excel keeps a day, 1774915200 or 1774915200000 as Unix keeps an
// instant. Only what a column of dates holds can be meant so.
func countedDay(cell string) (printedDate, bool) {
	whole, fraction, _ := strings.Cut(cell, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n < 0 || strings.Trim(fraction, "0123456789") != "" {
		return printedDate{}, false
	}
	var at time.Time
	d := printedDate{shape: dateShape{kind: counted, separator: '-'}}
	switch {
	case len(whole) == 5 && n >= 36_526: // 1 January 2000
		at = time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(n))
	case fraction == "" && len(whole) == 13:
		at = time.UnixMilli(n).UTC()
	case fraction == "" && len(whole) == 10:
		at = time.Unix(n, 0).UTC()
	default:
		return d, false
	}
	if len(whole) > 5 {
		utc := 0
		d.clock = &clock{at.Hour(), at.Minute(), at.Second(), &utc}
	}
	d.numbers = [3]int{at.Year(), int(at.Month()), at.Day()}
	return d, at.Year() < 2100
}

// unpackDigits takes apart a date that is printed without separators: 20260331, 31032026, 260331, 20260331120000.
func unpackDigits(texts []string, month int) []string {
	if len(texts) != 1 || month > 0 {
		return texts
	}
	t := texts[0]
	plausible := len(t) >= 8 && (strings.HasPrefix(t, "19") || strings.HasPrefix(t, "20")) && t[4:6] >= "01" && t[4:6] <= "12"
	switch {
	case len(t) == 14 && plausible, len(t) == 8 && plausible:
		return []string{t[:4], t[4:6], t[6:8]}
	case len(t) == 8:
		return []string{t[:2], t[2:4], t[4:]}
	case len(t) == 6:
		return []string{t[:2], t[2:4], t[4:]}
	}
	return texts
}

func fullYear(short int) int {
	if short >= 80 {
		return 1900 + short
	}
	return 2000 + short
}

func validDay(year, month, day int) bool {
	if year < 1900 || year > 2999 || month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	return ledger.DateOf(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)).Day == day
}
