package statement

import (
	"html"
	"regexp"
	"strings"
)

// ofxTag is one tag of an OFX file with the text up to the next one. OFX 1 is SGML, in which an element with a value need not be closed;
// OFX 2 is XML, in which it is. Read so, they are alike.
type ofxTag struct {
	name       string // in capitals
	closing    bool
	value      string
	start, end int // of the tag itself in the text
}

// ofxTags goes through the tags of a text.
type ofxTags struct {
	text string
	pos  int
}

// next gives the tag that follows; ok is false at the end of the text.
func (s *ofxTags) next() (tag ofxTag, ok bool, err error) {
	for {
		at := strings.IndexByte(s.text[s.pos:], '<')
		if at < 0 {
			return ofxTag{}, false, nil
		}
		at += s.pos
		if end := s.markup(at); end > at {
			s.pos = end
			if err := checkDoctype(strings.TrimPrefix(s.text[at+1:end], "!")); err != nil {
				return ofxTag{}, false, err
			}
			continue
		}
		if tag, ok = s.tagAt(at); !ok {
			s.pos = at + 1
			continue
		}
		if tag.value, s.pos = s.valueAt(tag.end); len(tag.value) > MaxRecordBytes {
			return ofxTag{}, false, refuse(ClassMalformed, 0, "The file holds a text that is longer than any bank's (%s). This is no bank's statement.", short(tag.name))
		}
		return tag, true, nil
	}
}

// markup gives the end of a comment, a declaration or an instruction at a place, the place itself where there is none.
func (s *ofxTags) markup(at int) int {
	rest := s.text[at:]
	end := ""
	switch {
	case strings.HasPrefix(rest, "<!--"):
		end = "-->"
	case strings.HasPrefix(rest, "<![CDATA["):
		end = "]]>"
	case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "<?"):
		end = ">"
	default:
		return at
	}
	if n := strings.Index(rest, end); n >= 0 {
		return at + n + len(end)
	}
	return len(s.text)
}

// tagBytes is how long a tag may be, with its attributes.
const tagBytes = 1_000

// tagAt reads the tag that opens at a place. A < in a text opens none.
func (s *ofxTags) tagAt(at int) (tag ofxTag, ok bool) {
	rest := s.text[at+1 : min(len(s.text), at+tagBytes)]
	end := strings.IndexAny(rest, "<>")
	if end < 0 || rest[end] == '<' {
		return ofxTag{}, false
	}
	tag = ofxTag{start: at, end: at + 1 + end + 1}
	name := rest[:end]
	name, tag.closing = strings.CutPrefix(name, "/")
	name, attributes, _ := strings.Cut(strings.TrimSuffix(name, "/"), " ")
	if attributes = strings.TrimSpace(attributes); attributes != "" && !strings.Contains(attributes, "=") {
		return ofxTag{}, false
	}
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		name = name[at+1:]
	}
	if name == "" {
		return ofxTag{}, false
	}
	for _, c := range []byte(name) {
		if !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_') {
			return ofxTag{}, false
		}
	}
	tag.name = strings.ToUpper(name)
	return tag, true
}

// valueAt reads the text from a place to the tag that follows.
func (s *ofxTags) valueAt(from int) (value string, next int) {
	pos := from
	var before strings.Builder // with what stood in CDATA
	for {
		n := strings.IndexByte(s.text[pos:], '<')
		if n < 0 {
			return oneLine(before.String() + unescape(s.text[from:])), len(s.text)
		}
		at := pos + n
		end := s.markup(at)
		switch {
		case strings.HasPrefix(s.text[at:], "<![CDATA["):
			before.WriteString(unescape(s.text[from:at]))
			before.WriteString(strings.TrimSuffix(s.text[at+len("<![CDATA["):end], "]]>"))
			from, pos = end, end
			continue
		case end > at:
			return oneLine(before.String() + unescape(s.text[from:at])), at
		}
		if _, isTag := s.tagAt(at); isTag {
			return oneLine(before.String() + unescape(s.text[from:at])), at
		}
		pos = at + 1
	}
}

var entityPattern = regexp.MustCompile(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,10});`)

// unescape reads the entities of a text. An ampersand that begins none stands for itself, as banks write it.
func unescape(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	for range 2 { // some banks write them twice: &amp;amp;
		text = entityPattern.ReplaceAllStringFunc(text, html.UnescapeString)
	}
	return text
}
