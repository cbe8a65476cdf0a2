package web_test

import (
	"encoding/json"
	"fmt"
	"testing"
)

const reversal = `{"reason":"posted twice","effective_on":"2026-03-31"}`

// requested posts an entry and asks for its reversal, as the preparer, and gives the path of the request.
func (b *bundle) requested(t *testing.T, txID string) (seq any, path string) {
	t.Helper()
	receipt := b.as("preparer").key("k-"+txID).post(t, "/entries", deposit(txID)).want(t, 201)
	request := b.as("preparer").post(t, fmt.Sprintf("/entries/%v/reversal-requests", receipt["seq"]), reversal).want(t, 201)
	if request["status"] != "pending" {
		t.Fatalf("the request is %v", request)
	}
	return receipt["seq"], fmt.Sprintf("/approvals/%v", request["approval_id"])
}

func TestApprovals(t *testing.T) {
	t.Parallel()
	b := setup(t)

	t.Run("TakeEffectWhenAnotherPersonApproves", func(t *testing.T) {
		t.Parallel()
		seq, path := b.requested(t, "t-effect")
		first := b.as("approver").key("approve").post(t, path+"/approve", `{"note":"seen the receipt"}`)
		decision := first.want(t, 200)
		if decision["status"] != "approved" || decision["replacement"] != nil || decision["duplicate"] != false {
			t.Fatalf("decided %v", decision)
		}
		for _, approver := range []client{b.as("approver").key("approve"), b.as("approver"), b.as("controller")} {
			again := approver.post(t, path+"/approve", `{"note":"seen the receipt"}`)
			if repeated := again.want(t, 200); repeated["duplicate"] != true || repeated["reversal"] != decision["reversal"] {
				t.Errorf("again gave %v", repeated)
			}
		}
		entry := b.as("viewer").get(t, fmt.Sprintf("/entries/%v", seq)).want(t, 200)
		mirror := b.as("viewer").get(t, fmt.Sprintf("/entries/%v", decision["reversal"])).want(t, 200)
		if entry["reversed_by"] != mirror["seq"] || mirror["reverses"] != seq || mirror["kind"] != "reversal" || mirror["tx_id"] != "t-effect-rev" {
			t.Errorf("entry %v, reversal %v", entry, mirror)
		}
		shown := b.as("viewer").get(t, path).want(t, 200)
		if shown["status"] != "approved" || shown["decided_by"] != "approver@demo.test" || shown["note"] != "seen the receipt" || shown["seq"] != seq {
			t.Errorf("the request is shown as %v", shown)
		}
		b.as("preparer").post(t, fmt.Sprintf("/entries/%v/reversal-requests", seq), reversal).refused(t, "already-reversed", 422)
		b.as("preparer").post(t, fmt.Sprintf("/entries/%v/reversal-requests", mirror["seq"]), reversal).refused(t, "is-reversal", 422)
		b.as("approver").post(t, path+"/reject", `{"note":"no"}`).refused(t, "already-decided", 409)
		retry := b.as("preparer").key("k-t-effect").post(t, "/entries", deposit("t-effect")).want(t, 201)
		if retry["reversed_by"] != nil || retry["duplicate"] != true {
			t.Errorf("a retry of the entry gave %v", retry)
		}
	})
	t.Run("AreNotForTheRequester", func(t *testing.T) {
		t.Parallel()
		_, path := b.requested(t, "t-own")
		for _, decision := range []string{"/approve", "/reject"} {
			b.as("preparer").post(t, path+decision, "").refused(t, "own-request", 403)
			b.as("preparer").key("\"").post(t, path+decision, "[]").refused(t, "own-request", 403)
			b.as("viewer").key("\"").post(t, path+decision, "[]").refused(t, "forbidden", 403)
			b.as("approver").key("\"").post(t, path+decision, "[]").refused(t, "idempotency-key-invalid", 400)
			b.as("approver").post(t, path+decision, "[]").refused(t, "invalid", 422)
		}
		b.as("approver").post(t, path+"/recall", "").refused(t, "forbidden", 403)
		b.as("preparer").post(t, path+"/recall", "").want(t, 200)
	})
	t.Run("AreNotForTheRequesterWhoCouldDecideOthers", func(t *testing.T) {
		t.Parallel()
		receipt := b.as("controller").key("k-controller").post(t, "/entries", deposit("t-controller")).want(t, 201)
		request := b.as("controller").post(t, fmt.Sprintf("/entries/%v/reversal-requests", receipt["seq"]), reversal).want(t, 201)
		b.as("controller").post(t, fmt.Sprintf("/approvals/%v/approve", request["approval_id"]), "").refused(t, "own-request", 403)
	})
	t.Run("AreRejectedWithOrWithoutANote", func(t *testing.T) {
		t.Parallel()
		seq, path := b.requested(t, "t-reject")
		b.as("approver").post(t, path+"/reject", `{"note":1}`).refused(t, "invalid", 422, "note")
		rejected := b.as("approver").post(t, path+"/reject", "").want(t, 200)
		if rejected["status"] != "rejected" || rejected["reversal"] != nil {
			t.Errorf("rejected as %v", rejected)
		}
		b.as("approver").post(t, path+"/approve", "").refused(t, "already-decided", 409)
		b.as("preparer").post(t, fmt.Sprintf("/entries/%v/reversal-requests", seq), reversal).want(t, 201)
		b.as("preparer").post(t, fmt.Sprintf("/entries/%v/reversal-requests", seq), reversal).refused(t, "reversal-pending", 422)
	})
	t.Run("AreRequestedOnceUnderOneKey", func(t *testing.T) {
		t.Parallel()
		receipt := b.as("preparer").key("k-once").post(t, "/entries", deposit("t-once")).want(t, 201)
		path := fmt.Sprintf("/entries/%v/reversal-requests", receipt["seq"])
		first := b.as("preparer").key("once").post(t, path, reversal).want(t, 201)
		again := b.as("preparer").key("once").post(t, path, reversal)
		if again.want(t, 201)["approval_id"] != first["approval_id"] || again.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("again gave %s", again.body)
		}
		b.as("preparer").key("once").post(t, path, `{"reason":"other","effective_on":"2026-03-31"}`).refused(t, "idempotency-key-reused", 422, "reason")
	})
	t.Run("AreRequestedWithAllThatIsNeeded", func(t *testing.T) {
		t.Parallel()
		receipt := b.as("preparer").key("k-needed").post(t, "/entries", deposit("t-needed")).want(t, 201)
		path := fmt.Sprintf("/entries/%v/reversal-requests", receipt["seq"])
		b.as("preparer").post(t, path, `{"effective_on":"2026-03-31"}`).refused(t, "invalid", 422, "reason")
		b.as("preparer").post(t, path, `{"reason":"r"}`).refused(t, "invalid", 422, "effective_on")
		b.as("preparer").post(t, path, `{"reason":"r","effective_on":"2026-03-31","replacement":{"postings":[{"amount":1.5}]}}`).
			refused(t, "invalid", 422, "replacement.postings[0].amount")
		b.as("preparer").post(t, path, `{"reason":"r","effective_on":"2026-03-31","replacement":`+entryOf("t-needed-2", posting("1010", 1, "EUR"), posting("nowhere", -1, "EUR"))+`}`).
			refused(t, "unknown-account", 422, "replacement.postings[1].account")
		b.as("preparer").post(t, "/entries/999/reversal-requests", reversal).refused(t, "not-found", 404)
		b.as("preparer").post(t, "/entries/none/reversal-requests", reversal).refused(t, "not-found", 404)
		b.as("approver").post(t, "/approvals/999/approve", "").refused(t, "not-found", 404)
	})
}

func TestApprovalsAreListedByStatus(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, id := range []string{"t1", "t2", "t3"} {
		b.requested(t, id)
	}
	b.as("approver").post(t, "/approvals/2/approve", "").want(t, 200)
	for query, want := range map[string]string{"": "123", "?status=pending": "13", "?status=approved": "2", "?status=recalled": "", "?limit=1": "1+", "?after=1&limit=2": "23"} {
		page := b.as("viewer").get(t, "/approvals"+query).want(t, 200)
		got := ""
		for _, item := range page["items"].([]any) {
			got += item.(map[string]any)["approval_id"].(json.Number).String()
		}
		if page["next"] != nil {
			got += "+"
		}
		if got != want {
			t.Errorf("%q gave %s, want %s", query, got, want)
		}
	}
	b.as("viewer").get(t, "/approvals?status=open").refused(t, "invalid", 422, "status")
}
