package story_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// stepLimit bounds a step on the slowest of machines, busy with all the other tests; nothing takes that long unless it is broken.
const stepLimit = 2 * time.Minute

// tab is what one person sees. It fails its test at the first step that cannot be done as told.
type tab struct {
	*testing.T
	ctx     context.Context
	site    string
	console *console
	looks   int // at pages, so far
}

type step = chromedp.Action[chromedp.Void]

// do performs steps that stay on the page.
func (tb *tab) do(what string, steps ...step) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, stepLimit)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		tb.Fatalf("%s: %v\non %s", what, err, tb.page())
	}
}

// follow performs steps that lead to another page, and gives the status that was answered.
func (tb *tab) follow(what string, steps ...step) (status int) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, stepLimit)
	defer cancel()
	response, err := chromedp.RunResponse(ctx, steps...)
	if err != nil {
		tb.Fatalf("%s: %v\non %s", what, err, tb.page())
	}
	if response == nil {
		return 0
	}
	return int(response.Status)
}

// ask evaluates a script on the page, which the page's own content policy does not forbid.
func ask[T any](tb *tab, script string, options ...chromedp.EvaluateOption) T {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, stepLimit)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, options...))
	if err != nil {
		tb.Fatalf("ask %s: %v", script, err)
	}
	return value
}

// open goes to an address of the site, as typed into the address bar.
func (tb *tab) open(path string) (status int) {
	tb.Helper()
	return tb.follow("open "+path, chromedp.Navigate(tb.site+path))
}

// press presses the button or link with this text, which leads to another page.
func (tb *tab) press(text string) (status int) {
	tb.Helper()
	return tb.follow("press "+text, chromedp.Click(called(text)))
}

// click presses something that stays on the page.
func (tb *tab) click(text string) {
	tb.Helper()
	tb.do("click "+text, chromedp.Click(called(text)))
}

// called finds what can be pressed by its text, whole or, when it ends in …, by its beginning.
func called(text string) string {
	is := fmt.Sprintf("normalize-space(.)=%q or @aria-label=%q", text, text)
	if begin, found := strings.CutSuffix(text, "…"); found {
		is = fmt.Sprintf("starts-with(normalize-space(.), %q)", begin)
	}
	return "//*[self::a or self::button or self::summary or self::label][" + is + "]"
}

// fill types into the field with this label, or chooses from it.
func (tb *tab) fill(label, value string) {
	tb.Helper()
	id, kind := tb.field(label)
	control, what := chromedp.CSS(fmt.Sprintf("[id=%q]", id)), "fill "+label
	switch kind {
	case "file":
		tb.do(what, chromedp.SetUploadFiles(control, []string{value}))
	case "select", "date":
		tb.set(id, value)
	default:
		tb.set(id, "")
		tb.do(what, chromedp.SendKeys(control, value))
	}
}

// paste puts a long text into a field at once, as from the clipboard.
func (tb *tab) paste(label, text string) {
	tb.Helper()
	id, _ := tb.field(label)
	tb.do("go to "+label, chromedp.Focus(chromedp.CSS(fmt.Sprintf("[id=%q]", id))))
	_, err := chromedp.Call(tb.ctx, input.InsertText, input.InsertTextParams{Text: text})
	ok(tb.T, err)
}

// field finds a control of the page by its label, and tells its kind.
func (tb *tab) field(label string) (id, kind string) {
	tb.Helper()
	const find = `(label => {
		const plain = text => text.replace("(required)", "").replace(/\s+/g, " ").trim();
		const found = [...document.querySelectorAll("main label")].find(l => plain(l.textContent) === label);
		const control = found && document.getElementById(found.htmlFor);
		return control ? [control.id, control.matches("select") ? "select" : control.type] : [];
	})`
	field := ask[[]string](tb, fmt.Sprintf("%s(%q)", find, label))
	if len(field) != 2 {
		tb.Fatalf("there is no field %q on %s", label, tb.page())
	}
	return field[0], field[1]
}

// set gives a control its value at once, and tells the page as if it had been chosen.
func (tb *tab) set(id, value string) {
	tb.Helper()
	const set = `((id, value) => {
		const control = document.getElementById(id);
		control.value = value;
		for (const event of ["input", "change"]) control.dispatchEvent(new Event(event, { bubbles: true }));
		return control.value;
	})`
	if got := ask[string](tb, fmt.Sprintf("%s(%q, %q)", set, id, value)); got != value {
		tb.Fatalf("%s took %q as %q on %s", id, value, got, tb.page())
	}
}

// value gives what stands in the field of the page with this name.
func (tb *tab) value(name string) string {
	tb.Helper()
	return ask[string](tb, fmt.Sprintf(`document.querySelector('main [name=%q]').value`, name))
}

// sees asks for texts that a person can read on the page.
func (tb *tab) sees(texts ...string) {
	tb.Helper()
	for _, text := range texts {
		if page := tb.page(); !strings.Contains(page, text) {
			tb.Errorf("not to be seen: %q on %s", text, page)
		}
	}
}

func (tb *tab) seesNot(texts ...string) {
	tb.Helper()
	for _, text := range texts {
		if page := tb.page(); strings.Contains(page, text) {
			tb.Errorf("to be seen: %q on %s", text, page)
		}
	}
}

// row gives the text of the first row of a table that has these words.
func (tb *tab) row(words string) string {
	tb.Helper()
	const find = `(words => [...document.querySelectorAll("main tr")].map(r => r.innerText.replace(/\s+/g, " ").trim()).find(r => r.includes(words)) || "")`
	return ask[string](tb, fmt.Sprintf("%s(%q)", find, words))
}

// page is the path of the page, and all that can be read on it with single spaces.
func (tb *tab) page() string {
	ctx, cancel := context.WithTimeout(tb.ctx, stepLimit)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body.innerText`))
	if err != nil {
		return err.Error()
	}
	return tb.path() + ": " + strings.Join(strings.Fields(text), " ")
}

// path is where the tab is, without the host.
func (tb *tab) path() string {
	ctx, cancel := context.WithTimeout(tb.ctx, stepLimit)
	defer cancel()
	location, err := chromedp.Run(ctx, chromedp.Location())
	if err != nil {
		return err.Error()
	}
	return strings.TrimPrefix(location, tb.site)
}

// signIn signs a person of the demo in.
func (tb *tab) signIn(person string) {
	tb.Helper()
	tb.open("/login")
	tb.fill("E-mail", person+"@demo.test")
	tb.fill("Password", "daybook-demo")
	if status := tb.press("Sign in"); status != 200 || strings.HasPrefix(tb.path(), "/login") {
		tb.Fatalf("%s cannot sign in: %d on %s", person, status, tb.page())
	}
}

func (tb *tab) resize(width, height int64) {
	tb.Helper()
	tb.do("resize", chromedp.EmulateViewport(width, height))
}

// shoot takes a picture of the whole page when pictures are wanted.
func (tb *tab) shoot(name string) { tb.Helper(); tb.take(name, chromedp.FullScreenshot(100)) }

// shootWindow takes a picture of what the window shows.
func (tb *tab) shootWindow(name string) { tb.Helper(); tb.take(name, chromedp.CaptureScreenshot()) }

func (tb *tab) take(name string, picture chromedp.Action[[]byte]) {
	tb.Helper()
	folder := os.Getenv("DAYBOOK_STORY_SHOTS")
	if folder == "" {
		return
	}
	ctx, cancel := context.WithTimeout(tb.ctx, stepLimit)
	defer cancel()
	png, err := chromedp.Run(ctx, picture)
	ok(tb.T, err)
	ok(tb.T, os.MkdirAll(folder, 0o755))
	ok(tb.T, os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644))
}
