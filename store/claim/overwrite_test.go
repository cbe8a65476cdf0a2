package claim

import (
	"context"
	"time"
)

// Overwrite takes a key whoever has it.
func (m *Memory) Overwrite(_ context.Context, key, owner string, print Fingerprint, lease time.Duration) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	attempt := 1
	if h := m.keys[key]; h != nil {
		attempt = h.state.Attempt + 1
	}
	return m.give(Ticket{Key: key, Owner: owner, Attempt: attempt}, print, m.now(), lease), nil
}
