package bench

import (
	"encoding/json"
	"fmt"
	"math"
)

// measurement is a line of the output. What is measured is named by Writer: daybook and gorm post over HTTP; commit is one row inserted and
// committed, round-trip an empty request, copy COPY of a book's rows into a fresh one, copy-out COPY of them to nowhere, verify the proof of a book.
type measurement struct {
	Bench     string  `json:"bench"`
	Writer    string  `json:"writer"`
	Way       string  `json:"way,omitempty"` // of posting, where it is not single posts: batch, or one-key
	Page      string  `json:"page,omitempty"`
	PageBytes int     `json:"page_bytes,omitempty"`
	Clients   int     `json:"clients"`
	Accounts  int     `json:"accounts,omitempty"`
	Hot       bool    `json:"hot"`
	Preloaded int64   `json:"preloaded,omitempty"`
	Count     int64   `json:"count"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"per_second"`
	P50       float64 `json:"p50_ms,omitempty"`
	P99       float64 `json:"p99_ms,omitempty"`
	Worst     float64 `json:"worst_ms,omitempty"`
	Busy      int     `json:"busy,omitempty"` // posts that the server put off, which were sent again
	ServerMiB int64   `json:"server_mib,omitempty"`
}

// of fills in what a sample says.
func (m measurement) of(s sample) measurement {
	m.Count, m.Seconds, m.PerSecond = int64(len(s.took)), rounded(s.window.Seconds()), rounded(s.perSecond())
	m.P50, m.P99, m.Worst = rounded(s.percentile(0.5)), rounded(s.percentile(0.99)), rounded(s.percentile(1))
	return m
}

// rounded keeps three digits behind the point.
func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

// ratio holds a measurement against another. Goal is the least that it should be, or with AtMost the most.
type ratio struct {
	Ratio  string  `json:"ratio"`
	Value  float64 `json:"value"`
	Goal   float64 `json:"goal"`
	AtMost bool    `json:"at_most,omitempty"`
	Met    bool    `json:"met"`
}

// skipped says what could not be measured, and why.
type skipped struct {
	Bench   string `json:"bench"`
	Writer  string `json:"writer"`
	Way     string `json:"way,omitempty"`
	Skipped string `json:"skipped"`
}

// say prints a line.
func (s *suite) say(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s\n", text)
	return err
}

// note prints a measurement and remembers it under a name, for the ratios.
func (s *suite) note(name string, m measurement) error {
	m.Bench = s.bench
	s.found[name] = m
	return s.say(m)
}

// atLeast and atMost print a ratio, where both of its sides were measured.
func (s *suite) atLeast(goal float64, name string, value, over float64) error {
	return s.hold(ratio{Ratio: name, Goal: goal}, value, over)
}

func (s *suite) atMost(goal float64, name string, value, over float64) error {
	return s.hold(ratio{Ratio: name, Goal: goal, AtMost: true}, value, over)
}

func (s *suite) hold(r ratio, value, over float64) error {
	if value == 0 || over == 0 {
		return nil
	}
	r.Value = rounded(value / over)
	r.Met = r.Value >= r.Goal
	if r.AtMost {
		r.Met = r.Value <= r.Goal
	}
	return s.say(r)
}
