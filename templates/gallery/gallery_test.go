package gallery

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestScreensAreAsAgreed(t *testing.T) {
	t.Parallel()
	for _, screen := range Screens() {
		t.Run(screen.Name, func(t *testing.T) {
			t.Parallel()
			html := render(t, screen.Page)
			golden(t, screen.Name, html)
			if found := forbidden.FindString(html); found != "" {
				t.Errorf("the page holds %q, which the content policy refuses", found)
			}
			for _, tag := range []string{"<h1", "<main", "<title"} {
				if n := strings.Count(html, tag); n != 1 {
					t.Errorf("the page has %d of %s", n, tag)
				}
			}
		})
	}
}

func TestEveryScreenHasANameOfItsOwnAndAGroup(t *testing.T) {
	t.Parallel()
	seen, last := map[string]bool{}, map[string]int{}
	for i, s := range Screens() {
		if s.Name == "" || s.Title == "" || s.Group == "" || seen[s.Name] {
			t.Errorf("screen %d is not named, or named like another: %q %q in %q", i, s.Name, s.Title, s.Group)
		}
		if before, known := last[s.Group]; known && before != i-1 {
			t.Errorf("%s stands apart from the others of %s", s.Name, s.Group)
		}
		seen[s.Name], last[s.Group] = true, i
	}
}

func TestEveryGoldenFileBelongsToAScreen(t *testing.T) {
	t.Parallel()
	named := map[string]bool{}
	for _, s := range Screens() {
		named[s.Name+".html"] = true
	}
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !named[file.Name()] {
			t.Errorf("no screen is called as testdata/%s", file.Name())
		}
	}
}

// hashed is the part of an asset's name that changes with its content; golden files leave it out, so that a change of
// the style sheet is not a change of every screen.
var hashed = regexp.MustCompile(`(/static/[a-z.]+)\.[0-9a-f]{8}\.`)

// forbidden is what the content security policy would refuse: script or style in the page.
var forbidden = regexp.MustCompile(`<style|<script(?: [^>]*)?>[^<]|\sstyle=|\son[a-z]+=|javascript:`)

// golden holds a page against testdata/name.html.
func golden(t *testing.T, name, html string) {
	t.Helper()
	got := []byte(strings.ReplaceAll(hashed.ReplaceAllString(html, "$1."), "><", ">\n<") + "\n")
	file := filepath.Join("testdata", name+".html")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from %s; look at it, then run with -update", name, file)
	}
}

func render(t *testing.T, page templ.Component) string {
	t.Helper()
	var html strings.Builder
	if err := page.Render(t.Context(), &html); err != nil {
		t.Fatal(err)
	}
	return html.String()
}
