package drill_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/store/claim"
	"daybook/store/drill"
)

const callers = 8

// inMemory is a place in this process; of its charges all are answered together, once as many were made as callers race.
func inMemory(t *testing.T, gateway *drill.Counter) drill.Place {
	t.Helper()
	l, err := claim.New(claim.NewMemory(time.Now), "test", claim.Terms{Lease: time.Minute, Wait: 20 * time.Second, Poll: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return drill.Place{Name: "in memory", Crowd: drill.Here{Callers: callers, Ledger: l, Gateway: gateway}, Gateway: gateway}
}

func TestRunShowsTheRaceAndThatTheClaimHolds(t *testing.T) {
	t.Parallel()
	var met sync.WaitGroup
	met.Add(callers)
	var once sync.Mutex
	left := callers
	// The first round of check-then-act comes together at the gateway; whoever comes later is not held up.
	gateway := drill.CounterThat(func(context.Context) {
		once.Lock()
		early := left > 0
		if left--; early {
			met.Done()
		}
		once.Unlock()
		if early {
			met.Wait()
		}
	})
	got := run(t, inMemory(t, gateway), 1)
	want := `check-then-act, in memory
gateway calls per round: 8
exactly one charge in 0 of 1 rounds (min 8, max 8)

claim, in memory
gateway calls per round: 1
exactly one charge in 1 of 1 rounds (min 1, max 1)
`
	if text := got[0].String() + "\n" + got[1].String(); text != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	if got[0].Held() || !got[1].Held() {
		t.Errorf("held: check-then-act %v, claim %v", got[0].Held(), got[1].Held())
	}
}

func run(t *testing.T, place drill.Place, rounds int) (results []drill.Result) {
	t.Helper()
	err := drill.Run(t.Context(), []drill.Place{place}, rounds, func(r drill.Result) error {
		results = append(results, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// forgetful is a crowd of which one caller gets no answer.
type forgetful struct{ drill.Crowd }

func (f forgetful) Charge(ctx context.Context, way drill.Way, key string) (drill.Tally, error) {
	tally, err := f.Crowd.Charge(ctx, way, key)
	tally.Failed, tally.Fault = 1, "the line broke"
	return tally, err
}

func TestRunSaysNoWhenACallerGotNoAnswer(t *testing.T) {
	t.Parallel()
	place := inMemory(t, drill.NewCounter(0))
	place.Crowd = forgetful{place.Crowd}
	for _, r := range run(t, place, 2) {
		if r.Held() || !strings.Contains(r.String(), "1 callers got no answer: the line broke") {
			t.Errorf("a caller got no answer, and the result is\n%s", r)
		}
	}
}
