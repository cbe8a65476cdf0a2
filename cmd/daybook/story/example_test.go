package story_test

import (
	"fmt"
	"strings"
	"testing"
)

// bankExample is the bank's side of the example; of the ledger's t2 and t3 it knows something else and nothing.
const bankExample = `Date,Reference,Description,Amount
2026-03-01,t1,Deposit,10.00
2026-03-01,t2,Deposit,24.50
2026-03-01,t4,Deposit,3.00
2026-03-01,t5,Deposit,0.90
`

// postExample posts the ledger's side to an account. The tx ids t1 to t5 belong to one story a server.
func (p program) postExample(t *testing.T, bank string) {
	t.Helper()
	for id, amountMinor := range map[string]int64{"t1": 1000, "t2": 2500, "t3": 700, "t5": 90} {
		p.as("preparer").key("example-"+id).post(t, "/entries", entry(id, posting(bank, amountMinor), posting("customer:bob", -amountMinor))).want(t, 201)
	}
}

func exampleGivesItsThreeBreaks(t *testing.T, p program) {
	p.openAccount(t, "example:bank", "asset", "EUR")
	p.postExample(t, "example:bank")
	p.as("viewer").upload(t, bankExample, "account=example:bank").refused(t, 403, "forbidden")
	p.as("preparer").upload(t, bankExample, "account=example:bank", "hint=colour=red").refused(t, 422, "invalid")
	refused := p.as("preparer").upload(t, "Date,Reference,Description,Amount\n2026-03-01,t1,Deposit,ten\n", "account=example:bank").refused(t, 422, "statement-refused")
	if refused["error_class"] == nil {
		t.Errorf("nothing says why the file is refused: %v", refused)
	}
	uploaded := p.as("preparer").upload(t, bankExample, "account=example:bank").want(t, 201)
	if got := fmt.Sprint(uploaded["duplicate"], uploaded["rows"]); got != "false map[duplicate:0 known:0 new:4 rejected:0 skipped:0]" {
		t.Errorf("uploaded: %s", got)
	}
	again := p.as("preparer").upload(t, bankExample, "account=example:bank", "hint=currency=EUR").want(t, 201)
	if again["duplicate"] != true || again["reconciliation_id"] != uploaded["reconciliation_id"] {
		t.Errorf("uploaded again: %v", again)
	}
	path := fmt.Sprint("/reconciliations/", uploaded["reconciliation_id"])
	found := p.as("viewer").get(t, path).want(t, 200)
	if got := found.text("account", "matches", "counts"); got != "example:bank 2 map[amount_mismatch:1 missing_in_bank:1 missing_in_ledger:1]" {
		t.Errorf("found %s", got)
	}
	if got := found.inner("totals").text("ledger_minor", "bank_minor", "difference_minor"); got != "4290 3840 450" {
		t.Errorf("totals %s, want 4290 3840 450", got)
	}
	proof := found.inner("proof")
	expected := proof.number(t, "ledger_minor") - proof.number(t, "outstanding_minor") - proof.number(t, "in_transit_minor") - proof.number(t, "other_explained_minor")
	if expected != proof.number(t, "expected_minor") || expected-proof.number(t, "statement_minor") != proof.number(t, "unexplained_minor") {
		t.Errorf("the proof does not add up: %v", proof)
	}
	p.breaksAreInStableOrder(t, path)
	p.breaksAreWorked(t, path)
}

func (p program) breaksAreInStableOrder(t *testing.T, path string) {
	t.Helper()
	whole := p.as("viewer").get(t, path+"/breaks")
	list := whole.want(t, 200).list(t, "items")
	got := map[string]string{}
	for _, found := range list {
		got[found.text("type")] = fmt.Sprintf("%v %d/%d", found["difference_minor"], len(found.list(t, "ledger")), len(found.list(t, "bank")))
	}
	if text := fmt.Sprint(got); text != "map[amount_mismatch:50 1/1 missing_in_bank:700 1/0 missing_in_ledger:-300 0/1]" {
		t.Errorf("difference and lines of each side are %s", text)
	}
	var paged []string
	after := ""
	for range list {
		page := p.as("viewer").get(t, path+"/breaks?limit=1"+after).want(t, 200)
		paged = append(paged, page.list(t, "items")[0].text("id"))
		after = "&after=" + page.text("next")
	}
	var ids []string
	for _, found := range list {
		ids = append(ids, found.text("id"))
	}
	if again := p.as("preparer").get(t, path+"/breaks"); again.body != whole.body || strings.Join(paged, " ") != strings.Join(ids, " ") {
		t.Errorf("the order is not stable: %v, in pages %v", ids, paged)
	}
}

func (p program) breaksAreWorked(t *testing.T, path string) {
	t.Helper()
	missing := p.as("viewer").get(t, path+"/breaks?type=missing_in_ledger&status=open").want(t, 200).list(t, "items")
	if len(missing) != 1 || missing[0].list(t, "bank")[0].text("row", "reference", "amount_minor") != "4 t4 300" {
		t.Fatalf("missing in the ledger: %v", missing)
	}
	work := fmt.Sprint("/breaks/", missing[0]["id"])
	p.as("preparer").post(t, work+"/resolve", `{"resolution":"not_a_break","reason_code":"BANK_ERROR","note":"n"}`).refused(t, 422, "invalid", "resolution")
	external := `{"resolution":"external","reason_code":"BANK_ERROR","note":"booked to the wrong customer by the bank"}`
	if resolved := p.as("preparer").post(t, work+"/resolve", external).want(t, 200); resolved.text("status", "resolution") != "resolved external" {
		t.Errorf("resolved: %v", resolved)
	}
	p.as("preparer").post(t, work+"/resolve", external).refused(t, 409, "illegal-transition")
	if proof := p.as("viewer").get(t, path).want(t, 200).inner("proof"); proof.text("other_explained_minor") != "-300" {
		t.Errorf("the proof does not explain it: %v", proof)
	}
	if reopened := p.as("preparer").post(t, work+"/reopen", `{"note":"the bank denies it"}`).want(t, 200); reopened["status"] != "open" {
		t.Errorf("reopened: %v", reopened)
	}
}
