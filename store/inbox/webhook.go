package inbox

import (
	"context"
	"net/http"
)

// Webhook reads what a gateway sends by itself to the address of a book. Read gives its messages, each once for ever by source and id, none where it
// tells nothing; one that is signed but cannot be read, or is about another book, is a message with Unreadable. Errors: KindUnauthenticated for what the
// gateway did not sign, or signed too long ago; KindBusy where the gateway has to be asked for more and does not answer: it sends again.
type Webhook interface {
	Read(ctx context.Context, bookCode string, header http.Header, body []byte) ([]Message, error)
}
