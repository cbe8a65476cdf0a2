package story_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAStatementIsWorkedOff is the main job, in a browser: a preparer uploads a statement, explains one difference and
// asks to correct another; only the approver makes it so.
func TestAStatementIsWorkedOff(t *testing.T) {
	t.Parallel()
	browser := openBrowser(t)
	p := startDemo(t, "--empty")
	p.postExample(t, "1010")
	file := filepath.Join(t.TempDir(), "march.csv")
	ok(t, os.WriteFile(file, []byte(bankExample), 0o600))

	preparer := openTab(t, browser, p)
	preparer.signIn("preparer")
	reconciliation := preparer.uploadsTheExample(file)
	preparer.resolvesWhatTheBankMustCorrect(reconciliation)
	preparer.asksForAReversal(reconciliation)
	preparer.signsOut()

	approver := openTab(t, browser, p)
	approver.signIn("approver")
	approver.approves()
	approver.seesTheRightBalances()
	for _, tb := range []*tab{preparer, approver} {
		if complaints := tb.console.take(); len(complaints) > 0 {
			t.Errorf("the console says %q", complaints)
		}
	}
	if said := p.verifies(t); !strings.Contains(said, "6 entries") {
		t.Errorf("verify said %s", said)
	}
}

func (tb *tab) uploadsTheExample(file string) (reconciliation string) {
	tb.Helper()
	tb.press("Upload…")
	tb.fill("File of the bank", file)
	tb.fill("Account", "1010")
	tb.shoot("story-1-upload")
	tb.press("Read the file")
	tb.shoot("story-1-draft")
	tb.press("Store 4 lines")
	reconciliation, _, _ = strings.Cut(tb.path(), "?")
	if !strings.HasPrefix(reconciliation, "/b/main/reconciliations/") {
		tb.Fatalf("the upload led to %s\n%s", reconciliation, tb.page())
	}
	tb.sees("Ledger, 4 postings: 42.90", "bank, 4 lines: 38.40", "difference: 4.50")
	for kind, difference := range map[string]string{"Amount differs": "0.50", "Missing in bank": "7.00", "Missing in ledger": "(3.00)"} {
		if row := tb.row(kind); !strings.HasSuffix(row, difference) || !strings.Contains(row, "1") {
			tb.Errorf("the group %s is %q, want one of %s", kind, row, difference)
		}
	}
	tb.shoot("story-2-breaks")
	return reconciliation
}

func (tb *tab) resolvesWhatTheBankMustCorrect(reconciliation string) {
	tb.Helper()
	tb.opensBreakOf(reconciliation, "t4")
	tb.sees("Missing in ledger", "t4", "3.00")
	tb.click("Bank to correct…")
	tb.fill("Reason code", "BANK_ERROR")
	tb.fill("Note", "Booked to the wrong customer by the bank")
	tb.shoot("story-3-resolve")
	tb.press("Resolve")
	tb.sees("Resolved", "Bank to correct", "Booked to the wrong customer by the bank")
	tb.open(reconciliation)
	if row := tb.row("t4"); !strings.Contains(row, "Bank to correct") {
		tb.Errorf("after resolving, the break is shown as %q", row)
	}
}

func (tb *tab) opensBreakOf(reconciliation, reference string) {
	tb.Helper()
	tb.open(reconciliation)
	link := `//main//tr[contains(., "` + reference + `")]//a[@data-open]`
	tb.follow("open the break of "+reference, chromedp.Click(link))
}

func (tb *tab) asksForAReversal(reconciliation string) {
	tb.Helper()
	tb.opensBreakOf(reconciliation, "t2")
	tb.sees("Amount differs", "25.00", "24.50")
	tb.press("Reverse and replace entry…")
	tb.fill("Debit, line 1", "24.50")
	tb.fill("Credit, line 2", "24.50")
	tb.fill("Reason", "The bank received 24.50")
	tb.shoot("story-4-reverse")
	tb.press("Send for approval")
	tb.sees("You requested this; another person must approve.", "The bank received 24.50", "t2-rev", "t2-fix")
	tb.seesNot("Approve and post")
	tb.shoot("story-5-own-request")

	// Who knows the address of the other form cannot use it either.
	approve := `document.getElementById("form").action = document.getElementById("form").action.replace("/recall", "/approve")`
	ask[string](tb, approve)
	if status := tb.press("Recall the request"); status != 403 {
		tb.Errorf("approving one's own request was answered %d:\n%s", status, tb.page())
	}
	tb.shoot("story-6-own-request-refused")
	tb.open("/b/main/balances")
	if row := tb.row("1010"); !strings.Contains(row, "42.90") {
		tb.Errorf("before the approval the bank stands at %q", row)
	}
}

func (tb *tab) signsOut() {
	tb.Helper()
	tb.do("open the menu", chromedp.Click(chromedp.CSS("summary.who")))
	tb.press("Sign out")
	tb.sees("Sign in")
	tb.open("/b/main/balances")
	tb.sees("Sign in")
	tb.seesNot("1010")
}

func (tb *tab) approves() {
	tb.Helper()
	tb.press("Approvals…")
	tb.press("Reverse and replace #…")
	tb.sees("t2-rev", "t2-fix", "The bank received 24.50")
	tb.fill("Note", "Seen on the statement")
	tb.shoot("story-7-approve")
	tb.press("Approve and post")
	tb.sees("Approved", "Seen on the statement")
	tb.shoot("story-8-approved")
}

func (tb *tab) seesTheRightBalances() {
	tb.Helper()
	tb.press("Balances")
	for code, balance := range map[string]string{"1010": " 42.40", "customer:bob": " 42.40"} {
		if row := tb.row(code); !strings.HasSuffix(row, balance) {
			tb.Errorf("the balance of %s is %q, want %s", code, row, balance)
		}
	}
	tb.shoot("story-9-balances")
}
