package store_test

import (
	"reflect"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

func (b bundle) place(t *testing.T, id int64) store.BreakPlace {
	t.Helper()
	place, err := b.PlaceOfBreak(t.Context(), b.viewer, id)
	ok(t, err)
	return place
}

func TestPlaceOfBreak_GoesThroughTheListInItsOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("p1", on("2026-03-05"), amount(900)))
	first := b.upload(t, csv("2026-03-20,2.00,late", "2026-03-02,1.00,early"), period("2026-03-01", "2026-03-31"))
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: first.ReconciliationID})
	ok(t, err)
	var ids []int64
	for i, item := range items {
		ids = append(ids, item.ID)
		want := store.BreakPlace{ReconciliationID: first.ReconciliationID, ScopeFrom: ledger.MustDate("2026-03-01"), ScopeTo: ledger.MustDate("2026-03-31"), Position: i + 1, Breaks: 3}
		if i > 0 {
			want.Previous = items[i-1].ID
		}
		if i < len(items)-1 {
			want.Next = items[i+1].ID
		}
		want.NextOpen = items[(i+1)%len(items)].ID
		if got := b.place(t, item.ID); got != want {
			t.Errorf("break %d stands at %+v, want %+v", item.ID, got, want)
		}
	}
	if items[0].EarliestDay() != ledger.MustDate("2026-03-02") {
		t.Fatalf("the list begins with %+v", items[0])
	}

	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", ids[0], store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "n"})
	ok(t, err)
	if got := b.place(t, ids[1]); got.Position != 1 || got.Next != ids[2] || got.NextOpen != ids[2] {
		t.Errorf("what is open does not come before what is explained: %+v", got)
	}
	if got := b.place(t, ids[0]); got.Position != 3 || got.Previous != ids[2] {
		t.Errorf("what is explained does not come last: %+v", got)
	}

	second := b.upload(t, csv("2026-04-02,7.00,april"), period("2026-04-01", "2026-04-30"))
	if got := b.place(t, ids[1]); got.ReconciliationID != second.ReconciliationID || got.Breaks != 4 {
		t.Errorf("a break that lives on stands at %+v, want reconciliation %d", got, second.ReconciliationID)
	}
	b.post(t, entry("early", on("2026-03-02"), amount(100)))
	ok(t, b.RunMatching(t.Context(), b.preparer, second.ReconciliationID))
	if got := b.place(t, ids[0]); got.ReconciliationID != first.ReconciliationID {
		t.Errorf("a break that a matching settled stands at %+v, want reconciliation %d", got, first.ReconciliationID)
	}
	b.post(t, entry("april", on("2026-04-02"), amount(700)))
	ok(t, b.RunMatching(t.Context(), b.preparer, second.ReconciliationID))
	for id := int64(1); id <= 4; id++ {
		settled, _, err := b.Break(t.Context(), b.viewer, id)
		ok(t, err)
		if got := b.place(t, id); settled.EarliestDay() == ledger.MustDate("2026-04-02") && (got.ReconciliationID != second.ReconciliationID || got.Position != 0) {
			t.Errorf("a break that its only reconciliation settled stands at %+v", got)
		}
	}
	_, err = b.PlaceOfBreak(t.Context(), b.viewer, 99)
	refused(t, err, ledger.KindNotFound)
}

func TestSimilarBreaks_HaveTheAmountOrTheText(t *testing.T) {
	t.Parallel()
	b := setup(t)
	upload := func(data string) { b.upload(t, []byte("Date,Amount,Reference,Description\n"+data)) }
	upload("2026-03-01,-12.50,c1,Account charges 02/2026\n2026-03-02,-12.50,c2,Something else\n2026-03-03,-9.00,c3,ACCOUNT CHARGES 01/2026\n2026-03-04,-1.00,c4,Interest\n2026-03-05,12.50,c5,Refund\n")
	id := map[int64]int64{} // by difference, of which 12.50 is there twice
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: 1})
	ok(t, err)
	for _, item := range items {
		if _, twice := id[item.DifferenceMinor]; !twice {
			id[item.DifferenceMinor] = item.ID
		}
	}
	similar := func(of int64) (ids []int64) {
		found, _, err := b.SimilarBreaks(t.Context(), b.viewer, of, 10)
		ok(t, err)
		for _, item := range found {
			ids = append(ids, item.ID)
		}
		return ids
	}
	if got := similar(id[1250]); !reflect.DeepEqual(got, []int64{id[900], id[1250] + 1}) {
		t.Errorf("like %d are %v, of %v", id[1250], got, id)
	}
	if got := similar(id[900]); !reflect.DeepEqual(got, []int64{id[1250]}) {
		t.Errorf("like %d are %v, of %v", id[900], got, id)
	}
	if got := similar(id[100]); got != nil {
		t.Errorf("like the interest are %v", got)
	}
	if one, more, err := b.SimilarBreaks(t.Context(), b.viewer, id[1250], 1); err != nil || len(one) != 1 || !more {
		t.Errorf("a page of one is %v, more %v, error %v", one, more, err)
	}
}
