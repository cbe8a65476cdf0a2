package ui

import (
	"context"
	"io"
	"time"

	"daybook/store/ledger"
)

// Day shows a day as the reader wants days written. The zero day shows nothing.
type Day ledger.Date

// Render writes the time element.
func (d Day) Render(ctx context.Context, w io.Writer) error {
	day := ledger.Date(d)
	if day.IsZero() {
		return nil
	}
	_, err := io.WriteString(w, `<time datetime="`+day.String()+`">`+FormatOf(ctx).Day(day)+`</time>`)
	return err
}

// Moment shows an instant to the minute, in UTC, as the reader wants days written. The zero instant shows nothing.
type Moment time.Time

// Render writes the time element.
func (m Moment) Render(ctx context.Context, w io.Writer) error {
	t := time.Time(m)
	if t.IsZero() {
		return nil
	}
	_, err := io.WriteString(w, `<time datetime="`+t.UTC().Format(time.RFC3339Nano)+`">`+FormatOf(ctx).Minute(t)+`</time>`)
	return err
}
