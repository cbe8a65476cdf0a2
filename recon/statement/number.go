package statement

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"daybook/store/ledger"
)

// figure is an amount as it stands in a cell, before anyone decided which mark is the decimal one.
type figure struct {
	body     string // digits and separators
	negative bool
	signed   bool   // a sign or parentheses are printed
	mark     byte   // 'C' or 'D' printed beside the digits, else 0
	currency string // printed beside the digits
}

// lexFigure reads a cell as an amount. Anything that is not wholly one is refused: 1.23E+05 has lost digits, and "n/a", "5 %" and
// "see note 3" are no amounts.
func lexFigure(cell string) (figure, bool) {
	s := unwrapFormula(strings.TrimSpace(cell))
	if len(s) == 0 || len(s) > 80 {
		return figure{}, false
	}
	if !isASCII(s) {
		s = latinDigits(norm.NFKC.String(strings.ReplaceAll(s, "´", "'")))
	}
	s = strings.TrimPrefix(s, "'")
	first := strings.IndexFunc(s, isDigit)
	last := strings.LastIndexFunc(s, isDigit)
	if first < 0 {
		return figure{}, false
	}
	before, after := s[:first], s[last+1:]
	var f figure
	f.body = s[first : last+1]
	if n := len(before); n > 0 && (before[n-1] == '.' || before[n-1] == ',') && !endsInLetter(before[:n-1]) {
		before, f.body = before[:n-1], "0"+before[n-1:]+f.body
	}
	var ok bool
	if f.body, ok = separators(f.body); !ok {
		return figure{}, false
	}
	return f, f.takeAffixes(before, dropEmptyDecimals(after))
}

// latinDigits writes the digits and marks of other scripts as ours, and takes out the marks of the direction of writing.
func latinDigits(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '٫':
			return '.'
		case r == '٬':
			return ','
		case r == '\u200e' || r == '\u200f' || r == '\u061c' || r >= '\u2066' && r <= '\u2069' || r >= '\u202a' && r <= '\u202e':
			return -1
		case r < 0x660 || !unicode.Is(unicode.Nd, r):
			return r
		}
		zero := r
		for r-zero < 9 && unicode.Is(unicode.Nd, zero-1) {
			zero--
		}
		return '0' + r - zero
	}, s)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func endsInLetter(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r)
}

// separators brings the marks between digits to four: point, comma, blank and apostrophe.
func separators(body string) (string, bool) {
	var b strings.Builder
	for _, r := range body {
		switch {
		case isDigit(r) || r == '.' || r == ',':
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case strings.ContainsRune("'’‘`ʼ", r):
			b.WriteByte('\'')
		default:
			return "", false
		}
	}
	return b.String(), true
}

// dropEmptyDecimals takes off what stands for no decimals: "100.-", "100,--", "100."
func dropEmptyDecimals(after string) string {
	if after == "" || (after[0] != '.' && after[0] != ',') {
		return after
	}
	return strings.TrimLeft(after[1:], "-–—")
}

// takeAffixes reads what stands before and after the digits: signs, parentheses, a currency, Cr or Dr.
func (f *figure) takeAffixes(before, after string) bool {
	signs, open, closed := 0, 0, 0
	for i, affix := range [2]string{before, after} {
		word := strings.TrimSpace(strings.Map(func(r rune) rune {
			switch r {
			case '-', '−', '–', '—', '‒', '‐', '‑', '﹣', '－':
				signs++
				f.negative = true
				return -1
			case '+':
				signs++
				return -1
			case '(':
				open++
				return -1
			case ')':
				closed++
				return -1
			}
			return r
		}, affix))
		if !f.takeWords(word, i == 1) {
			return false
		}
	}
	if signs > 1 || open != closed || open > 1 || (open == 1 && signs > 0) {
		return false
	}
	f.signed = signs > 0 || open > 0
	f.negative = f.negative || open == 1
	return true
}

func (f *figure) takeWords(text string, after bool) bool {
	for word := range strings.FieldsSeq(text) {
		if mark := creditMark(word, after); mark != 0 && f.mark == 0 {
			f.mark = mark
			continue
		}
		code, known := currencyOf(word)
		if !known || (f.currency != "" && code != "" && code != f.currency) {
			return false
		}
		if code != "" {
			f.currency = code
		}
	}
	return true
}

func creditMark(word string, after bool) byte {
	switch strings.ToUpper(strings.Trim(word, ".")) {
	case "CR", "CRED", "CREDIT", "HABEN":
		return 'C'
	case "DR", "DB", "DEB", "DEBIT", "SOLL":
		return 'D'
	case "C", "H":
		if after {
			return 'C'
		}
	case "D", "S":
		if after {
			return 'D'
		}
	}
	return 0
}

// unwrapFormula takes the text out of ="text", with which some banks keep Excel from touching it.
func unwrapFormula(s string) string {
	if inner, ok := strings.CutPrefix(s, `="`); ok && strings.HasSuffix(inner, `"`) {
		return strings.TrimSpace(inner[:len(inner)-1])
	}
	return s
}

// readable reports whether a figure is a number under one of the marks at least: 31.03.2026 is none.
func (f figure) readable() bool {
	for _, mark := range decimalMarks {
		if _, _, ok := digitsUnder(f.body, mark); ok {
			return true
		}
	}
	return false
}

// digitsUnder splits a body at a decimal mark. ok is false when the other marks do not group it: in threes, or the Indian way.
func digitsUnder(body string, decimal byte) (whole, fraction string, ok bool) {
	whole = body
	if at := strings.LastIndexByte(body, decimal); at >= 0 {
		if strings.IndexByte(body, decimal) != at {
			return "", "", false
		}
		whole, fraction = body[:at], body[at+1:]
	}
	if strings.IndexFunc(fraction, func(r rune) bool { return !isDigit(r) }) >= 0 {
		return "", "", false
	}
	at := strings.IndexFunc(whole, func(r rune) bool { return !isDigit(r) })
	if at < 0 {
		return whole, fraction, true
	}
	groups := strings.Split(whole, whole[at:at+1])
	joined := strings.Join(groups, "")
	if strings.IndexFunc(joined, func(r rune) bool { return !isDigit(r) }) >= 0 || !grouped(groups) {
		return "", "", false
	}
	return joined, fraction, true
}

func grouped(groups []string) bool {
	last := len(groups) - 1
	if len(groups[0]) < 1 || len(groups[0]) > 3 || groups[0][0] == '0' || len(groups[last]) != 3 {
		return false
	}
	for _, size := range []int{3, 2} {
		fits := len(groups[0]) <= size
		for _, g := range groups[1:last] {
			fits = fits && len(g) == size
		}
		if fits {
			return true
		}
	}
	return false
}

// minor gives the amount in minor units under a decimal mark, without its mark of debit or credit; a reason when it has none.
func (f figure) minor(decimal byte, currency string) (int64, Reason) {
	digits, known := ledger.Exponent(currency)
	whole, fraction, ok := digitsUnder(f.body, decimal)
	if !ok || !known {
		return 0, ReasonBadAmount
	}
	if fraction = strings.TrimRight(fraction, "0"); len(fraction) > digits {
		return 0, ReasonPrecision
	}
	text := strings.TrimLeft(whole+fraction+strings.Repeat("0", digits-len(fraction)), "0")
	if text == "" {
		return 0, ""
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, ReasonOverflow
	}
	if f.negative {
		n = -n
	}
	return n, ""
}
