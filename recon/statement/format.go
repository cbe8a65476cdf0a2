package statement

import (
	"bytes"
	"regexp"
	"strings"
)

// binaryFormat names a format that is not text, "" when the bytes may be text.
func binaryFormat(data []byte) string {
	magics := []struct{ magic, format string }{
		{"\xd0\xcf\x11\xe0", "an Excel workbook (.xls)"}, {"%PDF", "a PDF"}, {"\x1f\x8b", "a gzip archive"},
		{"Rar!", "a RAR archive"}, {"7z\xbc\xaf\x27\x1c", "a 7z archive"}, {"\x89PNG", "a picture"}, {"\xff\xd8\xff", "a picture"},
		{"GIF8", "a picture"}, {"BZh", "a bzip2 archive"}, {"\xfd7zXZ", "an xz archive"}, {"SQLite format 3", "a database file"},
		{"\x7fELF", "a program"}, {"MZ\x90", "a program"},
	}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06")) {
		if bytes.Contains(data[:min(len(data), 8192)], []byte("xl/")) {
			return "an Excel workbook (.xlsx)"
		}
		return "a ZIP archive"
	}
	for _, m := range magics {
		if bytes.HasPrefix(data, []byte(m.magic)) {
			return m.format
		}
	}
	return ""
}

var (
	ofxStart    = regexp.MustCompile(`^(<\?[^>]*>\s*|<!--.*?-->\s*)*<(\w+:)?OFX[\s>]`)
	camtElement = regexp.MustCompile(`<([\w.-]+:)?(` + camtStatement + `|` + camtReport + `|` + camtNotification + `)(V\d+)?[\s/>]`)
	isoMessage  = regexp.MustCompile(`(camt|pain|pacs)\.\d{3}(\.\d{3}\.\d{2})?`)
	mt940Tag    = regexp.MustCompile(`(?:^|[\r\n])[ \t]*:(25|28C?|60[FM]|61):`)
	mt940Start  = regexp.MustCompile(`(?:^|[\r\n])[ \t]*:60[FM]?:[CD]\d{6}`) // of banks that leave field 20 out
	bai2Start   = regexp.MustCompile(`^01,[^,\r\n]*,[^,\r\n]*,\d{6,8},[\d:]*,[^\r\n]*[\s/]+02,`)
)

// messageReader reads the text of a bank's message whole or refuses it whole, with the ordinal of an entry as its row.
type messageReader func(text string, t *told) (*Statement, error)

// textFormat is what the characters of a file are.
type textFormat struct {
	called  string        // for people; "" for CSV
	message bool          // banks send statements in it
	name    string        // as in Statement.Format, where it is read
	read    messageReader // nil where it is not read as a message
}

// settings are those of a message, which has none of a table: the next one in the format is known by it.
func (f textFormat) settings() Settings {
	return Settings{Message: f.name, HeaderFingerprint: "message " + f.name}
}

// formatOf tells messages and what is no statement from what may be CSV.
func formatOf(text string) textFormat {
	head := strings.TrimSpace(text[:min(len(text), 16<<10)])
	upper := strings.ToUpper(head[:min(len(head), 2048)])
	switch {
	case strings.HasPrefix(upper, "OFXHEADER") || strings.Contains(upper, "<OFX>") || strings.Contains(upper, "<BANKTRANLIST>") || ofxStart.MatchString(upper):
		return textFormat{"an OFX file", true, "ofx", readOFX}
	case strings.HasPrefix(head, "<") && camtElement.MatchString(head):
		return textFormat{"an ISO 20022 message", true, "camt.053", readCamt}
	case strings.HasPrefix(head, "<") && isoMessage.MatchString(head):
		return textFormat{called: "an ISO 20022 message (" + isoMessage.FindString(head) + ")", message: true}
	case strings.HasPrefix(upper, "<!DOCTYPE HTML") || strings.HasPrefix(upper, "<HTML") || strings.HasPrefix(upper, "<TABLE"):
		return textFormat{called: "a web page"}
	case strings.HasPrefix(upper, "<?XML"):
		return textFormat{called: "an XML file", message: true}
	case strings.HasPrefix(upper, "{1:F01") || (strings.Contains(head, ":20:") && mt940Tag.MatchString(head)) || mt940Start.MatchString(head):
		return textFormat{"an MT940 message", true, "mt940", readMT940}
	case bai2Start.MatchString(head):
		return textFormat{"a BAI2 file", true, "bai2", readBAI2}
	case strings.HasPrefix(upper, "!TYPE:") || strings.HasPrefix(upper, "!ACCOUNT"):
		return textFormat{called: "a QIF file", message: true}
	case strings.HasPrefix(upper, `{\RTF`):
		return textFormat{called: "an RTF document"}
	case strings.HasPrefix(head, "{\"") || strings.HasPrefix(head, "[{") || strings.HasPrefix(head, "{\n") || strings.HasPrefix(head, "[\n"):
		return textFormat{called: "a JSON file"}
	}
	return textFormat{}
}
