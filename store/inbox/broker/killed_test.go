package broker_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"daybook/store/inbox"
)

// Two processes take from the broker. The first is cut off for good while it has the message in hand.

func TestConsume_KilledBetweenCommitAndAcknowledgement(t *testing.T) {
	t.Parallel()
	b, line := setup(t), &line{}
	b.consume(t, line.to(t, b.server.URL()), func(ctx context.Context, book string, m inbox.Message) error {
		err := b.receive(ctx, book, m)
		line.cut()
		return err
	})
	b.publish(t, "daybook.main.inbox", message("m1"))
	b.await(t, 1)
	b.consume(t, b.server.URL(), b.receive)
	b.await(t, 1)
	b.eventually(t, func() bool { return b.pending(t, "main") == 0 })
	if len(b.messages) != 1 || b.times["main/shop/m1"] != 2 {
		t.Errorf("%d effects of deliveries %v", len(b.messages), b.times)
	}
}

func TestConsume_KilledBetweenReceiveAndCommit(t *testing.T) {
	t.Parallel()
	b, line := setup(t), &line{}
	killed := make(chan struct{})
	b.consume(t, line.to(t, b.server.URL()), func(context.Context, string, inbox.Message) error {
		line.cut()
		close(killed)
		return errors.New("killed before it was committed")
	})
	b.publish(t, "daybook.main.inbox", message("m1"))
	<-killed
	b.consume(t, b.server.URL(), b.receive)
	b.await(t, 1)
	b.eventually(t, func() bool { return b.pending(t, "main") == 0 })
	if len(b.messages) != 1 || b.times["main/shop/m1"] != 1 {
		t.Errorf("%d effects of deliveries %v", len(b.messages), b.times)
	}
}

func TestConsume_ComesBackAfterItsConnectionWasCut(t *testing.T) {
	t.Parallel()
	b, line := setup(t), &line{}
	cut := sync.OnceFunc(line.cutOnce)
	b.consume(t, line.to(t, b.server.URL()), func(ctx context.Context, book string, m inbox.Message) error {
		err := b.receive(ctx, book, m)
		cut()
		return err
	})
	b.publish(t, "daybook.main.inbox", message("m1"))
	b.await(t, 2)
	b.eventually(t, func() bool { return b.pending(t, "main") == 0 })
	if len(b.messages) != 1 || b.times["main/shop/m1"] != 2 {
		t.Errorf("%d effects of deliveries %v", len(b.messages), b.times)
	}
}

// line is a connection to the broker that can be cut.
type line struct {
	mu       sync.Mutex
	listener net.Listener
	ends     []net.Conn
}

// to opens the line and gives its own address.
func (l *line) to(t *testing.T, url string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	l.listener = listener
	t.Cleanup(l.cut)
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", strings.TrimPrefix(url, "nats://"))
			if err != nil {
				near.Close()
				return
			}
			l.mu.Lock()
			l.ends = append(l.ends, near, far)
			l.mu.Unlock()
			go func() { _, _ = io.Copy(near, far) }()
			go func() { _, _ = io.Copy(far, near) }()
		}
	}()
	return "nats://" + listener.Addr().String()
}

// cutOnce cuts what is connected; another connection may follow.
func (l *line) cutOnce() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, end := range l.ends {
		end.Close()
	}
}

func (l *line) cut() {
	l.listener.Close()
	l.cutOnce()
}
