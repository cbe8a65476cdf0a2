package statement

import (
	"cmp"
	"regexp"
	"strings"
)

// oneLine puts a text that goes over several lines into one, with single blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// A reference that a spreadsheet turned into a number has lost digits: different payments share it, so it identifies none.
var mangled = regexp.MustCompile(`^-?\d([.,]\d+)?[eE]\+?\d+$`)

// nameLine fills in what tells one line from another: reference, the bank's id and the text.
func (rd *reader) nameLine(line *Line, cells []string) {
	line.Reference = rd.columns.cell(cells, roleReference)
	if id := rd.columns.cell(cells, roleBankID); !mangled.MatchString(id) {
		line.BankID = id
	}
	if noReference(line.Reference) && !rd.told.names(roleReference) {
		line.Reference = cmp.Or(rd.columns.cell(cells, roleBankID), line.Reference) // as in the formats of banks: the customer's, else the bank's
	}
	text := oneLine(rd.columns.cell(cells, roleText))
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
