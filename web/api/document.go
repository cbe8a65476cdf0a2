package api

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

	"github.com/labstack/echo/v4"

	"daybook/store/ledger"
)

// readObject reads a body that must be one JSON object, strictly: what a lenient reader would guess at or pass over is a
// fault here, since it may be money. An empty body is an empty object. The Content-Type does not matter. Error:
// KindInvalid; faults of fields are collected and told by object.err.
func readObject(c echo.Context) (*object, error) {
	body, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return nil, &ledger.Error{Kind: ledger.KindInvalid, Message: "the body did not arrive whole: send it again", Err: err}
	}
	return objectIn("body", body)
}

// objectIn is readObject for what is there already, by the name under which faults tell of it.
func objectIn(what string, body []byte) (*object, error) {
	if !utf8.Valid(body) {
		return nil, ledger.Refuse(ledger.KindInvalid, "the %s is not valid UTF-8", what)
	}
	faults := &faults{invalid: ledger.Refuse(ledger.KindInvalid, "the %s has fields that cannot be read", what)}
	if len(bytes.TrimLeft(body, jsonSpace)) == 0 {
		return &object{faults: faults}, nil
	}
	if err := checkSyntax(what, body); err != nil {
		return nil, err
	}
	if offset := halfCharacter(body); offset >= 0 {
		return nil, ledger.Refuse(ledger.KindInvalid, "the %s writes half a character as %s, which is no text", what, body[offset:offset+6])
	}
	tree := treeReader{decoder: json.NewDecoder(bytes.NewReader(body)), faults: faults}
	tree.decoder.UseNumber()
	value, err := tree.read("")
	if err != nil {
		return nil, fmt.Errorf("read the members of the body: %w", err)
	}
	members, ok := value.(map[string]any)
	if !ok {
		return nil, ledger.Refuse(ledger.KindInvalid, "the %s must be one JSON object, not %s", what, nameOf(value))
	}
	return &object{members: members, faults: faults}, nil
}

// checkSyntax says where a text stops being JSON.
func checkSyntax(what string, body []byte) error {
	var raw json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(body))
	err := decoder.Decode(&raw)
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ledger.Refuse(ledger.KindInvalid, "the %s is not JSON: it ends too early", what)
	case errors.As(err, &syntax):
		return notJSON(what, body, int(syntax.Offset)-1)
	case err != nil:
		return fmt.Errorf("read the body as JSON: %w", err)
	}
	end := int(decoder.InputOffset())
	rest := bytes.TrimLeft(body[end:], jsonSpace)
	if len(rest) > 0 {
		return notJSON(what, body, len(body)-len(rest))
	}
	return nil
}

// halfCharacter finds a \u escape of a surrogate that has no other half, in a body that is JSON; -1 where there is none. A lenient
// reader puts the same replacement character for each: two requests that differ would be one.
func halfCharacter(body []byte) int {
	for i := 0; i < len(body)-1; i++ {
		if body[i] != '\\' {
			continue
		}
		if i++; body[i] != 'u' {
			continue
		}
		unit := escapedUnit(body[i-1:])
		if !utf16.IsSurrogate(unit) {
			continue
		}
		if utf16.DecodeRune(unit, escapedUnit(body[i+5:])) == unicode.ReplacementChar {
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

func notJSON(what string, body []byte, offset int) error {
	before := body[:min(max(offset, 0), len(body))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	if what != "body" { // it has a line of its own, whose number is told apart
		return ledger.Refuse(ledger.KindInvalid, "the %s is not JSON: see character %d", what, column)
	}
	return ledger.Refuse(ledger.KindInvalid, "the %s is not JSON: see line %d, column %d", what, line, column)
}

// maxDepth is more than any request has of objects in lists in objects.
const maxDepth = 20

// treeReader reads a JSON text into maps, slices, strings, json.Numbers and booleans, and notes members that come twice.
type treeReader struct {
	decoder *json.Decoder
	faults  *faults
	depth   int
}

func (t *treeReader) read(path string) (any, error) {
	if t.depth++; t.depth > maxDepth {
		return nil, ledger.Refuse(ledger.KindInvalid, "the body is nested too deeply")
	}
	defer func() { t.depth-- }()
	token, err := t.decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return t.readMembers(path)
	case json.Delim('['):
		return t.readElements(path)
	}
	return token, nil
}

func (t *treeReader) readMembers(path string) (map[string]any, error) {
	members := map[string]any{}
	for t.decoder.More() {
		token, err := t.decoder.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		memberPath := join(path, name)
		if _, twice := members[name]; twice {
			t.faults.at(memberPath, "is given twice")
		}
		if members[name], err = t.read(memberPath); err != nil {
			return nil, err
		}
	}
	_, err := t.decoder.Token()
	return members, err
}

func (t *treeReader) readElements(path string) ([]any, error) {
	elements := []any{}
	for t.decoder.More() {
		element, err := t.read(fmt.Sprintf("%s[%d]", path, len(elements)))
		if err != nil {
			return nil, err
		}
		elements = append(elements, element)
	}
	_, err := t.decoder.Token()
	return elements, err
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// nameOf says what a JSON value is.
func nameOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return "a text"
	case json.Number:
		return "a number"
	}
	return "true or false"
}
