package web_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// browser is a person's browser without JavaScript: it keeps the session, follows links only when told to, and sends
// forms as they stand on the page.
type browser struct {
	b       *bundle
	session string
	// site is what the browser says about where a form comes from.
	site string
}

// browser signs a person in.
func (b *bundle) browser(t *testing.T, name string) *browser {
	t.Helper()
	return &browser{b: b, session: b.logIn(t, name, "").Value, site: "same-origin"}
}

// page is an answer to a browser.
type page struct {
	path   string
	status int
	header http.Header
	body   string
}

func (br *browser) send(t *testing.T, method, path, contentType string, body io.Reader) page {
	t.Helper()
	return readPage(t, br.open(t, method, path, contentType, body))
}

// open is send for an answer that is read as it comes in.
func (br *browser) open(t *testing.T, method, path, contentType string, body io.Reader) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, br.b.url+path, body)
	ok(t, err)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	request.Header.Set("Sec-Fetch-Site", br.site)
	if br.session != "" {
		request.AddCookie(&http.Cookie{Name: "daybook", Value: br.session})
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	ok(t, err)
	for _, cookie := range answer.Cookies() {
		if cookie.Name == "daybook" {
			br.session = cookie.Value
		}
	}
	return answer
}

func readPage(t *testing.T, answer *http.Response) page {
	t.Helper()
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	ok(t, err)
	return page{path: answer.Request.URL.Path, status: answer.StatusCode, header: answer.Header, body: string(text)}
}

// get loads an address, and goes where it leads.
func (br *browser) get(t *testing.T, path string) page {
	t.Helper()
	answer := br.send(t, http.MethodGet, path, "", nil)
	for range 5 {
		if answer.status != http.StatusSeeOther {
			return answer
		}
		answer = br.send(t, http.MethodGet, answer.location(), "", nil)
	}
	t.Fatalf("%s leads in circles", path)
	return answer
}

// post sends a form and stays on its answer.
func (br *browser) post(t *testing.T, path string, values url.Values) page {
	t.Helper()
	return br.send(t, http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(values.Encode()))
}

// upload sends a form with a file.
func (br *browser) upload(t *testing.T, path string, values url.Values, fileName, content string) page {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, all := range values {
		for _, value := range all {
			ok(t, form.WriteField(name, value))
		}
	}
	if fileName != "" {
		part, err := form.CreateFormFile("file", fileName)
		ok(t, err)
		_, err = io.WriteString(part, content)
		ok(t, err)
	}
	ok(t, form.Close())
	return br.send(t, http.MethodPost, path, form.FormDataContentType(), &body)
}

// submit fills a form of the page in and sends it to where the form says.
func (br *browser) submit(t *testing.T, on page, action string, typed url.Values) page {
	t.Helper()
	return br.post(t, action, on.filled(t, action, typed))
}

// filled is what the form for an address would send, with what is typed into it.
func (p page) filled(t *testing.T, action string, typed url.Values) url.Values {
	t.Helper()
	values := p.form(t, action)
	for name, all := range typed {
		values[name] = all
	}
	return values
}

func (p page) location() string { return p.header.Get("Location") }

// want asks for a status.
func (p page) want(t *testing.T, status int) page {
	t.Helper()
	if p.status != status {
		t.Fatalf("%s answered %d, want %d: %s", p.path, p.status, status, p.text(t))
	}
	return p
}

// says asks for texts on the page as a person reads them.
func (p page) says(t *testing.T, texts ...string) page {
	t.Helper()
	shown := p.text(t)
	for _, text := range texts {
		if !strings.Contains(shown, text) {
			t.Errorf("%s does not say %q: %s", p.path, text, shown)
		}
	}
	return p
}

// node gives the page as a tree.
func (p page) node(t *testing.T) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(p.body))
	ok(t, err)
	return root
}

// text is what a person reads, with single spaces.
func (p page) text(t *testing.T) string {
	t.Helper()
	var words []string
	for n := range p.node(t).Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" {
			words = append(words, strings.Fields(n.Data)...)
		}
	}
	return strings.Join(words, " ")
}

// form gives what the form for an address holds as it stands on the page.
func (p page) form(t *testing.T, action string) url.Values {
	t.Helper()
	for n := range p.node(t).Descendants() {
		if n.Data != "form" || (attribute(n, "action") != action && !sendsTo(n, action)) {
			continue
		}
		values := url.Values{}
		for control := range n.Descendants() {
			if name, value, holds := controlOf(control); holds {
				values.Add(name, value)
			}
		}
		return values
	}
	t.Fatalf("%s has no form for %s: %s", p.path, action, p.text(t))
	return nil
}

// sendsTo says whether a form has a button with an address of its own.
func sendsTo(form *html.Node, action string) bool {
	for n := range form.Descendants() {
		if n.Data == "button" && attribute(n, "formaction") == action {
			return true
		}
	}
	return false
}

func controlOf(n *html.Node) (name, value string, holds bool) {
	name = attribute(n, "name")
	switch kind := attribute(n, "type"); {
	case name == "" || n.Data == "button" || kind == "file":
		return "", "", false
	case n.Data == "input" && (kind == "checkbox" || kind == "radio"):
		return name, attribute(n, "value"), has(n, "checked")
	case n.Data == "input":
		return name, attribute(n, "value"), true
	case n.Data == "textarea":
		if n.FirstChild != nil {
			value = n.FirstChild.Data
		}
		return name, value, true
	case n.Data == "select":
		for option := range n.Descendants() {
			if option.Data == "option" && has(option, "selected") {
				return name, attribute(option, "value"), true
			}
		}
		return name, "", true
	}
	return "", "", false
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// typed makes form values of pairs.
func typed(pairs ...string) url.Values {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return values
}
