package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestABreakShowsTheTypeThatItWasFoundAsAndWhatItIsNow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, id := range []string{"t1", "t2"} {
		b.as("preparer").key(id).post(t, "/entries", deposits(id, 500)).want(t, 201)
	}
	b.as("preparer").upload(t, "Date,Reference,Description,Amount\n2026-03-01,,,5.00\n", "account=1010", "period_from=2026-03-01", "period_to=2026-03-31").want(t, 201)
	br := b.browser(t, "preparer")
	br.get(t, breakPath(1)).want(t, http.StatusOK).says(t, "Found: Several candidates")
	b.as("preparer").post(t, "/reconciliations/1/matches", `{"postings":[{"seq":1,"line":1}],"rows":[{"statement_id":1,"row":2}]}`).want(t, 201)
	br.get(t, breakPath(1)).says(t, "Found: Several candidates", "Matched in part", "Now: Missing in bank").offersNo(t, "Found: Missing in bank")
	events := b.as("viewer").get(t, "/breaks/1").want(t, 200)["events"].([]any)
	first, last := events[0].(map[string]any), events[len(events)-1].(map[string]any)
	if first["type"] != "ambiguous" || last["event"] != "retyped" || last["type"] != "missing_in_bank" {
		t.Errorf("the history is %v", events)
	}
}

func TestABreakThatAReversalCuredLeadsToTheReversal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("t1").post(t, "/entries", deposits("t1", 500)).want(t, 201)
	b.as("preparer").upload(t, "Date,Reference,Description,Amount\n2026-03-20,x,Other,8.00\n", "account=1010", "period_from=2026-03-01", "period_to=2026-03-31").want(t, 201)
	missing, err := b.breakOf(t, 1, "missing_in_bank")["id"].(json.Number).Int64()
	if err != nil {
		t.Fatal(err)
	}
	b.as("preparer").post(t, "/entries/1/reversal-requests", reversal).want(t, 201)
	b.as("approver").post(t, "/approvals/1/approve", `{}`).want(t, 200)
	br := b.browser(t, "preparer")
	const match = "/b/main/reconciliations/1/match"
	br.submit(t, br.get(t, "/b/main/reconciliations/1"), match, nil).want(t, http.StatusSeeOther)
	br.get(t, breakPath(missing)).want(t, http.StatusOK).
		says(t, "Settled by the reversal, entry #2", "Matched with the reversal: an entry and its reversal cancel on this account, match 1", "Its entry was reversed, and a later matching matched the two.").
		offersNo(t, "matched or regrouped")
}

func TestABreakWhoseImportWasUndoneSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br := b.browser(t, "preparer")
	br.submit(t, br.get(t, undoPath), undoPath, typed("reason", "the wrong month")).want(t, http.StatusSeeOther)
	on := br.get(t, breakPath(2)).want(t, http.StatusOK).
		says(t, "Its import was undone", "Went with statement 1, which was undone", "The import that it was found in was undone by The preparer on 2026-03-31 10:00 UTC, and the break went with it: reconciliation 1")
	on.offersNo(t, "signed off", "matched or regrouped", "“went with")
}

func TestTheListShowsThatABreakWaitsForAReversal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("t1").post(t, "/entries", deposits("t1", 500)).want(t, 201)
	b.as("preparer").upload(t, "Date,Reference,Description,Amount\n2026-03-20,x,Other,8.00\n", "account=1010", "period_from=2026-03-01", "period_to=2026-03-31").want(t, 201)
	br := b.browser(t, "preparer")
	const list = "/b/main/reconciliations/1"
	br.get(t, list).want(t, http.StatusOK).offersNo(t, "Waiting for approval", "A-1<")
	b.as("preparer").post(t, "/entries/1/reversal-requests", reversal).want(t, 201)
	on := br.get(t, list).says(t, "Waiting for approval", "A-1")
	if n := strings.Count(on.text(t), "Waiting for approval"); n != 1 {
		t.Errorf("%d breaks wait, want the one of the entry: %s", n, on.text(t))
	}
}
