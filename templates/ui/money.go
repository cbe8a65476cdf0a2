package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"daybook/store/ledger"
)

// Money is an amount in minor units: decimals by its currency, thousands separated, negative in parentheses and spoken
// as minus, zero in grey.
type Money struct {
	Minor    int64
	Currency string
	// WithCode shows the currency after the amount.
	WithCode bool
	// Against is the amount of the other side: the digits that differ from it are marked.
	Against *int64
}

// Render writes the amount. It does so here and not in a template, where a line break becomes a space between digits.
func (m Money) Render(_ context.Context, w io.Writer) error {
	class, spoken, shown := "money", "", m.Text()
	switch {
	case m.Minor < 0:
		class, spoken = "money neg", `<span class="visually-hidden">minus </span>`
	case m.Minor == 0:
		class = "money zero"
	}
	if m.Against != nil {
		shown = m.marked()
	}
	html := `<data class="` + class + `" value="` + ledger.FormatAmount(m.Minor, m.Currency) + `">` + spoken + shown + `</data>`
	if m.WithCode {
		html += ` <span class="ccy">` + templ.EscapeString(m.Currency) + `</span>`
	}
	_, err := io.WriteString(w, html)
	return err
}

// Text is the amount as it is shown: 1,284.50 or (1,284.50).
func (m Money) Text() string { return text(m.Minor, m.Currency) }

func text(minor int64, currency string) string {
	plain := ledger.GroupDigits(ledger.FormatAmount(minor, currency))
	if rest, negative := strings.CutPrefix(plain, "-"); negative {
		return "(" + rest + ")"
	}
	return plain
}

// marked is the text with the span of differing characters marked. Amounts of different signs or lengths differ as a
// whole.
func (m Money) marked() string {
	mine, other := m.Text(), text(*m.Against, m.Currency)
	if mine == other {
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
	} else if m.Minor < 0 {
		from, to = 1, len(mine)-1
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
