package ledger

import (
	"maps"
	"slices"
)

// Clash is a key that came again for something else: both requests, by field path. It is the cause of a KindKeyReused, for the record.
type Clash struct {
	Key string
	// First is who used the key first; FirstSent is what was sent then.
	First     KeyUse
	FirstSent map[string]string
	// Operation and Sent are what was asked now, in vain.
	Operation string
	Sent      map[string]string
}

// Error says who was first.
func (c *Clash) Error() string {
	if c.First.UsedBy == "" {
		return "the key is in use"
	}
	return "first used by " + c.First.UsedBy
}

// ClashField is one field of two requests under one key. A side that lacks the field is empty, and says so.
type ClashField struct {
	Field    string `json:"field"`
	First    string `json:"first"`
	Sent     string `json:"sent"`
	HadFirst bool   `json:"had_first"`
	HasSent  bool   `json:"has_sent"`
}

// Differs reports whether the field is not the same in both.
func (f ClashField) Differs() bool {
	return f.HadFirst != f.HasSent || f.First != f.Sent
}

// Compared holds both requests against each other: the fields that differ first, then the same, each in order of their names.
func (c *Clash) Compared() []ClashField {
	var differ, same []ClashField
	for _, name := range namesOf(c.FirstSent, c.Sent) {
		field := ClashField{Field: name}
		field.First, field.HadFirst = c.FirstSent[name]
		field.Sent, field.HasSent = c.Sent[name]
		if field.Differs() {
			differ = append(differ, field)
		} else {
			same = append(same, field)
		}
	}
	return append(differ, same...)
}

// namesOf are the fields that either request has, in order.
func namesOf(first, sent map[string]string) []string {
	names := map[string]bool{}
	for name := range first {
		names[name] = true
	}
	for name := range sent {
		names[name] = true
	}
	return slices.Sorted(maps.Keys(names))
}
