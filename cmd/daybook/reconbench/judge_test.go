package reconbench

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/recon"
	"daybook/store/ledger"
)

// told gives a result as text, with the names of the lines.
func told(in recon.Input) string {
	var b strings.Builder
	names := func(items []recon.Item, indexes []int) (all []string) {
		for _, i := range indexes {
			all = append(all, fmt.Sprint(items[i]))
		}
		return all
	}
	r := recon.Match(in)
	for _, m := range r.Matches {
		fmt.Fprintln(&b, m.Kind, m.Rule, m.Score, m.Why, names(in.Ledger, m.Ledger), names(in.Bank, m.Bank))
	}
	for _, k := range r.Breaks {
		fmt.Fprintln(&b, k.Type, k.DifferenceMinor, k.Why, k.Resolution, names(in.Ledger, k.Ledger), names(in.Bank, k.Bank))
	}
	return b.String()
}

// perfect is the result of somebody who knows the truth.
func perfect(w *World) (r recon.Result) {
	for _, f := range w.Facts {
		if f.Break == "" {
			r.Matches = append(r.Matches, recon.Matched{Ledger: f.Ledger, Bank: f.Bank})
		} else {
			r.Breaks = append(r.Breaks, recon.Break{Type: f.Break, Ledger: f.Ledger, Bank: f.Bank})
		}
	}
	return r
}

func TestJudgeFindsNoFaultWithTheTruth(t *testing.T) {
	t.Parallel()
	w := smallWorld(1, 5000)
	v := Judge(w, perfect(w))
	for _, s := range append(append([]Score{v.Matches}, v.Breaks...), v.Troubles...) {
		if s.RecallAll != 1 && s.Recall != 1 || s.Found > 0 && s.Precision != 1 {
			t.Errorf("%+v", s)
		}
	}
}

func TestJudgeCountsWhatIsWrongAndWhatIsNotFound(t *testing.T) {
	t.Parallel()
	w := smallWorld(1, 5000)
	r := perfect(w)
	var plain []int
	for i, m := range r.Matches {
		if ref := w.Input.Bank[m.Bank[0]].Reference; len(m.Ledger) == 1 && len(m.Bank) == 1 && len(ref) > 9 {
			plain = append(plain, i)
		}
	}
	a, b := r.Matches[plain[0]], r.Matches[plain[1]]
	r.Matches[plain[0]].Bank, r.Matches[plain[1]].Bank = b.Bank, a.Bank
	r.Matches[plain[2]] = r.Matches[plain[3]]
	r.Matches[plain[3]] = recon.Matched{}
	r.Breaks[0].Type = recon.Balance
	m := Judge(w, r).Matches
	if m.Right != m.True-3 || m.Found != m.True-1 {
		t.Errorf("%+v", m)
	}
}

// pairOf is a world of lines "E day minor reference|text" and "B …", of which the first of each side belong together.
func pairOf(lines string) *World {
	w := &World{Input: recon.Input{Currency: "EUR", Rules: recon.DefaultRules(), Period: recon.Period{From: ledger.MustDate("2026-03-01"), To: ledger.MustDate("2026-03-31"), Stated: true}}}
	for text := range strings.Lines(lines) {
		var side, rest string
		var day int
		var minor int64
		head, tail, _ := strings.Cut(strings.TrimSpace(text), "|")
		_, _ = fmt.Sscan(head, &side, &day, &minor, &rest)
		item := recon.Item{Date: ledger.MustDate("2026-03-01").AddDays(day), AmountMinor: minor, Currency: "EUR", Reference: rest, Text: tail}
		if side == "E" {
			w.Input.Ledger = append(w.Input.Ledger, item)
		} else {
			w.Input.Bank = append(w.Input.Bank, item)
		}
	}
	for i := range max(len(w.Input.Ledger), len(w.Input.Bank)) {
		var f Fact
		if i < len(w.Input.Ledger) {
			f.Ledger = []int{i}
		}
		if i < len(w.Input.Bank) {
			f.Bank = []int{i}
		}
		if len(f.Ledger) == 0 {
			f.Break = recon.MissingInLedger
		} else if len(f.Bank) == 0 {
			f.Break = recon.MissingInBank
		}
		w.Facts = append(w.Facts, f)
	}
	w.Decide()
	return w
}

func TestDecide(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines     string
		decidable bool
	}{
		"TheSameReference":               {"E 1 500 A1|x\nB 9 500 A1|y", true},
		"ASlipOfThePen":                  {"E 1 500 INV-4711|x\nB 2 500 INV-4171|y", true},
		"OneWithoutAReference":           {"E 1 500 INV-4711|x\nB 2 500|y", true},
		"TwoDifferentReferences":         {"E 1 500 INV-4711|x\nB 2 500 INV-9999|y", false},
		"NothingJoinsThem":               {"E 1 500 INV-4711|x\nB 2 490|y", false},
		"OutsideTheWindow":               {"E 1 500|x\nB 5 500|y", false},
		"AnotherIsAsGood":                {"E 1 500|x\nB 2 500|y\nE 3 500|z", false},
		"AnotherIsSpokenFor":             {"E 1 500|x\nB 2 500|y\nE 3 500 A1|z\nB 3 500 A1|z", true},
		"AnotherHasFewerWordsInCommon":   {"E 1 500|Kiln Co\nB 2 500|KILN CO PAID\nE 3 500|Kiln Ltd", true},
		"AnotherHasMoreWordsInCommon":    {"E 1 500|Kiln Co\nB 2 500|BRANDT\nE 3 500|Brandt", false},
		"AnotherIsATwin":                 {"E 1 500|x\nB 2 500|y\nE 1 500|x", true},
		"AnotherNamesADifferentOne":      {"E 1 500 INV-4711|x\nB 2 500 INV-4171|y\nE 1 500 ZZ-1|y", true},
		"AnotherWithoutAReferenceIsLess": {"E 1 500 INV-4711|x\nB 2 500 INV-4171|y\nE 1 500|y x", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := pairOf(c.lines).Facts[0].Decidable; got != c.decidable {
				t.Errorf("decidable %v, want %v", got, c.decidable)
			}
		})
	}
}

func TestCountSumsCountsEverySetOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amounts := rapid.SliceOfN(rapid.Int64Range(1, 30), 1, 10).Draw(t, "amounts")
		goal, most := rapid.Int64Range(1, 80).Draw(t, "goal"), rapid.IntRange(2, 6).Draw(t, "most")
		lines, pool := make([]evidence, len(amounts)), make([]int, len(amounts))
		for i, amount := range amounts {
			lines[i].minor, pool[i] = amount, i
		}
		want := 0
		for chosen := uint(1); chosen < 1<<len(amounts); chosen++ {
			var sum int64
			for i, amount := range amounts {
				sum += amount * int64(chosen>>i&1)
			}
			if n := bits.OnesCount(chosen); n >= 2 && n <= most && sum == goal {
				want++
			}
		}
		if got, ok := countSums(lines, pool, goal, most); !ok || got != want {
			t.Fatalf("%d sets (%v), want %d", got, ok, want)
		}
	})
}
