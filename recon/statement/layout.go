package statement

import "strings"

// layout is where the table stands in a file that is split at one delimiter, and what its columns mean.
type layout struct {
	delim     byte
	headerAt  int // index of the header among the records, -1 for none
	firstBody int
	header    []string
	columns   columns
	foreigns  []int // columns of amounts in another currency
	texts     []int // columns with more text beside the one of columns, such as "Omschrijving-2"
	err       error // what is missing
	twin      error // what cannot be told apart
	score     int
}

const (
	sampleRows = 400
	headerRows = 150 // a header stands within so many rows, or there is none
)

// findLayout looks for the table among the first records. toldHeader is the index of the header that the user named, -1 for none.
func findLayout(rows [][]string, t *told, toldHeader int) layout {
	l := layout{headerAt: toldHeader, columns: noColumns()}
	headerSure := toldHeader >= 0
	if !headerSure && (t.hasHeader == nil || *t.hasHeader) {
		l.headerAt, headerSure = findHeader(rows, t)
	}
	if l.headerAt < 0 {
		l.headerAt, l.firstBody = tableByContent(rows, t)
	} else {
		l.firstBody = l.headerAt + 1
	}
	if l.firstBody < 0 {
		l.err = noTable()
		l.rate(false, rows)
		return l
	}
	if l.headerAt >= 0 {
		l.header = rows[l.headerAt]
	}
	body := bodySample(rows[l.firstBody:], len(l.header))
	width := len(l.header)
	for _, cells := range body {
		width = max(width, len(cells))
	}
	profiles := profileColumns(body, width)
	if l.columns, l.err = assign(l.header, profiles, t); l.err == nil {
		if !l.columns.hasMoney() && t.columns[roleAmount] != notInFile {
			l.columns.byRunningBalance(body, profiles)
		}
		l.foreigns = foreignAmounts(l.header)
		if _, told := t.columns[roleText]; !told {
			l.texts = l.columns.moreTexts(l.header, profiles)
		}
		if l.columns.hasMoney() && !l.columns.has(roleBalance) {
			l.columns.findBalance(body, profiles)
		}
		if l.err = l.missing(); l.err == nil {
			l.twin = l.twins(body, t)
		}
	}
	l.rate(headerSure, body)
	return l
}

// rate says how well a delimiter fits: a table with a date and an amount beats none, a header that is known beats one that is not.
func (l *layout) rate(headerSure bool, body [][]string) {
	roles := 0
	for _, at := range l.columns {
		if at >= 0 {
			roles++
		}
	}
	if l.err == nil {
		l.score += 10_000
	}
	if l.firstBody >= 0 {
		l.score += 100
	}
	if headerSure {
		l.score += 1_000
	}
	l.score += 10 * roles
	same := 0
	for _, cells := range body {
		if len(cells) == len(body[0]) && len(cells) > 1 {
			same++
		}
	}
	if len(body) > 0 {
		l.score += 9 * same / len(body)
	}
}

func (l *layout) missing() error {
	names := columnList(l.header)
	switch {
	case !l.columns.has(roleDate):
		return refuse(ClassMalformed, 0, "No column could be recognised as the booking date%s. Say which it is (hint date_column, by its name or as #n).", names).settledBy("date_column")
	case !l.columns.hasMoney():
		return refuse(ClassMalformed, 0, "No column could be recognised as the amount%s. Say which it is (hint amount_column, or debit_column and credit_column, by name or as #n).", names).settledBy("amount_column")
	}
	return nil
}

func noTable() error {
	return refuse(ClassMalformed, 0, "No table with a date and an amount was found in this file. Is it a statement? If it is, say which columns they are (hints date_column and amount_column).")
}

// findHeader gives the record whose words name a date and an amount, or that holds the columns the user named. sure is false when there is none.
func findHeader(rows [][]string, t *told) (at int, sure bool) {
	best, bestScore := -1, 0
	for i, cells := range rows[:min(len(rows), headerRows)] {
		if score := headerScore(cells, t); score > bestScore {
			best, bestScore = i, score
		}
	}
	return best, best >= 0
}

func headerScore(cells []string, t *told) int {
	var known [roleCount]bool
	score := 0
	for _, cell := range cells {
		cell = strings.TrimSpace(cell)
		if cell == "" {
			continue
		}
		if _, figure := lexFigure(cell); figure || looksLikeDate(cell) {
			return 0
		}
		if entry := headerRole(cell); entry.role != roleNone {
			score++
			known[entry.role] = true
		}
	}
	for r, name := range t.columns {
		if strings.HasPrefix(name, "#") {
			if _, err := findColumn(nil, len(cells), name); err == nil {
				known[r] = true
				continue
			}
		}
		if _, err := findColumn(cells, len(cells), name); err == nil {
			known[r] = true
			score += 10
		}
	}
	if !(known[roleDate] || known[roleValueDate]) || !(known[roleAmount] || known[roleDebit] || known[roleCredit]) || score < 2 {
		return 0
	}
	return score
}

// tableByContent finds the first row with a date and an amount that the rows after it resemble. Text of the same width right above
// it is the header, in words that are not known.
func tableByContent(rows [][]string, t *told) (headerAt, firstBody int) {
	if t.hasHeader != nil && !*t.hasHeader {
		return -1, 0
	}
	for i, cells := range rows[:min(len(rows), headerRows)] {
		if !dataLike(cells, t) || i+1 < len(rows) && !dataLike(rows[i+1], t) && i+2 < len(rows) && !dataLike(rows[i+2], t) {
			continue
		}
		if i > 0 && headerLike(rows[i-1], len(trimCells(cells))) {
			return i - 1, i
		}
		if t.hasHeader != nil && i > 0 {
			return i - 1, i
		}
		return -1, i
	}
	if t.hasHeader != nil && len(rows) > 0 {
		return 0, 1
	}
	return -1, -1
}

func dataLike(cells []string, t *told) bool {
	dates, figures := 0, 0
	for _, cell := range cells {
		if looksLikeDate(cell) {
			dates++
		} else if _, ok := lexFigure(cell); ok {
			figures++
		}
	}
	return dates > 0 && figures > 0
}

func headerLike(cells []string, width int) bool {
	filled := 0
	for _, cell := range cells {
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		if _, figure := lexFigure(cell); figure || looksLikeDate(cell) {
			return false
		}
		filled++
	}
	return filled*2 > width && filled > 1
}

// bodySample keeps the rows that look like movements: totals and notes must not decide what a column is.
func bodySample(rows [][]string, width int) [][]string {
	var body [][]string
	for _, cells := range rows {
		if len(trimCells(cells)) > 1 && (width == 0 || len(trimCells(cells)) <= width) && dataLike(cells, nil) {
			body = append(body, cells)
		}
	}
	if len(body) == 0 {
		return rows
	}
	return body
}

// trimCells drops the blank cells at the right.
func trimCells(cells []string) []string {
	n := len(cells)
	for n > 0 && strings.TrimSpace(cells[n-1]) == "" {
		n--
	}
	return cells[:n]
}
