package story_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Two months of a bank whose header says nothing. The first leaves open how its dates are written, the second everything.
const (
	unknownMarch = "Huhr;Zzam;Qwer;Blub\n02/03/2026;1.588,20;Payport payout;PP-1\n03/03/2026;-47,15;Bank charges;BC-1\n04/03/2026;-1.250,00;Rent;R-3\n"
	unknownApril = "Huhr;Zzam;Qwer;Blub\n07/04/2026;12,00;Payport payout;PP-2\n"
)

// TestTheFileOfAnUnknownBankIsMapped maps a file in a browser, with a script and without, and then uploads the next month's.
func TestTheFileOfAnUnknownBankIsMapped(t *testing.T) {
	t.Parallel()
	browser := openBrowser(t)
	for name, scripted := range map[string]bool{"with a script": true, "without a script": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startDemo(t, "--empty")
			tb := openTab(t, browser, p)
			tb.signIn("preparer")
			if !scripted {
				_, err := chromedp.Call(tb.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
				ok(t, err)
			}
			tb.readsAFile("march.csv", unknownMarch)
			tb.sees("How are the dates of this file written?", "The file as it stands", "Huhr")
			if scripted {
				tb.isSound("draft-asked")
			}
			tb.press("02/03/2026 is 2 March 2026")
			tb.chooses("Text", "#4", scripted)
			tb.chooses("Reference", "#3", scripted)
			tb.sees("3 new = 3 rows in the file", "Payport payout", "PP-1")
			if scripted {
				tb.isSound("draft-mapped")
			}
			tb.fill("Name of the profile", "House bank")
			tb.press("Store 3 lines")
			tb.sees("3 lines stored.")

			tb.readsAFile("april.csv", unknownApril)
			tb.seesNot("How are the dates of this file written?")
			tb.sees("Chosen by the header row", "1 new = 1 row in the file")
			tb.press("Store 1 line")
			tb.sees("1 line stored.")
			if complaints := tb.console.take(); len(complaints) > 0 {
				t.Errorf("the console says %q", complaints)
			}
		})
	}
}

// readsAFile uploads a file for account 1010 as far as its draft.
func (tb *tab) readsAFile(name, content string) {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), name)
	ok(tb.T, os.WriteFile(file, []byte(content), 0o600))
	tb.readsFile(file)
}

func (tb *tab) readsFile(file string) {
	tb.Helper()
	tb.open("/b/main/statements/new")
	tb.fill("File of the bank", file)
	tb.fill("Account", "1010")
	tb.press("Read the file")
	if !strings.HasPrefix(tb.path(), "/b/main/statements/drafts/") {
		tb.Fatalf("the file led to %s", tb.page())
	}
}

// chooses picks from a control that is read at once; without a script the button beside it is pressed.
func (tb *tab) chooses(label, value string, scripted bool) {
	tb.Helper()
	if !scripted {
		tb.fill(label, value)
		tb.press("Read again")
		return
	}
	const choose = `((label, value) => {
		const found = [...document.querySelectorAll("main label")].find(l => l.textContent.trim() === label);
		const control = document.getElementById(found.htmlFor);
		control.value = value;
		control.dispatchEvent(new Event("change", { bubbles: true }));
	})`
	tb.follow("choose "+label, func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Evaluate[chromedp.Void](fmt.Sprintf("%s(%q, %q)", choose, label, value))(ctx, target)
		return chromedp.Void{}, err
	})
	if at := ask[string](tb, `document.activeElement.labels?.[0]?.textContent || ""`); at != label {
		tb.Errorf("after %s was chosen the focus is on %q", label, at)
	}
}
