package reconbench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"daybook/recon"
)

// The goals for the matches of any world in the default mix.
const (
	goalPrecision = 0.9999
	goalRecall    = 0.97
)

// summary is the first line about a world.
type summary struct {
	Bench         string  `json:"bench"`
	Seed          uint64  `json:"seed"`
	Postings      int     `json:"postings"`
	BankLines     int     `json:"bank_lines"`
	Days          int     `json:"days"`
	Matches       int     `json:"matches"`
	AutoMatchRate float64 `json:"auto_match_rate"` // of the bank lines
	Breaks        int     `json:"breaks"`
	SetsTried     int     `json:"sets_tried"`
	Unfinished    int     `json:"searches_unfinished"`
	Seconds       float64 `json:"seconds"`
	PerSecond     float64 `json:"per_second"` // bank lines
	PeakMiB       int64   `json:"peak_mib"`   // of the process, the making of the world and both of its sides included
}

// scored is a line about what was found, and how well.
type scored struct {
	Bench string `json:"bench"`
	Seed  uint64 `json:"seed"`
	What  string `json:"what"` // matches, break or trouble
	Score
}

// ratio is a line that holds a value against its goal, as the lines of bench post do.
type ratio struct {
	Ratio  string  `json:"ratio"`
	Value  float64 `json:"value"`
	Goal   float64 `json:"goal"`
	AtMost bool    `json:"at_most,omitempty"`
	Met    bool    `json:"met"`
}

// Quality matches a world and writes lines of JSON that hold the result against the truth.
func Quality(plan Plan, out io.Writer) error {
	w := Make(plan)
	start := time.Now()
	result := recon.Match(w.Input)
	took := time.Since(start).Seconds()
	s := summary{Bench: "reconcile", Seed: plan.Seed, Postings: len(w.Input.Ledger), BankLines: len(w.Input.Bank), Days: plan.Days,
		Matches: len(result.Matches), Breaks: len(result.Breaks), SetsTried: result.Search.Sets, Unfinished: result.Search.Unfinished,
		Seconds: rounded(took), PerSecond: math.Round(float64(len(w.Input.Bank)) / took)}
	matched := 0
	for _, m := range result.Matches {
		matched += len(m.Bank)
	}
	s.AutoMatchRate = rounded(share(matched, len(w.Input.Bank)))
	w.Decide()
	verdict := Judge(w, result)
	s.PeakMiB = peakKiB() >> 10
	lines := []any{s, scored{"reconcile", plan.Seed, "matches", verdict.Matches}}
	for _, b := range verdict.Breaks {
		lines = append(lines, scored{"reconcile", plan.Seed, "break", b})
	}
	for _, t := range verdict.Troubles {
		lines = append(lines, scored{"reconcile", plan.Seed, "trouble", t})
	}
	lines = append(lines,
		atLeast(fmt.Sprintf("matches right/found, seed %d", plan.Seed), verdict.Matches.Precision, goalPrecision),
		atLeast(fmt.Sprintf("matches found/decidable, seed %d", plan.Seed), verdict.Matches.Recall, goalRecall))
	return say(out, lines...)
}

func atLeast(name string, value, goal float64) ratio {
	return ratio{Ratio: name, Value: rounded(value), Goal: goal, Met: value >= goal}
}

func atMost(name string, value, goal float64) ratio {
	return ratio{Ratio: name, Value: rounded(value), Goal: goal, AtMost: true, Met: value <= goal}
}

func say(out io.Writer, lines ...any) error {
	for _, line := range lines {
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s\n", text); err != nil {
			return err
		}
	}
	return nil
}

// rounded keeps six digits behind the point: a goal has four nines.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }
