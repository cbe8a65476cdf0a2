package inbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"daybook/store/ledger"
	"daybook/store/strictjson"
)

// Canonical gives the one form of the data of a message, and its SHA-256, by which a message that comes again is known to be the same: without
// space, members in the order of their names' bytes, each character written one way. Numbers stay as they were written, so that 1, 1.0 and 1e0
// are three: what is money must not be the same by rounding, and whoever repeats a message writes it as before. Error: KindInvalid for what is
// not JSON or gives a member twice.
func Canonical(data json.RawMessage) ([]byte, [sha256.Size]byte, error) {
	document, err := strictjson.Read("data", data)
	if err != nil {
		return nil, [sha256.Size]byte{}, err
	}
	if len(document.Twice) > 0 {
		return nil, [sha256.Size]byte{}, ledger.Refuse(ledger.KindInvalid, "the data gives a field twice").At(document.Twice[0], "is given twice")
	}
	canonical, err := encode(document.Value)
	return canonical, sha256.Sum256(canonical), err
}

// encode writes a value that was read strictly.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("write the data of a message: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
