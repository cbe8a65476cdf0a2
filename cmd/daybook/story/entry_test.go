package story_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestAnEntryIsTyped is the form of a new entry as a preparer uses it, with the script of the page and without.
func TestAnEntryIsTyped(t *testing.T) {
	t.Parallel()
	browser := openBrowser(t)
	p := startDemo(t, "--empty")
	t.Run("WithAScript", func(t *testing.T) {
		tb := openTab(t, browser, p)
		tb.signIn("preparer")
		tb.showsTotalsWhileTyping()
		tb.typesAnEntry(p, "typed-script", func() { tb.click("Add line") })
		tb.comesBack(p, "back-script")
	})
	t.Run("WithoutAScript", func(t *testing.T) {
		tb := openTab(t, browser, p)
		_, err := chromedp.Call(tb.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		ok(t, err)
		tb.signIn("preparer")
		tb.typesAnEntry(p, "typed-plain", func() { tb.press("Add line") })
		tb.comesBack(p, "back-plain")
	})
	p.verifies(t)
}

// TestALongWordStaysWithinItsPage, on a desk and on a phone.
func TestALongWordStaysWithinItsPage(t *testing.T) {
	t.Parallel()
	browser := openBrowser(t)
	p := startDemo(t, "--empty")
	tb := openTab(t, browser, p)
	tb.signIn("preparer")
	tb.open("/b/main/journal/new")
	tb.fillsDeposit("long-word")
	tb.paste("Description", strings.Repeat("W", 900))
	tb.press("Post entry")
	tb.sees("long-word")
	for _, width := range []int64{1440, 390} {
		tb.resize(width, 900)
		if beyond := ask[int](tb, `document.documentElement.scrollWidth - window.innerWidth`); beyond > 0 {
			tb.Errorf("%d pixels wide, the page is %d pixels wider than its window", width, beyond)
		}
	}
}

func (tb *tab) showsTotalsWhileTyping() {
	tb.Helper()
	tb.open("/b/main/journal/new")
	tb.fill("Account, line 1", "1010")
	tb.fill("Debit, line 1", "1,030.50")
	if total := tb.row("Total"); !strings.Contains(total, "differ by 1,030.50") || !strings.Contains(total, "EUR") {
		tb.Errorf("with one side typed, the totals say %q", total)
	}
	tb.fill("Account, line 2", "customer:alice")
	tb.fill("Credit, line 2", "1030.50")
	if total := tb.row("Total"); !strings.Contains(total, "Balanced") || strings.Contains(total, "differ") {
		tb.Errorf("with both sides typed, the totals say %q", total)
	}
	tb.fill("Credit, line 2", "1030.505")
	if total := tb.row("Total"); strings.Contains(total, "Balanced") {
		tb.Errorf("half a cent is balanced: %q", total)
	}
}

// typesAnEntry goes the whole way: refused, mended, posted by a double click, and come back to.
func (tb *tab) typesAnEntry(p program, txID string, addLine func()) {
	tb.Helper()
	key := tb.opensTheForm()
	tb.fill("Tx id", txID)
	tb.fill("Description", "Deposit of Alice, with a fee")
	tb.fill("Account, line 1", "1010")
	tb.fill("Debit, line 1", "30.50")
	tb.fill("Account, line 4", "customer:alice")
	tb.fill("Credit, line 4", "29.50")
	addLine()
	tb.fill("Account, line 5", "revenue:fee")
	tb.fill("Credit, line 5", "1.000,5")
	if status := tb.press("Post entry"); status != 422 {
		tb.Errorf("an amount that cannot be read was answered %d on %s", status, tb.page())
	}
	tb.keeps(map[string]string{"form": key, "tx_id": txID, "description": "Deposit of Alice, with a fee"})
	tb.keepsTyped("1010", "30.50", "customer:alice", "29.50", "revenue:fee", "1.000,5")
	tb.shoot("entry-" + txID + "-refused")

	tb.fillTyped("1.000,5", "1.00")
	if status := tb.press("Post entry"); status != 422 {
		tb.Errorf("an account that is not there was answered %d on %s", status, tb.page())
	}
	tb.sees("revenue:fee")
	tb.keepsTyped("1010", "30.50", "customer:alice", "29.50", "revenue:fee", "1.00")
	tb.fillTyped("revenue:fee", "revenue:fees")

	tb.follow("press Post entry twice", chromedp.DoubleClick(called("Post entry")))
	tb.settles("/b/main/journal/")
	seq := strings.TrimPrefix(tb.path(), "/b/main/journal/")
	tb.sees("Entry #"+seq, txID, "Deposit of Alice, with a fee", "30.50", "29.50", "1.00")
	if entries := p.as("viewer").get(tb.T, "/entries?q="+txID).want(tb.T, 200).list(tb.T, "items"); len(entries) != 1 {
		tb.Errorf("a double click has posted %d entries", len(entries))
	}
}

// opensTheForm gives its key, which the address carries, so that a reload keeps it.
func (tb *tab) opensTheForm() (key string) {
	tb.Helper()
	tb.open("/b/main/journal/new")
	key = tb.value("form")
	tb.follow("reload", chromedp.Reload())
	if again := tb.value("form"); key == "" || again != key || tb.path() != "/b/main/journal/new?form="+key {
		tb.Errorf("after a reload the key is %s and the address %s, want %s", again, tb.path(), key)
	}
	return key
}

// comesBack goes back to a form that has posted, and sends it again.
func (tb *tab) comesBack(p program, txID string) {
	tb.Helper()
	tb.opensTheForm()
	tb.fillsDeposit(txID)
	tb.press("Post entry")
	seq := strings.TrimPrefix(tb.path(), "/b/main/journal/")
	tb.follow("go back", chromedp.NavigateBack())
	tb.sees("This form was already posted as #" + seq)
	tb.shoot("entry-" + txID + "-again")
	tb.fillsDeposit(txID)
	if status := tb.press("Post as another entry"); status != 409 && status != 422 {
		tb.Errorf("posting %s again was answered %d on %s", txID, status, tb.page())
	}
	tb.sees("entry #" + seq + " already")
	if entries := p.as("viewer").get(tb.T, "/entries?q="+txID).want(tb.T, 200).list(tb.T, "items"); len(entries) != 1 {
		tb.Errorf("posting it again has made %d entries", len(entries))
	}
}

func (tb *tab) fillsDeposit(txID string) {
	tb.Helper()
	tb.fill("Tx id", txID)
	tb.fill("Description", "Deposit of Alice")
	tb.fill("Account, line 1", "1010")
	tb.fill("Debit, line 1", "30.50")
	tb.fill("Account, line 2", "customer:alice")
	tb.fill("Credit, line 2", "30.50")
}

// settles waits until the tab shows an address that begins so: a second click may have started another load.
func (tb *tab) settles(prefix string) {
	tb.Helper()
	tb.do("arrive at "+prefix, chromedp.WaitReady(chromedp.CSS(`footer.foot`)))
	if !strings.HasPrefix(tb.path(), prefix) {
		tb.Fatalf("not at %s but on %s", prefix, tb.page())
	}
}

func (tb *tab) keeps(fields map[string]string) {
	tb.Helper()
	for name, want := range fields {
		if got := tb.value(name); got != want {
			tb.Errorf("field %s holds %q, want %q", name, got, want)
		}
	}
}

// keepsTyped asks that the lines hold these texts and no other.
func (tb *tab) keepsTyped(want ...string) {
	tb.Helper()
	const typed = `[...document.querySelectorAll("main [data-line] input")].map(i => i.value).filter(v => v !== "")`
	if got := ask[[]string](tb, typed); fmt.Sprint(got) != fmt.Sprint(want) {
		tb.Errorf("the lines hold %q, want %q", got, want)
	}
}

// fillTyped types over a text in one of the lines.
func (tb *tab) fillTyped(old, value string) {
	tb.Helper()
	const find = `(old => ([...document.querySelectorAll("main [data-line] input")].find(i => i.value === old) || {}).id || "")`
	id := ask[string](tb, fmt.Sprintf("%s(%q)", find, old))
	if id == "" {
		tb.Fatalf("no line holds %q on %s", old, tb.page())
	}
	tb.set(id, value)
}
