package claimtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"daybook/store/claim"
	"daybook/store/ledger"
)

// The size of a history: large enough for every step to meet every other, small enough to be judged at once.
const (
	histories      = 12
	HistoryClients = 8
	historySteps   = 10
)

// recorder notes what concurrent clients did with one key and what they were answered, in the order of a counter.
type recorder struct {
	world World
	tick  atomic.Int64
	// The clock moves while no step is under way: else a step could have read it before and act after, and the model would have to
	// know by which time.
	clock sync.RWMutex

	mu         sync.Mutex
	operations []porcupine.Operation
	faults     []error
}

// linearizable lets clients claim, settle, abandon and look at random, while leases end, and asks whether some order of their steps, one at a
// time, explains all answers.
func linearizable(t T, w World) {
	model := modelOfOneKey()
	for seed := range uint64(histories) {
		r := &recorder{world: w}
		key := fmt.Sprintf("history-%d", seed)
		together(HistoryClients, func(i int) { r.client(t.Context(), key, i, rand.New(rand.NewPCG(seed, uint64(i)))) })
		if len(r.faults) > 0 {
			fatalf(t, "history %d: %v", seed, errors.Join(r.faults...))
		}
		if !porcupine.CheckOperations(model, r.operations) {
			fatalf(t, "history %d cannot be explained by one step at a time:\n%s", seed, r)
		}
	}
}

func (r *recorder) client(ctx context.Context, key string, id int, random *rand.Rand) {
	var mine *claim.Claim
	var mark int
	for step := range historySteps {
		switch n := random.IntN(10); {
		case mine == nil && (step == 0 || n < 7):
			mark = id*historySteps + step + 1
			mine = r.claim(ctx, key, id, mark)
		case mine != nil && n == 0:
			r.end(id, input{do: settle, mark: mark}, func() error { return mine.Settle(ctx, fmt.Appendf(nil, "%d", mark)) })
			mine = nil
		case mine != nil && n < 6:
			r.end(id, input{do: abandon, mark: mark}, func() error { return mine.Abandon(ctx, errFromGateway) })
			mine = nil
		case n == 7:
			r.expire(id)
		default:
			r.find(ctx, key, id)
		}
	}
}

// note runs a step and records it with its answer.
func (r *recorder) note(client int, in input, step func() (output, error)) {
	call := r.tick.Add(1)
	out, err := step()
	end := r.tick.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.faults = append(r.faults, err)
	}
	r.operations = append(r.operations, porcupine.Operation{ClientId: client, Input: in, Call: call, Output: out, Return: end})
}

// claim returns the claim when it owns.
func (r *recorder) claim(ctx context.Context, key string, client, mark int) (owned *claim.Claim) {
	r.clock.RLock()
	defer r.clock.RUnlock()
	r.note(client, input{do: take, mark: mark}, func() (output, error) {
		c, err := r.world.ledger(client).Claim(ctx, key, deposit)
		if err != nil {
			return output{}, err
		}
		out := output{answer: c.Answer(), attempt: c.Attempt()}
		switch c.Answer() {
		case claim.Own:
			owned = c
		case claim.Read:
			receipt, err := c.Outcome(ctx)
			out.body = string(receipt.Body)
			return out, err
		}
		return out, nil
	})
	return owned
}

func (r *recorder) end(client int, in input, end func() error) {
	r.clock.RLock()
	defer r.clock.RUnlock()
	r.note(client, in, func() (output, error) {
		err := end()
		if errors.Is(err, claim.ErrFenced) {
			return output{fenced: true}, nil
		}
		return output{}, err
	})
}

func (r *recorder) find(ctx context.Context, key string, client int) {
	r.clock.RLock()
	defer r.clock.RUnlock()
	r.note(client, input{do: find}, func() (output, error) {
		receipt, err := r.world.ledger(client).Find(ctx, key)
		switch ledger.KindOf(err) {
		case ledger.KindNotFound:
			return output{}, nil
		case ledger.KindKeyInProgress:
			return output{answer: claim.Wait}, nil
		}
		return output{answer: claim.Read, attempt: receipt.Attempts, body: string(receipt.Body)}, err
	})
}

func (r *recorder) expire(client int) {
	r.clock.Lock()
	defer r.clock.Unlock()
	r.note(client, input{do: expire}, func() (output, error) {
		r.world.Advance(Lease + time.Millisecond)
		return output{}, nil
	})
}

// String is the history, a line a step.
func (r *recorder) String() (text string) {
	for _, o := range r.operations {
		text += fmt.Sprintf("%4d-%-4d client %d: %+v -> %+v\n", o.Call, o.Return, o.ClientId, o.Input, o.Output)
	}
	return text
}
