// Package report makes what leaves as a file. A Document is the words and figures of a report, written as its reader wants them; a page, PDF
// and XLSX show the same one, so that they agree to the letter. The same document gives the same bytes.
//
// The fonts are Inter 4.1 (SIL OFL 1.1, LICENSE-inter.txt), cut to the characters of European languages, with figures of one width.
package report
