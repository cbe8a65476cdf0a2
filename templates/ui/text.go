package ui

import (
	"strings"

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

// LongDate writes a day in words: 31 March 2026.
func LongDate(d ledger.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.Time().Format("2 January 2006")
}

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
