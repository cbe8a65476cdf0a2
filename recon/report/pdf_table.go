package report

// table writes a table; its head is repeated on every sheet.
func (p *pdf) table(t Table) {
	if len(t.Rows) == 0 {
		p.font("", bodySize)
		p.paragraph(t.Empty, lineHeight+0.6)
		return
	}
	widths := t.widths()
	p.head(t, widths)
	for _, row := range t.Rows {
		p.row(t, widths, row)
	}
	if t.Total != nil {
		p.row(t, widths, *t.Total)
	}
}

// widths shares the width of the sheet among the columns.
func (t Table) widths() []float64 {
	total := 0
	for _, column := range t.Columns {
		total += column.Share
	}
	widths := make([]float64, len(t.Columns))
	for i, column := range t.Columns {
		widths[i] = textWidth * float64(column.Share) / float64(total)
	}
	return widths
}

func (p *pdf) head(t Table, widths []float64) {
	p.font("B", bodySize-0.5)
	p.SetTextColor(80, 80, 80)
	cells := make([]Cell, len(t.Columns))
	for i, column := range t.Columns {
		cells[i] = Cell{Text: column.Name}
	}
	p.cells(t, widths, p.broken(cells, widths))
	p.SetTextColor(0, 0, 0)
	p.rule(p.y, 0.2)
}

// broken are the lines of each cell.
func (p *pdf) broken(cells []Cell, widths []float64) [][]string {
	lines := make([][]string, len(cells))
	for i, cell := range cells {
		lines[i] = p.lines(cell.Text, widths[i]-2*cellPad)
	}
	return lines
}

// linesOfSheet is how many lines of a cell a sheet has room for, below the head of the table.
const linesOfSheet = 38

// row writes a row on one sheet, unless it is higher than a sheet.
func (p *pdf) row(t Table, widths []float64, row Row) {
	style := ""
	if row.Strong {
		style = "B"
	}
	p.font(style, bodySize)
	lines := p.broken(row.Cells, widths)
	for first := true; first || tallest(lines) > 0; first = false {
		part := cut(lines, linesOfSheet)
		if p.room(float64(tallest(part))*lineHeight + 1.2) {
			p.head(t, widths)
			p.font(style, bodySize)
		}
		if row.Strong {
			p.rule(p.y, 0.3)
		}
		p.cells(t, widths, part)
	}
	p.rule(p.y, 0.05)
	if row.Strong {
		p.rule(p.y-0.2, 0.2)
		p.rule(p.y+0.5, 0.2)
		p.y++
	}
}

func tallest(lines [][]string) int {
	most := 0
	for _, of := range lines {
		most = max(most, len(of))
	}
	return most
}

// cut takes up to n lines off the front of each cell.
func cut(lines [][]string, n int) [][]string {
	part := make([][]string, len(lines))
	for i, of := range lines {
		part[i] = of[:min(n, len(of))]
		lines[i] = of[len(part[i]):]
	}
	return part
}

// cells writes lines side by side, and goes below them.
func (p *pdf) cells(t Table, widths []float64, lines [][]string) {
	x := margin
	for i, of := range lines {
		for n, line := range of {
			at := x + cellPad
			if t.Columns[i].Right {
				at = x + widths[i] - cellPad - p.GetStringWidth(line)
			}
			p.Text(at, p.y+float64(n+1)*lineHeight-0.6, line)
		}
		x += widths[i]
	}
	p.y += float64(max(tallest(lines), 1))*lineHeight + 1.2
}
