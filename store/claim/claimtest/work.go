package claimtest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"daybook/store/claim"
	"daybook/store/ledger"
)

// doTogether lets many callers ask for the same work at once.
func doTogether(t T, w World, work claim.Work) (receipts []claim.Receipt, failures []error) {
	var mu sync.Mutex
	together(Callers, func(i int) {
		receipt, err := w.ledger(i).Do(t.Context(), "k", deposit, work)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failures = append(failures, err)
			return
		}
		receipts = append(receipts, receipt)
	})
	return receipts, failures
}

func doOnce(t T, w World) {
	var calls atomic.Int64
	receipts, failures := doTogether(t, w, func(context.Context, int) ([]byte, error) {
		calls.Add(1)
		return []byte(`{"charge":1}`), nil
	})
	if len(failures) > 0 {
		fatalf(t, "%d of %d callers got no answer: %v", len(failures), Callers, failures[0])
	}
	first := 0
	for _, receipt := range receipts {
		if !receipt.Duplicate {
			first++
		}
		if string(receipt.Body) != `{"charge":1}` || receipt.Attempts != 1 {
			fatalf(t, "a caller got %s after %d attempts", receipt.Body, receipt.Attempts)
		}
	}
	if calls.Load() != 1 || first != 1 {
		fatalf(t, "%d callers made %d calls, and %d answers are no duplicates", Callers, calls.Load(), first)
	}
}

// doFails lets the first attempt fail once a second caller waits: both are told, and the next one works.
func doFails(t T, w World) {
	failed := make(chan error, 1)
	_, err := w.ledger(0).Do(t.Context(), "k", deposit, func(ctx context.Context, _ int) ([]byte, error) {
		waiting := claims(t, w.ledger(1), claim.Wait)
		go func() {
			_, err := waiting.Outcome(t.Context())
			failed <- err
		}()
		return nil, errFromGateway
	})
	refusedWith(t, err, errFromGateway)
	refusedAs(t, <-failed, ledger.KindOwnerFailed)
	func() {
		defer func() { _ = recover() }()
		_, _ = w.ledger(0).Do(t.Context(), "k", deposit, func(context.Context, int) ([]byte, error) { panic("the work breaks off") })
	}()
	receipt, err := w.ledger(1).Do(t.Context(), "k", deposit, func(context.Context, int) ([]byte, error) { return []byte(`{"charge":1}`), nil })
	ok(t, err)
	if receipt.Duplicate {
		fatalf(t, "after a failure the work was not tried again")
	}
}

// doInherits lets all wait for an owner that never is heard from again.
func doInherits(t T, w World) {
	dead := claims(t, w.ledger(0), claim.Own)
	var calls, attempts atomic.Int64
	w.Advance(Lease)
	receipts, failures := doTogether(t, w, func(_ context.Context, attempt int) ([]byte, error) {
		calls.Add(1)
		attempts.Store(int64(attempt))
		return []byte(`{"charge":2}`), nil
	})
	if len(failures) > 0 || len(receipts) != Callers {
		fatalf(t, "%d callers got no answer: %v", len(failures), errors.Join(failures...))
	}
	if calls.Load() != 1 || attempts.Load() != 2 {
		fatalf(t, "%d heirs worked, the last as attempt %d, want one as attempt 2", calls.Load(), attempts.Load())
	}
	refusedWith(t, dead.Settle(t.Context(), []byte(`{}`)), claim.ErrFenced)
}

// doOvertaken lets an heir come in while the owner works: the owner learns of it, whether its work succeeds or fails.
func doOvertaken(t T, w World) {
	for i, fails := range []error{nil, errFromGateway} {
		key := []string{"succeeds", "fails"}[i]
		var heir *claim.Claim
		_, err := w.ledger(0).Do(t.Context(), key, deposit, func(context.Context, int) (body []byte, err error) {
			w.Advance(Lease)
			heir, err = w.ledger(1).Claim(t.Context(), key, deposit)
			ok(t, err)
			return []byte(`{"charge":"late"}`), fails
		})
		refusedWith(t, err, claim.ErrFenced)
		refusedAs(t, err, ledger.KindOwnerFailed)
		ok(t, heir.Settle(t.Context(), []byte(`{"charge":2}`)))
		found, err := w.ledger(0).Find(t.Context(), key)
		ok(t, err)
		if string(found.Body) != `{"charge":2}` || found.Attempts != 2 {
			fatalf(t, "the key has settled to %s after %d attempts", found.Body, found.Attempts)
		}
	}
}
