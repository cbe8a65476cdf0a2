package main

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// silentLimit is how long a connection on which nothing comes is left open during a stop.
	silentLimit = time.Second
	// shutdownLimit is what running requests are given to end: longer than any of them may take.
	shutdownLimit = 65 * time.Second
)

// drain stops a server without cutting off a request that is on its way. The server's own Shutdown drops what it reads after it began, and
// closes a connection because nothing runs on it just then: the next request may be in the air already. So the
// address is given up, every answer says that its connection closes with it, and only a connection that stays silent is closed by us.
type drain struct {
	stopping atomic.Bool
	mu       sync.Mutex
	states   map[net.Conn]http.ConnState
	changed  chan struct{} // holds one: a state changed since it was looked at
}

func newDrain() *drain {
	return &drain{states: map[net.Conn]http.ConnState{}, changed: make(chan struct{}, 1)}
}

// handler serves as next does; during a stop every answer closes its connection.
func (d *drain) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.stopping.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// connection follows the open connections; it is the server's ConnState.
func (d *drain) connection(conn net.Conn, state http.ConnState) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if state == http.StateClosed || state == http.StateHijacked {
		delete(d.states, conn)
	} else {
		d.states[conn] = state
	}
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

// stop ends the server once every request is answered, at the latest after shutdownLimit.
func (d *drain) stop(server *http.Server, listener net.Listener) {
	d.stopping.Store(true)
	_ = server.Serve(lastCall(listener))
	d.wait(silentLimit, func(http.ConnState) bool { return true })
	d.wait(shutdownLimit, func(state http.ConnState) bool { return state == http.StateActive })
	server.Close()
}

// wait returns when no connection is in a state that counts, at the latest after limit.
func (d *drain) wait(limit time.Duration, counts func(http.ConnState) bool) {
	over := time.NewTimer(limit)
	defer over.Stop()
	for d.any(counts) {
		select {
		case <-d.changed:
		case <-over.C:
			return
		}
	}
}

func (d *drain) any(counts func(http.ConnState) bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, state := range d.states {
		if counts(state) {
			return true
		}
	}
	return false
}
