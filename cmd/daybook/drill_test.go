package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daybook/store/claim"
	"daybook/store/drill"
	"daybook/store/postgres/pgtest"
)

func TestDrillShowsThatTheClaimHolds(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), os.Args[0], "drill", "--callers", "12", "--rounds", "3", "--gateway-delay", "5ms")
	command.Env = append(os.Environ(), asProgram+"=1")
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("%v: %s\n%s", err, &stderr, &stdout)
	}
	for _, place := range []string{"in memory", "on Postgres with 2 processes"} {
		want := "claim, " + place + "\ngateway calls per round: 1 1 1\nexactly one charge in 3 of 3 rounds (min 1, max 1)\n"
		if !strings.Contains("\n"+stdout.String(), "\n"+want) || !strings.Contains(stdout.String(), "check-then-act, "+place+"\n") {
			t.Errorf("got\n%s", &stdout)
		}
	}
}

// heirLease is that of the owners who die here, and heirMoment what an heir may take beyond it.
const (
	heirLease  = 2 * time.Second
	heirMoment = time.Second
	heirs      = 8
)

// ownership is an owner at a gateway that does not answer, in one process, and heirs who wait for it in another.
type ownership struct {
	gateway *drill.Counter
	owner   *drillCallers
	told    chan drill.Tally // what the owner was answered; closed when it was killed
	heirs   chan drill.Tally
	answer  func() // lets the gateway answer
	db      *pgx.Conn
}

func ownedDuringACall(t *testing.T) *ownership {
	t.Helper()
	ownerURL, appURL := pgtest.New(t)
	book, err := openDrillBook(t.Context(), appURL)
	if err != nil {
		t.Fatal(err)
	}
	reached, answered := make(chan struct{}), make(chan struct{})
	var calls atomic.Int64
	o := &ownership{told: make(chan drill.Tally, 1), heirs: make(chan drill.Tally, 1), answer: func() { close(answered) }}
	o.gateway = drill.CounterThat(func(ctx context.Context) {
		if calls.Add(1) == 1 {
			close(reached)
		}
		select {
		case <-answered:
		case <-ctx.Done():
		}
	})
	url, end, err := serveGateway(t.Context(), o.gateway)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = end() })
	order := drillOrder{Book: book, Gateway: url, Terms: claim.Terms{Lease: heirLease, Wait: 30 * time.Second, Poll: 100 * time.Millisecond}}
	if o.db, err = pgx.Connect(t.Context(), ownerURL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.db.Close(context.Background()) })
	o.owner = startCallers(t, order, 1)
	charge(o.owner, o.told)
	<-reached
	charge(startCallers(t, order, heirs), o.heirs)
	for waiting := 0; waiting < heirs; {
		o.scan(t, `SELECT replays FROM idempotency_keys WHERE key = 'k'`, &waiting)
	}
	return o
}

func startCallers(t *testing.T, order drillOrder, callers int) *drillCallers {
	t.Helper()
	process := exec.Command(os.Args[0], drillCallersCommandName)
	process.Env = append(os.Environ(), asProgram+"=1")
	order.Callers = callers
	crowd, err := startDrillCaller(process, order)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = crowd.stop()
	})
	return crowd
}

// charge lets a crowd charge the one key, and tells what it was answered.
func charge(crowd *drillCallers, told chan<- drill.Tally) {
	go func() {
		defer close(told)
		if tally, err := crowd.Charge(context.Background(), drill.Claim, "k"); err == nil {
			told <- tally
		}
	}()
}

func (o *ownership) scan(t *testing.T, query string, into ...any) {
	t.Helper()
	if err := o.db.QueryRow(t.Context(), query).Scan(into...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// passesOn asks that the heirs got the one charge from one of them, who took over soon after a moment.
func (o *ownership) passesOn(t *testing.T, since time.Time) {
	t.Helper()
	tally := <-o.heirs
	if want := (drill.Tally{Told: map[string]int{"charge-1": heirs}}); !reflect.DeepEqual(tally, want) {
		t.Errorf("the heirs were told %+v, want %+v", tally, want)
	}
	var attempts int
	var claimedAt time.Time
	o.scan(t, `SELECT attempts, claimed_at FROM idempotency_keys WHERE key = 'k' AND settled_at IS NOT NULL`, &attempts, &claimedAt)
	if after := claimedAt.Sub(since); attempts != 2 || after > heirLease+heirMoment {
		t.Errorf("the key has settled after %d attempts, the last of which began after %s", attempts, after)
	}
	if calls := o.gateway.Calls("k"); calls != 1 {
		t.Errorf("the gateway has charged %d times", calls)
	}
}

func TestAnOwnerThatIsKilledDuringItsCallHasOneHeirAndOneCharge(t *testing.T) {
	t.Parallel()
	o := ownedDuringACall(t)
	if err := o.owner.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	o.passesOn(t, time.Now())
	if tally, answered := <-o.told; answered {
		t.Errorf("a dead owner was told %+v", tally)
	}
}

func TestAnOwnerThatIsPausedPastItsLeaseIsRefused(t *testing.T) {
	t.Parallel()
	o := ownedDuringACall(t)
	if err := o.owner.process.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	o.passesOn(t, time.Now())
	o.answer()
	if err := o.owner.process.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	tally := <-o.told
	if tally.Failed != 1 || !strings.Contains(tally.Fault, claim.ErrFenced.Error()) {
		t.Errorf("the owner came back late and was told %+v", tally)
	}
	var receipt string
	o.scan(t, `SELECT receipt->>'charge' FROM idempotency_keys WHERE key = 'k' AND attempts = 2`, &receipt)
	if receipt != "charge-1" || o.gateway.Calls("k") != 1 {
		t.Errorf("the receipt is %s after %d charges", receipt, o.gateway.Calls("k"))
	}
}
