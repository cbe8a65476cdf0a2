package server_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
	"daybook/store/gateway/simulator/server"
)

func TestJournal_AnotherProcessKnowsWhatWasDone(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	first := start(t, server.Config{Journal: journal})
	first.set(t, `{"latency":"1ms"}`)
	charge := first.captured(t, 1)
	want, faults := first.charges(t), get[simulator.Faults](t, first, "/faults")
	first.stop()

	second := start(t, server.Config{Journal: journal})
	if got := second.charges(t); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the charges are %+v, were %+v", got, want)
	}
	if got := get[simulator.Faults](t, second, "/faults"); got != faults {
		t.Errorf("the faults are %+v, were %+v", got, faults)
	}
	if answer := second.on(t, gateway.Capture, charge, 1000); answer.Outcome != gateway.Done {
		t.Errorf("the same capture again: %+v", answer)
	}
	if other := second.authorize(t, 2).Charge; other == charge {
		t.Errorf("a new charge has the name of an old one")
	}
}

// TestJournal_ATornLineWasNeverAnswered: whatever part of the last line is there, what comes before it stands, and work goes on.
func TestJournal_ATornLineWasNeverAnswered(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	first := start(t, server.Config{Journal: journal})
	first.authorize(t, 1)
	first.stop()
	whole, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	last := lines[len(lines)-2]
	for _, part := range []string{last[:1], last[:len(last)/2], last[:len(last)-1]} {
		torn := filepath.Join(t.TempDir(), "journal")
		if err := os.WriteFile(torn, []byte(strings.Join(lines[:len(lines)-2], "")+part), 0o600); err != nil {
			t.Fatal(err)
		}
		for round := range 2 {
			r := start(t, server.Config{Journal: torn})
			if all := r.charges(t); len(all) != round {
				t.Fatalf("after %q, start %d: %+v", part, round, all)
			}
			if answer := r.authorize(t, 1); answer.Outcome != gateway.Done {
				t.Errorf("authorized again: %+v", answer)
			}
			r.stop()
		}
	}
}

func TestJournal_IsOneSimulatorsAndNothingElse(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	start(t, server.Config{Journal: journal})
	if _, err := server.New(server.Config{Journal: journal}); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second simulator: %v", err)
	}
	for _, content := range []string{"[]\n", "{}\n", `{"n":2,"tag":"x"}` + "\n", `{"n":1,"note":"x"}` + "\n"} {
		other := filepath.Join(t.TempDir(), "journal")
		if err := os.WriteFile(other, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := server.New(server.Config{Journal: other}); err == nil {
			t.Errorf("it began with %q", content)
		}
		if left, _ := os.ReadFile(other); string(left) != content {
			t.Errorf("it made %q of %q", left, content)
		}
	}
}

// world is what a simulator shows.
func (r *running) world(t *testing.T) (shown string) {
	for _, path := range []string{"/charges", "/payouts", "/faults"} {
		_, content := r.send(t, http.MethodGet, path, "", "")
		shown += content
	}
	return shown
}

// TestSimulator_KeepsItsPromises: whatever is asked in whatever order, with and without time-outs, no charge gives more than it has, each key has one
// answer, and another process that reads the journal shows the same.
func TestSimulator_KeepsItsPromises(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		journal := filepath.Join(dir, fmt.Sprintf("journal-%d", round))
		r := start(t, server.Config{Journal: journal, Seed: rapid.Int64().Draw(rt, "seed")})
		defer func() { r.stop() }()
		r.set(t, `{"decline":0.2,"timeout_before":0.2,"timeout_after":0.2,"hang":"0s"}`)
		answers, charges := map[string]string{}, []string{"ch_none"}
		for range rapid.IntRange(1, 15).Draw(rt, "steps") {
			key, path, body := step(rt, charges)
			r.askTwice(t, rt, answers, key, path, body)
			charges = append(charges[:1], chargesOf(r.charges(t))...)
			if rapid.IntRange(0, 9).Draw(rt, "restart") == 0 {
				before := r.world(t)
				r.stop()
				r = start(t, server.Config{Journal: journal})
				if after := r.world(t); after != before {
					rt.Fatalf("before: %s\nafter: %s", before, after)
				}
			}
		}
		sound(t, rt, r)
	})
}

// step draws from few keys and amounts, so that requests meet again.
func step(rt *rapid.T, charges []string) (key, path, body string) {
	key = rapid.StringMatching(`k[0-9a-f]`).Draw(rt, "key")
	amount := rapid.Int64Range(1, 60).Draw(rt, "amount")
	charge := rapid.SampledFrom(charges).Draw(rt, "charge")
	switch rapid.IntRange(0, 4).Draw(rt, "what") {
	case 0, 1:
		return key, "/charges", fmt.Sprintf(`{"payment_id":1,"amount":%d,"currency":"EUR"}`, amount)
	case 2:
		return key, "/charges/" + charge + "/capture", fmt.Sprintf(`{"amount":%d}`, amount)
	case 3:
		return key, "/charges/" + charge + "/refunds", fmt.Sprintf(`{"amount":%d}`, amount)
	}
	return key, "/charges/" + charge + "/void", ""
}

// askTwice sends a request, which may be cut off, and holds what became of its key against what it was before.
func (r *running) askTwice(t *testing.T, rt *rapid.T, answers map[string]string, key, path, body string) {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+path, strings.NewReader(body))
	if err != nil {
		rt.Fatal(err)
	}
	request.Header.Set(simulator.KeyHeader, key)
	if response, err := r.http.Do(request); err == nil {
		response.Body.Close()
	}
	status, content := r.send(t, http.MethodGet, "/requests/"+key, "", "")
	before, known := answers[key]
	if known && (status != http.StatusOK || content != before) {
		rt.Fatalf("key %s was answered %s, now %d %s", key, before, status, content)
	}
	if status == http.StatusOK {
		answers[key] = content
	}
}

func chargesOf(all []simulator.Charge) (ids []string) {
	for _, charge := range all {
		ids = append(ids, charge.ID)
	}
	return ids
}

// sound looks at all charges: amounts fit each other and what was answered, and no key or name is there twice.
func sound(t *testing.T, rt *rapid.T, r *running) {
	seen := map[string]bool{}
	for _, c := range r.charges(t) {
		if c.Authorized > c.Amount || c.Captured > c.Authorized || c.Refunded > c.Captured || c.Refunded < 0 {
			rt.Fatalf("amounts of %+v", c)
		}
		var captured, refunded int64
		for _, request := range c.Requests {
			if seen[request.Key] || seen["ref "+request.Ref] {
				rt.Fatalf("key %s or name %s is there twice", request.Key, request.Ref)
			}
			seen[request.Key] = true
			if request.Ref != "" {
				seen["ref "+request.Ref] = true
			}
			if request.Result == simulator.Done && request.Command == gateway.Capture {
				captured += request.Amount
			}
			if request.Result == simulator.Done && request.Command == gateway.Refund {
				refunded += request.Amount
			}
		}
		if captured != c.Captured || refunded != c.Refunded {
			rt.Fatalf("requests of %+v", c)
		}
	}
}
