package statement

import (
	"sort"
	"strings"

	"daybook/store/ledger"
)

// readRows reads the rows under every way of writing that is still open, and keeps the one that the running balance proves.
func (s *sheet) readRows() (*Statement, error) {
	marks, undecided, err := decideMarks(s.survey.marks, &s.stated.marks, s.told, s.forms.currency)
	if err != nil {
		return nil, err
	}
	chosen := s.proven(s.alternatives(marks, undecided))
	if chosen == nil {
		return nil, s.ambiguousDecimal(undecided)
	}
	s.forms.marks = chosen.marks
	return chosen.finish()
}

// alternative is one way to read the figures.
type alternative struct {
	marks      map[role]byte
	takeFee    bool // the fee goes off besides the amount
	turnCredit bool // the credit column carries a minus that means money in
}

func (s *sheet) alternatives(marks map[role]byte, undecided int) []alternative {
	choices := []map[role]byte{marks}
	if undecided > 0 {
		choices = nil
		for _, mark := range decimalMarks {
			filled := map[role]byte{}
			for r, m := range marks {
				if m == 0 {
					m = mark
				}
				filled[r] = m
			}
			choices = append(choices, filled)
		}
	}
	var all []alternative
	openFee := !s.forms.takeFee && s.columns.has(roleFee) && s.columns.has(roleBalance) && s.survey.feePlus+s.survey.feeMinus > 0
	for _, marks := range choices {
		usual := alternative{marks, s.forms.takeFee, s.survey.creditsTurned()}
		all = append(all, usual)
		if openFee {
			all = append(all, alternative{marks, true, usual.turnCredit})
		}
		if usual.turnCredit && s.columns.has(roleBalance) {
			all = append(all, alternative{marks, s.forms.takeFee, false})
		}
	}
	return all
}

// proven reads each alternative. Of several it gives the one whose running balance holds; when none or more than one does, the
// first one if they read the figures alike, else nil. One reading is held at a time: each has every line of the file.
func (s *sheet) proven(all []alternative) *reader {
	if len(all) == 1 {
		return s.readWith(all[0])
	}
	var rd *reader
	held, read, chosen := 0, 0, 0
	sameMarks := true
	for i, a := range all {
		rd = nil // to be freed
		rd, read = s.readWith(a), i
		for r, mark := range a.marks {
			sameMarks = sameMarks && all[0].marks[r] == mark
		}
		if rd.prove().holds() {
			if held++; held == 1 {
				chosen = i
			}
		}
	}
	switch {
	case held != 1 && !sameMarks:
		return nil
	case chosen == read:
		return rd
	}
	return s.readWith(all[chosen])
}

func (s *sheet) ambiguousDecimal(row int) error {
	sample := ""
	for r := roleNone; r < roleCount && sample == ""; r++ {
		if m := s.survey.marks[r]; m != nil && m.open == row {
			sample = m.sample
		}
	}
	return ambiguousDecimal(row, sample)
}

// finish proves the balances and gives the statement, or refuses the file.
func (rd *reader) finish() (*Statement, error) {
	currencies := currenciesOf(rd.out.Lines)
	if len(currencies) > 1 && rd.told.currency == "" {
		return nil, refuse(ClassMultipleCurrencies, 0, "The file holds amounts in %s. Choose the rows of one (hint include_rows), or say the currency of the account (hint currency).", strings.Join(sorted(currencies), ", "))
	}
	rd.out.Currency = only(currencies)
	if len(currencies) == 0 {
		rd.out.Currency = rd.forms.currency
	}
	if err := rd.settleBalances(); err != nil {
		return nil, err
	}
	return rd.out, nil
}

func sorted(set map[string]bool) []string {
	var all []string
	for member := range set {
		all = append(all, member)
	}
	sort.Strings(all)
	return all
}

// settleBalances gives opening and closing from the running balance where it holds, else as the file states them.
func (rd *reader) settleBalances() error {
	running := rd.prove()
	rd.out.BalancesCompared, rd.out.BalancesEqual = running.links, running.held
	if running.broken > 0 && rd.trustsBalance() {
		return rd.brokenBalance(running)
	}
	opening, closing, current := rd.statedBalances()
	if running.broken == 0 && running.owed {
		for _, l := range rd.out.Lines {
			if l.BalanceMinor != nil {
				*l.BalanceMinor = -*l.BalanceMinor
			}
		}
	}
	if running.broken == 0 {
		rd.out.OpeningMinor, rd.out.ClosingMinor = running.opening, running.closing
	}
	for _, pair := range []struct {
		name           string
		proved, stated *int64
	}{{"opening", rd.out.OpeningMinor, opening}, {"closing", rd.out.ClosingMinor, closing}} {
		if pair.proved != nil && pair.stated != nil && *pair.proved != *pair.stated {
			return rd.mismatch(0, "The file states %s as its %s balance, but its running balance proves %s.", rd.show(*pair.stated), pair.name, rd.show(*pair.proved))
		}
	}
	moved, ok := rd.moved()
	if opening == nil && closing == nil && moved != nil {
		opening, closing = rd.pairOf(*moved)
	}
	rd.out.OpeningMinor, rd.out.ClosingMinor = either(rd.out.OpeningMinor, opening), either(rd.out.ClosingMinor, closing)
	if rd.out.OpeningMinor != nil && rd.out.ClosingMinor != nil && ok && moved != nil {
		if end, ok := ledger.Add(*rd.out.OpeningMinor, *moved); !ok || end != *rd.out.ClosingMinor {
			return rd.mismatch(0, "The balances do not add up: opening %s and the lines, %s together, do not give the closing balance of %s. Rows may be missing.",
				rd.show(*rd.out.OpeningMinor), rd.show(*moved), rd.show(*rd.out.ClosingMinor))
		}
	}
	if rd.out.ClosingMinor == nil && current != nil && rd.fits(current, moved) {
		rd.out.ClosingMinor = current
	}
	return nil
}

// brokenBalance refuses a file whose running balance does not follow from its rows.
func (rd *reader) brokenBalance(running proof) error {
	rd.out.OpeningMinor, rd.out.ClosingMinor = running.opening, running.closing
	advice := "Rows may be missing: download the file again without a filter."
	if rd.columns.has(roleAmount) && rd.survey.signs.negative == 0 && !rd.forms.directed {
		advice = "No amount of the file is negative: say which column tells money in from money out (hints direction_column and direction_debit)."
	}
	return rd.mismatch(running.broken, "The running balance does not add up at row %d: by the rows it should be %s there, the file says %s. %s",
		running.broken, rd.show(running.wanted), rd.show(running.got), advice)
}

// fits reports whether a balance "of now" can be the closing one: it is not when the opening is known and does not lead there.
func (rd *reader) fits(current, moved *int64) bool {
	if rd.out.OpeningMinor == nil || moved == nil {
		return true
	}
	end, ok := ledger.Add(*rd.out.OpeningMinor, *moved)
	return ok && end == *current
}

func either(a, b *int64) *int64 {
	if a != nil {
		return a
	}
	return b
}

// trustsBalance reports whether a column is a running balance by its name, or because the user says so. An available balance also
// moves with what is not booked.
func (rd *reader) trustsBalance() bool {
	if rd.told.names(roleBalance) {
		return true
	}
	at := rd.columns[roleBalance]
	return at >= 0 && at < len(rd.header) && headerRole(rd.header[at]).rank < unsure && balanceOf(headerPhrase(rd.header[at])) != otherBalance
}

// moved is the sum of the lines, nil when money is missing from them; ok is false beyond the largest amount.
func (rd *reader) moved() (*int64, bool) {
	sum, ok := int64(0), true
	for i := range rd.out.Lines {
		if sum, ok = ledger.Add(sum, rd.out.Lines[i].AmountMinor); !ok {
			return nil, false
		}
	}
	if len(rd.gaps) > 0 || len(currenciesOf(rd.out.Lines)) > 1 {
		return nil, true
	}
	return &sum, true
}

func (rd *reader) show(minor int64) string {
	return ledger.FormatAmount(minor, rd.out.Currency)
}

func (rd *reader) mismatch(row int, format string, args ...any) error {
	refusal := refuse(ClassBalance, row, format, args...)
	refusal.OpeningMinor, refusal.ClosingMinor = rd.out.OpeningMinor, rd.out.ClosingMinor
	rd.out.OpeningMinor, rd.out.ClosingMinor = nil, nil
	refusal.Statement = rd.out
	return refusal
}
