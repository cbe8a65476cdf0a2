package inbox

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"daybook/store/ledger"
	"daybook/store/strictjson"
)

// Read reads a message in the form that the API, the broker and files share: a JSON object of source, message_id, type and data, all of them
// required and nothing else. Data is given in its canonical form. Errors: KindTooLarge beyond MaxBytes; KindInvalid, which names every field at
// fault.
func Read(text []byte) (Message, error) {
	if len(text) > MaxBytes {
		return Message{}, TooLarge(int64(len(text)))
	}
	document, err := strictjson.Read("message", text)
	if err != nil {
		return Message{}, err
	}
	members, ok := document.Value.(map[string]any)
	if !ok {
		return Message{}, ledger.Refuse(ledger.KindInvalid, "the message must be one JSON object, not %s", strictjson.NameOf(document.Value))
	}
	faults := &faults{ledger.Refuse(ledger.KindInvalid, "the message has fields that cannot be read")}
	for _, path := range document.Twice {
		faults.at(path, "is given twice")
	}
	m := Message{
		Source: faults.id(members, "source", MaxSourceRunes), ID: faults.id(members, "message_id", MaxIDRunes), Type: faults.id(members, "type", MaxTypeRunes),
	}
	data := faults.data(members["data"])
	faults.unknown(members)
	if err := faults.err.OrNil(); err != nil {
		return Message{}, err
	}
	m.Data, err = encode(data)
	return m, err
}

// TooLarge is the refusal of a message of so many bytes, as KindTooLarge.
func TooLarge(size int64) *ledger.Error {
	return ledger.Refuse(ledger.KindTooLarge, "the message has %d bytes, and at most %d are taken: send what belongs to one event only", size, MaxBytes)
}

// maxFaults is how many fields at fault are named.
const maxFaults = 100

// faults are what is wrong with the fields of a message.
type faults struct{ err *ledger.Error }

func (f *faults) at(field, format string, args ...any) {
	if len(f.err.Fields) < maxFaults {
		f.err.At(shown(field), format, args...)
	}
}

// shown is the path of a field as it is told: the names in it are whatever was sent, of any length.
func shown(path string) string {
	path = strings.ReplaceAll(path, "\x00", `\u0000`)
	if runes := []rune(path); len(runes) > MaxIDRunes {
		return string(runes[:MaxIDRunes]) + "…"
	}
	return path
}

// id takes a text that names something.
func (f *faults) id(members map[string]any, name string, maxRunes int) string {
	value, found := members[name]
	text, ok := value.(string)
	switch {
	case !found || value == nil:
		f.at(name, "is missing")
	case !ok:
		f.at(name, "must be a text, not %s", strictjson.NameOf(value))
	default:
		if fault := ledger.IDFault(text, maxRunes); fault != "" {
			f.at(name, "%s", fault)
		}
	}
	return text
}

func (f *faults) data(value any) map[string]any {
	data, ok := value.(map[string]any)
	switch {
	case value == nil:
		f.at("data", "is missing: give an object, which may be empty")
	case !ok:
		f.at("data", "must be an object, not %s", strictjson.NameOf(value))
	default:
		f.texts("data", data)
	}
	return data
}

// texts refuses the one character that JSON can write and the database cannot hold, in whatever stands at a path.
func (f *faults) texts(path string, value any) {
	switch value := value.(type) {
	case string:
		if strings.ContainsRune(value, 0) {
			f.at(path, `has the character \u0000, which is no text`)
		}
	case []any:
		for i, element := range value {
			f.texts(fmt.Sprintf("%s[%d]", path, i), element)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if strings.ContainsRune(name, 0) {
				f.at(strictjson.Join(path, name), `has the character \u0000 in its name, which is no text`)
			}
			f.texts(strictjson.Join(path, name), value[name])
		}
	}
}

func (f *faults) unknown(members map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains([]string{"source", "message_id", "type", "data"}, name) {
			f.at(name, "is not a field of a message")
		}
	}
}
