package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"sync"

	"gorm.io/gorm"

	"daybook/store/claim"
	"daybook/store/postgres"
)

// claimsChannel is where the end of a claim is notified to all processes.
const claimsChannel = "daybook_claims"

// claimEnd is what is notified. Postgres refuses a payload of 8,000 bytes: of a failure the beginning is told.
type claimEnd struct {
	Book    int64  `json:"b"`
	Key     string `json:"k"`
	Owner   string `json:"o"`
	Failure string `json:"f,omitempty"`
}

const failureToldRunes = 400

// ring tells who waits for a key that its claim has ended, once the transaction commits.
func ring(tx *gorm.DB, end claimEnd) error {
	if failure := []rune(storable(end.Failure)); len(failure) > failureToldRunes {
		end.Failure = string(failure[:failureToldRunes]) + "…"
	}
	payload, err := json.Marshal(end)
	if err != nil {
		return fmt.Errorf("tell the end of a claim: %w", err)
	}
	if _, err := exec(tx, `SELECT pg_notify(?, ?)`, claimsChannel, string(payload)); err != nil {
		return fmt.Errorf("tell the end of a claim: %w", err)
	}
	return nil
}

// bell wakes those in this process who wait for a key, wherever its claim ended. It listens from the first one that waits.
type bell struct {
	mu       sync.Mutex
	watchers map[watched]map[chan claim.Wake]bool
	stop     context.CancelFunc
	stopped  chan struct{}
}

type watched struct {
	bookID int64
	key    string
}

// Watch is as claim.Keeper says.
func (k *claimKeeper) Watch(key string) (<-chan claim.Wake, func()) {
	pool, err := k.store.db.DB()
	if err != nil {
		return nil, func() {}
	}
	return k.store.bell.watch(pool, watched{bookID: k.actor.Book.ID, key: key})
}

// wakesKept is how many wakes a watcher may be behind; of those beyond it learns when it looks.
const wakesKept = 8

func (b *bell) watch(pool *sql.DB, at watched) (<-chan claim.Wake, func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listen(pool)
	wakes := make(chan claim.Wake, wakesKept)
	if b.watchers[at] == nil {
		b.watchers[at] = map[chan claim.Wake]bool{}
	}
	b.watchers[at][wakes] = true
	return wakes, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.watchers[at], wakes)
		if len(b.watchers[at]) == 0 {
			delete(b.watchers, at)
		}
	}
}

// listen begins to listen, once.
func (b *bell) listen(pool *sql.DB) {
	if b.stop != nil {
		return
	}
	var ctx context.Context
	ctx, b.stop = context.WithCancel(context.Background())
	b.watchers, b.stopped = map[watched]map[chan claim.Wake]bool{}, make(chan struct{})
	go func() {
		defer close(b.stopped)
		postgres.Listen(ctx, pool, claimsChannel, b.heard, b.wakeAll)
	}()
}

func (b *bell) heard(payload string) {
	var end claimEnd
	if json.Unmarshal([]byte(payload), &end) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	wake(b.watchers[watched{bookID: end.Book, key: end.Key}], claim.Wake{Owner: end.Owner, Failure: end.Failure})
}

// wakeAll lets everybody look, for what was told while nobody listened.
func (b *bell) wakeAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, watchers := range b.watchers {
		wake(watchers, claim.Wake{})
	}
}

func wake(watchers map[chan claim.Wake]bool, with claim.Wake) {
	for wakes := range watchers {
		select {
		case wakes <- with:
		default:
		}
	}
}

// close gives the connection back.
func (b *bell) close() {
	b.mu.Lock()
	stop, stopped := b.stop, b.stopped
	b.mu.Unlock()
	if stop != nil {
		stop()
		<-stopped
	}
}
