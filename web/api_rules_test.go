package web_test

import (
	"encoding/json"
	"testing"
)

func TestAPI_AccountRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const path = "/accounts/1010/rules"
	first := b.as("viewer").get(t, path).want(t, 200)
	if got := first; got["version"] != json.Number("1") || got["set_by"] != nil || got["account"] != "1010" {
		t.Errorf("at first they are %v", got)
	}
	const rules = `{"version":1,"window_days":5,"prefixes":["KD-"],"tolerance_minor":2,"fee":{"account":"revenue:fees","fixed_minor":30,"per_mille":29},"note":"as agreed"}`
	admin := b.as("admin").key("k")
	set := admin.put(t, path, rules).want(t, 200)
	if versions := set["versions"].([]any); set["version"] != json.Number("2") || set["set_by"] != "The admin" || set["note"] != "as agreed" || len(versions) != 2 {
		t.Errorf("set they are %v", set)
	}
	if again := admin.put(t, path, rules); again.status != 200 || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("again it answers %v", again.header)
	}
	b.as("admin").key("other").put(t, path, rules).refused(t, "illegal-transition", 409)
	b.as("admin").put(t, path, `{"version":2,"window_days":400,"fee":{"account":"6800","per_mille":1}}`).refused(t, "invalid", 422)
	b.as("admin").put(t, path, `{"version":2,"window_days":1.5,"prefixes":"KD-","days":3}`).refused(t, "invalid", 422)
	b.as("preparer").put(t, path, rules).refused(t, "forbidden", 403)
	b.as("viewer").get(t, "/accounts/none/rules").refused(t, "not-found", 404)

	b.as("preparer").key("k1").post(t, "/entries", entryOf("INV-1", posting("1010", 10000, "EUR"), posting("customer:alice", -10000, "EUR"))).want(t, 201)
	b.as("preparer").upload(t, "Date,Amount,Reference,Description\n2026-03-04,96.80,INV-1,Card payment\n", "account=1010").want(t, 201)
	if got := b.as("viewer").get(t, "/reconciliations/1").want(t, 200); got["rules_version"] != json.Number("2") || got["open_breaks"] != json.Number("0") {
		t.Errorf("the reconciliation is %v", got)
	}
	match := b.as("viewer").get(t, "/reconciliations/1/matches").want(t, 200)["items"].([]any)[0].(map[string]any)
	if match["rules_version"] != json.Number("2") || match["booked_seq"] != json.Number("2") {
		t.Errorf("the match is %v", match)
	}
}

func TestAPI_AdjustmentLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const path = "/adjustment-limit"
	if got := b.as("viewer").get(t, path).want(t, 200); got["limit_minor"] != json.Number("1000") || got["currency"] != "EUR" {
		t.Errorf("at first it is %v", got)
	}
	if got := b.as("admin").key("k").put(t, path, `{"limit_minor":2500}`).want(t, 200); got["limit_minor"] != json.Number("2500") {
		t.Errorf("then it is %v", got)
	}
	b.as("admin").put(t, path, `{"limit_minor":-1}`).refused(t, "invalid", 422)
	b.as("admin").put(t, path, `{}`).refused(t, "invalid", 422)
	b.as("controller").put(t, path, `{"limit_minor":1}`).refused(t, "forbidden", 403)
}
