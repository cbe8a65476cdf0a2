package ui

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Charts are drawn in whole units on a sheet of this size, by attributes and classes only: the policy of the site refuses style in a
// page, and the classes take their colours from the theme. Below each picture stand the same figures as a table.
const (
	chartWidth  = 340
	chartHeight = 120
)

// ChartHead is what stands around a picture. ID is the anchor of its heading.
type ChartHead struct {
	ID, Title, Note string
	// First names what the picture goes by: month, age, week.
	First string
	// Nothing is said in place of the picture while there is nothing to show.
	Nothing string
}

// RateChart is a line of shares over time, with the share that is aimed at.
type RateChart struct {
	ChartHead
	// Part and Whole name what is counted: matched, lines.
	Part, Whole    string
	TargetPerMille int
	Points         []RatePoint
}

// RatePoint is one share. Short is its text below the picture; PerMille is not above 1000.
type RatePoint struct {
	Text, Short string
	PerMille    int
	Part, Whole int
}

// BarChart is bars that lie, each of several parts, with their sum at the end. There are at most four series.
type BarChart struct {
	ChartHead
	Series []string
	Bars   []Bar
}

// ColumnChart is columns that stand, those of one group beside each other. There are at most two series, of shades that differ most.
type ColumnChart struct {
	ChartHead
	Series  []string
	Columns []Bar
}

// Bar is a value of each series, none below zero.
type Bar struct {
	Text   string
	Values []int
}

func (b Bar) sum() (sum int) {
	for _, v := range b.Values {
		sum += v
	}
	return sum
}

// Render writes the heading, the picture and its table.
func (c RateChart) Render(ctx context.Context, w io.Writer) error {
	var picture templ.Component
	if len(c.Points) > 0 {
		picture = rateChart(c)
	}
	return chart(c.ChartHead, picture, nil, c.table(FormatOf(ctx))).Render(ctx, w)
}

// Render writes the heading, the picture and its table.
func (c BarChart) Render(ctx context.Context, w io.Writer) error {
	var picture templ.Component
	if largest(c.Bars, Bar.sum) > 0 {
		picture = barChart(c)
	}
	return chart(c.ChartHead, picture, keys(c.Series, 1), tableOf(c.First, c.Series, c.Bars, FormatOf(ctx))).Render(ctx, w)
}

// Render writes the heading, the picture and its table.
func (c ColumnChart) Render(ctx context.Context, w io.Writer) error {
	var picture templ.Component
	if largest(c.Columns, Bar.sum) > 0 {
		picture = columnChart(c)
	}
	return chart(c.ChartHead, picture, keys(c.Series, columnShades), tableOf(c.First, c.Series, c.Columns, FormatOf(ctx))).Render(ctx, w)
}

// key says which series a shade stands for.
type key struct{ class, name string }

func keys(series []string, step int) []key {
	shown := make([]key, len(series))
	for i, name := range series {
		shown[i] = key{shade(i * step), name}
	}
	return shown
}

// chartTable is what a picture shows, in words and figures.
type chartTable struct {
	head []string
	rows [][]string
}

func tableOf(first string, series []string, bars []Bar, f Format) chartTable {
	t := chartTable{head: append([]string{first}, series...)}
	for _, b := range bars {
		row := []string{b.Text}
		for _, v := range b.Values {
			row = append(row, f.Number(v))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func (c RateChart) table(f Format) chartTable {
	t := chartTable{head: []string{c.First, c.Whole, c.Part, "%"}}
	for _, p := range c.Points {
		t.rows = append(t.rows, []string{p.Text, f.Number(p.Whole), f.Number(p.Part), f.Percent(p.PerMille)})
	}
	return t
}

// spoken is the table in one sentence, for who does not see the picture.
func (t chartTable) spoken(title string) string {
	var rows []string
	for _, row := range t.rows {
		cells := []string{row[0]}
		for i, cell := range row[1:] {
			cells = append(cells, strings.ToLower(t.head[i+1])+" "+cell)
		}
		rows = append(rows, strings.Join(cells, ", "))
	}
	return title + ": " + strings.Join(rows, "; ")
}

// Percent writes a share of a thousand as one of a hundred, with one decimal: 86.3.
func (f Format) Percent(perMille int) string {
	return f.decimal(strconv.Itoa(perMille/10)+"."+strconv.Itoa(perMille%10), true)
}

func largest(bars []Bar, of func(Bar) int) (most int) {
	for _, b := range bars {
		most = max(most, of(b))
	}
	return most
}
