package web_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestABreakLeadsToItsNeighboursAndToThoseLikeIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.sendStatement(t, "1010", "date,amount,reference,description\n2026-03-01,-12.50,c1,Charges 01\n2026-03-02,-3.00,c2,Interest\n2026-03-03,-13.00,c3,Charges 02\n")
	br := b.browser(t, "preparer")
	second := br.get(t, "/b/main/breaks/2").want(t, http.StatusOK).says(t, "2 of 3", "B-1", "B-3", "1010, 2026-03-01 to 2026-03-03")
	if strings.Contains(second.text(t), "Similar breaks") {
		t.Error("a break like no other has similar ones")
	}
	answer := typed("resolution", "external", "reason_code", "BANK_ERROR", "note", "Ticket 12")
	br.submit(t, br.get(t, "/b/main/breaks/1"), "/b/main/breaks/1/resolve", answer).want(t, http.StatusSeeOther)

	first := br.get(t, "/b/main/breaks/1").says(t, "3 of 3", "Next open break, B-2", "Similar breaks 1 other of this account and type", "B-3 2026-03-03 Charges 02 13.00 Open")
	if !strings.Contains(first.body, `href="/b/main/breaks/2"`) {
		t.Error("nothing leads to the next open break")
	}
	br.get(t, "/b/main/breaks/3").says(t, "B-1 2026-03-01 Charges 01 12.50 Bank to correct")
}

func TestABreakThatIsSignedOffIsOnlyRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	b.as("preparer").attach(t, "/breaks/1/attachments", "letter.txt", "x").want(t, 201)
	for _, id := range []string{"1", "2"} {
		b.as("preparer").post(t, "/breaks/"+id+"/resolve", `{"resolution":"external","reason_code":"BANK_ERROR","note":"Ticket 12"}`).want(t, 200)
	}
	b.as("preparer").post(t, "/reconciliations/1/submit", `{}`).want(t, 200)
	b.as("approver").post(t, "/reconciliations/1/sign-off", `{}`).want(t, 200)
	br := b.browser(t, "preparer")
	on := br.get(t, breakPath(1)).says(t, "Every reconciliation that holds this break is signed off.", "letter.txt 1 byte")
	for _, gone := range []string{"/reopen", "/resolve", "/assign", "Attach<"} {
		if strings.Contains(on.body, breakPath(1)+gone) {
			t.Errorf("it still offers %s", gone)
		}
	}
	br.upload(t, breakPath(1)+"/attachments", typed("form", "k"), "late.txt", "x").want(t, http.StatusConflict).says(t, "This break has changed", "resolved it as")
	br.get(t, breakPath(1)+"/attachments/1").want(t, http.StatusOK)
}
