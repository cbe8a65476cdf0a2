package templates

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/templates/ui"
)

// Drill is the page on which an administrator makes the race visible. Form is the key under which it runs; without Rows it has not run.
type Drill struct {
	Shell
	Form    string
	Running bool
	RanAt   time.Time
	RanBy   string
	Callers int
	Delay   time.Duration
	Rows    []DrillRow
}

// DrillRow is one way at one place: the calls that the gateway counted in each round.
type DrillRow struct {
	Place string
	Calls []int
	Once  int
	// Claim says that the way is the claim; Held, that each round made one charge of which all callers were told.
	Claim, Held bool
	Fault       string
}

// held tells whether the claim held everywhere.
func (d Drill) held() bool {
	return !slices.ContainsFunc(d.Rows, func(r DrillRow) bool { return r.Claim && !r.Held })
}

func (r DrillRow) way() string {
	if r.Claim {
		return "Claim"
	}
	return "Check, then act"
}

func (r DrillRow) calls() string {
	counts := make([]string, len(r.Calls))
	for i, calls := range r.Calls {
		counts[i] = strconv.Itoa(calls)
	}
	return strings.Join(counts, " ")
}

func (r DrillRow) fewest() int { return slices.Min(r.Calls) }

func (r DrillRow) most() int { return slices.Max(r.Calls) }

func (r DrillRow) chip() ui.Chip {
	switch {
	case r.Held:
		return ui.Chip{Tone: ui.OK, Text: "Held"}
	case r.Claim:
		return ui.Chip{Tone: ui.Bad, Text: "Did not hold"}
	}
	return ui.Chip{Tone: ui.Warn, Text: "Charged again"}
}
