package story_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/templates/gallery"
)

// TestEveryScreenOfTheGallery shows what the pages of a demo cannot all come to show: every state of every screen, in turn on a
// desk in the light and on a phone in the dark, when every look is asked for. TestEveryPage looks at what is real.
func TestEveryScreenOfTheGallery(t *testing.T) {
	t.Parallel()
	if !everyLook() {
		t.Skip("make looks does it")
	}
	browser, p := openBrowser(t), startDemo(t, "--empty", "--dev")
	for turn, look := range []struct {
		theme string
		width int64
	}{{"light", 1440}, {"dark", 390}} {
		t.Run(look.theme, func(t *testing.T) {
			t.Parallel()
			tb := openTab(t, browser, p)
			tb.resize(look.width, 900)
			if status := tb.open(gallery.Path); status != 200 {
				t.Fatalf("the gallery answered %d", status)
			}
			for i, screen := range gallery.Screens() {
				if i%2 == turn {
					tb.open(screen.Address() + "?theme=" + look.theme)
					tb.fits(fmt.Sprintf("gallery-%s-%s-%d", screen.Name, look.theme, look.width))
				}
			}
		})
	}
}

// fits finds nothing to stumble over, no complaint in the console and nothing beyond the edge of the page.
func (tb *tab) fits(name string) {
	tb.Helper()
	if complaints := tb.console.take(); len(complaints) > 0 {
		tb.Errorf("%s: the console says %q", name, complaints)
	}
	ask[bool](tb, axe+"; true")
	if faults := tb.stumblingBlocks("light"); len(faults) > 0 { // all of them, whatever the theme
		tb.Errorf("%s: axe finds\n  %s", name, strings.Join(faults, "\n  "))
	}
	if beyond := ask[int](tb, `document.documentElement.scrollWidth - window.innerWidth`); beyond > 0 {
		tb.Errorf("%s: the page is %d pixels wider than its window", name, beyond)
	}
	tb.shoot(name)
	tb.console.take()
}
