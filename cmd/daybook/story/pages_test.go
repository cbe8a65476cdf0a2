package story_test

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// axe is axe-core 4.14.1, which finds what people with a screen reader or poor eyesight would stumble over.
//
//go:embed testdata/axe.min.js
var axe string

// TestEveryPage shows the book of the demo to everyone, light and dark, on a desk and on a phone.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	browser := openBrowser(t)
	p := startDemo(t)
	reconciliation := openTab(t, browser, p).uploadsTheSample(filepath.Join(p.samples, "nordbank-1010-2026-03.csv"))
	found := p.foundInTheDemo(t, reconciliation)
	p.pay(t)

	for person, pages := range map[string][]struct{ name, path string }{
		"viewer": {
			{"overview", "/b/main"},
			{"balances", "/b/main/balances?from=2026-03-01&as_of=2026-03-31"},
			{"balances-today", "/b/main/balances"},
			{"account", "/b/main/accounts/1010?from=2026-03-01&to=2026-03-31"}, {"account-filtered", "/b/main/accounts/1010?bank=open&subtotals=day&from=2026-03-01&to=2026-03-31"},
			{"account-signed", "/b/main/accounts/2010?amounts=signed&subtotals=month"}, {"account-quiet", "/b/main/accounts/1010?from=2030-01-01&to=2030-01-31"},
			{"accounts", "/b/main/accounts"}, {"accounts-nothing", "/b/main/accounts?q=nothing+like+it"}, {"account-new-forbidden", "/b/main/new-account"}, {"periods", "/b/main/periods"},
			{"period", "/b/main/periods/2026-03"},
			{"journal", "/b/main/journal"},
			{"journal-filtered", "/b/main/journal?account=customer:huis&from=2026-02-01&to=2026-03-31"},
			{"journal-side", "/b/main/journal?account=1010&side=credit&from=2026-03-01&to=2026-03-31"},
			{"journal-nothing", "/b/main/journal?q=nothing+like+it"}, {"journal-wrong", "/b/main/journal?account=customer&from=2026-04-01&to=2026-03-01"},
			{"entry", found.entry}, {"entry-reversed", found.reversed}, {"entry-reversal", found.reversal},
			{"entry-new-forbidden", "/b/main/journal/new"},
			{"upload-forbidden", "/b/main/statements/new"},
			{"payouts-viewer", "/b/main/payments/payouts"}, {"payout-viewer", "/b/main/payments/payouts/1"}, {"payouts-nothing", "/b/main/payments/payouts?q=nothing+like+it"},
			{"payments-viewer", "/b/main/payments"}, {"payments-nothing", "/b/main/payments?q=nothing+like+it"}, {"payments-wrong", "/b/main/payments?from=2026-04-01&to=2026-03-01"},
			{"payment-viewer", "/b/main/payments/1"}, {"payment-settings-viewer", "/b/main/payments/settings"}, {"payment-forbidden", "/b/main/payments/new"},
			{"inbox-viewer", "/b/main/inbox"}, {"inbox-nothing", "/b/main/inbox?q=nothing+like+it"},
			{"keys", "/b/main/keys"}, {"keys-nothing", "/b/main/keys?q=nothing+like+it"}, {"keys-clashes", "/b/main/keys?state=clash"},
			{"not-found", "/b/main/journal/999999"}, {"nowhere", "/nowhere"},
		},
		"preparer": {
			{"overview-preparer", "/b/main"},
			{"entry-new", "/b/main/journal/new"},
			{"reverse", found.entry + "/reverse"}, {"reverse-replace", found.entry + "/reverse?with_replacement=open"},
			{"reverse-impossible", found.reversed + "/reverse"},
			{"statements", "/b/main/statements"}, {"upload", "/b/main/statements/new"},
			{"reconciliation", reconciliation}, {"reconciliation-matched", reconciliation + "?tab=matched"},
			{"reconciliation-lines", reconciliation + "?tab=lines"}, {"reconciliation-postings", reconciliation + "?tab=postings"}, {"reconciliation-history", reconciliation + "?tab=history"},
			{"reconciliation-all", reconciliation + "?select=all&status=open"}, {"reconciliation-statement", reconciliation + "/statement"}, {"statement-undo", "/b/main/statements/3/undo"},
			{"break", found.openBreak}, {"break-resolved", found.resolvedBreak},
			{"approvals-own", "/b/main/approvals?status=mine"},
		},
		"approver": {
			{"approvals", "/b/main/approvals"}, {"approval", found.pending}, {"approvals-done", "/b/main/approvals?status=done"},
			{"audit-forbidden", "/b/main/audit"},
		},
		"auditor": {
			{"audit", "/b/main/audit"}, {"audit-refused", "/b/main/audit?outcome=refused"}, {"audit-nothing", "/b/main/audit?q=nothing+like+it"},
			{"audit-wrong", "/b/main/audit?from=2026-04-01&to=2026-03-01"},
		},
		"admin": {
			{"accounts-admin", "/b/main/accounts"}, {"account-new", "/b/main/new-account"}, {"account-settings", "/b/main/accounts/1020/settings"}, {"account-rules", "/b/main/accounts/1010/rules"},
			{"users", "/settings/users"}, {"user", "/settings/users/1"}, {"user-invite", "/settings/users/new"},
			{"tokens", "/settings/tokens"}, {"token-new", "/settings/tokens/new"}, {"books", "/settings/books"},
			{"payment-settings", "/b/main/payments/settings"}, {"payment-settings-new", "/b/main/payments/settings?currency=JPY"},
			{"keys-admin", "/b/main/keys"}, {"drill", "/b/main/keys/drill"},
		},
	} {
		t.Run(person, func(t *testing.T) {
			t.Parallel()
			tb := openTab(t, browser, p)
			tb.signIn(person)
			seen := links{byShape: map[string]int{}}
			for _, page := range pages {
				tb.open(page.path)
				seen.note(tb)
				tb.isSound(page.name)
			}
			seen.lead(t, tb)
			if person == "admin" {
				tb.runsTheDrill()
			}
			if person == "auditor" {
				tb.opensARecord()
			}
			if person == "viewer" {
				tb.opensWhatIsClosed()
			}
			if person == "preparer" {
				tb.refusesSoundly()
				tb.looksAtMoney()
				tb.open(reconciliation)
				tb.shootWindow("readme")
			}
		})
	}
	t.Run("nobody", func(t *testing.T) {
		tb := openTab(t, browser, p)
		tb.open("/b/main/balances")
		tb.isSound("login")
		tb.fill("E-mail", "preparer@demo.test")
		tb.fill("Password", "a guess")
		tb.press("Sign in")
		tb.isSound("login-refused")
	})
	t.Run("theme", func(t *testing.T) { openTab(t, browser, p).keepsItsTheme() })
}

// uploadsTheSample is the first walk that the README describes.
func (tb *tab) uploadsTheSample(file string) (reconciliation string) {
	tb.Helper()
	tb.signIn("preparer")
	tb.open("/b/main/statements/new")
	tb.fill("File of the bank", file)
	tb.fill("Account", "1010")
	tb.fill("First day", "2026-03-01")
	tb.fill("Last day", "2026-03-31")
	tb.press("Read the file")
	tb.sees("Nothing is stored before you confirm")
	tb.isSound("draft")
	tb.press("Store 80 lines")
	reconciliation, _, _ = strings.Cut(tb.path(), "?")
	if !strings.HasPrefix(reconciliation, "/b/main/reconciliations/") {
		tb.Fatalf("the upload led to %s", tb.page())
	}
	return reconciliation
}

// demoPaths are pages of the demo book whose numbers are found at run time.
type demoPaths struct{ entry, reversed, reversal, pending, openBreak, resolvedBreak string }

func (p program) foundInTheDemo(t *testing.T, reconciliation string) (found demoPaths) {
	t.Helper()
	breaks := p.as("viewer").get(t, strings.TrimPrefix(reconciliation, "/b/main")+"/breaks?status=open").want(t, 200).list(t, "items")
	if len(breaks) < 2 {
		t.Fatalf("the statement of March has %d open breaks", len(breaks))
	}
	found.openBreak, found.resolvedBreak = fmt.Sprint("/b/main/breaks/", breaks[0]["id"]), fmt.Sprint("/b/main/breaks/", breaks[1]["id"])
	p.as("preparer").post(t, fmt.Sprint("/breaks/", breaks[1]["id"], "/resolve"), `{"resolution":"external","reason_code":"BANK_ERROR","note":"Ticket 4711 at the bank"}`).want(t, 200)
	for _, approval := range p.as("viewer").get(t, "/approvals").want(t, 200).list(t, "items") {
		switch approval["status"] {
		case "approved":
			found.reversed, found.reversal = fmt.Sprint("/b/main/journal/", approval["seq"]), fmt.Sprint("/b/main/journal/", approval["reversal"])
		case "pending":
			found.pending = fmt.Sprint("/b/main/approvals?id=", approval["approval_id"])
		}
	}
	found.entry = "/b/main/journal/2"
	if found.reversed == "" || found.pending == "" {
		t.Fatal("the demo has no approved or no pending request")
	}
	return found
}

// opensWhatIsClosed opens a row of the journal, the list of keys, and the menu of a phone.
func (tb *tab) opensWhatIsClosed() {
	tb.Helper()
	tb.open("/b/main/journal")
	tb.do("open a row", chromedp.Click(chromedp.CSS("main [data-expand]")))
	tb.isSound("journal-row-open")
	tb.do("ask for the keys", chromedp.KeyEvent("?"), chromedp.WaitVisible(chromedp.CSS("#keys-help")))
	tb.isSound("keys-open")
	tb.do("close the keys", chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible(chromedp.CSS("#keys-help")))
	if tb.follow("go to the balances by keys", chromedp.KeyEvent("g"), chromedp.KeyEvent("b")); tb.path() != "/b/main/balances" {
		tb.Errorf("g and b led to %s", tb.path())
	}
	tb.resize(390, 900)
	tb.click("Menu")
	tb.do("see the menu", chromedp.WaitVisible(chromedp.CSS("#nav")))
	ask[bool](tb, axe+"; true")
	if faults := tb.stumblingBlocks("light"); len(faults) > 0 {
		tb.Errorf("the menu of a phone: axe finds\n  %s", strings.Join(faults, "\n  "))
	}
	tb.shootWindow("menu-390")
	tb.press("Approvals…")
	tb.resize(1440, 900)
	tb.sees("Of others, waiting")
}

// runsTheDrill looks at what the drill found.
func (tb *tab) runsTheDrill() {
	tb.Helper()
	tb.open("/b/main/keys/drill")
	tb.press("Run the drill")
	tb.isSound("drill-done")
}

// opensARecord looks at all that is known of a record of the audit log.
func (tb *tab) opensARecord() {
	tb.Helper()
	tb.open("/b/main/audit?action=break.resolved")
	tb.do("open a record", chromedp.Click(chromedp.CSS("main [data-expand]")))
	tb.sees("Reason code", "Request")
	tb.isSound("audit-record-open")
	tb.do("rest", chromedp.Focus(chromedp.CSS("#main")))
	if tb.follow("go to the audit log by keys", chromedp.KeyEvent("g"), chromedp.KeyEvent("d")); tb.path() != "/b/main/audit" {
		tb.Errorf("g and d led to %s", tb.path())
	}
}

// refusesSoundly sends forms that are wrong.
func (tb *tab) refusesSoundly() {
	tb.Helper()
	tb.open("/b/main/journal/new")
	tb.fill("Tx id", "wrong")
	tb.fill("Description", "An entry that does not balance")
	tb.fill("Account, line 1", "1010")
	tb.fill("Debit, line 1", "30.50")
	tb.fill("Account, line 2", "9999")
	tb.fill("Credit, line 2", "thirty")
	tb.press("Post entry")
	tb.isSound("entry-new-refused")
	file := filepath.Join(tb.TempDir(), "april.csv")
	ok(tb.T, os.WriteFile(file, []byte("Date,Description,Amount\n01/02/2026,Fee,1.00\n"), 0o600))
	tb.open("/b/main/statements/new")
	tb.fill("File of the bank", file)
	tb.fill("Account", "1010")
	tb.press("Read the file")
	tb.isSound("draft-dates")
	ok(tb.T, os.WriteFile(file, []byte("PK\x03\x04"), 0o600))
	tb.open("/b/main/statements/new")
	tb.fill("File of the bank", file)
	tb.fill("Account", "1010")
	tb.press("Read the file")
	tb.isSound("upload-refused")
}

func (tb *tab) keepsItsTheme() {
	tb.Helper()
	const theme = `document.documentElement.dataset.bsTheme`
	tb.signIn("viewer")
	before := ask[string](tb, theme)
	tb.click("Light or dark")
	tb.follow("reload", chromedp.Reload())
	if after := ask[string](tb, theme); after == before || after != "dark" {
		tb.Errorf("the theme was %s and is %s after its button and a reload", before, after)
	}
}

// isSound looks at the page from every side: nothing to stumble over, no complaint in the console, nothing beyond its edge.
func (tb *tab) isSound(name string) {
	tb.Helper()
	if complaints := tb.console.take(); len(complaints) > 0 {
		tb.Errorf("%s: the console says %q", name, complaints)
	}
	ask[bool](tb, axe+"; true")
	themes := tb.themesByWidth()
	for _, width := range []int64{1440, 390} {
		tb.resize(width, 900)
		for _, theme := range themes[width] {
			ask[string](tb, fmt.Sprintf(`document.documentElement.dataset.bsTheme = %q`, theme))
			side := fmt.Sprintf("%s-%s-%d", name, theme, width)
			if faults := tb.stumblingBlocks(theme); len(faults) > 0 {
				tb.Errorf("%s: axe finds\n  %s", side, strings.Join(faults, "\n  "))
			}
			tb.shoot(side)
		}
		if beyond := ask[int](tb, `document.documentElement.scrollWidth - window.innerWidth`); beyond > 0 {
			tb.Errorf("%s: %d pixels wide, the page is %d pixels wider than its window", name, width, beyond)
		}
	}
	tb.resize(1440, 900)
	tb.console.take()
}

// everyLook says that pages are to be looked at in both themes at both widths, and all of the gallery, as make looks does.
func everyLook() bool { return os.Getenv("DAYBOOK_STORY_ALL") != "" }

// themesByWidth are those to look at the next page in. Unless every look is asked for it is one, in turn in the light on a desk and in the dark on a phone:
// axe takes a second for each look.
func (tb *tab) themesByWidth() map[int64][]string {
	if everyLook() {
		return map[int64][]string{1440: {"light", "dark"}, 390: {"light", "dark"}}
	}
	if tb.looks++; tb.looks%2 == 1 {
		return map[int64][]string{1440: {"light"}}
	}
	return map[int64][]string{390: {"dark"}}
}

// stumblingBlocks are what axe finds. Where a page is looked at in the light too, nothing but colours differs in the dark.
func (tb *tab) stumblingBlocks(theme string) []string {
	tb.Helper()
	if theme == "dark" && everyLook() {
		return tb.axeFinds(`runOnly: ["color-contrast"]`)
	}
	return tb.axeFinds(`rules: {}`)
}

// axeFinds runs the rules of axe that the options name, over a page that axe was given to.
func (tb *tab) axeFinds(options string) []string {
	tb.Helper()
	const run = `axe.run(document, {resultTypes: ["violations"], preload: false, %s}).then(found => found.violations.flatMap(v =>
		v.nodes.map(n => v.id + " at " + n.target.join(" ") + ": " + n.failureSummary.replace(/\s+/g, " "))))`
	return ask[[]string](tb, fmt.Sprintf(run, options), chromedp.EvalAwaitPromise)
}
