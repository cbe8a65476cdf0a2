package statement

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold brings a header or a word of a bank to one form: small letters without accents, punctuation as single blanks.
// "Buchungs-Datum:" and "BUCHUNGSDATUM" stay different, "#Kwota", "Kwota" and "KWOTA " become the same. A text of
// nothing but signs ("+/-") stays as it is.
func fold(s string) string {
	s = strings.TrimSpace(s)
	var b strings.Builder
	b.Grow(len(s))
	source := s
	if !isASCII(s) {
		source = norm.NFKD.String(s)
	}
	gap := false
	for _, r := range source {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Sc, r) && r != 'ー' {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		foldRune(&b, unicode.ToLower(r))
	}
	if b.Len() == 0 {
		return s
	}
	return b.String()
}

func foldRune(b *strings.Builder, r rune) {
	switch r {
	case 'ß':
		b.WriteString("ss")
	case 'æ':
		b.WriteString("ae")
	case 'œ':
		b.WriteString("oe")
	case 'ø':
		b.WriteByte('o')
	case 'ł':
		b.WriteByte('l')
	case 'đ':
		b.WriteByte('d')
	case 'ı':
		b.WriteByte('i')
	default:
		b.WriteRune(r)
	}
}

// compact takes every blank out of a text.
func compact(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// phrases folds a list of phrases, one a "|", into a set.
func phrases(list string) map[string]bool {
	set := map[string]bool{}
	for phrase := range strings.SplitSeq(list, "|") {
		set[fold(phrase)] = true
	}
	return set
}
