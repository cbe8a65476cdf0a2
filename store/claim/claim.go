package claim

import (
	"context"
	"errors"
	"sync"

	"daybook/store/ledger"
)

// Answer is what a claim is answered with.
type Answer int

// The answers: do the work, read the receipt, or wait for it.
const (
	Own Answer = iota + 1
	Read
	Wait
)

func (a Answer) String() string {
	return map[Answer]string{Own: "own", Read: "read", Wait: "wait"}[a]
}

// Claim is the answer to one call of Ledger.Claim. Who owns it calls exactly one of Settle and Abandon; the others call Outcome.
type Claim struct {
	ledger  *Ledger
	answer  Answer
	ticket  Ticket // the own one, else that of whoever has the key
	print   ledger.Hash
	receipt Receipt // of a key that has settled

	mu    sync.Mutex
	spent bool
}

// Answer says whether to own, to read or to wait.
func (c *Claim) Answer() Answer { return c.answer }

// Attempt numbers the attempts at the key since it was free. The owner of a later one than the first does not know how far the one before
// it came: it recovers first.
func (c *Claim) Attempt() int { return c.ticket.Attempt }

// Settle ends the owner's work with its receipt, which all others read from then on. Errors: ErrNotOwner, ErrSpent, and KindOwnerFailed
// with ErrFenced when a later attempt has the key. After any other error it may be called again.
func (c *Claim) Settle(ctx context.Context, body []byte) error {
	return c.end(func() error { return c.ledger.keeper.Settle(ctx, c.ticket, body) })
}

// Abandon ends the owner's work without a receipt: the key is free before those who wait are told. Errors: as of Settle.
func (c *Claim) Abandon(ctx context.Context, cause error) error {
	if cause == nil {
		cause = errors.New("no cause was given")
	}
	return c.end(func() error { return c.ledger.keeper.Abandon(ctx, c.ticket, cause) })
}

// Extend lets the owner be heard from: its lease begins anew. Errors: as of Settle.
func (c *Claim) Extend(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.owned(); err != nil {
		return err
	}
	return fenced(c.ledger.keeper.Extend(ctx, c.ticket, c.ledger.terms.Lease))
}

func (c *Claim) end(step func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.owned(); err != nil {
		return err
	}
	if err := step(); err != nil {
		return fenced(err)
	}
	c.spent = true
	return nil
}

func (c *Claim) owned() error {
	switch {
	case c.answer != Own:
		return ErrNotOwner
	case c.spent:
		return ErrSpent
	}
	return nil
}

func fenced(err error) error {
	if errors.Is(err, ErrFenced) {
		return &ledger.Error{Kind: ledger.KindOwnerFailed, Message: "this request took too long, and a later attempt has taken it over: send it again for its answer", Err: err}
	}
	return err
}
