package statement

import (
	"regexp"
	"strings"

	"golang.org/x/text/encoding"
)

var (
	xmlEncoding = regexp.MustCompile(`^\s*<\?(?:xml|XML)\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']`)
	ofxCharset  = regexp.MustCompile(`(?i)\bCHARSET:\s*([\w-]{1,40})`)
	ofxEncoding = regexp.MustCompile(`(?i)\bENCODING:\s*([\w-]{1,40})`)
)

// declaredEncoding gives the encoding that an XML declaration or the header of an OFX file names, nil for none. A Unicode encoding shows in the
// bytes themselves, where banks name it and write another one: it gives none.
func declaredEncoding(data []byte) (encoding.Encoding, string) {
	head := string(data[:min(len(data), 1024)])
	var names []string
	if m := xmlEncoding.FindStringSubmatch(head); m != nil {
		names = append(names, m[1])
	}
	if strings.HasPrefix(strings.TrimSpace(head), "OFXHEADER") {
		for _, field := range []*regexp.Regexp{ofxCharset, ofxEncoding} {
			if m := field.FindStringSubmatch(head); m != nil {
				names = append(names, ofxEncodingName(m[1]))
			}
		}
	}
	for _, name := range names {
		if enc, canonical, ok := encodingByName(name); ok && !strings.HasPrefix(canonical, "utf-") {
			return enc, canonical
		}
	}
	return nil, ""
}

// ofxEncodingName writes the name of a character set as others do: OFX names Windows code pages and parts of ISO 8859 by their numbers.
func ofxEncodingName(name string) string {
	switch {
	case len(name) == 4 && strings.HasPrefix(name, "125"):
		return "windows-" + name
	case strings.HasPrefix(name, "8859"):
		return "iso-" + name
	}
	return name
}
