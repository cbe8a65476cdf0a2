package story_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"daybook/templates/ui"
)

// TestAPersonChoosesHowPagesLook, and types amounts that way: the script of the page reads them as the server does.
func TestAPersonChoosesHowPagesLook(t *testing.T) {
	t.Parallel()
	browser := openBrowser(t)
	p := startDemo(t, "--empty")
	tb := openTab(t, browser, p)
	tb.signIn("preparer")
	tb.open("/settings/profile")
	tb.isSound("profile")
	tb.prefers("point-comma", "minus", "dd.mm.yyyy", "compact", "system")
	tb.sees("is shown as −1.234,56 on 31.03.2026")
	tb.isSound("profile-chosen")
	tb.followsTheSystem()
	tb.readsAsTheServer(ui.Format{Numbers: ui.CommaNumbers, Negatives: ui.MinusSign})

	tb.open("/b/main/journal/new")
	tb.fillsDeposit("by-comma")
	tb.fill("Debit, line 1", "1.234,56")
	tb.fill("Credit, line 2", "1234,56")
	if total := tb.row("Total"); !strings.Contains(total, "Balanced 1.234,56 1.234,56 EUR") {
		tb.Errorf("the totals say %q", total)
	}
	tb.press("Post entry")
	tb.sees("by-comma", "1.234,56")
	entries := p.as("viewer").get(t, "/entries?q=by-comma").want(t, 200).list(t, "items")
	if got := fmt.Sprint(entries); len(entries) != 1 || !strings.Contains(got, "amount:123456 ") {
		t.Errorf("posted %s", got)
	}
	other := openTab(t, browser, p)
	other.signIn("viewer")
	other.open("/b/main/journal")
	other.sees("1,234.56")

	tb.open("/settings/profile")
	tb.prefers("space-comma")
	tb.readsAsTheServer(ui.Format{Numbers: ui.SpaceNumbers, Negatives: ui.MinusSign})
	tb.open("/settings/profile")
	tb.prefers("apostrophe-point", "parentheses")
	tb.readsAsTheServer(ui.Format{Numbers: ui.ApostropheNumbers})
}

// prefers takes choices of the profile, and saves them.
func (tb *tab) prefers(values ...string) {
	tb.Helper()
	for _, value := range values {
		tb.do("choose "+value, chromedp.Click(chromedp.CSS(fmt.Sprintf("main input[value=%q]", value))))
	}
	tb.press("Save")
	tb.sees("Your preferences are saved.")
}

// typedAmounts are spellings that some read and some refuse.
var typedAmounts = []string{
	"1234.56", "1234,56", "1.234,56", "1,234.56", "1 234,56", "1\u202f234,56", "1'234.56", "1’234,5", "1.234", "1,234", "1.000", "1,000", "0,500", "0.500",
	"1.234.567", "1,234,567", "1.234,567", "12.34", "12,34", "12,3456", "1.23,45", ",5", ".5", "5,", "5.", ".", ",", "(12,30)", "(1.234)", "−12,30", "-1.000", "--1",
	"1 234", "1 23", "0.000", "",
}

// readsAsTheServer types amounts and holds the total that the script shows against what the server reads: one that it refuses counts for
// nothing.
func (tb *tab) readsAsTheServer(f ui.Format) {
	tb.Helper()
	tb.open("/b/main/journal/new")
	tb.fill("Account, line 1", "1010")
	spellings, err := json.Marshal(typedAmounts)
	ok(tb.T, err)
	totals := ask[[]string](tb, fmt.Sprintf(`%s.map((typed) => {
		const debit = document.getElementById("postings-0-debit");
		debit.value = typed;
		debit.dispatchEvent(new Event("input", { bubbles: true }));
		return document.querySelector("[data-sum=debit]").textContent;
	})`, spellings))
	for i, typed := range typedAmounts {
		minor, err := f.ParseAmount(typed, "EUR")
		if err != nil {
			minor = 0
		}
		if want := f.Amount(minor, "EUR"); totals[i] != want {
			tb.Errorf("%+v: the script reads %q as %s, the server as %s (%v)", f, typed, totals[i], want, err)
		}
	}
}

// followsTheSystem is light and dark as the system is, with the script of the page and, in what it draws, without.
func (tb *tab) followsTheSystem() {
	tb.Helper()
	const ground = `getComputedStyle(document.body).backgroundColor`
	colours := map[string]string{"light": "rgb(255, 255, 255)", "dark": "rgb(19, 21, 24)"}
	for _, withoutScript := range []bool{false, true} {
		_, err := chromedp.Call(tb.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: withoutScript})
		ok(tb.T, err)
		for theme, colour := range colours {
			_, err = chromedp.Call(tb.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
			ok(tb.T, err)
			tb.open("/b/main/balances")
			if got := ask[string](tb, ground); got != colour {
				tb.Errorf("on a %s system, without a script %t, the page is %s", theme, withoutScript, got)
			}
		}
	}
	_, err := chromedp.Call(tb.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{})
	ok(tb.T, err)
}
