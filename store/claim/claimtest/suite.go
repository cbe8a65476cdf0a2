package claimtest

import (
	"context"
	"errors"
	"testing"
	"time"

	"daybook/store/claim"
	"daybook/store/ledger"
)

// Callers is how many race where many do.
const Callers = 40

// Lease is that of the suite's terms.
const Lease = time.Minute

// T is what a check needs of a testing.T, so that a test can watch a check fail.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
	Context() context.Context
}

// World is what a check runs in: ledgers over the same keys, as several processes have them, and a way to move their clock.
type World struct {
	Ledgers []*claim.Ledger
	Advance func(time.Duration)
}

// ledger is the door that the i-th caller comes through.
func (w World) ledger(i int) *claim.Ledger { return w.Ledgers[i%len(w.Ledgers)] }

// Factory makes a world without any keys.
type Factory func(t *testing.T, terms claim.Terms) World

// Check is one promise of the contract.
type Check struct {
	Name  string
	Terms claim.Terms
	Run   func(t T, w World)
}

// terms are long enough that no wait runs out in a check that holds.
var terms = claim.Terms{Lease: Lease, Wait: 20 * time.Second, Poll: 10 * time.Millisecond}

// Checks are all promises of the contract.
func Checks() []Check {
	impatient := claim.Terms{Lease: Lease, Wait: 30 * time.Millisecond, Poll: 10 * time.Millisecond}
	return []Check{
		{"OneOfManyOwnsAndAllGetItsReceipt", terms, oneOwner},
		{"AnOwnerThatFellSilentHasOneHeir", terms, oneHeir},
		{"AnOwnerThatComesBackLateIsRefused", terms, fencedOff},
		{"AnOwnerThatIsHeardFromKeepsItsKey", terms, extended},
		{"AnOwnerWithoutHeirMayStillSettle", terms, lateWithoutHeir},
		{"OnlyTheOwnerEndsAClaimAndOnce", terms, onlyTheOwner},
		{"AnAbandonedKeyIsFreeBeforeItsWaitersWake", terms, freeBeforeWoken},
		{"AWaitThatRanOutIsToldFromAnOwnerThatFailed", impatient, timeoutOrFailure},
		{"AWaiterThatIsCalledOffIsNotTimedOut", terms, calledOff},
		{"AKeyStandsForOneContent", terms, oneContent},
		{"AWaiterNeverGetsTheReceiptOfOtherContent", terms, otherContentAfterAbandon},
		{"FindNeverClaims", terms, findNeverClaims},
		{"ManyCallersMakeOneCall", terms, doOnce},
		{"AFailureLeavesTheKeyFree", terms, doFails},
		{"OfThoseWhoWaitForASilentOwnerOneTakesOver", terms, doInherits},
		{"AnOwnerThatIsOvertakenIsTold", terms, doOvertaken},
		{"HistoriesAreLinearizable", terms, linearizable},
	}
}

// Run holds a form of the keeper to every promise.
func Run(t *testing.T, factory Factory) {
	t.Helper()
	for _, check := range Checks() {
		t.Run(check.Name, func(t *testing.T) {
			t.Parallel()
			check.Run(t, factory(t, check.Terms))
		})
	}
}

var deposit = claim.Fingerprint{Operation: "charge", Content: `{"amount":3050}`}

func fatalf(t T, format string, args ...any) {
	t.Helper()
	t.Errorf(format, args...)
	t.FailNow()
}

func ok(t T, err error) {
	t.Helper()
	if err != nil {
		fatalf(t, "unexpected: %v", err)
	}
}

func refusedAs(t T, err error, kind ledger.Kind) {
	t.Helper()
	if err == nil || ledger.KindOf(err) != kind {
		fatalf(t, "got %v, want a refusal as %s", err, kind)
	}
}

func refusedWith(t T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		fatalf(t, "got %v, want %v", err, want)
	}
}

// claims claims the key at a door and asks for an answer.
func claims(t T, l *claim.Ledger, want claim.Answer) *claim.Claim {
	t.Helper()
	c, err := l.Claim(t.Context(), "k", deposit)
	ok(t, err)
	if c.Answer() != want {
		fatalf(t, "the claim is answered with %s, want %s", c.Answer(), want)
	}
	return c
}

// receives asks the claim for a receipt with that body and that many attempts, marked as a duplicate.
func receives(t T, c *claim.Claim, body string, attempts int) {
	t.Helper()
	receipt, err := c.Outcome(t.Context())
	ok(t, err)
	if string(receipt.Body) != body || receipt.Attempts != attempts || !receipt.Duplicate {
		fatalf(t, "the outcome is %s after %d attempts (duplicate: %v), want %s after %d", receipt.Body, receipt.Attempts, receipt.Duplicate, body, attempts)
	}
}
