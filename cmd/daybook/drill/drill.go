package drill

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Place is where the callers of a drill are, with the gateway that they all charge at.
type Place struct {
	Name    string
	Crowd   Crowd
	Gateway *Counter
}

// Run drills both ways at each place, prints what the gateway counted, and tells whether the claim held everywhere: one charge in every
// round, of which every caller was told.
func Run(ctx context.Context, places []Place, rounds int, out io.Writer) (held bool, err error) {
	held = true
	for _, way := range []Way{CheckThenAct, Claim} {
		for _, place := range places {
			result, err := place.drill(ctx, way, rounds)
			if err != nil {
				return false, fmt.Errorf("drill %s %s: %w", way, place.Name, err)
			}
			if _, err := fmt.Fprintf(out, "%s, %s\n%s\n", way, place.Name, result); err != nil {
				return false, err
			}
			held = held && (way == CheckThenAct || result.held(rounds))
		}
	}
	return held, nil
}

// result is what the gateway counted in each round, and what went wrong with the answers.
type result struct {
	calls []int
	fault string
}

func (p Place) drill(ctx context.Context, way Way, rounds int) (r result, err error) {
	for round := range rounds {
		key := fmt.Sprintf("drill %s %s %d", way, p.Name, round+1)
		tally, err := p.Crowd.Charge(ctx, way, key)
		if err != nil {
			return r, err
		}
		calls := p.Gateway.Calls(key)
		r.calls = append(r.calls, calls)
		if r.fault == "" {
			r.fault = faultOf(tally, calls)
		}
	}
	return r, nil
}

// faultOf says what is wrong with a round's answers: callers that failed, or that were told of different charges although one was made.
func faultOf(tally Tally, calls int) string {
	switch {
	case tally.Failed > 0:
		return fmt.Sprintf("%d callers got no answer: %s", tally.Failed, tally.Fault)
	case calls == 1 && len(tally.Told) != 1:
		return fmt.Sprintf("one charge was made, and the callers were told of %d", len(tally.Told))
	}
	return ""
}

func (r result) once() (rounds int) {
	for _, calls := range r.calls {
		if calls == 1 {
			rounds++
		}
	}
	return rounds
}

func (r result) held(rounds int) bool { return r.once() == rounds && r.fault == "" }

// String is a line of gateway calls a round, and what they come to.
func (r result) String() string {
	counts := make([]string, len(r.calls))
	for i, calls := range r.calls {
		counts[i] = fmt.Sprint(calls)
	}
	text := fmt.Sprintf("gateway calls per round: %s\nexactly one charge in %d of %d rounds (min %d, max %d)\n",
		strings.Join(counts, " "), r.once(), len(r.calls), slices.Min(r.calls), slices.Max(r.calls))
	if r.fault != "" {
		text += r.fault + "\n"
	}
	return text
}
