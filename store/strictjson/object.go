package strictjson

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"daybook/store/ledger"
)

// Object is a JSON object whose members are taken out one by one, each as what it must be. null counts as left out.
type Object struct {
	path    string
	members map[string]any
	taken   []string
	inner   []*Object
	faults  *faults
}

// ReadObject reads a text that must be one JSON object, by the name under which faults tell of it. An empty text is an empty object. Error:
// KindInvalid; faults of fields are collected and told by Err.
func ReadObject(what string, text []byte) (*Object, error) {
	faults := &faults{invalid: ledger.Refuse(ledger.KindInvalid, "the %s has fields that cannot be read", what)}
	if len(bytes.TrimLeft(text, jsonSpace)) == 0 {
		return &Object{faults: faults}, nil
	}
	document, err := Read(what, text)
	if err != nil {
		return nil, err
	}
	members, ok := document.Value.(map[string]any)
	if !ok {
		return nil, ledger.Refuse(ledger.KindInvalid, "the %s must be one JSON object, not %s", what, NameOf(document.Value))
	}
	for _, path := range document.Twice {
		faults.at(path, "is given twice")
	}
	return &Object{members: members, faults: faults}, nil
}

// Err names every field at fault, members that nobody asked for included. Errors: KindInvalid, KindAmountOverflow.
func (o *Object) Err() error {
	o.refuseUnknown()
	if len(o.faults.invalid.Fields) > 0 {
		return o.faults.invalid
	}
	if o.faults.overflow != nil {
		return o.faults.overflow
	}
	return nil
}

func (o *Object) refuseUnknown() {
	for _, name := range slices.Sorted(maps.Keys(o.members)) {
		if !slices.Contains(o.taken, name) {
			o.faults.at(Join(o.path, name), "is not a field of this request")
		}
	}
	for _, inner := range o.inner {
		inner.refuseUnknown()
	}
}

// Has reports whether a member is given, other than as null.
func (o *Object) Has(name string) bool { return o.members[name] != nil }

// Take takes a member as it was read, nil where it is left out.
func (o *Object) Take(name string) any {
	o.taken = append(o.taken, name)
	return o.members[name]
}

// Object takes an object; nil when it is left out.
func (o *Object) Object(name string) *Object {
	value := o.Take(name)
	if value == nil {
		return nil
	}
	return o.Nest(name, value)
}

// Objects takes a list of objects.
func (o *Object) Objects(name string) []*Object {
	value := o.Take(name)
	elements, ok := value.([]any)
	if !ok && value != nil {
		o.WrongType(name, "a list", value)
	}
	objects := make([]*Object, len(elements))
	for i, element := range elements {
		objects[i] = o.Nest(fmt.Sprintf("%s[%d]", name, i), element)
	}
	return objects
}

// Nest takes a value that must be an object as one, by the name that its faults are told under.
func (o *Object) Nest(name string, value any) *Object {
	members, ok := value.(map[string]any)
	if !ok {
		o.WrongType(name, "an object", value)
	}
	inner := &Object{path: Join(o.path, name), members: members, faults: o.faults}
	o.inner = append(o.inner, inner)
	return inner
}

// Fault tells that a member is at fault, in words.
func (o *Object) Fault(name, format string, args ...any) {
	o.faults.at(Join(o.path, name), format, args...)
}

// WrongType says that a member is not what it must be.
func (o *Object) WrongType(name, wanted string, value any) {
	o.faults.at(Join(o.path, name), "must be %s, not %s", wanted, NameOf(value))
}

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
