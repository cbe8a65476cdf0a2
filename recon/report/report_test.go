package report_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"daybook/recon/report"
	"daybook/recon/report/reporttest"
	"daybook/store/ledger"
)

func money(minor int64, currency, text string) report.Cell {
	return report.Cell{Text: text, Kind: report.Money, Minor: minor, Currency: currency}
}

func sample(rows int) report.Document {
	table := report.Table{
		Columns: []report.Column{{Name: "Day", Share: 10}, {Name: "Text", Share: 60}, {Name: "Age", Share: 6, Right: true}, {Name: "Amount", Share: 14, Right: true}},
		Total:   &report.Row{Strong: true, Cells: []report.Cell{{Text: "Total"}, {}, {}, money(-128450, "EUR", "(1,284.50)")}},
	}
	for i := range rows {
		table.Rows = append(table.Rows, report.Row{Cells: []report.Cell{
			{Text: "2026-03-31", Kind: report.Day, Day: ledger.MustDate("2026-03-31")}, {Text: fmt.Sprintf("Łódź, Zażółć gęślą jaźń, Ærøskøbing (%d)", i)},
			{Text: "7", Kind: report.Count, Number: 7}, money(-128450, "EUR", "(1,284.50)"),
		}})
	}
	return report.Document{
		Title: "Bank reconciliation statement", Lines: []string{"1010 Bank, operating · € · März"}, Foot: "1010, März", Stamp: time.Date(2026, 4, 1, 9, 42, 0, 0, time.UTC),
		Sections: []report.Section{
			{Title: "Proof", Note: "a note", Facts: []report.Fact{{Name: "File", Value: report.Cell{Text: "nord_2026-03.csv"}}}},
			{Title: "Outstanding", Sheet: "Outstanding", Table: &table},
			{Title: "Nothing", Sheet: "Nothing", Table: &report.Table{Columns: table.Columns, Empty: "There is none."}},
		},
	}
}

func TestPDF_HasAllWords(t *testing.T) {
	t.Parallel()
	pdf, err := sample(200).PDF()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(reporttest.Words(t, pdf), "\n")
	for _, want := range []string{"Bank reconciliation statement", "1010 Bank, operating · € · März", "Łódź, Zażółć gęślą jaźń, Ærøskøbing (0)", "Ærøskøbing (199)",
		"(1,284.50)", "There is none.", "nord_2026-03.csv", "a note", "Page 1 of 7", "Page 7 of 7", "1010, März"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if heads := strings.Count(text, "Amount"); heads != 7 {
		t.Errorf("the head of the table is there %d times", heads)
	}
	if feet := reporttest.Fonts(t, pdf, "1010, März"); len(feet) != 7 || slices.ContainsFunc(feet, func(font string) bool { return font != feet[0] }) {
		t.Errorf("the feet are written in the fonts %q", feet)
	}
}

func TestDocument_GivesTheSameBytes(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(report.Document) ([]byte, error){"PDF": report.Document.PDF, "XLSX": report.Document.XLSX} {
		first, err := make(sample(50))
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			again, err := make(sample(50))
			if err != nil || !bytes.Equal(first, again) {
				t.Fatalf("%s differs from one time to the next: %d and %d bytes, %v", name, len(first), len(again), err)
			}
		}
	}
}

func TestXLSX_HasNumbersAndDays(t *testing.T) {
	t.Parallel()
	data, err := sample(3).XLSX()
	if err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if got := book.GetSheetList(); strings.Join(got, ",") != "Bank reconciliation statement,Outstanding,Nothing" {
		t.Errorf("the sheets are %q", got)
	}
	for at, want := range map[string][2]string{ // as shown, and as stored
		"A1": {"Day", "Day"}, "A2": {"2026-03-31", "46112"}, "B2": {"Łódź, Zażółć gęślą jaźń, Ærøskøbing (0)", "Łódź, Zażółć gęślą jaźń, Ærøskøbing (0)"}, "C2": {"7", "7"},
		"D2": {"(1,284.50)", "-1284.5"}, "A5": {"Total", "Total"}, "D5": {"(1,284.50)", "-1284.5"},
	} {
		shown, err := book.GetCellValue("Outstanding", at)
		if err != nil || shown != want[0] {
			t.Errorf("%s shows %q, want %q (%v)", at, shown, want[0], err)
		}
		if stored, err := book.GetCellValue("Outstanding", at, excelize.Options{RawCellValue: true}); err != nil || stored != want[1] {
			t.Errorf("%s holds %q, want %q (%v)", at, stored, want[1], err)
		}
	}
}

func TestXLSX_KeepsEveryDigit(t *testing.T) {
	t.Parallel()
	d := sample(1)
	d.Sections[1].Table.Rows[0].Cells[3] = money(-ledger.MaxAmountMinor, "EUR", "")
	data, err := d.XLSX()
	if err != nil {
		t.Fatal(err)
	}
	zipped, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := zipped.Open("xl/worksheets/sheet2.xml")
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := io.ReadAll(file)
	if err != nil || !bytes.Contains(sheet, []byte("<v>-92233720368547758.07</v>")) {
		t.Errorf("the largest amount is not written in full: %v", err)
	}
}

func TestXLSX_WritesTextAsText(t *testing.T) {
	t.Parallel()
	d := sample(1)
	const text = "=HYPERLINK(\"x\") & <b> \U0001F600"
	d.Sections[1].Table.Rows[0].Cells[1].Text = text
	data, err := d.XLSX()
	if err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if got, err := book.GetCellValue("Outstanding", "B2"); err != nil || got != text {
		t.Errorf("it holds %q (%v)", got, err)
	}
	if formula, err := book.GetCellFormula("Outstanding", "B2"); err != nil || formula != "" {
		t.Errorf("it is the formula %q (%v)", formula, err)
	}
}

func FuzzDocument(f *testing.F) {
	for _, seed := range []string{"plain", "zł €", "\U0001F600", "\x00\xff", strings.Repeat("long ", 400), strings.Repeat("x", 3000), "漢字 العربية", "a\nb\n\n", "\u202f1", "(\\)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := sample(1)
		d.Lines, d.Foot = append(d.Lines, text), text
		d.Sections[0].Note, d.Sections[0].Facts[0] = text, report.Fact{Name: text, Value: report.Cell{Text: text}}
		d.Sections[1].Table.Rows[0].Cells[1].Text = text
		if _, err := d.PDF(); err != nil {
			t.Error(err)
		}
		if _, err := d.XLSX(); err != nil {
			t.Error(err)
		}
	})
}
