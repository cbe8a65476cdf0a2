package claim

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// beatsPerLease is how often an owner is heard from within one lease: two beats may be lost.
const beatsPerLease = 3

// Work is what an owner does for a key, outside of any transaction; its attempt is one of several when an owner before it fell silent, and
// what that one began is then recovered first. Its context ends when the key has passed to an heir.
type Work func(ctx context.Context, attempt int) (body []byte, err error)

// Do answers one logical request, whoever sends it, and however often: it does the work if the key is free, and reads or waits else. Of
// those who wait for an owner that fell silent, one takes over. An error of the work leaves the key free. Errors: those of Claim, of
// Outcome, of the work, and of Settle; an owner that was overtaken is told so with ErrFenced, whatever its work came to.
func (l *Ledger) Do(ctx context.Context, key string, print Fingerprint, work Work) (Receipt, error) {
	waiting, cancel := context.WithTimeout(ctx, l.terms.Wait)
	defer cancel()
	for {
		c, err := l.Claim(ctx, key, print)
		if err != nil {
			return Receipt{}, err
		}
		if c.answer == Own {
			return c.work(ctx, work)
		}
		receipt, err := c.Outcome(waiting)
		if !errors.Is(err, ErrLeaseOver) {
			return receipt, err
		}
	}
}

// work does the owner's part. What it came to is kept also when whoever asked for it has gone.
func (c *Claim) work(ctx context.Context, work Work) (Receipt, error) {
	kept := context.WithoutCancel(ctx)
	ended := false
	defer func() {
		if !ended {
			_ = c.Abandon(kept, errors.New("the work broke off"))
		}
	}()
	body, err := c.heard(ctx, work)
	ended = true
	if err != nil {
		return Receipt{}, errors.Join(err, c.Abandon(kept, err))
	}
	if err := c.Settle(kept, body); err != nil {
		return Receipt{}, fmt.Errorf("settle key %q: %w", c.ticket.Key, err)
	}
	return Receipt{Body: body, Attempts: c.ticket.Attempt}, nil
}

// heard runs the work while the owner is heard from, and stops that before it returns.
func (c *Claim) heard(ctx context.Context, work Work) ([]byte, error) {
	ctx, fence := context.WithCancelCause(ctx)
	defer fence(nil)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		c.beat(ctx, stop, fence)
	}()
	defer func() {
		close(stop)
		<-stopped
	}()
	return work(ctx, c.ticket.Attempt)
}

func (c *Claim) beat(ctx context.Context, stop <-chan struct{}, fence context.CancelCauseFunc) {
	ticker := time.NewTicker(max(c.ledger.terms.Lease/beatsPerLease, 1))
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			if err := c.Extend(context.WithoutCancel(ctx)); errors.Is(err, ErrFenced) {
				fence(err)
				return
			}
		}
	}
}
