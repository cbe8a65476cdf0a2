package story_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestRaces(t *testing.T) {
	t.Parallel()
	one := startDemo(t, "--empty")
	two := one.serveBeside(t)
	rounds := 15
	if testing.Short() {
		rounds = 3
	}
	t.Run("FortyCallersWithOneKeyOnOneServer", func(t *testing.T) { fortyCallers(t, "one", rounds, one) })
	t.Run("FortyCallersWithOneKeyOnTwoServers", func(t *testing.T) { fortyCallers(t, "two", rounds, one, two) })
	t.Run("SixteenApprovals", func(t *testing.T) { sixteenApprovals(t, one, two) })
	if entries := one.as("viewer").get(t, "/entries?limit=1000").want(t, 200).list(t, "items"); len(entries) != 2*rounds+3 {
		t.Errorf("there are %d entries, want %d", len(entries), 2*rounds+3)
	}
	one.verifies(t)
}

func fortyCallers(t *testing.T, name string, rounds int, servers ...program) {
	for round := range rounds {
		id := fmt.Sprint(name, "-", round)
		var callers []client
		for _, server := range servers {
			callers = append(callers, server.as("preparer").key(id))
		}
		receipts, firsts := map[string]int{}, 0
		for _, a := range atOnce(t, 40, callers, "/entries", deposit(id, 3050)) {
			if a.status != 201 {
				t.Fatalf("round %s: answered %d: %s", id, a.status, a.body)
			}
			if strings.Contains(a.body, `"duplicate":false`) {
				firsts++
			}
			receipts[strings.Replace(a.body, `"duplicate":true`, `"duplicate":false`, 1)]++
		}
		if firsts != 1 || len(receipts) != 1 {
			t.Fatalf("round %s: %d first answers and %d different receipts", id, firsts, len(receipts))
		}
	}
}

func sixteenApprovals(t *testing.T, servers ...program) {
	p := servers[0]
	receipt := p.as("controller").key("sixteen").post(t, "/entries", deposit("sixteen", 3050)).want(t, 201)
	body := `{"reason":"the wrong customer","effective_on":"2026-03-31","replacement":` + entry("sixteen-fix", posting("1010", 3050), posting("customer:bob", -3050)) + `}`
	request := p.as("controller").post(t, fmt.Sprint("/entries/", receipt["seq"], "/reversal-requests"), body).want(t, 201)
	approve := fmt.Sprint("/approvals/", request["approval_id"], "/approve")
	p.as("controller").post(t, approve, "").refused(t, 403, "own-request")
	var callers []client
	for _, server := range servers {
		callers = append(callers, server.as("approver"))
	}
	effects, firsts := map[string]int{}, 0
	for _, a := range atOnce(t, 16, callers, approve, "") {
		decision := a.want(t, 200)
		effects[decision.text("status", "reversal", "replacement")]++
		if decision["duplicate"] == false {
			firsts++
		}
	}
	if firsts != 1 || len(effects) != 1 {
		t.Errorf("%d first answers, effects %v", firsts, effects)
	}
}

// atOnce sends n requests together, in turn from each of the callers.
func atOnce(t *testing.T, n int, callers []client, path, body string) []answer {
	t.Helper()
	answers, start := make([]answer, n), make(chan struct{})
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			<-start
			a, err := callers[i%len(callers)].try(t, http.MethodPost, path, body)
			if err != nil {
				t.Error(err)
			}
			answers[i] = a
		})
	}
	close(start)
	group.Wait()
	return answers
}
