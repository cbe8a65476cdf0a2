package inbox

import (
	"encoding/json"

	"daybook/store/ledger"
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
