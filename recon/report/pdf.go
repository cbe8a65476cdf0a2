package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"codeberg.org/go-pdf/fpdf"
)

//go:embed inter-regular.ttf
var regular []byte

//go:embed inter-semibold.ttf
var semibold []byte

// A sheet is A4 across. Lengths are in millimetres, sizes of letters in points.
const (
	sheetWidth, sheetHeight = 297.0, 210.0
	margin                  = 14.0
	footSpace               = 12.0
	textWidth               = sheetWidth - 2*margin

	titleSize, headingSize, bodySize = 16.0, 11.0, 8.0
	lineHeight                       = 3.9
	cellPad                          = 1.2
	factNameWidth                    = 48.0
)

// PDF gives the document as a PDF of A4 sheets.
func (d Document) PDF() ([]byte, error) {
	p := &pdf{Fpdf: fpdf.New("L", "mm", "A4", ""), doc: d}
	p.AddUTF8FontFromBytes("inter", "", bytes.Clone(regular))
	p.AddUTF8FontFromBytes("inter", "B", bytes.Clone(semibold))
	p.SetCatalogSort(true)
	p.SetProducer("Daybook", true)
	p.SetTitle(printable(d.Title), true)
	p.SetLang("en")
	p.SetCreationDate(d.Stamp)
	p.SetModificationDate(d.Stamp)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(false, 0)
	p.SetCellMargin(0)
	p.write()
	p.number()
	var out bytes.Buffer
	if err := p.Output(&out); err != nil {
		return nil, fmt.Errorf("write the PDF: %w", err)
	}
	return out.Bytes(), nil
}

// pdf writes a document from the top of a sheet to its foot, and then onto the next.
type pdf struct {
	*fpdf.Fpdf
	doc Document
	y   float64
}

func (p *pdf) write() {
	p.sheet()
	p.font("B", titleSize)
	p.paragraph(p.doc.Title, 7)
	p.font("", bodySize+1)
	for _, line := range p.doc.Lines {
		p.paragraph(line, lineHeight+0.6)
	}
	for _, section := range p.doc.Sections {
		p.section(section)
	}
}

func (p *pdf) sheet() {
	p.AddPage()
	p.y = margin
}

// room begins a new sheet where less than a height is left.
func (p *pdf) room(height float64) bool {
	if p.y+height <= sheetHeight-margin-footSpace {
		return false
	}
	p.sheet()
	return true
}

func (p *pdf) font(style string, size float64) {
	p.SetFont("inter", style, size)
}

// paragraph writes a text over the whole width, in as many lines as it takes.
func (p *pdf) paragraph(text string, height float64) {
	for _, line := range p.lines(text, textWidth) {
		p.room(height)
		p.Text(margin, p.y+height-1.5, line)
		p.y += height
	}
}

// lines breaks a text into lines of a width.
func (p *pdf) lines(text string, width float64) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(printable(text), "\n") {
		if lines = append(lines, p.SplitText(paragraph, width)...); paragraph == "" {
			lines = append(lines, "")
		}
	}
	return lines
}

// printable leaves out what no font of ours draws and the library cannot write: characters beyond the basic plane, and control characters.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r > 0xffff || r == 0xfffd:
			return '□'
		case r < ' ' && r != '\n' || r == 0x7f:
			return ' '
		}
		return r
	}, text)
}

func (p *pdf) section(s Section) {
	p.y += 5
	p.room(3 * headingSize)
	p.font("B", headingSize)
	p.Text(margin, p.y+3.6, printable(s.Title))
	if s.Note != "" {
		x := margin + p.GetStringWidth(printable(s.Title)) + 3
		p.font("", bodySize)
		p.Text(x, p.y+3.6, printable(s.Note))
	}
	p.y += 5.5
	p.rule(p.y, 0.3)
	p.y++
	p.facts(s.Facts)
	if s.Table != nil {
		p.table(*s.Table)
	}
}

func (p *pdf) rule(y, width float64) {
	shade := 0
	if width < 0.1 { // between rows
		shade = 200
	}
	p.SetDrawColor(shade, shade, shade)
	p.SetLineWidth(width)
	p.Line(margin, y, sheetWidth-margin, y)
}

func (p *pdf) facts(facts []Fact) {
	for _, fact := range facts {
		p.font("", bodySize)
		lines := p.lines(fact.Value.Text, textWidth-factNameWidth)
		p.room(lineHeight)
		p.SetTextColor(80, 80, 80)
		p.Text(margin, p.y+lineHeight-1, printable(fact.Name))
		p.SetTextColor(0, 0, 0)
		for _, line := range lines {
			p.room(lineHeight)
			p.Text(margin+factNameWidth, p.y+lineHeight-1, line)
			p.y += lineHeight
		}
		p.y += 0.6
	}
}

// number writes the foot of every sheet, when it is known how many there are.
func (p *pdf) number() {
	for n := range p.PageCount() {
		p.SetPage(n + 1)
		p.font("B", bodySize) // the library writes a font down only where it changes
		p.font("", bodySize-1)
		p.rule(sheetHeight-margin-4, 0.1)
		p.Text(margin, sheetHeight-margin, printable(p.doc.Foot))
		page := "Page " + strconv.Itoa(n+1) + " of " + strconv.Itoa(p.PageCount())
		p.Text(sheetWidth-margin-p.GetStringWidth(page), sheetHeight-margin, page)
	}
}
