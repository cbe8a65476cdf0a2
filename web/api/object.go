package api

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

// maxFaults is how many fields at fault are named: enough to see what is wrong with a file of thousands of lines.
const maxFaults = 100

// faults are what is wrong with the fields of a body. A whole number that is only too large is a matter of its own.
type faults struct{ invalid, overflow *ledger.Error }

func (f *faults) at(field, format string, args ...any) {
	if len(f.invalid.Fields) < maxFaults {
		f.invalid.At(field, format, args...)
	}
}

func (f *faults) tooLarge(field, number string) {
	if f.overflow == nil {
		f.overflow = ledger.Refuse(ledger.KindAmountOverflow, "an amount is beyond the largest, %d minor units", int64(ledger.MaxAmountMinor))
	}
	if len(f.overflow.Fields) < maxFaults {
		f.overflow.At(field, "%s is beyond the largest amount", shortened(number))
	}
}

// object is a JSON object whose members are taken out one by one, each as what it must be. null counts as left out.
type object struct {
	path    string
	members map[string]any
	taken   []string
	inner   []*object
	faults  *faults
}

// err names every field at fault, members that nobody asked for included. Errors: KindInvalid, KindAmountOverflow.
func (o *object) err() error {
	o.refuseUnknown()
	if len(o.faults.invalid.Fields) > 0 {
		return o.faults.invalid
	}
	if o.faults.overflow != nil {
		return o.faults.overflow
	}
	return nil
}

func (o *object) refuseUnknown() {
	for _, name := range slices.Sorted(maps.Keys(o.members)) {
		if !slices.Contains(o.taken, name) {
			o.faults.at(join(o.path, name), "is not a field of this request")
		}
	}
	for _, inner := range o.inner {
		inner.refuseUnknown()
	}
}

func (o *object) take(name string) any {
	o.taken = append(o.taken, name)
	return o.members[name]
}

func (o *object) wrongType(name, wanted string, value any) {
	o.faults.at(join(o.path, name), "must be %s, not %s", wanted, nameOf(value))
}

func (o *object) text(name string) string {
	switch value := o.take(name).(type) {
	case nil:
		return ""
	case string:
		// The one character that JSON can write and the database cannot hold.
		if strings.ContainsRune(value, 0) {
			o.faults.at(join(o.path, name), "has control characters")
		}
		return value
	default:
		o.wrongType(name, "a text", value)
		return ""
	}
}

func (o *object) boolean(name string) bool {
	switch value := o.take(name).(type) {
	case nil:
		return false
	case bool:
		return value
	default:
		o.wrongType(name, "true or false", value)
		return false
	}
}

func (o *object) date(name string) ledger.Date {
	text := o.text(name)
	date, err := ledger.ParseDate(text)
	if text != "" && err != nil {
		o.faults.at(join(o.path, name), "%q is not a date: write it as YYYY-MM-DD", text)
	}
	return date
}

// amount takes a required amount in minor units.
func (o *object) amount(name string) int64 {
	value := o.take(name)
	number, ok := value.(json.Number)
	switch {
	case value == nil:
		o.faults.at(join(o.path, name), "is missing: give a whole number of minor units")
		return 0
	case !ok:
		o.wrongType(name, "a whole number of minor units", value)
		return 0
	case strings.ContainsAny(number.String(), ".eE"):
		o.faults.at(join(o.path, name), "must be a whole number of minor units, not %s", shortened(number.String()))
		return 0
	}
	minor, err := strconv.ParseInt(number.String(), 10, 64)
	if err != nil || minor == math.MinInt64 {
		o.faults.tooLarge(join(o.path, name), number.String())
		return 0
	}
	return minor
}

// amountIfGiven takes an amount in minor units that may be left out.
func (o *object) amountIfGiven(name string) *int64 {
	if o.members[name] == nil {
		o.taken = append(o.taken, name)
		return nil
	}
	minor := o.amount(name)
	return &minor
}

func shortened(number string) string {
	if len(number) > 40 {
		return number[:40] + "…"
	}
	return number
}

// texts takes an object of texts; nil when it is left out.
func (o *object) texts(name string) map[string]string {
	value := o.take(name)
	members, ok := value.(map[string]any)
	if !ok && value != nil {
		o.wrongType(name, "an object of texts", value)
	}
	if len(members) == 0 {
		return nil
	}
	texts := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		text, ok := members[key].(string)
		if !ok {
			o.faults.at(join(o.path, name)+"."+key, "must be a text, not %s", nameOf(members[key]))
		}
		texts[key] = text
	}
	return texts
}

// object takes an object; nil when it is left out.
func (o *object) object(name string) *object {
	value := o.take(name)
	if value == nil {
		return nil
	}
	return o.nest(name, value)
}

// objects takes a list of objects.
func (o *object) objects(name string) []*object {
	value := o.take(name)
	elements, ok := value.([]any)
	if !ok && value != nil {
		o.wrongType(name, "a list", value)
	}
	objects := make([]*object, len(elements))
	for i, element := range elements {
		objects[i] = o.nest(fmt.Sprintf("%s[%d]", name, i), element)
	}
	return objects
}

func (o *object) nest(name string, value any) *object {
	members, ok := value.(map[string]any)
	if !ok {
		o.wrongType(name, "an object", value)
	}
	inner := &object{path: join(o.path, name), members: members, faults: o.faults}
	o.inner = append(o.inner, inner)
	return inner
}
