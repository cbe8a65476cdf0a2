package story_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"daybook/store/gateway/simulator"
)

// letter is a message on its way. data is a JSON object.
type letter struct{ source, id, kind, data string }

// deposited is a letter that posts an entry of 30.50 under its own name.
func deposited(source, id string) letter {
	return letter{source, id, "entry.post", deposit(source+" "+id, 3050)}
}

func (l letter) String() string {
	return fmt.Sprintf(`{"source":%q,"message_id":%q,"type":%q,"data":%s}`, l.source, l.id, l.kind, l.data)
}

// event is the letter as a CloudEvent.
func (l letter) event() string {
	return fmt.Sprintf(`{"specversion":"1.0","source":%q,"id":%q,"type":%q,"datacontenttype":"application/json","data":%s}`, l.source, l.id, l.kind, l.data)
}

// postbox takes letters in every way there is.
type postbox struct {
	program
	js     jetstream.JetStream
	secret string // that webhooks are signed with
}

// openPostbox is the demo, which has a broker and a processor of its own.
func openPostbox(t *testing.T) postbox {
	t.Helper()
	dir := emptyDemo.copied(t)
	lines := startDemoIn(t, dir, "--empty").lines
	secret, err := os.ReadFile(filepath.Join(dir, "simulator.secret"))
	ok(t, err)
	return postbox{program{url: lines["ready"], database: lines["database"]}, streamAt(t, lines["nats"]), strings.TrimSpace(string(secret))}
}

// streamAt is a connection to a broker from which a server takes messages.
func streamAt(t *testing.T, url string) jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(url)
	ok(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	ok(t, err)
	for wait := firstPause; ; wait = min(2*wait, longestPause) {
		if _, err := js.Consumer(t.Context(), "DAYBOOK", "daybook-main"); err == nil {
			return js
		}
		ok(t, t.Context().Err())
		pause(t, wait)
	}
}

// byAPI and those that follow deliver what may be a letter, and give the answer.
func (b postbox) byAPI(t *testing.T, body string) (answer, error) {
	return b.as("preparer").try(t, http.MethodPost, "/inbox", body)
}

func (b postbox) byEvent(t *testing.T, body string) (answer, error) {
	return b.as("preparer").with("Content-Type", "application/cloudevents+json").try(t, http.MethodPost, "/inbox", body)
}

func (b postbox) byWebhook(t *testing.T, body string) (answer, error) {
	return b.bySigned(t, simulator.Sign(b.secret, time.Now(), "", []byte(body)), body)
}

func (b postbox) bySigned(t *testing.T, signature, body string) (answer, error) {
	return client{url: b.url + "/api/v1/books/main"}.with(simulator.SignatureHeader, signature).try(t, http.MethodPost, "/webhooks/simulator", body)
}

// byBroker returns when the broker has it.
func (b postbox) byBroker(t *testing.T, body string) {
	t.Helper()
	_, err := b.js.Publish(t.Context(), "daybook.main.inbox", []byte(body))
	ok(t, err)
}

// byFile replays lines.
func (b postbox) byFile(t *testing.T, lines ...string) outcome {
	t.Helper()
	file := filepath.Join(t.TempDir(), "messages.ndjson")
	ok(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return b.run(t, "replay", file, "--book", "main", "--as", "preparer@demo.test")
}

// kept is a message as the inbox shows it; nil for none.
func (b postbox) kept(t *testing.T, source, id string) object {
	t.Helper()
	a := b.as("viewer").get(t, "/inbox/"+source+"/"+id)
	if a.status == http.StatusNotFound {
		return nil
	}
	return a.want(t, http.StatusOK)
}

// takesAll waits until the broker has nothing more to deliver, and its deliveries are acknowledged.
func (b postbox) takesAll(t *testing.T) {
	t.Helper()
	limit := time.Now().Add(quietLimit)
	for wait := firstPause; ; wait = min(2*wait, longestPause) {
		consumer, err := b.js.Consumer(t.Context(), "DAYBOOK", "daybook-main")
		ok(t, err)
		if info := consumer.CachedInfo(); info.NumPending+uint64(info.NumAckPending) == 0 {
			return
		} else if time.Now().After(limit) {
			t.Fatalf("the broker still has messages: %+v", info)
		}
		pause(t, wait)
	}
}

// resultOf reads what a letter came to; a webhook answers with a list.
func resultOf(a answer) string {
	var body struct {
		Result  string
		Results []struct{ Result string }
	}
	if a.status != http.StatusOK || json.Unmarshal([]byte(a.body), &body) != nil {
		return fmt.Sprint(a.status)
	}
	if len(body.Results) == 1 {
		return body.Results[0].Result
	}
	return body.Result
}
