package store_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

// candidates tells what a break could be matched with as lines of text.
func (b bundle) candidates(t *testing.T, id int64) (told []string) {
	t.Helper()
	found, err := b.Candidates(t.Context(), b.viewer, id, 10)
	ok(t, err)
	for _, c := range found {
		var of []string
		for _, p := range c.Postings {
			of = append(of, fmt.Sprint("#", p.Seq))
		}
		for _, l := range c.Lines {
			of = append(of, fmt.Sprint("row ", l.Row))
		}
		told = append(told, fmt.Sprintf("%s: %d %s, resolves %v, reduces %v", strings.Join(of, " "), c.Score, c.Fits[0].Text, c.Resolves, c.Reduces))
	}
	return told
}

func TestCandidates_AddUpToABreakAndSettleIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)), entry("t2", on("2026-03-03"), amount(2000)), entry("t3", on("2026-03-04"), amount(-1000), described("Line back")))
	id := b.upload(t, csv("2026-03-25,30.00,x1"), period("2026-03-01", "2026-03-31")).ReconciliationID
	lone := b.onlyBreak(t, id, recon.MissingInLedger)
	other := map[int64]int64{}
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id, Type: recon.MissingInBank})
	ok(t, err)
	for _, item := range items {
		other[item.Ledger[0].Seq] = item.ID
	}
	if got, want := b.candidates(t, lone.ID), []string{fmt.Sprintf("#2 #1: 56 2 add up to it, resolves [%d %d], reduces []", other[1], other[2])}; !reflect.DeepEqual(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if got, want := b.candidates(t, other[1]), []string{fmt.Sprintf("#3: 73 Amount cancels it, resolves [%d], reduces []", other[3])}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	b.post(t, entry("late", on("2026-03-25"), amount(3000))) // no matching has seen it
	found, err := b.Candidates(t.Context(), b.viewer, lone.ID, 1)
	ok(t, err)
	if len(found) != 1 || found[0].Postings[0].Seq != 4 || found[0].Resolves != nil {
		t.Fatalf("the first is %+v", found)
	}
	settled, _, err := b.ResolveBreak(t.Context(), b.preparer, "", lone.ID, store.BreakResolution{Resolution: recon.MatchedByHand, Match: &found[0].Match, Version: lone.Version})
	ok(t, err)
	if settled.Resolution != recon.MatchedByHand || b.candidates(t, lone.ID) != nil {
		t.Errorf("settled it is %+v, with %v", settled, b.candidates(t, lone.ID))
	}
	_, err = b.Candidates(t.Context(), b.viewer, 99, 10)
	refused(t, err, ledger.KindNotFound)
	_, err = b.Candidates(t.Context(), store.Actor{Book: b.book}, lone.ID, 10)
	refused(t, err, ledger.KindForbidden)
}

func TestCandidates_OfSeveralInABreakArePairs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("ws-1", on("2026-03-02"), amount(18000), described("Workshop, Jip Vermeer")), entry("ws-2", on("2026-03-04"), amount(18000), described("Workshop, Iris Kok")))
	id := b.upload(t, []byte("Date,Amount,Reference,Description\n2026-03-03,180.00,,J VERMEER WORKSHOP\n"), period("2026-03-01", "2026-03-31")).ReconciliationID
	several := b.onlyBreak(t, id, recon.Ambiguous)
	found, err := b.Candidates(t.Context(), b.viewer, several.ID, 10)
	ok(t, err)
	if told := b.candidates(t, several.ID); len(found) != 2 || found[0].Postings[0].Seq != 1 || found[0].Fits[2].Text != "“Vermeer” in both" || found[0].Score <= found[1].Score {
		t.Fatalf("they are %q", told)
	}
	settled, _, err := b.ResolveBreak(t.Context(), b.preparer, "", several.ID, store.BreakResolution{Resolution: recon.MatchedByHand, Match: &found[0].Match})
	ok(t, err)
	if settled.Type != recon.MissingInBank || settled.Status != recon.Open || len(settled.Ledger) != 1 || settled.Ledger[0].Seq != 2 {
		t.Errorf("what is left is %+v", settled)
	}
}

func TestCandidates_MakeUpADifference(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, small, _, _ := b.less(t)
	b.post(t, *fee("fee", 50))
	if got, want := b.candidates(t, small.ID), []string{"#3: 63 Makes up the difference, resolves [], reduces []"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOpenItems_AreThoseThatMayBeMatched(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("same", on("2026-03-01"), amount(700)), entry("lone", on("2026-03-10"), amount(500), described("Tiles, 50% off")), entry("beyond", on("2026-05-01"), amount(500)))
	id := b.upload(t, csv("2026-03-01,7.00,same", "2026-03-20,-5.00,x"), period("2026-03-01", "2026-03-31")).ReconciliationID
	b.clock.advance(time.Hour)
	lone := b.onlyBreak(t, id, recon.MissingInBank)
	open := func(f store.OpenFilter) (told []string) {
		t.Helper()
		items, err := b.OpenItems(t.Context(), b.viewer, lone.ID, f)
		ok(t, err)
		for _, p := range items.Postings {
			told = append(told, p.TxID)
		}
		for _, l := range items.Lines {
			told = append(told, fmt.Sprint("row ", l.Row))
		}
		if items.More {
			told = append(told, "more")
		}
		return told
	}
	b.post(t, entry("fresh", on("2026-03-12"), amount(500)))
	for name, c := range map[string]struct {
		filter store.OpenFilter
		want   []string
	}{
		"All":       {store.OpenFilter{}, []string{"fresh", "beyond", "row 3"}},
		"ByAmount":  {store.OpenFilter{AmountMinor: -500}, []string{"fresh", "beyond", "row 3"}},
		"ByText":    {store.OpenFilter{Text: "OSIT FRE"}, []string{"fresh"}},
		"ByDay":     {store.OpenFilter{From: ledger.MustDate("2026-03-13"), To: ledger.MustDate("2026-04-13")}, []string{"row 3"}},
		"ByNothing": {store.OpenFilter{Text: "%"}, nil},
		"OfMany":    {store.OpenFilter{Limit: 1}, []string{"fresh", "row 3", "more"}},
	} {
		if got := open(c.filter); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s gives %v, want %v", name, got, c.want)
		}
	}
	_, err := b.OpenItems(t.Context(), b.viewer, 99, store.OpenFilter{})
	refused(t, err, ledger.KindNotFound)
}
