package drill

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Gateway is the world outside, which charges as often as it is asked to.
type Gateway interface {
	// Charge charges under a key and gives the charge's id.
	Charge(ctx context.Context, key string) (id string, err error)
	// Charged gives the first charge under a key, or "" when there is none.
	Charged(ctx context.Context, key string) (id string, err error)
}

// Counter is a gateway that counts. A charge is made when it is asked for, and answered after the delay.
type Counter struct {
	delay func(ctx context.Context)

	mu      sync.Mutex
	charges map[string][]string
	all     int
}

// NewCounter returns a gateway that takes so long to answer.
func NewCounter(delay time.Duration) *Counter {
	return CounterThat(func(ctx context.Context) {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	})
}

// CounterThat returns a gateway that answers when delay returns.
func CounterThat(delay func(ctx context.Context)) *Counter {
	return &Counter{delay: delay, charges: map[string][]string{}}
}

// Charge is as Gateway says.
func (c *Counter) Charge(ctx context.Context, key string) (string, error) {
	id := c.charge(key)
	c.delay(ctx)
	return id, ctx.Err()
}

func (c *Counter) charge(key string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all++
	id := fmt.Sprintf("charge-%d", c.all)
	c.charges[key] = append(c.charges[key], id)
	return id
}

// Charged is as Gateway says.
func (c *Counter) Charged(_ context.Context, key string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if made := c.charges[key]; len(made) > 0 {
		return made[0], nil
	}
	return "", nil
}

// Calls is how often a key was charged.
func (c *Counter) Calls(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.charges[key])
}
