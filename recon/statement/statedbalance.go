package statement

import (
	"slices"

	"daybook/store/ledger"
)

// pairOf finds the two balances "of now" between which the lines lead, such as "Letzter Kontostand" above the table and "Kontostand" below it.
func (rd *reader) pairOf(moved int64) (opening, closing *int64) {
	all := rd.allStated()
	for i, a := range all {
		for j, b := range all {
			if i == j || a.kind != someBalance || b.kind != someBalance {
				continue
			}
			if end, ok := ledger.Add(a.minor, moved); !ok || end != b.minor {
				continue
			}
			if opening != nil && (*opening != a.minor || *closing != b.minor) {
				return nil, nil
			}
			opening, closing = &all[i].minor, &all[j].minor
		}
		if i > 50 {
			return nil, nil
		}
	}
	return opening, closing
}

// statedBalances gives the balances that the preamble and rows of their own state, each nil when it is not stated or stated in two
// ways. current is a balance that is not called opening or closing; it counts only before the table or after the last line.
func (rd *reader) statedBalances() (opening, closing, current *int64) {
	all := rd.allStated()
	lastLine := 0
	for _, l := range rd.out.Lines {
		lastLine = max(lastLine, l.Row)
	}
	return oneBalance(all, openingBalance, nil), oneBalance(all, closingBalance, nil), oneBalance(all, someBalance, func(row int) bool {
		return row > lastLine || row < rd.headerRow
	})
}

// allStated gives every balance that stands in the preamble or in a row of its own.
func (rd *reader) allStated() []rowBalance {
	all := slices.Clone(rd.balances)
	currency := rd.out.Currency
	for _, b := range rd.sheet.stated.balances {
		mark := rd.marks[roleAmount] + rd.marks[roleDebit] // one of them is 0
		if verdict, err := rd.sheet.stated.marks.verdict(); err == nil && verdict != 0 {
			mark = verdict
		}
		if minor, reason := b.figure.minor(orPoint(mark), currency); reason == "" && (b.figure.currency == "" || b.figure.currency == currency) {
			if b.figure.mark == 'D' && minor > 0 {
				minor = -minor
			}
			all = append(all, rowBalance{b.kind, minor, b.row})
		}
	}
	return all
}

func orPoint(mark byte) byte {
	if mark == ',' {
		return mark
	}
	return '.'
}

func oneBalance(all []rowBalance, kind balanceKind, where func(row int) bool) *int64 {
	var found *int64
	for _, b := range all {
		if b.kind != kind || where != nil && !where(b.row) {
			continue
		}
		if found != nil && *found != b.minor {
			return nil
		}
		found = &b.minor
	}
	return found
}
