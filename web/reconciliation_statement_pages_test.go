package web_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/net/html"

	"daybook/recon/report/reporttest"
)

const statementPath = "/b/main/reconciliations/1/statement"

// shownWords are the words that a person reads in the statement on a page, in their order.
func shownWords(t *testing.T, p page) (words []string) {
	t.Helper()
	var read func(n *html.Node)
	read = func(n *html.Node) {
		for _, attribute := range n.Attr {
			if attribute.Key == "class" && strings.Contains(attribute.Val, "visually-hidden") {
				return
			}
		}
		if n.Type == html.TextNode {
			words = append(words, strings.Fields(n.Data)...)
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			read(child)
		}
	}
	for n := range p.node(t).Descendants() {
		if n.Type == html.ElementNode && n.Data == "article" {
			read(n)
		}
	}
	return words
}

func TestAReconciliationIsSubmittedSignedAndReopenedOnItsStatement(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.march(t)
	preparer, approver := b.browser(t, "preparer"), b.browser(t, "approver")
	open := preparer.get(t, statementPath).want(t, 200).safe(t).says(t, "Not explained yet", "Unexplained difference 4.50", "4.50 EUR is unexplained, in 3 open breaks.", "Not signed off: open, as of entry #4",
		"Another person signs it off: The approver or The controller can")
	submit := strings.TrimSuffix(statementPath, "statement") + "submit"
	preparer.submit(t, open, submit, typed("reason", "")).want(t, 409).says(t, "4.50 EUR is unexplained, and 3 breaks are open")
	preparer.submit(t, open, submit, typed("reason", "Below the limit", "unexplained_minor", "400")).want(t, 409).says(t, "has changed while you had it open", "Below the limit")
	approver.get(t, statementPath).says(t, "It needs the right “resolve”")
	preparer.submit(t, open, submit, typed("reason", "Below the limit")).want(t, 303)
	preparer.submit(t, open, submit, typed("reason", "Below the limit")).want(t, 303)
	preparer.get(t, statementPath).says(t, "Submitted. Another person signs it off.", "Waiting for sign-off", "You submitted this; another person must sign off reconciliation 1.")
	b.browser(t, "viewer").get(t, statementPath).says(t, "you need the right \"decide\"")

	approver.get(t, "/b/main/approvals").says(t, "For me 1", "Sign off 1010, 2026-03-01 to 2026-03-01", "Unexplained 4.50", "Reconciliation · The preparer")
	for _, name := range []string{"preparer", "viewer"} {
		if strings.Contains(b.browser(t, name).get(t, "/b/main/approvals").body, "Sign off 1010") {
			t.Errorf("%s is asked to sign off", name)
		}
	}

	sign := strings.TrimSuffix(statementPath, "statement") + "sign-off"
	waiting := approver.get(t, statementPath).says(t, "Submitted by The preparer,", "Accepted: “Below the limit”")
	late := b.browser(t, "controller").get(t, statementPath)
	approver.submit(t, waiting, sign, typed("note", "Agreed with the bank")).want(t, 303)
	approver.get(t, statementPath).want(t, 200).safe(t).says(t, "Signed off. What it says is kept as it is.", "Version 1, signed off by The approver on 2026-03-31 10:00 UTC", "“Agreed with the bank”", "Accepted, because “Below the limit”")
	controller := b.browser(t, "controller")
	controller.submit(t, late, sign, typed("note", "Mine")).want(t, 409).says(t, "is signed off already, by The approver on 2026-03-31 10:00")
	preparer.post(t, "/b/main/reconciliations/1/match", nil).want(t, 409)

	reopen := strings.TrimSuffix(statementPath, "statement") + "reopen"
	signed := controller.get(t, statementPath)
	controller.submit(t, signed, reopen, typed("reason", "")).want(t, 422)
	controller.submit(t, signed, reopen, typed("reason", "A line was missing")).want(t, 303)
	controller.get(t, statementPath).says(t, "It is open again.", "Reopened", "A line was missing", "Signed off before: Version 1")
	controller.get(t, statementPath+"?version=1").says(t, "This is version 1, as it was signed off.", "Version 1, signed off by The approver")
	for _, missing := range []string{"?version=2", "?version=x", "?version=0"} {
		controller.get(t, statementPath+missing).want(t, 404)
	}
}

func TestTheStatementIsTheSameOnThePageAndInItsFiles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := b.explainMarch(t)
	open := b.browser(t, "viewer")
	reporttest.Agree(t, shownWords(t, open.get(t, statementPath)), []byte(open.get(t, statementPath+".pdf").want(t, 200).body))
	b.as("preparer").post(t, path+"/submit", `{}`).want(t, 200)
	b.as("approver").post(t, path+"/sign-off", `{"note":"zażółć gęślą jaźń, 10 €"}`).want(t, 200)

	page, pdf := open.get(t, statementPath), open.get(t, statementPath+".pdf").want(t, 200)
	reporttest.Agree(t, shownWords(t, page), []byte(pdf.body))
	if pdf.header.Get("Content-Type") != "application/pdf" || pdf.header.Get("Content-Disposition") != `attachment; filename="bank-reconciliation-1010-2026-03-01-version-1.pdf"` {
		t.Errorf("the PDF comes as %v", pdf.header)
	}
	xlsx := open.get(t, statementPath+".xlsx").want(t, 200)
	book, err := excelize.OpenReader(bytes.NewReader([]byte(xlsx.body)))
	ok(t, err)
	defer book.Close()
	if rows, err := book.GetRows("Breaks"); err != nil || len(rows) != 4 || rows[1][0] != "B-1" || strings.TrimSpace(rows[1][6]) != "0.50" || !strings.HasPrefix(rows[1][7], "Bank to correct. Bank error. “told the bank”. The preparer, 2026-03-31 10:00") {
		t.Errorf("the breaks of the workbook are %q (%v)", rows, err)
	}

	// Later work changes neither.
	b.as("preparer").key("t4").post(t, "/entries", deposits("t4", 300)).want(t, 201)
	b.as("preparer").upload(t, "Date,Reference,Description,Amount\n2026-03-05,t3,Deposit,7.00\n", "account=1010").want(t, 201)
	again := b.browser(t, "auditor")
	if later := again.get(t, statementPath+".pdf"); later.body != pdf.body {
		t.Error("the PDF of what was signed has changed")
	}
	if later := again.get(t, statementPath+".xlsx"); later.body != xlsx.body {
		t.Error("the workbook of what was signed has changed")
	}
	if got, want := fmt.Sprint(shownWords(t, again.get(t, statementPath))), fmt.Sprint(shownWords(t, page)); got != want {
		t.Errorf("the page was\n%s\nand is\n%s", want, got)
	}
}
