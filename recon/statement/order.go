package statement

import (
	"strconv"
	"strings"
	"time"
)

// dateHint is the order that a user told.
type dateHint struct {
	order order
}

// parseDateHint reads a format such as dd/mm/yyyy, "dd mmm yy", dd.mm. or %d.%m.%Y. Only the order matters: how many digits and
// which separators there are, each cell shows by itself.
func parseDateHint(format string) (*dateHint, bool) {
	format = strings.NewReplacer("%b", "m", "%B", "m", "%H", "h", "%", "").Replace(format)
	format = strings.ToLower(format)
	if at := strings.IndexAny(format, "ht'"); at > 0 {
		format = format[:at]
	}
	seen := ""
	for _, r := range format {
		switch {
		case strings.ContainsRune("dmy", r):
			if !strings.ContainsRune(seen, r) {
				seen += string(r)
			} else if seen[len(seen)-1] != byte(r) {
				return nil, false
			}
		case !strings.ContainsRune("-/., ", r):
			return nil, false
		}
	}
	orders := map[string]order{"dmy": dayFirst, "dm": dayFirst, "mdy": monthFirst, "md": monthFirst, "ymd": yearAhead}
	o, ok := orders[seen]
	return &dateHint{o}, ok
}

// shapeSurvey is what all dates of one shape in one column say together about their order.
type shapeSurvey struct {
	fits     [4]bool // by order: every date that is a day in some order is one in this order
	rows     [4]int  // the first row that does not fit
	count    int
	differs  bool // some date is another day in another order
	distinct int
	last     printedDate
	example  printedDate // one that is another day in another order
	span     [4]daySpan
}

// daySpan follows the days of one order through the rows.
type daySpan struct {
	min, max, last  int // days as yyyymmdd, 0 for none
	rising, falling bool
}

func newShapeSurvey(shape dateShape) *shapeSurvey {
	s := &shapeSurvey{}
	for _, o := range shape.orders() {
		s.fits[o] = true
		s.span[o] = daySpan{rising: true, falling: true}
	}
	return s
}

// add takes one more date into account. A date that is a day in no order says nothing: its own row is at fault.
func (s *shapeSurvey) add(d printedDate, row int) {
	var days [4]int
	found := 0
	for _, o := range d.shape.orders() {
		if year, month, day, ok := d.under(o); ok {
			days[o] = year*10000 + month*100 + day
			if found != 0 && found != days[o] {
				s.differs, s.example = true, d
			}
			found = days[o]
		}
	}
	if found == 0 {
		return
	}
	s.count++
	if s.last.numbers != d.numbers || s.last.month != d.month {
		s.distinct++
	}
	s.last = d
	for _, o := range d.shape.orders() {
		if days[o] == 0 {
			s.differs = true
			if s.fits[o] {
				s.fits[o], s.rows[o] = false, row
			}
			continue
		}
		s.span[o].add(days[o])
	}
}

func (p *daySpan) add(day int) {
	if p.last != 0 {
		p.rising = p.rising && day >= p.last
		p.falling = p.falling && day <= p.last
	}
	p.last = day
	if p.min == 0 || day < p.min {
		p.min = day
	}
	p.max = max(p.max, day)
}

func (p daySpan) sorted() bool { return p.rising || p.falling }

// years is how many calendar years the days touch.
func (p daySpan) years() int { return p.max/10000 - p.min/10000 }

// open gives the orders that are left.
func (s *shapeSurvey) open() []order {
	var left []order
	for _, o := range allOrders {
		if s.fits[o] {
			left = append(left, o)
		}
	}
	return left
}

// decide gives the order of a shape: by the dates themselves, by other columns of the same shape, by the name of
// the column, by the period, by the order of the rows, by the locale; else it asks.
func (s *shapeSurvey) decide(shape dateShape, others []*shapeSurvey, period daySpan, named order, t *told) (order, error) {
	left := s.open()
	if t.dates != nil && containsOrder(shape.orders(), t.dates.order) {
		return t.dates.order, nil // a date that does not fit is reported by its row
	}
	if len(left) == 0 {
		return orderNone, s.inconsistent(shape)
	}
	if shape.kind == allShort || shape.kind == namedShort {
		left = s.withoutFarYears(left)
	}
	for _, other := range others {
		left = narrow(left, func(o order) bool { return other.fits[o] })
	}
	if len(left) == 1 || !s.differs || shape.separator == '.' && containsOrder(left, dayFirst) {
		return left[0], nil // nobody writes the month first with points
	}
	if named != orderNone {
		left = narrow(left, func(o order) bool { return o == named })
	}
	if period.min > 0 && shape.kind != noYear {
		left = narrow(left, func(o order) bool { return s.span[o].min >= period.min && s.span[o].max <= period.max })
	}
	if s.count >= 4 && s.distinct >= 3 {
		left = narrow(left, func(o order) bool { return s.span[o].sorted() })
	}
	if t.locale != nil && t.locale.order != orderNone {
		left = narrow(left, func(o order) bool { return o == t.locale.order })
	}
	if len(left) == 1 {
		return left[0], nil
	}
	return orderNone, s.ambiguous()
}

// withoutFarYears drops readings in which short numbers are years far apart: 31.03.26, 16.03.26 is a March, not 2031 and 2016.
func (s *shapeSurvey) withoutFarYears(left []order) []order {
	left = narrow(left, func(o order) bool { return s.span[o].years() <= 3 })
	return narrow(left, func(o order) bool { return o != yearAhead })
}

// orderNamed gives the order that the name of a column of dates says, as "Date (DD/MM/YYYY)" does.
func orderNamed(header string) order {
	for word := range strings.FieldsFuncSeq(header, func(r rune) bool { return strings.ContainsRune(" ()[]", r) }) {
		if len(word) < 6 || strings.Trim(strings.ToLower(word), "dmy/.-") != "" {
			continue
		}
		if hint, ok := parseDateHint(word); ok {
			return hint.order
		}
	}
	return orderNone
}

// narrow keeps what satisfies a condition, or everything when nothing does.
func narrow(orders []order, keep func(order) bool) []order {
	var kept []order
	for _, o := range orders {
		if keep(o) {
			kept = append(kept, o)
		}
	}
	if len(kept) == 0 {
		return orders
	}
	return kept
}

func containsOrder(orders []order, wanted order) bool {
	for _, o := range orders {
		if o == wanted {
			return true
		}
	}
	return false
}

func (s *shapeSurvey) inconsistent(shape dateShape) error {
	orders := shape.orders()
	a, b := s.rows[orders[0]], s.rows[orders[1]]
	return refuse(ClassInconsistentDate, max(a, b), "The dates contradict each other: the date of row %d only makes sense in one order of day and month, that of row %d only in another. The file was probably put together from two, or saved by a spreadsheet.", a, b)
}

func (s *shapeSurvey) ambiguous() error {
	in := func(o order) string {
		_, month, day, _ := s.example.under(o)
		return strconv.Itoa(day) + " " + time.Month(month).String()
	}
	return refuse(ClassAmbiguousDate, 0, "Every date of the file can be read with the day or with the month first: one of them is %s or %s. Say which (hint date_format=dd/mm/yyyy or mm/dd/yyyy).",
		in(dayFirst), in(monthFirst))
}
