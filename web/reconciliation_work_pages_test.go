package web_test

import (
	"fmt"
	"strings"
	"testing"
)

const workPath = "/b/main/reconciliations/1"

// charges is a reconciliation of lines that the ledger does not have, and of one posting that the bank does not have.
func (b *bundle) charges(t *testing.T) {
	t.Helper()
	b.as("preparer").key("t1").post(t, "/entries", deposits("t1", 1250)).want(t, 201)
	b.sendStatement(t, "1010", "date,amount,reference,description\n2026-03-01,12.50,t1,Deposit of Alice\n2026-03-02,-3.00,c2,Charges\n2026-03-03,-13.00,c3,Charges of March\n"+
		"2026-03-03,-0.40,c4,=Postage\n")
}

func TestWorkspace_MatchesWhatIsSelectedAndTakesItBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("t1").post(t, "/entries", deposits("t1", 1250)).want(t, 201)
	b.sendStatement(t, "1010", "date,amount,reference,description\n2026-03-01,10.00,c1,First part\n2026-03-09,2.50,c2,Second part\n2026-03-09,7.00,c3,Other\n")
	br := b.browser(t, "preparer")
	open := br.get(t, workPath).want(t, 200)
	action := workPath + "/breaks"
	wrong := br.post(t, action, open.chooses(t, action, []string{"First part", "Other", "Deposit t1"}, "do", "match")).want(t, 422)
	wrong.says(t, "The two sides differ by", "3 selected", "17.00")
	if got := wrong.ticked(t); len(got) != 3 {
		t.Errorf("of 3 selected %q stay so", got)
	}
	done := br.post(t, action, wrong.chooses(t, action, nil, "do", "match", "break", "")).want(t, 422)
	done.says(t, "The form has something that this page does not send")
	matched := br.get(t, br.post(t, action, open.chooses(t, action, []string{"First part", "Second part", "Deposit t1"}, "do", "match")).want(t, 303).location())
	matched.says(t, "Matched: 2 lines of the bank, 1 posting.", "Undo", "Matched 1")
	if at := matched.at(t); !strings.Contains(at, "Other") {
		t.Errorf("it goes on with %q", at)
	}
	br.get(t, workPath+"?tab=history").says(t, "Matched by hand: 2 lines of the bank, 1 posting")
	undone := br.get(t, br.submit(t, matched, workPath+"/undo", nil).want(t, 303).location())
	undone.says(t, "Undone: the match is taken apart.", "First part", "Matched 0")
}

func TestWorkspace_ResolvesAndGoesOnWithTheNextRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.charges(t)
	br := b.browser(t, "preparer")
	action := workPath + "/breaks"
	open := br.get(t, workPath).says(t, "Missing in ledger 3", "Older than 30 days 0", "No owner 3")
	br.post(t, action, open.chooses(t, action, nil, "do", "assign")).want(t, 422).says(t, "Nothing is selected")
	br.post(t, action, open.chooses(t, action, []string{"c2"}, "do", "")).want(t, 422).says(t, "Press the button of what is to be done")
	refused := br.post(t, action, open.chooses(t, action, []string{"c2"}, "do", "resolve", "resolution", "adjusted", "note", "As announced")).want(t, 422)
	refused.says(t, "Choose a reason", "Give the account that takes the other side", "2 things keep this from being done")
	if !strings.Contains(refused.body, `value="As announced"`) || len(refused.ticked(t)) != 1 {
		t.Errorf("what was typed or chosen is lost: %q", refused.ticked(t))
	}
	carried := br.get(t, br.post(t, action, open.chooses(t, action, []string{"Charges of March"}, "do", "carry")).want(t, 303).location())
	carried.says(t, "B-2 resolved: Carried forward.", "Missing in ledger 1, explained")
	if at := carried.at(t); !strings.Contains(at, "c4") && !strings.Contains(at, "c2") {
		t.Errorf("it goes on with %q", at)
	}
	undone := br.get(t, br.submit(t, carried, workPath+"/undo", nil).want(t, 303).location()).says(t, "Undone: B-2 as before.")
	if at := undone.at(t); !strings.Contains(at, "Charges of March") {
		t.Errorf("after the undoing it goes on with %q", at)
	}
	br.post(t, workPath+"/undo", carried.form(t, workPath+"/undo")).want(t, 303) // sent twice, done once
	assigned := br.get(t, br.post(t, action, undone.chooses(t, action, []string{"c2", "c4"}, "do", "assign")).want(t, 303).location())
	assigned.says(t, "2 breaks assigned to you.", "In review", "The preparer", "Mine 2")
	br.get(t, br.submit(t, assigned, workPath+"/undo", nil).want(t, 303).location()).says(t, "Undone: 2 breaks as before.", "No owner 3")
	commented := br.get(t, br.post(t, action, br.get(t, workPath).chooses(t, action, []string{"c2"}, "do", "comment", "comment", "Asked the bank")).want(t, 303).location())
	commented.says(t, "commented.")
	if at := commented.at(t); !strings.Contains(at, "c2") {
		t.Errorf("after a comment it goes on with %q", at)
	}
	br.post(t, action, commented.chooses(t, action, []string{"c2"}, "do", "comment")).want(t, 422).says(t, "Write a comment")
	if found := br.post(t, action, commented.chooses(t, action, []string{"c4"}, "do", "find")).want(t, 303).location(); !strings.HasPrefix(found, "/b/main/breaks/") {
		t.Errorf("candidates are looked for at %s", found)
	}
	br.get(t, workPath+"?tab=history").says(t, "Resolved 1 break: Carried forward", "Gave 2 breaks to The preparer", "“Asked the bank”", "Reopened 1 break")
}

func TestWorkspace_AsksForApprovalWhereAnEntryNeedsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.charges(t)
	br := b.browser(t, "preparer")
	action := workPath + "/breaks"
	open := br.get(t, workPath).says(t, "One of more than 10.00 EUR, or for what the ledger does not have, waits for another person.")
	answer := br.post(t, action, open.chooses(t, action, []string{"Charges of March"}, "do", "resolve", "resolution", "adjusted", "reason_code", "BANK_FEE", "contra", "revenue:fees")).want(t, 303)
	waiting := br.get(t, answer.location()).says(t, "B-2 waits for another person’s approval.", "Waiting for approval")
	request := waiting.link(t, "Request A-1")
	br.get(t, request).want(t, 200)
	br.post(t, action, waiting.chooses(t, action, []string{"c2"}, "do", "resolve", "resolution", "adjusted", "reason_code", "BANK_FEE", "contra", "nobody")).want(t, 422).says(t, "1 break was left as before", "nobody")
	again := br.post(t, action, br.get(t, workPath).chooses(t, action, []string{"Charges of March"}, "do", "carry")).want(t, 422)
	again.says(t, "waits for an approval", "B-2")
}

func TestWorkspace_TellsWhoWasFaster(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.charges(t)
	one, two := b.browser(t, "preparer"), b.browser(t, "controller")
	action := workPath + "/breaks"
	seen := two.get(t, workPath)
	mine := one.get(t, workPath)
	one.post(t, action, mine.chooses(t, action, []string{"c2"}, "do", "resolve", "resolution", "external", "reason_code", "BANK_ERROR", "note", "Ticket 12")).want(t, 303)
	late := two.post(t, action, seen.chooses(t, action, []string{"c2"}, "do", "resolve", "resolution", "carried_forward", "reason_code", "TIMING_CUTOFF", "note", "Of April")).want(t, 422)
	late.says(t, "1 break was left as before", "resolved as Bank to correct by The preparer on 2026-03-31 10:00 UTC")
	if !strings.Contains(late.body, `value="Of April"`) || len(late.ticked(t)) != 0 {
		t.Errorf("what was typed is lost, or what changed stays chosen: %q", late.ticked(t))
	}
	seen = two.get(t, workPath)
	one.post(t, action, one.get(t, workPath).chooses(t, action, []string{"c4"}, "do", "assign")).want(t, 303)
	partly := two.post(t, action, seen.chooses(t, action, []string{"Charges of March", "c4"}, "do", "carry")).want(t, 422)
	partly.says(t, "1 break was left as before", "assigned by The preparer", "B-2 resolved: Carried forward.", "Undo")
	two.get(t, two.submit(t, partly, workPath+"/undo", nil).want(t, 303).location()).says(t, "Undone: B-2 as before.")
}

func TestWorkspace_DecidesAWholeFilterOrNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.charges(t)
	br, other := b.browser(t, "preparer"), b.browser(t, "controller")
	list := workPath + "?q=Charges&select=all&status=open"
	action := workPath + "/breaks?q=Charges&status=open"
	all := br.get(t, list).says(t, "All 2 of this filter are selected", "2 selected")
	other.post(t, workPath+"/breaks", other.get(t, workPath).chooses(t, workPath+"/breaks", []string{"c2"}, "do", "assign")).want(t, 303)
	changed := br.post(t, action, all.chooses(t, action, nil, "do", "carry")).want(t, 422)
	changed.says(t, "What this filter finds has changed since you saw it", "Nothing was done")
	br.get(t, workPath).says(t, "Missing in ledger 3")
	all = br.get(t, list)
	done := br.post(t, action, all.chooses(t, action, nil, "do", "carry")).want(t, 303)
	twice := br.post(t, action, all.chooses(t, action, nil, "do", "carry")).want(t, 303)
	if done.location() != twice.location() {
		t.Errorf("a double click leads to %s and %s", done.location(), twice.location())
	}
	br.get(t, workPath+"?q=Charges").says(t, "2 breaks resolved: Carried forward.", "Charges of March")
	br.get(t, workPath+"?status=open").says(t, "c4")
	br.post(t, action, all.chooses(t, action, nil, "do", "match")).want(t, 422).says(t, "is not matched at once")
}

func TestWorkspace_UnmatchesAMatchOrAPartOfOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("preparer").key("t1").post(t, "/entries", deposits("t1", 1250)).want(t, 201)
	b.as("preparer").key("t2").post(t, "/entries", deposits("t2", 700)).want(t, 201)
	b.sendStatement(t, "1010", "date,amount,reference,description\n2026-03-01,12.50,c1,First\n2026-03-09,7.00,c2,Second\n")
	br := b.browser(t, "preparer")
	action, unmatch := workPath+"/breaks", workPath+"/unmatch?tab=matched"
	open := br.get(t, workPath)
	br.post(t, action, open.chooses(t, action, []string{"First", "Second", "Deposit t1", "Deposit t2"}, "do", "match")).want(t, 303)
	matched := br.get(t, workPath+"?tab=matched").says(t, "By hand", "The preparer", "Unmatch")
	br.post(t, unmatch, matched.filled(t, unmatch, typed("match", ""))).want(t, 422).says(t, "Press the button of the match")
	line, posting := matched.partOf(t, "First"), matched.partOf(t, "Deposit t1")
	uneven := br.post(t, unmatch, matched.filled(t, unmatch, typed("match", "1", "part", line, "note", "Not these"))).want(t, 422)
	uneven.says(t, "would differ by")
	if got := uneven.ticked(t); len(got) != 1 || !strings.Contains(uneven.body, `value="Not these"`) {
		t.Errorf("chosen stays %q", got)
	}
	values := matched.filled(t, unmatch, typed("match", "1", "note", "Not these"))
	values["part"] = []string{line, posting}
	br.get(t, br.post(t, unmatch, values).want(t, 303).location()).says(t, "Taken out of the match: it is a break again.", "Breaks 4", "Matched 1")
	rest := br.get(t, workPath+"?tab=matched")
	apart := br.get(t, br.post(t, unmatch, rest.filled(t, unmatch, typed("match", "1"))).want(t, 303).location())
	apart.says(t, "Taken apart: what it held is a break again.", "Undo", "Matched 0")
	br.get(t, br.submit(t, apart, workPath+"/undo", nil).want(t, 303).location())
	br.get(t, workPath+"?tab=history").says(t, "Took part of a match out", "“Not these”", "Took a match apart")
}

func TestWorkspace_OffersNothingWhereNothingCanBeDone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.charges(t)
	br, viewer := b.browser(t, "preparer"), b.browser(t, "viewer")
	action := workPath + "/breaks"
	open := br.get(t, workPath)
	if text := viewer.get(t, workPath).text(t); strings.Contains(text, "Carry forward") || strings.Contains(text, "Select") {
		t.Error("who only reads is offered work")
	}
	viewer.post(t, action, open.chooses(t, action, []string{"c2"}, "do", "carry")).want(t, 403)
	viewer.post(t, workPath+"/undo", typed("form", "x", "do", "reopen", "breaks", "2.1")).want(t, 403)
	viewer.post(t, workPath+"/unmatch", typed("form", "x", "match", "1")).want(t, 403)
	all := br.get(t, workPath+"?select=all")
	br.post(t, action, all.chooses(t, action, nil, "do", "carry")).want(t, 303)
	statement := br.get(t, workPath+"/statement")
	br.submit(t, statement, workPath+"/submit", nil).want(t, 303)
	if text := br.get(t, workPath).says(t, "Waiting for sign-off", "Sign off").text(t); strings.Contains(text, "Assign to me") {
		t.Error("a submitted reconciliation offers work")
	}
	br.post(t, action, open.chooses(t, action, []string{"c2"}, "do", "carry")).want(t, 409)
	approver := b.browser(t, "approver")
	approver.submit(t, approver.get(t, workPath+"/statement"), workPath+"/sign-off", nil).want(t, 303)
	signed := br.get(t, workPath).says(t, "Signed off")
	if text := signed.text(t); strings.Contains(text, "Assign to me") || strings.Contains(text, "Search text") {
		t.Error("a signed reconciliation offers work")
	}
	br.get(t, workPath+"?tab=postings").says(t, "Deposit t1")
	br.get(t, workPath+"?tab=history").says(t, "Signed off", "Submitted for sign-off")
}

func TestWorkspace_ExportsItsBreaks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.charges(t)
	viewer := b.browser(t, "viewer")
	file := viewer.get(t, workPath+"/breaks.csv?q=postage").want(t, 200)
	want := "\ufeffbreak,type,status,resolution,why,day,age_days,first_seen,owner,difference,currency,bank_amount,bank_days,bank_rows,bank_references,bank_texts,ledger_amount,ledger_days,entries,tx_ids,ledger_texts,match,request\n"
	if !strings.HasPrefix(file.body, want) || strings.Count(file.body, "\n") != 2 || !strings.Contains(file.body, ",'=Postage,") || !strings.Contains(file.body, ",0.40,EUR,-0.40,2026-03-03,") {
		t.Errorf("the file is %q", file.body)
	}
	if disposition := file.header.Get("Content-Disposition"); !strings.Contains(disposition, "breaks-1010-2026-03-01-to-2026-03-03.csv") {
		t.Errorf("it is called %s", disposition)
	}
	if none := viewer.get(t, workPath+"/breaks.csv?q=zebra").want(t, 200); none.body != want {
		t.Errorf("of nothing the file is %q", none.body)
	}
}

func TestWorkspace_ShowsManyByThePageAndDecidesThemAllAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var rows strings.Builder
	for i := range 450 {
		fmt.Fprintf(&rows, "2026-03-%02d,-0.%02d,x%d,Line %d\n", i%28+1, i%90+10, i, i)
	}
	b.sendStatement(t, "1010", "date,amount,reference,description\n"+rows.String())
	br := b.browser(t, "preparer")
	first := br.get(t, workPath).want(t, 200).says(t, "Select all 450 of this filter", "More rows")
	if rows := strings.Count(first.body, `name="break"`); rows != 200 {
		t.Errorf("a page has %d rows", rows)
	}
	second := br.get(t, first.link(t, "More rows"))
	if rows := strings.Count(second.body, `name="break"`); rows != 200 {
		t.Errorf("the second page has %d rows", rows)
	}
	action := workPath + "/breaks?after=200"
	next := br.get(t, br.post(t, action, second.chooses(t, action, []string{"Line 300"}, "do", "carry")).want(t, 303).location())
	if !strings.Contains(next.path, "/reconciliations/1") || next.at(t) == "" {
		t.Errorf("it goes on with %q", next.at(t))
	}
	all := br.get(t, workPath+"?status=open&select=all").says(t, "All 449 of this filter are selected")
	br.get(t, br.post(t, workPath+"/breaks?status=open", all.chooses(t, workPath+"/breaks?status=open", nil, "do", "carry")).want(t, 303).location()).says(t, "449 breaks resolved: Carried forward.", "Undo")
}
