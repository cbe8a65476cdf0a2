package broker_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

func TestConsume_KeepsWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.consume(t, b.server.URL(), b.receive)
	large := `{"source":"shop","message_id":"m","type":"entry.post","data":{"a":"` + strings.Repeat("x", 10<<20) + `"}}`
	bodies := []string{`{"source":"shop"`, `{"message_id":"m","type":"entry.post","data":{}}`, "\xff\x00", "", large}
	for i, body := range bodies {
		var options []jetstream.PublishOpt
		if i == 1 {
			options = append(options, jetstream.WithMsgID("from the sender"))
		}
		b.publish(t, "daybook.main.inbox", body, options...)
	}
	b.await(t, len(bodies))
	for name, want := range map[string][2]string{
		"DAYBOOK-1":       {"invalid: the message is not JSON: it ends too early", bodies[0]},
		"from the sender": {"invalid: the message has fields that cannot be read; source: is missing", bodies[1]},
		"DAYBOOK-3":       {"invalid: the message is not valid UTF-8", `"\xff\x00"`},
		"DAYBOOK-4":       {"invalid: the message is empty", ""},
		"DAYBOOK-5": {fmt.Sprintf("too-large: the message has %d bytes, and at most 1048576 are taken: the whole of it is message 5 of the stream DAYBOOK", len(large)),
			fmt.Sprintf("%s… (the beginning of %d bytes, whose SHA-256 is %x)", large[:1000], len(large), sha256.Sum256([]byte(large)))},
	} {
		m := b.messages["main/nats/"+name]
		var text string
		if err := json.Unmarshal(m.Data, &text); err != nil || m.Unreadable == nil || m.Unreadable.Error() != want[0] || text != want[1] {
			t.Errorf("%s came as %v with %.2000q (%v)", name, m.Unreadable, text, err)
		}
		if _, _, err := inbox.Canonical(m.Data); err != nil {
			t.Errorf("%s has data without a canonical form: %v", name, err)
		}
	}
	b.eventually(t, func() bool { return b.pending(t, "main") == 0 })
	if kind := b.messages["main/nats/DAYBOOK-5"].Unreadable.Kind; kind != ledger.KindTooLarge {
		t.Errorf("one that is too large is %s", kind)
	}
}
