package statement_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"daybook/recon/statement"
)

// TestReadMessage_MemoryStaysInProportion feeds messages that are made to cost many times their size. It runs alone, since it measures the
// whole program.
func TestReadMessage_MemoryStaysInProportion(t *testing.T) {
	many := func(n int, one func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(one(i))
		}
		return b.String()
	}
	camt := func(inside string) string { return camtOf(stmtOf(ourIBAN, inside)) }
	ofx := func(inside string) string { return ofxOf(bankOf("00123", "", inside)) }
	for name, text := range map[string]string{
		"many entries": camt(many(20_000, func(i int) string {
			return ntryOf("1.00", fmt.Sprint("A", i), "<NtryDtls>"+txOf(fmt.Sprint("E", i), "Rent")+"</NtryDtls>")
		})),
		"a batch of many payments": camt(ntryOf("1.00", "A1", "<NtryDtls>"+many(20_000, func(i int) string { return txOf(fmt.Sprint("E", i), fmt.Sprint("Salary ", i)) })+"</NtryDtls>")),
		"texts in many pieces": camt(many(100, func(int) string {
			return ntryOf("1.00", "A1", "<NtryDtls><TxDtls>"+many(4_000, func(int) string { return "<RmtInf><Ustrd>a</Ustrd></RmtInf>" })+"</TxDtls></NtryDtls>")
		})),
		"empty entries":               camt(strings.Repeat("<Ntry/>", 100_000)),
		"empty balances":              camt(strings.Repeat("<Bal/>", 100_000)),
		"empty elements":              camt(strings.Repeat("<a/>", 200_000)),
		"empty statements":            camtOf(strings.Repeat("<Stmt/>", 100_000)),
		"statements of many accounts": camtOf(many(5_000, func(i int) string { return stmtOf(fmt.Sprint("DE", i), ntryOf("1.00", "A1")) })),
		"many attributes":             camt("<a" + many(40_000, func(i int) string { return fmt.Sprintf(` a%d=""`, i) }) + "/>"),
		"an endless element":          camt("<a" + many(100_000, func(i int) string { return fmt.Sprintf(` a%d=""`, i) }) + "/>"),
		"an endless name":             camt("<" + strings.Repeat("a", 1_000_000) + "/>"),
		"an endless text":             camt("<a>" + strings.Repeat("a", 1_000_000) + "</a>"),
		"an endless comment":          camt("<!--" + strings.Repeat("a", 1_000_000) + "-->"),
		"elements that never end":     camt(strings.Repeat("<a>", 300_000)),

		"many entries of OFX":         ofx(many(20_000, func(i int) string { return trnOf("1.00", fmt.Sprint("F", i), "<NAME>Rent") })),
		"entries without anything":    ofx(strings.Repeat("<STMTTRN>", 100_000)),
		"a name of many":              ofx(trnOf("1.00", "F1", many(50_000, func(i int) string { return fmt.Sprintf("<NAME>n%d", i) }))),
		"brackets":                    ofx(trnOf("1.00", "F1", "<NAME>"+strings.Repeat("<", 200_000))),
		"brackets with blanks":        ofx(trnOf("1.00", "F1", "<NAME>"+strings.Repeat("< ", 100_000))),
		"comments without an end":     ofx(strings.Repeat("<!-- ", 100_000)),
		"entities":                    ofx(trnOf("1.00", "F1", "<NAME>"+strings.Repeat("&amp;", 40_000))),
		"aggregates that never end":   ofx(strings.Repeat("<CURRENCY>", 100_000)),
		"statements without anything": ofxOf(strings.Repeat("<STMTRS>", 100_000)),
		"corrections of one entry":    ofx(trnOf("1.00", "F1") + many(10_000, func(i int) string { return trnOf("1.00", fmt.Sprint("G", i), "<CORRECTFITID>F1<CORRECTACTION>REPLACE") })),
		"corrections of each other":   ofx(many(10_000, func(i int) string { return trnOf("1.00", "F1", "<CORRECTFITID>F1") })),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := statement.Read([]byte(text), statement.Hints{"currency": "EUR"})
			runtime.ReadMemStats(&after)
			var refusal *statement.Refusal
			if err != nil && !errors.As(err, &refusal) {
				t.Fatal(err)
			}
			if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(100*len(text)) {
				t.Errorf("%d bytes allocated for a file of %d, %d times as many", spent, len(text), spent/uint64(len(text)))
			} else {
				t.Logf("%d times as many", spent/uint64(len(text)))
			}
		})
	}
}
