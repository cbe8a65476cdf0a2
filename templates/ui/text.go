package ui

import (
	"strconv"
	"strings"
	"time"

	"daybook/store/ledger"
)

// Link is a text and the address it opens. Without an address it is shown as plain text.
type Link struct{ Text, Href string }

// Tone says how a chip or an alert is meant. Colour only supports what shape and word already say.
type Tone string

// The tones. Neutral is the absence of one.
const (
	Neutral Tone = ""
	OK      Tone = "ok"
	Warn    Tone = "warn"
	Bad     Tone = "bad"
	Info    Tone = "info"
)

// icon is the shape that goes with a tone where no other was chosen.
func (t Tone) icon() string {
	switch t {
	case OK:
		return "circle-check"
	case Warn:
		return "alert-triangle"
	case Bad:
		return "circle-x"
	default:
		return "circle-dot"
	}
}

// Number writes a count with thousands separators: 1,706.
func Number[N int | int64](n N) string { return ledger.GroupDigits(strconv.FormatInt(int64(n), 10)) }

// Seq writes the number of an entry as people say it: #1,163.
func Seq(seq int64) string { return "#" + Number(seq) }

// Plural writes a count with its noun: 1 entry, 2 entries.
func Plural[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// LongDate writes a day in words: 31 March 2026.
func LongDate(d ledger.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.Time().Format("2 January 2006")
}

// Instant writes a moment to the second, in UTC: 2026-03-02 09:12:30. The bar of the page names the zone.
func Instant(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// Minute writes a moment to the minute, in UTC: 2026-03-02 09:12.
func Minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// Short abbreviates a hash or a key to its first and last digits: 41f2cd53…b6483.
func Short(hash string) string {
	if len(hash) <= 20 {
		return hash
	}
	return hash[:8] + "…" + hash[len(hash)-4:]
}

// FieldID is the id of the control of a field: postings[0].account has postings-0-account.
func FieldID(field string) string {
	return strings.NewReplacer("[", "-", "]", "", ".", "-").Replace(field)
}
