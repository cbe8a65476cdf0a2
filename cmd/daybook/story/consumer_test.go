package story_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"daybook/store/inbox/broker/local"
)

// consumer is a server that takes messages from a broker. Each can be killed without the other.
type consumer struct {
	*shop
	postbox
	dir    string
	broker *local.Server
}

func startConsumer(t *testing.T) *consumer {
	t.Helper()
	dir := newDir(t)
	broker, err := local.Start(dir, 0)
	ok(t, err)
	c := &consumer{dir: dir, broker: broker}
	t.Cleanup(func() { c.broker.Stop() })
	c.shop = openShop(t, "--nats-url", broker.URL())
	c.postbox = postbox{program: c.shop.program, js: streamAt(t, broker.URL()), secret: webhookSecret}
	return c
}

// TestAConsumerIsKilled kills a server that has a message of the broker in hand: before it commits what that did, after that and before it
// acknowledges it, and whenever it comes.
func TestAConsumerIsKilled(t *testing.T) {
	t.Parallel()
	c := startConsumer(t)
	release := c.holdsTheMessage(t, "uncommitted")
	c.killServer(t)
	release()
	c.startServer(t)
	c.takesAll(t)
	c.isAppliedOnce(t, "shop", "uncommitted", 1)

	release = c.holdsTheMessage(t, "committed")
	c.broker.Stop()
	release()
	c.awaits(t, `select count(*) = 1 from inbox_messages where state = 'applied' and message_id = 'committed'`)
	c.killServer(t)
	var err error
	c.broker, err = local.Start(c.dir, c.broker.Port())
	ok(t, err)
	c.startServer(t)
	c.takesAll(t)
	c.isAppliedOnce(t, "shop", "committed", 2)

	c.isKilledNowAndThen(t)
	c.shop.verifies(t)
}

// holdsTheMessage brings the server to where it has a message and cannot commit it, until release.
func (c *consumer) holdsTheMessage(t *testing.T, id string) (release func()) {
	t.Helper()
	conn := c.shop.connect(t)
	tx, err := conn.Begin(t.Context())
	ok(t, err)
	_, err = tx.Exec(t.Context(), `select from heads for update`)
	ok(t, err)
	c.byBroker(t, deposited("shop", id).String())
	c.awaits(t, `select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock' and query like '%heads%'`)
	return func() {
		ok(t, tx.Rollback(t.Context()))
		ok(t, conn.Close(t.Context()))
	}
}

// awaits asks the database until it says yes.
func (c *consumer) awaits(t *testing.T, query string) {
	t.Helper()
	conn := c.shop.connect(t)
	defer conn.Close(t.Context())
	limit := time.Now().Add(quietLimit)
	for yes := false; !yes; {
		ok(t, conn.QueryRow(t.Context(), query).Scan(&yes))
		if time.Now().After(limit) {
			t.Fatalf("it never came to be so: %s", query)
		}
		pause(t, firstPause)
	}
}

// isKilledNowAndThen has senders send messages until they are taken, and kills the server meanwhile.
func (c *consumer) isKilledNowAndThen(t *testing.T) {
	const senders, each, kills = 8, 10, 2
	sent := make(chan struct{}, senders*each)
	var group sync.WaitGroup
	for s := range senders {
		group.Go(func() {
			for i := range each {
				c.delivers(t, s, fmt.Sprint("often ", s, " ", i))
				sent <- struct{}{}
			}
		})
	}
	for range kills {
		for range senders * each / (kills + 1) {
			<-sent
		}
		c.killServer(t)
		c.startServer(t)
	}
	group.Wait()
	c.takesAll(t)
	if n := c.count(t, `select count(*) from inbox_messages m join entries e on e.book_id = m.book_id and e.seq = m.seq and e.tx_id = m.source || ' ' || m.message_id
		where m.message_id like 'often %' and m.state = 'applied'`); n != senders*each {
		t.Errorf("%d of %d messages have their entry", n, senders*each)
	}
	if n := c.count(t, `select count(*) from entries where tx_id like '%often%'`); n != senders*each {
		t.Errorf("%d entries for %d messages", n, senders*each)
	}
	if n := c.count(t, `select sum(deliveries) from inbox_messages where message_id like 'often %'`); n < senders*each {
		t.Errorf("%d deliveries are counted of %d", n, senders*each)
	}
}

// delivers sends a message by the broker, by the API or as a webhook, until it is taken.
func (c *consumer) delivers(t *testing.T, sender int, id string) {
	letter, send := deposited("shop", id), c.byAPI
	switch sender % 4 {
	case 0, 1:
		c.byBroker(t, letter.String())
		return
	case 2:
		letter, send = deposited("simulator", id), c.byWebhook
	}
	for wait := firstPause; t.Context().Err() == nil; wait = min(2*wait, longestPause) {
		a, err := send(t, letter.String())
		if err == nil && a.status == http.StatusOK {
			return
		}
		if err == nil && a.status < 500 {
			t.Errorf("message %s is answered %d %s", id, a.status, a.body)
			return
		}
		pause(t, wait)
	}
}
