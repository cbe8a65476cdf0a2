package drill

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Place is where the callers of a drill are, with the gateway that they all charge at. Their keys begin with the prefix.
type Place struct {
	Name    string
	Prefix  string
	Crowd   Crowd
	Gateway *Counter
}

// Result is what the gateway counted in each round of one way at one place, and what was wrong with the answers, if anything was.
type Result struct {
	Way   Way    `json:"way"`
	Place string `json:"place"`
	Calls []int  `json:"calls"`
	Fault string `json:"fault,omitempty"`
}

// Run drills both ways at each place and tells each result as it comes.
func Run(ctx context.Context, places []Place, rounds int, tell func(Result) error) error {
	for _, way := range []Way{CheckThenAct, Claim} {
		for _, place := range places {
			result, err := place.drill(ctx, way, rounds)
			if err != nil {
				return fmt.Errorf("drill %s %s: %w", way, place.Name, err)
			}
			if err := tell(result); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p Place) drill(ctx context.Context, way Way, rounds int) (Result, error) {
	r := Result{Way: way, Place: p.Name}
	for round := range rounds {
		key := fmt.Sprintf("%s%s %s %d", p.Prefix, way, p.Name, round+1)
		tally, err := p.Crowd.Charge(ctx, way, key)
		if err != nil {
			return r, err
		}
		calls := p.Gateway.Calls(key)
		r.Calls = append(r.Calls, calls)
		if r.Fault == "" {
			r.Fault = faultOf(tally, calls)
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

// Once is in how many rounds exactly one charge was made.
func (r Result) Once() (rounds int) {
	for _, calls := range r.Calls {
		if calls == 1 {
			rounds++
		}
	}
	return rounds
}

// ByClaim tells whether the way is the claim, and not the one that it is held against.
func (r Result) ByClaim() bool { return r.Way == Claim }

// Held tells whether the way did what it is for: one charge in every round, of which every caller was told.
func (r Result) Held() bool { return r.Once() == len(r.Calls) && r.Fault == "" }

// String is a line of gateway calls a round, and what they come to.
func (r Result) String() string {
	counts := make([]string, len(r.Calls))
	for i, calls := range r.Calls {
		counts[i] = fmt.Sprint(calls)
	}
	text := fmt.Sprintf("%s, %s\ngateway calls per round: %s\nexactly one charge in %d of %d rounds (min %d, max %d)\n",
		r.Way, r.Place, strings.Join(counts, " "), r.Once(), len(r.Calls), slices.Min(r.Calls), slices.Max(r.Calls))
	if r.Fault != "" {
		text += r.Fault + "\n"
	}
	return text
}
