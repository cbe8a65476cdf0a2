package statement

import (
	"strings"
)

// Settings is what was detected in a file, to be shown beside it and kept as a profile. What a file that is refused left open is empty.
type Settings struct {
	Message           string `json:",omitempty"` // the format of a bank's message, as Statement.Format; of those below it has only the fingerprint
	Encoding          string // as the hint encoding takes it
	Delimiter         string // one character
	HeaderRow         int    // the physical line of the header, 0 for none
	HeaderFingerprint string // equal for two files of one layout: by the names of the columns, without a header by what they hold
	DateFormat        string // as the hint date_format takes it
	Decimal           string // "." or ",", "" when no amount has decimals
	Thousands         string // what groups the digits of an amount: "." "," "'" or " "; "" when nothing does
	Amounts           AmountStyle
	Inverted          bool   // amounts are turned round, as the hint sign says
	Currency          string // of a row that does not say its own
	// By says who settled a thing, by the hint that changes it. What is still open, or not in the file, has no key.
	By      map[string]Source
	Columns []ColumnChoice // in the order of the file
	// Contradictions are where the user told one thing and the rows of the file show another. The hint is held to all the same.
	Contradictions []Contradiction `json:",omitempty"`
}

// Source is who settled how something is written.
type Source string

// Who settles things.
const (
	ByFile Source = "file" // the file decides it
	ByHint Source = "told" // a hint does
)

// AmountStyle is how a file tells money in from money out.
type AmountStyle string

// The styles of amounts.
const (
	AmountsSigned   AmountStyle = "signed"    // one column, with a sign
	AmountsMarked   AmountStyle = "marked"    // one column, with Cr or Dr beside the figure
	AmountsSides    AmountStyle = "sides"     // a column of money out and one of money in
	AmountsDirected AmountStyle = "direction" // one column of amounts, and another that says the direction
)

// ColumnChoice is one column of the file and what it was taken for.
type ColumnChoice struct {
	Number int    // from 1 at the left
	Name   string // as printed, "" without a header
	Role   string // date, amount, debit, credit, balance, fee, currency, status, direction, description, reference, …; "" for none
}

// Contradiction is a hint that the rows of the file speak against. Detail is for people.
type Contradiction struct {
	Hint   string
	Row    int
	Detail string
}

// settings tells what is known of a sheet, also of one whose rows could not be read.
func (s *sheet) settings() Settings {
	set := Settings{Encoding: s.encoding, Delimiter: string(s.splitter.delim), HeaderRow: s.headerRow, DateFormat: s.dateFormat(), Currency: s.forms.currency,
		Inverted: s.told.invert, Amounts: s.amountStyle(), Columns: s.columnChoices(), By: map[string]Source{}}
	for _, r := range []role{roleAmount, roleDebit, roleCredit} {
		if mark := s.forms.marks[r]; mark != 0 {
			set.Decimal = string(mark)
		}
	}
	set.Thousands = s.thousands(set.Decimal)
	set.HeaderFingerprint = s.fingerprint()
	set.Contradictions = s.contradictions()
	s.sources(&set)
	return set
}

func (s *sheet) columnChoices() []ColumnChoice {
	var all []ColumnChoice
	for i := range max(len(s.header), s.minWidth, s.sampleWidth()) {
		choice := ColumnChoice{Number: i + 1}
		if i < len(s.header) {
			choice.Name = strings.TrimSpace(s.header[i])
		}
		for r, at := range s.columns {
			if at == i && roleNames[r] != "" && choice.Role == "" {
				choice.Role = roleNames[r]
			}
		}
		all = append(all, choice)
	}
	return all
}

// sampleWidth is the number of columns of the widest of the first rows.
func (s *sheet) sampleWidth() int {
	width := 0
	var cells []string
	for _, r := range s.body[:min(len(s.body), sampleShown)] {
		cells = s.cells(r, cells)
		width = max(width, len(trimCells(cells)))
	}
	return width
}

func (s *sheet) amountStyle() AmountStyle {
	switch {
	case s.columns.has(roleDebit) || s.columns.has(roleCredit):
		return AmountsSides
	case !s.columns.has(roleAmount):
		return ""
	case s.forms.directed:
		return AmountsDirected
	case s.survey != nil && s.survey.signs.creditMarks+s.survey.signs.debitMarks > 0:
		return AmountsMarked
	}
	return AmountsSigned
}

// thousands finds what groups the digits of the first amounts that are grouped.
func (s *sheet) thousands(decimal string) string {
	var cells []string
	for _, rec := range s.body[:min(len(s.body), sampleRows)] {
		cells = s.cells(rec, cells)
		for _, r := range []role{roleAmount, roleDebit, roleCredit, roleBalance} {
			f, ok := lexFigure(s.columns.cell(cells, r))
			if !ok {
				continue
			}
			whole := f.body
			if decimal != "" {
				whole, _, _ = strings.Cut(f.body, decimal)
			}
			if at := strings.IndexAny(whole, ".,' "); at >= 0 && decimal != "" {
				return whole[at : at+1]
			}
		}
	}
	return ""
}

// sources notes who settled what: the hints that were told, else the file.
func (s *sheet) sources(set *Settings) {
	note := func(hint string, told bool, known bool) {
		switch {
		case told:
			set.By[hint] = ByHint
		case known:
			set.By[hint] = ByFile
		}
	}
	t := s.told
	note("encoding", t.encoding != nil, set.Encoding != "")
	note("delimiter", t.delimiter != 0, true)
	note("header_row", t.headerRow > 0 || t.hasHeader != nil, s.firstBody >= 0)
	note("date_format", t.dates != nil, set.DateFormat != "")
	note("decimal", t.decimal != 0, set.Decimal != "")
	note("sign", t.invert, set.Amounts != "")
	note("unmarked_sign", t.unmarkedDebit != nil, false)
	note("direction_debit", t.directionDebit != "", set.Amounts == AmountsDirected)
	note("currency", t.currency != "" && t.currency == set.Currency, set.Currency != "")
	note("account", t.account != "", s.survey != nil && s.accountPrinted() != "")
	note("period_start", !t.periodStart.IsZero(), s.forms.period.min > 0)
	note("period_end", !t.periodEnd.IsZero(), s.forms.period.min > 0)
	for hint, r := range columnHints {
		_, told := t.columns[r]
		note(hint, told, s.columns.has(r))
	}
}

// contradictions are the hints of dates and decimals that the rows speak against.
func (s *sheet) contradictions() []Contradiction {
	if s.survey == nil {
		return nil
	}
	var found []Contradiction
	for _, shape := range s.survey.shapes() {
		dates := s.survey.dates[shape]
		if s.told.dates == nil || !containsOrder(shape.orders(), s.told.dates.order) {
			continue
		}
		if told := s.told.dates.order; !dates.fits[told] && len(dates.open()) > 0 {
			found = append(found, Contradiction{"date_format", dates.rows[told],
				"The date of row " + number(dates.rows[told]) + " is no day as " + hintFormat(shape, told) + "; all dates are days as " + hintFormat(shape, dates.open()[0]) + "."})
		}
	}
	for r := roleNone; r < roleCount && s.told.decimal != 0; r++ {
		m := s.survey.marks[r]
		if m == nil {
			continue
		}
		told, other := 0, 1
		if s.told.decimal == ',' {
			told, other = 1, 0
		}
		if m.only[told] == 0 && m.only[other] > 0 {
			found = append(found, Contradiction{"decimal", m.only[other],
				"The figure of row " + number(m.only[other]) + " is a number only where “" + string(decimalMarks[other]) + "” is the decimal sign."})
		}
	}
	return found
}

// dateFormat writes the order of the most common shape as a hint takes it.
func (s *sheet) dateFormat() string {
	if s.survey == nil {
		return ""
	}
	most, format := 0, ""
	for _, shape := range s.survey.shapes() {
		if dates := s.survey.dates[shape]; dates.count > most && s.forms.orders[shape] != orderNone {
			most, format = dates.count, hintFormat(shape, s.forms.orders[shape])
		}
	}
	return format
}

// hintFormat writes an order of a shape as the hint date_format takes it.
func hintFormat(shape dateShape, o order) string {
	separator := string(shape.separator)
	switch shape.separator {
	case 0:
		separator = ""
	case '\'': // begins the time of day in a hint
		separator = "-"
	}
	format := ""
	switch shape.kind {
	case named, namedShort, noYearNamed:
		format = map[order]string{dayFirst: "dd mmm yyyy", yearAhead: "yyyy mmm dd"}[o]
	case noYear:
		format = map[order]string{dayFirst: "dd-mm", monthFirst: "mm-dd"}[o]
	default:
		format = o.String()
	}
	return strings.ReplaceAll(format, "-", separator)
}
