package statement_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"daybook/recon/statement"
)

// FuzzReadMessage looks for a message of a bank that the reader neither reads nor refuses in its own words, of which it loses an entry or holds
// more than it shows, or of which Inspect tells something else than Read.
func FuzzReadMessage(f *testing.F) {
	for _, pattern := range []string{"testdata/*/*/statement.xml", "testdata/*/*/statement.ofx", "testdata/*/*/statement.sta", "testdata/*/*/statement.bai"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
			f.Add(data[:len(data)*2/3])
		}
	}
	for _, text := range []string{
		camtOf(stmtOf(ourIBAN, balOf("PRCD", "1.00", "2026-03-01"), balOf("ITBD", "2.00", ""), ntryOf("1.00", "A1", "<RvslInd>true</RvslInd><NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>"+txOf("E1", "Rent")+"</NtryDtls>"), ntryOf("1.00", "A1"))),
		camtOf(stmtOf(ourIBAN, ntryOf("1.00", "A1")), stmtOf(otherIBAN, ntryOf("1.00", "A1"))),
		camtOf(`<Stmt/><Stmt><Ntry/><Bal/><Acct/></Stmt>`),
		ofxOf(bankOf("00123", "1.00", trnOf("1.00", "F1", "<NAME>A & B<MEMO>&amp;amp;<![CDATA[x]]>"), trnOf("-1,00", "F1", "<CORRECTFITID>F1<CORRECTACTION>DELETE"))),
		ofxOf(bankOf("00123", "1.00", "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260331<TRNAMT>1<FITID>1", "<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260331<TRNAMT>1<FITID>2"), bankOf("4", "")),
		"<OFX><BANKTRANLIST><STMTTRNP><!-- <X> --><CURRENCY><CURSYM>EUR</OFX>",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		hints := statement.Hints{"currency": "EUR"}
		read, err := statement.Read(data, hints)
		found, inspectErr := statement.Inspect(data, hints)
		if inspectErr != nil {
			t.Fatalf("Inspect says %v, Read %v", inspectErr, err)
		}
		var refusal *statement.Refusal
		if errors.As(err, &refusal) != (found.Refusal != nil) {
			t.Fatalf("Inspect refuses %v, Read says %v", found.Refusal, err)
		}
		if err != nil {
			checkSaid(t, err)
			checkQuestion(t, found)
			return
		}
		checkWhole(t, read)
		if !reflect.DeepEqual(found.Statement, read) {
			t.Fatalf("Inspect reads %+v, Read %+v", found.Statement, read)
		}
		for _, l := range read.Lines {
			if read.Format != "csv" && len(l.Raw) > 5_000 {
				t.Fatalf("a line shows %d bytes", len(l.Raw))
			}
		}
	})
}
