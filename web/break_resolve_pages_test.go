package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// resolvePath is the form that resolves a break.
func resolvePath(id int64) string { return fmt.Sprintf("/b/main/breaks/%d/resolve", id) }

func breakPath(id int64) string { return fmt.Sprintf("/b/main/breaks/%d", id) }

// lessAtTheBank is a statement whose first line has 0.50 less than the ledger, and whose second, of 3.00, the ledger has not. Breaks 1 and 2.
func (b *bundle) lessAtTheBank(t *testing.T) {
	t.Helper()
	b.as("preparer").key("t1").post(t, "/entries", deposits("t1", 2500)).want(t, 201)
	b.sendStatement(t, "1010", "date,amount,reference,description\n2026-03-01,24.50,t1,Deposit t1\n2026-03-02,3.00,c1,Interest\n")
}

// against types the other side of an entry.
func against(account, side, amount string) url.Values {
	return typed("resolution", "adjusted", "reason_code", "BANK_FEE", "entry.postings[1].account", account, "entry.postings[1]."+side, amount)
}

// fee is the form of break 1 with an entry for its fee of 0.50.
func (br *browser) fee(t *testing.T) url.Values {
	t.Helper()
	return br.get(t, breakPath(1)).filled(t, resolvePath(1), against("revenue:fees", "debit", "0.50"))
}

func TestABreakIsSettledWithAnEntryOnItsPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br := b.browser(t, "preparer")
	offered := br.get(t, breakPath(1)).says(t, "Post an adjusting entry", "Write off", "posted at once: up to 10.00 EUR").form(t, resolvePath(1))
	for field, want := range map[string]string{
		"entry.postings[0].account": "1010", "entry.postings[0].credit": "0.50", "entry.postings[1].debit": "0.50", "entry.effective_on": "2026-03-01", "entry.reference": "t1",
	} {
		if offered.Get(field) != want {
			t.Errorf("it offers %v", offered)
		}
	}
	sent := br.fee(t)
	br.post(t, resolvePath(1), sent).want(t, http.StatusSeeOther)
	br.post(t, resolvePath(1), sent).want(t, http.StatusSeeOther) // pressed twice
	after := br.get(t, breakPath(1)).says(t, "The entry is posted and the break is resolved.", "Resolved Adjusted", "Entry #2", "Next open break, B-2")
	if !strings.Contains(after.body, `href="/b/main/breaks/2" autofocus data-focus`) {
		t.Error("the next open break does not have the focus")
	}
	if again := br.get(t, breakPath(1)); strings.Contains(again.body, "autofocus") {
		t.Error("who comes back later is sent on too")
	}
	if head := b.as("viewer").get(t, "/seal").want(t, 200)["seq"]; fmt.Sprint(head) != "2" {
		t.Errorf("the book is at entry %v", head)
	}
}

func TestAnEntryIsPreviewedAndTypedWithoutAScript(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br := b.browser(t, "preparer")
	looking := br.fee(t)
	looking.Set("preview", "1")
	shown := br.post(t, resolvePath(1), looking).want(t, http.StatusOK).says(t, "As it would be posted", "break-1-adj", "revenue:fees Account revenue:fees 0.50", "Resolve posts it at once")
	if kept := shown.form(t, resolvePath(1)); kept.Get("form") != looking.Get("form") || kept.Get("resolution") != "adjusted" || kept.Get("entry.postings[1].account") != "revenue:fees" {
		t.Errorf("it keeps %v", kept)
	}
	if head := b.as("viewer").get(t, "/seal").want(t, 200)["seq"]; fmt.Sprint(head) != "1" {
		t.Errorf("the preview left entry %v", head)
	}
	looking.Set("resolution", "external")
	br.post(t, resolvePath(1), looking).want(t, http.StatusUnprocessableEntity).says(t, "Choose one of the ways")

	longer := br.fee(t)
	longer.Set("entry.add", "line")
	more := br.post(t, resolvePath(1), longer).want(t, http.StatusOK).form(t, resolvePath(1))
	if _, third := more["entry.postings[2].account"]; !third || more.Get("entry.postings[1].account") != "revenue:fees" {
		t.Errorf("with one more line it holds %v", more)
	}
	longer.Del("entry.add")
	longer.Set("entry.drop", "0")
	if fewer := br.post(t, resolvePath(1), longer).want(t, http.StatusOK).form(t, resolvePath(1)); fewer.Get("entry.postings[0].account") != "revenue:fees" {
		t.Errorf("with one line less it holds %v", fewer)
	}
}

func TestAnEntryForABreakIsRefusedWithWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br := b.browser(t, "preparer")
	for name, c := range map[string]struct{ field, value, says string }{
		"NoContra":      {"entry.postings[1].account", "", "Line 2: give the code of an account"},
		"NoSuchAccount": {"entry.postings[1].account", "nowhere", "Line 2: there is no account “nowhere”"},
		"NotAnAmount":   {"entry.postings[1].debit", "ten", "Line 2: \"ten\" is not an amount"},
		"AnotherAmount": {"entry.postings[0].credit", "0.40", "The postings move account 1010 by -0.40 EUR, not by -0.50 EUR"},
		"Unbalanced":    {"entry.postings[1].debit", "0.40", "0.10"},
		"NoDay":         {"entry.effective_on", "soon", "“soon” is not a date"},
		"NoDescription": {"entry.description", "", "Description is missing"},
		"NoReason":      {"reason_code", "", "Choose a reason"},
	} {
		t.Run(name, func(t *testing.T) {
			wrong := br.fee(t)
			wrong.Set(c.field, c.value)
			answer := br.post(t, resolvePath(1), wrong).want(t, http.StatusUnprocessableEntity).says(t, c.says)
			if kept := answer.form(t, resolvePath(1)); kept.Get(c.field) != c.value || kept.Get("resolution") != "adjusted" {
				t.Errorf("it keeps %v", kept)
			}
		})
	}
	mixed := br.fee(t)
	mixed.Set("entry.postings[2].account", "customer:bob")
	mixed.Set("entry.postings[2].debit", "0.10")
	mixed.Set("entry.postings[1].account", "nowhere")
	br.post(t, resolvePath(1), mixed).want(t, http.StatusUnprocessableEntity).says(t, "Line 2: there is no account “nowhere”")
}

func TestAnEntryThatTheLedgerLacksWaitsForAnotherPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br := b.browser(t, "preparer")
	on := br.get(t, breakPath(2)).says(t, "It waits for another person, whatever the amount")
	form := against("revenue:fees", "credit", "3.00")
	looking := on.filled(t, resolvePath(2), form)
	looking.Set("preview", "1")
	br.post(t, resolvePath(2), looking).want(t, http.StatusOK).says(t, "Resolve asks another person to approve it")
	br.submit(t, on, resolvePath(2), form).want(t, http.StatusSeeOther)
	br.get(t, breakPath(2)).says(t, "The entry waits for another person.", "Request A-1", "Waits for another person When the request", "Next open break, B-1")
	b.as("approver").post(t, "/approvals/1/approve", `{}`).want(t, 200)
	br.get(t, breakPath(2)).says(t, "Resolved Adjusted", "Entry #2")
}

func TestAClosedPeriodIsRefusedAtItsField(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	b.as("preparer").post(t, "/periods/2026-02/close", `{"reason":"done"}`).want(t, 201)
	b.as("approver").post(t, "/approvals/1/approve", `{}`).want(t, 200)
	br := b.browser(t, "preparer")
	form := against("revenue:fees", "debit", "0.50")
	form.Set("entry.effective_on", "2026-02-27")
	answer := br.submit(t, br.get(t, breakPath(1)), resolvePath(1), form).want(t, http.StatusUnprocessableEntity).says(t, "2026-02")
	if !strings.Contains(answer.body, `href="#entry-effective_on"`) && !strings.Contains(answer.body, `href="#entry-effective-on"`) {
		t.Errorf("the summary does not lead to the day: %s", answer.text(t))
	}
}

func TestSimilarBreaksAreDecidedTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.sendStatement(t, "1010", "date,amount,reference,description\n2026-03-01,-1.00,c1,Charges 01\n2026-03-02,-1.00,c2,Charges 02\n2026-03-03,-1.00,c3,Charges 03\n")
	br := b.browser(t, "preparer")
	on := br.get(t, breakPath(1)).says(t, "resolved together with this one")
	if !strings.Contains(on.body, `name="also" value="2:1" form="form"`) {
		t.Errorf("the others cannot be chosen: %s", on.body)
	}
	b.as("controller").post(t, "/breaks/3/assign", `{"assignee":"controller@demo.test"}`).want(t, 200)
	together := against("revenue:fees", "debit", "1.00")
	together["also"] = []string{"2:1", "3:1"}
	form := on.filled(t, resolvePath(1), together)
	split := on.filled(t, resolvePath(1), together)
	split.Set("entry.postings[1].debit", "0.60")
	split.Set("entry.postings[2].account", "customer:bob")
	split.Set("entry.postings[2].debit", "0.40")
	br.post(t, resolvePath(1), split).want(t, http.StatusUnprocessableEntity).says(t, "goes to one account")
	matched := on.filled(t, resolvePath(1), together)
	matched.Set("resolution", "matched")
	br.post(t, resolvePath(1), matched).want(t, http.StatusUnprocessableEntity)
	odd := on.filled(t, resolvePath(1), together)
	odd["also"] = []string{"x"}
	br.post(t, resolvePath(1), odd).want(t, http.StatusUnprocessableEntity)

	vague := on.filled(t, resolvePath(1), together)
	vague.Set("reason_code", "")
	again := br.post(t, resolvePath(1), vague).want(t, http.StatusUnprocessableEntity).says(t, "Choose a reason")
	if !strings.Contains(again.body, `value="2:1" form="form" checked`) || strings.Contains(br.get(t, breakPath(2)).text(t), "Waits for another person") {
		t.Error("refused, the choice of the others is lost, or they are decided")
	}

	br.post(t, resolvePath(1), form).want(t, http.StatusSeeOther)
	br.post(t, resolvePath(1), form).want(t, http.StatusSeeOther)
	br.get(t, breakPath(1)).says(t, "2 of 3 breaks are decided. Waiting for another person: B-1 as A-1, B-2 as A-2. B-3 was left as it is: break 3 has changed since you saw it (assigned by The controller")

	for _, id := range []string{"1", "2"} {
		b.as("approver").post(t, "/approvals/"+id+"/approve", `{}`).want(t, 200)
	}
	last := br.get(t, breakPath(3)).says(t, "Proposed as it was done with 2 similar breaks: adjusted, bank fee, against revenue:fees.")
	if offered := last.form(t, resolvePath(3)); offered.Get("resolution") != "adjusted" || offered.Get("reason_code") != "BANK_FEE" || offered.Get("entry.postings[1].account") != "revenue:fees" {
		t.Errorf("it offers %v", offered)
	}
}

func TestWhoDecidesLateIsToldWhoWasFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.lessAtTheBank(t)
	br := b.browser(t, "preparer")
	on := br.get(t, breakPath(1))
	b.as("approver").post(t, "/breaks/1/comment", `{"note":"I wonder"}`).want(t, 200)
	answer := typed("resolution", "external", "reason_code", "BANK_ERROR", "note", "Ticket 12")
	br.submit(t, on, resolvePath(1), answer).want(t, http.StatusSeeOther) // what was only said changes nothing
	on = br.get(t, breakPath(2))
	b.as("controller").post(t, "/breaks/2/assign", `{"assignee":"controller@demo.test"}`).want(t, 200)
	br.submit(t, on, resolvePath(2), answer).want(t, http.StatusConflict).says(t, "This break has changed while you had it open.", "The controller: given to The controller, on 2026-03-31 10:00 UTC.", "Ticket 12")
	viewer := b.browser(t, "viewer")
	if strings.Contains(viewer.get(t, breakPath(2)).body, "<form method=\"post\" action=\"/b/main/breaks") {
		t.Error("a viewer is offered a form")
	}
	viewer.post(t, resolvePath(2), answer).want(t, http.StatusForbidden)
}
