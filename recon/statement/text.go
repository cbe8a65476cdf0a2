package statement

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// oneLine puts a text that goes over several lines into one, with single blanks.
func oneLine(s string) string {
	if isOneLine(s) {
		return s // shares the text of the file
	}
	return strings.Join(strings.Fields(s), " ")
}

// isOneLine reports whether oneLine would change nothing.
func isOneLine(s string) bool {
	for i := 0; i < len(s); i++ {
		blank := s[i] == ' '
		if s[i] < ' ' || s[i] >= utf8.RuneSelf && isBlankAt(s[i:]) || blank && (i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			return false
		}
	}
	return true
}

func isBlankAt(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r)
}

// A reference that a spreadsheet turned into a number has lost digits: different payments share it, so it identifies none.
var mangled = regexp.MustCompile(`^-?\d([.,]\d+)?[eE]\+?\d+$`)

// nameLine fills in what tells one line from another: reference, the bank's id and the text.
func (rd *reader) nameLine(line *Line, cells []string) {
	line.Reference = asMeant(rd.columns.cell(cells, roleReference))
	id := asMeant(rd.columns.cell(cells, roleBankID))
	if !mangled.MatchString(id) {
		line.BankID = id
	}
	if noReference(line.Reference) && !rd.told.names(roleReference) {
		line.Reference = cmp.Or(id, line.Reference) // as in the formats of banks: the customer's, else the bank's
	}
	text := oneLine(unwrapFormula(rd.columns.cell(cells, roleText)))
	if rd.told.names(roleText) {
		line.Description = text
		return
	}
	for _, at := range rd.texts {
		if at < len(cells) {
			text = joinText(text, oneLine(cells[at]))
		}
	}
	party := oneLine(rd.party(cells, line.AmountMinor))
	line.Description = joinText(party, text)
}

// asMeant takes off what only keeps a spreadsheet from turning a reference into a number: ="00123", or an apostrophe before digits.
func asMeant(cell string) string {
	cell = unwrapFormula(cell)
	if digits, ok := strings.CutPrefix(cell, "'"); ok && digits != "" && strings.Trim(digits, "0123456789") == "" {
		return digits
	}
	return cell
}

// noReference reports whether a cell of references says that there is none.
func noReference(cell string) bool {
	return isNothing(cell) || cell == "NONREF" || cell == "NOTPROVIDED"
}

// joinText puts two texts into one, unless one of them says all that the other does.
func joinText(first, second string) string {
	switch {
	case first == "" || strings.Contains(second, first):
		return second
	case second == "" || strings.Contains(first, second):
		return first
	}
	return first + " · " + second
}

// party is the other side: where payer and payee have columns of their own, the payer of money in and the payee of money out.
func (rd *reader) party(cells []string, amountMinor int64) string {
	if name := rd.columns.cell(cells, roleParty); name != "" {
		return name
	}
	if rd.columns.has(rolePayer) && amountMinor >= 0 {
		return rd.columns.cell(cells, rolePayer)
	}
	return rd.columns.cell(cells, rolePayee)
}
