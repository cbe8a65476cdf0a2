package web_test

import (
	"net/url"
	"strings"
	"testing"
)

// chooses fills the form over the breaks in: the rows that have these words, and what is typed.
func (p page) chooses(t *testing.T, action string, words []string, pairs ...string) url.Values {
	t.Helper()
	values := p.filled(t, action, typed(pairs...))
	for _, text := range words {
		values.Add("break", p.row(t, text, "break"))
	}
	return values
}

// row gives the value of the box of this name in the row of a table that has a text.
func (p page) row(t *testing.T, text, name string) string {
	t.Helper()
	for n := range p.node(t).Descendants() {
		if n.Data != "tr" || !has(n, "data-row") || !strings.Contains(textOf(n), text) {
			continue
		}
		for box := range n.Descendants() {
			if attribute(box, "name") == name {
				return attribute(box, "value")
			}
		}
	}
	t.Fatalf("%s has no row of %q with a box %s: %s", p.path, text, name, p.text(t))
	return ""
}

// at is the row that the page goes on with.
func (p page) at(t *testing.T) string {
	t.Helper()
	for n := range p.node(t).Descendants() {
		if n.Data == "tr" && has(n, "data-here") {
			return textOf(n)
		}
	}
	return ""
}

// ticked are the breaks that are chosen on the page.
func (p page) ticked(t *testing.T) (values []string) {
	t.Helper()
	for n := range p.node(t).Descendants() {
		if n.Data == "input" && has(n, "checked") && (attribute(n, "name") == "break" || attribute(n, "name") == "part") {
			values = append(values, attribute(n, "value"))
		}
	}
	return values
}

// partOf gives the box of one line or posting by its text.
func (p page) partOf(t *testing.T, text string) string {
	t.Helper()
	for n := range p.node(t).Descendants() {
		if n.Data != "div" || !strings.HasPrefix(attribute(n, "class"), "pairline") || !strings.Contains(textOf(n), text) {
			continue
		}
		for box := range n.Descendants() {
			if attribute(box, "name") == "part" {
				return attribute(box, "value")
			}
		}
	}
	t.Fatalf("%s has no box for %q", p.path, text)
	return ""
}
