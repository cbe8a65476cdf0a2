package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

// postingsOf names the postings of entries on their first line, which is that of 1010.
func postingsOf(seqs ...int64) (refs []store.PostingRef) {
	for _, seq := range seqs {
		refs = append(refs, store.PostingRef{Seq: seq, Line: 1})
	}
	return refs
}

func rowsNamed(rows ...int) (refs []store.RowRef) {
	for _, row := range rows {
		refs = append(refs, store.RowRef{Row: row})
	}
	return refs
}

// matchByHand lets the preparer match, in a reconciliation.
func (b bundle) matchByHand(t *testing.T, id int64, postings []store.PostingRef, rows []store.RowRef) store.Match {
	t.Helper()
	match, _, err := b.MatchByHand(t.Context(), b.preparer, "", id, store.MatchItems{Postings: postings, Rows: rows}, "")
	ok(t, err)
	return match
}

// unlike is a reconciliation of three postings and three lines that no rule matches: 10.00 + 20.00 and 5.00 against 30.00 and 2.50 twice.
func (b bundle) unlike(t *testing.T) int64 {
	t.Helper()
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)), entry("t2", on("2026-03-03"), amount(2000)), entry("t3", on("2026-03-14"), amount(500)))
	return b.upload(t, csv("2026-03-09,30.00,x1", "2026-03-21,2.50,x2", "2026-03-22,2.50,x3"), period("2026-03-01", "2026-03-31")).ReconciliationID
}

func TestMatchByHand_TakesAnythingThatAddsUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.unlike(t)
	match, duplicate, err := b.MatchByHand(t.Context(), b.preparer, "k", id, store.MatchItems{Postings: postingsOf(1, 2), Rows: rowsNamed(2)}, "paid in one sum")
	ok(t, err)
	if duplicate || match.Kind != recon.KindManual || match.MadeBy != "preparer" || match.Why != "paid in one sum" || !match.Live || len(match.Ledger) != 2 || len(match.Bank) != 1 {
		t.Errorf("the match is %+v", match)
	}
	again, duplicate, err := b.MatchByHand(t.Context(), b.preparer, "k", id, store.MatchItems{Postings: postingsOf(1, 2), Rows: rowsNamed(2)}, "paid in one sum")
	ok(t, err)
	if !duplicate || !reflect.DeepEqual(again, match) {
		t.Errorf("again it is %+v", again)
	}
	b.matchByHand(t, id, postingsOf(3), rowsNamed(3, 4))
	if got := b.breaksOf(t, id); len(got) != 6 || strings.Count(strings.Join(got, ","), "resolved matched") != 6 {
		t.Errorf("the breaks are %q", got)
	}
	if r := b.reconciliation(t, id); r.Matches != 2 || r.Proof.UnexplainedMinor != 0 || r.OpenBreaks != 0 {
		t.Errorf("%d matches, proof %+v", r.Matches, r.Proof)
	}
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	if r := b.reconciliation(t, id); r.Matches != 2 || r.OpenBreaks != 0 {
		t.Errorf("after a matching there are %d matches and %d open breaks", r.Matches, r.OpenBreaks)
	}
	b.isProven(t, "1010")
}

func TestMatchByHand_TakesWhatCancelsOnOneSide(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)), entry("t2", on("2026-03-09"), amount(-1000)), entry("t3", on("2026-03-10"), amount(7)))
	id := b.upload(t, csv("2026-03-05,3.00,x1", "2026-03-15,-3.00,x2"), period("2026-03-01", "2026-03-31")).ReconciliationID
	b.matchByHand(t, id, postingsOf(1, 2), nil)
	b.matchByHand(t, id, nil, rowsNamed(2, 3))
	if r := b.reconciliation(t, id); r.Matches != 2 || r.OpenBreaks != 1 || r.Proof.UnexplainedMinor != 7 {
		t.Errorf("%d matches, %d open, proof %+v", r.Matches, r.OpenBreaks, r.Proof)
	}
	b.isProven(t, "1010")
}

func TestMatchByHand_CountsWhatWasPostedSince(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.upload(t, csv("2026-03-05,30.00,x1"), period("2026-03-01", "2026-03-31")).ReconciliationID
	b.post(t, entry("t1", on("2026-03-05"), amount(1000)), entry("t2", on("2026-03-06"), amount(2000)), entry("t3", on("2026-03-06"), amount(4)))
	b.matchByHand(t, id, postingsOf(1, 2), rowsNamed(2))
	if r := b.reconciliation(t, id); r.Proof.LedgerMinor != 3000 || r.Proof.UnexplainedMinor != 0 || r.Unmatched != 1 {
		t.Errorf("proof %+v, %d postings since", r.Proof, r.Unmatched)
	}
	b.isProven(t, "1010")
}

func TestMatchByHand_Refuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1020", ledger.Asset)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)), entry("t2", on("2026-03-03"), amount(2000)), entry("t3", on("2026-03-04"), amount(700)),
		entry("t4", moves("1020", "customer:alice", 1000)))
	lines := "Date,Amount,Reference,Description,Currency\n2026-03-12,30.00,x1,Line,EUR\n2026-03-04,7.00,t3,Line,EUR\n2026-03-06,10.00,x2,Line,USD\nTotal,47.00,,,\n"
	first := b.upload(t, []byte(lines), period("2026-03-01", "2026-03-31"))
	id := first.ReconciliationID
	elsewhere := b.upload(t, csv("2026-03-05,30.00,x1"), func(u *store.Upload) { u.Account = "1020" })
	longer := b.upload(t, []byte(lines+"2026-03-09,1.00,x9,Line,EUR\n"), period("2026-03-01", "2026-03-31"))
	for _, c := range []struct {
		name     string
		home     int64
		postings []store.PostingRef
		rows     []store.RowRef
		kind     ledger.Kind
		says     string
	}{
		{"WhatDoesNotAddUp", id, postingsOf(1), rowsNamed(2), ledger.KindInvalid, "the two sides differ by -20.00 EUR"},
		{"PostingsThatDoNotCancel", id, postingsOf(1, 2), nil, ledger.KindInvalid, "must cancel: these add up to 30.00 EUR"},
		{"Nothing", id, nil, nil, ledger.KindInvalid, "at least two"},
		{"OneByItself", id, postingsOf(1), nil, ledger.KindInvalid, "at least two"},
		{"AnEntryThatIsNone", id, postingsOf(1, 99), rowsNamed(2), ledger.KindInvalid, "entry 99 has no line 1"},
		{"ALineOfAnotherAccount", id, []store.PostingRef{{Seq: 1, Line: 2}}, rowsNamed(2), ledger.KindInvalid, "entry 1, line 2 is not a posting of account 1010"},
		{"ARowThatIsNone", id, postingsOf(1, 2), rowsNamed(77), ledger.KindInvalid, "has no row 77"},
		{"ATotal", id, postingsOf(1, 2), rowsNamed(5), ledger.KindInvalid, "row 5 of statement 1 is no line of its own, but skipped"},
		{"ARowOfAnEarlierFile", longer.ReconciliationID, postingsOf(1, 2), rowsNamed(2), ledger.KindInvalid, "but known: "},
		{"ARowOfAnotherAccount", id, postingsOf(1, 2), []store.RowRef{{StatementID: elsewhere.StatementID, Row: 2}}, ledger.KindInvalid, "is not of account 1010"},
		{"TheSameTwice", id, postingsOf(1, 1), rowsNamed(2), ledger.KindInvalid, "is named twice"},
		{"AnotherCurrency", id, postingsOf(1), rowsNamed(4), ledger.KindInvalid, "row 4 is in USD: a match adds up in EUR"},
		{"WhatIsMatched", id, postingsOf(3), rowsNamed(2), ledger.KindIllegalTransition, "entry 3, line 1 is already in match 1, which the matching made: same reference and amount"},
		{"NoReconciliation", 99, postingsOf(1, 2), rowsNamed(2), ledger.KindNotFound, "has no reconciliation 99"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := b.MatchByHand(t.Context(), b.preparer, "", c.home, store.MatchItems{Postings: c.postings, Rows: c.rows}, "")
			refused(t, err, c.kind)
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("it says %v, want %q", err, c.says)
			}
		})
	}
	_, _, err := b.MatchByHand(t.Context(), b.viewer, "", id, store.MatchItems{Postings: postingsOf(1, 2), Rows: rowsNamed(2)}, "")
	refused(t, err, ledger.KindForbidden)
	b.matchByHand(t, longer.ReconciliationID, postingsOf(1, 2), []store.RowRef{{StatementID: first.StatementID, Row: 2}})
	_, _, err = b.MatchByHand(t.Context(), b.controller, "", id, store.MatchItems{Postings: postingsOf(1, 2), Rows: rowsNamed(2)}, "")
	refused(t, err, ledger.KindIllegalTransition)
	var refusal *ledger.Error
	if !errors.As(err, &refusal) || refusal.Extra["match_id"] == nil || !strings.Contains(err.Error(), "which preparer made on 2026-03-31 10:00 UTC") {
		t.Errorf("who comes second is told %v", err)
	}
	b.isProven(t, "1010")
}

func TestMatchByHand_LeavesTheRestOfABreak(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(500)), entry("t2", on("2026-03-11"), amount(500), described("Other")))
	id := b.upload(t, csv("2026-03-12,5.00,", "2026-03-12,5.00,a", "2026-03-10,5.00,b"), period("2026-03-01", "2026-03-31")).ReconciliationID
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	var question store.Break
	for _, item := range items {
		if item.Type == recon.Ambiguous {
			question = item
		}
	}
	if len(question.Ledger)+len(question.Bank) < 3 {
		t.Fatalf("the breaks are %+v", items)
	}
	p, l := question.Ledger[0], question.Bank[0]
	match := b.matchByHand(t, id, postingsOf(p.Seq), rowsNamed(l.Row))
	after, events, err := b.Break(t.Context(), b.viewer, question.ID)
	ok(t, err)
	last := events[len(events)-2] // before what it is now
	if after.Status != recon.Open || len(after.Ledger)+len(after.Bank) >= len(question.Ledger)+len(question.Bank) || last.Event != "reduced" || last.MatchID != match.ID || last.User != "preparer" {
		t.Errorf("what is left is %+v, the last event %+v", after, last)
	}
	b.isProven(t, "1010")
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	b.isProven(t, "1010")
}

func TestMatchByHand_OfTwoAtOnceOneWinsAndTheOtherIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	elsewhere := b.another(t)
	const rounds = 12
	var rows []string
	for i := range rounds {
		b.post(t, entry(fmt.Sprintf("a%d", i), on("2026-03-02"), amount(100+int64(i))), entry(fmt.Sprintf("b%d", i), on("2026-03-20"), amount(100+int64(i))))
		rows = append(rows, fmt.Sprintf("2026-03-10,%d.%02d,x%d", 1, i, i))
	}
	id := b.upload(t, csv(rows...), period("2026-03-01", "2026-03-31")).ReconciliationID
	for i := range rounds {
		match := func(s *store.Store, actor store.Actor, seq int64) error {
			_, _, err := s.MatchByHand(t.Context(), actor, "", id, store.MatchItems{Postings: postingsOf(seq), Rows: rowsNamed(i + 2)}, "")
			return err
		}
		results := atOnce(
			func() error { return match(b.Store, b.preparer, int64(2*i+1)) },
			func() error { return match(elsewhere, b.controller, int64(2*i+2)) },
			func() error { return elsewhere.RunMatching(t.Context(), b.preparer, id) },
		)
		ok(t, results[2])
		if (results[0] == nil) == (results[1] == nil) {
			t.Fatalf("round %d: of two at once both or none matched: %v", i, results)
		}
		lost := errors.Join(results[0], results[1])
		refused(t, lost, ledger.KindIllegalTransition)
		if !strings.Contains(lost.Error(), "is already in match") || !strings.Contains(lost.Error(), "made on 2026-03-31") {
			t.Errorf("the other is told %v", lost)
		}
	}
	b.isProven(t, "1010")
	b.isSound(t)
}
