package statement

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

func encodingByName(name string) (encoding.Encoding, string, bool) {
	lower := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(name), "_", "-"))
	switch lower {
	case "cp437", "ibm437":
		return charmap.CodePage437, "cp437", true
	case "cp850", "ibm850":
		return charmap.CodePage850, "cp850", true
	case "cp852", "ibm852":
		return charmap.CodePage852, "cp852", true
	case "mac-roman", "macroman":
		return charmap.Macintosh, "macintosh", true
	case "latin-1":
		lower = "latin1"
	case "shift-jis", "cp932":
		lower = "shift_jis"
	}
	enc, err := htmlindex.Get(lower)
	if err != nil {
		return nil, "", false
	}
	canonical, err := htmlindex.Name(enc)
	if err != nil || canonical == "replacement" || canonical == "x-user-defined" {
		return nil, "", false
	}
	return enc, canonical, true
}

// decode gives the text of a file and the name of its encoding. A byte order mark decides, then the hint, then the bytes.
func decode(data []byte, t *told) (text, name string, err error) {
	enc, name := t.encoding, t.encodingName
	if marked, markedName, size := byteOrderMark(data); size > 0 {
		data, enc, name = data[size:], marked, markedName
	} else if enc == nil {
		if enc, name, err = detectEncoding(data); err != nil {
			return "", "", err
		}
	}
	if name == "utf-8" {
		text = string(data)
		if row := firstInvalidRow(text); row > 0 {
			return "", "", refuse(ClassMalformed, row, "Row %d holds bytes that are not UTF-8. Save the file again as UTF-8, or say its encoding (hint encoding).", row).settledBy("encoding")
		}
		text = strings.ReplaceAll(text, "\ufeff", "") // also between files that were put together
	} else {
		var decodeErr error
		text, decodeErr = decoded(data, enc)
		if at := strings.IndexRune(text, utf8.RuneError); decodeErr != nil || at >= 0 {
			row := 1 + lineEnds(text[:max(at, 0)])
			return "", "", refuse(ClassMalformed, row, "Row %d holds bytes that are not %s. Say the file's encoding (hint encoding).", row, name).settledBy("encoding")
		}
	}
	if at := strings.IndexByte(text, 0); at >= 0 {
		row := 1 + lineEnds(text[:at])
		return "", "", refuse(ClassMalformed, row, "Row %d holds a NUL character: the file is damaged, or it is not a text file. Download it from the bank again.", row)
	}
	return text, name, nil
}

// decoded reads bytes in another encoding than UTF-8. The text is measured before it is made: one that grows while it is made stands in memory
// several times.
func decoded(data []byte, enc encoding.Encoding) (string, error) {
	var size byteCount
	if _, err := io.Copy(&size, transform.NewReader(bytes.NewReader(data), enc.NewDecoder())); err != nil {
		return "", err
	}
	var text strings.Builder
	text.Grow(int(size))
	_, err := io.Copy(&text, transform.NewReader(bytes.NewReader(data), enc.NewDecoder()))
	return text.String(), err
}

// byteCount counts what is written to it.
type byteCount int

func (c *byteCount) Write(p []byte) (int, error) {
	*c += byteCount(len(p))
	return len(p), nil
}

func firstInvalidRow(text string) int {
	if utf8.ValidString(text) {
		return 0
	}
	valid := 0
	for valid < len(text) {
		r, size := utf8.DecodeRuneInString(text[valid:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		valid += size
	}
	return 1 + lineEnds(text[:valid])
}

func byteOrderMark(data []byte) (encoding.Encoding, string, int) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return unicode.UTF8, "utf-8", 3
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16le", 2
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be", 2
	}
	return nil, "", 0
}

func detectEncoding(data []byte) (encoding.Encoding, string, error) {
	if enc, name := utf16WithoutMark(data); enc != nil {
		return enc, name, nil
	}
	valid, invalid := utf8Sequences(data)
	if enc, name := declaredEncoding(data); enc != nil && (invalid > 0 || bytes.IndexByte(data, '\x1b') >= 0) {
		return enc, name, nil
	}
	if invalid == 0 || valid > invalid {
		return unicode.UTF8, "utf-8", nil // decode names the row of an invalid one
	}
	if enc, name := swiftEncoding(data); enc != nil {
		return enc, name, nil
	}
	best, bestName, bestScore := encoding.Encoding(charmap.Windows1252), "windows-1252", 0
	for _, c := range legacyEncodings() {
		if score := vocabularyScore(data, c.enc); score > bestScore {
			best, bestName, bestScore = c.enc, c.name, score
		}
	}
	if bestScore == 0 && outsideWindows1252(data) {
		return nil, "", refuse(ClassMalformed, 0, "The file is neither UTF-8 nor Windows-1252, and its header does not show which encoding it is. Say it (hint encoding).").settledBy("encoding")
	}
	return best, bestName, nil
}

// outsideWindows1252 reports bytes that Windows-1252 leaves undefined.
func outsideWindows1252(data []byte) bool {
	for _, b := range []byte{0x81, 0x8d, 0x8f, 0x90, 0x9d} {
		if bytes.IndexByte(data, b) >= 0 {
			return true
		}
	}
	return false
}

// legacyEncodings are tried in this order; an earlier one wins when the words of the header are known in several.
func legacyEncodings() []struct {
	name string
	enc  encoding.Encoding
} {
	return []struct {
		name string
		enc  encoding.Encoding
	}{
		{"windows-1252", charmap.Windows1252}, {"windows-1250", charmap.Windows1250}, {"iso-8859-2", charmap.ISO8859_2},
		{"windows-1257", charmap.Windows1257}, {"windows-1254", charmap.Windows1254}, {"windows-1251", charmap.Windows1251},
		{"windows-1253", charmap.Windows1253}, {"shift_jis", japanese.ShiftJIS}, {"euc-jp", japanese.EUCJP}, {"gb18030", simplifiedchinese.GB18030},
		{"big5", traditionalchinese.Big5}, {"euc-kr", korean.EUCKR}, {"cp850", charmap.CodePage850}, {"cp852", charmap.CodePage852},
		{"macintosh", charmap.Macintosh},
	}
}

// vocabularyScore counts the header words with letters beyond ASCII that are known once the bytes are read in an encoding.
func vocabularyScore(data []byte, enc encoding.Encoding) int {
	sample := data[:min(len(data), 64<<10)]
	if cut := bytes.LastIndexAny(sample, "\r\n"); cut > 0 {
		sample = sample[:cut]
	}
	decoded, err := enc.NewDecoder().Bytes(sample)
	if err != nil || bytes.ContainsRune(decoded, utf8.RuneError) {
		return 0
	}
	score := 0
	for line := range strings.FieldsFuncSeq(string(decoded), func(r rune) bool { return r == '\r' || r == '\n' }) {
		words, beyondASCII := 0, 0
		for cell := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(",;\t|\"", r) }) {
			if len(cell) < 80 && headerRole(cell).role != roleNone {
				words++
				if !isASCII(cell) {
					beyondASCII++
				}
			}
		}
		if words > 1 { // one word alone may be chance in a text
			score += beyondASCII
		}
	}
	return score
}

// utf8Sequences counts the multi-byte characters that are valid UTF-8, and the bytes that are not.
func utf8Sequences(data []byte) (valid, invalid int) {
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			invalid++
		} else {
			valid++
		}
		i += size
	}
	return valid, invalid
}

// utf16WithoutMark recognises UTF-16 of mostly Latin text by its zero bytes, which stand in every other place.
func utf16WithoutMark(data []byte) (encoding.Encoding, string) {
	sample := data[:min(len(data), 4096)]
	zeros := [2]int{}
	for i, b := range sample {
		if b == 0 {
			zeros[i%2]++
		}
	}
	half := len(sample) / 2
	switch {
	case half < 4:
		return nil, ""
	case zeros[1] > half/2 && zeros[0] < half/20+1:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16le"
	case zeros[0] > half/2 && zeros[1] < half/20+1:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be"
	}
	return nil, ""
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
