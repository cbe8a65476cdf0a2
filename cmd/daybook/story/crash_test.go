package story_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// crashKeys is how many keys are posted while things are killed, by how many clients, and after how many answers each time. make crash
// takes more.
func crashKeys() (keys, clients, between int) {
	if n, err := strconv.Atoi(os.Getenv("DAYBOOK_STORY_CRASH_KEYS")); err == nil {
		return n, 64, max(n/20, 1)
	}
	return 120, 8, 40
}

// TestCrashes kills servers and Postgres while clients post, and post again what they were answered. What was acknowledged is in the journal,
// once, and each key has one entry.
func TestCrashes(t *testing.T) {
	t.Parallel()
	p := startDemo(t, "--empty")
	keys, clients, between := crashKeys()
	s := storm{program: p, next: make(chan int, keys), progress: make(chan struct{}, 2*keys), seqs: make([]atomic.Int64, keys)}
	for i := range s.servers {
		server := p.serveBeside(t)
		s.servers[i].Store(&server)
	}
	for i := range keys {
		s.next <- i
	}
	close(s.next)
	var group sync.WaitGroup
	for range clients {
		group.Go(func() { s.post(t) })
	}
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	kills := s.kill(t, between, done)
	<-done
	if kills == 0 {
		t.Error("all was posted before anything was killed")
	}
	s.isWhole(t)
	p.verifies(t)
	t.Logf("%d keys by %d clients, %d servers and Postgres processes killed, %d requests without an answer that counts", keys, clients, kills, s.lost.Load())
}

// storm is what goes on while things are killed. seqs is the entry that each key was answered, 0 for none yet.
type storm struct {
	program
	servers  [2]atomic.Pointer[program]
	next     chan int
	progress chan struct{}
	seqs     []atomic.Int64
	lost     atomic.Int64 // requests that were not answered, or told to come again
}

// post takes keys, and sends each until it is acknowledged, and once more.
func (s *storm) post(t *testing.T) {
	for i := range s.next {
		for range 2 {
			seq, answered := s.acknowledged(t, i)
			if !answered {
				return
			}
			if before := s.seqs[i].Swap(seq); before != 0 && before != seq {
				t.Errorf("key %d was answered entry %d, and then %d", i, before, seq)
			}
			s.progress <- struct{}{}
		}
	}
}

// acknowledged posts a key to whichever server there is until one says that it is posted.
func (s *storm) acknowledged(t *testing.T, i int) (seq int64, ok bool) {
	id := fmt.Sprint("crash-", i)
	for t.Context().Err() == nil {
		server := s.servers[rand.IntN(len(s.servers))].Load()
		a, err := server.as("preparer").key(id).try(t, http.MethodPost, "/entries", deposit(id, 3050))
		switch {
		case err != nil || a.status >= 500 || a.status == http.StatusConflict:
			s.lost.Add(1)
			continue // the server, its Postgres, or the owner of the key is gone
		case a.status != http.StatusCreated:
			t.Errorf("key %d is answered %d: %s", i, a.status, a.body)
			return 0, false
		}
		return a.want(t, http.StatusCreated).number(t, "seq"), true
	}
	return 0, false
}

// kill ends, each time some answers have come, a server or a process of Postgres, which then throws all others out.
func (s *storm) kill(t *testing.T, between int, done chan struct{}) (kills int) {
	for answers := 1; ; answers++ {
		select {
		case <-s.progress:
		case <-done:
			return kills
		}
		if answers%between != 0 {
			continue
		}
		if kills++; kills%3 == 0 {
			s.killPostgres(t)
			continue
		}
		slot := &s.servers[kills%2]
		ok(t, slot.Load().kill())
		server := s.serveBeside(t)
		slot.Store(&server)
	}
}

// killPostgres kills a process that serves a connection. The postmaster cannot know what it left of the shared memory, ends all others and recovers.
func (p program) killPostgres(t *testing.T) {
	t.Helper()
	var pid int
	conn, other := p.connect(t), p.connect(t)
	ok(t, conn.QueryRow(t.Context(), `select pg_backend_pid()`).Scan(&pid))
	ok(t, syscall.Kill(pid, syscall.SIGKILL))
	// Until the postmaster has seen it, all goes on as before.
	for {
		if _, err := other.Exec(t.Context(), `select 1`); err != nil {
			break
		}
	}
	for limit := time.Now().Add(readyLimit); ; {
		if again, err := p.tryConnect(t); err == nil {
			ok(t, again.Close(t.Context()))
			return
		} else if time.Now().After(limit) {
			t.Fatalf("Postgres does not come back: %v", err)
		}
	}
}

// isWhole holds the journal against what was acknowledged.
func (s *storm) isWhole(t *testing.T) {
	t.Helper()
	conn := s.connect(t)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `select e.tx_id, e.seq, k.seq from entries e left join idempotency_keys k on k.book_id = e.book_id and k.key = e.tx_id`)
	ok(t, err)
	found := 0
	for rows.Next() {
		var txID string
		var seq, settled, i int64
		ok(t, rows.Scan(&txID, &seq, &settled))
		if _, err := fmt.Sscanf(txID, "crash-%d", &i); err != nil {
			t.Fatalf("what is %s?", txID)
		}
		if found++; s.seqs[i].Load() != seq || settled != seq {
			t.Errorf("%s is entry %d, its key says %d and its clients were told %d", txID, seq, settled, s.seqs[i].Load())
		}
	}
	ok(t, rows.Err())
	if found != len(s.seqs) {
		t.Errorf("%d entries for %d keys", found, len(s.seqs))
	}
}
