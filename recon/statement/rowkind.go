package statement

import (
	"fmt"
	"strings"
)

// wordsOnly reports whether a row has neither a day nor a figure.
func (rd *reader) wordsOnly(cells []string) bool {
	for _, cell := range cells {
		if strings.ContainsAny(cell, "0123456789") {
			return false
		}
	}
	return true
}

// besides reports whether a row has a day and a figure in columns that are not read, as a blocked amount has: it is more than text of the
// row above.
func (rd *reader) besides(cells []string) bool {
	days, figures := 0, 0
	for i, cell := range cells {
		if i == rd.columns[roleText] || i == rd.columns[roleReference] || strings.TrimSpace(cell) == "" {
			continue
		}
		if looksLikeDate(cell) {
			days++
		} else if f, ok := lexFigure(cell); ok && f.readable() && (f.signed || strings.ContainsAny(f.body, ".,")) {
			figures++
		}
	}
	return days > 0 && figures > 0
}

// filled reports whether a row has a date, and whether it has an amount.
func (rd *reader) filled(cells []string) (dated, filled bool) {
	_, dated = lexDate(rd.columns.cell(cells, roleDate))
	return dated, rd.moves(cells)
}

// kindOf finds the name of a balance or a total in a row. One that could also be the name of a shop counts only where the
// row is no movement.
func (rd *reader) kindOf(cells []string, movement bool) balanceKind {
	for i, cell := range cells {
		if cell == "" {
			continue
		}
		if i == rd.columns[roleAmount] || i == rd.columns[roleBalance] {
			if _, figure := lexFigure(cell); figure {
				continue
			}
		}
		kind := balanceOf(cell)
		if movement && (kind == someBalance || kind == otherBalance || kind == maybeTotal) {
			continue
		}
		if kind != noBalance {
			return kind
		}
	}
	return noBalance
}

// readRagged reports a row with too few or too many cells. A note under the table has one cell and no date.
func (rd *reader) readRagged(r record, cells []string) {
	filled := trimCells(cells)
	if len(filled) == 1 && !looksLikeDate(strings.TrimSpace(filled[0])) || accountIn(cells) != "" || rd.wordsOnly(cells) {
		rd.skip(r, SkipNote)
		return
	}
	rd.reject(r, ReasonRagged, fmt.Sprintf("the row has %d cells where the table has %d columns", len(cells), rd.minWidth))
}

// continueLine takes a row without date and amount as more text of the line above.
func (rd *reader) continueLine(r record, cells []string) {
	if rd.columns.cell(cells, roleBalance) != "" && countFilled(cells) == 1 {
		rd.skip(r, SkipBalance)
		return
	}
	if rd.open < 0 {
		rd.skip(r, SkipNote)
		return
	}
	text := rd.columns.cell(cells, roleText)
	if text == "" {
		text = strings.Join(strings.Fields(strings.Join(cells, " ")), " ")
	}
	if text = oneLine(text); text != "" {
		rd.more = append(rd.more, text)
	}
	rd.skip(r, SkipDetail)
}

func countFilled(cells []string) int {
	n := 0
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			n++
		}
	}
	return n
}
