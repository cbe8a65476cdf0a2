package inbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"daybook/store/ledger"
)

func TestRead_GivesTheMessageWithItsDataInCanonicalForm(t *testing.T) {
	t.Parallel()
	m, err := Read([]byte(` {"type":"entry.post","data":{"b":[1.0, 12345678901234567890], "a":"\u00e9<"},"message_id":"m 1","source":"shop"}` + "\n"))
	want := Message{Source: "shop", ID: "m 1", Type: "entry.post", Data: json.RawMessage(`{"a":"é<","b":[1.0,12345678901234567890]}`)}
	if err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("gave %v, %v", m, err)
	}
}

func TestRead_NamesEveryFieldAtFault(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	for text, fields := range map[string][]string{
		`{}`: {"source is missing", "message_id is missing", "type is missing", "data is missing: give an object, which may be empty"},
		`{"source":1,"message_id":null,"type":"","data":[]}`: {
			"source must be a text, not a number", "message_id is missing", "type is missing", "data must be an object, not a list"},
		`{"source":" a","message_id":"` + long + `","type":"a\nb","data":{}}`: {
			"source begins or ends with a space", "message_id is longer than 255 characters", "type has control characters"},
		`{"source":"a","message_id":"b","type":"c","data":{},"Source":"a","time":1}`: {
			"Source is not a field of a message", "time is not a field of a message"},
		`{"source":"a","source":"b","message_id":"b","type":"c","data":{"x":{"y":1,"y":1}}}`: {"source is given twice", "data.x.y is given twice"},
		`{"source":"a","message_id":"b","type":"c","data":{"x":[1,"\u0000"],"z\u0000":1}}`: {
			`data.x[1] has the character \u0000, which is no text`, `data.z\u0000 has the character \u0000 in its name, which is no text`},
		`{"source":"a","message_id":"b","type":"c","data":{},"` + long + `":1}`: {long[:255] + "… is not a field of a message"},
	} {
		_, err := Read([]byte(text))
		var refusal *ledger.Error
		if !errors.As(err, &refusal) || refusal.Kind != ledger.KindInvalid {
			t.Errorf("%s gave %v", text, err)
			continue
		}
		var told []string
		for _, f := range refusal.Fields {
			told = append(told, f.Field+" "+f.Detail)
		}
		if !reflect.DeepEqual(told, fields) {
			t.Errorf("%s gave %q", text, told)
		}
	}
}

func TestRead_RefusesWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                              "invalid: the message is empty",
		"{\"a\":\n x}":                  "invalid: the message is not JSON: see line 2, column 2",
		`{"a":`:                         "invalid: the message is not JSON: it ends too early",
		`[]`:                            "invalid: the message must be one JSON object, not a list",
		`{} {}`:                         "invalid: the message is not JSON: see character 4",
		"{\"a\":\"\xff\"}":              "invalid: the message is not valid UTF-8",
		`{"a":"\ud800"}`:                `invalid: the message writes half a character as \ud800, which is no text`,
		strings.Repeat(`[`, 100) + `]`:  "invalid: the message is not JSON: it ends too early",
		nested(21):                      "invalid: the message is nested too deeply",
		strings.Repeat(" ", MaxBytes+1): "too-large: the message has 1048577 bytes, and at most 1048576 are taken: send what belongs to one event only",
	} {
		if _, err := Read([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.50q gave %v", text, err)
		}
	}
}

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestCanonical_IsOneFormOfTheSameData(t *testing.T) {
	t.Parallel()
	for _, pair := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":{"d":[],"c":null}}`, ` { "b" : {"c":null,"d":[ ]}, "a":1 } `, true},
		{`{"a":"\u00e9\/\u003c\n"}`, `{"a":"é/<\u000a"}`, true},
		{`{"a":1}`, `{"a":1.0}`, false},
		{`{"a":1}`, `{"a":1e0}`, false},
		{`{"a":12345678901234567890}`, `{"a":12345678901234567891}`, false},
		{`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		{`{"a":null}`, `{}`, false},
		{`"text"`, `{"a":"text"}`, false},
	} {
		a, hashA, errA := Canonical(json.RawMessage(pair.a))
		b, hashB, errB := Canonical(json.RawMessage(pair.b))
		if errA != nil || errB != nil || bytes.Equal(a, b) != pair.same || (hashA == hashB) != pair.same || hashA != sha256.Sum256(a) {
			t.Errorf("%s and %s gave %s (%v) and %s (%v)", pair.a, pair.b, a, errA, b, errB)
		}
	}
	for _, text := range []string{"", "{", `{"a":1,"a":1}`} {
		if _, _, err := Canonical(json.RawMessage(text)); ledger.KindOf(err) != ledger.KindInvalid {
			t.Errorf("%s gave %v", text, err)
		}
	}
}

// FuzzRead holds that any text is a message that reads the same once it is written again, or is refused as its sender's fault.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		``, `null`, `{"source":"a","message_id":"b","type":"c","data":{"x":[1e3,-0,"\u0000",{"y":null}]}}`, `{"source":"a","source":"a"}`,
		"{\"\\ud800\":\"\\u2028\"}", nested(30), `{"source":"\u202e","message_id":" ","type":"c","data":{"a":"<&>\u2028"}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Read(text)
		if err != nil {
			if kind := ledger.KindOf(err); kind != ledger.KindInvalid && kind != ledger.KindTooLarge {
				t.Fatalf("%q is refused as %s: %v", text, kind, err)
			}
			if _, _, err := Canonical(Unreadable("nats", "1", text, err).Data); err != nil {
				t.Fatalf("%q cannot be kept: %v", text, err)
			}
			return
		}
		written, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(written)
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Fatalf("%q reads as %v, and written again as %v, %v", text, m, again, err)
		}
		canonical, _, err := Canonical(m.Data)
		if err != nil || !bytes.Equal(canonical, m.Data) {
			t.Fatalf("%q has data %s, whose canonical form is %s, %v", text, m.Data, canonical, err)
		}
	})
}
