package claim_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/store/claim"
	"daybook/store/claim/claimtest"
	"daybook/store/ledger"
)

func TestMemoryKeepsEveryPromise(t *testing.T) {
	t.Parallel()
	claimtest.Run(t, worldOver(func(now func() time.Time) claim.Keeper { return claim.NewMemory(now) }))
}

func TestTheSuiteFailsOnALedgerThatChecksAndThenActs(t *testing.T) {
	t.Parallel()
	atOnce := map[string]int{"OneOfManyOwnsAndAllGetItsReceipt": claimtest.Callers, "HistoriesAreLinearizable": claimtest.HistoryClients}
	for _, check := range claimtest.Checks() {
		callers, races := atOnce[check.Name]
		if !races {
			continue
		}
		t.Run(check.Name, func(t *testing.T) {
			t.Parallel()
			world := worldOver(func(now func() time.Time) claim.Keeper {
				return &checkThenAct{Memory: claim.NewMemory(now), between: meeting(callers)}
			})
			watched := &watched{ctx: t.Context()}
			if watched.run(check, world(t, check.Terms)); !watched.failed {
				t.Error("a ledger that looks whether a key is free, and takes it when it was, passes the check")
			}
		})
	}
}

func TestALedgerThatChecksAndThenActsIsWrongOnlyInARace(t *testing.T) {
	t.Parallel()
	racing := map[string]bool{
		"OneOfManyOwnsAndAllGetItsReceipt": true, "AnOwnerThatFellSilentHasOneHeir": true, "AnAbandonedKeyIsFreeBeforeItsWaitersWake": true,
		"ManyCallersMakeOneCall": true, "OfThoseWhoWaitForASilentOwnerOneTakesOver": true, "HistoriesAreLinearizable": true,
	}
	world := worldOver(func(now func() time.Time) claim.Keeper {
		return &checkThenAct{Memory: claim.NewMemory(now), between: func() {}}
	})
	for _, check := range claimtest.Checks() {
		if !racing[check.Name] {
			t.Run(check.Name, func(t *testing.T) {
				t.Parallel()
				check.Run(t, world(t, check.Terms))
			})
		}
	}
}

func TestTermsArePositive(t *testing.T) {
	t.Parallel()
	keeper := claim.NewMemory(time.Now)
	whole := claim.Terms{Lease: time.Second, Wait: time.Second, Poll: time.Second}
	if _, err := claim.New(keeper, "test", whole); err != nil {
		t.Fatal(err)
	}
	for field, spoil := range map[string]func(*claim.Terms){
		"lease": func(t *claim.Terms) { t.Lease = 0 }, "wait": func(t *claim.Terms) { t.Wait = 0 }, "poll": func(t *claim.Terms) { t.Poll = -1 },
	} {
		terms := whole
		spoil(&terms)
		if _, err := claim.New(keeper, "test", terms); ledger.KindOf(err) != ledger.KindInvalid || !strings.Contains(err.Error(), field) {
			t.Errorf("%+v: %v", terms, err)
		}
	}
}

// worldOver makes worlds of two ledgers over one keeper.
func worldOver(form func(now func() time.Time) claim.Keeper) claimtest.Factory {
	return func(t *testing.T, terms claim.Terms) claimtest.World {
		var mu sync.Mutex
		at := time.Date(2026, 3, 31, 10, 0, 0, 0, time.UTC)
		keeper := form(func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return at
		})
		world := claimtest.World{Advance: func(d time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			at = at.Add(d)
		}}
		for _, name := range []string{"one", "other"} {
			l, err := claim.New(keeper, name, terms)
			if err != nil {
				t.Fatal(err)
			}
			world.Ledgers = append(world.Ledgers, l)
		}
		return world
	}
}

// checkThenAct is how keys are often kept: it looks whether a key is free, and takes it when it was.
type checkThenAct struct {
	*claim.Memory
	between func()
}

func (k *checkThenAct) Take(ctx context.Context, key, owner string, print claim.Fingerprint, lease time.Duration) (claim.State, error) {
	state, err := k.Look(ctx, key)
	if err != nil {
		return state, err
	}
	if free := state.Owner == ""; !free && (state.Settled || state.LeaseLeft > 0 || state.Print != print.Hash()) {
		return k.Memory.Take(ctx, key, owner, print, lease)
	}
	k.between()
	return k.Overwrite(ctx, key, owner, print, lease)
}

// meeting lets the first n callers go on together, and holds up none after them: the interleaving that a check-then-act must not meet.
func meeting(n int) func() {
	var all sync.WaitGroup
	all.Add(n)
	seats := make(chan struct{}, n)
	return func() {
		select {
		case seats <- struct{}{}:
			all.Done()
			all.Wait()
		default:
		}
	}
}

// watched is a test that may fail.
type watched struct {
	ctx    context.Context
	mu     sync.Mutex
	failed bool
}

func (w *watched) run(check claimtest.Check, world claimtest.World) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		check.Run(w, world)
	}()
	<-ended
}

func (w *watched) Helper()                  {}
func (w *watched) Context() context.Context { return w.ctx }
func (w *watched) FailNow()                 { runtime.Goexit() }
func (w *watched) Errorf(string, ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = true
}
