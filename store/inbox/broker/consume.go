package broker

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

// Config says where messages are taken from. Of Stream, Durable, Prefix, AckWait and LookEvery the zero value is the usual.
type Config struct {
	URL       string        // of one server of the cluster, or of several with commas between
	Stream    string        // DAYBOOK
	Durable   string        // what the names of the consumers begin with: daybook
	Prefix    string        // what the subjects begin with: daybook
	AckWait   time.Duration // after which a message that nobody acknowledged comes again
	LookEvery time.Duration // how often new books are looked for
	Books     func(ctx context.Context) ([]string, error)
	Log       *slog.Logger
}

// Receive records a message in a book and returns after that is committed. A refusal of the message itself (KindInvalid, KindTooLarge,
// KindMessageReused) has it handed over once more, as one that could not be read, so that it is kept with the reason; after any other error it
// comes again.
type Receive func(ctx context.Context, book string, m inbox.Message) error

// Consume takes messages until ctx ends, and finishes what it has begun by then. A broker that is away is tried again for ever, and told once.
// Error: KindInvalid for an address that is none.
func Consume(ctx context.Context, config Config, receive Receive) error {
	config.Stream, config.Durable, config.Prefix = cmp.Or(config.Stream, "DAYBOOK"), cmp.Or(config.Durable, "daybook"), cmp.Or(config.Prefix, "daybook")
	config.AckWait, config.LookEvery = cmp.Or(config.AckWait, ackWait), cmp.Or(config.LookEvery, lookEvery)
	if err := CheckURL(config.URL); err != nil {
		return err
	}
	log := &teller{log: config.Log, told: map[string]string{}}
	pause := shortestPause
	for ctx.Err() == nil {
		s := session{Config: config, receive: receive, log: log}
		err := s.run(ctx)
		if ctx.Err() != nil {
			break
		}
		log.trouble("", "the broker is away: what is published there waits", err)
		if s.worked {
			pause = shortestPause
		}
		rest(ctx, pause)
		pause = min(2*pause, longestPause)
	}
	return nil
}

// CheckURL refuses what is not the address of a broker, as KindInvalid.
func CheckURL(addresses string) error {
	for address := range strings.SplitSeq(addresses, ",") {
		parsed, err := url.Parse(strings.TrimSpace(address))
		if err != nil || parsed.Host == "" || parsed.Scheme != "nats" && parsed.Scheme != "tls" {
			return ledger.Refuse(ledger.KindInvalid, "this is not the address of a NATS server: write it as nats://host:4222, or tls://host:4222").
				At("nats_url", "is not the address of a NATS server")
		}
	}
	return nil
}

const (
	shortestPause = 100 * time.Millisecond // before the broker is tried again, doubled up to
	longestPause  = 10 * time.Second
	ackWait       = 10 * time.Second
	lookEvery     = 5 * time.Second
	inWork        = 8               // messages of a book that this process works at a time
	inWorkOfAll   = 256             // that all processes do, those that wait to come again included
	grace         = 5 * time.Second // for what is in work when the process stops
)

// rest waits, unless ctx ends first.
func rest(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// isRefusal reports whether a message itself is at fault: it will never be taken as it is.
func isRefusal(err error) bool {
	var refusal *ledger.Error
	if !errors.As(err, &refusal) {
		return false
	}
	switch refusal.Kind {
	case ledger.KindInvalid, ledger.KindTooLarge, ledger.KindMessageReused:
		return true
	}
	return false
}
