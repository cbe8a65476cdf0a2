package statement

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
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
	if at := strings.LastIndexByte(cell, '('); at > 0 && cell[len(cell)-1] == ')' && !strings.ContainsAny(cell[at:], "0123456789:") {
		cell = strings.TrimSpace(cell[:at]) // the weekday
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
	case "st", "nd", "rd", "th", "er", "de", "of", "den", "del", "le", "g", "r", "г", "год", "года", "р", "року", "roku":
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
		if minguo := i == 0 && len(texts) == 3 && t >= "100" && t <= "150"; len(t) > 4 || len(t) == 3 && !minguo {
			return d, false
		}
		size[i] = len(t)
		for _, digit := range t {
			d.numbers[i] = d.numbers[i]*10 + int(digit-'0')
		}
		if size[i] == 3 {
			size[i], d.numbers[i] = 4, d.numbers[i]+1911 // the calendar of Taiwan
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

func (s dateShape) yearless() bool { return s.kind == noYear || s.kind == noYearNamed }

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
