package statement

import (
	"bytes"
	"strings"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// swiftEncoding finds the encoding of an MT940 file of 8-bit characters by the words in it, since it says none and has no header: banks in
// Germany, Poland and Hungary still write those of DOS. nil for another file, and where the words speak for none.
func swiftEncoding(data []byte) (encoding.Encoding, string) {
	if head := data[:min(len(data), 16<<10)]; !bytes.Contains(head, []byte(":60F:")) && !bytes.Contains(head, []byte(":61:")) {
		return nil, ""
	}
	candidates := []struct {
		name string
		page *charmap.Charmap
	}{{"windows-1252", charmap.Windows1252}, {"windows-1250", charmap.Windows1250}, {"iso-8859-2", charmap.ISO8859_2}, {"cp850", charmap.CodePage850}, {"cp852", charmap.CodePage852}}
	best, most := 0, 0
	for i, c := range candidates {
		if score := wordScore(data[:min(len(data), 1<<20)], c.page); score > most || i == 0 {
			best, most = i, score
		}
	}
	if most <= 0 {
		return nil, ""
	}
	return candidates[best].page, candidates[best].name
}

// alphabets are the letters beyond ASCII of languages whose banks write MT940.
func alphabets() []string {
	return []string{"äöüß", "éèêëàâçîïôùûœ", "áéíóúñü", "àèéìòù", "ãõáéíóúâêôçà", "åäöæø", "ąćęłńóśźż", "áčďéěíňóřšťúůýžľĺŕôä", "áéíóöőúüű", "čćžšđ", "ăâîşţ"}
}

// wordScore counts the letters beyond ASCII that are those of one language once the bytes are read in a code page, and against them whatever else
// stands inside of words.
func wordScore(data []byte, page *charmap.Charmap) int {
	languages := alphabets()
	scores := make([]int, len(languages))
	for i, b := range data {
		if b < 0x80 {
			continue
		}
		before, after := runeAt(data, i-1, page), runeAt(data, i+1, page)
		letter := page.DecodeByte(b)
		small := unicode.ToLower(letter)
		inside := unicode.IsLetter(before) && unicode.IsLetter(after)
		if !inside && !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			continue // no word
		}
		oddCase := unicode.IsUpper(letter) && unicode.IsLower(before) || unicode.IsLower(letter) && unicode.IsUpper(after)
		for l, alphabet := range languages {
			switch {
			case strings.ContainsRune(alphabet, small) && !oddCase:
				scores[l]++
			case inside || unicode.IsLetter(letter):
				scores[l] -= 2
			}
		}
	}
	best := scores[0]
	for _, score := range scores {
		best = max(best, score)
	}
	return best
}

// runeAt reads a byte in a code page, a blank outside of the text.
func runeAt(data []byte, at int, page *charmap.Charmap) rune {
	if at < 0 || at >= len(data) {
		return ' '
	}
	return page.DecodeByte(data[at])
}
