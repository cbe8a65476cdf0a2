package ui

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"pgregory.net/rapid"

	"daybook/store/ledger"
)

var (
	numberStyles   = []NumberStyle{"", PointNumbers, CommaNumbers, SpaceNumbers, ApostropheNumbers}
	negativeStyles = []NegativeStyle{"", Parentheses, MinusSign}
	currencies     = []string{"JPY", "EUR", "KWD"} // of 0, 2 and 3 decimals
)

func TestAmountsAreWrittenInEveryStyle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		minor    int64
		currency string
		want     [4]string // by point, comma, space and apostrophe, with a minus sign
	}{
		{123456, "EUR", [4]string{"1,234.56", "1.234,56", "1\u202f234,56", "1'234.56"}},
		{-123456, "EUR", [4]string{"−1,234.56", "−1.234,56", "−1\u202f234,56", "−1'234.56"}},
		{123456, "JPY", [4]string{"123,456", "123.456", "123\u202f456", "123'456"}},
		{1234567, "KWD", [4]string{"1,234.567", "1.234,567", "1\u202f234,567", "1'234.567"}},
		{-5, "KWD", [4]string{"−0.005", "−0,005", "−0,005", "−0.005"}},
		{0, "EUR", [4]string{"0.00", "0,00", "0,00", "0.00"}},
		{0, "JPY", [4]string{"0", "0", "0", "0"}},
		{math.MaxInt64, "EUR", [4]string{"92,233,720,368,547,758.07", "92.233.720.368.547.758,07", "92\u202f233\u202f720\u202f368\u202f547\u202f758,07", "92'233'720'368'547'758.07"}},
		{math.MinInt64, "JPY", [4]string{"−9,223,372,036,854,775,808", "−9.223.372.036.854.775.808", "−9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808", "−9'223'372'036'854'775'808"}},
	} {
		for i, style := range numberStyles[1:] {
			signed, bracketed := Format{Numbers: style, Negatives: MinusSign}, Format{Numbers: style}
			if got := signed.Amount(c.minor, c.currency); got != c.want[i] {
				t.Errorf("%d %s as %s is %q, want %q", c.minor, c.currency, style, got, c.want[i])
			}
			want := c.want[i]
			if digits, negative := strings.CutPrefix(want, "−"); negative {
				want = "(" + digits + ")"
			}
			if got := bracketed.Amount(c.minor, c.currency); got != want {
				t.Errorf("%d %s as %s is %q, want %q", c.minor, c.currency, style, got, want)
			}
		}
	}
}

func TestCountsAndDatesAreWrittenInEveryStyle(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 3, 31, 9, 5, 7, 0, time.UTC)
	for _, c := range []struct {
		f                          Format
		seq, count, day, at, exact string
	}{
		{Format{}, "#1,706", "12,000 entries", "2026-03-31", "2026-03-31 09:05", "2026-03-31 09:05:07"},
		{Format{Numbers: CommaNumbers, Dates: DottedDates}, "#1.706", "12.000 entries", "31.03.2026", "31.03.2026 09:05", "31.03.2026 09:05:07"},
		{Format{Numbers: SpaceNumbers, Dates: SlashedDates}, "#1\u202f706", "12\u202f000 entries", "31/03/2026", "31/03/2026 09:05", "31/03/2026 09:05:07"},
		{Format{Numbers: ApostropheNumbers, Dates: MonthFirst}, "#1'706", "12'000 entries", "03/31/2026", "03/31/2026 09:05", "03/31/2026 09:05:07"},
		{Format{Dates: DashedDates}, "#1,706", "12,000 entries", "31-03-2026", "31-03-2026 09:05", "31-03-2026 09:05:07"},
	} {
		got := []string{c.f.Seq(1706), c.f.Plural(12000, "entry", "entries"), c.f.Day(ledger.DateOf(moment)), c.f.Minute(moment), c.f.Instant(moment)}
		for i, want := range []string{c.seq, c.count, c.day, c.at, c.exact} {
			if got[i] != want {
				t.Errorf("%+v writes %q, want %q", c.f, got[i], want)
			}
		}
	}
}

func TestComponentsWriteAsTheReaderWants(t *testing.T) {
	t.Parallel()
	const minus = `<span class="visually-hidden">minus </span><span aria-hidden="true">−</span>`
	against, moment := int64(-124850), time.Date(2026, 3, 31, 9, 5, 0, 0, time.UTC)
	ctx := WithFormat(t.Context(), Format{Numbers: CommaNumbers, Negatives: MinusSign, Dates: SlashedDates})
	for want, component := range map[string]templ.Component{
		`<data class="money" value="-1284.50">` + minus + `1.284,50</data>`:                           Money{Minor: -128450, Currency: "EUR"},
		`<data class="money" value="-1284.50">` + minus + `1.2<mark class="diff">84</mark>,50</data>`: Money{Minor: -128450, Currency: "EUR", Against: &against},
		`<data class="money zero" value="0.00">0,00</data>`:                                           Money{Currency: "EUR"},
		`<time datetime="2026-03-31">31/03/2026</time>`:                                               Day(ledger.DateOf(moment)),
		`<time datetime="2026-03-31T09:05:00Z">31/03/2026 09:05</time>`:                               Moment(moment),
		`<nav class="tabs" aria-label=""><a href="">Lines <span class="n">1.706</span></a></nav>`:     Tabs{Items: []Tab{{Text: "Lines", Count: 1706, Counted: true}}},
	} {
		var b strings.Builder
		if err := component.Render(ctx, &b); err != nil || b.String() != want {
			t.Errorf("\n got %s, %v\nwant %s", b.String(), err, want)
		}
	}
}

func TestTypedAmountsAreReadInEveryStyle(t *testing.T) {
	t.Parallel()
	const doubt, wrong, over = "read in two ways", "is not an amount", "largest amount"
	for _, c := range []struct {
		style    NumberStyle
		currency string
		typed    string
		minor    int64
		refused  string
	}{
		{"", "EUR", "1,234.56", 123456, ""}, {"", "EUR", "1,234", 123400, ""}, {"", "EUR", "1.234,56", 0, wrong},
		{CommaNumbers, "EUR", "1.234,56", 123456, ""}, {CommaNumbers, "EUR", "1234,56", 123456, ""}, {CommaNumbers, "EUR", "1234.56", 123456, ""},
		{CommaNumbers, "EUR", "1,234.56", 123456, ""}, {CommaNumbers, "EUR", "1 234,5", 123450, ""}, {CommaNumbers, "EUR", "(12,30)", -1230, ""},
		{CommaNumbers, "EUR", "−12,30", -1230, ""}, {CommaNumbers, "EUR", "1.234.567", 123456700, ""}, {CommaNumbers, "EUR", "0.500", 50, ""},
		{CommaNumbers, "EUR", "1234.5", 123450, ""}, {CommaNumbers, "EUR", "12.34", 1234, ""}, {CommaNumbers, "EUR", ",5", 50, ""},
		{CommaNumbers, "EUR", "1.234", 0, doubt}, {CommaNumbers, "EUR", "1,234", 0, doubt}, {CommaNumbers, "EUR", "1.000", 0, doubt},
		{CommaNumbers, "EUR", "(999.999)", 0, doubt}, {CommaNumbers, "EUR", "-1,000", 0, doubt}, {CommaNumbers, "KWD", "1.234", 0, doubt},
		{CommaNumbers, "KWD", "1,234", 1234, ""}, {CommaNumbers, "KWD", "0.234", 234, ""}, {CommaNumbers, "KWD", "1234.567", 1234567, ""},
		{CommaNumbers, "JPY", "1.234", 1234, ""}, {CommaNumbers, "JPY", "1.000", 1000, ""}, {CommaNumbers, "JPY", "1,000", 0, doubt},
		{CommaNumbers, "EUR", "1,234,567", 0, wrong}, {CommaNumbers, "EUR", "1.23,50", 0, wrong}, {CommaNumbers, "EUR", "twelve", 0, wrong}, {CommaNumbers, "EUR", "", 0, wrong},
		{CommaNumbers, "EUR", "1.234,567", 0, "more decimals than EUR"}, {CommaNumbers, "EUR", "1234.567", 0, "more decimals than EUR"},
		{CommaNumbers, "JPY", "0,5", 0, "more decimals than JPY"}, {CommaNumbers, "EUR", "92233720368547758,08", 0, over},
		{SpaceNumbers, "EUR", "1\u202f234,56", 123456, ""}, {SpaceNumbers, "EUR", "1.234", 0, doubt}, {SpaceNumbers, "JPY", "1.234", 0, doubt}, {SpaceNumbers, "JPY", "1 234", 1234, ""},
		{ApostropheNumbers, "EUR", "1'234.56", 123456, ""}, {ApostropheNumbers, "EUR", "1’234.5", 123450, ""}, {ApostropheNumbers, "EUR", "1234,56", 0, wrong},
	} {
		minor, err := Format{Numbers: c.style}.ParseAmount(c.typed, c.currency)
		switch {
		case c.refused == "" && (err != nil || minor != c.minor):
			t.Errorf("%s reads %q in %s as %d, %v, want %d", c.style, c.typed, c.currency, minor, err, c.minor)
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s reads %q in %s as %d, %v, want a refusal that says %q", c.style, c.typed, c.currency, minor, err, c.refused)
		}
	}
}

// TestWhatIsWrittenIsReadBack as the same amount, in the same style, whether written for reading or for typing.
func TestWhatIsWrittenIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := Format{Numbers: rapid.SampledFrom(numberStyles).Draw(t, "numbers"), Negatives: rapid.SampledFrom(negativeStyles).Draw(t, "negatives")}
		currency := rapid.SampledFrom(currencies).Draw(t, "currency")
		minor := rapid.Int64Range(-math.MaxInt64, math.MaxInt64).Draw(t, "minor")
		for _, text := range []string{f.Amount(minor, currency), f.Typed(minor, currency)} {
			if got, err := f.ParseAmount(text, currency); err != nil || got != minor {
				t.Fatalf("%+v writes %d %s as %q and reads it as %d, %v", f, minor, currency, text, got, err)
			}
		}
	})
}

// TestNoTextHasTwoAmounts: whatever is typed with one mark, who has a decimal comma and who has a decimal point mean the same amount by
// it, or one of them is refused.
func TestNoTextHasTwoAmounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		typed := rapid.StringMatching(`[-(]?[0-9]{0,4}[.,]?[0-9]{0,4}\)?`).Draw(t, "typed")
		byComma, errComma := Format{Numbers: CommaNumbers}.ParseAmount(typed, "EUR")
		byPoint, errPoint := Format{}.ParseAmount(typed, "EUR")
		if errComma == nil && errPoint == nil && byComma != byPoint {
			t.Fatalf("%q is %d with a decimal comma and %d with a decimal point", typed, byComma, byPoint)
		}
	})
}
