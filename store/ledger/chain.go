package ledger

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// Hash is a SHA-256.
type Hash [sha256.Size]byte

// String is the hash in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText is the hash in lower-case hexadecimal.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads 64 hexadecimal digits.
func (h *Hash) UnmarshalText(b []byte) error {
	if len(b) != hex.EncodedLen(len(h)) {
		return Refuse(KindInvalid, "%q is not a SHA-256 in hexadecimal", b)
	}
	if _, err := hex.Decode(h[:], b); err != nil {
		return Refuse(KindInvalid, "%q is not a SHA-256 in hexadecimal", b)
	}
	return nil
}

// Value is the hash as the database takes it.
func (h Hash) Value() (driver.Value, error) { return h[:], nil }

// Scan reads stored bytes. Those of another length, and NULL, are no hash: the zero one, which is equal to none.
func (h *Hash) Scan(src any) error {
	stored, ok := src.([]byte)
	if !ok && src != nil {
		return fmt.Errorf("read a hash from %T", src)
	}
	*h = Hash{}
	if len(stored) == len(h) {
		*h = Hash(stored)
	}
	return nil
}

// GenesisHash is what the first entry of a book continues.
var GenesisHash = Hash(sha256.Sum256([]byte("genesis")))

// recordedAtLayout is RFC 3339 in UTC with six digits of a second, always.
const recordedAtLayout = "2006-01-02T15:04:05.000000Z"

// FormatInstant writes an instant as the chain and the API do: RFC 3339, UTC, microseconds.
func FormatInstant(t time.Time) string { return t.UTC().Format(recordedAtLayout) }

func appendInstant(b []byte, t time.Time) []byte { return t.UTC().AppendFormat(b, recordedAtLayout) }

// Encode gives the canonical encoding of a record, version 1: lines "name:length:value\n", where length counts the
// bytes of value. The lines come in the order below; numbers are decimal; optional links are 0 where there is none;
// metadata is sorted by key, in bytes. Facts that come later (reversed by, matched) are not part of it.
// docs/hash-chain.md has the same in words, for whoever checks an export with a program of their own.
func (r Record) Encode() []byte { return r.AppendTo(make([]byte, 0, r.encodedBytes())) }

// AppendTo is Encode into a buffer that is used again.
func (r *Record) AppendTo(b []byte) []byte {
	b = field(b, "daybook-entry", "1")
	b = field(b, "book", r.Book)
	b = numberField(b, "seq", r.Seq)
	b = field(b, "tx_id", r.TxID)
	b = field(b, "kind", string(r.Kind))
	b = dateField(b, "effective_on", r.EffectiveOn)
	b = instantField(b, "recorded_at", r.RecordedAt)
	b = numberField(b, "recorded_by", r.RecordedBy)
	b = field(b, "description", r.Description)
	b = field(b, "reason", r.Reason)
	b = numberField(b, "approval", r.ApprovalID)
	b = numberField(b, "reverses", r.Reverses)
	b = numberField(b, "part", int64(r.Part))
	b = numberField(b, "replaces", r.Replaces)
	return appendContent(b, r.Postings, r.Metadata)
}

// encodedBytes is what the encoding of most records fits into.
func (r *Record) encodedBytes() int { return 512 + 64*len(r.Postings) }

// ComputeHash gives the hash that the record must carry: SHA-256 over PrevHash and Encode.
func (r Record) ComputeHash() Hash {
	hash, _ := r.HashIn(make([]byte, 0, len(r.PrevHash)+r.encodedBytes()))
	return hash
}

// HashIn is ComputeHash in a buffer, which comes back for the next record.
func (r *Record) HashIn(buffer []byte) (Hash, []byte) {
	buffer = r.AppendTo(append(buffer[:0], r.PrevHash[:]...))
	return sha256.Sum256(buffer), buffer
}

// Fingerprint identifies the content of an entry, whichever way it arrives. The order of postings counts; it is part
// of what is recorded.
func (e Entry) Fingerprint() Hash {
	b := field(make([]byte, 0, 256+64*len(e.Postings)), "daybook-entry-content", "1")
	b = field(b, "tx_id", e.TxID)
	b = dateField(b, "effective_on", e.EffectiveOn)
	b = field(b, "description", e.Description)
	return sha256.Sum256(appendContent(b, e.Postings, e.Metadata))
}

func appendContent(b []byte, postings []Posting, metadata map[string]string) []byte {
	b = numberField(b, "postings", int64(len(postings)))
	for _, p := range postings {
		b = field(b, "account", p.Account)
		b = numberField(b, "amount_minor", p.AmountMinor)
		b = field(b, "currency", p.Currency)
	}
	b = numberField(b, "metadata", int64(len(metadata)))
	for _, key := range sortedKeys(metadata) {
		b = field(b, "key", key)
		b = field(b, "value", metadata[key])
	}
	return b
}

func sortedKeys(metadata map[string]string) []string {
	if len(metadata) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(metadata))
}

func field(b []byte, name, value string) []byte {
	b = append(append(b, name...), ':')
	b = append(strconv.AppendInt(b, int64(len(value)), 10), ':')
	return append(append(b, value...), '\n')
}

// numberField, dateField and instantField are field without a text in between: a long book has millions of them.
func numberField(b []byte, name string, n int64) []byte {
	var text [20]byte
	return valueField(b, name, strconv.AppendInt(text[:0], n, 10))
}

func dateField(b []byte, name string, d Date) []byte {
	var text [len(dateLayout)]byte
	return valueField(b, name, d.appendTo(text[:0]))
}

func instantField(b []byte, name string, t time.Time) []byte {
	var text [len(recordedAtLayout)]byte
	return valueField(b, name, appendInstant(text[:0], t))
}

func valueField(b []byte, name string, value []byte) []byte {
	b = append(append(b, name...), ':')
	b = append(strconv.AppendInt(b, int64(len(value)), 10), ':')
	return append(append(b, value...), '\n')
}

// nextInstant gives the time that the next entry is recorded at: now, or the previous entry's time when the clock went
// back, in UTC and microseconds.
func nextInstant(now, previous time.Time) time.Time {
	now = now.UTC().Truncate(time.Microsecond)
	if now.Before(previous) {
		return previous.UTC()
	}
	return now
}
