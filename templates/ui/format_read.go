package ui

import (
	"strings"

	"daybook/store/ledger"
)

// ParseAmount reads what a reader typed in a currency's own units into minor units: all that the format writes, and any other
// spelling that leaves no doubt (1234.56 where decimals have a comma). One that can be read in two ways is refused, never
// guessed: with a decimal comma, 1.234 is a thousand and more for some and little more than one for others. The message of a
// refusal shows amounts in the format. Errors: KindInvalid, KindAmountOverflow.
func (f Format) ParseAmount(typed, currency string) (int64, error) {
	plain, doubtful := f.withPoint(typed, currency)
	if doubtful {
		return 0, f.refuseDoubtful(typed, currency)
	}
	minor, err := ledger.ParseAmount(plain, currency)
	if err == nil || f.pointed() {
		return minor, err
	}
	digits, _ := ledger.Exponent(currency)
	_, fraction, _ := strings.Cut(strings.TrimRight(plain, "0) "), ".")
	switch {
	case ledger.KindOf(err) == ledger.KindAmountOverflow:
		err = ledger.Refuse(ledger.KindAmountOverflow, "%q is beyond the largest amount, %s", typed, f.Typed(ledger.MaxAmountMinor, currency))
	case len(fraction) > digits && allDigits(fraction):
		err = ledger.Refuse(ledger.KindInvalid, "%q has more decimals than %s, which has %d", typed, currency, digits)
	default:
		err = ledger.Refuse(ledger.KindInvalid, "%q is not an amount: write it as %s", typed, f.Example())
	}
	return 0, err
}

// Example is an amount as it is typed, for a hint: 1234.56.
func (f Format) Example() string { return f.Typed(123456, "EUR") }

// pointed says that decimals have a point, as ledger.ParseAmount reads them.
func (f Format) pointed() bool {
	_, point := f.Marks()
	return point == "."
}

// withPoint rewrites what was typed with a decimal comma so that ledger.ParseAmount reads it: thousands with commas, decimals
// with a point. doubtful says that its one mark may be either.
func (f Format) withPoint(typed, currency string) (plain string, doubtful bool) {
	if f.pointed() {
		return typed, false
	}
	comma, point := strings.LastIndex(typed, ","), strings.LastIndex(typed, ".")
	whole, fraction := typed, ""
	switch {
	case comma > point:
		whole, fraction = typed[:comma], "."+typed[comma+1:]
		if strings.Contains(whole, ",") {
			return "", false // no amount has two decimal commas
		}
		digits, _ := ledger.Exponent(currency)
		doubtful = digits != 3 && eitherMark(typed, ",")
	case comma >= 0: // 1,234.56 has both marks, the point last
		return typed, false
	case strings.Count(typed, ".") == 1:
		if !eitherMark(typed, ".") {
			return typed, false
		}
		doubtful = !f.writesWhole(currency)
	}
	return strings.ReplaceAll(whole, ".", ",") + fraction, doubtful
}

// eitherMark says that the one mark of an amount may stand before decimals or between thousands: 1.234, but not 0.234, 1234.567
// or 12.34.
func eitherMark(typed, mark string) bool {
	whole, rest, found := strings.Cut(strings.Trim(typed, "(-"+minusSign+") "), mark)
	return found && len(rest) == 3 && allDigits(rest) && len(whole) >= 1 && len(whole) <= 3 && allDigits(whole) && whole[0] != '0'
}

// writesWhole says that the format itself writes 1.234 for a whole number: in a currency without decimals.
func (f Format) writesWhole(currency string) bool {
	group, _ := f.Marks()
	digits, known := ledger.Exponent(currency)
	return group == "." && known && digits == 0
}

func (f Format) refuseDoubtful(typed, currency string) error {
	mark := "comma"
	if strings.Contains(typed, ".") {
		mark = "point"
	}
	return ledger.Refuse(ledger.KindInvalid, "%q can be read in two ways: leave the %s out, or write it as %s", typed, mark, f.Example())
}

func allDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}
