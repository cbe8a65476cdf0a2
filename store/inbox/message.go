package inbox

import (
	"crypto/sha256"
	"encoding/json"

	"daybook/store/ledger"
	"daybook/store/strictjson"
)

// Way is how a message came in.
type Way string

// The ways in.
const (
	ByAPI         Way = "api"
	ByCloudEvents Way = "cloudevents"
	ByWebhook     Way = "webhook"
	ByBroker      Way = "broker"
	ByFile        Way = "file"
)

// Message is something that happened elsewhere. Source and ID name it for ever in a book: delivered again it has the same data. Data is a JSON
// object; of a message that could not be read it is what came, as a JSON string, and Unreadable says why.
type Message struct {
	Source     string          `json:"source"`
	ID         string          `json:"message_id"`
	Type       string          `json:"type"`
	Data       json.RawMessage `json:"data"`
	Unreadable *ledger.Error   `json:"-"`
}

// Limits of a message.
const (
	MaxBytes       = 1 << 20
	MaxSourceRunes = 100
	MaxIDRunes     = 255
	MaxTypeRunes   = 100
)

// Checked gives a message in the form in which it is kept, and the hash by which it is known again. Errors: KindInvalid, which names every field at
// fault, KindTooLarge.
func (m Message) Checked() (Message, [sha256.Size]byte, error) {
	faults := &faults{ledger.Refuse(ledger.KindInvalid, "the message has fields that cannot be read")}
	names := map[string]any{"source": m.Source, "message_id": m.ID, "type": m.Type}
	faults.id(names, "source", MaxSourceRunes)
	faults.id(names, "message_id", MaxIDRunes)
	faults.id(names, "type", MaxTypeRunes)
	document, err := strictjson.Read("data", m.Data)
	if err != nil {
		return Message{}, [sha256.Size]byte{}, err
	}
	for _, path := range document.Twice {
		faults.at(strictjson.Join("data", path), "is given twice")
	}
	if m.Unreadable == nil {
		faults.data(document.Value)
	}
	if err := faults.err.OrNil(); err != nil {
		return Message{}, [sha256.Size]byte{}, err
	}
	if m.Data, err = encode(document.Value); err == nil && m.Unreadable == nil && len(m.Data) > MaxBytes {
		err = TooLarge(int64(len(m.Data)))
	}
	return m, sha256.Sum256(m.Data), err
}
