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
	tb := openTab(t, openBrowser(t), startDemo(t, "--empty", "--dev"))
	if status := tb.open(gallery.Path); status != 200 {
		t.Fatalf("the gallery answered %d", status)
	}
	tb.isSound("gallery")
	for _, screen := range gallery.Screens() {
		tb.open(screen.Address() + "?theme=light")
		ask[bool](tb, axe+"; true")
		tb.fits(screen.Name, "light", 1440)
		ask[string](tb, `document.documentElement.dataset.bsTheme = "dark"`)
		tb.fits(screen.Name, "dark", 390)
		if complaints := tb.console.take(); len(complaints) > 0 {
			t.Errorf("%s: the console says %q", screen.Name, complaints)
		}
	}
}

// fits finds nothing to stumble over and nothing beyond the edge of the page.
func (tb *tab) fits(name, theme string, width int64) {
	tb.Helper()
	tb.resize(width, 900)
	side := fmt.Sprintf("gallery-%s-%s-%d", name, theme, width)
	if faults := tb.stumblingBlocks(theme); len(faults) > 0 {
		tb.Errorf("%s: axe finds\n  %s", side, strings.Join(faults, "\n  "))
	}
	if beyond := ask[int](tb, `document.documentElement.scrollWidth - window.innerWidth`); beyond > 0 {
		tb.Errorf("%s: the page is %d pixels wider than its window", side, beyond)
	}
	tb.shoot(side)
}
