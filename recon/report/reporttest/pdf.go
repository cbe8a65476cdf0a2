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
	shown  = regexp.MustCompile(`(?s)(?:(/F\w+ [\d.]+) Tf|\(((?:\\.|[^\\)])*)\) Tj)`)
)

// Words are the pieces of text that a PDF of package report shows, in the order in which they were written.
func Words(t *testing.T, pdf []byte) (words []string) {
	t.Helper()
	for _, p := range pieces(t, pdf) {
		words = append(words, p.text)
	}
	return words
}

// Fonts are the fonts, with their sizes, in which a text is shown, each time that it is.
func Fonts(t *testing.T, pdf []byte, text string) (fonts []string) {
	t.Helper()
	for _, p := range pieces(t, pdf) {
		if p.text == text {
			fonts = append(fonts, p.font)
		}
	}
	return fonts
}

type piece struct{ text, font string }

func pieces(t *testing.T, pdf []byte) (pieces []piece) {
	t.Helper()
	for _, found := range stream.FindAllSubmatch(pdf, -1) {
		reader, err := zlib.NewReader(bytes.NewReader(found[1]))
		if err != nil {
			continue // not a page
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			t.Fatalf("a stream of the PDF does not inflate: %v", err)
		}
		font := ""
		for _, operator := range shown.FindAllSubmatch(content, -1) {
			if len(operator[1]) > 0 {
				font = string(operator[1])
				continue
			}
			pieces = append(pieces, piece{decode(operator[2]), font})
		}
	}
	return pieces
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
