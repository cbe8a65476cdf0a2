package statement_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// bankDay is what a bank states about one day: the balance before it, and its movements.
type bankDay struct {
	on      ledger.Date
	opening int64
	lines   []statement.Line
}

func (d bankDay) closing() int64 {
	sum := d.opening
	for _, l := range d.lines {
		sum += l.AmountMinor
	}
	return sum
}

// someDays gives days one after the other, with the texts of a bank.
func someDays(t *rapid.T) []bankDay {
	text := rapid.StringMatching(`[A-Za-z][A-Za-z0-9,.' ]{0,60}[A-Za-z]`)
	day := bankDay{on: ledger.MustDate("2025-12-29"), opening: rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "opening")}
	days := make([]bankDay, rapid.IntRange(1, 5).Draw(t, "days"))
	for i := range days {
		for range rapid.IntRange(0, 6).Draw(t, "entries") {
			day.lines = append(day.lines, statement.Line{Date: day.on, AmountMinor: rapid.Int64Range(-100_000_000, 100_000_000).Draw(t, "amount"), Currency: "EUR",
				Reference: rapid.StringMatching(`[A-Z]{2}[1-9][0-9]{0,9}`).Draw(t, "reference"), Description: strings.Join(strings.Fields(text.Draw(t, "text")), " ")})
		}
		days[i] = day
		day = bankDay{on: day.on.AddDays(rapid.IntRange(1, 40).Draw(t, "gap")), opening: day.closing()}
	}
	return days
}

// sameLines holds that a statement has the movements of the days and their balances.
func sameLines(t *rapid.T, file []byte, days []bankDay) {
	read, err := statement.Read(file, nil)
	if err != nil {
		t.Fatalf("refused: %v\n%s", err, file)
	}
	var want []statement.Line
	for _, d := range days {
		want = append(want, d.lines...)
	}
	got := slices.Clone(read.Lines)
	for _, lines := range [][]statement.Line{got, want} {
		slices.SortFunc(lines, func(a, b statement.Line) int {
			return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.AmountMinor, b.AmountMinor), cmp.Compare(a.Reference, b.Reference), cmp.Compare(unspaced(a.Description), unspaced(b.Description)))
		})
	}
	if len(got) != len(want) || len(read.Rejects)+len(read.Skipped) > 0 {
		t.Fatalf("%d lines, want %d; %v %v\n%s", len(got), len(want), read.Rejects, read.Skipped, file)
	}
	for i, w := range want {
		// Where a bank cuts a text it does not say whether there was a blank.
		if g := got[i]; unspaced(g.Description) != unspaced(w.Description) || g.Date != w.Date || g.AmountMinor != w.AmountMinor || g.Currency != w.Currency || g.Reference != w.Reference {
			t.Fatalf("line %d: got %+v, want %+v\n%s", i, g, w, file)
		}
	}
	if opening, closing := days[0].opening, days[len(days)-1].closing(); *read.OpeningMinor != opening || *read.ClosingMinor != closing {
		t.Fatalf("balances %d and %d, want %d and %d\n%s", *read.OpeningMinor, *read.ClosingMinor, opening, closing, file)
	}
}

func unspaced(text string) string { return strings.ReplaceAll(text, " ", "") }

// swiftHand is one way in which a bank writes MT940.
type swiftHand struct {
	lineEnd     string
	blocks      int // 0 none, 1 those of SWIFT, 2 three lines
	entryDates  bool
	funds       string
	text        string // how a text is told: free, numbered, slashed
	pageEntries int    // entries on a page, 0 for all
	newestFirst bool
}

func someSwiftHand(t *rapid.T) swiftHand {
	return swiftHand{
		lineEnd: rapid.SampledFrom([]string{"\r\n", "\n", "\r"}).Draw(t, "line end"), blocks: rapid.IntRange(0, 2).Draw(t, "blocks"),
		entryDates: rapid.Bool().Draw(t, "entry dates"), funds: rapid.SampledFrom([]string{"", "R"}).Draw(t, "funds"),
		text: rapid.SampledFrom([]string{"free", "numbered", "slashed"}).Draw(t, "text"), pageEntries: rapid.IntRange(0, 3).Draw(t, "page"),
		newestFirst: rapid.Bool().Draw(t, "newest first"),
	}
}

func (h swiftHand) write(days []bankDay) string {
	var pages []string
	for i, d := range days {
		rest, running := d.lines, d.opening
		for sheet := 1; sheet == 1 || len(rest) > 0; sheet++ {
			n := len(rest)
			if h.pageEntries > 0 {
				n = min(n, h.pageEntries)
			}
			page := []string{":20:STMT", ":25:10020030/1234567890", fmt.Sprintf(":28C:%d/%d", i+1, sheet), h.balance(":60", sheet == 1, d.on, running)}
			for _, l := range rest[:n] {
				page = append(page, h.entry(l))
				running += l.AmountMinor
			}
			rest = rest[n:]
			page = append(page, h.balance(":62", len(rest) == 0, d.on, running))
			pages = append(pages, h.wrap(page))
		}
	}
	if h.newestFirst {
		slices.Reverse(pages)
	}
	return strings.Join(pages, "")
}

func (h swiftHand) wrap(page []string) string {
	text := strings.Join(page, "\n") + "\n-"
	switch h.blocks {
	case 1:
		text = "{1:F01TESTDEFFAXXX0000000000}{2:I940TESTDEFFXXXXN}{4:\n" + text + "}"
	case 2:
		text = "TESTDEFF\n940\nTESTDEFF\n" + text
	}
	return strings.ReplaceAll(text+"\n", "\n", h.lineEnd)
}

func (h swiftHand) balance(tag string, final bool, on ledger.Date, minor int64) string {
	kind := "M"
	if final {
		kind = "F"
	}
	mark, amount := swiftAmountOf(minor)
	return tag + kind + ":" + mark + on.Time().Format("060102") + "EUR" + amount
}

func swiftAmountOf(minor int64) (mark, amount string) {
	mark = "C"
	if minor < 0 {
		mark, minor = "D", -minor
	}
	return mark, strings.Replace(ledger.FormatAmount(minor, "EUR"), ".", ",", 1)
}

func (h swiftHand) entry(l statement.Line) string {
	mark, amount := swiftAmountOf(l.AmountMinor)
	value := l.Date
	dates := value.Time().Format("060102")
	if h.entryDates {
		dates = l.Date.AddDays(3).Time().Format("060102") + l.Date.Time().Format("0102")
	}
	text := h.details(l.Description)
	return ":61:" + dates + mark + h.funds + amount + "NTRF" + l.Reference + "//B1\n:86:" + text
}

func (h swiftHand) details(text string) string {
	switch h.text {
	case "numbered":
		parts := "166?00POSTING"
		for i := 0; len(text) > 0; i++ {
			n := min(len(text), 27)
			parts += fmt.Sprintf("?2%d%s", i, text[:n])
			text = text[n:]
		}
		return parts
	case "slashed":
		return "/EREF/NOTPROVIDED/REMI/" + text
	}
	return text
}

// TestReadMT940_ReadsWhatABankWrites writes days in some bank's manner and reads them back.
func TestReadMT940_ReadsWhatABankWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		days := someDays(t)
		sameLines(t, []byte(someSwiftHand(t).write(days)), days)
	})
}

// A file that is cut off anywhere is refused, or is read up to the end of a day.
func TestReadMT940_NeverReadsAPartOfADay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h, days := someSwiftHand(t), someDays(t)
		h.newestFirst = false
		file := h.write(days)
		read, err := statement.Read([]byte(file[:rapid.IntRange(0, len(file)-1).Draw(t, "cut")]), nil)
		if err != nil {
			return
		}
		whole := map[int]int64{}
		count := 0
		for _, d := range days {
			count += len(d.lines)
			whole[count] = d.closing()
		}
		closing, ends := whole[len(read.Lines)]
		if !ends || read.ClosingMinor == nil || *read.ClosingMinor != closing || *read.OpeningMinor != days[0].opening {
			t.Fatalf("%d lines are read of %v", len(read.Lines), days)
		}
	})
}

// baiHand is one way in which a bank writes BAI2.
type baiHand struct {
	lineEnd, slash string
	funds          string
	split          int // characters of a text after which a record is continued, 0 for never
	newestFirst    bool
	pad            int
}

func someBAIHand(t *rapid.T) baiHand {
	return baiHand{
		lineEnd: rapid.SampledFrom([]string{"\r\n", "\n", "\r"}).Draw(t, "line end"), slash: rapid.SampledFrom([]string{"/", ""}).Draw(t, "slash"),
		funds: rapid.SampledFrom([]string{"", "0", "Z", "S,1,2,3", "V,251231,", "V,251231,1200", "D,2,0,1,1,2"}).Draw(t, "funds"),
		split: rapid.IntRange(0, 30).Draw(t, "split"), newestFirst: rapid.Bool().Draw(t, "newest first"), pad: rapid.SampledFrom([]int{0, 79}).Draw(t, "pad"),
	}
}

func (h baiHand) write(days []bankDay) string {
	var groups []string
	records, total := 2, int64(0)
	for _, d := range days {
		group, n, sum := h.group(d)
		groups, records, total = append(groups, group), records+n, total+sum
	}
	if h.newestFirst {
		slices.Reverse(groups)
	}
	return h.record("01,B,C,260401,0500,1,,,2") + strings.Join(groups, "") + h.record(fmt.Sprintf("99,%d,%d,%d", total, len(groups), records))
}

// group gives a group, how many records it has and its total.
func (h baiHand) group(d bankDay) (text string, records int, total int64) {
	text = h.record(fmt.Sprintf("03,10020030,EUR,010,%d,,,015,%d,,", d.opening, d.closing()))
	total = d.opening + d.closing()
	for _, l := range d.lines {
		code, minor := "165", l.AmountMinor
		if minor < 0 {
			code, minor = "475", -minor
		}
		total += minor
		entry := fmt.Sprintf("16,%s,%d,%s,B1,%s,", code, minor, h.funds, l.Reference)
		rest := l.Description
		if at := strings.IndexByte(rest, ' '); h.split > 0 && at > 0 {
			text += h.record(entry + rest[:at])
			entry, rest = "88,", rest[at+1:]
		}
		text += h.record(entry + rest)
	}
	n := strings.Count(text, h.lineEnd) + 1
	text += h.record(fmt.Sprintf("49,%d,%d", total, n))
	head := h.record("02,C,B,1," + d.on.Time().Format("060102") + ",2359,EUR,2")
	return head + text + h.record(fmt.Sprintf("98,%d,1,%d", total, n+2)), n + 2, total
}

func (h baiHand) record(text string) string {
	return fmt.Sprintf("%-*s", h.pad, text+h.slash) + h.lineEnd
}

// TestReadBAI2_ReadsWhatABankWrites writes days in some bank's manner and reads them back.
func TestReadBAI2_ReadsWhatABankWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		days := someDays(t)
		h := someBAIHand(t)
		sameLines(t, []byte(h.write(days)), days)
		cut := rapid.IntRange(0, len(h.write(days))-1).Draw(t, "cut")
		if read, err := statement.Read([]byte(h.write(days)[:cut]), nil); err == nil && (read.ClosingMinor == nil || *read.ClosingMinor != days[len(days)-1].closing()) {
			t.Fatalf("a part is read as the whole: %+v", read)
		}
	})
}
