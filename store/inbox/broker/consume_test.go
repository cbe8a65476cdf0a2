package broker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"daybook/store/inbox"
	"daybook/store/inbox/broker"
	"daybook/store/inbox/broker/local"
	"daybook/store/ledger"
)

func message(id string) string {
	return fmt.Sprintf(`{"source":"shop","message_id":%q,"type":"entry.post","data":{"tx_id":%q}}`, id, id)
}

func TestConsume_HandsOverWhatIsDeliveredThreeTimes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.consume(t, b.server.URL(), b.receive)
	b.consume(t, b.server.URL(), b.receive) // a second process
	const messages = 50
	for range 3 {
		for i := range messages {
			b.publish(t, "daybook.main.inbox", message(fmt.Sprint("m", i)))
		}
	}
	b.await(t, 3*messages)
	if len(b.messages) != messages {
		t.Errorf("%d messages had an effect", len(b.messages))
	}
	for name, times := range b.times {
		if times != 3 {
			t.Errorf("%s was handed over %d times", name, times)
		}
	}
	b.eventually(t, func() bool { return b.pending(t, "main") == 0 })
	if m := b.messages["main/shop/m7"]; m.Type != "entry.post" || string(m.Data) != `{"tx_id":"m7"}` || m.Unreadable != nil {
		t.Errorf("a message came as %+v", m)
	}
}

func TestConsume_HasAMessageComeAgainUntilItIsRecorded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var tries atomic.Int64
	b.consume(t, b.server.URL(), func(ctx context.Context, book string, m inbox.Message) error {
		switch tries.Add(1) {
		case 1, 2:
			return &ledger.Error{Kind: ledger.KindBusy, Message: "the database is away", Err: fmt.Errorf("in many words: %d", tries.Load())}
		case 3:
			panic("it is a fault of the program")
		}
		return b.receive(ctx, book, m)
	})
	b.publish(t, "daybook.main.inbox", message("m1"))
	b.await(t, 1)
	b.eventually(t, func() bool { return b.pending(t, "main") == 0 })
	if tries.Load() != 4 {
		t.Errorf("it was tried %d times", tries.Load())
	}
	for _, trouble := range []string{"the database is away", "broke the program: it is a fault of the program"} {
		if told := strings.Count(b.log.String(), trouble); told != 1 {
			t.Errorf("%q was told %d times:\n%s", trouble, told, b.log)
		}
	}
}

func TestConsume_KeepsWhatIsRefusedAsUnreadable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.consume(t, b.server.URL(), func(ctx context.Context, book string, m inbox.Message) error {
		if m.Unreadable == nil {
			return ledger.Refuse(ledger.KindMessageReused, "known with other data")
		}
		return b.receive(ctx, book, m)
	})
	b.publish(t, "daybook.main.inbox", message("m1"))
	b.await(t, 1)
	m := b.messages["main/nats/DAYBOOK-1"]
	if m.Unreadable == nil || m.Unreadable.Kind != ledger.KindMessageReused || !strings.Contains(string(m.Data), `\"message_id\":\"m1\"`) {
		t.Errorf("kept was %+v", b.messages)
	}
}

func TestConsume_LeavesMessagesForABookThatIsNotThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.consume(t, b.server.URL(), b.receive)
	b.publish(t, "daybook.shop.inbox", message("m1"))
	b.publish(t, "daybook.main.inbox", message("m2"))
	b.await(t, 1)
	b.eventually(t, func() bool { return strings.Contains(b.log.String(), "daybook.shop.inbox") })
	if b.times["main/shop/m2"] != 1 {
		t.Errorf("first came %v", b.times)
	}
	b.open("shop")
	b.await(t, 1)
	if b.times["shop/shop/m1"] != 1 {
		t.Errorf("after the book was made came %v", b.times)
	}
	if told := strings.Count(b.log.String(), "daybook.shop.inbox"); told != 1 {
		t.Errorf("it was told %d times:\n%s", told, b.log)
	}
	if _, err := b.js.Publish(t.Context(), "daybook.main.outbox", []byte(message("m3"))); !errors.Is(err, jetstream.ErrNoStreamResponse) {
		t.Errorf("another subject gave %v", err)
	}
}

func TestConsume_FinishesWhatItHasBegun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	begun, finish := make(chan struct{}), make(chan struct{})
	stop := b.consume(t, b.server.URL(), func(ctx context.Context, book string, m inbox.Message) error {
		close(begun)
		<-finish
		return errors.Join(ctx.Err(), b.receive(ctx, book, m))
	})
	b.publish(t, "daybook.main.inbox", message("m1"))
	<-begun
	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()
	select {
	case <-stopped:
		t.Error("it stopped before its work was done")
	default:
	}
	close(finish)
	<-stopped
	if b.times["main/shop/m1"] != 1 || b.pending(t, "main") != 0 {
		t.Errorf("recorded was %v, and %d are pending", b.times, b.pending(t, "main"))
	}
}

func TestConsume_WaitsForABrokerThatIsAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	dir := t.TempDir()
	first, err := local.Start(dir, 0)
	ok(t, err)
	url, port := first.URL(), first.Port()
	first.Stop()
	b.consume(t, url, b.receive)
	b.eventually(t, func() bool { return strings.Contains(b.log.String(), "the broker is away") })
	for restart := range 3 {
		server, err := local.Start(dir, port)
		ok(t, err)
		b.js = connect(t, url)
		b.publish(t, "daybook.main.inbox", message(fmt.Sprint("m", restart)))
		b.await(t, 1)
		b.eventually(t, func() bool { return b.pending(t, "main") == 0 })
		server.Stop()
	}
	if len(b.messages) != 3 {
		t.Errorf("recorded was %v", b.messages)
	}
}

func TestConsume_TakesAStreamAsItIs(t *testing.T) {
	t.Parallel()
	for subjects, fits := range map[string]bool{"daybook.>": true, "daybook.*.inbox": true, "daybook.main.inbox": false, "daybook.*": false, "daybook.*.*.inbox": false} {
		b := setup(t)
		_, err := b.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "DAYBOOK", Subjects: []string{subjects}, Storage: jetstream.MemoryStorage})
		ok(t, err)
		stop := b.consume(t, b.server.URL(), b.receive)
		if fits {
			b.publish(t, "daybook.main.inbox", message("m1"))
			b.await(t, 1)
		} else {
			b.eventually(t, func() bool { return strings.Contains(b.log.String(), "add daybook.*.inbox to them") })
		}
		stop()
		stream, err := b.js.Stream(t.Context(), "DAYBOOK")
		ok(t, err)
		if config := stream.CachedInfo().Config; config.Storage != jetstream.MemoryStorage || len(config.Subjects) != 1 || config.Subjects[0] != subjects {
			t.Errorf("the stream is now %+v", config)
		}
	}
}

func TestConsume_RefusesAnAddressThatIsNone(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "localhost:4222", "http://localhost:4222", "nats://a:1,b", "nats://"} {
		if err := broker.Consume(t.Context(), broker.Config{URL: url}, nil); ledger.KindOf(err) != ledger.KindInvalid {
			t.Errorf("%q gave %v", url, err)
		}
	}
}
