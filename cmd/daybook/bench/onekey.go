package bench

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	callers     = 40
	roundsOfKey = 50 // at most, as many as the window has room for
)

// oneKey lets many callers send the same post at once, again and again: one entry each time, and everyone gets it. Measured is the slowest
// of each round.
func (s *suite) oneKey(ctx context.Context) error {
	st := s.stages[Daybook]
	if st == nil {
		return nil
	}
	scene := st.scene(false)
	workers, err := hire(callers, scene.poster)
	if err != nil {
		return err
	}
	defer dismiss(workers)
	posters := make([]*poster, callers)
	for i, w := range workers {
		posters[i] = w.(*poster)
	}
	slowest, end := sample{}, time.Now().Add(s.Window)
	for range roundsOfKey {
		took, err := together(ctx, posters)
		if err != nil {
			return fmt.Errorf("%d callers, one key: %w", callers, err)
		}
		st.posted++
		slowest.took = append(slowest.took, took)
		slowest.window += took
		if time.Now().After(end) {
			break
		}
	}
	slices.Sort(slowest.took)
	m := measurement{Writer: Daybook, Way: "one-key", Clients: callers, Accounts: s.Accounts}
	return s.note("one-key", m.of(slowest))
}

// together lets all send the next request of the first at once, and gives how long the slowest answer took.
func together(ctx context.Context, posters []*poster) (slowest time.Duration, err error) {
	request := posters[0].request()
	took, fresh, faults := make([]time.Duration, len(posters)), make([]bool, len(posters)), make([]error, len(posters))
	start := make(chan struct{})
	var group sync.WaitGroup
	for i, p := range posters {
		group.Go(func() {
			<-start
			began := time.Now()
			fresh[i], faults[i] = p.same(request)
			took[i] = time.Since(began)
		})
	}
	close(start)
	group.Wait()
	owners := 0
	for i := range posters {
		if faults[i] != nil {
			return 0, faults[i]
		}
		if fresh[i] {
			owners++
		}
	}
	if owners != 1 {
		return 0, fmt.Errorf("%d answers say that they are the first: want one", owners)
	}
	return slices.Max(took), ctx.Err()
}

// same sends a request that others send too, and says whether its answer is the first.
func (p *poster) same(request []byte) (fresh bool, err error) {
	status, body, err := p.exchange(request)
	if err == nil && status != http.StatusCreated {
		err = fmt.Errorf("a post was answered with %d: %s", status, body)
	}
	return bytes.Contains(body, first), err
}
