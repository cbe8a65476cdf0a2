package stripe

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

// tolerance is how old, or how far ahead of our clock, a signature may be: what was overheard cannot be sent again later.
const tolerance = 5 * time.Minute

// Webhook reads what Stripe sends.
type Webhook struct{ gateway *Gateway }

var _ inbox.Webhook = (*Webhook)(nil)

// Webhook gives the reader.
func (g *Gateway) Webhook() *Webhook { return &Webhook{gateway: g} }

// reading is of one event that came to the address of a book. The ids of payments are those of a book, so that an event about a payment of another must
// not be taken for one of its own.
type reading struct {
	gateway *Gateway
	book    string
}

// event is a Stripe event: its object never changes, whatever is delivered around it.
type event struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Data struct {
		Object json.RawMessage `json:"object"`
	} `json:"data"`
}

// Read is as inbox.Webhook says.
func (w *Webhook) Read(ctx context.Context, bookCode string, header http.Header, body []byte) (messages []inbox.Message, err error) {
	if err := w.signed(header.Get("Stripe-Signature"), body); err != nil {
		return nil, err
	}
	var e event
	if err := json.Unmarshal(body, &e); err != nil || !e.named() {
		return []inbox.Message{unnamed(body)}, nil
	}
	defer func() {
		if recover() != nil { // as in bounded
			messages, err = []inbox.Message{e.unreadable(ledger.Refuse(ledger.KindInvalid, "it cannot be understood"))}, nil
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, w.gateway.config.Timeout)
	defer cancel()
	messages, err = reading{w.gateway, bookCode}.translate(ctx, e)
	var refusal *ledger.Error
	if errors.As(err, &refusal) && refusal.Kind == ledger.KindInvalid {
		return []inbox.Message{e.unreadable(refusal)}, nil
	}
	return messages, err
}

// signed judges the signature by the library, and its age by our clock, which the library does not take. Error: KindUnauthenticated.
func (w *Webhook) signed(signature string, body []byte) error {
	refusal := ledger.Refuse(ledger.KindUnauthenticated, "this was not signed by Stripe with the secret of this webhook")
	if w.gateway.config.WebhookSecret == "" {
		return refusal.At("Stripe-Signature", "cannot be judged: no secret of the webhook is configured")
	}
	switch err := webhook.ValidatePayloadIgnoringTolerance(body, signature, w.gateway.config.WebhookSecret); {
	case errors.Is(err, webhook.ErrNotSigned):
		return refusal.At("Stripe-Signature", "is missing")
	case errors.Is(err, webhook.ErrInvalidHeader):
		return refusal.At("Stripe-Signature", "cannot be read")
	case err != nil:
		return refusal.At("Stripe-Signature", "is wrong")
	}
	if age := w.gateway.config.Now().Sub(signedAt(signature)); age > tolerance || age < -tolerance {
		return refusal.At("Stripe-Signature", "is not of the last %d minutes", int(tolerance.Minutes()))
	}
	return nil
}

// signedAt is the time in a signature that was found right: the last, as the library takes it.
func signedAt(signature string) (at time.Time) {
	for pair := range strings.SplitSeq(signature, ",") {
		if seconds, is := strings.CutPrefix(pair, "t="); is {
			unix, _ := strconv.ParseInt(seconds, 10, 64)
			at = time.Unix(unix, 0)
		}
	}
	return at
}

// named reports whether an event has an id and a type that can be those of a message.
func (e event) named() bool {
	return plain(e.ID) && plain(e.Type) && len(e.ID) <= maxIDRunes && len(unknownType(e.Type)) <= inbox.MaxTypeRunes
}

// maxIDRunes leaves room for what is added where one event gives several messages.
const maxIDRunes = inbox.MaxIDRunes / 2

// plain reports whether a text is as Stripe writes its names and keys: ASCII without spaces.
func plain(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

func unknownType(stripes string) string { return Name + "." + stripes }

// unnamed is the message for what Stripe signed and is no event: named by what it says, so that it is the same when it comes again.
func unnamed(body []byte) inbox.Message {
	text, _ := json.Marshal(string(body)) // a string is always JSON
	return inbox.Message{
		Source: Name, ID: fmt.Sprintf("unreadable-%x", sha256.Sum256(body)), Type: unknownType("unreadable"), Data: text,
		Unreadable: ledger.Refuse(ledger.KindInvalid, "Stripe signed it, but it is not an event of Stripe's: it has no id and type"),
	}
}

// unknown is the message for an event of a kind that Daybook does not know.
func (e event) unknown() inbox.Message {
	return inbox.Message{Source: Name, ID: e.ID, Type: unknownType(e.Type), Data: e.object()}
}

// unreadable is the message for an event of which nothing can be made.
func (e event) unreadable(why *ledger.Error) inbox.Message {
	m := e.unknown()
	m.Data, _ = json.Marshal(string(m.Data)) // a string is always JSON
	m.Unreadable = why
	return m
}

// object is what the event is about, without the secret by which the payer's browser may act on a payment intent.
func (e event) object() json.RawMessage {
	var members map[string]any
	decoder := json.NewDecoder(bytes.NewReader(e.Data.Object))
	decoder.UseNumber()
	if err := decoder.Decode(&members); err != nil || members == nil {
		return json.RawMessage("{}")
	}
	delete(members, "client_secret")
	text, err := json.Marshal(members)
	if err != nil {
		return json.RawMessage("{}")
	}
	return text
}
