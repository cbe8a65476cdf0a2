package web_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// breakOf is the break of a type in a reconciliation that has one.
func (b *bundle) breakOf(t *testing.T, reconciliation any, kind string) map[string]any {
	t.Helper()
	items := b.as("viewer").get(t, fmt.Sprintf("/reconciliations/%v/breaks?type=%s", reconciliation, kind)).want(t, 200)["items"].([]any)
	if len(items) != 1 {
		t.Fatalf("of type %s there are %v", kind, items)
	}
	return items[0].(map[string]any)
}

// sums is a reconciliation of 10.00 and 20.00 in the ledger, and 30.00 at the bank in row 2.
func (b *bundle) sums(t *testing.T) (path string) {
	t.Helper()
	for i, id := range []string{"a", "b"} {
		b.as("preparer").key(id).post(t, "/entries", deposits(id, int64(1+i)*1000)).want(t, 201)
	}
	uploaded := b.as("preparer").upload(t, "Date,Reference,Description,Amount\n2026-03-10,x,Deposit,30.00\n", "account=1010", "period_from=2026-03-01", "period_to=2026-03-31").want(t, 201)
	return fmt.Sprintf("/reconciliations/%v", uploaded["reconciliation_id"])
}

const bothAndTheRow = `{"postings":[{"seq":1,"line":1},{"seq":2,"line":1}],"rows":[2]}`

func TestMatchesAreMadeAndTakenApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := b.sums(t)
	b.as("approver").key(`"`).post(t, path+"/matches", "[]").refused(t, "forbidden", 403)
	preparer := b.as("preparer")
	preparer.key(`"`).post(t, path+"/matches", "[]").refused(t, "idempotency-key-invalid", 400)
	preparer.post(t, path+"/matches", `{"postings":[{"seq":"1"}],"rows":[0,"x",{"row":2}],"colour":1}`).
		refused(t, "invalid", 422, "postings[0].seq", "postings[0].line", "rows[0]", "rows[1]", "rows[2].statement_id", "colour")
	problem := preparer.post(t, path+"/matches", `{"postings":[{"seq":1,"line":1}],"rows":[2]}`).refused(t, "invalid", 422, "postings", "rows")
	if problem["difference_minor"] != json.Number("-2000") || !strings.Contains(fmt.Sprint(problem["detail"]), "differ by") {
		t.Errorf("what does not add up is told as %v", problem)
	}
	made := preparer.key("m").post(t, path+"/matches", bothAndTheRow)
	match := made.want(t, 201)
	if match["kind"] != "manual" || match["made_by"] != "The preparer" || match["live"] != true || len(match["ledger"].([]any)) != 2 || match["duplicate"] != false {
		t.Errorf("the match is %v", match)
	}
	again := preparer.key("m").post(t, path+"/matches", bothAndTheRow)
	if again.want(t, 201)["duplicate"] != true || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("again gave %s", again.body)
	}
	told := b.as("controller").post(t, path+"/matches", bothAndTheRow).refused(t, "illegal-transition", 409)
	if told["match_id"] != match["id"] || !strings.Contains(fmt.Sprint(told["detail"]), "The preparer made on") {
		t.Errorf("who comes second is told %v", told)
	}
	found := b.as("viewer").get(t, path).want(t, 200)
	if proof := found["proof"].(map[string]any); proof["unexplained_minor"] != json.Number("0") || found["open_breaks"] != json.Number("0") {
		t.Errorf("matched, the reconciliation is %v", found)
	}

	unmatch := fmt.Sprintf("/matches/%v/unmatch", match["id"])
	b.as("approver").post(t, unmatch, `{}`).refused(t, "forbidden", 403)
	preparer.post(t, unmatch, `{"postings":[{"seq":1,"line":1}]}`).refused(t, "invalid", 422)
	preparer.post(t, "/matches/99/unmatch", `{}`).refused(t, "not-found", 404)
	apart := preparer.post(t, unmatch, `{"note":"wrong customer"}`).want(t, 200)
	if apart["live"] != false || apart["id"] != match["id"] || len(apart["bank"].([]any)) != 1 {
		t.Errorf("taken apart it is %v", apart)
	}
	preparer.post(t, unmatch, "").refused(t, "illegal-transition", 409)
	if open := b.as("viewer").get(t, path).want(t, 200)["open_breaks"]; open != json.Number("3") {
		t.Errorf("%v breaks are open", open)
	}
	named := preparer.post(t, path+"/matches", `{"postings":[{"seq":1,"line":1},{"seq":2,"line":1}],"rows":[{"statement_id":1,"row":2}],"note":"after all"}`).want(t, 201)
	if named["why"] != "after all" {
		t.Errorf("with a note it is %v", named)
	}
}

func TestTwoPeopleMatchingOneRowAreToldApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := b.sums(t)
	_, elsewhere := b.serve(t, 10*time.Second)
	answers, failures := make([]response, 2), make([]error, 2)
	var both sync.WaitGroup
	for i, c := range []client{b.as("preparer"), {url: elsewhere + "/api/v1/books/main", token: "token-controller"}} {
		both.Go(func() { answers[i], failures[i] = c.try(t, http.MethodPost, path+"/matches", bothAndTheRow) })
	}
	both.Wait()
	ok(t, errors.Join(failures...))
	if answers[0].status != 201 {
		answers[0], answers[1] = answers[1], answers[0]
	}
	match := answers[0].want(t, 201)
	if told := answers[1].refused(t, "illegal-transition", 409); told["match_id"] != match["id"] {
		t.Errorf("the other is told %v", told)
	}
}

func TestBreaksAreSettledWithAnEntry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.march(t)["reconciliation_id"]
	less, missing := b.breakOf(t, id, "amount_mismatch"), b.breakOf(t, id, "missing_in_ledger")
	preparer := b.as("preparer")
	fee := `{"resolution":"adjusted","reason_code":"BANK_FEE","version":1,"entry":{"tx_id":"fee","effective_on":"2026-03-01","description":"Fee","postings":[` +
		`{"account":"revenue:fees","amount":50,"currency":"EUR"},{"account":"1010","amount":-50,"currency":"EUR"}]}}`
	work := fmt.Sprintf("/breaks/%v/resolve", less["id"])
	preparer.post(t, work, strings.Replace(fee, `"version":1`, `"version":7`, 1)).refused(t, "illegal-transition", 409)
	problem := preparer.post(t, work, strings.ReplaceAll(fee, "50", "40")).refused(t, "invalid", 422, "entry.postings")
	if problem["needed_minor"] != json.Number("-50") {
		t.Errorf("by another amount: %v", problem)
	}
	preparer.post(t, work, strings.Replace(fee, "revenue:fees", "nowhere", 1)).refused(t, "unknown-account", 422, "entry.postings[0].account")
	settled := preparer.key("fee").post(t, work, fee).want(t, 200)
	if settled["resolution"] != "adjusted" || settled["match_id"] == nil || settled["version"] != json.Number("2") {
		t.Errorf("settled it is %v", settled)
	}
	if posted := b.as("viewer").get(t, "/entries/5").want(t, 200); posted["kind"] != "adjustment" || posted["tx_id"] != "fee" {
		t.Errorf("posted %v", posted)
	}
	told := preparer.post(t, fmt.Sprintf("/breaks/%v/reopen", less["id"]), `{"note":"no"}`).refused(t, "illegal-transition", 409)
	if told["seq"] != json.Number("5") || !strings.Contains(fmt.Sprint(told["detail"]), "reversal of entry 5 first") {
		t.Errorf("reopening is refused as %v", told)
	}

	deposit := `{"resolution":"adjusted","reason_code":"OTHER","note":"found in the drawer","entry":{"effective_on":"2026-03-01","description":"Deposit","postings":[` +
		`{"account":"1010","amount":300,"currency":"EUR"},{"account":"customer:bob","amount":-300,"currency":"EUR"}]}}`
	waiting := preparer.post(t, fmt.Sprintf("/breaks/%v/resolve", missing["id"]), deposit).want(t, 200)
	if waiting["status"] != "waiting_for_approval" || waiting["resolution"] != nil {
		t.Errorf("what the ledger lacks is %v", waiting)
	}
	request := fmt.Sprintf("/approvals/%v", waiting["approval_id"])
	asked := b.as("viewer").get(t, request).want(t, 200)
	if asked["kind"] != "adjustment" || asked["subject"] != fmt.Sprint("break ", missing["id"]) || asked["adjustment"].(map[string]any)["reason_code"] != "OTHER" {
		t.Errorf("asked is %v", asked)
	}
	preparer.post(t, request+"/approve", `{}`).refused(t, "own-request", 403)
	if decided := b.as("approver").post(t, request+"/approve", `{"note":"seen"}`).want(t, 200); decided["entry"] != json.Number("6") || decided["reversal"] != nil {
		t.Errorf("decided %v", decided)
	}
	if after := b.breakOf(t, id, "missing_in_ledger"); after["status"] != "resolved" || after["resolution"] != "adjusted" || after["approval_id"] != nil {
		t.Errorf("approved it is %v", after)
	}
	if proof := b.as("viewer").get(t, fmt.Sprint("/reconciliations/", id)).want(t, 200)["proof"].(map[string]any); proof["unexplained_minor"] != json.Number("700") {
		t.Errorf("the proof is %v", proof)
	}
}

func TestBreaksAreMatchedAssignedAndCommented(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := b.sums(t)
	one := b.breakOf(t, strings.TrimPrefix(path, "/reconciliations/"), "missing_in_ledger")
	preparer, work := b.as("preparer"), fmt.Sprintf("/breaks/%v", one["id"])
	b.as("approver").key(`"`).post(t, work+"/assign", "[]").refused(t, "forbidden", 403)
	preparer.post(t, work+"/assign", `{"assignee":"nobody@demo.test","to":"x"}`).refused(t, "invalid", 422, "to")
	preparer.post(t, work+"/assign", `{"assignee":"stranger@demo.test"}`).refused(t, "invalid", 422, "assignee")
	if assigned := preparer.key("assign").post(t, work+"/assign", `{"assignee":"controller@demo.test"}`).want(t, 200); assigned["assignee"] != "controller@demo.test" || assigned["status"] != "in_review" {
		t.Errorf("assigned it is %v", assigned)
	}
	preparer.post(t, work+"/assign", `{"assignee":"preparer@demo.test","version":1}`).refused(t, "illegal-transition", 409)
	if again := preparer.key("assign").post(t, work+"/assign", `{"assignee":"controller@demo.test"}`); again.want(t, 200)["duplicate"] != true {
		t.Errorf("again gave %s", again.body)
	}
	b.as("viewer").key(`"`).post(t, work+"/comment", "[]").refused(t, "forbidden", 403)
	preparer.post(t, work+"/comment", `{}`).refused(t, "invalid", 422, "note")
	if commented := b.as("approver").post(t, work+"/comment", `{"note":"what is this?"}`).want(t, 200); commented["version"] != json.Number("2") {
		t.Errorf("commented it is %v", commented)
	}
	events := b.as("viewer").get(t, work).want(t, 200)["events"].([]any)
	if last := events[len(events)-1].(map[string]any); len(events) != 3 || last["event"] != "commented" || last["note"] != "what is this?" || last["by"] != "The approver" {
		t.Errorf("its history is %v", events)
	}
	b.as("viewer").get(t, "/breaks/99").refused(t, "not-found", 404)
	preparer.post(t, "/breaks/99/comment", `{"note":"x"}`).refused(t, "not-found", 404)
	preparer.post(t, work+"/resolve", `{"resolution":"matched"}`).refused(t, "invalid", 422, "resolution")
	preparer.post(t, work+"/resolve", `{"resolution":"matched","match":{"postings":[{"seq":1,"line":1}]}}`).refused(t, "invalid", 422)
	matched := preparer.post(t, work+"/resolve", `{"resolution":"matched","reason_code":"MISSING_REFERENCE","match":{"postings":[{"seq":1,"line":1},{"seq":2,"line":1}]}}`).want(t, 200)
	if matched["resolution"] != "matched" || matched["assignee"] != "controller@demo.test" {
		t.Errorf("matched it is %v", matched)
	}
	if reopened := preparer.post(t, work+"/reopen", `{}`).want(t, 200); reopened["status"] != "in_review" || reopened["match_id"] != nil {
		t.Errorf("reopened it is %v", reopened)
	}
}

func TestARequestForAnAdjustingEntryIsAPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.march(t)["reconciliation_id"]
	missing := b.breakOf(t, id, "missing_in_ledger")
	b.as("preparer").post(t, fmt.Sprintf("/breaks/%v/resolve", missing["id"]), `{"resolution":"adjusted","reason_code":"BANK_INTEREST","entry":{"effective_on":"2026-03-01",`+
		`"description":"Interest of March","postings":[{"account":"1010","amount":300,"currency":"EUR"},{"account":"revenue:fees","amount":-300,"currency":"EUR"}]}}`).want(t, 200)
	page := b.browser(t, "approver").get(t, "/b/main/approvals?id=1")
	for _, want := range []string{"Settle break B-", "Interest of March", "revenue:fees", "Approve and post", "Break B-"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
