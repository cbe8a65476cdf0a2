// Package reporttest reads back what package report writes, for tests.
package reporttest

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"testing"
	"unicode/utf16"
)

var (
	stream = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)
	shown  = regexp.MustCompile(`(?s)\(((?:\\.|[^\\)])*)\) Tj`)
)

// Words are the pieces of text that a PDF of package report shows, in the order in which they were written.
func Words(t *testing.T, pdf []byte) []string {
	t.Helper()
	var words []string
	for _, found := range stream.FindAllSubmatch(pdf, -1) {
		reader, err := zlib.NewReader(bytes.NewReader(found[1]))
		if err != nil {
			continue // not a page
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			t.Fatalf("a stream of the PDF does not inflate: %v", err)
		}
		for _, piece := range shown.FindAllSubmatch(content, -1) {
			words = append(words, decode(piece[1]))
		}
	}
	return words
}

// decode reads a string of a PDF: two bytes a character, some of them escaped.
func decode(text []byte) string {
	var plain []byte
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
			if text[i] == 'r' {
				plain = append(plain, '\r')
				continue
			}
		}
		plain = append(plain, text[i])
	}
	units := make([]uint16, len(plain)/2)
	for i := range units {
		units[i] = uint16(plain[2*i])<<8 | uint16(plain[2*i+1])
	}
	return string(utf16.Decode(units))
}
