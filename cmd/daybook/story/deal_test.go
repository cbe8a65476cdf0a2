package story_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// deal is one payment as its client wants it, and what the client was told last. What it wants is the same each time that the test runs.
type deal struct {
	n       int
	amount  int64
	capture int64 // 0 for one that is voided
	refunds []int64
	rival   bool // somebody else asks for the same at the same time, with another key
	leaves  bool // its client does not ask again when the processor has not answered

	id   string
	told object
}

// newDeal makes up deal n: of ten one is voided, four are captured and kept, the others given back in part, in two parts or as a whole.
func newDeal(n int) deal {
	luck := rand.New(rand.NewPCG(7, uint64(n)))
	d := deal{n: n, amount: 100 + luck.Int64N(20_000), rival: luck.IntN(6) == 0, leaves: luck.IntN(10) == 0}
	d.capture = d.amount
	if luck.IntN(5) == 0 {
		d.capture -= luck.Int64N(d.amount / 2)
	}
	switch part := d.capture/3 + 1; luck.IntN(10) {
	case 0:
		d.capture = 0
	case 1, 2:
		d.refunds = []int64{part}
	case 3:
		d.refunds = []int64{part, d.capture - part}
	case 4, 5:
		d.refunds = []int64{d.capture}
	}
	return d
}

// order is what the payment is asked for with. Of three one is by Alice, who has an account of her own.
func (d *deal) order() string {
	customer := fmt.Sprint("customer ", d.n)
	if d.n%3 == 0 {
		customer = "alice"
	}
	return fmt.Sprintf(`{"amount":%d,"currency":"EUR","customer":%q,"reference":"order %d"}`, d.amount, customer, d.n)
}

// make brings a payment to the end that its client wants, or to where the processor declines it.
func (s *shop) make(t *testing.T, d *deal) {
	if !s.ask(t, d, "", d.order()) || !s.command(t, d, "authorize", 0) || d.told["state"] != "authorized" {
		return
	}
	if d.capture == 0 {
		s.command(t, d, "void", 0)
		return
	}
	if !s.command(t, d, "capture", d.capture) {
		return
	}
	for i, amount := range d.refunds {
		if !s.command(t, d, fmt.Sprint("refund ", i+1), amount) {
			return
		}
	}
}

// command asks for something about a payment; a step is a command, and a number where there are more of them. False says that the client does not go on.
func (s *shop) command(t *testing.T, d *deal, step string, amount int64) bool {
	body := ""
	if amount != 0 {
		body = fmt.Sprintf(`{"amount":%d}`, amount)
	}
	if !d.rival || step != "authorize" && step != "capture" {
		return s.ask(t, d, step, body)
	}
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(func() {
		if _, err := s.as("controller").key(fmt.Sprint("rival ", d.n, step)).try(t, http.MethodPost, "/payments/"+d.id+"/"+step, body); err != nil {
			s.lost.Add(1)
		}
	})
	return s.ask(t, d, step, body)
}

// How long is waited before something is asked again: twice as long each time.
const (
	firstPause   = 20 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// ask sends a request until it is answered for good. False says that it was not, or not with what its client goes on with.
func (s *shop) ask(t *testing.T, d *deal, step, body string) bool {
	path, key := "/payments", fmt.Sprint("deal ", d.n)
	if step != "" {
		command, _, _ := strings.Cut(step, " ")
		path, key = path+"/"+d.id+"/"+command, key+" "+step
	}
	for wait := firstPause; t.Context().Err() == nil; wait = min(2*wait, longestPause) {
		a, err := s.as("preparer").key(key).try(t, http.MethodPost, path, body)
		switch {
		case err != nil || a.status >= 500:
			s.lost.Add(1)
		case strings.Contains(a.body, `"gateway":"unknown"`):
			s.unknown.Add(1)
		case strings.Contains(a.body, "idempotency-key-in-progress"):
			s.waited.Add(1)
		default:
			return s.hear(t, d, step, a)
		}
		if d.leaves && step != "" {
			return false
		}
		pause(t, wait)
	}
	return false
}

// hear takes an answer that counts.
func (s *shop) hear(t *testing.T, d *deal, step string, a answer) bool {
	s.answered <- struct{}{}
	if d.rival && a.status == http.StatusConflict {
		a = s.lookedUp(t, d)
	}
	want := http.StatusOK
	if step == "" {
		want = http.StatusCreated
	}
	told, err := a.object()
	if err != nil || a.status != want {
		t.Errorf("deal %d, payment %s: %s is answered %d %s", d.n, d.id, step, a.status, a.body)
		return false
	}
	d.id, d.told = told.text("id"), told
	return true
}

// lookedUp is how a payment stands that a rival was faster with.
func (s *shop) lookedUp(t *testing.T, d *deal) answer {
	for t.Context().Err() == nil {
		if a, err := s.as("preparer").try(t, http.MethodGet, "/payments/"+d.id, ""); err == nil && a.status == http.StatusOK {
			return a
		}
		pause(t, firstPause)
	}
	return answer{}
}
