package store_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

const ourIBAN = "DE00500105170000000777"

// booking is a movement as each format tells it. The camt.053 has an id of the bank besides.
type booking struct{ date, amount, reference, text string }

// fewDays have two coffees that are equal.
var fewDays = []booking{
	{"2026-03-10", "-7.50", "NB0001", "Account charges VAT reserve"},
	{"2026-03-11", "-2.80", "", "Coffee bar"}, {"2026-03-11", "-2.80", "", "Coffee bar"},
	{"2026-03-12", "6000.00", "TRF-VAT-03", "Transfer to VAT reserve"},
}

// closingOf gives what an opening of 1000.00 comes to.
func closingOf(all []booking) string {
	minor := int64(100000)
	for _, b := range all {
		amount, err := ledger.ParseAmount(b.amount, "EUR")
		if err != nil {
			panic(err)
		}
		minor += amount
	}
	return ledger.FormatAmount(minor, "EUR")
}

func inCamt(account string, all ...booking) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>%s</IBAN></Id><Ccy>EUR</Ccy></Acct>`, account)
	for code, amount := range map[string]string{"OPBD": "1000.00", "CLBD": closingOf(all)} {
		fmt.Fprintf(&b, `<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">%s</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`, code, amount)
	}
	for i, m := range all {
		amount, out := strings.CutPrefix(m.amount, "-")
		fmt.Fprintf(&b, `<Ntry><Amt Ccy="EUR">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>%s</Dt></BookgDt><AcctSvcrRef>B%d</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>%s</EndToEndId></Refs><RmtInf><Ustrd>%s</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
			amount, map[bool]string{true: "DBIT", false: "CRDT"}[out], m.date, i, m.reference, m.text)
	}
	return []byte(b.String() + `</Stmt></BkToCstmrStmt></Document>`)
}

func inMT940(account string, all ...booking) []byte {
	day := func(date string) string { return strings.ReplaceAll(date[2:], "-", "") }
	comma := func(amount string) string { return strings.Replace(amount, ".", ",", 1) }
	rows := []string{":20:STARTUMS", ":25:" + account, ":28C:1/1", ":60F:C" + day(all[0].date) + "EUR1000,00"}
	for _, m := range all {
		amount, out := strings.CutPrefix(m.amount, "-")
		reference := m.reference
		if reference == "" {
			reference = "NONREF"
		}
		rows = append(rows, ":61:"+day(m.date)+day(m.date)[2:]+map[bool]string{true: "D", false: "C"}[out]+comma(amount)+"NTRF"+reference, ":86:"+m.text)
	}
	rows = append(rows, ":62F:C"+day(all[len(all)-1].date)+"EUR"+comma(closingOf(all)), "-", "")
	return []byte(strings.Join(rows, "\r\n"))
}

func inCSV(all ...booking) []byte {
	rows := "Date,Amount,Reference,Description\n"
	for _, m := range all {
		rows += m.date + "," + m.amount + "," + m.reference + "," + m.text + "\n"
	}
	return []byte(rows)
}

func TestUploadStatement_TheSameDaysInThreeFormatsAreStoredOnce(t *testing.T) {
	t.Parallel()
	formats := map[string]func(...booking) []byte{
		"camt":  func(all ...booking) []byte { return inCamt(ourIBAN, all...) },
		"mt940": func(all ...booking) []byte { return inMT940(ourIBAN, all...) },
		"csv":   inCSV,
	}
	for _, order := range [][]string{{"camt", "mt940", "csv"}, {"camt", "csv", "mt940"}, {"mt940", "camt", "csv"}, {"mt940", "csv", "camt"}, {"csv", "camt", "mt940"}, {"csv", "mt940", "camt"}} {
		t.Run(strings.Join(order, " "), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for i, format := range order {
				want := store.RowCounts{Known: 4}
				if i == 0 {
					want = store.RowCounts{New: 4}
				}
				if got := b.upload(t, formats[format](fewDays...)); got.Rows != want || len(got.InDoubt) != 0 {
					t.Errorf("%s: rows %+v, in doubt %+v", format, got.Rows, got.InDoubt)
				}
			}
			third := append([]booking{fewDays[0], fewDays[1]}, fewDays[1:]...)
			if got := b.upload(t, formats[order[2]](third...)); got.Rows != (store.RowCounts{New: 1, Known: 4}) {
				t.Errorf("with a third coffee: rows %+v, in doubt %+v", got.Rows, got.InDoubt)
			}
			if got := b.upload(t, append(formats[order[1]](third...), '\n')); got.Rows != (store.RowCounts{Known: 5}) {
				t.Errorf("with the third coffee in another format: rows %+v, in doubt %+v", got.Rows, got.InDoubt)
			}
		})
	}
}

func TestUploadStatement_OnlyDayAndAmountOfAnotherFormatAreInDoubt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.upload(t, inCamt(ourIBAN, fewDays...))
	other := inCSV(booking{"2026-03-10", "-7.50", "X1", "Fees"}, booking{"2026-03-12", "9.00", "X2", "Interest"})
	id := b.start(t, other)
	p, err := b.PreviewDraft(t.Context(), b.preparer, id, store.PreviewWindow{Class: store.RowKnown})
	ok(t, err)
	if p.Rows != (store.RowCounts{New: 1, Known: 1}) || p.InDoubt != 1 || !p.Shown[0].MayBeNew || p.Shown[0].KnownBy != 1 {
		t.Errorf("rows %+v, in doubt %d, known %+v", p.Rows, p.InDoubt, p.Shown)
	}
	p = b.tell(t, id, nil, func(c *store.DraftChange) { c.Include = []int{2} })
	if p.Rows != (store.RowCounts{New: 2}) || !reflect.DeepEqual(p.Included, []int{2}) {
		t.Errorf("after it is included: rows %+v, included %v", p.Rows, p.Included)
	}
}

func TestUploadStatement_EqualBalancesDecideWhatOnlyTheAmountSays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.upload(t, inCamt(ourIBAN, fewDays...))
	var reworded []booking
	for i, m := range fewDays {
		reworded = append(reworded, booking{m.date, m.amount, fmt.Sprint("R", i), fmt.Sprint("other words ", i)})
	}
	if got := b.upload(t, inMT940(ourIBAN, reworded...)); got.Rows != (store.RowCounts{Known: 4}) || len(got.InDoubt) != 0 {
		t.Errorf("rows %+v, in doubt %+v", got.Rows, got.InDoubt)
	}
	if got := b.upload(t, inCSV(reworded...)); got.Rows != (store.RowCounts{Known: 4}) || len(got.InDoubt) != 4 {
		t.Errorf("without balances: rows %+v, in doubt %+v", got.Rows, got.InDoubt)
	}
}
