package ui

import (
	"strings"
	"testing"
)

func TestBarsOfAllSizesStayOnTheSheet(t *testing.T) {
	t.Parallel()
	c := BarChart{Series: []string{"a", "b", "c", "d"}, Bars: []Bar{{"large", []int{99_999, 1, 0, 1}}, {"small", []int{0, 0, 1, 0}}, {"none", make([]int, 4)}}}
	for row, want := range []int{3, 1, 0} {
		parts, end := c.rects(row)
		if len(parts) != want || end > barRight+8 {
			t.Errorf("row %d has %d parts and ends at %d", row, len(parts), end)
		}
		for i, p := range parts {
			if p.width < 1 || p.x < barLeft || p.y+p.height > chartHeight || i > 0 && p.x < parts[i-1].x+parts[i-1].width {
				t.Errorf("part %d of row %d is %+v", i, row, p)
			}
		}
	}
	if parts, _ := c.rects(0); parts[1].class != "f2" || parts[2].class != "f4" {
		t.Errorf("the parts are %+v: a series has lost its shade", parts)
	}
}

func TestColumnsHaveAScaleThatHoldsTheLargest(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]int{1: 2, 2: 2, 3: 4, 5: 10, 11: 20, 40: 40, 41: 100, 100_000: 100_000} {
		c := ColumnChart{Series: []string{"opened", "closed"}, Columns: []Bar{{"w", []int{most, 0}}, {"v", []int{0, 0}}}}
		_, columns := c.column(0)
		if got := c.scale(); got != want || len(columns) != 1 || columns[0].y < plotTop || columns[0].y+columns[0].height != plotBottom {
			t.Errorf("for %d the scale is %d, want %d; columns %+v", most, got, want, columns)
		}
	}
}

func TestALineOfSharesShowsTheLeastAndTheTarget(t *testing.T) {
	t.Parallel()
	for least, floor := range map[int]int{0: 0, 599: 0, 650: 600, 1000: 800} {
		c := RateChart{TargetPerMille: 900, Points: []RatePoint{{PerMille: least}, {PerMille: 1000}}}
		points := c.points(Format{})
		if c.floor() != floor || points[0].y > plotBottom || points[1].y != plotTop || c.y(900) <= plotTop || c.y(900) >= plotBottom {
			t.Errorf("with %d the floor is %d, want %d: %+v", least, c.floor(), floor, points)
		}
	}
	one := RateChart{TargetPerMille: 900, Points: []RatePoint{{Text: "Mar 2026", Short: "Mar", PerMille: 863, Part: 863, Whole: 1000}}}
	if p := one.points(Format{Numbers: CommaNumbers}); p[0].text != "86,3" || p[0].x < plotLeft || p[0].x > plotRight {
		t.Errorf("a single point is %+v", p)
	}
}

func TestAChartWithoutFiguresSaysSo(t *testing.T) {
	t.Parallel()
	var html strings.Builder
	if err := (BarChart{ChartHead: ChartHead{ID: "x", Title: "Open", Nothing: "No break is open."}, Series: []string{"a"}, Bars: []Bar{{"0–2", []int{0}}}}).Render(t.Context(), &html); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(html.String(), "<svg") || !strings.Contains(html.String(), "No break is open.") {
		t.Error(html.String())
	}
}
