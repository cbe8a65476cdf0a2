package strictjson

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"daybook/store/ledger"
)

// Entry takes the fields of an entry. What is wrong with their form is told by Err; the rules are the ledger's to judge.
func (o *Object) Entry() ledger.Entry {
	e := ledger.Entry{
		TxID: o.Text("tx_id"), EffectiveOn: o.Date("effective_on"), Description: o.Text("description"), Metadata: o.Texts("metadata"),
	}
	for _, p := range o.Objects("postings") {
		e.Postings = append(e.Postings, ledger.Posting{Account: p.Text("account"), AmountMinor: p.Amount("amount"), Currency: p.Text("currency")})
	}
	return e
}

// Text takes a text, "" where it is left out.
func (o *Object) Text(name string) string {
	switch value := o.Take(name).(type) {
	case nil:
		return ""
	case string:
		// The one character that JSON can write and the database cannot hold.
		if strings.ContainsRune(value, 0) {
			o.faults.at(Join(o.path, name), "has control characters")
		}
		return value
	default:
		o.WrongType(name, "a text", value)
		return ""
	}
}

// Boolean takes true or false, false where it is left out.
func (o *Object) Boolean(name string) bool {
	switch value := o.Take(name).(type) {
	case nil:
		return false
	case bool:
		return value
	default:
		o.WrongType(name, "true or false", value)
		return false
	}
}

// Date takes a date, the zero date where it is left out.
func (o *Object) Date(name string) ledger.Date {
	text := o.Text(name)
	date, err := ledger.ParseDate(text)
	if text != "" && err != nil {
		o.faults.at(Join(o.path, name), "%q is not a date: write it as YYYY-MM-DD", text)
	}
	return date
}

// Amount takes a required amount in minor units.
func (o *Object) Amount(name string) int64 {
	value := o.Take(name)
	number, ok := value.(json.Number)
	switch {
	case value == nil:
		o.faults.at(Join(o.path, name), "is missing: give a whole number of minor units")
		return 0
	case !ok:
		o.WrongType(name, "a whole number of minor units", value)
		return 0
	case strings.ContainsAny(number.String(), ".eE"):
		o.faults.at(Join(o.path, name), "must be a whole number of minor units, not %s", shortened(number.String()))
		return 0
	}
	minor, err := strconv.ParseInt(number.String(), 10, 64)
	if err != nil || minor == math.MinInt64 {
		o.faults.tooLarge(Join(o.path, name), number.String())
		return 0
	}
	return minor
}

// AmountOrNone is amount for one that may be left out: then it is 0.
func (o *Object) AmountOrNone(name string) int64 {
	if minor := o.AmountIfGiven(name); minor != nil {
		return *minor
	}
	return 0
}

// AmountIfGiven takes an amount in minor units that may be left out.
func (o *Object) AmountIfGiven(name string) *int64 {
	if !o.Has(name) {
		o.Take(name)
		return nil
	}
	minor := o.Amount(name)
	return &minor
}

// Number takes a required whole number from 1 on.
func (o *Object) Number(name string) int64 { return o.Positive(name, o.Take(name)) }

// Positive reads a value that must be a whole number from 1 on, by the name that its faults are told under.
func (o *Object) Positive(name string, value any) int64 {
	number, ok := value.(json.Number)
	if !ok {
		o.WrongType(name, "a whole number from 1 on", value)
		return 0
	}
	n, err := strconv.ParseInt(number.String(), 10, 64)
	if err != nil || n < 1 {
		o.faults.at(Join(o.path, name), "must be a whole number from 1 on, not %s", shortened(number.String()))
		return 0
	}
	return n
}

// Texts takes an object of texts; nil when it is left out.
func (o *Object) Texts(name string) map[string]string {
	value := o.Take(name)
	members, ok := value.(map[string]any)
	if !ok && value != nil {
		o.WrongType(name, "an object of texts", value)
	}
	if len(members) == 0 {
		return nil
	}
	texts := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		text, ok := members[key].(string)
		if !ok {
			o.faults.at(Join(o.path, name)+"."+key, "must be a text, not %s", NameOf(members[key]))
		}
		texts[key] = text
	}
	return texts
}

// List takes a list of texts.
func (o *Object) List(name string) []string {
	value := o.Take(name)
	elements, ok := value.([]any)
	if !ok && value != nil {
		o.WrongType(name, "a list of texts", value)
	}
	texts := make([]string, len(elements))
	for i, element := range elements {
		if texts[i], ok = element.(string); !ok {
			o.WrongType(fmt.Sprintf("%s[%d]", name, i), "a text", element)
		}
	}
	return texts
}

func shortened(number string) string {
	if len(number) > 40 {
		return number[:40] + "…"
	}
	return number
}
