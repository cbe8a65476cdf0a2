package story_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/recon/report/reporttest"
)

// The breaks of the month that is worked by keyboard, by what has to be done with them.
const (
	feesTaken    = 200 // the bank kept less than the limit: written off, each at once
	bookedTwice  = 200 // by the bank, which has to correct it
	misnamed     = 5   // pairs of a posting and a line under two references: matched by hand
	notYetAtBank = 85  // payments under way: carried forward
	notYetPosted = 5   // at the bank only: an entry that another person approves
	hundreds     = feesTaken + bookedTwice + 2*misnamed + notYetAtBank + notYetPosted
)

// month is what both sides know of a March: entries, one JSON object a line, and the file of the bank.
type month struct{ entries, file strings.Builder }

// monthOfHundreds has breaks enough for a long day, and some agreement.
func monthOfHundreds() *month {
	m := &month{}
	m.file.WriteString("Date,Reference,Description,Amount\n")
	for i := range feesTaken {
		m.posts("fee", i, 10_000+int64(i)*131, 0)
		m.lists("fee", i, 10_000+int64(i)*131-25-int64(i)%900)
	}
	for i := range bookedTwice {
		m.posts("twice", i, 400_000+int64(i)*17, 0)
		m.lists("twice", i, 400_000+int64(i)*17)
		m.lists("twice", i, 400_000+int64(i)*17)
	}
	for i := range misnamed {
		m.posts("order", 7*i, 900_000+int64(i)*1_013, 0)
		m.lists("transfer", 9_000-13*i, 900_000+int64(i)*1_013)
	}
	for i := range notYetAtBank {
		m.posts("payment", i, -2_000_000-int64(i)*211, 0)
	}
	for i := range notYetPosted {
		m.lists("charge", i, -3_000_000-int64(i)*307)
	}
	return m
}

func dayOf(i int) string { return fmt.Sprintf("2026-03-%02d", 2+i%20) }

// posts has the ledger know of something.
func (m *month) posts(what string, i int, amountMinor int64, days int) {
	fmt.Fprintf(&m.entries, `{"idempotency_key":"%[1]s-%[2]d","tx_id":"%[1]s-%04[2]d","effective_on":"%[3]s","description":"%[1]s of the shop","postings":[%[4]s,%[5]s]}`+"\n",
		what, i, dayOf(i+days), posting("1010", amountMinor), posting("customer:alice", -amountMinor))
}

// lists has the bank know of something.
func (m *month) lists(what string, i int, amountMinor int64) {
	sign := ""
	if amountMinor < 0 {
		sign, amountMinor = "-", -amountMinor
	}
	fmt.Fprintf(&m.file, "%s,%s-%04d,By %s,%s%d.%02d\n", dayOf(i), what, i, what, sign, amountMinor/100, amountMinor%100)
}

// TestHundredsOfBreaksAreWorkedByKeys is a month end: a preparer works 500 breaks to 0.00 without touching the mouse, other people approve and sign
// off by keys too, the PDF says what the page says, and then not even a superuser changes anything of it.
func TestHundredsOfBreaksAreWorkedByKeys(t *testing.T) {
	t.Parallel()
	browser, p := openBrowser(t), startDemo(t, "--empty")
	m := monthOfHundreds()
	p.as("preparer").with("Content-Type", "application/x-ndjson").post(t, "/entries/batch", m.entries.String())
	uploaded := p.as("preparer").upload(t, m.file.String(), "account=1010", "period_from=2026-03-01", "period_to=2026-03-31").want(t, 201)
	path := fmt.Sprint("/reconciliations/", uploaded["reconciliation_id"])
	if open := p.as("viewer").get(t, path).want(t, 200).number(t, "open_breaks"); open != hundreds {
		t.Fatalf("the month has %d breaks, not %d", open, hundreds)
	}
	preparer := openTab(t, browser, p)
	preparer.signIn("preparer")
	preparer.open("/b/main" + path)
	preparer.sees("Not proven")
	preparer.worksHundreds()

	approver := openTab(t, browser, p)
	approver.signIn("approver")
	approver.approvesByKeys(notYetPosted)
	preparer.open("/b/main" + path)
	preparer.sees("Proven", "Nothing is unexplained.")
	if left := ask[string](preparer, `document.querySelector(".proof .end .money").textContent`); left != "0.00" {
		t.Errorf("unexplained are %s", left)
	}
	preparer.pressesByKeys("Submit for sign-off")
	preparer.pressesByKeys("Submit for sign-off")
	preparer.sees("Submitted. Another person signs it off.")
	approver.open("/b/main/approvals")
	approver.pressesByKeys("Sign off 1010, March 2026…")
	approver.pressesByKeys("Sign off")
	approver.sees("Signed off. What it says is kept as it is.")
	approver.isAsItsPDF("/b/main" + path + "/statement")
	p.keepsWhatWasSigned(t)
	p.verifies(t)
	for _, tb := range []*tab{preparer, approver} {
		if complaints := tb.console.take(); len(complaints) > 0 {
			t.Errorf("the console says %q", complaints)
		}
	}
}

// worksHundreds decides each break: some row by row, those that are alike at once.
func (tb *tab) worksHundreds() {
	tb.Helper()
	alone := 4
	if everyLook() {
		alone = 200 // make looks
	}
	writeOff := typing("Writ" + kb.Tab + "Bank" + kb.Tab + "revenue:fees" + kb.Tab + "As the bank announced" + kb.Enter)
	tb.pressesByKeys("All open…")
	tb.finds("By fee", feesTaken)
	tb.do("go to the first", typing("k"))
	for range alone {
		tb.does("write off", "resolved: Written off.", typing("r"), writeOff)
	}
	tb.decidesAll("By fee", feesTaken-alone, "resolved: Written off.", typing("r"), writeOff)
	tb.decidesAll("By twice", bookedTwice, "resolved: Bank to correct.", typing("r"), typing("Bank"+kb.Tab), bankError, typing(kb.Tab+"Ticket 4711"+kb.Enter))
	tb.decidesAll("payment of the shop", notYetAtBank, "resolved: Carried forward.", typing("f"))
	for i := range misnamed {
		tb.finds(fmt.Sprintf("%d.%02d", (900_000+i*1_013)/100, (900_000+i*1_013)%100), 2)
		tb.do("choose both", typing("k"), typing("x"), typing("j"), typing("x"))
		tb.follow("match", typing("m"))
		tb.sees("Matched: 1 line of the bank, 1 posting.")
	}
	tb.decidesAll("By charge", notYetPosted, "for another person’s approval.", typing("r"), typing("Adj"+kb.Tab+"Bank"+kb.Tab+"customer:bob"+kb.Tab+"Charged by the bank"+kb.Enter))
}

// finds narrows the open breaks to those with these words.
func (tb *tab) finds(words string, count int) {
	tb.Helper()
	tb.follow("search", typing("s"), typing(words+kb.Enter))
	if rows := ask[int](tb, `document.querySelectorAll("tr[data-row]").length`); rows != count {
		tb.Fatalf("%q finds %d breaks, not %d: %s", words, rows, count, tb.page())
	}
}

// decidesAll takes one decision about all open breaks with these words.
func (tb *tab) decidesAll(words string, count int, says string, steps ...step) {
	tb.Helper()
	tb.follow("search", typing("s"), typing(words+kb.Enter))
	tb.follow("select all", typing("X"))
	tb.sees(fmt.Sprintf("All %d of this filter are selected.", count))
	tb.follow("decide about "+words, steps...)
	tb.sees(says)
}

// pressesByKeys goes by the Tab key to what can be pressed, by its text as for press, and presses it.
func (tb *tab) pressesByKeys(text string) {
	tb.Helper()
	begin, begins := strings.CutSuffix(text, "…")
	for range 100 {
		if at := ask[string](tb, `document.activeElement.matches("a, button") ? document.activeElement.innerText.replace(/\s+/g, " ").trim() : ""`); at == text || begins && strings.HasPrefix(at, begin) {
			if status := tb.follow("press "+text, typing(kb.Enter)); status != 200 {
				tb.Fatalf("%s was answered %d: %s", text, status, tb.page())
			}
			return
		}
		tb.do("go on", typing(kb.Tab))
	}
	tb.Fatalf("the Tab key does not lead to %q on %s", text, tb.page())
}

// approvesByKeys approves what waits, one after the other.
func (tb *tab) approvesByKeys(count int) {
	tb.Helper()
	for range count {
		tb.open("/b/main/approvals")
		tb.pressesByKeys("Approve and post")
	}
	tb.open("/b/main/approvals")
	tb.seesNot("Waiting for approval")
}

// isAsItsPDF holds a signed statement against the file of it, as the browser of the reader loads it.
func (tb *tab) isAsItsPDF(path string) {
	tb.Helper()
	tb.open(path)
	const read = `[...document.querySelectorAll("article *")].filter(e => !e.closest(".visually-hidden")).flatMap(e => [...e.childNodes]).filter(n => n.nodeType === 3)
		.flatMap(n => n.textContent.split(/\s+/)).filter(w => w)`
	words := ask[[]string](tb, read)
	encoded := ask[string](tb, fmt.Sprintf(`fetch(%q).then(r => r.arrayBuffer()).then(b => new Uint8Array(b).toBase64())`, path+".pdf"), chromedp.EvalAwaitPromise)
	pdf, err := base64.StdEncoding.DecodeString(encoded)
	ok(tb.T, err)
	if len(words) < 10*hundreds {
		tb.Errorf("the statement has %d words", len(words))
	}
	reporttest.Agree(tb.T, words, pdf)
}

// keepsWhatWasSigned asks as a superuser for changes of what was signed off, each of which is refused.
func (p program) keepsWhatWasSigned(t *testing.T) {
	t.Helper()
	for _, change := range []string{
		`UPDATE signoffs SET reconciliation_id = 2`, `DELETE FROM signoff_breaks`, `TRUNCATE signoff_matches CASCADE`, `UPDATE signoff_adjustments SET break_id = 1`,
		`UPDATE reconciliations SET status = 'open'`, `UPDATE reconciliations SET statement_minor = 0`, `UPDATE matches SET live = false`, `DELETE FROM match_lines`,
		`UPDATE statement_lines SET amount_minor = 1`, `UPDATE break_events SET note = ''`, `UPDATE entries SET description = ''`, `UPDATE postings SET amount_minor = 1`,
		`DELETE FROM reconciliation_events`, `UPDATE statements SET file_name = 'x'`,
	} {
		for _, as := range []string{"", "SET session_replication_role = replica;"} {
			if err := p.trySQL(t, as+change); err == nil {
				t.Errorf("a superuser may %s%s", as, change)
			}
		}
	}
}
