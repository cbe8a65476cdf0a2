package story_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// workedEntries and workedLines differ in a dozen breaks of several types.
var workedEntries = []struct {
	tx, day string
	minor   int64
}{
	{"same", "2026-03-02", 11100}, {"fee", "2026-03-02", 2500}, {"typo", "2026-03-03", 128450}, {"half-1", "2026-03-04", 1000}, {"half-2", "2026-03-05", 2000},
	{"other-name", "2026-03-12", 555}, {"late-1", "2026-03-15", 701}, {"late-2", "2026-03-16", 809}, {"place-1", "2026-03-19", 18000}, {"place-2", "2026-03-21", 18000},
}

const workedLines = "Date,Amount,Reference,Description\n" +
	"2026-03-02,111.00,same,Agreed\n2026-03-02,24.50,fee,Less a fee\n2026-03-03,1248.50,typo,Digits swapped\n2026-03-09,30.00,x1,Both halves\n" +
	"2026-03-12,5.55,x2,Under another name\n2026-03-20,180.00,,WORKSHOP PLACE\n2026-03-27,-3.80,chg,Account charges\n2026-03-28,4.12,int,Credit interest\n"

// TestBreaksAreWorkedByKeysAlone works breaks of several types to 0.00 without touching the mouse: the next row is gone on with by itself, and
// the focus is never lost.
func TestBreaksAreWorkedByKeysAlone(t *testing.T) {
	t.Parallel()
	browser, p := openBrowser(t), startDemo(t, "--empty")
	for _, e := range workedEntries {
		body := fmt.Sprintf(`{"tx_id":%q,"effective_on":%q,"description":"Entry %s","postings":[%s,%s],"metadata":{}}`, e.tx, e.day, e.tx, posting("1010", e.minor), posting("customer:bob", -e.minor))
		p.as("preparer").key("worked-"+e.tx).post(t, "/entries", body).want(t, 201)
	}
	uploaded := p.as("preparer").upload(t, workedLines, "account=1010", "period_from=2026-03-01", "period_to=2026-03-31").want(t, 201)
	tb := openTab(t, browser, p)
	tb.signIn("preparer")
	tb.open(fmt.Sprint("/b/main/reconciliations/", uploaded["reconciliation_id"]))
	tb.sees("Not proven", "Several candidates")

	tb.seeksBy("j", "Digits swapped")
	tb.opensAPanelAndLeavesIt()
	tb.does("resolve as external", "B-", typing("r"), typing("Bank"), typing(kb.Tab), bankError, typing(kb.Tab), typing("Ticket 4711"), typing(kb.Enter))
	tb.sees("resolved: Bank to correct.")
	tb.undoes("Digits swapped")
	tb.does("resolve again", "B-", typing("r"), typing("Bank"), typing(kb.Tab), bankError, typing(kb.Enter))

	tb.follow("search", typing("s"), typing("24.50"), typing(kb.Enter))
	if row := tb.focused(); !strings.Contains(row, "Less a fee") {
		t.Errorf("what was searched for is not gone on with, but %q", row)
	}
	tb.follow("look at all again", chromedp.NavigateBack())

	tb.seeksBy("j", "Less a fee")
	tb.does("write off", "resolved: Written off.", typing("r"), typing("Writ"), typing(kb.Tab), typing("Bank"), typing(kb.Tab), typing("revenue:fees"), typing(kb.Tab), typing("As announced"), typing(kb.Enter))
	for _, words := range []string{"Account charges", "Credit interest"} {
		tb.seeksBy("j", words)
		tb.does("leave it to the bank", "resolved: Bank to correct.", typing("r"), typing("Bank"), typing(kb.Tab), bankError, typing(kb.Enter))
	}
	tb.matches("Entry half-1", "Entry half-2", "Both halves")
	tb.matches("Entry other-name", "Under another name")
	tb.seeksBy("j", "WORKSHOP PLACE")
	tb.does("match one of the candidates", "Matched: 1 line of the bank, 1 posting.", typing("1"), typing("2"), typing("m"))
	for _, words := range []string{"Entry late-1", "Entry late-2", "Entry place-2"} {
		tb.seeksBy("j", words)
		tb.does("carry forward", "resolved: Carried forward.", typing("f"))
	}
	tb.sees("Proven", "Nothing is unexplained.")
	if left := ask[string](tb, `document.querySelector(".proof .end .money").textContent`); left != "0.00" {
		t.Errorf("unexplained are %s", left)
	}
	if complaints := tb.console.take(); len(complaints) > 0 {
		t.Errorf("the console says %q", complaints)
	}
	tb.isSound("reconciliation-worked")
}

// bankError is chosen from the reasons: the first that begins with Bank, and the second below.
var bankError = typing("Bank" + kb.ArrowDown + kb.ArrowDown)

// typing is what a person types, key by key. As on a keyboard, a key that a script takes for itself writes nothing: chromedp.KeyEvent would
// have it write into whatever the script moved the focus to.
func typing(keys string) step {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, r := range keys {
			events := kb.Encode(r)
			if len(events) == 3 { // down, what it writes, up
				events[0].Text, events[0].UnmodifiedText = events[1].Text, events[1].UnmodifiedText
				events = slices.Delete(events, 1, 2)
			}
			for _, event := range events {
				if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *event); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// focused is the row that has the focus, in words; "" where it is on no row.
func (tb *tab) focused() string {
	tb.Helper()
	return ask[string](tb, `document.activeElement.matches("tr[data-row]") ? document.activeElement.innerText.replace(/\s+/g, " ") : ""`)
}

// seeksBy goes from row to row by a key until it is at the row with these words; back from the end.
func (tb *tab) seeksBy(key, words string) {
	tb.Helper()
	for _, key := range append(strings.Split(strings.Repeat("k", 40), ""), strings.Split(strings.Repeat(key, 40), "")...) {
		if strings.Contains(tb.focused(), words) {
			return
		}
		tb.do("go on", typing(key))
	}
	tb.Fatalf("no row says %q on %s", words, tb.page())
}

// nextRow is the row that is to be gone on with once those that are chosen, or the one that has the focus, are done.
func (tb *tab) nextRow() string {
	tb.Helper()
	const find = `(() => {
		const rows = [...document.querySelectorAll("tr[data-row]")];
		const here = rows.filter(row => row.querySelector(":checked") || row === document.activeElement);
		const left = rows.filter(row => !here.includes(row));
		const last = rows.indexOf(here.at(-1));
		return (left.find(row => rows.indexOf(row) > last) || left.filter(row => rows.indexOf(row) < last).at(-1))?.id || "";
	})()`
	return ask[string](tb, find)
}

// does acts by keys, and asks that the work goes on at the next row by itself.
func (tb *tab) does(what, says string, steps ...step) {
	tb.Helper()
	next := tb.nextRow()
	if status := tb.follow(what, steps...); status != 200 {
		tb.Fatalf("%s was answered %d: %s", what, status, tb.page())
	}
	tb.sees(says)
	if here := ask[string](tb, `document.activeElement.id`); here != next {
		tb.Errorf("after %q the focus is at %q, not at %q", what, here, next)
	}
}

// matches chooses rows and matches them.
func (tb *tab) matches(rows ...string) {
	tb.Helper()
	for _, words := range rows {
		tb.seeksBy("j", words)
		tb.do("choose "+words, typing("x"))
	}
	tb.sees(fmt.Sprint(len(rows), " selected"), "Adds up: can be matched")
	tb.does("match", "Matched:", typing("m"))
}

// opensAPanelAndLeavesIt comes back to the row it came from, and is told why it cannot match.
func (tb *tab) opensAPanelAndLeavesIt() {
	tb.Helper()
	row := tb.focused()
	tb.do("open the panel", typing("r"))
	if at := ask[string](tb, `document.activeElement.name`); at != "resolution" {
		tb.Errorf("the panel begins at %q", at)
	}
	tb.do("leave it", typing(kb.Escape))
	if back := tb.focused(); back != row {
		tb.Errorf("out of the panel one is at %q, not at %q", back, row)
	}
	tb.do("match one side", typing("m"))
	if told := ask[string](tb, `document.getElementById("live").textContent`); !strings.HasPrefix(told, "Differs by") || tb.focused() != row {
		tb.Errorf("one side alone is told %q, at %q", told, tb.focused())
	}
}

// undoes takes back what was done just before, and is at its row again.
func (tb *tab) undoes(words string) {
	tb.Helper()
	tb.follow("undo", typing("u"))
	tb.sees("Undone: ")
	if row := tb.focused(); !strings.Contains(row, words) {
		tb.Errorf("after the undoing one is at %q", row)
	}
}
