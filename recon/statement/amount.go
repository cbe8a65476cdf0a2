package statement

import (
	"fmt"
	"strings"

	"daybook/store/ledger"
)

// faultyCell is why a row has no amount: the reason, and the detail for people.
type faultyCell struct {
	reason Reason
	detail string
}

// amount reads what a row moves, money in positive.
func (rd *reader) amount(cells []string, currency string) (int64, *faultyCell) {
	var minor int64
	var fault *faultyCell
	if rd.columns.has(roleAmount) {
		minor, fault = rd.signedAmount(cells, currency)
	} else {
		minor, fault = rd.sidedAmount(cells, currency)
	}
	if fault != nil {
		return 0, fault
	}
	if rd.takeFee {
		fee, fault := rd.money(cells, roleFee, currency)
		if fault != nil && fault.reason != ReasonMissing {
			return 0, fault
		}
		if rd.survey.feeMinus > 0 && rd.survey.feePlus == 0 {
			fee = -fee // a fee that is always printed with a minus is a cost all the same
		}
		var ok bool
		if minor, ok = ledger.Add(minor, -fee); !ok {
			return 0, &faultyCell{ReasonOverflow, "amount and fee together are beyond the largest amount"}
		}
	}
	if rd.told.invert {
		minor = -minor
	}
	return minor, nil
}

// money reads one figure as printed, with its own sign; a mark of Cr or Dr is left to the caller.
func (rd *reader) money(cells []string, r role, currency string) (int64, *faultyCell) {
	cell := rd.columns.cell(cells, r)
	if isNothing(cell) {
		return 0, &faultyCell{ReasonMissing, "the row has no amount"}
	}
	f, ok := lexFigure(cell)
	if !ok {
		return 0, &faultyCell{ReasonBadAmount, fmt.Sprintf("%q is not an amount", short(cell))}
	}
	mark := rd.marks[r]
	if mark == 0 {
		mark = '.' // no figure of the column has a mark that matters
	}
	minor, reason := f.minor(mark, currency)
	if reason != "" {
		return 0, faultyFigure(cell, reason, mark, currency)
	}
	if f.mark == 'D' && minor > 0 || f.mark == 'C' && minor < 0 {
		minor = -minor
	}
	return minor, nil
}

// faultyFigure says why a figure has no minor units.
func faultyFigure(text string, reason Reason, mark byte, currency string) *faultyCell {
	switch reason {
	case ReasonPrecision:
		digits, _ := ledger.Exponent(currency)
		return &faultyCell{reason, fmt.Sprintf("%q has more decimals than %s, which has %d; rounding would invent or lose money", short(text), currency, digits)}
	case ReasonOverflow:
		return &faultyCell{reason, fmt.Sprintf("%q is beyond the largest amount, %s", short(text), ledger.FormatAmount(ledger.MaxAmountMinor, currency))}
	}
	return &faultyCell{reason, fmt.Sprintf("%q is not an amount where %q is the decimal sign", short(text), string(mark))}
}

// signedAmount reads one column of amounts, with the sign from the figure, its mark, or the direction column.
func (rd *reader) signedAmount(cells []string, currency string) (int64, *faultyCell) {
	minor, fault := rd.money(cells, roleAmount, currency)
	if fault != nil {
		return 0, fault
	}
	f, _ := lexFigure(rd.columns.cell(cells, roleAmount))
	switch {
	case f.mark != 0:
	case rd.forms.directed:
		switch rd.direction(cells) {
		case 'D':
			minor = -minor
		case 0:
			return 0, &faultyCell{ReasonBadAmount, fmt.Sprintf("%q does not say whether the amount is money in or out (hint direction_debit)", short(rd.columns.cell(cells, roleDirection)))}
		}
	case rd.forms.unmarkedDebit && !f.signed:
		minor = -minor
	}
	return minor, nil
}

// sidedAmount reads a column of money out and one of money in. The unused one may be blank or zero.
func (rd *reader) sidedAmount(cells []string, currency string) (int64, *faultyCell) {
	debit, debitFault := rd.money(cells, roleDebit, currency)
	credit, creditFault := rd.money(cells, roleCredit, currency)
	for _, fault := range []*faultyCell{debitFault, creditFault} {
		if fault != nil && fault.reason != ReasonMissing {
			return 0, fault
		}
	}
	switch {
	case debitFault != nil && creditFault != nil:
		return 0, debitFault
	case debit != 0 && credit != 0:
		return 0, &faultyCell{ReasonBoth, fmt.Sprintf("both the debit %q and the credit %q are filled", short(rd.columns.cell(cells, roleDebit)), short(rd.columns.cell(cells, roleCredit)))}
	case credit != 0 && rd.turnCredit:
		return -credit, nil
	case credit != 0:
		return credit, nil
	case rd.forms.debitPrinted:
		return debit, nil
	}
	f, _ := lexFigure(rd.columns.cell(cells, roleDebit))
	if f.mark != 0 {
		return debit, nil
	}
	return -debit, nil
}

// isNothing reports whether a cell of money says that there is none: blank, or a dash.
func isNothing(cell string) bool {
	switch cell {
	case "", "-", "–", "—", "--":
		return true
	}
	return false
}

// short keeps what is shown of a cell to one readable piece.
func short(cell string) string {
	const most = 4 * 1024 // bytes that are looked at
	runes := []rune(oneLine(strings.ToValidUTF8(cell[:min(len(cell), most)], "")))
	if len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return string(runes)
}
