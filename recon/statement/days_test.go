package statement_test

import (
	"os"
	"strings"
	"testing"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// TestRead_ReadsDaysInManyTongues reads each day of testdata/days.txt as the only one of a file.
func TestRead_ReadsDaysInManyTongues(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/days.txt")
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(string(data)) {
		printed, day, ok := strings.Cut(strings.TrimSpace(row), " | ")
		if !ok {
			continue
		}
		read, err := statement.Read([]byte("Date;Description;Amount\n\""+printed+"\";x;-1,50\n"), statement.Hints{"currency": "EUR"})
		if err != nil {
			t.Errorf("%s: %v", printed, err)
			continue
		}
		if len(read.Lines) != 1 || read.Lines[0].Date != ledger.MustDate(day) {
			t.Errorf("%s: read %+v, rejected %+v, want %s", printed, read.Lines, read.Rejects, day)
		}
	}
}
