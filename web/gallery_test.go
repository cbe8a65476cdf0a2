package web_test

import (
	"log/slog"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/postgres"
	"daybook/templates/gallery"
	"daybook/web"
)

// inline is what the content policy would refuse.
var inline = regexp.MustCompile(`<style|<script(?: [^>]*)?>[^<]|\sstyle=|\son[a-z]+=|javascript:`)

func TestTheGalleryIsNotThereUnlessItIsAskedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{gallery.Path, gallery.Path + "/journal", gallery.Path + "/nothing"} {
		client{url: b.url}.get(t, path).want(t, 404)
	}
}

func TestTheGalleryShowsEveryScreenAsItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	site := client{url: b.serveGallery(t)}
	index := site.get(t, gallery.Path)
	index.want(t, 200)
	for _, screen := range gallery.Screens() {
		if !strings.Contains(index.body, `href="`+screen.Address()+`"`) {
			t.Errorf("nothing leads to %s", screen.Name)
		}
		answer := site.get(t, screen.Address())
		answer.want(t, 200)
		var page strings.Builder
		ok(t, screen.Page.Render(t.Context(), &page))
		if answer.body != page.String() {
			t.Errorf("%s is served in another way than it is held in its golden file", screen.Name)
		}
		policy := answer.header.Get("Content-Security-Policy")
		if found := inline.FindString(answer.body); found != "" || !strings.Contains(policy, "script-src 'self'") {
			t.Errorf("%s holds %q under the policy %q", screen.Name, found, policy)
		}
	}
	site.get(t, gallery.Path+"/nothing").want(t, 404)
}

func TestAScreenOfTheGalleryIsShownInBothThemes(t *testing.T) {
	t.Parallel()
	site := client{url: setup(t).serveGallery(t)}
	for _, name := range []string{"journal", "journal-dark"} {
		for _, theme := range []string{"light", "dark"} {
			body := site.get(t, gallery.Path+"/"+name+"?theme="+theme).body
			if !strings.Contains(body, `data-bs-theme="`+theme+`"`) || !strings.Contains(body, `name="color-scheme" content="`+theme+`"`) {
				t.Errorf("%s is not %s: %.200s", name, theme, body)
			}
		}
	}
}

// serveGallery runs a server for developers.
func (b *bundle) serveGallery(t *testing.T) string {
	t.Helper()
	db, err := postgres.Open(t.Context(), b.appURL)
	ok(t, err)
	books := store.New(db, now)
	handler, err := web.New(web.Config{Store: books, Log: slog.New(slog.DiscardHandler), Now: now, Gallery: true})
	ok(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.Close()
		ok(t, books.Close())
	})
	return server.URL
}
