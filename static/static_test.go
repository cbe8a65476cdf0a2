package static

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func get(t *testing.T, method, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestPathCarriesEightDigitsOfTheHash(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{
		"app.css":        `^/static/app\.[0-9a-f]{8}\.css$`,
		"tabler.min.css": `^/static/tabler\.min\.[0-9a-f]{8}\.css$`,
		"inter.woff2":    `^/static/inter\.[0-9a-f]{8}\.woff2$`,
	} {
		if got := Path(name); !regexp.MustCompile(form).MatchString(got) {
			t.Errorf("Path(%q) = %s, want %s", name, got, form)
		}
	}
}

func TestPathOfAnUnknownNamePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("Path of a missing asset must panic")
		}
	}()
	Path("nothing.css")
}

func TestHandlerServesEveryAssetForEver(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"app.css": "text/css; charset=utf-8", "app.js": "text/javascript; charset=utf-8",
		"icons.svg": "image/svg+xml", "icon.svg": "image/svg+xml", "inter.woff2": "font/woff2",
	}
	for name, contentType := range want {
		r := get(t, http.MethodGet, Path(name))
		if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != contentType {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.Header.Get("Content-Type"))
		}
		if got := r.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control %q", name, got)
		}
		if body(t, r.Body) == "" {
			t.Errorf("%s is empty", name)
		}
	}
}

func TestHandlerKnowsNoOtherNames(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/static/app.css", "/static/app.00000000.css", "/static/", "/static/static.go", "/static/LICENSE-inter.txt"} {
		if r := get(t, http.MethodGet, path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, r.StatusCode)
		}
	}
	if r := get(t, http.MethodPost, Path("app.js")); r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d, want 405", r.StatusCode)
	}
}

func TestHandlerCompressesForThoseWhoAsk(t *testing.T) {
	t.Parallel()
	plain := get(t, http.MethodGet, Path("app.css"))
	zipped := get(t, http.MethodGet, Path("app.css"), "Accept-Encoding", "br, gzip")
	if plain.Header.Get("Content-Encoding") != "" || zipped.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("encodings %q and %q", plain.Header.Get("Content-Encoding"), zipped.Header.Get("Content-Encoding"))
	}
	reader, err := gzip.NewReader(zipped.Body)
	if err != nil {
		t.Fatal(err)
	}
	if body(t, reader) != body(t, plain.Body) {
		t.Error("the compressed style sheet differs from the plain one")
	}
}

func TestStyleSheetsNameTheHashedFont(t *testing.T) {
	t.Parallel()
	css := body(t, get(t, http.MethodGet, Path("app.css")).Body)
	font := strings.TrimPrefix(Path("inter.woff2"), "/static/")
	if !strings.Contains(css, `url("`+font+`")`) || strings.Contains(css, `url("inter.woff2")`) {
		t.Errorf("app.css does not name %s", font)
	}
}
