package story_test

import (
	"fmt"
	"testing"
)

func reversalsNeedAnotherPerson(t *testing.T, p program) {
	for _, code := range []string{"rev:bank", "rev:alice", "rev:bob"} {
		p.openAccount(t, code, map[bool]string{true: "asset", false: "liability"}[code == "rev:bank"], "EUR")
	}
	preparer, approver := p.as("preparer"), p.as("approver")
	receipt := preparer.key("rev").post(t, "/entries", entry("rev", posting("rev:bank", 3050), posting("rev:alice", -3050))).want(t, 201)
	requests := fmt.Sprint("/entries/", receipt["seq"], "/reversal-requests")
	replacement := entry("rev-right", posting("rev:bank", 3050), posting("rev:bob", -3050))
	body := `{"reason":"the wrong customer","effective_on":"2026-03-31","replacement":` + replacement + `}`
	p.as("viewer").post(t, requests, body).refused(t, 403, "forbidden")
	preparer.post(t, requests, `{"effective_on":"2026-03-31"}`).refused(t, 422, "invalid", "reason")
	request := preparer.key("rev-request").post(t, requests, body).want(t, 201)
	if request["status"] != "pending" {
		t.Fatalf("the request is %v", request)
	}
	preparer.post(t, requests, body).refused(t, 422, "reversal-pending")
	preparer.key("rev-2").post(t, "/entries", replacement).refused(t, 409, "tx-id-exists")

	approve := fmt.Sprint("/approvals/", request["approval_id"], "/approve")
	preparer.post(t, approve, "").refused(t, 403, "own-request")
	p.as("viewer").post(t, approve, "").refused(t, 403, "forbidden")
	if got := p.balance(t, "rev:alice", ""); got != "0 3050 -3050" {
		t.Errorf("a request has an effect: %s", got)
	}
	decision := approver.post(t, approve, `{"note":"seen"}`).want(t, 200)
	if got := decision.text("approval_id", "status", "duplicate"); got != fmt.Sprint(request["approval_id"], " approved false") {
		t.Errorf("decided: %v", decision)
	}
	again := approver.post(t, approve, `{"note":"seen"}`).want(t, 200)
	if again["duplicate"] != true || again["reversal"] != decision["reversal"] {
		t.Errorf("decided again: %v", again)
	}
	approver.post(t, fmt.Sprint("/approvals/", request["approval_id"], "/reject"), `{"note":"no"}`).refused(t, 409, "already-decided")
	preparer.post(t, requests, body).refused(t, 422, "already-reversed")
	preparer.post(t, fmt.Sprint("/entries/", decision["reversal"], "/reversal-requests"), body).refused(t, 422, "is-reversal")

	reversal := p.as("viewer").get(t, fmt.Sprint("/entries/", decision["reversal"])).want(t, 200)
	if got := reversal.text("kind", "tx_id", "reverses", "effective_on"); got != fmt.Sprint("reversal rev-rev ", receipt["seq"], " 2026-03-31") {
		t.Errorf("the reversal is %s", got)
	}
	right := p.as("viewer").get(t, fmt.Sprint("/entries/", decision["replacement"])).want(t, 200)
	if got := right.text("kind", "tx_id"); got != "replacement rev-right" {
		t.Errorf("the replacement is %s", got)
	}
	if alice, bob := p.balance(t, "rev:alice", ""), p.balance(t, "rev:bob", ""); alice != "3050 3050 0" || bob != "0 3050 -3050" {
		t.Errorf("balances are %s and %s", alice, bob)
	}
}
