package story_test

import (
	"io"
	"net/http"
	"regexp"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// links are where the pages that one person has seen lead to. Of addresses that differ in numbers and words only, the first
// few stand for all.
type links struct {
	byShape map[string]int
	paths   []string
}

const linksOfAShape = 3

var (
	numberInLink = regexp.MustCompile(`\d+`)
	wordInLink   = regexp.MustCompile(`=[^&]*`)
)

// note keeps the links of the page that is open.
func (l *links) note(tb *tab) {
	tb.Helper()
	for _, address := range ask[[]string](tb, `[...document.querySelectorAll("a[href]")].filter(a => a.origin === location.origin && !a.hash).map(a => a.pathname + a.search)`) {
		shape := wordInLink.ReplaceAllString(numberInLink.ReplaceAllString(address, "0"), "=")
		if l.byShape[shape]++; l.byShape[shape] <= linksOfAShape {
			l.paths = append(l.paths, address)
		}
	}
}

// lead asks for each with the cookies of the tab.
func (l *links) lead(t *testing.T, tb *tab) {
	t.Helper()
	kept, err := chromedp.Call(tb.ctx, network.GetCookies, network.GetCookiesParams{})
	ok(t, err)
	for _, path := range l.paths {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, tb.site+path, nil)
		ok(t, err)
		for _, cookie := range kept.Cookies {
			request.AddCookie(&http.Cookie{Name: cookie.Name, Value: cookie.Value})
		}
		response, err := http.DefaultClient.Do(request)
		ok(t, err)
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		// What a person may not do is offered all the same, and its page says which right is missing.
		if response.StatusCode >= 400 && response.StatusCode != http.StatusForbidden {
			t.Errorf("a link leads to %s, which is answered %d", path, response.StatusCode)
		}
	}
}
