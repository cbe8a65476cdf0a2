package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// prefix is where Handler is mounted, and what every Path begins with.
const prefix = "/static/"

//go:embed *.css *.js *.svg *.woff2
var files embed.FS

// asset is one file as it leaves: its hashed path, and its bytes plain and, where that is worth it, compressed.
type asset struct {
	path, contentType string
	plain, zipped     []byte
}

type assets struct{ byName, byPath map[string]asset }

// all reads the embedded files once, when the first page or request asks for one.
var all = sync.OnceValue(load)

// Path gives the address of an asset ("app.css" is /static/app.1a2b3c4d.css). It panics when there is none of that
// name: names are written in code, never taken from a request.
func Path(name string) string {
	a, ok := all().byName[name]
	if !ok {
		panic("static: no asset named " + name)
	}
	return a.path
}

// Handler answers the addresses that Path gives, to be kept for ever, and 404 for any other.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := all().byPath[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		a.serve(w, r)
	})
}

func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	body, h := a.plain, w.Header()
	h.Set("Content-Type", a.contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if a.zipped != nil {
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			body = a.zipped
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // an error here is a reader that went away
	}
}

// load names every file by its content. Style sheets come last: they name other assets, and their own hash must cover
// the names they end up with.
func load() assets {
	list, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the files are compiled in
	}
	as := assets{byName: map[string]asset{}, byPath: map[string]asset{}}
	for _, sheets := range []bool{false, true} {
		for _, f := range list {
			if (path.Ext(f.Name()) == ".css") == sheets {
				as.add(f.Name())
			}
		}
	}
	return as
}

func (as assets) add(name string) {
	body, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the files are compiled in
	}
	ext := path.Ext(name)
	if ext == ".css" {
		for other, a := range as.byName {
			body = bytes.ReplaceAll(body, fmt.Appendf(nil, "url(%q)", other), fmt.Appendf(nil, "url(%q)", path.Base(a.path)))
		}
	}
	sum := sha256.Sum256(body)
	a := asset{
		path:        prefix + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:4]) + ext,
		contentType: contentType(ext),
		plain:       body,
	}
	if ext != ".woff2" { // a font is compressed already
		a.zipped = gzipped(body)
	}
	as.byName[name], as.byPath[a.path] = a, a
}

// contentType is fixed here, not asked of the machine, whose tables differ.
func contentType(ext string) string {
	switch ext {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	}
	panic("static: no content type for " + ext)
}

func gzipped(body []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(body)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a buffer does not fail
	}
	return b.Bytes()
}
