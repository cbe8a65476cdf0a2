package overlap_test

import (
	"fmt"
	"reflect"
	"testing"

	"daybook/recon/overlap"
	"daybook/store/ledger"
)

const third = "2026-03-03"

// coffee, lunch and the like are lines of 3 March by the first letter of their text.
func named(text string) overlap.Fingerprint { return overlap.Fingerprint{text[0]} }

func lines(texts ...string) []overlap.Line {
	all := make([]overlap.Line, len(texts))
	for i, text := range texts {
		all[i] = overlap.Line{Fingerprint: named(text), Date: ledger.MustDate(third), AmountMinor: -280}
	}
	return all
}

// walk gives lines their running balances, from an opening on.
func walk(openingMinor int64, all []overlap.Line) []overlap.Line {
	for i := range all {
		openingMinor += all[i].AmountMinor
		minor := openingMinor
		all[i].BalanceMinor = &minor
	}
	return all
}

func at(date string, texts ...string) []overlap.Line {
	all := lines(texts...)
	for i := range all {
		all[i].Date = ledger.MustDate(date)
	}
	return all
}

func storedBy(statementID int64, all []overlap.Line) []overlap.Stored {
	stored := make([]overlap.Stored, len(all))
	for i, line := range all {
		stored[i] = overlap.Stored{Line: line, StatementID: statementID, Row: i + 2}
	}
	return stored
}

func join(parts ...[]overlap.Line) []overlap.Line {
	var all []overlap.Line
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

// words gives each verdict as a letter: n for new, k for known, ? for known that may be new.
func words(verdicts []overlap.Verdict) string {
	text := ""
	for _, v := range verdicts {
		switch {
		case v.StatementID == 0:
			text += "n"
		case v.MayBeNew:
			text += "?"
		default:
			text += "k"
		}
	}
	return text
}

func TestJudge(t *testing.T) {
	t.Parallel()
	before, after := at("2026-03-02", "before"), at("2026-03-04", "after")
	inOrder := map[int64]overlap.Order{1: overlap.OldestFirst}
	for name, test := range map[string]struct {
		file overlap.File
		want string
	}{
		"NothingIsStored":       {overlap.File{Lines: lines("coffee", "coffee")}, "nn"},
		"AnotherDayIsStored":    {overlap.File{Lines: lines("coffee"), Stored: storedBy(1, before)}, "n"},
		"AThirdCoffee":          {overlap.File{Lines: join(before, lines("coffee", "coffee", "coffee"), after), Stored: storedBy(1, lines("coffee", "coffee"))}, "nkknn"},
		"FewerThanStored":       {overlap.File{Lines: join(before, lines("coffee"), after), Stored: storedBy(1, lines("coffee", "coffee"))}, "nkn"},
		"ADayOnWhichItMayBegin": {overlap.File{Lines: join(lines("coffee"), after), Stored: storedBy(1, lines("coffee"))}, "?n"},
		"ADayOnWhichItMayEnd":   {overlap.File{Lines: join(before, lines("coffee")), Stored: storedBy(1, lines("coffee"))}, "n?"},
		"AWholeFirstDay":        {overlap.File{Lines: join(lines("coffee"), after), Stored: storedBy(1, lines("coffee")), WholeFirst: true}, "kn"},
		"AWholeLastDay":         {overlap.File{Lines: join(before, lines("coffee")), Stored: storedBy(1, lines("coffee")), WholeLast: true}, "nk"},
		"AllThatIsStoredOfIt":   {overlap.File{Lines: join(lines("taxi", "coffee", "lunch"), after), Stored: storedBy(1, lines("coffee", "taxi"))}, "kknn"},
		"AnIdOfTheBank": {overlap.File{Lines: func() []overlap.Line {
			all := lines("coffee")
			all[0].Named = true
			return all
		}(), Stored: storedBy(1, lines("coffee"))}, "k"},
		"AStoredWholeDay": {overlap.File{Lines: lines("coffee"), Stored: func() []overlap.Stored {
			all := storedBy(1, lines("coffee"))
			all[0].WholeDay = true
			return all
		}()}, "k"},
		"GoesOnWithinTheDay":            {overlap.File{Lines: join(lines("coffee", "taxi", "coffee"), after), Stored: storedBy(1, lines("coffee", "lunch", "coffee", "taxi")), Orders: inOrder}, "kknn"},
		"GoesOnNewestFirst":             {overlap.File{Lines: join(after, lines("coffee", "taxi", "coffee")), Stored: storedBy(1, lines("coffee", "lunch", "coffee", "taxi")), Orders: inOrder}, "nnkk"},
		"EndsWhereTheStoredGoesOn":      {overlap.File{Lines: join(before, lines("coffee", "taxi")), Stored: storedBy(1, lines("taxi", "coffee", "lunch")), Orders: inOrder}, "nnk"},
		"WithoutAnOrder":                {overlap.File{Lines: join(lines("coffee", "taxi", "coffee"), after), Stored: storedBy(1, lines("coffee", "lunch", "coffee", "taxi"))}, "???n"},
		"ALineThatTheBankReworded":      {overlap.File{Lines: join(lines("coffee", "Lunch by card", "taxi", "dinner"), after), Stored: storedBy(1, lines("coffee", "lunch", "taxi")), Orders: inOrder}, "?n?nn"},
		"EqualLinesAloneDecideNothing":  {overlap.File{Lines: join(lines("coffee", "coffee"), after), Stored: storedBy(1, lines("lunch", "coffee")), Orders: inOrder}, "?nn"},
		"SeveralStatementsHaveNoOrder":  {overlap.File{Lines: join(lines("taxi", "coffee"), after), Stored: append(storedBy(1, lines("lunch", "coffee")), storedBy(2, lines("taxi"))...), Orders: inOrder}, "??n"},
		"TheSecondOfTwoByItsBalance":    {overlap.File{Lines: join(before, walk(10000, lines("coffee", "coffee")), after), Stored: storedBy(1, walk(9720, lines("coffee")))}, "nnkn"},
		"GoesOnByBalance":               {overlap.File{Proven: true, Lines: walk(9440, join(lines("coffee"), after)), Stored: storedBy(1, walk(10000, lines("coffee", "coffee")))}, "nn"},
		"OverlapsByBalance":             {overlap.File{Proven: true, Lines: walk(9720, lines("coffee", "coffee", "coffee")), Stored: storedBy(1, walk(10000, lines("coffee", "coffee")))}, "knn"},
		"ComesBeforeByBalance":          {overlap.File{Proven: true, Lines: walk(10000, lines("coffee", "coffee")), Stored: storedBy(1, walk(9440, lines("coffee")))}, "nn"},
		"ALateLineBetween":              {overlap.File{Proven: true, Lines: walk(10000, lines("taxi", "late", "coffee")), Stored: storedBy(1, walk(10000, lines("taxi", "coffee")))}, "kn?"},
		"ALateLineInFront":              {overlap.File{Proven: true, Lines: walk(10000, lines("late", "coffee")), Stored: storedBy(1, walk(10000, lines("coffee")))}, "n?"},
		"ALateLineOfTheDayBefore":       {overlap.File{Proven: true, Lines: walk(15000, lines("coffee")), Stored: storedBy(1, walk(10000, lines("coffee")))}, "?"},
		"AGapByBalance":                 {overlap.File{Proven: true, Lines: walk(9000, lines("coffee")), Stored: storedBy(1, walk(10000, lines("coffee")))}, "?"},
		"BalancesThatDoNotProve":        {overlap.File{Lines: walk(9440, lines("coffee")), Stored: storedBy(1, walk(10000, lines("coffee", "coffee")))}, "?"},
		"OnlyTheFileHasBalances":        {overlap.File{Proven: true, Lines: walk(9440, lines("coffee")), Stored: storedBy(1, lines("coffee"))}, "?"},
		"ABalanceThatComesTwice":        {overlap.File{Proven: true, Lines: walk(9720, refund(lines("refund", "coffee"))), Stored: storedBy(1, walk(10000, lines("coffee")))}, "nk"},
		"AnAmountBeyondWhatCanBeSummed": {overlap.File{Proven: true, Lines: huge(), Stored: storedBy(1, huge())}, "k"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := words(overlap.Judge(test.file)); got != test.want {
				t.Errorf("verdicts %q, want %q", got, test.want)
			}
		})
	}
}

// refund turns the first of lines into money in.
func refund(all []overlap.Line) []overlap.Line {
	all[0].AmountMinor = -all[0].AmountMinor
	return all
}

func huge() []overlap.Line {
	balance := int64(ledger.MaxAmountMinor)
	return []overlap.Line{{Fingerprint: named("x"), Date: ledger.MustDate(third), AmountMinor: -ledger.MaxAmountMinor, BalanceMinor: &balance}}
}

func TestJudge_NamesTheStatementOfEachLine(t *testing.T) {
	t.Parallel()
	stored := append(storedBy(7, lines("coffee")), storedBy(9, lines("lunch", "coffee"))...)
	got := overlap.Judge(overlap.File{Lines: lines("coffee", "lunch", "coffee"), Stored: stored, WholeFirst: true, WholeLast: true})
	if want := []overlap.Verdict{{StatementID: 7}, {StatementID: 9}, {StatementID: 9}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestOrderOf(t *testing.T) {
	t.Parallel()
	one, two := at("2026-03-01", "a"), at("2026-03-02", "b")
	for i, test := range []struct {
		lines []overlap.Line
		want  overlap.Order
	}{
		{nil, overlap.NoOrder}, {join(one, one), overlap.NoOrder}, {join(one, two), overlap.OldestFirst}, {join(two, two, one), overlap.NewestFirst},
		{join(one, two, one), overlap.NoOrder},
	} {
		if got := overlap.OrderOf(test.lines); got != test.want {
			t.Errorf("%d: got %v, want %v", i, got, test.want)
		}
	}
}

func ExampleJudge() {
	stored := storedBy(1, lines("coffee", "coffee"))
	fmt.Println(words(overlap.Judge(overlap.File{Lines: lines("coffee", "coffee", "coffee"), Stored: stored, WholeFirst: true, WholeLast: true})))
	// Output: kkn
}
