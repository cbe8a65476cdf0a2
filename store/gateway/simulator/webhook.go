package simulator

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

// Webhook reads what the simulator sends by itself.
type Webhook struct {
	secret string
	now    func() time.Time
}

// tolerance is how old, or how far ahead of our clock, a signature may be.
const tolerance = 5 * time.Minute

// NewWebhook returns the reader of webhooks that are signed with a secret. Without a secret nothing counts as signed.
func NewWebhook(secret string, now func() time.Time) *Webhook {
	return &Webhook{secret: secret, now: now}
}

// Read is as inbox.Webhook says. A message that does not say its book is about the one at whose address it came in.
func (w *Webhook) Read(_ context.Context, bookCode string, header http.Header, body []byte) ([]inbox.Message, error) {
	if err := w.verify(header, body); err != nil {
		return nil, err
	}
	m, err := inbox.Read(body)
	if err == nil && m.Source != Name {
		err = ledger.Refuse(ledger.KindInvalid, "the simulator speaks for itself only").At("source", "must be %s", Name)
	}
	if book := header.Get(BookHeader); err == nil && book != "" && book != bookCode {
		err = ledger.Refuse(ledger.KindInvalid, "it is about a payment of another book: write {book} into the address that the simulator sends to").At(BookHeader, "is %s", book)
	}
	if err != nil {
		return unreadable(body, err), nil
	}
	return []inbox.Message{m}, nil
}

// unreadable keeps what was signed and cannot be read, under a name made of what came.
func unreadable(body []byte, err error) []inbox.Message {
	sum := sha256.Sum256(body)
	return []inbox.Message{inbox.Unreadable(Name, "unreadable-"+hex.EncodeToString(sum[:16]), body, err)}
}

// verify looks at the signature before at anything else: t=<seconds since 1970>,v1=<hex>, of which v1 may come more than once.
func (w *Webhook) verify(header http.Header, body []byte) error {
	var at string
	var given []string
	for part := range strings.SplitSeq(header.Get(SignatureHeader), ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			at = value
		case "v1":
			given = append(given, value)
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if w.secret == "" || err != nil {
		return ledger.Refuse(ledger.KindUnauthenticated, "the message is not signed").At(SignatureHeader, "must be t=<time>,v1=<signature>")
	}
	want := signatureOf(w.secret, at, header.Get(BookHeader), body)
	for _, text := range given {
		if sum, err := hex.DecodeString(text); err != nil || !hmac.Equal(sum, want) {
			continue
		}
		if age := w.now().Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
			return ledger.Refuse(ledger.KindUnauthenticated, "the message was not signed in the last %d minutes", int(tolerance.Minutes())).
				At(SignatureHeader, "is of another time: send the message again with a new signature")
		}
		return nil
	}
	return ledger.Refuse(ledger.KindUnauthenticated, "the message is signed with another secret, or was changed").At(SignatureHeader, "does not fit the message")
}

// Sign is the signature of a message about a book, "" where it does not say, that is sent at some time.
func Sign(secret string, at time.Time, book string, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	return "t=" + seconds + ",v1=" + hex.EncodeToString(signatureOf(secret, seconds, book, body))
}

// signatureOf signs the book too: a message is not to be taken to another.
func signatureOf(secret, seconds, book string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(seconds + "." + book + "."))
	mac.Write(body)
	return mac.Sum(nil)
}
