package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"daybook/store"
	"daybook/store/inbox"
	"daybook/store/inbox/broker"
	"daybook/store/inbox/broker/local"
	"daybook/store/postgres"
)

// publish has a broker keep messages for book main. The stream is there once a Daybook takes from it.
func publish(t *testing.T, address string, bodies ...string) jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(address)
	check(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	check(t, err)
	for _, body := range bodies {
		eventually(t, "the broker has the message", func() bool {
			_, err := js.Publish(t.Context(), "daybook.main.inbox", []byte(body))
			return err == nil
		})
	}
	return js
}

// count gives the number that a query finds.
func count(t *testing.T, url, query string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	check(t, err)
	defer conn.Close(t.Context())
	check(t, conn.QueryRow(t.Context(), query).Scan(&n))
	return n
}

func TestServe_TakesEachMessageOfTheBrokerOnceThoughItIsKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it waits for what the killed server had in hand to come again")
	}
	server, err := local.Start(t.TempDir(), 0)
	check(t, err)
	t.Cleanup(server.Stop)
	o := setupOffice(t)
	o.runs(t, "correct horse battery", "user add eva@demo.test --role preparer --role admin")
	o.post(t)
	env := []string{"DAYBOOK_DATABASE_URL=" + o.ownerURL, "DAYBOOK_ADDR=127.0.0.1:0", "DAYBOOK_NATS_URL=" + server.URL(), "DAYBOOK_INBOX_USER=eva@demo.test"}
	first := startProcess(t, env, "serve")
	const messages = 60
	bodies := []string{"no message", "no message", strings.Repeat("x", 10<<20)}
	for range 3 {
		for i := range messages {
			bodies = append(bodies, depositLine(fmt.Sprint("m", i), fmt.Sprint("t", i), "1020"))
		}
	}
	js := publish(t, server.URL(), bodies...)
	eventually(t, "some are applied", func() bool { return count(t, o.ownerURL, `select count(*) from entries`) >= 5 })
	first.end(t, syscall.SIGKILL)
	second := startProcess(t, env, "serve")
	eventually(t, "all are applied", func() bool { return count(t, o.ownerURL, `select count(*) from entries`) == messages })
	eventually(t, "the broker has nothing left", func() bool {
		consumer, err := js.Consumer(t.Context(), "DAYBOOK", "daybook-main")
		return err == nil && consumer.CachedInfo().NumPending == 0 && consumer.CachedInfo().NumAckPending == 0
	})
	for query, want := range map[string]int{
		`select count(*) from entries`: messages,
		`select count(*) from inbox_messages where state = 'applied' and way = 'broker' and deliveries >= 3`:     messages,
		`select count(*) from inbox_messages where state = 'parked' and source = 'nats' and problem is not null`: 3,
		`select count(*) from inbox_messages`: messages + 3,
	} {
		if got := count(t, o.ownerURL, query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	if code := second.end(t, syscall.SIGTERM); code != exitWell {
		t.Errorf("after SIGTERM: exit %d, %s", code, second.stderr)
	}
	o.runs(t, "", "verify")
}

func TestDemo_TakesMessagesOfItsBroker(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	args := []string{"demo", "--empty", "--addr", "127.0.0.1:0", "--data-dir", dir}
	body := `{"source":"shop","message_id":%q,"type":"entry.post","data":{"tx_id":%[1]q,"effective_on":"2026-03-01","description":"Sale","postings":` +
		`[{"account":"1010","amount":5,"currency":"EUR"},{"account":"revenue:fees","amount":-5,"currency":"EUR"}]}}`
	for i, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		demo := startProcess(t, nil, args...)
		publish(t, demo.lines["nats"], fmt.Sprintf(body, fmt.Sprint("m", i)))
		eventually(t, "the message is applied", func() bool {
			return count(t, demo.lines["database"], `select count(*) from inbox_messages where state = 'applied'`) == i+1
		})
		demo.end(t, signal)
	}
}

func TestServe_RefusesABrokerThatIsNoneOrNobodyRecordsFor(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--nats-url nats://127.0.0.1:4222":             "--nats-url needs --inbox-user",
		"--nats-url 127.0.0.1:4222 --inbox-user a@b.c": "this is not the address of a NATS server",
	} {
		out := runHere(t, nil, append([]string{"serve"}, strings.Fields(args)...)...)
		if out.code != exitBad || !strings.Contains(out.stderr, want) {
			t.Errorf("%s: exit %d, %s", args, out.code, out.stderr)
		}
	}
}

func TestConsume_IntoTheJournalWithABrokerThatDies(t *testing.T) {
	t.Parallel()
	for when, c := range map[string]struct {
		committed  bool
		deliveries int
	}{"between commit and acknowledgement": {true, 2}, "between receive and commit": {false, 1}} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			o := setupOffice(t)
			o.runs(t, "correct horse battery", "user add eva@demo.test --role preparer --role admin")
			o.post(t)
			dir := t.TempDir()
			server, err := local.Start(dir, 0)
			check(t, err)
			died := o.consumeUntilItDies(t, server, c.committed)
			publish(t, server.URL(), depositLine("m1", "t1", "1020"))
			<-died
			again, err := local.Start(dir, server.Port())
			check(t, err)
			t.Cleanup(again.Stop)
			eventually(t, "it came again", func() bool {
				return count(t, o.ownerURL, `select coalesce(sum(deliveries), 0) from inbox_messages where state = 'applied'`) == c.deliveries
			})
			if n := count(t, o.ownerURL, `select count(*) from entries`); n != 1 {
				t.Errorf("the journal has %d entries", n)
			}
		})
	}
}

// consumeUntilItDies takes messages until the test is over. With the first of them the broker dies, after that is committed or before.
func (o office) consumeUntilItDies(t *testing.T, server *local.Server, committed bool) (died chan struct{}) {
	t.Helper()
	db, err := postgres.Open(t.Context(), o.appURL)
	check(t, err)
	books := store.New(db, clock, store.WithMachine("eva@demo.test"))
	died = make(chan struct{})
	die := sync.OnceFunc(func() { server.Stop(); close(died) })
	var tried atomic.Bool
	receive := func(ctx context.Context, book string, m inbox.Message) error {
		defer die()
		if !tried.Swap(true) && !committed {
			return errors.New("it died before")
		}
		return receiveFromBroker(ctx, books, book, m)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	config := broker.Config{URL: server.URL(), AckWait: 500 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Books: func(context.Context) ([]string, error) { return []string{"main"}, nil }}
	go func() { ended <- broker.Consume(ctx, config, receive) }()
	t.Cleanup(func() {
		stop()
		check(t, <-ended)
		die()
		check(t, books.Close())
	})
	return died
}
