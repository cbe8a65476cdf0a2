package statement

import (
	"cmp"
	"strings"

	"daybook/store/ledger"
)

// sheet is a file that is split into preamble, header and body, and everything that is known about it before rows are read.
type sheet struct {
	splitter
	layout
	told      *told
	encoding  string
	headerRow int
	preamble  []record
	body      []record
	minWidth  int // a row with fewer cells is cut off
	maxWidth  int // a row with more filled cells is torn apart; 0 for no limit but minWidth
	included  int // the column of the hint include_rows, -1 for none
	excluded  int
	stated    stated
	survey    *survey
	forms     forms
}

// forms is how dates and amounts are written, decided by all rows together.
type forms struct {
	orders      map[dateShape]order
	valueOrders map[dateShape]order // of the value dates, as far as they can be told
	marks       map[role]byte
	currency    string // of a row that does not say its own
	// headerCurrency is the currency in the name of the column of amounts, which is that of every row.
	headerCurrency string
	unmarkedDebit  bool   // an amount without Cr or Dr is money out
	directed       bool   // the direction column gives the sign
	debitPrinted   bool   // the debit column carries its own minus
	takeFee        bool   // the fee goes off besides the amount
	pickAccount    string // only rows of this account, "" for all
	pickSection    string // only rows below the name of this account, "" for all
	period         daySpan
}

// readCSV reads a text whole or refuses it whole. The sheet tells what is known, also of a text that is refused; it is nil where
// there is none.
func readCSV(text, encoding string, t *told) (*sheet, *Statement, error) {
	_, start := sepLine(text)
	if strings.Trim(text[start:], delimiters+"\"\r\n \ufeff\u00a0") == "" {
		return nil, nil, refuse(ClassEmpty, 0, "The file is empty.")
	}
	s, err := openTable(text, t)
	if s != nil {
		s.encoding = encoding
	}
	if err != nil {
		return s, nil, err
	}
	s.included, s.excluded = s.columnOf(t.include), s.columnOf(t.exclude)
	s.measure()
	s.readPreamble()
	s.survey = s.takeSurvey()
	if err := s.decideForms(); err != nil {
		return s, nil, err
	}
	statement, err := s.readRows()
	if err != nil {
		return s, nil, err
	}
	statement.Settings = s.settings()
	return s, statement, nil
}

// place tells preamble, header and body apart. Without a table every record is body.
func (s *sheet) place(records []record) {
	first := min(max(s.firstBody, 0), len(records))
	s.preamble, s.body = records[:first], records[first:]
	if s.headerAt >= 0 && s.headerAt < first {
		s.preamble, s.headerRow = records[:s.headerAt], records[s.headerAt].row
	}
}

// measure finds the width of a whole row: the header's, unless most rows leave its last columns away.
func (s *sheet) measure() {
	counts := map[int]int{}
	var cells []string
	onlyText := true // beyond the header
	for _, r := range s.body {
		cells = s.cells(r, cells)
		counts[len(cells)]++
		for _, cell := range cells[min(len(cells), len(s.header)):] {
			_, figure := lexFigure(cell)
			onlyText = onlyText && !figure
		}
	}
	most, full, named := 0, 0, len(trimCells(s.header))
	for width, n := range counts {
		if n > counts[most] || n == counts[most] && width > most {
			most = width
		}
		if width >= named {
			full += n
		}
	}
	s.minWidth, s.maxWidth = named, len(s.header)
	if named > 0 && most > len(s.header) && onlyText && counts[most]*10 >= len(s.body)*9 {
		s.maxWidth = most // the last columns have no names; cents behind a comma without quotes are no column
	}
	switch needed := s.needed(); {
	case named == 0 || full*5 < len(s.body) && most < named:
		s.minWidth = most
	case needed < named:
		short := 0
		for width, n := range counts {
			if width >= needed && width < named {
				short += n
			}
		}
		if short > 1 && short*3 >= len(s.body) { // the last columns are left away where they are empty
			s.minWidth = needed
		}
	}
}

// needed is how many cells a row must have at least, up to the last column that tells when and how much.
func (s *sheet) needed() int {
	needed := 0
	for _, r := range []role{roleDate, roleAmount, roleDebit, roleCredit, roleBalance, roleFee, roleCurrency, roleStatus, roleDirection} {
		needed = max(needed, s.columns[r]+1)
	}
	return needed
}

// whole reports whether a row has the cells of the table: none missing, none beyond the header but blank ones.
func (s *sheet) whole(cells []string) bool {
	return len(cells) >= s.minWidth && len(trimCells(cells)) <= cmp.Or(s.maxWidth, s.minWidth)
}

// moves reports whether a row has an amount.
func (s *sheet) moves(cells []string) bool {
	for _, r := range []role{roleAmount, roleDebit, roleCredit} {
		if !isNothing(s.columns.cell(cells, r)) {
			return true
		}
	}
	return false
}

// repeatsHeader reports whether a row is the header again, as at the top of a second page.
func (s *sheet) repeatsHeader(cells []string) bool {
	cells, header := trimCells(cells), trimCells(s.header)
	if len(header) == 0 || len(cells) != len(header) {
		return false
	}
	for i, h := range header {
		if strings.TrimSpace(h) != strings.TrimSpace(cells[i]) && fold(h) != fold(cells[i]) {
			return false
		}
	}
	return true
}

// decideForms settles dates, decimals, currency, signs and the account before any row is read; where the file leaves one open, it asks.
func (s *sheet) decideForms() error {
	s.forms = forms{pickAccount: s.told.account, period: s.period()}
	if row := s.survey.otherHeader; row > 0 {
		return refuse(ClassMalformed, row, "A second table, in which the columns stand in another order, begins in row %d. Save each table as a file of its own.", row)
	}
	if err := s.decideAccount(); err != nil {
		return err
	}
	if err := s.decideOrders(); err != nil {
		return err
	}
	if err := s.decideCurrency(); err != nil {
		return err
	}
	s.decideSigns()
	return nil
}

func (s *sheet) decideOrders() error {
	s.forms.orders = map[dateShape]order{}
	named := orderNone
	if at := s.columns[roleDate]; at >= 0 && at < len(s.header) {
		named = orderNamed(s.header[at])
	}
	for _, shape := range s.survey.shapes() {
		dates := s.survey.dates[shape]
		var others []*shapeSurvey
		if other := s.survey.otherDates[shape]; other != nil {
			others = append(others, other)
		}
		if stated := s.stated.dates[shape]; stated != nil {
			others = append(others, stated)
		}
		chosen, err := dates.decide(shape, others, s.forms.period, named, s.told)
		if err != nil {
			return err
		}
		s.forms.orders[shape] = chosen
	}
	for _, shape := range s.survey.shapes() {
		if shape.yearless() && s.survey.firstNoYear > 0 && s.forms.period.min == 0 {
			return refuse(ClassMissingYear, s.survey.firstNoYear, "The dates have no year (row %d). Say the period of the statement (hints period_start and period_end).", s.survey.firstNoYear)
		}
	}
	s.forms.valueOrders = map[dateShape]order{}
	for shape, dates := range s.survey.otherDates {
		if chosen, err := dates.decide(shape, nil, s.forms.period, orderNone, s.told); err == nil {
			s.forms.valueOrders[shape] = chosen
		}
	}
	return nil
}

// period is what the user told, else what the preamble states: only a stated period can give a date its year.
func (s *sheet) period() daySpan {
	span := daySpan{}
	if !s.told.periodStart.IsZero() && !s.told.periodEnd.IsZero() {
		span.add(asNumber(s.told.periodStart))
		span.add(asNumber(s.told.periodEnd))
		return span
	}
	return s.stated.period
}

func asNumber(d ledger.Date) int { return d.Year*10000 + int(d.Month)*100 + d.Day }
