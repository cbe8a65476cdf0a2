package web_test

import (
	"strings"
	"testing"
)

const marchPath = "/b/main/periods/2026-03"

func TestAPeriodIsClosedAndReopenedByTwoPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	preparer, approver, viewer := b.browser(t, "preparer"), b.browser(t, "approver"), b.browser(t, "viewer")

	viewer.get(t, marchPath).want(t, 200).safe(t).says(t, "March 2026", "Open", "You cannot ask to close this period", "“periods”", "Not over yet")
	viewer.get(t, "/b/main/periods").says(t, "Details")
	preparer.get(t, "/b/main/periods").says(t, "March 2026 Open 1 10.00 EUR")
	form := preparer.get(t, marchPath).want(t, 200).says(t, "Nobody asked to close it yet.", "Ask to close March 2026", "The approver or The controller can.")
	sent := preparer.submit(t, form, marchPath+"/close", typed("reason", "Bank proven")).want(t, 303)
	if again := preparer.submit(t, form, marchPath+"/close", typed("reason", "Bank proven")).want(t, 303); again.location() != sent.location() {
		t.Errorf("a double click leads to %s and %s", sent.location(), again.location())
	}
	preparer.submit(t, form, marchPath+"/close", typed("reason", "Other words")).want(t, 422).says(t, "This form was sent before with another text", "The preparer asked for it already.")
	approver.post(t, marchPath+"/close", typed("form", "another", "reason", "Me too")).want(t, 409).says(t, "A request of The preparer about period 2026-03 waits already, as request 1")
	preparer.get(t, sent.location()).says(t, "A-1: Close March 2026", "“Bank proven” Asked by The preparer", "You requested this; another person must approve.", "Changes nothing.")
	preparer.get(t, "/b/main/periods").says(t, "Closing waits", "Bank proven")

	open := approver.get(t, sent.location()).want(t, 200).safe(t).says(t, "Entries, reversals and replacements dated in March 2026 are refused", "March 2026 Open Open Holds", "Approve and close", "Before it is closed")
	decided := approver.submit(t, open, "/b/main/approvals/1/approve", typed("note", "Seen")).want(t, 303)
	approver.get(t, decided.location()).says(t, "Approved. March 2026 is closed.", "Approved by The approver")
	approver.get(t, "/b/main/periods").says(t, "March 2026 Closed The approver", "Bank proven", "Reopen")
	closed := preparer.get(t, marchPath).says(t, "Closing asked for, A-1", "Bank proven", "Closed Seen", "Ask to reopen March 2026")
	if strings.Contains(closed.text(t), "Before it is closed") {
		t.Error("a closed period still says what to do before")
	}
	b.browser(t, "auditor").get(t, marchPath).says(t, "Audit log of March 2026")
	b.browser(t, "auditor").get(t, "/b/main/audit?q=2026-03").says(t, "Close period", "Ask to close period", "Period 2026-03")

	preparer.submit(t, closed, marchPath+"/reopen", typed("reason", " ")).want(t, 422).says(t, "Reason is missing")
	again := preparer.submit(t, closed, marchPath+"/reopen", typed("reason", "Late invoice")).want(t, 303)
	request := approver.get(t, again.location()).says(t, "A-2: Reopen March 2026", "are taken again", "March 2026 Closed Closed Holds", "Approve and reopen")
	approver.submit(t, request, "/b/main/approvals/2/reject", typed("note", "Post it to April")).want(t, 303)
	approver.get(t, "/b/main/approvals?id=2").says(t, "The request is rejected. Nothing was changed.")
	viewer.get(t, marchPath).says(t, "Reopening asked for, A-2", "Rejected Post it to April")
}

func TestAPeriodThatIsNoneIsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.browser(t, "preparer").get(t, "/b/main/periods/2026-13").want(t, 404)
	b.browser(t, "viewer").post(t, marchPath+"/close", typed("form", "k")).want(t, 403).says(t, "periods")
}

func TestWhatIsDatedInAClosedPeriodIsRefusedAtItsDate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("k1").post(t, "/entries", deposits("t1", 1000)).want(t, 201)
	b.as("preparer").post(t, "/entries/1/reversal-requests", `{"reason":"wrong","effective_on":"2026-03-31"}`).want(t, 201)
	b.as("preparer").post(t, "/periods/2026-03/close", `{"reason":"done"}`).want(t, 201)
	preparer, approver := b.browser(t, "preparer"), b.browser(t, "approver")
	approver.get(t, "/b/main/approvals?id=2").says(t, "1 waits for approval", "A-1")
	b.as("approver").post(t, "/approvals/2/approve", "").want(t, 200)

	form := preparer.get(t, "/b/main/journal/new")
	filled := typed("effective_on", "2026-03-31", "tx_id", "t2", "description", "Late", "postings[0].account", "1010", "postings[0].debit", "5", "postings[1].account", "customer:alice", "postings[1].credit", "5")
	refused := preparer.submit(t, form, "/b/main/journal/new", filled).want(t, 422).says(t, "Effective date lies in period 2026-03, which is closed")
	if !refused.marks(t, "effective_on") {
		t.Error("the date is not marked")
	}
	blocked := approver.get(t, "/b/main/approvals?id=1").says(t, "Period March 2026 Open Closed Does not hold")
	approver.submit(t, blocked, "/b/main/approvals/1/approve", typed("note", "")).want(t, 422).says(t, "2026-03")
	approver.get(t, "/b/main/approvals?id=1").says(t, "Waiting for approval")
}

func TestADayFarAheadIsAskedAboutOnceAndNotOfPrograms(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	const path = "/b/main/journal/new"
	filled := typed("effective_on", "2062-03-31", "tx_id", "far", "description", "Far", "postings[0].account", "1010", "postings[0].debit", "5", "postings[1].account", "customer:alice", "postings[1].credit", "5")
	asked := br.submit(t, br.get(t, path), path, filled).want(t, 422).says(t, "Effective date lies more than a year ahead, in 2062", "Yes, it belongs to 2062-03-31")
	other := br.submit(t, asked, path, typed("effective_on", "2063-03-31", "confirm_day", "2062-03-31")).want(t, 422).says(t, "in 2063", "Yes, it belongs to 2063-03-31")
	kept := br.submit(t, other, path, typed("confirm_day", "2063-03-31", "description", "")).want(t, 422).says(t, "Description is missing")
	if got := kept.form(t, path).Get("confirm_day"); got != "2063-03-31" {
		t.Errorf("what was confirmed is asked again: %q", got)
	}
	br.submit(t, kept, path, typed("description", "Far")).want(t, 303)
	br.submit(t, br.get(t, path), path, typed("effective_on", "2027-03-31", "tx_id", "near", "description", "Near", "postings[0].account", "1010", "postings[0].debit", "5", "postings[1].account", "customer:alice", "postings[1].credit", "5")).want(t, 303)
	b.as("preparer").key("k").post(t, "/entries", strings.Replace(deposits("api", 1), "2026-03-01", "2062-03-01", 1)).want(t, 201)
}
