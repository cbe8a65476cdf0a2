package claimtest

import (
	"sync"
	"sync/atomic"

	"daybook/store/claim"
)

// together runs n callers at once and waits for all of them.
func together(n int, call func(i int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			call(i)
		})
	}
	close(start)
	all.Wait()
}

// race lets many callers claim the key at once and sorts their claims by answer.
func race(t T, w World) map[claim.Answer][]*claim.Claim {
	t.Helper()
	var mu sync.Mutex
	answers := map[claim.Answer][]*claim.Claim{}
	var failures []error
	together(Callers, func(i int) {
		c, err := w.ledger(i).Claim(t.Context(), "k", deposit)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failures = append(failures, err)
			return
		}
		answers[c.Answer()] = append(answers[c.Answer()], c)
	})
	if len(failures) > 0 {
		fatalf(t, "%d of %d claims failed: %v", len(failures), Callers, failures[0])
	}
	return answers
}

func oneOwner(t T, w World) {
	answers := race(t, w)
	if owners := len(answers[claim.Own]); owners != 1 || len(answers[claim.Wait]) != Callers-1 {
		fatalf(t, "%d of %d callers own the key and %d wait, want 1 and %d", owners, Callers, len(answers[claim.Wait]), Callers-1)
	}
	outcomes := make(chan error, Callers)
	var wrong atomic.Int64
	for _, c := range answers[claim.Wait] {
		go func() {
			receipt, err := c.Outcome(t.Context())
			if err == nil && (string(receipt.Body) != `{"charge":1}` || receipt.Attempts != 1 || !receipt.Duplicate) {
				wrong.Add(1)
			}
			outcomes <- err
		}()
	}
	ok(t, answers[claim.Own][0].Settle(t.Context(), []byte(`{"charge":1}`)))
	for range answers[claim.Wait] {
		ok(t, <-outcomes)
	}
	if wrong.Load() > 0 {
		fatalf(t, "%d of those who waited got another receipt than the owner's", wrong.Load())
	}
	receives(t, claims(t, w.ledger(1), claim.Read), `{"charge":1}`, 1)
}

func oneHeir(t T, w World) {
	dead := claims(t, w.ledger(0), claim.Own)
	waiting := claims(t, w.ledger(1), claim.Wait)
	w.Advance(Lease)
	_, err := waiting.Outcome(t.Context())
	refusedWith(t, err, claim.ErrLeaseOver)
	answers := race(t, w)
	if heirs := len(answers[claim.Own]); heirs != 1 {
		fatalf(t, "%d of %d callers are heirs, want 1", heirs, Callers)
	}
	heir := answers[claim.Own][0]
	if heir.Attempt() != 2 {
		fatalf(t, "the heir makes attempt %d, want 2", heir.Attempt())
	}
	refusedWith(t, dead.Settle(t.Context(), []byte(`{"charge":"the dead one's"}`)), claim.ErrFenced)
	ok(t, heir.Settle(t.Context(), []byte(`{"charge":2}`)))
	for _, c := range append(answers[claim.Wait], waiting) {
		receives(t, c, `{"charge":2}`, 2)
	}
}

// freeBeforeWoken lets all who wait claim as soon as they are told: whoever is first owns, and nobody is left waiting.
func freeBeforeWoken(t T, w World) {
	owner := claims(t, w.ledger(0), claim.Own)
	answers := race(t, w)
	if len(answers[claim.Wait]) != Callers {
		fatalf(t, "%d of %d callers wait for the owner", len(answers[claim.Wait]), Callers)
	}
	again := make(chan *claim.Claim, Callers)
	for i, c := range answers[claim.Wait] {
		go func() {
			defer func() { again <- c }()
			if _, err := c.Outcome(t.Context()); err != nil {
				if next, err := w.ledger(i).Claim(t.Context(), "k", deposit); err == nil {
					c = next
				}
			}
		}()
	}
	ok(t, owner.Abandon(t.Context(), errFromGateway))
	var heirs []*claim.Claim
	for range Callers {
		if c := <-again; c.Answer() == claim.Own {
			heirs = append(heirs, c)
			ok(t, c.Settle(t.Context(), []byte(`{"charge":1}`)))
		}
	}
	if len(heirs) != 1 {
		fatalf(t, "after the owner abandoned the key %d own it, want 1", len(heirs))
	}
}
