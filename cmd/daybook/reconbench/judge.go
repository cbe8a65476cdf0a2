package reconbench

import (
	"fmt"
	"slices"
	"strings"

	"daybook/recon"
)

// Score is how well something was found: matches, breaks of one type, or what befell lines. Matches are counted by their pairs of a
// posting and a bank line: a batch of three has three.
type Score struct {
	Of        string  `json:"of"`
	True      int     `json:"true"`      // there are
	Decidable int     `json:"decidable"` // of those
	Found     int     `json:"found,omitempty"`
	Right     int     `json:"right"`               // of those found
	Precision float64 `json:"precision,omitempty"` // right of those found
	Recall    float64 `json:"recall,omitempty"`    // found of the decidable
	RecallAll float64 `json:"recall_all,omitempty"`

	decided int // found of the decidable
}

func (s Score) done() Score {
	s.Precision, s.Recall, s.RecallAll = share(s.Right, s.Found), share(s.decided, s.Decidable), share(s.Right, s.True)
	return s
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Verdict holds a result against the truth.
type Verdict struct {
	Matches  Score
	Breaks   []Score // by type
	Troubles []Score // the pairs that belong together, by what befell them
}

// Judge holds a result against the truth of a world. Lines that nothing tells apart may stand for one another.
func Judge(w *World, r recon.Result) Verdict {
	j := &judge{world: w, names: [2][]string{classes(w.Input.Ledger), classes(w.Input.Bank)}}
	var v Verdict
	v.Matches, v.Troubles = j.matches(r)
	v.Breaks = j.breaks(r)
	return v
}

type judge struct {
	world *World
	names [2][]string // of the class that each line is in
}

// classes names for each line the lines that it may stand for: those of its reference and amount, or, without a reference, those that
// are the same in everything.
func classes(items []recon.Item) []string {
	names := make([]string, len(items))
	prefixes := recon.DefaultPrefixes()
	for i, item := range items {
		name, part, batch := recon.NormaliseReference(item.Reference, prefixes)
		if name == "" || batch {
			name = item.Reference + "|" + item.Date.String() + "|" + item.Text
		}
		names[i] = fmt.Sprint(name, "|", part, "|", item.AmountMinor)
	}
	return names
}

// matches counts pairs of lines that were found together against those that belong together.
func (j *judge) matches(r recon.Result) (Score, []Score) {
	found := map[string]int{}
	all := Score{Of: "matches"}
	for _, m := range r.Matches {
		j.pairs(m.Ledger, m.Bank, func(pair string) { found[pair]++; all.Found++ })
	}
	troubles := map[string]*Score{}
	for _, decidable := range []bool{true, false} {
		for _, f := range j.world.Facts {
			if f.Break != "" || f.Decidable != decidable {
				continue
			}
			of := f.Trouble
			if troubles[of] == nil {
				troubles[of] = &Score{Of: of}
			}
			j.pairs(f.Ledger, f.Bank, func(pair string) {
				hit := 0
				if found[pair] > 0 {
					found[pair]--
					hit = 1
				}
				for _, s := range []*Score{&all, troubles[of]} {
					s.True, s.Right = s.True+1, s.Right+hit
					if decidable {
						s.Decidable, s.decided = s.Decidable+1, s.decided+hit
					}
				}
			})
		}
	}
	return all.done(), sorted(troubles)
}

func (j *judge) pairs(ledgers, banks []int, give func(pair string)) {
	for _, l := range ledgers {
		for _, b := range banks {
			give(j.names[0][l] + " = " + j.names[1][b])
		}
	}
}

// breaks counts breaks of each type. One that touches a line of a fact which the data cannot decide counts neither as right nor as
// wrong; those are what ambiguous breaks are for, which are right when they hold nothing else.
func (j *judge) breaks(r recon.Result) []Score {
	owner := [2][]bool{make([]bool, len(j.names[0])), make([]bool, len(j.names[1]))} // whether the line's fact is decidable
	scores, truth := map[string]*Score{}, map[string]int{}
	for _, t := range recon.BreakTypes() {
		scores[string(t)] = &Score{Of: string(t)}
	}
	for _, f := range j.world.Facts {
		for _, l := range f.Ledger {
			owner[0][l] = f.Decidable
		}
		for _, b := range f.Bank {
			owner[1][b] = f.Decidable
		}
		if f.Break == "" {
			continue
		}
		s := scores[string(f.Break)]
		s.True++
		if f.Decidable {
			s.Decidable++
			truth[j.key(f.Break, f.Ledger, f.Bank)]++
		}
	}
	for _, b := range r.Breaks {
		decidable := 0
		for _, l := range b.Ledger {
			decidable += count(owner[0][l])
		}
		for _, k := range b.Bank {
			decidable += count(owner[1][k])
		}
		j.count(scores[string(b.Type)], b, decidable, truth)
	}
	return sorted(scores)
}

func (j *judge) count(s *Score, b recon.Break, decidable int, truth map[string]int) {
	if b.Type == recon.Ambiguous {
		s.Found++
		s.Right += count(decidable == 0)
		return
	}
	if decidable < len(b.Ledger)+len(b.Bank) {
		return
	}
	s.Found++
	if key := j.key(b.Type, b.Ledger, b.Bank); truth[key] > 0 {
		truth[key]--
		s.Right, s.decided = s.Right+1, s.decided+1
	}
}

// key names a break by the classes of its lines.
func (j *judge) key(t recon.BreakType, ledgers, banks []int) string {
	var names []string
	for _, l := range ledgers {
		names = append(names, "E "+j.names[0][l])
	}
	for _, b := range banks {
		names = append(names, "B "+j.names[1][b])
	}
	slices.Sort(names)
	return string(t) + ": " + strings.Join(names, ", ")
}

func sorted(scores map[string]*Score) []Score {
	var all []Score
	for _, s := range scores {
		if s.True > 0 || s.Found > 0 {
			all = append(all, s.done())
		}
	}
	slices.SortFunc(all, func(a, b Score) int { return strings.Compare(a.Of, b.Of) })
	return all
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
