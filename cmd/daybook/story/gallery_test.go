package story_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/templates/gallery"
)

// TestEveryScreenOfTheGallery shows what the pages of a demo cannot all come to show: every state of every screen, on a desk
// in the light and on a phone in the dark. TestEveryPage looks at what is real from every side.
func TestEveryScreenOfTheGallery(t *testing.T) {
	t.Parallel()
	browser, p := openBrowser(t), startDemo(t, "--empty", "--dev")
	for theme, width := range map[string]int64{"light": 1440, "dark": 390} {
		t.Run(theme, func(t *testing.T) {
			t.Parallel()
			tb := openTab(t, browser, p)
			tb.resize(width, 900)
			if status := tb.open(gallery.Path); status != 200 {
				t.Fatalf("the gallery answered %d", status)
			}
			for _, screen := range gallery.Screens() {
				tb.open(screen.Address() + "?theme=" + theme)
				tb.fits("gallery-"+screen.Name, theme, width)
			}
		})
	}
}

// fits finds nothing to stumble over, no complaint in the console and nothing beyond the edge of the page.
func (tb *tab) fits(name, theme string, width int64) {
	tb.Helper()
	side := fmt.Sprintf("%s-%s-%d", name, theme, width)
	if complaints := tb.console.take(); len(complaints) > 0 {
		tb.Errorf("%s: the console says %q", side, complaints)
	}
	ask[bool](tb, axe+"; true")
	if faults := tb.stumblingBlocks(theme); len(faults) > 0 {
		tb.Errorf("%s: axe finds\n  %s", side, strings.Join(faults, "\n  "))
	}
	if beyond := ask[int](tb, `document.documentElement.scrollWidth - window.innerWidth`); beyond > 0 {
		tb.Errorf("%s: the page is %d pixels wider than its window", side, beyond)
	}
	tb.shoot(side)
	tb.console.take()
}
