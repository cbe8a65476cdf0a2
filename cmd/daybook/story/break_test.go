package story_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestABreakIsWorkedInABrowser goes through a break as who closes the month does: by the keyboard, with sums that follow what is typed and chosen.
func TestABreakIsWorkedInABrowser(t *testing.T) {
	t.Parallel()
	browser, p := openBrowser(t), startDemo(t, "--empty")
	for tx, minor := range map[string]int64{"w1": 1000, "w2": 2000} {
		p.as("preparer").key(tx).post(t, "/entries", deposit(tx, minor)).want(t, 201)
	}
	uploaded := p.as("preparer").upload(t, "Date,Reference,Description,Amount\n2026-03-20,x,Deposit,30.00\n2026-03-21,i,Interest 01,3.00\n2026-03-22,j,Interest 02,3.00\n",
		"account=1010", "period_from=2026-03-01", "period_to=2026-03-31").want(t, 201)
	breakOf := map[string]string{}
	for _, item := range p.as("viewer").get(t, fmt.Sprint("/reconciliations/", uploaded["reconciliation_id"], "/breaks?type=missing_in_ledger")).want(t, 200).list(t, "items") {
		breakOf[item.list(t, "bank")[0].text("reference")] = fmt.Sprint("/b/main/breaks/", item["id"])
	}
	tb := openTab(t, browser, p)
	tb.signIn("preparer")
	tb.open(breakOf["x"])
	tb.saysAndTakes()
	tb.addsUpWhatIsChosen(breakOf["x"])
	tb.open(breakOf["i"])
	tb.postsAnEntryForBoth()
	tb.open(breakOf["x"])
	tb.isSound("break-candidates")
	tb.follow("match by its key", chromedp.KeyEvent("m"))
	tb.sees("The break is matched.", "No other break is open: back to the reconciliation")
	tb.isSound("break-matched")
	p.verifies(t)
}

// saysAndTakes uses the keys of a comment and of the owner.
func (tb *tab) saysAndTakes() {
	tb.Helper()
	tb.do("go to the comment", chromedp.KeyEvent("c"))
	if at := ask[string](tb, `document.activeElement.id`); at != "comment" {
		tb.Errorf("c leads to %q", at)
	}
	tb.fill("Comment", "The list says one deposit")
	tb.follow("send it", chromedp.KeyEvent("\r"))
	tb.sees("The comment is added.", "“The list says one deposit”")
	tb.follow("take it", chromedp.KeyEvent("a"))
	tb.sees("The break is yours.", "In review")
}

func (tb *tab) addsUpWhatIsChosen(address string) {
	tb.Helper()
	tb.open(address + "?search=1")
	tb.sees("Chosen: ledger 0.00 − bank 30.00 = (30.00) EUR")
	tb.seesNot("Adds up")
	for _, tx := range []string{"w1", "w2"} {
		tb.do("choose "+tx, chromedp.Click(fmt.Sprintf(`//main//form[@data-sums]//tr[contains(., %q)]//input[@type="checkbox"]`, tx)))
	}
	tb.sees("Chosen: ledger 30.00 − bank 30.00 = 0.00 EUR", "Adds up")
	tb.isSound("break-search")
}

// postsAnEntryForBoth settles two breaks that are alike, and goes on with the Enter key.
func (tb *tab) postsAnEntryForBoth() {
	tb.Helper()
	tb.seesNot("Entry to post")
	tb.click("Post an adjusting entry…")
	tb.sees("Entry to post", "It waits for another person")
	if total := tb.row("Total"); !strings.Contains(total, "differ by 3.00") {
		tb.Errorf("without another account the totals say %q", total)
	}
	tb.fill("Account, line 2", "revenue:fees")
	if total := tb.row("Total"); !strings.Contains(total, "Balanced") {
		tb.Errorf("with another account the totals say %q", total)
	}
	tb.fill("Reason code", "BANK_INTEREST")
	tb.press("Preview")
	tb.sees("As it would be posted", "Resolve asks another person to approve it.")
	tb.isSound("break-previewed")
	tb.do("choose the other one", chromedp.Click(`//input[@name="also"]`))
	tb.press("Resolve")
	tb.sees("2 of 2 breaks are decided.", "Waits for another person")
	tb.follow("go on", chromedp.KeyEvent("\r"))
	if !strings.HasPrefix(tb.path(), "/b/main/breaks/") || strings.Contains(tb.page(), "Waits for another person") {
		tb.Errorf("Enter led to %s", tb.page())
	}
}
