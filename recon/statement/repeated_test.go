package statement_test

import (
	"strings"
	"testing"
)

// What stands in a file twice has moved money once, also where its entries come to nothing, so that no balance speaks against it.
func TestRead_ReadsOnceWhatStandsInAFileTwice(t *testing.T) {
	t.Parallel()
	sent := func(at, copied string) string {
		head := "<ElctrncSeqNb>31</ElctrncSeqNb><CreDtTm>2026-03-03T0" + at + ":00:00</CreDtTm><FrToDt><FrDtTm>2026-03-02T00:00:00</FrDtTm><ToDtTm>2026-03-02T23:59:59</ToDtTm></FrToDt>" + copied
		stmt := stmtOf(ourIBAN, balOf("OPBD", "100.00", "2026-03-02"), balOf("CLBD", "100.00", "2026-03-02"), ntryOf("10.00", "A1"), strings.Replace(ntryOf("7.00", "A3"), "BOOK", "PDNG", 1), ntryOf("-10.00", "A2"))
		return strings.Replace(stmt, "<Acct>", head+"<Acct>", 1)
	}
	camt := sent("1", "")
	numbered := func(number string) string { return strings.Replace(camt, ">31<", ">"+number+"<", 1) }
	noIDs := strings.NewReplacer("<Id>S</Id>", "", "<ElctrncSeqNb>31</ElctrncSeqNb>", "").Replace(camt)
	bai := func(entries ...string) string {
		return accountOf(-1, append([]string{"03,12345678,,,,,/"}, entries...)...)
	}
	in, out := "16,165,1000,Z,B1,C1,IN", "16,475,1000,Z,B2,C2,OUT"
	unbalanced := strings.ReplaceAll(bai(in, out), "49,-1,", "49,2000,")
	group := groupOf("30", "USD,2", unbalanced)
	level := groupOf("30", "USD,2", accountOf(202000, "03,12345678,,010,100000,,,015,100000,,/", in, out))
	ofx := bankOf("00123", "90.00", trnOf("-10.00", "F1"), trnOf("10.00", "F2"))
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"a statement":                     {camtOf(camt, camt), []string{"100.00 to 100.00", "1: 2026-03-02 10.00", "3: 2026-03-02 -10.00", "2: pending", "4: skipped, repeated\n5: skipped, repeated\n6: skipped, repeated"}},
		"one that is sent again later":    {camtOf(camt) + camtOf(sent("9", "")), []string{"4: skipped, repeated"}},
		"one that is sent as a copy":      {camtOf(camt, sent("2", "<CpyDplctInd>DUPL</CpyDplctInd>")), []string{"4: skipped, repeated"}},
		"one of another number":           {camtOf(camt, numbered("32")), []string{"4: 2026-03-02 10.00", "6: 2026-03-02 -10.00"}},
		"one that nothing names":          {camtOf(noIDs, noIDs), []string{"4: 2026-03-02 10.00"}},
		"one with another entry":          {camtOf(camt, strings.Replace(camt, "A1", "A9", 1)), []string{"4: 2026-03-02 10.00"}},
		"one whose entries move money":    {camtOf(stmtOf(ourIBAN, balOf("OPBD", "1.00", "2026-03-02"), balOf("CLBD", "11.00", "2026-03-02"), ntryOf("10.00", "A1")), stmtOf(ourIBAN, balOf("OPBD", "1.00", "2026-03-02"), balOf("CLBD", "11.00", "2026-03-02"), ntryOf("10.00", "A1"))), []string{"1.00 to 11.00", "1: 2026-03-02 10.00", "2: skipped, repeated"}},
		"a group":                         {baiOf(group, group), []string{"- to -", "1: 2026-03-30 10.00", "2: 2026-03-30 -10.00", "3: skipped, repeated\n4: skipped, repeated"}},
		"a group with balances":           {baiOf(level, level), []string{"1000.00 to 1000.00", "2: 2026-03-30 -10.00", "3: skipped, repeated\n4: skipped, repeated"}},
		"a file in a file":                {baiOf(group) + baiOf(group), []string{"2: 2026-03-30 -10.00", "3: skipped, repeated"}},
		"a group of another day":          {baiOf(group, strings.ReplaceAll(group, "260330", "260331")), []string{"3: 2026-03-31 10.00"}},
		"an account alike in its group":   {baiOf(groupOf("30", "USD,2", unbalanced, unbalanced)), []string{"3: 2026-03-30 10.00", "4: 2026-03-30 -10.00"}},
		"both in a group that is twice":   {baiOf(groupOf("30", "USD,2", unbalanced, unbalanced), groupOf("30", "USD,2", unbalanced, unbalanced)), []string{"3: 2026-03-30 10.00", "5: skipped, repeated\n6: skipped, repeated\n7: skipped, repeated"}},
		"an answer":                       {ofxOf(ofx, ofx), []string{"- to 90.00", "1: 2026-03-02 -10.00", "2: 2026-03-02 10.00", "3: skipped, repeated\n4: skipped, repeated"}},
		"an answer of another id":         {ofxOf(strings.Replace(ofx, "<STMTRS>", "<TRNUID>1<STMTRS>", 1), strings.Replace(ofx, "<STMTRS>", "<TRNUID>2<STMTRS>", 1)), []string{"2: 2026-03-02 10.00", "3: skipped, repeated"}},
		"an answer with other entries":    {ofxOf(ofx, strings.Replace(ofx, "F2", "F3", 1)), []string{"4: 2026-03-02 10.00"}},
		"entries without anything around": {"OFXHEADER:100\n\n<OFX><BANKTRANLIST>" + trnOf("1.00", "") + "</BANKTRANLIST><BANKTRANLIST>" + trnOf("1.00", "") + "</BANKTRANLIST></OFX>", []string{"2: 2026-03-02 1.00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tells(t, said(t, c.file, "currency=USD"), c.want...)
		})
	}
}
