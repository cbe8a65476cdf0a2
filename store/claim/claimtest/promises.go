package claimtest

import (
	"context"
	"errors"

	"daybook/store/claim"
	"daybook/store/ledger"
)

var errFromGateway = errors.New("the gateway does not answer")

func fencedOff(t T, w World) {
	late := claims(t, w.ledger(0), claim.Own)
	w.Advance(Lease)
	heir := claims(t, w.ledger(1), claim.Own)
	for _, end := range []error{late.Settle(t.Context(), []byte(`{}`)), late.Abandon(t.Context(), errFromGateway), late.Extend(t.Context())} {
		refusedWith(t, end, claim.ErrFenced)
		refusedAs(t, end, ledger.KindOwnerFailed)
	}
	ok(t, heir.Abandon(t.Context(), errFromGateway))
	// The key was free meanwhile, and its attempts begin anew: the first owner must not be taken for this one.
	next := claims(t, w.ledger(1), claim.Own)
	if next.Attempt() != 1 {
		fatalf(t, "a key that was free begins with attempt %d", next.Attempt())
	}
	refusedWith(t, late.Settle(t.Context(), []byte(`{}`)), claim.ErrFenced)
	ok(t, next.Settle(t.Context(), []byte(`{"charge":3}`)))
	refusedWith(t, late.Settle(t.Context(), []byte(`{}`)), claim.ErrFenced)
	refusedWith(t, late.Abandon(t.Context(), errFromGateway), claim.ErrFenced)
	receives(t, claims(t, w.ledger(0), claim.Read), `{"charge":3}`, 1)
}

func extended(t T, w World) {
	owner := claims(t, w.ledger(0), claim.Own)
	for range 3 {
		w.Advance(Lease - 1)
		ok(t, owner.Extend(t.Context()))
		claims(t, w.ledger(1), claim.Wait)
	}
	ok(t, owner.Settle(t.Context(), []byte(`{}`)))
	refusedWith(t, owner.Extend(t.Context()), claim.ErrSpent)
}

func lateWithoutHeir(t T, w World) {
	owner := claims(t, w.ledger(0), claim.Own)
	w.Advance(2 * Lease)
	ok(t, owner.Settle(t.Context(), []byte(`{"charge":1}`)))
	w.Advance(2 * Lease)
	receives(t, claims(t, w.ledger(1), claim.Read), `{"charge":1}`, 1)
}

func onlyTheOwner(t T, w World) {
	owner := claims(t, w.ledger(0), claim.Own)
	waiting := claims(t, w.ledger(1), claim.Wait)
	refusedWith(t, waiting.Settle(t.Context(), []byte(`{}`)), claim.ErrNotOwner)
	refusedWith(t, waiting.Abandon(t.Context(), errFromGateway), claim.ErrNotOwner)
	refusedWith(t, waiting.Extend(t.Context()), claim.ErrNotOwner)
	_, err := owner.Outcome(t.Context())
	refusedWith(t, err, claim.ErrOwnWait)
	ok(t, owner.Settle(t.Context(), []byte(`{}`)))
	refusedWith(t, owner.Settle(t.Context(), []byte(`{}`)), claim.ErrSpent)
	refusedWith(t, owner.Abandon(t.Context(), errFromGateway), claim.ErrSpent)
	reading := claims(t, w.ledger(1), claim.Read)
	refusedWith(t, reading.Settle(t.Context(), []byte(`{}`)), claim.ErrNotOwner)
}

func timeoutOrFailure(t T, w World) {
	owner := claims(t, w.ledger(0), claim.Own)
	waiting := claims(t, w.ledger(1), claim.Wait)
	_, err := waiting.Outcome(t.Context())
	refusedAs(t, err, ledger.KindKeyInProgress)
	ok(t, owner.Abandon(t.Context(), errFromGateway))
	_, err = waiting.Outcome(t.Context())
	refusedAs(t, err, ledger.KindOwnerFailed)
}

func calledOff(t T, w World) {
	claims(t, w.ledger(0), claim.Own)
	waiting := claims(t, w.ledger(1), claim.Wait)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := waiting.Outcome(ctx)
	refusedWith(t, err, context.Canceled)
}

func oneContent(t T, w World) {
	owner := claims(t, w.ledger(0), claim.Own)
	others := []claim.Fingerprint{{Operation: "charge", Content: `{"amount":9999}`}, {Operation: "refund", Content: deposit.Content}}
	refuseOthers := func() {
		t.Helper()
		for i, other := range others {
			_, err := w.ledger(i).Claim(t.Context(), "k", other)
			refusedAs(t, err, ledger.KindKeyReused)
		}
	}
	refuseOthers()
	w.Advance(Lease)
	refuseOthers()
	ok(t, owner.Settle(t.Context(), []byte(`{}`)))
	refuseOthers()
}

func otherContentAfterAbandon(t T, w World) {
	owner := claims(t, w.ledger(0), claim.Own)
	waiting := claims(t, w.ledger(1), claim.Wait)
	ok(t, owner.Abandon(t.Context(), errFromGateway))
	other, err := w.ledger(0).Claim(t.Context(), "k", claim.Fingerprint{Operation: "charge", Content: `{"amount":9999}`})
	ok(t, err)
	_, err = waiting.Outcome(t.Context())
	refusedAs(t, err, ledger.KindOwnerFailed)
	ok(t, other.Settle(t.Context(), []byte(`{"charge":"another"}`)))
	_, err = waiting.Outcome(t.Context())
	refusedAs(t, err, ledger.KindOwnerFailed)
}

func findNeverClaims(t T, w World) {
	for range 2 {
		_, err := w.ledger(0).Find(t.Context(), "k")
		refusedAs(t, err, ledger.KindNotFound)
	}
	owner := claims(t, w.ledger(0), claim.Own)
	_, err := w.ledger(1).Find(t.Context(), "k")
	refusedAs(t, err, ledger.KindKeyInProgress)
	w.Advance(Lease)
	_, err = w.ledger(1).Find(t.Context(), "k")
	refusedAs(t, err, ledger.KindKeyInProgress)
	ok(t, owner.Settle(t.Context(), []byte(`{"charge":1}`)))
	found, err := w.ledger(1).Find(t.Context(), "k")
	ok(t, err)
	if string(found.Body) != `{"charge":1}` || !found.Duplicate || found.Attempts != 1 {
		fatalf(t, "found %s after %d attempts", found.Body, found.Attempts)
	}
}
