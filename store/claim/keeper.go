package claim

import (
	"context"
	"errors"
	"time"

	"daybook/store/ledger"
)

// Keeper holds keys. Each method is one step that no other comes between, and what it has done is done for all ledgers over the keys.
type Keeper interface {
	// Take gives a key to owner if nobody has it, or if the lease of whoever has it is over and the fingerprint is the same: then as
	// the next attempt. It tells who has it afterwards. Errors: KindKeyReused when the key stands for something else.
	Take(ctx context.Context, key, owner string, print Fingerprint, lease time.Duration) (State, error)
	// Look tells who has a key, and changes nothing.
	Look(ctx context.Context, key string) (State, error)
	// Extend renews the lease of a ticket. Errors: ErrFenced.
	Extend(ctx context.Context, ticket Ticket, lease time.Duration) error
	// Settle ends a ticket with a receipt, and then wakes who watches the key. To settle what this ticket has settled with is no
	// error: the answer to the first time may have been lost. Errors: ErrFenced.
	Settle(ctx context.Context, ticket Ticket, body []byte) error
	// Abandon frees the key of a ticket, and then wakes who watches it. Errors: ErrFenced.
	Abandon(ctx context.Context, ticket Ticket, cause error) error
	// Watch tells of what ends at a key from now on, until stop is called. It may fail to: who watches also looks.
	Watch(key string) (wakes <-chan Wake, stop func())
}

// Ticket names one attempt at a key. Owner is another one for each claim, so that an attempt is known by it also after its key was free.
type Ticket struct {
	Key     string
	Owner   string
	Attempt int
}

// State is who has a key: nobody when Owner is empty.
type State struct {
	Ticket
	Print     ledger.Hash
	LeaseLeft time.Duration // of one that has not settled; its lease is over at 0
	Settled   bool
	Body      []byte
}

func (s State) free() bool { return s.Owner == "" && !s.Settled }

func (s State) receipt() Receipt {
	return Receipt{Body: s.Body, Attempts: s.Attempt, Duplicate: true}
}

// Wake says that an owner has ended its ticket. Failure is its cause in words when it has abandoned the key, else empty.
type Wake struct{ Owner, Failure string }

// What an owner, or who takes itself for one, is refused with.
var (
	ErrNotOwner  = errors.New("only the owner of a key may end its claim")
	ErrSpent     = errors.New("the claim has ended already")
	ErrFenced    = errors.New("the key has passed to a later attempt, or was released")
	ErrOwnWait   = errors.New("the owner of a key has nobody to wait for")
	ErrLeaseOver = errors.New("the owner has not been heard from for the length of its lease")
)
