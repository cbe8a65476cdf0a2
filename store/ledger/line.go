package ledger

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// AppendLine writes a record as a line of an export: a JSON object with all that its hash is computed over, that hash, and nothing
// else, so that no byte of it can change unseen.
func (r *Record) AppendLine(b []byte) []byte {
	b = textMember(append(b, '{'), "book", r.Book)
	b = numberMember(append(b, ','), "seq", r.Seq)
	b = textMember(append(b, ','), "tx_id", r.TxID)
	b = textMember(append(b, ','), "kind", string(r.Kind))
	b = append(r.EffectiveOn.appendTo(append(b, `,"effective_on":"`...)), '"')
	b = append(appendInstant(append(b, `,"recorded_at":"`...), r.RecordedAt), '"')
	b = numberMember(append(b, ','), "recorded_by_id", r.RecordedBy)
	b = textMember(append(b, ','), "description", r.Description)
	b = textMember(append(b, ','), "reason", r.Reason)
	b = linkMember(append(b, ','), "approval_id", r.ApprovalID)
	b = linkMember(append(b, ','), "reverses", r.Reverses)
	b = numberMember(append(b, ','), "part", int64(r.Part))
	b = linkMember(append(b, ','), "replaces", r.Replaces)
	b = append(b, `,"postings":[`...)
	for i, p := range r.Postings {
		if i > 0 {
			b = append(b, ',')
		}
		b = textMember(append(b, '{'), "account", p.Account)
		b = numberMember(append(b, ','), "amount", p.AmountMinor)
		b = append(textMember(append(b, ','), "currency", p.Currency), '}')
	}
	b = append(b, `],"metadata":{`...)
	for i, key := range sortedKeys(r.Metadata) {
		if i > 0 {
			b = append(b, ',')
		}
		b = textMember(b, key, r.Metadata[key])
	}
	b = append(hex.AppendEncode(append(b, `},"prev_hash":"`...), r.PrevHash[:]), '"')
	b = append(hex.AppendEncode(append(b, `,"hash":"`...), r.Hash[:]), '"')
	return append(b, '}', '\n')
}

func textMember(b []byte, name, value string) []byte {
	return appendText(append(appendText(b, name), ':'), value)
}

func numberMember(b []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(appendText(b, name), ':'), n, 10)
}

// linkMember is null for the 0 of a link that leads nowhere.
func linkMember(b []byte, name string, n int64) []byte {
	if n == 0 {
		return append(append(appendText(b, name), ':'), "null"...)
	}
	return numberMember(b, name, n)
}

// appendText writes a JSON string that escapes no more than it must.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// line is a line of an export as it is read.
type line struct {
	Book        string            `json:"book"`
	Seq         int64             `json:"seq"`
	TxID        string            `json:"tx_id"`
	Kind        EntryKind         `json:"kind"`
	EffectiveOn Date              `json:"effective_on"`
	RecordedAt  string            `json:"recorded_at"`
	RecordedBy  int64             `json:"recorded_by_id"`
	Description string            `json:"description"`
	Reason      string            `json:"reason"`
	ApprovalID  int64             `json:"approval_id"`
	Reverses    int64             `json:"reverses"`
	Part        int               `json:"part"`
	Replaces    int64             `json:"replaces"`
	Postings    []linePosting     `json:"postings"`
	Metadata    map[string]string `json:"metadata"`
	PrevHash    Hash              `json:"prev_hash"`
	Hash        Hash              `json:"hash"`
}

type linePosting struct {
	Account     string `json:"account"`
	AmountMinor int64  `json:"amount"`
	Currency    string `json:"currency"`
}

// ParseLine reads a line that AppendLine wrote, also where spaces, escapes and the order of members are another program's. What a
// lenient reader would guess at is refused as KindInvalid: a member that is missing, unknown, given twice or written in other letters.
func ParseLine(text []byte) (Record, error) {
	if !utf8.Valid(text) {
		return Record{}, Refuse(KindInvalid, "it is not valid UTF-8")
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return Record{}, notALine(err)
	}
	at, err := time.Parse(recordedAtLayout, l.RecordedAt)
	if err != nil {
		return Record{}, Refuse(KindInvalid, "recorded_at is %q, and not an instant as 2026-03-31T10:00:00.000000Z", l.RecordedAt)
	}
	r := Record{
		Entry: Entry{TxID: l.TxID, EffectiveOn: l.EffectiveOn, Description: l.Description, Metadata: l.Metadata, Postings: make([]Posting, len(l.Postings))},
		Book:  l.Book, Seq: l.Seq, Kind: l.Kind, RecordedAt: at, RecordedBy: l.RecordedBy, Reason: l.Reason, ApprovalID: l.ApprovalID,
		Reverses: l.Reverses, Part: l.Part, Replaces: l.Replaces, PrevHash: l.PrevHash, Hash: l.Hash,
	}
	for i, p := range l.Postings {
		r.Postings[i] = Posting(p)
	}
	if bytes.Equal(bytes.TrimSpace(r.AppendLine(nil)), text) {
		return r, nil
	}
	for _, hash := range []Hash{r.PrevHash, r.Hash} {
		if !bytes.Contains(text, []byte(hash.String())) {
			return Record{}, Refuse(KindInvalid, "it has a hash that is not in lower-case hexadecimal")
		}
	}
	return r, checkMembers(json.NewDecoder(bytes.NewReader(text)), "")
}

func notALine(err error) error {
	return &Error{Kind: KindInvalid, Message: "it is not a record of the export, or was cut off", Err: err}
}

// lineMembers are the names that objects in a line have, each once, by where they stand.
var lineMembers = map[string][]string{
	"": {"book", "seq", "tx_id", "kind", "effective_on", "recorded_at", "recorded_by_id", "description", "reason", "approval_id", "reverses", "part", "replaces",
		"postings", "metadata", "prev_hash", "hash"},
	".postings[]": {"account", "amount", "currency"},
}

// checkMembers refuses what encoding/json passes over, and other readers may see in another way.
func checkMembers(d *json.Decoder, path string) error {
	token, err := d.Token()
	if err != nil {
		return notALine(err)
	}
	switch token {
	case json.Delim('{'):
		return checkObject(d, path)
	case json.Delim('['):
		for d.More() {
			if err := checkMembers(d, path+"[]"); err != nil {
				return err
			}
		}
		_, err = d.Token()
	}
	return err
}

func checkObject(d *json.Decoder, path string) error {
	names, fixed := lineMembers[path]
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return notALine(err)
		}
		name := fmt.Sprint(token)
		switch {
		case seen[name]:
			return Refuse(KindInvalid, "%q is given twice", name)
		case fixed && !slices.Contains(names, name):
			return Refuse(KindInvalid, "%q is not a member of a record", name)
		}
		seen[name] = true
		if err := checkMembers(d, path+"."+name); err != nil {
			return err
		}
	}
	for _, name := range names {
		if !seen[name] {
			return Refuse(KindInvalid, "%q is missing", name)
		}
	}
	_, err := d.Token()
	return err
}
