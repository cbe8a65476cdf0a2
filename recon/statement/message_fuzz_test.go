package statement_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/recon/statement"
)

// FuzzReadMT940 looks for a message that the reader neither reads nor refuses in its own words, or of which it loses an entry.
func FuzzReadMT940(f *testing.F) {
	const head = ":20:F\r\n"
	for _, text := range append(corpusTexts(f, "*.sta"),
		dayOf("31/1", "30", "100,00", "90,00", ":61:2603300330D10,00NTRFA-1//B1\r\nMORE", ":86:166?00X?20EREF+E-1?21SVWZ+Rent?32Halden")+dayOf("31/1", "31", "90,00", "90,00"),
		ofOne(":61:2512310102RCR1,NTRFEREF//B1", ":86:/EREF/E-1//CNTP/NL00/TEST/HALDEN/DELFT///REMI/USTD//INV 7/"),
		ofOne(":61:260331CR\r\n30,00N062NONREF", ":NS:01RENT\r\n15HALDEN\r\n17CREDIT"),
		"{1:F01TESTDEFFAXXX0000000000}{2:I940TESTDEFFXXXXN}{4:\r\n"+dayOf("1", "30", "1,", "1,")+"-}{5:}", ":60F:C000000EUR,\r\n:61:0000000000C,\r\n:62M:D999999EUR0,") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { readsOrRefuses(t, head+text) })
}

// FuzzReadBAI2 looks for a file that the reader neither reads nor refuses in its own words, or of which it loses a movement.
func FuzzReadBAI2(f *testing.F) {
	const head = "01,B,C,260401,0500,1,80,,2/\n02,"
	for _, text := range append(corpusTexts(f, "*.bai"),
		baiOf(baiDay("30", "1", 10000, 500), baiDay("31", "1", 10500, 250)), baiOfOne("16,165,66550,S,10000,20000,36550,BR002,,LOCKBOX DEPOSIT\n88,AND\nMORE"),
		baiOfOne("16,165,-2500,D,2,0,1500,1/\n88,1000,B1,C1,TEXT/"), baiOfOne("16,890,,,,,NOTE\n16,721,1,,,,LOAN\n16,475,2500,V,260316,,B,C,X"),
		strings.ReplaceAll(baiOf(baiDay("30", "1", 10000, 500)), "\n", "")) {
		_, after, _ := strings.Cut(text, "02,")
		f.Add(after)
	}
	f.Fuzz(func(t *testing.T, text string) { readsOrRefuses(t, head+text) })
}

func corpusTexts(f *testing.F, pattern string) []string {
	files, err := filepath.Glob("testdata/*/*/" + pattern)
	if err != nil || len(files) == 0 {
		f.Fatalf("no %s: %v", pattern, err)
	}
	var texts []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	return texts
}

// readsOrRefuses holds what must be true of every file: a statement whose balances are stated at both ends, and from which nothing was left
// out, adds up.
func readsOrRefuses(t *testing.T, text string) {
	t.Helper()
	read, err := statement.Read([]byte(text), statement.Hints{"currency": "EUR"})
	if err != nil {
		checkSaid(t, err)
		return
	}
	checkWhole(t, read)
	if read.OpeningMinor == nil || read.ClosingMinor == nil || len(read.Rejects) > 0 {
		return
	}
	sum := *read.OpeningMinor
	for _, l := range read.Lines {
		sum += l.AmountMinor
	}
	if sum != *read.ClosingMinor {
		t.Fatalf("opening %d and the lines give %d, not %d", *read.OpeningMinor, sum, *read.ClosingMinor)
	}
}
