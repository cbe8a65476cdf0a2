package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"daybook/store/ledger"
)

// maxDepth is more than any request or message has of objects in lists in objects.
const maxDepth = 20

// maxTwice is how many members that are given twice are told.
const maxTwice = 100

// Document is a JSON text that was read: objects are maps, lists are slices, numbers are json.Numbers as they were written.
type Document struct {
	Value any
	Twice []string // the paths of members that are given twice, the first of them
}

// Read reads a text that is one JSON value, by the name under which faults tell of it. Error: KindInvalid.
func Read(what string, text []byte) (Document, error) {
	if !utf8.Valid(text) {
		return Document{}, ledger.Refuse(ledger.KindInvalid, "the %s is not valid UTF-8", what)
	}
	if len(bytes.TrimLeft(text, jsonSpace)) == 0 {
		return Document{}, ledger.Refuse(ledger.KindInvalid, "the %s is empty", what)
	}
	if err := checkSyntax(what, text); err != nil {
		return Document{}, err
	}
	if offset := halfCharacter(text); offset >= 0 {
		return Document{}, ledger.Refuse(ledger.KindInvalid, "the %s writes half a character as %s, which is no text", what, text[offset:offset+6])
	}
	tree := treeReader{what: what, decoder: json.NewDecoder(bytes.NewReader(text))}
	tree.decoder.UseNumber()
	value, err := tree.read("")
	return Document{Value: value, Twice: tree.twice}, err
}

// Join gives the path of a member of what stands at a path.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// NameOf says what a JSON value is.
func NameOf(value any) string {
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

// treeReader reads a JSON text into maps, slices, strings, json.Numbers and booleans, and notes members that come twice.
type treeReader struct {
	what    string
	decoder *json.Decoder
	depth   int
	twice   []string
}

func (t *treeReader) read(path string) (any, error) {
	if t.depth++; t.depth > maxDepth {
		return nil, ledger.Refuse(ledger.KindInvalid, "the %s is nested too deeply", t.what)
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
		memberPath := Join(path, name)
		if _, twice := members[name]; twice && len(t.twice) < maxTwice {
			t.twice = append(t.twice, memberPath)
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
