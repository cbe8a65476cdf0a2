package broker_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"daybook/store/inbox"
	"daybook/store/inbox/broker"
	"daybook/store/inbox/broker/local"
)

// bundle is a broker, and what was recorded of its messages.
type bundle struct {
	server *local.Server
	js     jetstream.JetStream
	log    *logs
	*journal
}

func setup(t *testing.T) *bundle {
	t.Helper()
	server, err := local.Start(t.TempDir(), 0)
	ok(t, err)
	t.Cleanup(server.Stop)
	b := &bundle{server: server, journal: newJournal("main"), log: &logs{}}
	b.js = connect(t, server.URL())
	return b
}

func connect(t *testing.T, url string) jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(url)
	ok(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	ok(t, err)
	return js
}

// consume takes messages, as a process does, until the test is over or stop is called; that waits.
func (b *bundle) consume(t *testing.T, url string, receive broker.Receive) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- broker.Consume(ctx, broker.Config{URL: url, AckWait: 500 * time.Millisecond, LookEvery: 10 * time.Millisecond, Books: b.books,
			Log: slog.New(slog.NewTextHandler(b.log, nil))}, receive)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		ok(t, <-ended)
	})
	t.Cleanup(stop)
	return stop
}

// publish publishes a message once the stream is there.
func (b *bundle) publish(t *testing.T, subject, body string, options ...jetstream.PublishOpt) {
	t.Helper()
	b.eventually(t, func() bool {
		_, err := b.js.Publish(t.Context(), subject, []byte(body), options...)
		return err == nil
	})
}

// pending counts what the broker still holds for the consumer of a book: not delivered, or not acknowledged.
func (b *bundle) pending(t *testing.T, book string) uint64 {
	t.Helper()
	consumer, err := b.js.Consumer(t.Context(), "DAYBOOK", "daybook-"+book)
	ok(t, err)
	info := consumer.CachedInfo()
	return info.NumPending + uint64(info.NumAckPending)
}

// eventually asks until it is so.
func (b *bundle) eventually(t *testing.T, so func() bool) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	patience, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !so() {
		select {
		case <-ticker.C:
		case <-patience.Done():
			t.Fatalf("it never came to be so; the log:\n%s", b.log)
		}
	}
}

// journal stands for the books: a message has its effect once.
type journal struct {
	mu       sync.Mutex
	known    []string
	messages map[string]inbox.Message
	order    []string
	times    map[string]int
	arrived  chan struct{}
}

func newJournal(books ...string) *journal {
	return &journal{known: books, messages: map[string]inbox.Message{}, times: map[string]int{}, arrived: make(chan struct{}, 10_000)}
}

func (j *journal) books(context.Context) ([]string, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.known), nil
}

func (j *journal) open(book string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.known = append(j.known, book)
}

func (j *journal) receive(_ context.Context, book string, m inbox.Message) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	name := book + "/" + m.Source + "/" + m.ID
	if j.times[name]++; j.times[name] == 1 {
		j.messages[name] = m
		j.order = append(j.order, name)
	}
	j.arrived <- struct{}{}
	return nil
}

// await waits for so many deliveries.
func (j *journal) await(t *testing.T, deliveries int) {
	t.Helper()
	for range deliveries {
		select {
		case <-j.arrived:
		case <-time.After(time.Minute):
			t.Fatalf("of %d deliveries not all came: %v", deliveries, j.times)
		}
	}
}

// logs is a log that may be read while it is written.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logs) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
