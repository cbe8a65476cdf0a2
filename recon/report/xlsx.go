package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"daybook/store/ledger"
)

// XLSX gives the document as a workbook: figures are numbers, days are dates, and a section with a Sheet has one of its own; the others
// stand below each other in the first.
func (d Document) XLSX() ([]byte, error) {
	b := &book{File: excelize.NewFile(), styles: map[string]int{}}
	defer b.Close()
	b.keep(b.SetSheetName("Sheet1", d.Title))
	b.properties(d)
	first := b.sheet(d.Title)
	first.words("B", d.Title)
	for _, line := range d.Lines {
		first.words("", line)
	}
	for _, section := range d.Sections {
		on := first
		if section.Sheet != "" && section.Table != nil {
			_, err := b.NewSheet(section.Sheet)
			b.keep(err)
			on = b.sheet(section.Sheet)
		}
		on.section(section, on != first)
	}
	b.keep(b.SetColWidth(d.Title, "A", "A", 34))
	b.keep(b.SetColWidth(d.Title, "B", "B", 40))
	if b.err != nil {
		return nil, fmt.Errorf("write the workbook: %w", b.err)
	}
	out, err := b.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("write the workbook: %w", err)
	}
	return out.Bytes(), nil
}

// book is a workbook with the first error that writing it had.
type book struct {
	*excelize.File
	styles map[string]int
	err    error
}

func (b *book) keep(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *book) properties(d Document) {
	stamp := d.Stamp.UTC().Format(time.RFC3339)
	b.keep(b.SetDocProps(&excelize.DocProperties{Title: d.Title, Creator: "Daybook", LastModifiedBy: "Daybook", Created: stamp, Modified: stamp}))
}

// style is the number of a way to show cells: bold or not, and a number format.
func (b *book) style(bold bool, format string) int {
	key := fmt.Sprint(bold, format)
	if id, known := b.styles[key]; known {
		return id
	}
	style := &excelize.Style{Font: &excelize.Font{Family: "Calibri", Size: 11, Bold: bold}, Alignment: &excelize.Alignment{Vertical: "top"}}
	if format != "" {
		style.CustomNumFmt = &format
	} else {
		style.Alignment.WrapText = true
	}
	id, err := b.NewStyle(style)
	b.keep(err)
	b.styles[key] = id
	return id
}

// sheet is one sheet, written from the top.
type sheet struct {
	*book
	name string
	row  int
}

func (b *book) sheet(name string) *sheet { return &sheet{book: b, name: name} }

func (s *sheet) words(style, text string) {
	s.row++
	s.cell(1, Cell{Text: text}, style == "B", false)
}

func (s *sheet) section(section Section, alone bool) {
	if !alone {
		s.row++
		s.words("B", section.Title)
		if section.Note != "" {
			s.words("", section.Note)
		}
	}
	for _, fact := range section.Facts {
		s.row++
		s.cell(1, Cell{Text: fact.Name}, false, true)
		s.cell(2, fact.Value, false, true)
	}
	if section.Table != nil {
		s.table(*section.Table, alone)
	}
}

func (s *sheet) table(t Table, alone bool) {
	if len(t.Rows) == 0 {
		s.words("", t.Empty)
		return
	}
	s.row++
	for i, column := range t.Columns {
		s.cell(i+1, Cell{Text: column.Name}, true, true)
		if name, err := excelize.ColumnNumberToName(i + 1); alone && err == nil {
			s.keep(s.SetColWidth(s.name, name, name, float64(6+column.Share)))
		}
	}
	if alone {
		s.keep(s.SetPanes(s.name, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}))
	}
	rows := t.Rows
	if t.Total != nil {
		rows = append(rows[:len(rows):len(rows)], *t.Total)
	}
	for _, row := range rows {
		s.row++
		for i, cell := range row.Cells {
			s.cell(i+1, cell, row.Strong, true)
		}
	}
}

// cell writes a figure as a number with the digits of its currency, never as a float; a day as a date, and anything else as the text that it is.
func (s *sheet) cell(column int, c Cell, bold, wrap bool) {
	at, err := excelize.CoordinatesToCellName(column, s.row)
	s.keep(err)
	format := ""
	switch {
	case c.Kind == Money:
		format = moneyFormat(c.Currency)
		s.keep(s.SetCellDefault(s.name, at, ledger.FormatAmount(c.Minor, c.Currency)))
	case c.Kind == Count:
		format = "#,##0"
		s.keep(s.SetCellDefault(s.name, at, strconv.Itoa(c.Number)))
	case c.Kind == Day && !c.Day.IsZero():
		format = "yyyy-mm-dd"
		s.keep(s.SetCellDefault(s.name, at, strconv.Itoa(serial(c.Day))))
	case c.Text == "":
		return
	default:
		s.keep(s.SetCellStr(s.name, at, c.Text))
	}
	if wrap || bold || format != "" {
		s.keep(s.SetCellStyle(s.name, at, at, s.style(bold, format)))
	}
}

// moneyFormat shows as many decimals as the currency has, thousands apart, and what is negative in parentheses.
func moneyFormat(currency string) string {
	digits := "#,##0"
	if _, decimals, found := strings.Cut(ledger.FormatAmount(0, currency), "."); found {
		digits += "." + strings.Repeat("0", len(decimals))
	}
	return digits + "_);(" + digits + ")"
}

// serial is a day as a workbook counts them: 1 is 1900-01-01, and a 29 February 1900 that never was counts too.
func serial(day ledger.Date) int {
	return 2 + ledger.Date{Year: 1900, Month: time.January, Day: 1}.DaysUntil(day)
}
