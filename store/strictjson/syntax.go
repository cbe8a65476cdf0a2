package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"daybook/store/ledger"
)

// checkSyntax says where a text stops being JSON.
func checkSyntax(what string, text []byte) error {
	var raw json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(text))
	err := decoder.Decode(&raw)
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ledger.Refuse(ledger.KindInvalid, "the %s is not JSON: it ends too early", what)
	case errors.As(err, &syntax):
		return notJSON(what, text, int(syntax.Offset)-1)
	case err != nil:
		return fmt.Errorf("read the text as JSON: %w", err)
	}
	end := int(decoder.InputOffset())
	rest := bytes.TrimLeft(text[end:], jsonSpace)
	if len(rest) > 0 {
		return notJSON(what, text, len(text)-len(rest))
	}
	return nil
}

// halfCharacter finds a \u escape of a surrogate that has no other half, in a text that is JSON; -1 where there is none. A lenient
// reader puts the same replacement character for each: two requests that differ would be one.
func halfCharacter(text []byte) int {
	for i := 0; i < len(text)-1; i++ {
		if text[i] != '\\' {
			continue
		}
		if i++; text[i] != 'u' {
			continue
		}
		unit := escapedUnit(text[i-1:])
		if !utf16.IsSurrogate(unit) {
			continue
		}
		if utf16.DecodeRune(unit, escapedUnit(text[i+5:])) == unicode.ReplacementChar {
			return i - 1
		}
		i += 10
	}
	return -1
}

// escapedUnit gives the UTF-16 unit of an escape that a text begins with, 0 where it begins with none.
func escapedUnit(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
}

const jsonSpace = " \t\r\n"

func notJSON(what string, text []byte, offset int) error {
	before := text[:min(max(offset, 0), len(text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	if what != "body" && line == 1 { // of one of many, each in a line of its own, whose number is told apart
		return ledger.Refuse(ledger.KindInvalid, "the %s is not JSON: see character %d", what, column)
	}
	return ledger.Refuse(ledger.KindInvalid, "the %s is not JSON: see line %d, column %d", what, line, column)
}
