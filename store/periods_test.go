package store_test

import (
	"fmt"
	"slices"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

func (b bundle) periods(t *testing.T, f store.PeriodFilter) (lines []string, more bool) {
	t.Helper()
	items, more, err := b.Periods(t.Context(), b.viewer, f)
	ok(t, err)
	for _, p := range items {
		line := fmt.Sprint(p.Period, " ", p.Entries, " ", p.DebitMinor, " #", p.LastSeq, " ", p.ClosedBy)
		for _, a := range p.Accounts {
			line += fmt.Sprint(" ", a.Account.Code, ":", a.ReconciliationID, ":", a.UnexplainedMinor)
		}
		lines = append(lines, line)
	}
	return lines, more
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if got, _ := b.periods(t, store.PeriodFilter{}); !slices.Equal(got, []string{"2026-03 0 map[] #0 "}) {
		t.Errorf("a book without entries has %q", got)
	}
	b.open(t, "yen:a", ledger.Asset, inCurrency("JPY"))
	b.open(t, "yen:b", ledger.Income, inCurrency("JPY"))
	yen := postings(ledger.Posting{Account: "yen:a", AmountMinor: 700, Currency: "JPY"}, ledger.Posting{Account: "yen:b", AmountMinor: -700, Currency: "JPY"})
	b.post(t, entry("t1", on("2025-12-31"), amount(100)), entry("t2", on("2026-02-03"), amount(250)), entry("t3", on("2026-02-28"), yen), entry("t4", on("2026-02-02"), amount(50)),
		entry("t5", on("2026-05-09"), amount(5)))
	february := b.upload(t, csv("2026-02-03,2.50,t2"), period("2026-02-01", "2026-02-28"))
	b.sql(t, `INSERT INTO periods (book_id, period, closed_at, closed_by) SELECT 1, '2025-12', now(), id FROM users WHERE email = 'approver@demo.test'`)
	want := []string{
		"2025-12 1 map[EUR:100] #1 approver", "2026-01 0 map[] #0 ", fmt.Sprintf("2026-02 3 map[EUR:300 JPY:700] #4  1010:%d:50", february.ReconciliationID),
		"2026-03 0 map[] #0  1010:0:0", "2026-05 1 map[EUR:5] #5  1010:0:0",
	}
	if got, more := b.periods(t, store.PeriodFilter{}); !slices.Equal(got, want) || more {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got, more := b.periods(t, store.PeriodFilter{After: "2025-12", Limit: 2}); !slices.Equal(got, want[1:3]) || !more {
		t.Errorf("got %q, more %v", got, more)
	}
	if got, more := b.periods(t, store.PeriodFilter{Before: "2026-02", Newest: true, Limit: 2}); !slices.Equal(got, []string{want[1], want[0]}) || more {
		t.Errorf("got %q, more %v", got, more)
	}
	_, _, err := b.Periods(t.Context(), store.Actor{Book: b.book}, store.PeriodFilter{})
	refused(t, err, ledger.KindForbidden)
}
