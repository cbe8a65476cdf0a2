package reporttest

import (
	"slices"
	"strings"
	"testing"
)

// Agree holds the words of a statement on a page against those of its PDF, which has a title, a foot on each sheet and heads of tables besides.
func Agree(t *testing.T, shown []string, pdf []byte) {
	t.Helper()
	var printed []string
	for _, piece := range Words(t, pdf) {
		printed = append(printed, strings.Fields(piece)...)
	}
	// What a cell has no room for is broken between words, or within a long one: then its pieces come one after the other.
	text := strings.Join(printed, "")
	for _, word := range shown {
		if !strings.Contains(text, word) && !slices.Contains(printed, word) {
			t.Errorf("the page says %q, the PDF does not", word)
		}
	}
	page := strings.Join(shown, "")
	for _, word := range printed {
		word = strings.TrimRight(word, ".,") // the foot is made of sentences
		if !strings.Contains(page, word) && !slices.Contains([]string{"Page", "Bank", "reconciliation", "statement", "of"}, word) {
			t.Errorf("the PDF says %q, the page does not", word)
		}
	}
}
