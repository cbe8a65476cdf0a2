package ui

import (
	"context"
	"strconv"
	"strings"
	"time"

	"daybook/store/ledger"
)

// Format is how one reader wants numbers and dates written. The zero Format is the house's: 1,234.56, (1,234.56) and
// 2026-03-31. What a machine reads (value, datetime, the fields of dates, files) never follows it.
type Format struct {
	Numbers   NumberStyle
	Negatives NegativeStyle
	Dates     DateStyle
}

// NumberStyle is the mark between thousands and the mark before decimals. The empty one is PointNumbers.
type NumberStyle string

// The styles of numbers.
const (
	PointNumbers      NumberStyle = "comma-point"      // 1,234.56
	CommaNumbers      NumberStyle = "point-comma"      // 1.234,56
	SpaceNumbers      NumberStyle = "space-comma"      // 1 234,56, with a narrow space that does not break
	ApostropheNumbers NumberStyle = "apostrophe-point" // 1'234.56
)

// NegativeStyle is how an amount below zero stands out. The empty one is Parentheses.
type NegativeStyle string

// The styles of negative amounts.
const (
	Parentheses NegativeStyle = "parentheses" // (1,234.56)
	MinusSign   NegativeStyle = "minus"       // −1,234.56
)

// DateStyle is the order of a day's parts and the mark between them. The empty one is ISODates.
type DateStyle string

// The styles of dates.
const (
	ISODates     DateStyle = "yyyy-mm-dd"
	DashedDates  DateStyle = "dd-mm-yyyy"
	SlashedDates DateStyle = "dd/mm/yyyy"
	MonthFirst   DateStyle = "mm/dd/yyyy"
	DottedDates  DateStyle = "dd.mm.yyyy"
)

const minusSign = "\u2212"

type formatKey struct{}

// WithFormat has the components below write as the reader wants. It is the locale of the page, and the one thing that ctx
// carries to a component; Layout sets it from the shell of the page.
func WithFormat(ctx context.Context, f Format) context.Context {
	return context.WithValue(ctx, formatKey{}, f)
}

// FormatOf is the format that the components of ctx write in.
func FormatOf(ctx context.Context) Format {
	f, _ := ctx.Value(formatKey{}).(Format)
	return f
}

// Marks are what stands between thousands and before decimals.
func (f Format) Marks() (group, point string) {
	switch f.Numbers {
	case CommaNumbers:
		return ".", ","
	case SpaceNumbers:
		return "\u202f", ","
	case ApostropheNumbers:
		return "'", "."
	default:
		return ",", "."
	}
}

// Amount writes minor units with the digits of their currency: 1,284.50 or (1,284.50).
func (f Format) Amount(minor int64, currency string) string {
	before, after := f.sign(minor)
	return before + f.magnitude(minor, currency) + after
}

// sign is what stands around the digits of an amount.
func (f Format) sign(minor int64) (before, after string) {
	switch {
	case minor >= 0:
		return "", ""
	case f.Negatives == MinusSign:
		return minusSign, ""
	default:
		return "(", ")"
	}
}

// magnitude is an amount without its sign.
func (f Format) magnitude(minor int64, currency string) string {
	return f.decimal(strings.TrimPrefix(ledger.FormatAmount(minor, currency), "-"), true)
}

// Typed writes an amount as one would type it: without thousands, and a negative one with a hyphen.
func (f Format) Typed(minor int64, currency string) string {
	return f.decimal(ledger.FormatAmount(minor, currency), false)
}

// decimal puts the reader's marks into a plain decimal.
func (f Format) decimal(plain string, grouped bool) string {
	group, point := f.Marks()
	whole, fraction, hasPoint := strings.Cut(plain, ".")
	if grouped {
		whole = strings.ReplaceAll(ledger.GroupDigits(whole), ",", group)
	}
	if hasPoint {
		return whole + point + fraction
	}
	return whole
}

// Number writes a count: 1,706.
func (f Format) Number(n int) string { return f.number(int64(n)) }

func (f Format) number(n int64) string { return f.decimal(strconv.FormatInt(n, 10), true) }

// Seq writes the number of an entry as people say it: #1,163.
func (f Format) Seq(seq int64) string { return "#" + f.number(seq) }

// Plural writes a count with its noun: 1 entry, 2 entries.
func (f Format) Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return f.Number(n) + " " + many
}

// Day writes a day, and nothing for no day.
func (f Format) Day(d ledger.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.Time().Format(f.dayLayout())
}

// Minute writes an instant to the minute, in UTC: 2026-03-02 09:12.
func (f Format) Minute(t time.Time) string { return t.UTC().Format(f.dayLayout() + " 15:04") }

// Instant writes an instant to the second, in UTC: 2026-03-02 09:12:30. The bar of the page names the zone.
func (f Format) Instant(t time.Time) string { return t.UTC().Format(f.dayLayout() + " 15:04:05") }

func (f Format) dayLayout() string {
	switch f.Dates {
	case DashedDates:
		return "02-01-2006"
	case SlashedDates:
		return "02/01/2006"
	case MonthFirst:
		return "01/02/2006"
	case DottedDates:
		return "02.01.2006"
	default:
		return time.DateOnly
	}
}
