package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Limits of an entry, and of the name of a person, an account or another record.
const (
	MaxPostings  = 5000
	MaxNameRunes = 200

	maxMetadataKeys     = 50
	maxMetadataKeyRunes = 100
	maxMetadataRunes    = 1000
	maxTxIDRunes        = 255
	maxTextRunes        = 2000
)

// Posting is a line of an entry: an account and a signed amount in minor units, debit > 0 and credit < 0.
type Posting struct {
	Account     string
	AmountMinor int64
	Currency    string
}

// Entry is what a client asks to record: one balanced movement with the business's own id.
type Entry struct {
	TxID        string
	EffectiveOn Date
	Description string
	Postings    []Posting
	Metadata    map[string]string
}

// EntryKind says what an entry is to others.
type EntryKind string

// The kinds of entry.
const (
	PlainEntry  EntryKind = "entry"
	Reversal    EntryKind = "reversal"
	Replacement EntryKind = "replacement"
	Adjustment  EntryKind = "adjustment"
)

// Record is an entry as it stands in the journal. Reverses, Replaces and ApprovalID are 0 where there is none. Hash is
// over PrevHash and the canonical encoding of all the rest (see Encode).
type Record struct {
	Entry
	Book       string
	Seq        int64
	Kind       EntryKind
	RecordedAt time.Time
	RecordedBy int64
	Reason     string
	ApprovalID int64
	Reverses   int64
	Part       int
	Replaces   int64
	PrevHash   Hash
	Hash       Hash
}

// Check refuses an entry that breaks a rule by itself, whatever the book holds, naming each field at fault. Errors:
// KindInvalid, KindTooFewPostings, KindZeroAmount, KindAmountOverflow, KindUnbalanced, in this order.
func (e Entry) Check() error {
	invalid := Refuse(KindInvalid, "the entry has fields that cannot be read")
	if fault := txIDFault(e.TxID); fault != "" {
		invalid.At("tx_id", "%s", fault)
	}
	if e.EffectiveOn.IsZero() {
		invalid.At("effective_on", "give the accounting day as YYYY-MM-DD")
	}
	if fault := textFault(e.Description, maxTextRunes, true); fault != "" {
		invalid.At("description", "%s", fault)
	}
	e.checkMetadata(invalid)
	for i, p := range e.Postings {
		if _, known := Exponent(p.Currency); !known {
			invalid.At(postingField(i, "currency"), "%q is not an ISO 4217 currency", p.Currency)
		}
		if p.Account == "" {
			invalid.At(postingField(i, "account"), "give the code of an account")
		}
	}
	if len(e.Postings) > MaxPostings {
		invalid.At("postings", "has %d lines; the most is %d", len(e.Postings), MaxPostings)
	}
	if err := invalid.OrNil(); err != nil {
		return err
	}
	if len(e.Postings) < 2 {
		return Refuse(KindTooFewPostings, "an entry needs at least two postings").At("postings", "has %d", len(e.Postings))
	}
	return e.checkAmounts()
}

func (e Entry) checkAmounts() error {
	zero := Refuse(KindZeroAmount, "a posting of zero says nothing")
	for i, p := range e.Postings {
		if p.AmountMinor == 0 {
			zero.At(postingField(i, "amount"), "is zero: leave the line out or give its amount")
		}
	}
	if err := zero.OrNil(); err != nil {
		return err
	}
	turnover, err := e.turnover()
	if err != nil {
		return err
	}
	unbalanced := Refuse(KindUnbalanced, "debits and credits differ")
	for _, currency := range slices.Sorted(maps.Keys(turnover)) {
		if t := turnover[currency]; t.DebitMinor != t.CreditMinor {
			unbalanced.At("postings", "%s debits are %s and credits %s", currency,
				FormatAmount(t.DebitMinor, currency), FormatAmount(t.CreditMinor, currency))
		}
	}
	return unbalanced.OrNil()
}

// turnover sums debits and credits per currency. Error: KindAmountOverflow.
func (e Entry) turnover() (map[string]Turnover, error) {
	sums := map[string]Turnover{}
	for i, p := range e.Postings {
		sum, ok := sums[p.Currency].Add(p.AmountMinor)
		if !ok {
			return nil, Refuse(KindAmountOverflow, "the debits or credits of the entry are beyond the largest amount").
				At(postingField(i, "amount"), "takes the total of the entry in %s beyond %s", p.Currency, FormatAmount(MaxAmountMinor, p.Currency))
		}
		sums[p.Currency] = sum
	}
	return sums, nil
}

func (e Entry) checkMetadata(invalid *Error) {
	if len(e.Metadata) > maxMetadataKeys {
		invalid.At("metadata", "has %d keys; the most is %d", len(e.Metadata), maxMetadataKeys)
	}
	for _, key := range slices.Sorted(maps.Keys(e.Metadata)) {
		if fault := textFault(key, maxMetadataKeyRunes, true); fault != "" {
			invalid.At("metadata", "key %q %s", key, fault)
		}
		if fault := textFault(e.Metadata[key], maxMetadataRunes, false); fault != "" {
			invalid.At("metadata."+key, "%s", fault)
		}
	}
}

// Turnover is a total of debits and one of credits, both positive, in minor units.
type Turnover struct{ DebitMinor, CreditMinor int64 }

// Add adds a signed amount to its side; ok is false when the side is then beyond MaxAmountMinor.
func (t Turnover) Add(amountMinor int64) (sum Turnover, ok bool) {
	if amountMinor >= 0 {
		t.DebitMinor, ok = Add(t.DebitMinor, amountMinor)
		return t, ok
	}
	credit, ok := Add(-t.CreditMinor, amountMinor)
	t.CreditMinor = -credit
	return t, ok
}

// BalanceMinor is debit - credit. It cannot overflow: both are between 0 and MaxAmountMinor.
func (t Turnover) BalanceMinor() int64 { return t.DebitMinor - t.CreditMinor }

func postingField(i int, name string) string { return fmt.Sprintf("postings[%d].%s", i, name) }

// isUnseen tells characters that show nothing by themselves: spaces, and marks such as the zero-width space or those that turn the
// direction of writing.
func isUnseen(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// textFault says in words what keeps a text from being stored, or "".
func textFault(s string, maxRunes int, required bool) string {
	switch {
	case required && strings.TrimFunc(s, isUnseen) == "":
		return "is missing"
	case !utf8.ValidString(s):
		return "is not valid UTF-8"
	case utf8.RuneCountInString(s) > maxRunes:
		return fmt.Sprintf("is longer than %d characters", maxRunes)
	case strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		return "has control characters"
	}
	return ""
}

// IsName reports whether a text can be the name of a record: there, storable, at most MaxNameRunes long, and read as it is written.
func IsName(s string) bool { return nameFault(s) == "" }

// nameFault is textFault for a name. It stands in lists among others, so that it must not turn their order of reading.
func nameFault(s string) string {
	if fault := textFault(s, MaxNameRunes, true); fault != "" {
		return fault
	}
	if strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || unicode.IsControl(r)
	}) {
		return "has characters that turn the order of reading, or cannot be seen"
	}
	return ""
}

// txIDFault is IDFault for a tx id, which guards the journal for ever.
func txIDFault(id string) string { return IDFault(id, maxTxIDRunes) }

// IDFault says in words what keeps a text from naming something for ever, or "". Two that nobody can tell apart must not be two: it is
// one line without space around it.
func IDFault(id string, maxRunes int) string {
	switch fault := textFault(id, maxRunes, true); {
	case fault != "":
		return fault
	case strings.TrimSpace(id) != id:
		return "begins or ends with a space"
	case strings.ContainsFunc(id, unicode.IsControl):
		return "has control characters"
	case strings.ContainsFunc(id, func(r rune) bool { return unicode.Is(unicode.Cf, r) }):
		return "has characters that cannot be seen"
	}
	return ""
}

// CheckText refuses a text of a request that is missing though required, too long or not storable, as KindInvalid.
func CheckText(field, s string, required bool) error {
	if fault := textFault(s, maxTextRunes, required); fault != "" {
		return Refuse(KindInvalid, "%s %s", field, fault).At(field, "%s", fault)
	}
	return nil
}
