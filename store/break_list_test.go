package store_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

// five is a reconciliation of March with breaks of several kinds: fees that the ledger lacks, and postings that the bank lacks.
func (b bundle) five(t *testing.T) int64 {
	t.Helper()
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)), entry("t2", on("2026-03-20"), amount(2000)), entry("late", on("2026-03-31"), amount(70)))
	return b.upload(t, csv("2026-03-09,-3.00,fee-1", "2026-03-21,-2.50,fee-2"), period("2026-03-01", "2026-03-31")).ReconciliationID
}

func (b bundle) worked(t *testing.T, q store.BreakQuery) (page store.BreakPage, amounts []int64) {
	t.Helper()
	page, err := b.WorkList(t.Context(), b.preparer, q)
	ok(t, err)
	for _, item := range page.Items {
		amounts = append(amounts, item.DifferenceMinor)
	}
	return page, amounts
}

func TestWorkList_ListsWhatIsOpenFirstAndNarrows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.five(t)
	page, amounts := b.worked(t, store.BreakQuery{ReconciliationID: id})
	if want := []int64{300, 250, 1000, 2000, 70}; !reflect.DeepEqual(amounts, want) || page.Found != 5 || page.SumMinor != 3620 || page.More || page.Digest == "" {
		t.Fatalf("it lists %d, %+v", amounts, page)
	}
	_, _, err := b.AssignBreak(t.Context(), b.preparer, "", page.Items[1].ID, b.preparer.Email, "")
	ok(t, err)
	minor := int64(-250)
	for _, test := range []struct {
		name string
		q    store.BreakQuery
		want []int64
	}{
		{"type", store.BreakQuery{Type: recon.MissingInLedger}, []int64{300, 250}},
		{"standing", store.BreakQuery{Standing: store.StandsExplained}, []int64{70}},
		{"mine", store.BreakQuery{Owner: store.OwnedByMe}, []int64{250}},
		{"nobody's", store.BreakQuery{Owner: store.OwnedByNobody}, []int64{300, 1000, 2000}},
		{"old", store.BreakQuery{Before: ledger.MustDate("2026-03-10")}, []int64{300, 1000}},
		{"text of the bank", store.BreakQuery{Text: "FEE-2"}, []int64{250}},
		{"tx id", store.BreakQuery{Text: "t2"}, []int64{2000}},
		{"name", store.BreakQuery{Text: fmt.Sprint("b-", page.Items[0].ID)}, []int64{300}},
		{"wildcard", store.BreakQuery{Text: "%"}, nil},
		{"amount", store.BreakQuery{AmountMinor: &minor}, []int64{250}},
		{"page", store.BreakQuery{After: 1, Limit: 2}, []int64{250, 1000}},
	} {
		test.q.ReconciliationID = id
		if _, got := b.worked(t, test.q); !reflect.DeepEqual(got, test.want) {
			t.Errorf("by %s it lists %d, want %d", test.name, got, test.want)
		}
	}
}

func TestBreakFacets_CountWhatTheListCanBeNarrowedBy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.five(t)
	page, _ := b.worked(t, store.BreakQuery{ReconciliationID: id})
	_, _, err := b.AssignBreak(t.Context(), b.preparer, "", page.Items[0].ID, b.preparer.Email, "")
	ok(t, err)
	facets, err := b.BreakFacets(t.Context(), b.preparer, id, ledger.MustDate("2026-03-10"))
	ok(t, err)
	mine, nobodys, old, first := 0, 0, 0, ledger.MustDate("2026-12-31")
	for _, f := range facets {
		if f.Mine {
			mine += f.Breaks
		}
		if f.Nobodys {
			nobodys += f.Breaks
		}
		if f.Old {
			old += f.Breaks
		}
		if f.Since.Before(first) {
			first = f.Since
		}
	}
	if mine != 1 || nobodys != 3 || old != 2 || first != ledger.MustDate("2026-03-02") {
		t.Errorf("%d mine, %d nobody's, %d old, since %s: %+v", mine, nobodys, old, first, facets)
	}
}

func TestNextInList_GoesOnBehindTheLastAndBackFromTheEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.five(t)
	page, _ := b.worked(t, store.BreakQuery{ReconciliationID: id})
	at := func(i int) int64 { return page.Items[i].ID }
	for _, test := range []struct {
		chosen []int64
		want   int64
	}{{[]int64{at(0)}, at(1)}, {[]int64{at(0), at(2)}, at(3)}, {[]int64{at(4), at(3)}, at(2)}, {[]int64{at(0), at(1), at(2), at(3), at(4)}, 0}} {
		next, err := b.NextInList(t.Context(), b.preparer, store.BreakQuery{ReconciliationID: id}, test.chosen)
		ok(t, err)
		if next != test.want {
			t.Errorf("after %d comes %d, want %d", test.chosen, next, test.want)
		}
	}
}

func TestExportBreaks_HandsOutAllThatTheListHas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.five(t)
	var got []int64
	ok(t, b.ExportBreaks(t.Context(), b.viewer, store.BreakQuery{ReconciliationID: id, Standing: store.StandsOpen}, func(item store.Break) error {
		got = append(got, item.DifferenceMinor)
		return nil
	}))
	if want := []int64{300, 250, 1000, 2000}; !reflect.DeepEqual(got, want) {
		t.Errorf("it hands out %d", got)
	}
}

func TestScopePostings_SayWhatBecameOfEach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	march := b.signedMarch(t)
	postings := func() (lines []string) {
		items, more, err := b.ScopePostings(t.Context(), b.viewer, march.ID, 0, 100)
		ok(t, err)
		if more {
			t.Error("there are more")
		}
		for _, p := range items {
			lines = append(lines, strings.TrimSpace(fmt.Sprint(p.Seq, " ", p.MatchKind, p.BreakType, " ", p.Resolution)))
		}
		return lines
	}
	signed := postings()
	if len(signed) != march.Postings || len(signed) < 2 {
		t.Fatalf("of %d postings it lists %q", march.Postings, signed)
	}
	_, _, err := b.ReopenReconciliation(t.Context(), b.approver, "", march.ID, "look again")
	ok(t, err)
	if open := postings(); !reflect.DeepEqual(open, signed) {
		t.Errorf("signed %q, open %q", signed, open)
	}
}

func TestReconciliationHistory_TellsEachStepOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.five(t)
	page, _ := b.worked(t, store.BreakQuery{ReconciliationID: id})
	var fees []store.SeenBreak
	for _, item := range page.Items[:2] {
		fees = append(fees, store.SeenBreak{ID: item.ID, Version: item.Version})
	}
	_, _, err := b.ResolveChosen(t.Context(), b.preparer, "", id, store.BreakChoice{Breaks: fees}, store.BulkResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "ticket 7"})
	ok(t, err)
	_, _, err = b.CommentBreak(t.Context(), b.approver, "", fees[0].ID, "thank you")
	ok(t, err)
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	b.post(t, entry("t3", on("2026-03-05"), amount(-1000)))
	b.matchByHand(t, id, postingsOf(1, 4), nil)
	items, more, err := b.ReconciliationHistory(t.Context(), b.viewer, id, 0, 50)
	ok(t, err)
	var got []string
	for _, w := range items {
		got = append(got, fmt.Sprint(w.About, " ", w.Event, " ", w.Resolution, " ", w.Count, w.BreakIDs, " ", w.Lines, w.Postings, " ", w.User))
	}
	want := []string{fmt.Sprintf("breaks commented  1 [%d] 0 0 approver", fees[0].ID), fmt.Sprintf("breaks resolved external 2 [%d %d] 0 0 preparer", fees[0].ID, fees[1].ID), "match made  0 [] 0 2 preparer", "matching   0 [] 0 0 preparer"}
	if !reflect.DeepEqual(got, want) || more {
		t.Errorf("the history is %q", got)
	}
}
