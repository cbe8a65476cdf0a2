package statement

import (
	"fmt"
	"strings"
	"time"

	"daybook/store/ledger"
)

// Question is what a file leaves open: Hint is the name of the hint that answers it, and Sample what stands in the file, in row Row.
// Without answers to choose from, any value of the hint may be told. period_start asks for both days of the period.
type Question struct {
	Hint    string
	Row     int // 0 where it is not about one
	Sample  string
	Answers []Answer
}

// Answer is a value of the hint, and what the sample means under it: in words, and where it is a day or an amount, as such.
type Answer struct {
	Value, Meaning string
	Day            ledger.Date // zero for none
	AmountMinor    *int64
	Currency       string // of the amount
}

// question gives what to ask about a sheet that is refused, nil when no hint settles it.
func (s *sheet) question(refusal *Refusal) *Question {
	switch refusal.Class {
	case ClassAmbiguousDate, ClassInconsistentDate:
		return s.askDates()
	case ClassAmbiguousDecimal:
		return s.askDecimal(refusal.Row)
	case ClassMissingYear:
		return &Question{Hint: "period_start", Row: refusal.Row, Sample: s.cellOf(refusal.Row, roleDate)}
	case ClassMultipleAccounts:
		return s.askAccount()
	case ClassMultipleCurrencies:
		return s.askCurrencyRows()
	case ClassMissingCurrency:
		return &Question{Hint: "currency"}
	case ClassBalance:
		return s.askDirection(refusal)
	case ClassMalformed:
		return s.askColumn(refusal)
	}
	return nil
}

// cellOf gives the cell of a role in a row, "" where there is none.
func (s *sheet) cellOf(row int, r role) string {
	for _, rec := range s.body {
		if rec.row == row {
			return s.columns.cell(s.cells(rec, nil), r)
		}
	}
	return ""
}

// askDates shows a date that is another day in another order.
func (s *sheet) askDates() *Question {
	var cells []string
	for _, rec := range s.body {
		cells = s.cells(rec, cells)
		cell := s.columns.cell(cells, roleDate)
		d, ok := lexDate(cell)
		if !ok || !s.whole(cells) || s.survey.dates[d.shape] == nil {
			continue
		}
		orders := d.shape.orders()
		if left := s.survey.dates[d.shape].open(); len(left) > 0 {
			orders = left
		}
		if len(orders) < 2 || !differsUnder(d, orders) {
			continue
		}
		q := &Question{Hint: "date_format", Row: rec.row, Sample: cell}
		for _, o := range orders {
			q.Answers = append(q.Answers, dayUnder(d, o))
		}
		return q
	}
	return nil
}

func differsUnder(d printedDate, orders []order) bool {
	seen := map[[3]int]bool{}
	for _, o := range orders {
		year, month, day, ok := d.under(o)
		if !ok {
			return true
		}
		seen[[3]int{year, month, day}] = true
	}
	return len(seen) > 1
}

func dayUnder(d printedDate, o order) Answer {
	answer := Answer{Value: hintFormat(d.shape, o)}
	year, month, day, ok := d.under(o)
	switch {
	case !ok:
		answer.Meaning = "no day of the calendar: such rows are rejected"
	case year == 0:
		answer.Meaning = fmt.Sprintf("%d %s", day, time.Month(month))
	default:
		answer.Meaning, answer.Day = fmt.Sprintf("%d %s %d", day, time.Month(month), year), ledger.Date{Year: year, Month: time.Month(month), Day: day}
	}
	return answer
}

// askDecimal shows a figure that is one amount under the point and another under the comma.
func (s *sheet) askDecimal(row int) *Question {
	for r := roleNone; r < roleCount; r++ {
		if s.survey.marks[r] == nil {
			continue
		}
		cell := s.cellOf(row, r)
		f, ok := lexFigure(cell)
		if !ok || !strings.ContainsAny(f.body, ".,") {
			continue
		}
		q := &Question{Hint: "decimal", Row: row, Sample: cell}
		for _, mark := range decimalMarks {
			q.Answers = append(q.Answers, amountUnder(f, mark, s.forms.currency))
		}
		return q
	}
	return nil
}

func amountUnder(f figure, mark byte, currency string) Answer {
	answer := Answer{Value: string(mark)}
	switch minor, reason := f.minor(mark, currency); reason {
	case "":
		answer.Meaning, answer.AmountMinor, answer.Currency = ledger.FormatAmount(minor, currency)+" "+currency, &minor, currency
	case ReasonPrecision:
		answer.Meaning = "more decimals than " + currency + " has: such rows are rejected"
	default:
		answer.Meaning = "no amount: such rows are rejected"
	}
	return answer
}

func (s *sheet) askAccount() *Question {
	rows, first := map[string]int{}, map[string]int{}
	asked := s.survey.accounts[:min(len(s.survey.accounts), accountLimit)]
	for _, account := range asked {
		rows[account] = 0
	}
	var cells []string
	for _, rec := range s.body {
		cells = s.cells(rec, cells)
		account := compact(s.columns.cell(cells, roleAccount))
		if n, asked := rows[account]; asked {
			if rows[account] = n + 1; n == 0 {
				first[account] = rec.row
			}
		}
	}
	q := &Question{Hint: "account"}
	for _, part := range s.survey.sections {
		if _, asked := rows[part.account]; asked {
			rows[part.account], first[part.account] = 0, part.row
		}
	}
	for _, account := range asked {
		if len(account) > cellShown {
			continue // no account, and no answer to choose
		}
		if rows[account] == 0 {
			q.Answers = append(q.Answers, Answer{Value: account, Meaning: fmt.Sprintf("the rows from row %d", max(first[account], s.headerRow))})
			continue
		}
		q.Answers = append(q.Answers, Answer{Value: account, Meaning: fmt.Sprintf("%s, the first in row %d", plural(rows[account], "row"), first[account])})
	}
	return q
}

func (s *sheet) askCurrencyRows() *Question {
	if !s.columns.has(roleCurrency) {
		return nil
	}
	rows := map[string]int{}
	var cells []string
	for _, rec := range s.body {
		cells = s.cells(rec, cells)
		if cell := s.columns.cell(cells, roleCurrency); s.survey.columnCurrencies[cell] {
			rows[cell]++
		}
	}
	q := &Question{Hint: "include_rows"}
	for _, cell := range sorted(s.survey.columnCurrencies) {
		if rows[cell] > 0 {
			q.Answers = append(q.Answers, Answer{Value: fmt.Sprintf(`{"column":"#%d","value":%q}`, s.columns[roleCurrency]+1, cell), Meaning: plural(rows[cell], "row") + " in " + cell})
		}
	}
	return q
}

// askDirection asks which column tells money in from money out, when the balances contradict amounts that are all positive.
func (s *sheet) askDirection(refusal *Refusal) *Question {
	if !s.columns.has(roleAmount) || s.survey.signs.negative > 0 || s.forms.directed {
		return nil
	}
	q := &Question{Hint: "direction_column", Row: refusal.Row, Sample: s.cellOf(refusal.Row, roleAmount)}
	for i, p := range s.profiles() {
		if p.filled > 0 && p.filled == p.rows && p.distinct >= 2 && p.distinct <= 4 && !p.nearlyAll(p.dates) && !p.nearlyAll(p.money) {
			q.Answers = append(q.Answers, Answer{Value: fmt.Sprintf("#%d", i+1), Meaning: s.columnInWords(i, strings.Join(sorted(p.values), ", "))})
		}
	}
	if len(q.Answers) == 0 {
		return nil
	}
	return q
}

// askColumn asks which column a role has: one of two of the same name, or one that nothing was recognised as.
func (s *sheet) askColumn(refusal *Refusal) *Question {
	if refusal.asks == "" {
		return nil
	}
	r, q := columnHints[refusal.asks], &Question{Hint: refusal.asks}
	if len(s.body) > 0 {
		q.Row = s.body[0].row
	}
	var rest []Answer
	for i, p := range s.profiles() {
		answer := Answer{Value: fmt.Sprintf("#%d", i+1), Meaning: s.columnInWords(i, s.firstIn(i))}
		switch free := p.filled > 0 && (!s.columns.taken(i) || s.columns[r] == i); {
		case free && p.suits(r):
			q.Answers = append(q.Answers, answer)
		case free:
			rest = append(rest, answer)
		}
	}
	if len(q.Answers) == 0 {
		q.Answers = rest
	}
	return q
}

// suits is agrees for a column that has no name to go by.
func (p *profile) suits(r role) bool {
	if r == roleDate {
		return p.mostly(p.dates)
	}
	return p.mostly(p.figures) && p.agrees(r)
}

func (s *sheet) columnInWords(column int, holds string) string {
	if column < len(s.header) && strings.TrimSpace(s.header[column]) != "" {
		return strings.TrimSpace(s.header[column]) + ": " + short(holds)
	}
	return short(holds)
}

func (s *sheet) firstIn(column int) string {
	var cells []string
	for _, rec := range s.body[:min(len(s.body), sampleRows)] {
		if cells = s.cells(rec, cells); column < len(cells) && strings.TrimSpace(cells[column]) != "" {
			return cells[column]
		}
	}
	return ""
}

func (s *sheet) profiles() []profile {
	var rows [][]string
	width := len(s.header)
	for _, rec := range s.body[:min(len(s.body), sampleRows)] {
		rows = append(rows, s.cells(rec, nil))
		width = max(width, len(trimCells(rows[len(rows)-1])))
	}
	return profileColumns(bodySample(rows, len(s.header)), width)
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + one + "s"
}
