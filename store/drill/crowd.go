package drill

import (
	"context"
	"sync"

	"daybook/store/claim"
)

// Crowd is many callers who charge under the same key at once.
type Crowd interface {
	Charge(ctx context.Context, way Way, key string) (Tally, error)
}

// Tally is what the callers of a round were answered: how many were told of each charge, and how many failed, with one of their errors.
type Tally struct {
	Told   map[string]int `json:"told"`
	Failed int            `json:"failed"`
	Fault  string         `json:"fault,omitempty"`
}

// add puts the answers of two crowds together.
func (t *Tally) add(other Tally) {
	if t.Told == nil {
		t.Told = map[string]int{}
	}
	for id, callers := range other.Told {
		t.Told[id] += callers
	}
	t.Failed += other.Failed
	if t.Fault == "" {
		t.Fault = other.Fault
	}
}

// Here is a crowd in this process.
type Here struct {
	Callers int
	Ledger  *claim.Ledger
	Gateway Gateway
}

// Charge lets all callers charge at once.
func (h Here) Charge(ctx context.Context, way Way, key string) (tally Tally, _ error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	start := make(chan struct{})
	for range h.Callers {
		all.Go(func() {
			<-start
			id, err := way.charge(ctx, h.Ledger, h.Gateway, key)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				tally.add(Tally{Failed: 1, Fault: err.Error()})
				return
			}
			tally.add(Tally{Told: map[string]int{id: 1}})
		})
	}
	close(start)
	all.Wait()
	return tally, ctx.Err()
}

// Several is several crowds that charge at once: one in each of several processes.
type Several []Crowd

// Charge lets all crowds charge at once.
func (s Several) Charge(ctx context.Context, way Way, key string) (Tally, error) {
	tallies, errs := make([]Tally, len(s)), make([]error, len(s))
	var all sync.WaitGroup
	for i, crowd := range s {
		all.Go(func() { tallies[i], errs[i] = crowd.Charge(ctx, way, key) })
	}
	all.Wait()
	var sum Tally
	for i, tally := range tallies {
		if errs[i] != nil {
			return sum, errs[i]
		}
		sum.add(tally)
	}
	return sum, nil
}
