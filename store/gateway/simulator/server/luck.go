package server

import (
	"math/rand/v2"
	"time"

	"daybook/store/gateway/simulator"
)

// luck makes the random choices. Those of requests and those of webhooks come from two sources, so that requests one after the other meet the same
// luck each time, however their messages fare.
type luck struct {
	requests, webhooks *rand.Rand
}

func newLuck(seed int64) *luck {
	return &luck{requests: rand.New(rand.NewPCG(uint64(seed), 1)), webhooks: rand.New(rand.NewPCG(uint64(seed), 2))}
}

// fate is what happens to one request.
type fate struct {
	latency             time.Duration
	cutBefore, cutAfter bool
	hang                time.Duration
}

// luckOf says which rates a request is under.
type luckOf func(simulator.Faults) (before, after float64)

func luckOfMoney(f simulator.Faults) (before, after float64) { return f.TimeoutBefore, f.TimeoutAfter }

func luckOfRecovery(f simulator.Faults) (before, after float64) { return f.TimeoutRecover, 0 }

func (s *Server) fate(of luckOf) fate {
	s.mu.Lock()
	defer s.mu.Unlock()
	faults := s.state.faults
	before, after := of(faults)
	chance := s.luck.requests.Float64()
	return fate{
		latency:   time.Duration(faults.Latency) + upTo(s.luck.requests, faults.LatencySpread),
		cutBefore: chance < before,
		cutAfter:  chance >= before && chance < before+after,
		hang:      time.Duration(faults.Hang),
	}
}

// declines decides about a new authorization.
func (l *luck) declines(f simulator.Faults) bool { return l.requests.Float64() < f.Decline }

// deliveries says how often a message is delivered, and how late each time.
func (l *luck) deliveries(f simulator.Faults) (late []time.Duration) {
	for range f.WebhookRepeatMin + l.webhooks.IntN(f.WebhookRepeatMax-f.WebhookRepeatMin+1) {
		hold := time.Duration(0)
		if f.WebhookReorder {
			hold = upTo(l.webhooks, f.WebhookHold)
		}
		late = append(late, hold)
	}
	return late
}

func upTo(random *rand.Rand, most simulator.Span) time.Duration {
	return time.Duration(random.Int64N(int64(most) + 1))
}
