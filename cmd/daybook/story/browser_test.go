package story_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// openBrowser starts a Chromium with an empty profile. Where none is installed the story is left out, but not in CI.
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.DisableGPU,
		chromedp.Flag("in-process-gpu", true), chromedp.Flag("disable-software-rasterizer", true), // half the work of drawing
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("font-render-hinting", "none"))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox refuses root
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(t.Logf))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	return ctx
}

// chromium is the browser of the stories. The one without a window needs half the time of the others.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const missing = "there is no Chromium on the PATH: install it (Debian: apt-get install chromium-headless-shell) to run the stories of the pages"
	if os.Getenv("CI") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// openTab opens a window with cookies of its own, as wide as a desktop.
func openTab(t *testing.T, browser context.Context, p program) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	tb := &tab{T: t, ctx: ctx, site: p.url, console: &console{}}
	ok(t, chromedp.Listen(ctx, tb.console.hear))
	tb.resize(1440, 900)
	// Colours that are still on their way to the other theme are nobody's to judge.
	calm := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}}
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, calm)
	ok(t, err)
	return tb
}

// console is what pages complained about: errors of scripts, refusals of the content policy, files that are missing.
type console struct {
	mu    sync.Mutex
	lines []string
}

func (c *console) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		c.add("exception: " + e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			c.add(fmt.Sprintf("console.%s", e.Type))
		}
	case *cdplog.EventEntryAdded:
		// That a page was answered 404 or 422 is noted by the browser too; it is the story's to judge.
		ofPage := e.Entry.Source == cdplog.EntrySourceNetwork && isPage(e.Entry.URL)
		if !ofPage && (e.Entry.Level == cdplog.EntryLevelError || e.Entry.Level == cdplog.EntryLevelWarning) {
			c.add(fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	}
}

func isPage(address string) bool {
	parsed, err := url.Parse(address)
	return err == nil && !strings.HasPrefix(parsed.Path, "/static/")
}

func (c *console) add(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, line)
}

// take gives the complaints since it was last asked.
func (c *console) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := c.lines
	c.lines = nil
	return lines
}
