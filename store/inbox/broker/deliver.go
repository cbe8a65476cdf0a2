package broker

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

// deliver takes the messages of a book, a few at a time, until ctx ends. Nothing is fetched that is not worked at once: what waits here would come
// again meanwhile.
func (s *session) deliver(ctx context.Context, book string, consumer jetstream.Consumer) error {
	working, stop := lasting(ctx)
	defer stop()
	var group sync.WaitGroup
	defer group.Wait()
	room := make(chan struct{}, inWork)
	for {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		m, err := consumer.Next(jetstream.FetchContext(ctx))
		switch {
		case err == nil:
			group.Go(func() {
				defer func() { <-room }()
				s.record(working, book, m)
			})
			continue
		case ctx.Err() != nil:
			return nil
		case !errors.Is(err, nats.ErrTimeout):
			return fmt.Errorf("take a message of book %s: %w", book, err)
		}
		<-room
	}
}

// lasting is a context that ends a moment after ctx: what is in work may be finished.
func lasting(ctx context.Context) (context.Context, func()) {
	working, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		rest(working, grace)
		cancel()
	})
	return working, func() {
		stop()
		cancel()
	}
}

// record hands a message over and acknowledges it once it is recorded; otherwise it comes again, later each time.
func (s *session) record(ctx context.Context, book string, m jetstream.Msg) {
	metadata, err := m.Metadata()
	if err != nil {
		s.log.trouble("book "+book, "a message came that is none of the stream's", err)
		return
	}
	// Who takes longer has lost the message to another.
	recording, cancel := context.WithTimeout(ctx, s.AckWait*4/5)
	defer cancel()
	err = s.hand(recording, book, m, metadata)
	switch {
	case err == nil:
		_ = m.Ack() // one that does not arrive has the message come again, as a duplicate
		s.log.well("book " + book)
	case ctx.Err() != nil:
		_ = m.Nak()
	default:
		s.log.trouble("book "+book, "messages from the broker are not recorded: they come again until they are", err)
		_ = m.NakWithDelay(pauseAfter(metadata.NumDelivered))
	}
}

// hand gives a message to Receive. One that cannot be read, or is refused, is given as such. A message that breaks the program has not ended it: it
// would come again at the next start.
func (s *session) hand(ctx context.Context, book string, m jetstream.Msg, metadata *jetstream.MsgMetadata) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("message %d of the stream %s broke the program: %v\n%s", metadata.Sequence.Stream, metadata.Stream, broken, debug.Stack())
		}
	}()
	message, err := inbox.Read(m.Data())
	if err == nil {
		if err = s.receive(ctx, book, message); !isRefusal(err) {
			return err
		}
	}
	place := fmt.Sprintf("%s-%d", metadata.Stream, metadata.Sequence.Stream)
	id := m.Headers().Get(nats.MsgIdHdr)
	if ledger.IDFault(id, inbox.MaxIDRunes) != "" {
		id = place
	}
	if ledger.KindOf(err) == ledger.KindTooLarge {
		err = ledger.Refuse(ledger.KindTooLarge, "the message has %d bytes, and at most %d are taken: the whole of it is message %d of the stream %s",
			len(m.Data()), inbox.MaxBytes, metadata.Sequence.Stream, metadata.Stream)
	}
	unreadable := inbox.Unreadable(inbox.BrokerSource, id, m.Data(), err)
	err = s.receive(ctx, book, unreadable)
	if isRefusal(err) && id != place { // two that differ came under one id of the broker's
		unreadable.ID = place
		err = s.receive(ctx, book, unreadable)
	}
	return err
}

// pauseAfter is how long a message stays away after so many deliveries: from a quarter of a second to half a minute.
func pauseAfter(deliveries uint64) time.Duration {
	return min(250*time.Millisecond<<min(deliveries, 10)/2, 30*time.Second)
}
