package claim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"daybook/store/ledger"
)

// Outcome gives the receipt of whoever has the key, marked as a duplicate, and waits for it up to the ledger's limit. When the key passes to
// an heir meanwhile, it waits for the heir. Errors: KindKeyInProgress when the wait ran out; KindOwnerFailed when the owner
// abandoned the key, or with ErrLeaseOver when it fell silent: then the next to claim the key is its heir; ErrOwnWait for the owner itself.
func (c *Claim) Outcome(ctx context.Context) (Receipt, error) {
	switch c.answer {
	case Own:
		return Receipt{}, ErrOwnWait
	case Read:
		return c.receipt, nil
	}
	// The first look is not cut short: what is there already is told, however short the wait.
	looking := ctx
	ctx, cancel := context.WithTimeout(ctx, c.ledger.terms.Wait)
	defer cancel()
	// Watch first, look then: what ends between the two is not missed.
	wakes, stop := c.ledger.keeper.Watch(c.ticket.Key)
	defer stop()
	for {
		state, err := c.ledger.keeper.Look(looking, c.ticket.Key)
		if err != nil {
			return Receipt{}, orTimeout(looking, fmt.Errorf("wait for key %q: %w", c.ticket.Key, err))
		}
		looking = ctx
		if state.Settled && state.Print == c.print {
			return state.receipt(), nil
		}
		if err := c.failed(state); err != nil {
			return Receipt{}, err
		}
		if err := pause(ctx, wakes, state, c.ledger.terms.Poll); err != nil {
			return Receipt{}, err
		}
	}
}

// failed tells when nobody is at work any more on what the claim stands for.
func (c *Claim) failed(state State) error {
	switch {
	case state.free(), state.Print != c.print:
		return ownerFailed(errors.New("the owner abandoned the key"))
	case state.LeaseLeft <= 0:
		return ownerFailed(ErrLeaseOver)
	}
	return nil
}

// pause waits for a word about the key, for the time to look, or for the end of the lease, whichever comes first.
func pause(ctx context.Context, wakes <-chan Wake, state State, poll time.Duration) error {
	timer := time.NewTimer(min(poll, state.LeaseLeft))
	defer timer.Stop()
	select {
	case wake := <-wakes:
		if wake.Owner == state.Owner && wake.Failure != "" {
			return ownerFailed(errors.New(wake.Failure))
		}
		return nil
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return orTimeout(ctx, ctx.Err())
	}
}

// orTimeout tells a wait that ran out from one that was given up or went wrong.
func orTimeout(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return inProgress(ctx.Err())
	}
	return err
}

func inProgress(cause error) error {
	return &ledger.Error{Kind: ledger.KindKeyInProgress, Message: "another request with this idempotency key is still under way: try again in a moment", Err: cause}
}

func ownerFailed(cause error) error {
	return &ledger.Error{Kind: ledger.KindOwnerFailed, Message: "the request that was under way with this idempotency key has failed, and the key is free: try again", Err: cause}
}
