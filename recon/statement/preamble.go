package statement

import (
	"strings"
)

// stated is what the lines before the header say about the whole file.
type stated struct {
	account  string
	currency string // "" also when several are named
	balances []statedBalance
	dates    map[dateShape]*shapeSurvey
	marks    markSurvey
	period   daySpan
}

// statedBalance is a figure with the name of a balance.
type statedBalance struct {
	kind   balanceKind
	figure figure
	row    int
}

// A line of the preamble says something in its first cells, and in few words.
const (
	statedCells = 100
	statedBytes = 1_000
)

// isIBAN tells an account number in the form of ISO 13616: a country, two check digits, and what the country counts by.
func isIBAN(text string) bool {
	if len(text) < 14 || len(text) > 34 {
		return false
	}
	for i, c := range []byte(text) {
		letter, digit := 'A' <= c && c <= 'Z', '0' <= c && c <= '9'
		if i < 2 && !letter || i >= 2 && i < 4 && !digit || !letter && !digit {
			return false
		}
	}
	return true
}

func (s *sheet) readPreamble() {
	s.stated.dates = map[dateShape]*shapeSurvey{}
	currencies, accounts, ibans := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var cells []string
	for _, r := range s.preamble {
		cells = s.cells(r, cells)
		cells = cells[:min(len(cells), statedCells)]
		s.stated.readBalance(cells, r.row)
		s.stated.readDates(cells, r.row)
		for i, cell := range cells {
			cell = strings.TrimSpace(cell)
			if len(cell) > statedBytes {
				continue
			}
			if code := currencyIn(cell); code != "" && (strings.ToUpper(cell) == code || strings.ContainsAny(cell, "(€£") || strings.Contains(cell, " in "+code)) {
				currencies[code] = true
			}
			if iban := compact(accountPart(cell)); isIBAN(iban) {
				ibans[iban] = true
			} else if named := accountAfter(cell, cells[i+1:]); named != "" {
				accounts[named] = true
			}
		}
	}
	if len(ibans) > 0 { // beside it stands the same account in the bank's own numbers
		accounts = ibans
	}
	s.stated.currency, s.stated.account = only(currencies), only(accounts)
}

// only gives the one member of a set, "" when it has none or several.
func only(set map[string]bool) string {
	if len(set) == 1 {
		for member := range set {
			return member
		}
	}
	return ""
}

// accountAfter reads "Konto:";"7654321", and "Account number: 12-345678" in one cell.
func accountAfter(cell string, rest []string) string {
	name, value, colon := strings.Cut(cell, ":")
	role := headerRole(name).role
	if role != roleAccount && role != roleMaybeAccount {
		return ""
	}
	if !colon || strings.TrimSpace(value) == "" {
		value = ""
		for _, c := range rest {
			if value = strings.TrimSpace(c); value != "" {
				break
			}
		}
	}
	return accountNumber(accountPart(value))
}

// accountPart takes the name of the account off its number: "DE12 3456 / Girokonto", "0001 (INR) - Ann".
func accountPart(printed string) string {
	for _, end := range []string{" / ", " (", " - ", " | ", ","} {
		if before, _, cut := strings.Cut(printed, end); cut && strings.ContainsAny(before, "0123456789") {
			printed = before
		}
	}
	return printed
}

// accountNumber gives an account as printed without blanks, "" for a name and for one that is masked or cut.
func accountNumber(printed string) string {
	digits := 0
	account := compact(strings.TrimLeft(unwrapFormula(strings.TrimSpace(printed)), "'"))
	for _, r := range account {
		switch {
		case isDigit(r):
			digits++
		case r >= 'A' && r <= 'Z', strings.ContainsRune("-/.", r):
		default:
			return ""
		}
	}
	if digits < 6 || strings.Contains(account, "..") || strings.Contains(account, "XX") {
		return ""
	}
	return account
}

// readBalance reads a line such as "Kontostand vom 31.03.2026:";"7.812,33 €", or all of it in one cell.
func (s *stated) readBalance(cells []string, row int) {
	for i, cell := range cells {
		name, inCell, _ := strings.Cut(cell, ":")
		kind := balanceOf(name)
		if kind == noBalance || kind == total || kind == maybeTotal || kind == otherBalance {
			continue
		}
		for _, value := range append([]string{inCell}, cells[i+1:]...) {
			if value = strings.TrimSpace(value); value == "" || looksLikeDate(value) {
				continue
			}
			if before, _, dated := strings.Cut(value, " as of "); dated {
				value = before
			}
			if f, ok := lexFigure(value); ok {
				s.balances = append(s.balances, statedBalance{kind, f, row})
				s.marks.add(f, row, "")
			}
			break
		}
	}
}

// readDates notes the dates of the preamble; two in one line are the period of the statement.
func (s *stated) readDates(cells []string, row int) {
	span, count := daySpan{}, 0
	for _, cell := range cells {
		for _, part := range dateParts(cell) {
			d, ok := lexDate(part)
			if !ok || !looksLikeDate(part) {
				continue
			}
			if s.dates[d.shape] == nil {
				s.dates[d.shape] = newShapeSurvey(d.shape)
			}
			s.dates[d.shape].add(d, row)
			if year, month, day, sure := surely(d); sure {
				span.add(year*10000 + month*100 + day)
				count++
			}
		}
	}
	if count == 2 && span.min < span.max && s.period.min == 0 {
		s.period = span
	}
}

// dateParts gives the words of a cell that may be dates: "01.03.2026 - 31.03.2026" holds two.
func dateParts(cell string) []string {
	if len(cell) > 200 {
		return nil
	}
	if looksLikeDate(strings.TrimSpace(cell)) {
		return []string{strings.TrimSpace(cell)}
	}
	var parts []string
	for word := range strings.FieldsSeq(cell) {
		parts = append(parts, strings.Trim(word, ":;,()"))
	}
	return parts
}

// surely gives a day that can be read in one way only, as every date with a point or a year in front can.
func surely(d printedDate) (year, month, day int, sure bool) {
	found := 0
	for _, o := range d.shape.orders() {
		if o == monthFirst && d.shape.separator == '.' {
			continue
		}
		if y, m, dd, ok := d.under(o); ok && (found == 0 || y != year || m != month || dd != day) {
			year, month, day = y, m, dd
			found++
		}
	}
	return year, month, day, found == 1 && year > 0
}
