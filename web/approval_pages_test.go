package web_test

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
)

const reversePath = "/b/main/journal/1/reverse"

func TestAReversalIsAskedForByOneAndApprovedByAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	preparer, approver, controller := b.browser(t, "preparer"), b.browser(t, "approver"), b.browser(t, "controller")

	form := preparer.get(t, reversePath).want(t, 200).says(t, "will be t1-rev", "You cannot approve your own request. The approver or The controller can.", "(10.00)")
	preparer.submit(t, form, reversePath, typed("reason", " ")).want(t, 422).says(t, "Reason is missing")
	request := typed("reason", "Typed twice", "effective_on", "2026-03-02")
	sent := preparer.submit(t, form, reversePath, request).want(t, 303)
	if again := preparer.submit(t, form, reversePath, request).want(t, 303); again.location() != sent.location() {
		t.Errorf("a double click leads to %s and %s", sent.location(), again.location())
	}
	edited := preparer.submit(t, form, reversePath, typed("reason", "Another reason", "effective_on", "2026-03-02")).want(t, 422)
	edited.says(t, "This form was already sent as A-1.", "A reversal of it waits for approval already.")
	preparer.get(t, reversePath).says(t, "This entry cannot be reversed.", "Open A-1")

	own := preparer.get(t, sent.location()).want(t, 200).says(t, "You requested this; another person must approve.", "Recall the request", "t1-rev is posted")
	key := own.form(t, "/b/main/approvals/1/recall").Get("form")
	preparer.post(t, "/b/main/approvals/1/approve", typed("form", key)).want(t, 403).says(t, "You requested this; another person must decide request 1", "Open the request")
	b.browser(t, "viewer").get(t, sent.location()).says(t, "You cannot decide about this request.")
	controller.get(t, "/b/main/journal").says(t, "Approvals , 1 open")

	open := approver.get(t, "/b/main/approvals?id=1").says(t, "Typed twice", "Holds", "10.00 becomes 0.00")
	approver.submit(t, open, "/b/main/approvals/1/reject", nil).want(t, 422).says(t, "Note is missing", "Approve and post")
	decided := approver.submit(t, open, "/b/main/approvals/1/approve", typed("note", "Checked")).want(t, 303)
	if again := approver.submit(t, open, "/b/main/approvals/1/approve", typed("note", "Checked")).want(t, 303); again.location() != decided.location() {
		t.Errorf("a double click leads to %s and %s", decided.location(), again.location())
	}
	approver.get(t, decided.location()).says(t, "Approved. Reversal #2 is posted.", "Approved by The approver", "Checked", "Done 1")
	approver.submit(t, open, "/b/main/approvals/1/reject", typed("note", "no")).want(t, 422).says(t, "This form was sent before.", "Approved by The approver")
	controller.post(t, "/b/main/approvals/1/reject", typed("form", "late", "note", "no")).want(t, 409).says(t, "Someone else was faster", "Request 1 is already approved", "Open the request")
	approver.get(t, "/b/main/balances").says(t, "Balanced: debits = credits", "10.00 10.00 0.00")
	approver.get(t, "/b/main/journal/1").says(t, "Reversed by #2", "Correction chain", "Already reversed by #2", "Reason: Typed twice")
	preparer.get(t, "/b/main/journal/2/reverse").says(t, "It is a reversal itself", "Open #1")
}

func TestAReplacementIsTypedWithTheRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	preparer, approver := b.browser(t, "preparer"), b.browser(t, "approver")

	form := preparer.get(t, reversePath)
	opened := preparer.submit(t, form, reversePath, typed("with_replacement", "open", "reason", "Wrong amount")).want(t, 200)
	values := opened.form(t, reversePath)
	for field, want := range map[string]string{
		"with_replacement": "yes", "reason": "Wrong amount", "replacement.tx_id": "t1-fix", "replacement.postings[0].debit": "10.00",
		"replacement.postings[1].account": "customer:alice", "form": form.form(t, reversePath).Get("form"),
	} {
		if values.Get(field) != want {
			t.Errorf("%s is %q, want %q", field, values.Get(field), want)
		}
	}
	more := preparer.submit(t, opened, reversePath, typed("replacement.add", "line")).want(t, 200)
	lines := typed("replacement.postings[0].debit", "", "replacement.postings[0].account", "", "replacement.postings[2].account", "1010", "replacement.postings[2].debit", "12")
	unbalanced := preparer.submit(t, more, reversePath, lines).want(t, 422).says(t, "Debits and credits differ.", "EUR debits are 12.00 and credits 10.00")
	wrong := preparer.submit(t, unbalanced, reversePath, typed("replacement.postings[2].account", "nobody", "replacement.tx_id", "")).want(t, 422)
	wrong.says(t, "Line 3: there is no account “nobody”", "Replacement, tx id is missing")
	if !wrong.marks(t, "replacement.postings[2].account") || wrong.form(t, reversePath).Get("replacement.postings[2].debit") != "12" {
		t.Errorf("the line at fault is not marked, or what was typed is gone: %v", wrong.form(t, reversePath))
	}
	sent := preparer.submit(t, unbalanced, reversePath, typed("replacement.postings[1].credit", "12.00")).want(t, 303)
	request := approver.get(t, sent.location()).says(t, "reverse and replace #1", "t1-rev and t1-fix are posted in one step", "12.00")
	approver.submit(t, request, "/b/main/approvals/1/approve", url.Values{}).want(t, 303)
	approver.get(t, "/b/main/approvals?id=1").says(t, "Reversal #2 and replacement #3 are posted.")
	approver.get(t, "/b/main/journal/3").says(t, "Replaces #1", "Correction chain")
	approver.get(t, "/b/main/balances").says(t, "12.00")
}

func TestARequestIsRecalledByWhoMadeIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	preparer := b.browser(t, "preparer")
	sent := preparer.submit(t, preparer.get(t, reversePath), reversePath, typed("reason", "Typed twice")).want(t, 303)
	own := preparer.get(t, sent.location())
	preparer.submit(t, own, "/b/main/approvals/1/recall", nil).want(t, 303)
	preparer.get(t, "/b/main/approvals").says(t, "The request is recalled. Nothing was posted.", "None of your requests waits")
	preparer.get(t, "/b/main/approvals?status=done").says(t, "Reverse #1", "Typed twice")
	preparer.get(t, reversePath).says(t, "Send for approval")
	for _, path := range []string{"/b/main/approvals?id=x", "/b/main/approvals?id=9"} {
		preparer.get(t, path).want(t, 404)
	}
	if text := preparer.get(t, "/b/main/approvals?status=odd").want(t, 200).text(t); !strings.Contains(text, "Mine, waiting 0 Of others, waiting 0") {
		t.Errorf("an unknown list is not the first one: %s", text)
	}
}

func TestASecondApproverIsToldThatAnotherWasFaster(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	b.as("preparer").post(t, "/entries/1/reversal-requests", `{"reason":"Typed twice","effective_on":"2026-03-02"}`).want(t, 201)
	approve := "/b/main/approvals/1/approve"
	approver := b.browser(t, "approver")
	approver.post(t, approve, typed("form", "one")).want(t, 303)
	b.browser(t, "controller").post(t, approve, typed("form", "two")).want(t, 409).says(t, "Someone else was faster", "nothing of yours was recorded")
	approver.post(t, approve, typed("form", "three")).want(t, 303)
}

func TestAReplacementKeepsTheReferenceOfTheOriginal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", strings.Replace(deposits("t1", 1000), `"metadata":{}`, `"metadata":{"reference":"INV 1"}`, 1)).want(t, 201)
	preparer := b.browser(t, "preparer")
	form := preparer.get(t, reversePath+"?with_replacement=open").want(t, 200)
	preparer.submit(t, form, reversePath, typed("reason", "Wrong amount", "with_replacement", "yes", "replacement.postings[0].debit", "9.00",
		"replacement.postings[1].credit", "9.00")).want(t, 303)
	request := b.as("approver").get(t, "/approvals/1").want(t, 200)
	if replacement, _ := request["replacement_entry"].(map[string]any); replacement == nil || !reflect.DeepEqual(replacement["metadata"], map[string]any{"reference": "INV 1"}) {
		t.Errorf("the replacement is %v", request["replacement_entry"])
	}
}
