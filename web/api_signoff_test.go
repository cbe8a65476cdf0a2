package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// explainMarch leaves all breaks of the reconciliation that march gives to the bank, and gives its path.
func (b *bundle) explainMarch(t *testing.T) string {
	t.Helper()
	path := fmt.Sprintf("/reconciliations/%v", b.march(t)["reconciliation_id"])
	for _, item := range b.as("viewer").get(t, path+"/breaks").want(t, 200)["items"].([]any) {
		b.as("preparer").post(t, fmt.Sprintf("/breaks/%v/resolve", item.(map[string]any)["id"]), `{"resolution":"external","reason_code":"BANK_ERROR","note":"told the bank"}`).want(t, 200)
	}
	return path
}

func TestReconciliationsAreSubmittedAndSignedOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := b.explainMarch(t)
	preparer, approver := b.as("preparer"), b.as("approver")

	approver.post(t, path+"/sign-off", `{}`).refused(t, "illegal-transition", 409)
	submitted := preparer.key("s").post(t, path+"/submit", `{}`).want(t, 200)
	if submitted["status"] != "submitted" || submitted["duplicate"] != false || submitted["version"] != json.Number("1") {
		t.Errorf("submitted it is %v", submitted)
	}
	again := preparer.key("s").post(t, path+"/submit", `{}`)
	if again.want(t, 200)["duplicate"] != true || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("again gave %s", again.body)
	}
	preparer.key("s").post(t, path+"/submit", `{"reason":"other"}`).refused(t, "idempotency-key-reused", 422, "reason")
	preparer.post(t, path+"/submit", ``).refused(t, "illegal-transition", 409)

	preparer.post(t, path+"/sign-off", `{"odd":1`).refused(t, "own-request", 403)
	b.as("viewer").key(`"`).post(t, path+"/sign-off", `{"odd":1`).refused(t, "forbidden", 403)
	approver.key(`"`).post(t, path+"/sign-off", `{}`).refused(t, "idempotency-key-invalid", 400)
	approver.post(t, path+"/sign-off", `{"odd":1}`).refused(t, "invalid", 422, "odd")
	approver.post(t, "/reconciliations/99/sign-off", `{}`).refused(t, "not-found", 404)
	signed := approver.post(t, path+"/sign-off", `{"note":"fine"}`).want(t, 200)
	steps := signed["steps"].([]any)
	if last := steps[len(steps)-1].(map[string]any); signed["status"] != "signed_off" || last["event"] != "signed_off" || last["by"] != "The approver" || last["reason"] != "fine" {
		t.Errorf("signed it is %v", signed)
	}
	b.as("controller").post(t, path+"/sign-off", ``).refused(t, "illegal-transition", 409)
	if text := strings.Join(b.owned(t, `SELECT action || ' ' || outcome FROM audit_log`), "\n"); !strings.Contains(text, "reconciliation.signed_off done") || !strings.Contains(text, "reconciliation.signed_off refused") {
		t.Errorf("the audit log has\n%s", text)
	}
}

func TestReconciliationsThatAreUnexplainedAreSubmittedWithAReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := fmt.Sprintf("/reconciliations/%v", b.march(t)["reconciliation_id"])
	problem := b.as("preparer").post(t, path+"/submit", `{}`).refused(t, "illegal-transition", 409, "reason")
	if problem["unexplained_minor"] != json.Number("450") || problem["open_breaks"] != json.Number("3") ||
		!strings.HasPrefix(fmt.Sprint(problem["detail"]), "4.50 EUR is unexplained, and 3 breaks are open: 1 amount differs (0.50), 1 missing in ledger (-3.00), 1 missing in bank (7.00)") {
		t.Errorf("refused as %v", problem)
	}
	b.as("preparer").post(t, path+"/submit", `{"reason":"below the limit","unexplained_minor":400}`).refused(t, "illegal-transition", 409)
	b.as("preparer").post(t, path+"/submit", `{"reason":"below the limit","unexplained_minor":"x"}`).refused(t, "invalid", 422, "unexplained_minor")
	b.as("approver").post(t, path+"/submit", `{"reason":"below the limit"}`).refused(t, "forbidden", 403)
	b.as("preparer").post(t, path+"/submit", `{"reason":"below the limit","unexplained_minor":450}`).want(t, 200)
}

func TestSignedReconciliationsStayAsTheyWere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := b.explainMarch(t)
	b.as("preparer").post(t, path+"/submit", `{}`).want(t, 200)
	signed := b.as("approver").post(t, path+"/sign-off", `{}`).want(t, 200)
	breaks, matches := b.as("viewer").get(t, path+"/breaks").body, b.as("viewer").get(t, path+"/matches").body

	b.as("preparer").key("t4").post(t, "/entries", deposits("t4", 300)).want(t, 201)
	b.as("preparer").upload(t, "Date,Reference,Description,Amount\n2026-03-05,t3,Deposit,7.00\n", "account=1010").want(t, 201)
	now := b.as("viewer").get(t, path).want(t, 200)
	for _, member := range []string{"proof", "counts", "matches", "totals", "open_breaks", "status"} {
		if fmt.Sprint(now[member]) != fmt.Sprint(signed[member]) {
			t.Errorf("%s was %v and is %v", member, signed[member], now[member])
		}
	}
	if got := b.as("viewer").get(t, path+"/breaks").body; got != breaks {
		t.Errorf("the breaks were\n%s\nand are\n%s", breaks, got)
	}
	if got := b.as("viewer").get(t, path+"/matches").body; got != matches {
		t.Errorf("the matches were\n%s\nand are\n%s", matches, got)
	}

	b.as("preparer").post(t, path+"/reopen", `{}`).refused(t, "invalid", 422, "reason")
	b.as("viewer").post(t, path+"/reopen", `{}`).refused(t, "forbidden", 403)
	reopened := b.as("approver").post(t, path+"/reopen", `{"reason":"a line was missing"}`).want(t, 200)
	if reopened["status"] != "open" || reopened["version"] != json.Number("2") {
		t.Errorf("reopened it is %v", reopened)
	}
	b.as("approver").post(t, path+"/reopen", `{"reason":"again"}`).refused(t, "illegal-transition", 409)
}
