package broker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// session is the work with one connection. When that is lost, what was taken by it comes again on another.
type session struct {
	Config
	receive Receive
	log     *teller
	js      jetstream.JetStream
	worked  bool // the broker could be worked with
}

var errConnectionLost = errors.New("the connection is lost")

// run takes messages until ctx ends, or the broker cannot be worked with.
func (s *session) run(ctx context.Context) error {
	connected, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	conn, err := nats.Connect(s.URL, nats.Name("daybook"), nats.NoReconnect(),
		nats.ClosedHandler(func(*nats.Conn) { lose(errConnectionLost) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { lose(err) }))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close()
	if s.js, err = jetstream.New(conn); err != nil {
		return err
	}
	stream, err := s.stream(connected)
	if err == nil {
		err = s.consume(connected, stream)
	}
	// What was acknowledged must be out before the connection is closed.
	_ = conn.FlushTimeout(time.Second)
	if cause := context.Cause(connected); cause != nil {
		return cause
	}
	return err
}

// consume takes messages of every book there is, and looks for new ones now and then.
func (s *session) consume(ctx context.Context, stream jetstream.Stream) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		begun := map[string]bool{}
		for ; ctx.Err() == nil; rest(ctx, s.LookEvery) {
			books, err := s.Books(ctx)
			if err != nil {
				s.tell(ctx, "books", "the books that messages are taken for could not be looked up", err)
				continue
			}
			s.log.well("books")
			for _, book := range books {
				if begun[book] {
					continue
				}
				consumer, err := s.consumer(ctx, book)
				if err != nil {
					return err
				}
				begun[book] = true
				group.Go(func() error { return s.deliver(ctx, book, consumer) })
			}
			if err := s.tellStrangers(ctx, stream, begun); err != nil {
				return err
			}
			s.worked = true
			s.log.well("")
		}
		return nil
	})
	return group.Wait()
}

// tell tells of a trouble, unless it is that of a process that stops.
func (s *session) tell(ctx context.Context, about, what string, err error) {
	if ctx.Err() == nil {
		s.log.trouble(about, what, err)
	}
}
