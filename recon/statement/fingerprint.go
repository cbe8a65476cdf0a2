package statement

import (
	"crypto/sha256"
	"strconv"
	"strings"
)

// FingerprintVersion names the canonical form of Line.Fingerprint. A change of the form is a new version, stored beside the old one:
// under a silent change every line of the past would look new.
const FingerprintVersion = 1

// Fingerprint identifies a movement across files of the same account, so that an overlapping download adds only what is new.
// Version 1 is SHA-256 over fields, each as its length in bytes, a colon and its text:
//
//	with a bank id:    "1" "id" date amount currency bank-id
//	without a bank id: "1" "text" date amount currency reference description
//
// The date is YYYY-MM-DD and the amount minor units in decimal. Reference and description are folded (case, accents,
// punctuation and blanks do not count), since banks print the same movement now in capitals, now with other blanks. The bank's id makes
// the text superfluous, which banks complete after days; the amount stays, since a fee may share the id of its payment. Balance, row
// and raw text are left out: they differ from download to download.
//
// Equal fingerprints are counted by occurrence, never dropped: two equal coffees are two lines. A file with three of which two are known
// adds one.
func (l Line) Fingerprint() [32]byte {
	fields := []string{strconv.Itoa(FingerprintVersion), "text", l.Date.String(), strconv.FormatInt(l.AmountMinor, 10), l.Currency}
	if l.BankID != "" {
		fields[1] = "id"
		fields = append(fields, l.BankID)
	} else {
		fields = append(fields, fold(l.Reference), fold(l.Description))
	}
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(strconv.Itoa(len(f)))
		b.WriteByte(':')
		b.WriteString(f)
	}
	return sha256.Sum256([]byte(b.String()))
}

// Words gives the reference and the text of a line folded as for its fingerprint, by which files of two formats can be compared. Both are
// "" where the line says none.
func (l Line) Words() (reference, text string) {
	if !noReference(l.Reference) {
		reference = fold(l.Reference)
	}
	return reference, fold(l.Description)
}

// DuplicateRows gives the rows of lines that repeat an earlier line of the file: same bank id, date, amount and currency.
// Equal lines without a bank id are never duplicates.
func DuplicateRows(lines []Line) []int {
	type movement struct {
		id, date, currency string
		amountMinor        int64
	}
	seen := map[movement]bool{}
	var rows []int
	for _, l := range lines {
		if l.BankID == "" {
			continue
		}
		m := movement{l.BankID, l.Date.String(), l.Currency, l.AmountMinor}
		if seen[m] {
			rows = append(rows, l.Row)
		}
		seen[m] = true
	}
	return rows
}
