package web_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestARequestToSettleABreakSaysWhatItMovesAndItsEntrySaysWhoAsked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br, approver := b.browser(t, "preparer"), b.browser(t, "approver")
	br.submit(t, br.get(t, breakPath(2)), resolvePath(2), against("revenue:fees", "credit", "3.00")).want(t, http.StatusSeeOther)
	approver.get(t, "/b/main/approvals").want(t, http.StatusOK).says(t, "Settle break B-2 3.00", "What approval does", "break B-2 is adjusted in the same step", "25.00 becomes 28.00")
	b.as("approver").post(t, "/approvals/1/approve", `{}`).want(t, 200)
	on := br.get(t, "/b/main/journal/2").want(t, http.StatusOK).says(t, "Settles break B-2", "as A-1, asked by The preparer", "Asked for, A-1")
	for _, to := range []string{breakPath(2), "/b/main/approvals?id=1"} {
		if !strings.Contains(on.body, `href="`+to+`"`) {
			t.Errorf("nothing leads to %s", to)
		}
	}
	br.get(t, "/b/main/journal/1").offersNo(t, "Settles")
}

func TestAnEntryThatIsPostedAtOnceNamesItsBreakAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br := b.browser(t, "preparer")
	br.post(t, resolvePath(1), br.fee(t)).want(t, http.StatusSeeOther)
	br.get(t, "/b/main/journal/2").want(t, http.StatusOK).says(t, "Settles break B-1").offersNo(t, "asked by")
}

// signed is the reconciliation of lessAtTheBank, submitted and, where that is asked for, signed off.
func (b *bundle) signed(t *testing.T, off bool) {
	t.Helper()
	b.lessAtTheBank(t)
	for _, id := range []string{"1", "2"} {
		b.as("preparer").post(t, "/breaks/"+id+"/resolve", `{"resolution":"external","reason_code":"BANK_ERROR","note":"Ticket 12"}`).want(t, 200)
	}
	b.as("preparer").post(t, "/reconciliations/1/submit", `{}`).want(t, 200)
	if off {
		b.as("approver").post(t, "/reconciliations/1/sign-off", `{}`).want(t, 200)
	}
}

func TestASignOffThatWaitsIsCountedOnTheOverview(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.signed(t, false)
	b.browser(t, "approver").get(t, "/b/main").want(t, http.StatusOK).says(t, "Approvals for you 1 oldest")
}

func TestAnUndoneImportLeadsToWhatWasSigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.signed(t, true)
	b.as("controller").post(t, "/reconciliations/1/reopen", `{"reason":"the wrong month"}`).want(t, 200)
	br := b.browser(t, "preparer")
	br.submit(t, br.get(t, undoPath), undoPath, typed("reason", "the wrong month")).want(t, http.StatusSeeOther)
	const version = "/b/main/reconciliations/1/statement?version=1"
	on := br.get(t, "/b/main/reconciliations/1").want(t, http.StatusOK).says(t, "It was signed off before: version 1")
	if !strings.Contains(on.body, `href="`+version+`"`) {
		t.Error("nothing leads to what was signed")
	}
	br.get(t, version).want(t, http.StatusOK)
}
