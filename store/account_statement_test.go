package store_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"daybook/store"
	"daybook/store/ledger"
)

// statement reads all pages of a statement, from the first to the last, and gives its head with the lines of all.
func (b bundle) statement(t require, q store.StatementQuery) store.AccountStatement {
	t.Helper()
	head, err := b.AccountStatement(t.Context(), b.viewer, q)
	sound(t, err)
	for page := head; page.Later; {
		q.After = &page.Lines[len(page.Lines)-1].Place
		page, err = b.AccountStatement(t.Context(), b.viewer, q)
		sound(t, err)
		if !page.Earlier {
			t.Fatalf("the page after %+v says that none comes before it", *q.After)
		}
		for i, subtotal := range page.Subtotals {
			head.Subtotals[len(head.Lines)+i] = subtotal
		}
		head.Lines = append(head.Lines, page.Lines...)
	}
	return head
}

// backwards reads the pages before a place, from the last to the first.
func (b bundle) backwards(t require, q store.StatementQuery, place store.Place) (lines []store.AccountLine) {
	t.Helper()
	for more := true; more; {
		q.Before = &place
		page, err := b.AccountStatement(t.Context(), b.viewer, q)
		sound(t, err)
		lines = append(slices.Clone(page.Lines), lines...)
		if more = page.Earlier; more {
			place = page.Lines[0].Place
		}
	}
	return lines
}

func TestAccountStatement_IsWhatAnyoneWouldAddUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	checkSome(t, 30, func(r *rapid.T, round int) {
		code := fmt.Sprintf("round:%d", round)
		b.open(t, code, rapid.SampledFrom(ledger.AccountTypes).Draw(r, "type"))
		var entries []ledger.Entry
		for i := range rapid.IntRange(0, 15).Draw(r, "entries") {
			entries = append(entries, randomEntry(r, code, fmt.Sprintf("%s-%d", code, i)))
		}
		head, err := b.Seal(t.Context(), b.viewer)
		ok(t, err)
		ok(t, b.PostEntries(t.Context(), b.preparer, entries))
		q := store.StatementQuery{
			Account: code, Limit: rapid.IntRange(2, 9).Draw(r, "limit"), Side: rapid.SampledFrom([]store.Side{"", "", store.Debit, store.Credit}).Draw(r, "side"),
			Group: rapid.SampledFrom([]store.Grouping{"", store.ByDay, store.ByMonth}).Draw(r, "group"),
			From:  rapid.SampledFrom(days("", "2026-02-27", "2026-03-01", "2026-03-02")).Draw(r, "from"), To: rapid.SampledFrom(days("", "2026-03-01", "2026-03-02")).Draw(r, "to"),
		}
		want := recomputed(q, head.Seq, entries)
		got := b.statement(r, q)
		if diff := difference(got, want); diff != "" {
			r.Fatalf("%+v: %s", q, diff)
		}
		if !got.Proves() {
			r.Fatalf("the proof of %+v does not hold: %+v", q, got)
		}
		if len(got.Lines) > 0 {
			last := len(got.Lines) - 1
			before := b.backwards(r, q, got.Lines[last].Place)
			if !slices.Equal(places(before), places(got.Lines[:last])) {
				r.Fatalf("backwards there are %v, forwards %v", places(before), places(got.Lines[:last]))
			}
		}
		b.exportsTheSame(r, q, got)
	})
}

func (b bundle) exportsTheSame(t require, q store.StatementQuery, want store.AccountStatement) {
	t.Helper()
	var lines []store.AccountLine
	sound(t, b.ExportStatement(t.Context(), b.viewer, q, func(store.AccountStatement) error { return nil },
		func(line store.AccountLine) error { lines = append(lines, line); return nil }))
	if diff := difference(store.AccountStatement{Lines: lines}, store.AccountStatement{Lines: want.Lines}); diff != "" {
		t.Fatalf("exported: %s", diff)
	}
}

// randomEntry moves the account once or twice, on one of four days, against another.
func randomEntry(r *rapid.T, code, txID string) ledger.Entry {
	amounts := rapid.SliceOfN(rapid.Int64Range(-500, 500).Filter(func(n int64) bool { return n != 0 }), 1, 2).Draw(r, "amounts")
	var lines []ledger.Posting
	var total int64
	for _, minor := range amounts {
		lines, total = append(lines, ledger.Posting{Account: code, AmountMinor: minor, Currency: "EUR"}), total+minor
	}
	if total != 0 || len(lines) == 1 {
		lines = append(lines, ledger.Posting{Account: "customer:bob", AmountMinor: -total, Currency: "EUR"})
	}
	return entry(txID, postings(lines...), on(rapid.SampledFrom([]string{"2026-02-26", "2026-02-28", "2026-03-01", "2026-03-02"}).Draw(r, "day")))
}

// recomputed is the statement of an account from the entries alone, which were posted behind a head.
func recomputed(q store.StatementQuery, head int64, entries []ledger.Entry) store.AccountStatement {
	want := store.AccountStatement{Subtotals: map[int]store.AccountTurnover{}}
	var all []store.AccountLine
	for i, e := range entries {
		for n, p := range e.Postings {
			if p.Account == q.Account {
				all = append(all, store.AccountLine{Place: store.Place{EffectiveOn: e.EffectiveOn, Seq: head + int64(i) + 1, Line: n + 1}, AmountMinor: p.AmountMinor})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b store.AccountLine) int { return a.EffectiveOn.Compare(b.EffectiveOn) })
	var balance, debits int64
	groups := map[string]store.AccountTurnover{}
	for _, line := range all {
		if balance += line.AmountMinor; line.EffectiveOn.Before(q.From) {
			want.OpeningMinor = balance
		}
		if !q.To.IsZero() && line.EffectiveOn.After(q.To) {
			continue
		}
		want.ClosingMinor = balance
		if line.EffectiveOn.Before(q.From) {
			continue
		}
		debits += max(line.AmountMinor, 0)
		line.BalanceMinor, line.DebitMinor = balance, debits
		want.Turnover = counted(want.Turnover, line.AmountMinor)
		if q.Side == store.Debit && line.AmountMinor < 0 || q.Side == store.Credit && line.AmountMinor > 0 {
			continue
		}
		want.Found, want.Lines = counted(want.Found, line.AmountMinor), append(want.Lines, line)
		groups[groupOf(q.Group, line)] = counted(groups[groupOf(q.Group, line)], line.AmountMinor)
	}
	for i, line := range want.Lines {
		if q.Group != "" && (i+1 == len(want.Lines) || groupOf(q.Group, line) != groupOf(q.Group, want.Lines[i+1])) {
			want.Subtotals[i] = groups[groupOf(q.Group, line)]
		}
	}
	return want
}

func groupOf(group store.Grouping, line store.AccountLine) string {
	if group == store.ByMonth {
		return string(ledger.PeriodOf(line.EffectiveOn))
	}
	return line.EffectiveOn.String()
}

func counted(t store.AccountTurnover, minor int64) store.AccountTurnover {
	if minor > 0 {
		t.Debits, t.DebitMinor = t.Debits+1, t.DebitMinor+minor
	} else {
		t.Credits, t.CreditMinor = t.Credits+1, t.CreditMinor-minor
	}
	return t
}

func difference(got, want store.AccountStatement) string {
	switch {
	case got.OpeningMinor != want.OpeningMinor || got.ClosingMinor != want.ClosingMinor:
		return fmt.Sprintf("from %d to %d, want from %d to %d", got.OpeningMinor, got.ClosingMinor, want.OpeningMinor, want.ClosingMinor)
	case got.Turnover != want.Turnover || got.Found != want.Found:
		return fmt.Sprintf("turnover %+v, found %+v, want %+v, %+v", got.Turnover, got.Found, want.Turnover, want.Found)
	case !maps.Equal(got.Subtotals, want.Subtotals):
		return fmt.Sprintf("subtotals %v, want %v", got.Subtotals, want.Subtotals)
	case !slices.Equal(figures(got.Lines), figures(want.Lines)):
		return fmt.Sprintf("lines %v, want %v", figures(got.Lines), figures(want.Lines))
	}
	return ""
}

func figures(lines []store.AccountLine) (all []string) {
	for _, l := range lines {
		all = append(all, fmt.Sprint(l.Place, l.AmountMinor, l.BalanceMinor, l.DebitMinor))
	}
	return all
}

func places(lines []store.AccountLine) (all []store.Place) {
	for _, l := range lines {
		all = append(all, l.Place)
	}
	return all
}

func days(texts ...string) (all []ledger.Date) {
	for _, text := range texts {
		var day ledger.Date
		if err := day.UnmarshalText([]byte(text)); err != nil {
			panic(err)
		}
		all = append(all, day)
	}
	return all
}

func TestAccountStatement_PagesHaveNoGapWhileOthersPostIntoThePast(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 40 {
		b.post(t, entry(fmt.Sprintf("t%02d", i), on(fmt.Sprintf("2026-03-%02d", 1+i/4)), amount(int64(100+i))))
	}
	const most = 300 // posting may be faster than reading pages
	posting := make(chan error)
	stop := make(chan struct{})
	go func() {
		var err error
		for i := 0; err == nil && i < most; i++ {
			select {
			case <-stop:
				posting <- nil
				return
			default:
				_, err = b.PostEntry(t.Context(), b.controller, "", entry(fmt.Sprintf("late%d", i), on(fmt.Sprintf("2026-03-%02d", 1+i%10)), amount(1)))
			}
		}
		posting <- err
	}()
	read := b.statement(t, store.StatementQuery{Account: "1010", Limit: 3})
	close(stop)
	ok(t, <-posting)
	var seen []string
	for i, line := range read.Lines {
		if i > 0 && line.Place == read.Lines[i-1].Place {
			t.Errorf("%+v is shown twice", line.Place)
		}
		if line.Seq <= 40 {
			seen = append(seen, line.TxID)
		}
	}
	if len(seen) != 40 || !slices.IsSorted(seen) {
		t.Errorf("of the 40 that were there first, the pages show %d: %v", len(seen), seen)
	}
}

func TestAccountStatement_TheLatestMonthAndWhatIsNotThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	empty := b.statement(t, store.StatementQuery{Account: "1010", Latest: true})
	if !empty.From.IsZero() || !empty.To.IsZero() || len(empty.Lines) != 0 || !empty.Proves() {
		t.Errorf("an account without postings has %+v", empty)
	}
	b.post(t, entry("t1", on("2026-01-31")), entry("t2", on("2026-02-03")), entry("t3", on("2026-02-28")))
	latest := b.statement(t, store.StatementQuery{Account: "1010", Latest: true})
	if latest.From != ledger.MustDate("2026-02-01") || latest.To != ledger.MustDate("2026-02-28") || len(latest.Lines) != 2 || latest.OpeningMinor != 3050 {
		t.Errorf("the latest month is %+v", latest)
	}
	for _, code := range []string{"nowhere", "", "x\x00y", "\xff"} {
		_, err := b.AccountStatement(t.Context(), b.viewer, store.StatementQuery{Account: code})
		refused(t, err, ledger.KindNotFound)
	}
	_, err := b.AccountStatement(t.Context(), store.Actor{Book: b.book}, store.StatementQuery{Account: "1010"})
	refused(t, err, ledger.KindForbidden)
}

// require is what a test and a property have in common.
type require interface {
	Helper()
	Context() context.Context
	Fatalf(format string, args ...any)
}

func sound(t require, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}
