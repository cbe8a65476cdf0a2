package ledger

import (
	"database/sql/driver"
	"fmt"
	"time"
)

const dateLayout = "2006-01-02"

// Date is a calendar day without a time or a zone. The zero value is no date.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf gives the day of an instant in UTC.
func DateOf(t time.Time) Date {
	y, m, d := t.UTC().Date()
	return Date{y, m, d}
}

// ParseDate reads YYYY-MM-DD with a year from 1900 to 9999; anything else is refused as KindInvalid.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(dateLayout, s)
	if err != nil || t.Year() < 1900 {
		return Date{}, Refuse(KindInvalid, "%q is not a date: write it as YYYY-MM-DD", s)
	}
	return DateOf(t), nil
}

// MustDate is ParseDate for dates written in code.
func MustDate(s string) Date {
	d, err := ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

// Time is midnight UTC of the day.
func (d Date) Time() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// IsZero reports whether there is no date.
func (d Date) IsZero() bool { return d == Date{} }

// String is YYYY-MM-DD, empty for no date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return d.Time().Format(dateLayout)
}

func (d Date) appendTo(b []byte) []byte {
	if d.IsZero() {
		return b
	}
	return d.Time().AppendFormat(b, dateLayout)
}

// AddDays gives the day n days later, or earlier when n is negative.
func (d Date) AddDays(n int) Date { return DateOf(d.Time().AddDate(0, 0, n)) }

// DaysUntil counts the days from d to other; negative when other is earlier.
func (d Date) DaysUntil(other Date) int {
	return int(other.Time().Sub(d.Time()).Hours() / 24)
}

// Before reports whether d is earlier than other.
func (d Date) Before(other Date) bool { return d.Compare(other) < 0 }

// After reports whether d is later than other.
func (d Date) After(other Date) bool { return d.Compare(other) > 0 }

// Compare is -1, 0 or 1, as d is earlier than, the same as or later than other.
func (d Date) Compare(other Date) int { return d.Time().Compare(other.Time()) }

// MarshalText is YYYY-MM-DD.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads YYYY-MM-DD; an empty text is no date.
func (d *Date) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*d = Date{}
		return nil
	}
	parsed, err := ParseDate(string(b))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// Value is the date as the database takes it; no date is NULL.
func (d Date) Value() (driver.Value, error) {
	if d.IsZero() {
		return nil, nil
	}
	return d.Time(), nil
}

// Scan reads a date column; NULL is no date.
func (d *Date) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*d = Date{}
	case time.Time:
		y, m, day := v.Date()
		*d = Date{y, m, day}
	case string:
		return d.UnmarshalText([]byte(v))
	default:
		return fmt.Errorf("read a date from %T", src)
	}
	return nil
}
