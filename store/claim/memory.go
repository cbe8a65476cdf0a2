package claim

import (
	"context"
	"sync"
	"time"

	"daybook/store/ledger"
)

// Memory keeps keys in the process. It is safe for concurrent use.
type Memory struct {
	now func() time.Time

	mu       sync.Mutex
	keys     map[string]*held
	watchers map[string]map[chan Wake]bool
}

type held struct {
	state      State
	print      Fingerprint
	claimedAt  time.Time
	leaseUntil time.Time
}

// NewMemory returns a keeper that has no keys yet. The clock, by which leases end, is handed in.
func NewMemory(now func() time.Time) *Memory {
	return &Memory{now: now, keys: map[string]*held{}, watchers: map[string]map[chan Wake]bool{}}
}

// Take is as Keeper says.
func (m *Memory) Take(_ context.Context, key, owner string, print Fingerprint, lease time.Duration) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, attempt := m.now(), 1
	if h := m.keys[key]; h != nil {
		if h.state.Print != print.Hash() {
			return State{}, h.reused(key, print)
		}
		if h.state.Settled || now.Before(h.leaseUntil) {
			return h.at(now), nil
		}
		attempt = h.state.Attempt + 1
	}
	return m.give(Ticket{Key: key, Owner: owner, Attempt: attempt}, print, now, lease), nil
}

func (m *Memory) give(ticket Ticket, print Fingerprint, now time.Time, lease time.Duration) State {
	h := &held{state: State{Ticket: ticket, Print: print.Hash()}, print: print, claimedAt: now, leaseUntil: now.Add(lease)}
	m.keys[ticket.Key] = h
	return h.at(now)
}

// Look is as Keeper says.
func (m *Memory) Look(_ context.Context, key string) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if h := m.keys[key]; h != nil {
		return h.at(m.now()), nil
	}
	return State{}, nil
}

// Extend is as Keeper says.
func (m *Memory) Extend(_ context.Context, ticket Ticket, lease time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.keys[ticket.Key]
	if h == nil || h.state.Ticket != ticket || h.state.Settled {
		return ErrFenced
	}
	h.leaseUntil = m.now().Add(lease)
	return nil
}

// Settle is as Keeper says.
func (m *Memory) Settle(_ context.Context, ticket Ticket, body []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.keys[ticket.Key]
	if h == nil || h.state.Ticket != ticket {
		return ErrFenced
	}
	if !h.state.Settled {
		h.state.Settled, h.state.Body = true, body
		m.wake(ticket, "")
	}
	return nil
}

// Abandon is as Keeper says.
func (m *Memory) Abandon(_ context.Context, ticket Ticket, cause error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.keys[ticket.Key]
	if h == nil || h.state.Ticket != ticket || h.state.Settled {
		return ErrFenced
	}
	delete(m.keys, ticket.Key)
	m.wake(ticket, cause.Error())
	return nil
}

// wakesKept is how many wakes a watcher may be behind; of those beyond it learns when it looks.
const wakesKept = 8

// Watch is as Keeper says.
func (m *Memory) Watch(key string) (<-chan Wake, func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	wakes := make(chan Wake, wakesKept)
	if m.watchers[key] == nil {
		m.watchers[key] = map[chan Wake]bool{}
	}
	m.watchers[key][wakes] = true
	return wakes, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.watchers[key], wakes)
		if len(m.watchers[key]) == 0 {
			delete(m.watchers, key)
		}
	}
}

func (m *Memory) wake(ticket Ticket, failure string) {
	for wakes := range m.watchers[ticket.Key] {
		select {
		case wakes <- Wake{Owner: ticket.Owner, Failure: failure}:
		default:
		}
	}
}

func (h *held) at(now time.Time) State {
	state := h.state
	state.LeaseLeft = h.leaseUntil.Sub(now)
	return state
}

func (h *held) reused(key string, print Fingerprint) error {
	use := ledger.KeyUse{Operation: h.print.Operation, UsedBy: h.state.Owner, SettledAt: h.claimedAt, Content: map[string]string{"content": h.print.Content}}
	return ledger.KeyReused(key, use, print.Operation, map[string]string{"content": print.Content})
}
