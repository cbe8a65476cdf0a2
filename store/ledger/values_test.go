package ledger

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseAmount(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, currency string
		want           int64
	}{
		{"1234.56", "EUR", 123456}, {"1,234.5", "EUR", 123450}, {"-12", "EUR", -1200}, {"(30.00)", "EUR", -3000}, {"\u221212.10", "EUR", -1210},
		{"500", "JPY", 500}, {"1.250", "KWD", 1250}, {".5", "EUR", 50}, {"0.10000", "EUR", 10}, {"92233720368547758.07", "EUR", math.MaxInt64},
	} {
		got, err := ParseAmount(test.text, test.currency)
		if err != nil || got != test.want {
			t.Errorf("ParseAmount(%q, %s) = %d, %v, want %d", test.text, test.currency, got, err, test.want)
		}
	}
	for text, want := range map[string]Kind{
		"": KindInvalid, ".": KindInvalid, "1.234": KindInvalid, "1,23": KindInvalid, "0,500": KindInvalid, "12a": KindInvalid, "--1": KindInvalid, "1e3": KindInvalid,
		"+": KindInvalid, "1,2345": KindInvalid, "92233720368547758.08": KindAmountOverflow, "999999999999999999999": KindAmountOverflow,
	} {
		if got, err := ParseAmount(text, "EUR"); KindOf(err) != want || err == nil {
			t.Errorf("ParseAmount(%q) = %d, %v, want %s", text, got, err, want)
		}
	}
	if _, err := ParseAmount("1.5", "JPY"); KindOf(err) != KindInvalid {
		t.Errorf("yen with a decimal: %v", err)
	}
}

func TestFormatAmountReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		currency := rapid.SampledFrom([]string{"EUR", "JPY", "KWD"}).Draw(t, "currency")
		minor := rapid.Int64Range(-math.MaxInt64, math.MaxInt64).Draw(t, "minor")
		for _, text := range []string{FormatAmount(minor, currency), GroupDigits(FormatAmount(minor, currency))} {
			if got, err := ParseAmount(text, currency); err != nil || got != minor {
				t.Fatalf("%d reads back from %q as %d, %v", minor, text, got, err)
			}
		}
	})
}

func TestAddRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]int64{{math.MaxInt64, 1}, {-math.MaxInt64, -1}, {math.MaxInt64, math.MaxInt64}, {-math.MaxInt64, -math.MaxInt64}} {
		if sum, ok := Add(pair[0], pair[1]); ok {
			t.Errorf("%d + %d gives %d", pair[0], pair[1], sum)
		}
	}
	if sum, ok := Add(math.MaxInt64, -math.MaxInt64); !ok || sum != 0 {
		t.Errorf("the largest amount and its opposite give %d, %v", sum, ok)
	}
}

func TestDateHasNoZone(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 14*3600)
	var d Date
	if err := d.Scan(time.Date(2026, 3, 1, 0, 30, 0, 0, east)); err != nil || d.String() != "2026-03-01" {
		t.Errorf("a date column reads as %s, %v", d, err)
	}
	if got := MustDate("2026-02-28").AddDays(1).String(); got != "2026-03-01" {
		t.Errorf("the day after is %s", got)
	}
	for _, bad := range []string{"", "2026-02-29", "26-02-01", "2026-2-1", "0001-01-01", "01/02/2026"} {
		if d, err := ParseDate(bad); err == nil {
			t.Errorf("%q reads as %s", bad, d)
		}
	}
}

func TestCheckKey(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{`abc`: "abc", `"abc"`: "abc", `"a\"b\\c"`: `a"b\c`, `a b`: "a b"} {
		if got, err := CheckKey(value); err != nil || got != want {
			t.Errorf("CheckKey(%q) = %q, %v, want %q", value, got, err, want)
		}
	}
	for value, want := range map[string]Kind{"": KindKeyMissing, `"`: KindKeyInvalid, `""`: KindKeyInvalid, `"a`: KindKeyInvalid, "a\x7f": KindKeyInvalid, "\u00e9": KindKeyInvalid, string(make([]byte, 256)): KindKeyInvalid} {
		if got, err := CheckKey(value); KindOf(err) != want || err == nil {
			t.Errorf("CheckKey(%q) = %q, %v, want %s", value, got, err, want)
		}
	}
}

func TestExponentsAreThoseOfTheStandard(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{"EUR": 2, "JPY": 0, "KWD": 3, "IQD": 3, "HUF": 2, "ISK": 0, "CLP": 0, "TND": 3} {
		if got, known := Exponent(code); !known || got != want {
			t.Errorf("%s has %d digits (%v), want %d", code, got, known, want)
		}
	}
	for _, code := range []string{"", "eur", "XXX", "EURO"} {
		if _, known := Exponent(code); known {
			t.Errorf("%q is taken for a currency", code)
		}
	}
}
