package ui

import (
	"strings"
	"unicode"

	"github.com/a-h/templ"
)

func hotkey(b Button) templ.Attributes {
	if b.Hotkey == "" {
		return nil
	}
	return templ.Attributes{"data-hotkey": b.Hotkey}
}

// kebab makes an id of words: Request reversal becomes request-reversal.
func kebab(words string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(words), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}
