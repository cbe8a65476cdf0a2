package claim

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"daybook/store/ledger"
)

// Ledger answers claims over the keys that a Keeper holds. It is safe for concurrent use; ledgers over the same keys, in one process
// or in several, are one.
type Ledger struct {
	keeper Keeper
	name   string
	terms  Terms
}

// Terms are how long an owner may be silent, how long others wait for it, and how often they look by themselves should no word come.
type Terms struct {
	Lease time.Duration
	Wait  time.Duration
	Poll  time.Duration
}

// check refuses terms that are not positive: a wait without a limit is none.
func (t Terms) check() error {
	refusal := ledger.Refuse(ledger.KindInvalid, "the terms of a claim must be positive")
	for name, d := range map[string]time.Duration{"lease": t.Lease, "wait": t.Wait, "poll": t.Poll} {
		if d <= 0 {
			refusal.At(name, "is %s", d)
		}
	}
	return refusal.OrNil()
}

// New returns a ledger over a keeper. Its claims carry the name and a mark of their own, for people who look at who owns a key.
// Errors: KindInvalid for terms that are not positive.
func New(keeper Keeper, name string, terms Terms) (*Ledger, error) {
	if err := terms.check(); err != nil {
		return nil, err
	}
	return &Ledger{keeper: keeper, name: name, terms: terms}, nil
}

// Fingerprint is what a key stands for: an operation and its content, as JSON in its one form.
type Fingerprint struct{ Operation, Content string }

// Hash is the fingerprint as it is kept and compared.
func (f Fingerprint) Hash() ledger.Hash {
	return sha256.Sum256([]byte(f.Operation + "\n" + f.Content))
}

// Receipt is what a key settled to. Attempts counts the times that the work was tried; Duplicate says that somebody else did it.
type Receipt struct {
	Body      []byte
	Attempts  int
	Duplicate bool
}

// Claim takes the key if it is free or its owner's lease is over, and says else who has it. Errors: KindKeyMissing, KindKeyReused when the
// key stands for something else, and those of the keeper, after which nobody owns the key by this call for longer than a lease.
func (l *Ledger) Claim(ctx context.Context, key string, print Fingerprint) (*Claim, error) {
	if key == "" {
		return nil, ledger.Refuse(ledger.KindKeyMissing, "a claim needs an idempotency key")
	}
	owner := l.name + "/" + rand.Text()[:8]
	state, err := l.keeper.Take(ctx, key, owner, print, l.terms.Lease)
	if err != nil {
		return nil, fmt.Errorf("claim key %q: %w", key, err)
	}
	c := &Claim{ledger: l, answer: Wait, ticket: state.Ticket, print: print.Hash()}
	switch {
	case state.Settled:
		c.answer, c.receipt = Read, state.receipt()
	case state.Owner == owner:
		c.answer = Own
	}
	return c, nil
}

// Find gives what a key has settled to and never claims it. Errors: KindNotFound for a key that nobody holds, KindKeyInProgress for
// one whose owner is at work.
func (l *Ledger) Find(ctx context.Context, key string) (Receipt, error) {
	state, err := l.keeper.Look(ctx, key)
	switch {
	case err != nil:
		return Receipt{}, fmt.Errorf("look up key %q: %w", key, err)
	case state.Settled:
		return state.receipt(), nil
	case state.free():
		return Receipt{}, ledger.Refuse(ledger.KindNotFound, "no request with the idempotency key %q is known", key)
	}
	return Receipt{}, inProgress(nil)
}
