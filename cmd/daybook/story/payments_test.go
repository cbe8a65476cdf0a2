package story_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"daybook/store/gateway/simulator"
)

// stormSize is how many payments are made by how many clients, and how often a server and Postgres are killed meanwhile where they are. make
// payments and make crash take more.
func stormSize(short int) (payments, clients, servers, postgres int) {
	if n, err := strconv.Atoi(os.Getenv("DAYBOOK_STORY_PAYMENTS")); err == nil {
		return n, 64, 10, 2
	}
	return short, 16, 2, 1
}

// The weather of a storm: of ten requests three are not answered, half of these though they were done, and of ten authorizations one is declined.
// Every message comes up to four times, in whatever order.
const (
	stormFaults = `{"latency":"2ms","latency_spread":"10ms","decline":0.1,"timeout_before":0.15,"timeout_after":0.15,"timeout_recover":0.3,"hang":"1s",
		"webhook_repeat_min":1,"webhook_repeat_max":4,"webhook_reorder":true,"webhook_hold":"500ms","seed":11}`
	deafFaults = `{"decline":0,"timeout_before":1,"timeout_after":0,"timeout_recover":1}`
	calmFaults = `{"decline":0,"timeout_before":0,"timeout_after":0,"timeout_recover":0}`
)

// TestPaymentsAreChargedOnce has clients make payments at a processor that often does not answer, and ask again until they know.
func TestPaymentsAreChargedOnce(t *testing.T) {
	t.Parallel()
	payments, clients, _, _ := stormSize(60)
	s := openShop(t)
	s.setFaults(t, stormFaults)
	s.sell(t, payments, clients).Wait()
	s.isUnknownWhereNobodyAnswers(t)
	s.settles(t)
	s.agrees(t)
	if told := s.told(t); told.Attempts != s.deliveries(t) {
		t.Errorf("%d deliveries were made, and %d are counted", told.Attempts, s.deliveries(t))
	}
	s.report(t)
}

// TestPaymentsSurviveKill9 kills the server and Postgres while payments are made.
func TestPaymentsSurviveKill9(t *testing.T) {
	t.Parallel()
	payments, clients, servers, postgres := stormSize(60)
	s := openShop(t)
	s.setFaults(t, stormFaults)
	group := s.sell(t, payments, clients)
	s.killAll(t, servers, postgres, payments)
	group.Wait()
	s.settles(t)
	s.agrees(t)
	if told := s.told(t); told.Attempts < s.deliveries(t) {
		t.Errorf("%d deliveries were made, and %d are counted", told.Attempts, s.deliveries(t))
	}
	s.report(t)
}

// killAll kills the server so often and Postgres so often, in an order and at moments that are the same each time as far as luck goes.
func (s *shop) killAll(t *testing.T, servers, postgres, payments int) {
	luck := rand.New(rand.NewPCG(5, 0))
	victims := make([]func(*testing.T), 0, servers+postgres)
	for range servers {
		victims = append(victims, func(t *testing.T) {
			s.killServer(t)
			s.startServer(t)
		})
	}
	for range postgres {
		victims = append(victims, s.killPostgres)
	}
	luck.Shuffle(len(victims), func(i, j int) { victims[i], victims[j] = victims[j], victims[i] })
	for i, kill := range victims {
		// About three answers count of each payment, so that all is done before the last quarter of them.
		for range 1 + luck.IntN(4*payments/len(victims)) {
			select {
			case <-s.answered:
			case <-s.sold:
				t.Errorf("all was sold before victim %d of %d was killed", i+1, len(victims))
				return
			}
		}
		kill(t)
	}
}

// sell has clients make payments, and tells when they are done.
func (s *shop) sell(t *testing.T, payments, clients int) *sync.WaitGroup {
	s.deals = make([]deal, payments)
	next := make(chan *deal, payments)
	for i := range s.deals {
		s.deals[i] = newDeal(i)
		next <- &s.deals[i]
	}
	close(next)
	var group, all sync.WaitGroup
	begun := time.Now()
	for range clients {
		group.Go(func() {
			for d := range next {
				s.make(t, d)
			}
		})
	}
	all.Go(func() {
		group.Wait()
		s.took = time.Since(begun)
		close(s.sold)
	})
	all.Go(func() { s.watch(t) })
	return &all
}

// watch looks how many payments are unknown while they are made.
func (s *shop) watch(t *testing.T) {
	for {
		select {
		case <-s.sold:
			return
		default:
		}
		pause(t, longestPause)
		conn, err := s.tryConnect(t)
		if err != nil {
			continue
		}
		var n int64
		if conn.QueryRow(t.Context(), `select count(*) from payment_calls where state = 'unknown'`).Scan(&n) == nil {
			s.peak.Store(max(s.peak.Load(), n))
		}
		_ = conn.Close(t.Context())
	}
}

// isUnknownWhereNobodyAnswers has payments made that the processor never says anything about.
func (s *shop) isUnknownWhereNobodyAnswers(t *testing.T) {
	t.Helper()
	s.setFaults(t, deafFaults)
	const silent = 3
	for i := range silent {
		d := newDeal(len(s.deals) + i)
		if d.leaves = true; s.ask(t, &d, "", d.order()) {
			s.command(t, &d, "authorize", 0)
		}
		s.deals = append(s.deals, d)
	}
	unknown := map[string]bool{}
	for _, p := range s.list(t, "gateway=unknown") {
		unknown[p.text("id")] = true
	}
	for _, d := range s.deals[len(s.deals)-silent:] {
		if !unknown[d.id] {
			t.Errorf("payment %s is not shown as unknown", d.id)
		}
	}
	charges := s.charges(t)
	for _, d := range s.deals[len(s.deals)-silent:] {
		if charge := charges[d.id]; len(charge) != 0 {
			t.Errorf("payment %s has the charges %+v", d.id, charge)
		}
	}
	s.setFaults(t, calmFaults)
}

func isDone(r simulator.ChargeRequest) bool { return r.Result == simulator.Done }
