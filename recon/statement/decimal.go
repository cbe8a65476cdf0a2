package statement

import "daybook/store/ledger"

// markSurvey is what all figures of one column say together about their decimal mark. By mark: [0] the point, [1] the comma.
type markSurvey struct {
	only    [2]int // the first row that can only be read with this mark, 0 for none
	precise [2]int // the first row that under this mark has more decimals than the currency
	open    int    // the first row that is one number under the point and another under the comma
	fixed   bool   // every figure ends in the same mark and three digits
	printed byte   // that mark
	sample  string // the figure of the row in open
	count   int
}

var decimalMarks = [2]byte{'.', ','}

// add takes one more figure into account. One that is a number under no mark says nothing: its own row is at fault.
func (m *markSurvey) add(f figure, row int, currency string) {
	var ok [2]bool
	var whole, fraction [2]string
	for i, mark := range decimalMarks {
		whole[i], fraction[i], ok[i] = digitsUnder(f.body, mark)
	}
	if !ok[0] && !ok[1] {
		return
	}
	threes := ok[0] && ok[1] && len(fraction[0])+len(fraction[1]) == 3
	m.noteThrees(f.body, threes)
	m.count++
	digits, known := ledger.Exponent(currency)
	for i := range decimalMarks {
		if ok[i] && !ok[1-i] && m.only[i] == 0 {
			m.only[i] = row
		}
		if known && ok[i] && ok[1-i] && len(trimZeros(fraction[i])) > digits && m.precise[i] == 0 {
			m.precise[i] = row
		}
		// A currency without decimals prints none: "1,250" yen is a thousand and more.
		if known && digits == 0 && ok[i] && ok[1-i] && len(fraction[i]) > 0 && m.precise[i] == 0 {
			m.precise[i] = row
		}
	}
	if ok[0] && ok[1] && fraction[0] != fraction[1] && m.open == 0 {
		m.open, m.sample = row, f.body
	}
}

func (m *markSurvey) noteThrees(body string, threes bool) {
	mark := body[max(0, len(body)-4)]
	m.fixed = threes && (m.count == 0 || m.fixed && mark == m.printed)
	m.printed = mark
}

func trimZeros(s string) string {
	for len(s) > 0 && s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	return s
}

// verdict is what one column knows by itself: a mark, or 0 when it is open or has no separators at all.
func (m *markSurvey) verdict() (mark byte, err error) {
	switch {
	case m.only[0] > 0 && m.only[1] > 0:
		return 0, refuse(ClassAmbiguousDecimal, max(m.only[0], m.only[1]), "The amounts contradict each other: row %d has a decimal point, row %d a decimal comma. Say which is right (hint decimal), and the rows of the other kind are reported.", m.only[0], m.only[1])
	case m.only[0] > 0:
		return '.', nil
	case m.only[1] > 0:
		return ',', nil
	}
	return 0, nil
}

// decideMarks gives the decimal mark of each column of money. A column that is open takes the mark of the others; then the digits of
// the currency and the locale decide. What is still open is reported in undecided by its row.
func decideMarks(surveys map[role]*markSurvey, stated *markSurvey, t *told, currency string) (marks map[role]byte, undecided int, err error) {
	marks = map[role]byte{}
	common, contradict := byte(0), false
	for r := roleNone; r < roleCount; r++ {
		m := surveys[r]
		if m == nil {
			continue
		}
		if t.decimal != 0 {
			marks[r] = t.decimal
			continue
		}
		if marks[r], err = m.verdict(); err != nil {
			return nil, 0, err
		}
		contradict = contradict || (common != 0 && marks[r] != 0 && marks[r] != common)
		if marks[r] != 0 {
			common = marks[r]
		}
	}
	if common == 0 {
		common, _ = stated.verdict()
	}
	if contradict {
		common = 0
	}
	for r, m := range surveys {
		if marks[r] != 0 {
			continue
		}
		marks[r] = common
		if common == 0 && m.open > 0 {
			marks[r] = m.byCurrency(currency)
		}
		if marks[r] == 0 && m.open > 0 && t.locale != nil {
			marks[r] = t.locale.decimal
		}
		if marks[r] == 0 && m.open > 0 && (undecided == 0 || m.open < undecided) {
			undecided = m.open
		}
	}
	return marks, undecided, nil
}

// byCurrency decides an open column by the digits of its currency: -1.234 euros cannot have a tenth of a cent, so the point
// groups thousands; where each figure has three digits after its mark and the currency has three, they are decimals.
func (m *markSurvey) byCurrency(currency string) byte {
	digits, known := ledger.Exponent(currency)
	switch {
	case !known:
		return 0
	case m.precise[0] > 0 && m.precise[1] == 0:
		return ','
	case m.precise[1] > 0 && m.precise[0] == 0:
		return '.'
	case digits == 3 && m.fixed && m.precise == [2]int{}:
		return m.printed
	}
	return 0
}

func ambiguousDecimal(row int, cell string) error {
	return refuse(ClassAmbiguousDecimal, row, "The amount %q in row %d, and all others like it, can be thousands or decimals, which differ by a factor of 1,000. Say which sign is the decimal one (hint decimal=. or decimal=,).", cell, row)
}
