package statement

import (
	"sort"
	"strings"
)

// survey is what all rows say together about how the file is written. It is taken before any row is read, so that the last row can
// decide the first.
type survey struct {
	dates, otherDates map[dateShape]*shapeSurvey
	firstNoYear       int // the first row none of whose dates has a year
	marks             map[role]*markSurvey
	columnCurrencies  map[string]bool
	printedCurrencies map[string]bool
	accounts          []string // in order of appearance
	accountRows       int
	rows              int

	sections    []section
	named       string // an account that was named since the last movement
	otherHeader int    // the row of the header of a second table, 0 for none
	days        dayColumn

	signs                      signSurvey
	statusKnown, statusUnknown int
	debitPlus, debitMinus      int
	creditPlus, creditMinus    int
	feePlus, feeMinus          int
}

// signSurvey counts what the amount column and the direction column say about signs.
type signSurvey struct {
	negative, creditMarks, debitMarks, unmarked int
	plusDebit, plusCredit                       int // not negative, by direction
	minusDebit, minusCredit                     int
}

const accountLimit = 50 // own accounts in one file; more are other parties' accounts

func (s *survey) shapes() []dateShape {
	var shapes []dateShape
	for shape := range s.dates {
		shapes = append(shapes, shape)
	}
	sort.Slice(shapes, func(i, j int) bool {
		a, b := shapes[i], shapes[j]
		return a.kind < b.kind || a.kind == b.kind && a.separator < b.separator
	})
	return shapes
}

func (s *sheet) takeSurvey() *survey {
	v := &survey{dates: map[dateShape]*shapeSurvey{}, otherDates: map[dateShape]*shapeSurvey{}, marks: map[role]*markSurvey{},
		columnCurrencies: map[string]bool{}, printedCurrencies: map[string]bool{}}
	for _, r := range []role{roleAmount, roleDebit, roleCredit, roleBalance, roleFee} {
		if s.columns.has(r) {
			v.marks[r] = &markSurvey{}
		}
	}
	var cells []string
	provisional := s.told.currency
	if named := s.headerCurrency(); named != "" {
		provisional = named
	}
	for _, r := range s.body {
		cells = s.cells(r, cells)
		again := s.repeatsHeader(cells)
		v.noteSection(s, cells, r.row, again)
		if !again && s.whole(cells) {
			v.add(s, cells, r.row, provisional)
			v.days.add(s.columns.cell(cells, roleDate), s.moves(cells))
		}
	}
	return v
}

func (v *survey) add(s *sheet, cells []string, row int, currency string) {
	dated := v.addDates(s, cells, row)
	if code, known := currencyOf(s.columns.cell(cells, roleCurrency)); known && code != "" {
		currency = code
		if dated {
			v.columnCurrencies[code] = true
		}
	}
	for r, marks := range v.marks {
		if f, ok := lexFigure(s.columns.cell(cells, r)); ok {
			marks.add(f, row, currency)
			v.addFigure(s, r, f, cells, dated)
		}
	}
	for _, at := range s.foreigns {
		if at < len(cells) {
			if f, ok := lexFigure(cells[at]); ok && f.readable() && !looksLikeDate(strings.TrimSpace(cells[at])) {
				s.stated.marks.add(f, row, "")
			}
		}
	}
	if !dated {
		return
	}
	v.rows++
	if status := s.columns.cell(cells, roleStatus); status != "" {
		if _, known := statusReason(status); known {
			v.statusKnown++
		} else {
			v.statusUnknown++
		}
	}
	if s.chosen(cells) {
		v.addAccount(s.columns.cell(cells, roleAccount))
	}
}

// addDates reports whether the row has a date where rows have it.
func (v *survey) addDates(s *sheet, cells []string, row int) bool {
	d, ok := lexDate(s.columns.cell(cells, roleDate))
	if ok {
		if v.dates[d.shape] == nil {
			v.dates[d.shape] = newShapeSurvey(d.shape)
		}
		v.dates[d.shape].add(d, row)
	}
	yearless := ok && d.shape.yearless()
	if s.columns[roleValueDate] != s.columns[roleDate] {
		if other, valid := lexDate(s.columns.cell(cells, roleValueDate)); valid {
			if v.otherDates[other.shape] == nil {
				v.otherDates[other.shape] = newShapeSurvey(other.shape)
			}
			v.otherDates[other.shape].add(other, row)
			yearless = yearless && other.shape.yearless()
		}
	}
	if yearless && v.firstNoYear == 0 {
		v.firstNoYear = row
	}
	return ok
}

func (v *survey) addFigure(s *sheet, r role, f figure, cells []string, dated bool) {
	if f.currency != "" && r != roleFee {
		v.printedCurrencies[f.currency] = true
	}
	zero := strings.Trim(f.body, "0.,' ") == ""
	if !dated || zero {
		return
	}
	plus, minus := 1, 0
	if f.negative {
		plus, minus = 0, 1
	}
	switch r {
	case roleDebit:
		v.debitPlus, v.debitMinus = v.debitPlus+plus, v.debitMinus+minus
	case roleCredit:
		v.creditPlus, v.creditMinus = v.creditPlus+plus, v.creditMinus+minus
	case roleFee:
		v.feePlus, v.feeMinus = v.feePlus+plus, v.feeMinus+minus
	case roleAmount:
		v.signs.add(f, s.direction(cells))
	}
}

// creditsTurned reports whether credits are printed with a minus and debits without one, as cards show what is owed.
func (v *survey) creditsTurned() bool {
	return v.creditMinus > 0 && v.creditPlus == 0 && v.debitPlus > 0 && v.debitMinus == 0
}

func (g *signSurvey) add(f figure, direction byte) {
	switch {
	case f.mark == 'C':
		g.creditMarks++
	case f.mark == 'D':
		g.debitMarks++
	case !f.signed:
		g.unmarked++
	}
	switch {
	case f.negative:
		g.negative++
		if direction == 'D' {
			g.minusDebit++
		} else if direction == 'C' {
			g.minusCredit++
		}
	case direction == 'D':
		g.plusDebit++
	case direction == 'C':
		g.plusCredit++
	}
}

func (v *survey) addAccount(cell string) {
	account := compact(cell)
	if isNothing(account) {
		return
	}
	v.accountRows++
	for _, known := range v.accounts {
		if known == account {
			return
		}
	}
	if len(v.accounts) <= accountLimit {
		v.accounts = append(v.accounts, account)
	}
}

// direction reads the direction column of a row: 'D', 'C', or 0.
func (s *sheet) direction(cells []string) byte {
	cell := s.columns.cell(cells, roleDirection)
	if cell == "" {
		return 0
	}
	if s.told.directionDebit == "" {
		return directionOf(cell)
	}
	if fold(cell) == s.told.directionDebit {
		return 'D'
	}
	return 'C'
}

// chosen reports whether the user's choice of rows keeps this one.
func (s *sheet) chosen(cells []string) bool {
	return (s.told.include == nil || s.told.include.holds(s.included, cells)) &&
		(s.told.exclude == nil || !s.told.exclude.holds(s.excluded, cells))
}

// columnOf finds the column by which rows are chosen, -1 where there is none.
func (s *sheet) columnOf(choice *rowChoice) int {
	if choice == nil {
		return -1
	}
	at, err := findColumn(s.header, MaxColumns, choice.column)
	if err != nil {
		return -1
	}
	return at
}

func (c *rowChoice) holds(at int, cells []string) bool {
	return at >= 0 && at < len(cells) && c.values[strings.TrimSpace(cells[at])]
}
