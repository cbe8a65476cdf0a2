package store_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

func TestEntries_FiltersAndPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", described("Rent 100%")), entry("t2", on("2026-03-05"), moves("customer:bob", "revenue:fees", 70)), entry("t3", on("2026-03-09")), entry("t4"))
	for name, test := range map[string]struct {
		filter store.EntryFilter
		want   []int64
		more   bool
	}{
		"All":           {store.EntryFilter{}, []int64{1, 2, 3, 4}, false},
		"Page":          {store.EntryFilter{After: 1, Limit: 2}, []int64{2, 3}, true},
		"NewestFirst":   {store.EntryFilter{Newest: true, Before: 4, Limit: 2}, []int64{3, 2}, true},
		"Account":       {store.EntryFilter{Account: "customer:bob"}, []int64{2}, false},
		"Dates":         {store.EntryFilter{From: ledger.MustDate("2026-03-05"), To: ledger.MustDate("2026-03-08")}, []int64{2}, false},
		"TextIsLiteral": {store.EntryFilter{Words: store.WordsOf("100%")}, []int64{1}, false},
		"TextNoPattern": {store.EntryFilter{Words: store.WordsOf("t_")}, nil, false},
		"Amount":        {store.EntryFilter{Amounts: map[string]int64{"EUR": 70}}, []int64{2}, false},
	} {
		t.Run(name, func(t *testing.T) {
			items, more, err := b.Entries(t.Context(), b.viewer, test.filter)
			ok(t, err)
			var seqs []int64
			for _, item := range items {
				seqs = append(seqs, item.Seq)
			}
			if !reflect.DeepEqual(seqs, test.want) || more != test.more {
				t.Errorf("got %v, more %v, want %v, %v", seqs, more, test.want, test.more)
			}
		})
	}
	totals, err := b.SumEntries(t.Context(), b.viewer, store.EntryFilter{To: ledger.MustDate("2026-03-09"), Kind: ledger.PlainEntry})
	ok(t, err)
	if totals.Entries != 4 || totals.Postings != 8 || totals.DebitMinor["EUR"] != "9220" {
		t.Errorf("the totals of the filter are %+v", totals)
	}
}

func TestEntries_AreSearchedByWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maja, err := b.AddUser(t.Context(), "m.lind@kiln.test", "Maja Lind", password)
	ok(t, err)
	ok(t, b.GrantRole(t.Context(), b.book, maja.ID, store.Preparer))
	actor, err := b.Actor(t.Context(), maja.ID, "main")
	ok(t, err)
	b.open(t, "customer:bord", ledger.Liability, func(a *ledger.Account) { a.Name = "Bord & Co" })
	b.post(t, entry("pay-lz-2274", described("Leem & Zoon, LZ-2274")), entry("t2", described("Clay of Leem"), noting("invoice", "INV-9")),
		entry("t3", moves("1010", "customer:bord", 8470)))
	_, err = b.PostEntry(t.Context(), actor, "maja", entry("t4", described("Zoon")))
	ok(t, err)
	for text, want := range map[string][]int64{
		"leem zoon": {1}, "ZOON leem lz": {1}, "leem": {1, 2}, "leem inv-9": {2}, "zoon maja": {4}, "Maja Lind": {4}, "m.lind": {4}, "m.lind@kiln": {4}, "kiln": nil,
		"customer:bord": {3}, "bord co": {3}, "customer:bord leem": nil, "preparer": {1, 2, 3}, "": {1, 2, 3, 4}, "%": nil, "_": nil, `\\`: nil,
	} {
		if got := b.seqsOf(t, store.EntryFilter{Words: store.WordsOf(text)}); !slices.Equal(got, want) {
			t.Errorf("%q finds %v, want %v", text, got, want)
		}
	}
	words := []store.SearchWord{{Text: "bord"}, {Text: "84.70", Amounts: map[string]int64{"EUR": 8470}}}
	if got := b.seqsOf(t, store.EntryFilter{Words: words}); !slices.Equal(got, []int64{3}) {
		t.Errorf("a word and an amount find %v", got)
	}
	if got := b.seqsOf(t, store.EntryFilter{Words: []store.SearchWord{{Text: "#2", Seq: 2}}}); !slices.Equal(got, []int64{2}) {
		t.Errorf("a number finds %v", got)
	}
}

func (b bundle) seqsOf(t *testing.T, f store.EntryFilter) (seqs []int64) {
	t.Helper()
	items, _, err := b.Entries(t.Context(), b.viewer, f)
	ok(t, err)
	for _, item := range items {
		seqs = append(seqs, item.Seq)
	}
	return seqs
}

func TestSumEntries_SumsWhatConcernsTheAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", amount(1000)), entry("t2", on("2026-03-05"), moves("customer:bob", "1010", 300)), entry("t3", on("2026-03-09"), amount(50)),
		entry("both", on("2026-03-10"), postings(ledger.Posting{Account: "1010", AmountMinor: 70, Currency: "EUR"}, ledger.Posting{Account: "1010", AmountMinor: -20, Currency: "EUR"},
			ledger.Posting{Account: "revenue:fees", AmountMinor: -50, Currency: "EUR"})), entry("other", moves("customer:bob", "revenue:fees", 5)))
	for name, test := range map[string]struct {
		filter store.EntryFilter
		seqs   []int64
		want   store.AccountTotals
	}{
		"Whole":   {store.EntryFilter{}, []int64{1, 2, 3, 4}, store.AccountTotals{Currency: "EUR", DebitMinor: 1120, CreditMinor: 320, BalanceMinor: 800}},
		"Debits":  {store.EntryFilter{Side: store.Debit}, []int64{1, 3, 4}, store.AccountTotals{Currency: "EUR", DebitMinor: 1120, BalanceMinor: 1120}},
		"Credits": {store.EntryFilter{Side: store.Credit, From: ledger.MustDate("2026-03-02")}, []int64{2, 4}, store.AccountTotals{Currency: "EUR", CreditMinor: 320, BalanceMinor: -320}},
		"Amount":  {store.EntryFilter{Amounts: map[string]int64{"EUR": 50}}, []int64{3}, store.AccountTotals{Currency: "EUR", DebitMinor: 50, BalanceMinor: 50}},
		"None":    {store.EntryFilter{From: ledger.MustDate("2026-04-02")}, nil, store.AccountTotals{Currency: "EUR"}},
	} {
		test.filter.Account = "1010"
		totals, err := b.SumEntries(t.Context(), b.viewer, test.filter)
		ok(t, err)
		if seqs := b.seqsOf(t, test.filter); totals.Account != test.want || !slices.Equal(seqs, test.seqs) || totals.Entries != int64(len(seqs)) {
			t.Errorf("%s: entries %v, totals %+v, want %v, %+v", name, seqs, totals, test.seqs, test.want)
		}
	}
}

// The sums of a whole book are kept, those of a part are added up.
func TestSumEntries_OfAWholeBookAreThoseOfItsParts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inYen := func(a *ledger.Account) { a.Currency = "JPY" }
	b.open(t, "yen", ledger.Asset, inYen)
	b.open(t, "yen:other", ledger.Asset, inYen)
	if totals, err := b.SumEntries(t.Context(), b.viewer, store.EntryFilter{}); err != nil || totals.Entries != 0 || len(totals.DebitMinor) != 0 {
		t.Errorf("an empty book sums up to %+v, %v", totals, err)
	}
	b.post(t, entry("t1", amount(1000)), entry("t2", on("2026-03-05"), moves("customer:bob", "1010", 300)),
		entry("t3", postings(ledger.Posting{Account: "yen", AmountMinor: 7, Currency: "JPY"}, ledger.Posting{Account: "yen:other", AmountMinor: -7, Currency: "JPY"})),
		entry("both", postings(ledger.Posting{Account: "1010", AmountMinor: 70, Currency: "EUR"}, ledger.Posting{Account: "1010", AmountMinor: -20, Currency: "EUR"},
			ledger.Posting{Account: "revenue:fees", AmountMinor: -50, Currency: "EUR"})))
	whole, err := b.SumEntries(t.Context(), b.viewer, store.EntryFilter{Before: 2, Limit: 1, Newest: true})
	ok(t, err)
	part, err := b.SumEntries(t.Context(), b.viewer, store.EntryFilter{Kind: ledger.PlainEntry})
	ok(t, err)
	if !reflect.DeepEqual(whole, part) || whole.Entries != 4 || whole.DebitMinor["EUR"] != "1370" || whole.DebitMinor["JPY"] != "7" {
		t.Errorf("the whole book sums up to %+v, all of its entries to %+v", whole, part)
	}
}

func TestAccountsFitting(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "10", ledger.Asset, func(a *ledger.Account) { a.Name = "Bank" })
	for text, want := range map[string]string{
		"1010": "1010", "10": "10", "1": "10 1010", "CUST": "customer:alice customer:bob", "bank": "10", "10 ba": "10", "account c": "customer:alice customer:bob",
		"customer:b": "customer:bob", "ustomer": "", "%": "", "": "10 1010 customer:alice customer:bob revenue:fees",
	} {
		fitting, err := b.AccountsFitting(t.Context(), b.viewer, text, 10)
		ok(t, err)
		var codes []string
		for _, account := range fitting {
			codes = append(codes, account.Code)
		}
		if got := strings.Join(codes, " "); got != want {
			t.Errorf("%q fits %q, want %q", text, got, want)
		}
	}
}
