package statement

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"daybook/store/ledger"
)

// dateKind is how the parts of a printed date can be told apart.
type dateKind uint8

const (
	yearFirst   dateKind = iota + 1 // four digits first
	yearLast                        // four digits last, day and month open
	allShort                        // three numbers of at most two digits
	named                           // the month by name, the year with four digits
	namedShort                      // the month by name, two short numbers
	noYear                          // two numbers
	noYearNamed                     // a number and the name of a month
	counted                         // days or seconds since an epoch, which need no order
)

// dateShape is what dates of one column have in common. Each shape has one order.
type dateShape struct {
	kind      dateKind
	separator byte // of the numbers, 0 for none
}

// printedDate is a date as it stands in a cell, before anyone decided which number is the day.
type printedDate struct {
	shape   dateShape
	numbers [3]int
	month   int  // by name, 0 when it is one of the numbers
	leading bool // the name stood before every number
	era     int  // the year before the first of a Japanese era that is printed, else 0
	clock   *clock
}

// clock is the time of day beside a date; offset is in seconds east of UTC, when one is printed.
type clock struct {
	hour, minute, second int
	offset               *int
}

// order is which number of a printed date is what.
type order uint8

const (
	orderNone  order = iota
	dayFirst         // day, month, year
	monthFirst       // month, day, year
	yearAhead        // year, month, day
)

var allOrders = [...]order{dayFirst, monthFirst, yearAhead}

// String is the order in the letters of the hint date_format.
func (o order) String() string {
	return [...]string{"", "dd-mm-yyyy", "mm-dd-yyyy", "yyyy-mm-dd"}[o]
}

// lexDate reads a cell as a date, with or without a time of day.
func lexDate(cell string) (printedDate, bool) {
	cell = strings.TrimSpace(strings.TrimLeft(unwrapFormula(strings.TrimSpace(cell)), "'"))
	if len(cell) < 4 || len(cell) > 64 {
		return printedDate{}, false
	}
	if !isASCII(cell) {
		cell = latinDigits(norm.NFKC.String(cell))
	}
	if !strings.ContainsAny(cell, "0123456789") {
		return printedDate{}, false
	}
	if d, ok := countedDay(cell); ok {
		return d, true
	}
	day, clock, ok := cutClock(cell)
	if !ok {
		return printedDate{}, false
	}
	d, ok := lexDay(day)
	d.clock = clock
	return d, ok
}

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

// lexDay reads the numbers, the name of a month and the separators of a day.
func lexDay(s string) (printedDate, bool) {
	var numbers []string
	var d printedDate
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r >= '0' && r <= '9':
			n := 1
			for n < len(s) && s[n] >= '0' && s[n] <= '9' {
				n++
			}
			if numbers = append(numbers, s[:n]); len(numbers) > 3 {
				return d, false
			}
			s = s[n:]
		case unicode.IsLetter(r):
			n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) })
			if n < 0 {
				n = len(s)
			}
			if !d.takeWord(s[:n], len(numbers)) {
				return d, false
			}
			s = s[n:]
		case strings.ContainsRune("-/., '", r):
			if len(numbers) == 1 && d.shape.separator == 0 && r != ' ' && r != ',' {
				d.shape.separator = byte(r)
			}
			s = s[size:]
		default:
			return d, false
		}
	}
	return d.arrange(numbers)
}

// takeWord takes the name of a month, and reads over a weekday and the small words between the parts.
func (d *printedDate) takeWord(word string, numbersBefore int) bool {
	if month := monthNamed(word); month > 0 && (d.month == 0 || d.leading) {
		d.month, d.leading = month, d.month == 0 && numbersBefore == 0 // "mar. 3 févr." begins with a Tuesday
		return true
	}
	folded := fold(word)
	if numbersBefore == 0 && d.month == 0 {
		switch folded {
		case "r", "令和":
			d.era = 2018
			return true
		case "h", "平成":
			d.era = 1988
			return true
		}
	}
	switch folded {
	case "年", "月", "日", "년", "월", "일":
		d.shape.separator = '-'
		return true
	case "st", "nd", "rd", "th", "de", "of", "den", "del", "le", "g", "r":
		return true
	default: // a weekday stands in front of everything
		return numbersBefore == 0 && d.month == 0 && len(folded) <= 12 && weekdays()[folded[:min(len(folded), 2)]]
	}
}

func weekdays() map[string]bool {
	return map[string]bool{"mo": true, "tu": true, "we": true, "th": true, "fr": true, "sa": true, "su": true, "di": true, "mi": true,
		"do": true, "so": true, "lu": true, "ma": true, "me": true, "je": true, "ve": true, "wo": true, "vr": true, "za": true, "zo": true,
		"ti": true, "on": true, "to": true, "lo": true}
}

// arrange decides the kind of a date from the lengths of its numbers.
func (d printedDate) arrange(texts []string) (printedDate, bool) {
	texts = unpackDigits(texts, d.month)
	var size [3]int
	for i, t := range texts {
		if len(t) > 4 || len(t) == 3 {
			return d, false
		}
		size[i] = len(t)
		for _, digit := range t {
			d.numbers[i] = d.numbers[i]*10 + int(digit-'0')
		}
		if size[i] == 4 && d.numbers[i] >= 2500 && d.numbers[i] < 2650 {
			d.numbers[i] -= 543 // the Buddhist calendar of Thailand
		}
	}
	switch {
	case d.era > 0:
		d.shape.kind = yearFirst
		d.numbers[0] += d.era
		return d, d.month == 0 && len(texts) == 3 && size[0] <= 2 && size[1] <= 2 && size[2] <= 2
	case d.month == 0 && len(texts) == 3 && size[0] == 4 && size[1] <= 2 && size[2] <= 2:
		d.shape.kind = yearFirst
	case d.month == 0 && len(texts) == 3 && size[0] <= 2 && size[1] <= 2 && size[2] == 4:
		d.shape.kind = yearLast
	case d.month == 0 && len(texts) == 3 && size[0] <= 2 && size[1] <= 2 && size[2] <= 2:
		d.shape.kind = allShort
	case d.month > 0 && len(texts) == 2 && (size[0] == 4) != (size[1] == 4):
		d.shape = dateShape{kind: named}
		if size[0] == 4 {
			d.numbers[0], d.numbers[1] = d.numbers[1], d.numbers[0]
		}
	case d.month > 0 && len(texts) == 2 && size[0] <= 2 && size[1] <= 2:
		d.shape = dateShape{kind: namedShort}
	case d.month == 0 && len(texts) == 2 && size[0] <= 2 && size[1] <= 2 && d.shape.separator != 0:
		d.shape.kind = noYear
	case d.month > 0 && len(texts) == 1 && size[0] <= 2:
		d.shape = dateShape{kind: noYearNamed}
	default:
		return d, false
	}
	return d, true
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

// under gives the day in an order. Without a printed year it is 0.
func (d printedDate) under(o order) (year, month, day int, ok bool) {
	a, b, c := d.numbers[0], d.numbers[1], d.numbers[2]
	switch d.shape.kind {
	case named:
		year, month, day = b, d.month, a
	case namedShort:
		year, month, day = b, d.month, a
		if o == yearAhead {
			year, day = a, b
		}
		year = fullYear(year)
	case noYearNamed:
		month, day = d.month, a
	case noYear:
		month, day = b, a
		if o == monthFirst {
			month, day = a, b
		}
	default:
		switch o {
		case yearAhead:
			year, month, day = a, b, c
		case monthFirst:
			year, month, day = c, a, b
		default:
			year, month, day = c, b, a
		}
		if d.shape.kind == allShort {
			year = fullYear(year)
		}
	}
	check := year
	if year == 0 {
		check = 2000 // a leap year: 29.02. is a day of some year
	}
	return year, month, day, validDay(check, month, day)
}

// orders gives the orders that the shape leaves open.
func (s dateShape) orders() []order {
	switch s.kind {
	case yearFirst, counted:
		return []order{yearAhead}
	case yearLast, noYear:
		return []order{dayFirst, monthFirst}
	case allShort:
		return allOrders[:]
	case namedShort:
		return []order{dayFirst, yearAhead}
	}
	return []order{dayFirst}
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
