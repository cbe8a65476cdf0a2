package web_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestAPI_ClosesAndReopensAPeriodThroughApprovals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	preparer, approver, controller := b.as("preparer"), b.as("approver"), b.as("controller")
	preparer.key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)

	asked := preparer.key("close").post(t, "/periods/2026-03/close", `{"reason":"proven"}`).want(t, 201)
	again := preparer.key("close").post(t, "/periods/2026-03/close", `{"reason":"proven"}`).want(t, 201)
	if asked["status"] != "pending" || asked["duplicate"] != false || again["duplicate"] != true || again["approval_id"] != asked["approval_id"] || asked["period"] != "2026-03" {
		t.Errorf("asked %v, again %v", asked, again)
	}
	preparer.key("close").post(t, "/periods/2026-03/reopen", `{"reason":"proven"}`).refused(t, "idempotency-key-reused", 422)
	approver.post(t, "/periods/2026-03/close", "").refused(t, "illegal-transition", 409)
	b.as("viewer").post(t, "/periods/2026-03/close", "").refused(t, "forbidden", 403)
	preparer.post(t, "/periods/2026-00/close", "").refused(t, "not-found", 404)
	preparer.post(t, "/periods/2026-03/close", `{"note":"x"}`).refused(t, "invalid", 422, "note")
	if text := fmt.Sprint(b.as("viewer").get(t, "/periods").want(t, 200)); !strings.Contains(text, "status:open") || !strings.Contains(text, "kind:period_close") || !strings.Contains(text, "requested_by:preparer@demo.test") {
		t.Errorf("the list is %s", text)
	}
	preparer.key("k2").post(t, "/entries", deposits("t2", 1)).want(t, 201)
	preparer.post(t, "/approvals/1/approve", "").refused(t, "own-request", 403)
	decided := approver.post(t, "/approvals/1/approve", `{"note":"seen"}`).want(t, 200)
	if decided["status"] != "approved" || decided["reversal"] != nil || decided["duplicate"] != false {
		t.Errorf("decided %v", decided)
	}
	if shown := b.as("viewer").get(t, "/approvals/1").want(t, 200); shown["kind"] != "period_close" || shown["subject"] != "period 2026-03" || shown["period"] != "2026-03" || shown["seq"] != nil {
		t.Errorf("the request is %v", shown)
	}
	if text := fmt.Sprint(b.as("viewer").get(t, "/periods").want(t, 200)); !strings.Contains(text, "status:closed") || !strings.Contains(text, "closing:1") || !strings.Contains(text, "request:<nil>") {
		t.Errorf("the list is %s", text)
	}
	preparer.key("k3").post(t, "/entries", deposits("t3", 1)).refused(t, "period-closed", 422, "effective_on")
	preparer.key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	preparer.post(t, "/periods/2026-03/close", "").refused(t, "illegal-transition", 409)

	reopening := approver.post(t, "/periods/2026-03/reopen", "").want(t, 201)
	approver.post(t, fmt.Sprintf("/approvals/%v/approve", reopening["approval_id"]), "").refused(t, "own-request", 403)
	controller.post(t, fmt.Sprintf("/approvals/%v/approve", reopening["approval_id"]), "").want(t, 200)
	preparer.key("k3").post(t, "/entries", deposits("t3", 1)).want(t, 201)
	preparer.post(t, "/periods/2026-03/reopen", "").refused(t, "illegal-transition", 409)
}
