package inbox

import (
	"context"
	"net/http"
)

// Webhook reads what a gateway sends by itself. Read gives its messages, each once for ever by source and id; one that is signed but cannot be read
// is a message with Unreadable. Errors: KindUnauthenticated for what the gateway did not sign, or signed too long ago.
type Webhook interface {
	Read(ctx context.Context, header http.Header, body []byte) ([]Message, error)
}
