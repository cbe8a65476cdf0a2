package statement

import "strings"

// section is a part of the body that begins under a header of its own, of another account than the part above it.
type section struct {
	row     int // of the header
	account string
}

// noteSection follows the rows between movements: an account that is named above a repeated header begins a section.
func (v *survey) noteSection(s *sheet, cells []string, row int, header bool) {
	switch {
	case header && v.named != "":
		v.sections = append(v.sections, section{row, v.named})
		v.named = ""
	case header:
	case looksLikeDate(s.columns.cell(cells, roleDate)):
		v.named = ""
	default:
		if account := accountIn(cells); account != "" {
			v.named = account
		}
		if v.otherHeader == 0 && s.otherHeader(cells) {
			v.otherHeader = row
		}
	}
}

// accountIn gives the account that a row outside the table names, "" for none.
func accountIn(cells []string) string {
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		if cell == "" {
			continue
		}
		if iban := compact(accountPart(cell)); len(trimCells(cells)) < 3 && isIBAN(iban) {
			return iban
		}
		return accountAfter(cell, cells[i+1:])
	}
	return ""
}

// otherHeader reports whether a row is the header of a second table, in which days and amounts stand in other columns.
func (s *sheet) otherHeader(cells []string) bool {
	if len(s.header) == 0 || countFilled(cells) < 2 || headerScore(cells, &told{}) == 0 {
		return false
	}
	for i, cell := range cells {
		switch r := headerRole(cell).role; r {
		case roleDate, roleAmount, roleDebit, roleCredit:
			if at := s.columns[r]; at >= 0 && at < len(s.header) && headerRole(s.header[at]) == headerRole(cell) && at != i {
				return true
			}
		}
	}
	return false
}

// sectionAccounts gives the accounts of the parts of the file, in their order: first that of the preamble.
func (s *sheet) sectionAccounts() []string {
	if len(s.survey.sections) == 0 {
		return nil
	}
	var all []string
	seen := map[string]bool{}
	for _, part := range append([]section{{0, s.stated.account}}, s.survey.sections...) {
		if part.account != "" && !seen[part.account] {
			seen[part.account] = true
			all = append(all, part.account)
		}
	}
	return all
}

// otherSection reports whether a row belongs to another account than the chosen one. Rows are asked about in their order.
func (rd *reader) otherSection(row int) bool {
	for rd.inSection < len(rd.survey.sections) && rd.survey.sections[rd.inSection].row < row {
		rd.inSection++
	}
	account := rd.sheet.stated.account
	if rd.inSection > 0 {
		account = rd.survey.sections[rd.inSection-1].account
	}
	return rd.forms.pickSection != "" && account != rd.forms.pickSection
}

// dayColumn follows where a day is printed: some banks print it on the first line of each day only.
type dayColumn struct {
	last                                 string
	lines, bare, bareFirst, between, run int
	repeats                              int
}

// add takes one more row into account, if it moves money.
func (c *dayColumn) add(day string, moves bool) {
	if !moves {
		return
	}
	c.lines++
	switch {
	case day == "" && c.last == "":
		c.bareFirst++
	case day == "":
		c.bare++
		c.run++
	default:
		if c.run > 0 {
			c.between++
		}
		if day == c.last {
			c.repeats++
		}
		c.last, c.run = day, 0
	}
}

// carries reports whether a line without a day is one of the day above it: when no day is printed twice in a row, and lines without one
// are many and stand between days. A single one is rather a hole in the file.
func (c *dayColumn) carries() bool {
	return c.bare > 1 && c.bare*4 >= c.lines && c.repeats == 0 && c.bareFirst == 0 && c.between > 0
}

// titleOf gives what a title says about the rows below it: "Pending transactions" stands alone in its row.
func titleOf(cells []string) (reason Reason, title bool) {
	if countFilled(cells) != 1 {
		return "", false
	}
	reason, known := statusReason(strings.TrimSpace(strings.Join(cells, "")))
	return reason, known
}
