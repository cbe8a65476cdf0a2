package web_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
)

const uploadPath = "/b/main/statements/new"

// example posts the ledger side of the example: t1=1000 t2=2500 t3=700 t5=90.
func (b *bundle) example(t *testing.T) {
	t.Helper()
	for txID, amount := range map[string]int64{"t1": 1000, "t2": 2500, "t3": 700, "t5": 90} {
		b.as("preparer").key(txID).post(t, "/entries", deposits(txID, amount)).want(t, 201)
	}
}

const exampleStatement = "date,amount,reference,description\n2026-03-01,10.00,t1,one\n2026-03-01,24.50,t2,two\n2026-03-01,3.00,t4,four\n2026-03-01,0.90,t5,five\n"

// reads sends a file with fields of the form, and opens the draft that it becomes.
func (br *browser) reads(t *testing.T, name, content string, fields ...string) page {
	t.Helper()
	values := br.get(t, uploadPath).filled(t, uploadPath, typed("account", "1010"))
	for field, value := range typed(fields...) {
		values[field] = value
	}
	return br.get(t, br.upload(t, uploadPath, values, name, content).want(t, 303).location()).want(t, 200)
}

// stores reads a file that leaves nothing open, and confirms it.
func (br *browser) stores(t *testing.T, name, content string, fields ...string) page {
	t.Helper()
	return br.confirms(t, br.reads(t, name, content, fields...)).want(t, 303)
}

// confirms stores a draft as its page stands.
func (br *browser) confirms(t *testing.T, draft page) page {
	t.Helper()
	return br.post(t, draft.path+"/confirm", draft.form(t, draft.path+"/confirm"))
}

func TestAStatementIsUploadedOnceAndHeldAgainstTheJournal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	br := b.browser(t, "preparer")
	draft := br.reads(t, "march.csv", exampleStatement).says(t, "Nothing is stored before you confirm", "4 new = 4 rows in the file", "Store 4 lines")
	br.get(t, "/b/main/statements").says(t, "No statement yet")

	one := br.confirms(t, draft).want(t, 303)
	if two := br.confirms(t, draft).want(t, 303); two.location() != one.location() {
		t.Errorf("a double click leads to %s and %s", one.location(), two.location())
	}
	br.get(t, one.location()).want(t, 200).says(t, "The statement is stored and held against the journal. 4 lines stored.", "Matched as of ledger entry #4", "Amount differs 1", "Missing in ledger 1", "Missing in bank 1", "42.90", "38.40", "4.50",
		"4 postings", "4 lines", "Run matching")
	fresh := br.get(t, uploadPath).filled(t, uploadPath, typed("account", "1010"))
	again := br.upload(t, uploadPath, fresh, "copy.csv", exampleStatement).want(t, 303)

	br.get(t, again.location()).says(t, "This file was uploaded before.", "The preparer sent it on 2026-03-31 10:00")
	br.get(t, "/b/main/statements").says(t, "march.csv", "1 statement", "Not proven")
	br.get(t, one.location()+"?tab=matched").says(t, "By reference", "Same reference and amount")
	br.get(t, one.location()+"?tab=lines").says(t, "four", "Missing in ledger B-")
	br.get(t, one.location()+"?type=missing_in_bank&status=open").says(t, "t3", "not on statement")
	br.get(t, one.location()+"?type=odd").want(t, 200).says(t, "No break of this kind")
	br.get(t, "/b/main/journal").says(t, "Reconciliation , 3 open")

	br.post(t, one.location()+"/match", nil).want(t, 303)
	br.get(t, one.location()).says(t, "Matched again")
	viewer := b.browser(t, "viewer")
	viewer.get(t, one.location()).says(t, "Matching again needs the right “resolve”")
	viewer.get(t, "/b/main/statements").says(t, "You cannot upload a statement.")
	viewer.post(t, one.location()+"/match", nil).want(t, 403)
	viewer.upload(t, uploadPath, fresh, "march.csv", exampleStatement).want(t, 403)
}

func TestABreakIsResolvedAndReopened(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	br, viewer := b.browser(t, "preparer"), b.browser(t, "viewer")
	one := br.stores(t, "march.csv", exampleStatement)
	broken := br.get(t, one.location()).link(t, "B-3")
	open := br.get(t, broken).want(t, 200).says(t, "Missing in bank", "Reverse and replace entry", "Found: Missing in bank")
	resolve := broken + "/resolve"
	br.submit(t, open, resolve, typed("note", "why")).want(t, 422).says(t, "Choose one of the ways", "Choose a reason")
	answer := typed("resolution", "carried_forward", "reason_code", "TIMING_CUTOFF", "note", "Paid on 1 April")
	br.submit(t, open, resolve, answer).want(t, 303)
	br.submit(t, open, resolve, answer).want(t, 303)
	resolved := br.get(t, broken).says(t, "The break is resolved.", "Paid on 1 April", "Timing at cut-off", "Why reopen it")
	br.submit(t, open, resolve, typed("resolution", "external", "reason_code", "OTHER", "note", "n")).want(t, 422).says(t, "This form was sent before.")
	late := br.post(t, resolve, typed("form", "other", "resolution", "external", "reason_code", "BANK_ERROR", "note", "Ticket 12")).want(t, 409)
	late.says(t, "This break has changed while you had it open. The preparer resolved it as “Carried forward” on 2026-03-31 10:00 UTC.", "Why reopen it", "What you typed", "Bank to correct", "Bank error", "Ticket 12")
	br.get(t, one.location()).says(t, "Explained", "Carried forward")
	br.submit(t, resolved, broken+"/reopen", typed("note", " ")).want(t, 422).says(t, "Note is missing")
	br.submit(t, resolved, broken+"/reopen", typed("note", "Not on the next statement either")).want(t, 303)
	br.get(t, broken).says(t, "The break is open again.", "Reopened")
	viewer.get(t, broken).says(t, "You cannot resolve or reopen this break.")
	viewer.post(t, resolve, typed("form", "v")).want(t, 403)
}

func TestAFormThatCannotBeReadKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	values := br.get(t, uploadPath).filled(t, uploadPath, typed("account", "1010", "period_from", "2026-03-01"))
	refused := br.upload(t, uploadPath, values, "march.csv", exampleStatement).want(t, 422).says(t, "Give both days or neither")
	kept := refused.form(t, uploadPath)
	for field := range values {
		if kept.Get(field) != values.Get(field) {
			t.Errorf("%s was %q and is %q now", field, values.Get(field), kept.Get(field))
		}
	}
	fresh := br.get(t, uploadPath).filled(t, uploadPath, nil)
	br.upload(t, uploadPath, fresh, "", "").want(t, 422).says(t, "Choose the file of the bank", "Choose the account that the statement is of")
	fresh.Set("account", "nobody")
	br.upload(t, uploadPath, fresh, "a.csv", exampleStatement).want(t, 422).says(t, "Book main has no account \"nobody\".")
	fresh.Set("account", "revenue:fees")
	br.upload(t, uploadPath, fresh, "a.csv", exampleStatement).want(t, 422).says(t, "Account takes no statements")
	fresh.Set("account", "1010")
	br.upload(t, uploadPath, fresh, "a.csv", "").want(t, 422).says(t, "a.csv was not stored: it holds no line")
	br.upload(t, uploadPath, fresh, "a.csv", "PK\x03\x04\x14\x00\x00\x00").want(t, 422).says(t, "a.csv was not stored")
}

func TestAnUploadThatNeedsALookIsAWarning(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.as("admin").post(t, "/accounts", `{"code":"1020","name":"Second bank","type":"asset","currency":"EUR"}`).want(t, 201)
	br := b.browser(t, "preparer")
	send := func(account, name, content string) page {
		return br.get(t, br.stores(t, name, content, "account", account).location())
	}
	send("1010", "a.csv", exampleStatement+"2026-03-32,1.00,t6,six\n").says(t, "4 lines stored, 1 rejected: see “Other rows of the file”.")
	send("1010", "b.csv", exampleStatement).says(t, "0 lines stored, 4 known: see “Other rows of the file”.")
	if warned := send("1020", "b.csv", exampleStatement); !strings.Contains(warned.body, `class="alert warn"`) {
		t.Errorf("a file of two accounts is no warning: %s", warned.says(t, "The same file is stored for 1010 too").text(t))
	}
}

func TestWhatTheMatchingHasNotSeenIsSaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	br := b.browser(t, "preparer")
	one := br.stores(t, "march.csv", exampleStatement)
	b.as("preparer").key("t9").post(t, "/entries", deposits("t9", 900)).want(t, 201)
	br.get(t, one.location()).says(t, "1 posting since the last matching. Run matching")
	br.post(t, one.location()+"/match", nil).want(t, 303)
	if text := br.get(t, one.location()).text(t); strings.Contains(text, "since the last matching") || !strings.Contains(text, "Matched as of ledger entry #5") {
		t.Errorf("after the matching: %s", text)
	}
	next := br.stores(t, "april.csv", "date,amount,reference\n2026-03-20,1.00,x\n")
	if newest := br.get(t, one.location()).says(t, "Matching runs on the account’s newest reconciliation").link(t, "Open the newest"); newest != next.location() {
		t.Errorf("the newest is said to be %s, not %s", newest, next.location())
	}
}

func TestABreakLeadsToTheReversalThatWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.example(t)
	br := b.browser(t, "preparer")
	one := br.stores(t, "march.csv", exampleStatement)
	broken := br.get(t, one.location()).link(t, "B-3")
	reverse, _, _ := strings.Cut(br.get(t, broken).link(t, "Reverse and replace"), "?")
	sent := br.submit(t, br.get(t, reverse), reverse, typed("reason", "Never paid")).want(t, 303)
	for _, path := range []string{broken, strings.TrimSuffix(reverse, "/reverse")} {
		if request := br.get(t, path).says(t, "approval A-1").link(t, "A-1"); request != sent.location() {
			t.Errorf("%s leads to %s", path, request)
		}
	}
}

func TestASecondFileIsNotPassedOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"form": "two files", "account": "1010"} {
		ok(t, form.WriteField(name, value))
	}
	for _, name := range []string{"march.csv", "april.csv"} {
		part, err := form.CreateFormFile("file", name)
		ok(t, err)
		_, err = io.WriteString(part, exampleStatement)
		ok(t, err)
	}
	ok(t, form.Close())
	b.browser(t, "preparer").send(t, http.MethodPost, uploadPath, form.FormDataContentType(), &body).want(t, 422).says(t, "Send one file at a time")
}

func TestTheOtherRowsOfAFileAreTurnedOverByPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	br := b.browser(t, "preparer")
	content := exampleStatement
	for n := range 250 {
		content += fmt.Sprintf("2026-13-01,1.00,bad,odd row %d.\n", n)
	}
	content += strings.Repeat("2026-03-02,1.00,fee,fee\n", 30)
	one := br.stores(t, "march.csv", content)
	first := br.get(t, one.location()+"?tab=rows").want(t, 200)
	if first.says(t, "odd row 199.", "More rows"); strings.Contains(first.body, "odd row 200.") {
		t.Error("the first page shows more than 200 rows")
	}
	second := br.get(t, first.link(t, "More rows")).want(t, 200)
	if second.says(t, "odd row 200.", "odd row 249."); strings.Contains(second.body, "odd row 199.") || strings.Contains(second.body, "More rows") {
		t.Error("the second page is not the rest")
	}
}
