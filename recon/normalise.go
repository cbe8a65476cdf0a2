package recon

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// DefaultPrefixes are the words that banks and bookkeepers put before a reference and that say nothing by themselves.
func DefaultPrefixes() []string {
	return []string{"EREF+", "KREF+", "MREF+", "SVWZ+", "REF", "REFERENCE", "CHQ", "CHEQUE", "CHECK", "INV", "INVOICE",
		"RECHNUNG", "FACTURE", "FACTUUR", "FACTURA", "FATTURA", "FAKTURA"}
}

// NormaliseReference brings a reference into the form in which references are compared: upper case, letters and digits
// only, without known prefixes and leading zeros; empty where it says that there is none (NONREF, NOTPROVIDED). A
// trailing "2/3" is set aside as part, in the form "2/3". batch tells that the reference names a batch, not a line.
func NormaliseReference(reference string, prefixes []string) (ref, part string, batch bool) {
	name := newNormaliser(prefixes).normalise(reference)
	return name.base, name.part, name.batch
}

// name is a reference in its parts. whole still has the digits of the part number, so that 2026-03/15 and 20260315 are
// the same reference, and 300 (1/2) is not the same as 300.
type name struct {
	whole, base, part string
	batch             bool
}

// normaliser is NormaliseReference with its prefixes made ready once, the longest first, and by their first byte.
type normaliser struct{ prefixes *[256][]string }

func newNormaliser(prefixes []string) normaliser {
	var ready []string
	for _, p := range prefixes {
		if p = squeeze(upper(p)); p != "" {
			ready = append(ready, p)
		}
	}
	slices.SortFunc(ready, func(a, b string) int { return len(b) - len(a) })
	n := normaliser{new([256][]string)}
	for _, p := range ready {
		n.prefixes[p[0]] = append(n.prefixes[p[0]], p)
	}
	return n
}

func (n normaliser) normalise(reference string) name {
	text := upper(reference)
	whole := n.bare(text)
	base, part := whole, ""
	if head, number := cutPart(text); number != "" {
		if bare := n.bare(head); bare != "" {
			base, part = bare, number
		}
	}
	if saysNone(base) {
		return name{}
	}
	return name{whole, base, part, namesBatch(base)}
}

// bare squeezes only after the first stripping: a prefix ends where a blank or a sign follows it.
func (n normaliser) bare(text string) string {
	return n.strip(squeeze(n.strip(text)))
}

// strip takes prefixes and leading zeros off until nothing changes.
func (n normaliser) strip(text string) string {
	for {
		rest := strings.TrimLeft(strings.TrimLeftFunc(text, separates), "0")
		rest = n.cutPrefix(rest)
		if rest == text {
			return text
		}
		text = rest
	}
}

// cutPrefix takes one prefix off, with the "No." that may follow it. A prefix ends before anything but a letter, or
// before another prefix: REF in REFINV12 is one, in REFUND12 it is not.
func (n normaliser) cutPrefix(text string) string {
	if text == "" {
		return ""
	}
	for _, prefix := range n.prefixes[text[0]] {
		rest, ok := strings.CutPrefix(text, prefix)
		if !ok {
			continue
		}
		if !startsWithLetter(rest) {
			return cutNumberWord(rest)
		}
		if further := n.cutPrefix(rest); further != rest {
			return further
		}
		if further := cutNumberWord(rest); further != rest {
			return further
		}
	}
	return text
}

func cutNumberWord(text string) string {
	trimmed := strings.TrimLeftFunc(text, separates)
	for _, word := range []string{"NUMBER", "NUM", "NO", "NR"} {
		if rest, ok := strings.CutPrefix(trimmed, word); ok && strings.TrimLeftFunc(rest, separates) != "" && !startsWithLetter(rest) {
			return rest
		}
	}
	return text
}

// cutPart splits "RENT 1/2" or "RENT (1/2)" before the part. The part must stand apart and be one of at least two, so
// that 2026/0018 and A/1/2 stay what they are.
func cutPart(text string) (head, part string) {
	if strings.IndexByte(text, '/') < 0 {
		return text, ""
	}
	body := strings.TrimRight(text, " )].")
	body, total := cutDigits(body)
	body, slash := strings.CutSuffix(strings.TrimRight(body, " "), "/")
	if !slash {
		return text, ""
	}
	body, number := cutDigits(strings.TrimRight(body, " "))
	n, errNumber := strconv.Atoi(number)
	m, errTotal := strconv.Atoi(total)
	if errNumber != nil || errTotal != nil || n < 1 || m < 2 || n > m || m > 999 {
		return text, ""
	}
	last, _ := utf8.DecodeLastRuneInString(body)
	if body == "" || last == '/' || !separates(last) {
		return text, ""
	}
	return body, strconv.Itoa(n) + "/" + strconv.Itoa(m)
}

func cutDigits(text string) (head, digits string) {
	head = strings.TrimRight(text, "0123456789")
	return head, text[len(head):]
}

// saysNone knows the words that stand where a reference would.
func saysNone(ref string) bool {
	switch ref {
	case "", "NONREF", "NOREF", "NOREFERENCE", "NOTPROVIDED", "NOTAVAILABLE", "NOTSPECIFIED", "NONE", "NA", "NIL", "NULL",
		"UNKNOWN", "UNDEFINED":
		return true
	}
	return false
}

func namesBatch(ref string) bool {
	for _, word := range []string{"BATCH", "SAMMLER", "DEPOSIT", "PAYOUT"} {
		if strings.HasPrefix(ref, word) {
			return true
		}
	}
	rest, lot := strings.CutPrefix(ref, "LOT")
	return lot && !startsWithLetter(rest) // LOTUS-7 is no lot
}

// upper also folds the wide and the narrow forms of letters and digits that banks in Japan print.
func upper(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			raised := cases.Upper(language.Und).String(norm.NFKC.String(strings.ToValidUTF8(text, "")))
			return norm.NFKC.String(raised)
		}
	}
	return strings.ToUpper(text)
}

// squeeze leaves out what separates. It normalises again, as marks that were apart may now stand together.
func squeeze(text string) string {
	first, ascii := -1, true
	for i := range len(text) {
		ascii = ascii && text[i] < utf8.RuneSelf
		if first < 0 && separates(rune(text[i])) {
			first = i
		}
	}
	switch {
	case !ascii:
		return norm.NFKC.String(strings.Map(kept, text))
	case first < 0:
		return text
	}
	var b strings.Builder
	b.Grow(len(text) - 1)
	b.WriteString(text[:first])
	for i := first + 1; i < len(text); i++ {
		if !separates(rune(text[i])) {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// kept drops what separates from what strings.Map gives.
func kept(r rune) rune {
	if separates(r) {
		return -1
	}
	return r
}

func separates(r rune) bool {
	if r < utf8.RuneSelf {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
}

func startsWithLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && unicode.IsLetter(r)
}
