package templates

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/a-h/templ"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hashed is the part of an asset's name that changes with its content; golden files leave it out, so that a change of
// the style sheet is not a change of every screen.
var hashed = regexp.MustCompile(`(/static/[a-z.]+)\.[0-9a-f]{8}\.`)

// golden holds a screen against testdata/name.html.
func golden(t *testing.T, name string, screen templ.Component) {
	t.Helper()
	var page bytes.Buffer
	if err := screen.Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	got := hashed.ReplaceAll(page.Bytes(), []byte("$1."))
	got = append(bytes.ReplaceAll(got, []byte("><"), []byte(">\n<")), '\n')
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

// forbidden is what the content security policy would refuse: script or style in the page.
var forbidden = regexp.MustCompile(`<style|<script(?: [^>]*)?>[^<]|\sstyle=|\son[a-z]+=|javascript:`)

// checkPolicy fails on a screen that a browser would not show whole under the policy of the server.
func checkPolicy(t *testing.T, screen templ.Component) {
	t.Helper()
	var page bytes.Buffer
	if err := screen.Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	if found := forbidden.Find(page.Bytes()); found != nil {
		t.Errorf("the page holds %q, which the policy refuses", found)
	}
}
