package ui

import (
	"slices"
	"strconv"
	"strings"
)

// What is drawn, in units of the sheet: x from the left, y from the top.

type tick struct {
	y    int
	text string
}

type point struct {
	x, y int
	text string
}

type rect struct {
	x, y, width, height int
	class               string
}

// shade is the class of a series, of which there are four.
func shade(i int) string { return "f" + strconv.Itoa(i+1) }

// columnShades is how far apart the shades of columns are, which stand side by side.
const columnShades = 2

// The part of the sheet on which lines and columns are drawn; texts stand around it.
const (
	plotLeft   = 24
	plotRight  = 336
	plotTop    = 16
	plotBottom = 100
)

// between is the place between two ends that is part of whole away from the first.
func between(from, to, part, whole int) int { return from + (to-from)*part/whole }

// floor is the share at the bottom of the picture: the full hundred below the least, where that leaves the differences to be seen.
func (c RateChart) floor() int {
	least := c.TargetPerMille
	for _, p := range c.Points {
		least = min(least, p.PerMille)
	}
	if least < 600 {
		return 0
	}
	return min(least/100*100, 800)
}

func (c RateChart) y(perMille int) int {
	return between(plotBottom, plotTop, perMille-c.floor(), 1000-c.floor())
}

func (c RateChart) ticks() []tick {
	step := 100
	if c.floor() == 0 {
		step = 250
	}
	var ticks []tick
	for share := c.floor(); share <= 1000; share += step {
		if share != c.TargetPerMille {
			ticks = append(ticks, tick{c.y(share), strconv.Itoa(share / 10)})
		}
	}
	return ticks
}

func (c RateChart) points(f Format) []point {
	points := make([]point, len(c.Points))
	for i, p := range c.Points {
		x := (plotLeft + plotRight) / 2
		if len(c.Points) > 1 {
			x = between(plotLeft+14, plotRight-18, i, len(c.Points)-1)
		}
		points[i] = point{x, c.y(p.PerMille), f.Percent(p.PerMille)}
	}
	return points
}

// valueY is where the last value is written: below its point, or above it near the bottom.
func valueY(p point) int {
	if p.y > plotBottom-20 {
		return p.y - 8
	}
	return p.y + 16
}

func polyline(points []point) string {
	places := make([]string, len(points))
	for i, p := range points {
		places[i] = strconv.Itoa(p.x) + "," + strconv.Itoa(p.y)
	}
	return strings.Join(places, " ")
}

// The bars that lie begin right of their names and leave room for their sums.
const (
	barLeft   = 70
	barRight  = 284
	barHeight = 16
	barStep   = 28
)

// rects are the parts of the bar in a row; a part that is there is seen, however small.
func (c BarChart) rects(row int) (parts []rect, end int) {
	whole, sum := largest(c.Bars, Bar.sum), 0
	end = barLeft
	for i, v := range c.Bars[row].Values {
		if v == 0 {
			continue
		}
		sum += v
		from := end
		end = max(between(barLeft, barRight, sum, whole), from+2)
		parts = append(parts, rect{from, row*barStep + 6, max(end-from-1, 1), barHeight, shade(i)})
	}
	return parts, end
}

// scale is the value at the top of the columns, and half of it a whole number too.
func (c ColumnChart) scale() int {
	most := largest(c.Columns, func(b Bar) int { return slices.Max(b.Values) })
	for power := 1; ; power *= 10 {
		for _, top := range []int{2, 4, 10} {
			if top*power >= most {
				return top * power
			}
		}
	}
}

func (c ColumnChart) ticks(f Format) []tick {
	top := c.scale()
	return []tick{{plotBottom, "0"}, {between(plotBottom, plotTop, 1, 2), f.Number(top / 2)}, {plotTop, f.Number(top)}}
}

// column gives the middle of a group and its columns.
func (c ColumnChart) column(group int) (middle int, columns []rect) {
	slot := (plotRight - plotLeft) / len(c.Columns)
	width := min(slot/(len(c.Series)+1), 16)
	middle = plotLeft + slot*group + slot/2
	x := middle - width*len(c.Series)/2
	for i, v := range c.Columns[group].Values {
		if height := plotBottom - between(plotBottom, plotTop, v, c.scale()); v > 0 {
			columns = append(columns, rect{x, plotBottom - max(height, 1), width - 1, max(height, 1), shade(i * columnShades)})
		}
		x += width
	}
	return middle, columns
}
