package inbox

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"daybook/store/ledger"
)

// beginningBytes are kept of what is too large to be kept.
const beginningBytes = 1000

// BrokerSource is the source of what came by the broker and could not be read, and so has no source of its own.
const BrokerSource = "nats"

// UnreadableType is the type of a message that could not be read.
const UnreadableType = "unreadable"

// Unreadable is the message for what came and could not be read, under the name by which whoever carried it knows it: it is kept, with the
// reason, for a person to look at. Of what is larger than MaxBytes only the beginning, the size and the SHA-256 are kept.
func Unreadable(source, id string, came []byte, why error) Message {
	var refusal *ledger.Error
	if !errors.As(why, &refusal) {
		refusal = ledger.Refuse(ledger.KindInvalid, "the message could not be read")
	}
	data, err := encode(asText(came))
	if err != nil { // a text can always be written
		data = []byte(`""`)
	}
	return Message{Source: source, ID: id, Type: UnreadableType, Data: data, Unreadable: refusal}
}

// asText gives what came as a text from which it can be told byte by byte.
func asText(came []byte) string {
	switch {
	case len(came) > MaxBytes:
		beginning := strings.ToValidUTF8(string(came[:beginningBytes]), "�")
		return fmt.Sprintf("%s… (the beginning of %d bytes, whose SHA-256 is %x)", beginning, len(came), sha256.Sum256(came))
	case !utf8.Valid(came):
		return strconv.Quote(string(came))
	}
	return string(came)
}
