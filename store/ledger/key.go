package ledger

import (
	"fmt"
	"strings"
)

// CheckKey gives the idempotency key of a header value, quoted (RFC 8941 string) or bare: 1 to 255 printable ASCII
// characters. Errors: KindKeyMissing for an empty value, KindKeyInvalid.
func CheckKey(value string) (string, error) {
	if value == "" {
		return "", Refuse(KindKeyMissing, "this request needs the header Idempotency-Key")
	}
	key := value
	if strings.HasPrefix(value, `"`) {
		inner, ok := unquoteKey(value)
		if !ok {
			return "", Refuse(KindKeyInvalid, "the Idempotency-Key begins with a quote and does not end with one")
		}
		key = inner
	}
	if len(key) < 1 || len(key) > 255 {
		return "", Refuse(KindKeyInvalid, "an Idempotency-Key has 1 to 255 characters, this one %d", len(key))
	}
	for _, c := range []byte(key) {
		if c < 0x20 || c > 0x7e {
			return "", Refuse(KindKeyInvalid, "an Idempotency-Key has printable ASCII characters only")
		}
	}
	return key, nil
}

func unquoteKey(value string) (string, bool) {
	if len(value) < 2 || !strings.HasSuffix(value, `"`) {
		return "", false
	}
	var b strings.Builder
	inner := value[1 : len(value)-1]
	for i := 0; i < len(inner); i++ {
		if inner[i] == '"' {
			return "", false
		}
		if inner[i] == '\\' {
			i++
			if i == len(inner) || (inner[i] != '"' && inner[i] != '\\') {
				return "", false
			}
		}
		b.WriteByte(inner[i])
	}
	return b.String(), true
}

// EntryFields gives the content of an entry by field path, to say which fields of two requests differ.
func EntryFields(e Entry) map[string]string {
	fields := map[string]string{"tx_id": e.TxID, "effective_on": e.EffectiveOn.String(), "description": e.Description}
	for i, p := range e.Postings {
		fields[postingField(i, "account")] = p.Account
		fields[postingField(i, "amount")] = fmt.Sprint(p.AmountMinor)
		fields[postingField(i, "currency")] = p.Currency
	}
	for key, value := range e.Metadata {
		fields["metadata."+key] = value
	}
	return fields
}

// KeyReused explains a key that comes again for another operation, or with other content: which fields differ, and who
// used it first, when and for which entry. Its cause is the Clash.
func KeyReused(key string, use KeyUse, operation string, sent map[string]string) error {
	err := Refuse(KindKeyReused, "idempotency key %q was used before for something else; use a new key for a new request", key)
	first, content := map[string]any{"by": use.UsedBy, "at": FormatInstant(use.SettledAt), "operation": use.Operation}, use.Content
	if use.Record != nil {
		first["seq"], first["tx_id"] = use.Record.Seq, use.Record.TxID
		content = EntryFields(use.Record.Entry)
	}
	err.With("first", first)
	err.Err = &Clash{Key: key, First: use, FirstSent: content, Operation: operation, Sent: sent}
	if use.Operation != operation {
		return err.At("operation", "the first use was %s, this one is %s", use.Operation, operation)
	}
	err.addDifferences(content, sent)
	return err
}

// addDifferences names each field whose first and sent values differ, in order of their names.
func (e *Error) addDifferences(first, sent map[string]string) {
	for _, name := range namesOf(first, sent) {
		before, had := first[name]
		now, has := sent[name]
		switch {
		case had && !has:
			e.At(name, "was %q the first time, now absent", before)
		case has && !had:
			e.At(name, "is %q now, absent the first time", now)
		case before != now:
			e.At(name, "was %q the first time, now %q", before, now)
		}
	}
}
