package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"daybook/store/ledger"
)

// Money is an amount in minor units, as the reader wants numbers written: decimals by its currency, thousands separated,
// negative in parentheses or with a minus sign and spoken as minus, zero in grey.
type Money struct {
	Minor    int64
	Currency string
	// WithCode shows the currency after the amount.
	WithCode bool
	// Against is the amount of the other side: the digits that differ from it are marked.
	Against *int64
}

// Render writes the amount. It does so here and not in a template, where a line break becomes a space between digits.
func (m Money) Render(ctx context.Context, w io.Writer) error {
	html := `<data class="` + m.class(FormatOf(ctx)) + `" value="` + ledger.FormatAmount(m.Minor, m.Currency) + `">` + m.shown(FormatOf(ctx)) + `</data>`
	if m.WithCode {
		html += ` <span class="ccy">` + templ.EscapeString(m.Currency) + `</span>`
	}
	_, err := io.WriteString(w, html)
	return err
}

// class is neg where a bracket ends the amount: a table reserves its width in every other row.
func (m Money) class(f Format) string {
	switch {
	case m.Minor == 0:
		return "money zero"
	case m.Minor < 0 && f.Negatives != MinusSign:
		return "money neg"
	default:
		return "money"
	}
}

// shown is the amount with its sign, which is spoken as a word.
func (m Money) shown(f Format) string {
	digits := f.magnitude(m.Minor, m.Currency)
	if m.Against != nil {
		digits = m.marked(digits, f.magnitude(*m.Against, m.Currency))
	}
	before, after := f.sign(m.Minor)
	switch {
	case m.Minor >= 0:
		return digits
	case f.Negatives == MinusSign:
		before = `<span aria-hidden="true">` + before + `</span>`
	}
	return `<span class="visually-hidden">minus </span>` + before + digits + after
}

// marked marks the span of characters in which the digits differ from those of the other side. Amounts of different signs or
// lengths differ as a whole. Of the same length they have their marks in the same places.
func (m Money) marked(mine, other string) string {
	if m.Minor == *m.Against {
		return mine
	}
	from, to := 0, len(mine)
	if len(mine) == len(other) && (m.Minor < 0) == (*m.Against < 0) {
		for mine[from] == other[from] {
			from++
		}
		for mine[to-1] == other[to-1] {
			to--
		}
	}
	return mine[:from] + `<mark class="diff">` + mine[from:to] + `</mark>` + mine[to:]
}

// Cell is a table cell that holds an amount, or stays blank.
type Cell struct {
	Money
	Blank bool
	Href  string
	// Class adds to the cell: soft for what supports, hot for what the page is about, lead-col for a rule before it.
	Class string
	// Label names the column where a narrow screen stacks the cells of a row.
	Label string
}

// Render writes the td.
func (c Cell) Render(ctx context.Context, w io.Writer) error { return cell(c).Render(ctx, w) }

func (c Cell) class() string { return strings.TrimSpace("num " + c.Class) }

// DebitCredit is two cells, debit and credit; the unused side stays blank, and so do both when Blank is set. Zero is shown
// on the debit side.
type DebitCredit struct {
	Minor    int64
	Currency string
	Href     string
	Class    string
	Blank    bool
}

// Render writes the two td.
func (d DebitCredit) Render(ctx context.Context, w io.Writer) error {
	return debitCredit(d).Render(ctx, w)
}

func (d DebitCredit) debit() Cell {
	return Cell{Money: Money{Minor: d.Minor, Currency: d.Currency}, Blank: d.Blank || d.Minor < 0, Href: d.Href, Class: d.Class}
}

// credit is positive in its own column. The one amount without an opposite is never stored (ledger.MaxAmountMinor).
func (d DebitCredit) credit() Cell {
	class := strings.TrimSpace(strings.ReplaceAll(d.Class, "lead-col", ""))
	return Cell{Money: Money{Minor: -d.Minor, Currency: d.Currency}, Blank: d.Blank || d.Minor >= 0, Href: d.Href, Class: class}
}
