package ledger

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// MaxAmountMinor bounds every amount, total and turnover, up and down, in minor units.
const MaxAmountMinor = math.MaxInt64

// Add gives a + b in minor units; ok is false when the sum is beyond ±MaxAmountMinor.
func Add(a, b int64) (sum int64, ok bool) {
	sum = a + b
	if (a > 0 && b > 0 && sum < 0) || (a < 0 && b < 0 && sum >= 0) || sum == math.MinInt64 {
		return 0, false
	}
	return sum, true
}

// ParseAmount reads what a person typed in a currency's own units ("1,234.56", "-12", "(30.00)") into minor units. A
// comma or an apostrophe is taken as a thousands separator only where groups of three follow it and no zero stands before;
// more decimals than the currency has are refused, never rounded. Errors: KindInvalid, KindAmountOverflow.
func ParseAmount(s, currency string) (int64, error) {
	digits, known := Exponent(currency)
	if !known {
		return 0, Refuse(KindInvalid, "%q is not an ISO 4217 currency", currency)
	}
	text := strings.TrimSpace(s)
	negative := false
	if inner, ok := strings.CutPrefix(text, "("); ok && strings.HasSuffix(inner, ")") {
		text, negative = strings.TrimSuffix(inner, ")"), true
	} else if rest, ok := cutMinus(text); ok {
		text, negative = rest, true
	}
	whole, fraction, point := strings.Cut(text, ".")
	whole, grouped := ungroup(whole)
	if !grouped || !allDigits(whole) || (point && !allDigits(fraction)) || (whole == "" && fraction == "") {
		return 0, Refuse(KindInvalid, "%q is not an amount: write it as 1234.56", s)
	}
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > digits {
		return 0, Refuse(KindInvalid, "%q has more decimals than %s, which has %d", s, currency, digits)
	}
	n, ok := new(big.Int).SetString("0"+whole+fraction+strings.Repeat("0", digits-len(fraction)), 10)
	if !ok || !n.IsInt64() {
		return 0, Refuse(KindAmountOverflow, "%q is beyond the largest amount, %s", s, FormatAmount(MaxAmountMinor, currency))
	}
	if negative {
		return -n.Int64(), nil
	}
	return n.Int64(), nil
}

// FormatAmount writes minor units as a plain decimal with the currency's digits: -1234.56. An unknown currency gets 2.
func FormatAmount(minor int64, currency string) string {
	digits, known := Exponent(currency)
	if !known {
		digits = 2
	}
	sign, text := "", strconv.FormatUint(magnitude(minor), 10)
	if minor < 0 {
		sign = "-"
	}
	if digits == 0 {
		return sign + text
	}
	if len(text) <= digits {
		text = strings.Repeat("0", digits-len(text)+1) + text
	}
	return sign + text[:len(text)-digits] + "." + text[len(text)-digits:]
}

// GroupDigits puts thousands separators into a plain decimal: 1234.56 becomes 1,234.56.
func GroupDigits(decimal string) string {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(decimal, "-"), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if strings.HasPrefix(decimal, "-") {
		whole = "-" + whole
	}
	if point {
		return whole + "." + fraction
	}
	return whole
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return uint64(-(n + 1)) + 1
	}
	return uint64(n)
}

func cutMinus(s string) (string, bool) {
	for _, minus := range []string{"-", "\u2212"} {
		if rest, ok := strings.CutPrefix(s, minus); ok {
			return rest, true
		}
	}
	return s, false
}

// ungroup takes thousands separators out; false when a separator is not followed by groups of three.
func ungroup(whole string) (string, bool) {
	groups := strings.FieldsFunc(whole, func(r rune) bool { return strings.ContainsRune(",'\u2019\u00a0\u202f ", r) })
	if len(groups) <= 1 {
		return strings.Join(groups, ""), len(groups) == 0 && whole == "" || len(groups) == 1 && groups[0] == whole
	}
	if len(groups[0]) > 3 || groups[0][0] == '0' { // 0,500 is half of one for whoever has a decimal comma
		return "", false
	}
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

func allDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}
