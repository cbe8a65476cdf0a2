package store_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

// onlyBreak is the break of a type in a reconciliation that has one.
func (b bundle) onlyBreak(t *testing.T, id int64, kind recon.BreakType) store.Break {
	t.Helper()
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id, Type: kind})
	ok(t, err)
	if len(items) != 1 {
		t.Fatalf("of type %s there are %+v", kind, items)
	}
	return items[0]
}

// less is a reconciliation whose bank has less than the ledger: by 0.50 of 25.00, by 36.00 of 1,284.50, and 3.00 that the ledger has not.
func (b bundle) less(t *testing.T) (id int64, small, large, missing store.Break) {
	t.Helper()
	b.post(t, entry("t1", on("2026-03-02"), amount(2500)), entry("t2", on("2026-03-03"), amount(128450)))
	id = b.upload(t, csv("2026-03-02,24.50,t1", "2026-03-03,1248.50,t2", "2026-03-04,3.00,interest"), period("2026-03-01", "2026-03-31")).ReconciliationID
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id, Type: recon.AmountMismatch})
	ok(t, err)
	return id, items[0], items[1], b.onlyBreak(t, id, recon.MissingInLedger)
}

// fee moves an amount from 1010 to the fees.
func fee(txID string, minor int64, options ...func(*ledger.Entry)) *ledger.Entry {
	e := entry(txID, append([]func(*ledger.Entry){on("2026-03-31"), moves("revenue:fees", "1010", minor), described("Bank fee")}, options...)...)
	return &e
}

func adjusted(e *ledger.Entry) store.BreakResolution {
	return store.BreakResolution{Resolution: recon.Adjusted, ReasonCode: recon.BankFee, Note: "as announced", Entry: e}
}

func TestResolveBreak_WithAnEntryPostsItAndMatchesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, small, _, _ := b.less(t)
	settled, _, err := b.ResolveBreak(t.Context(), b.preparer, "k", small.ID, adjusted(fee("fee-1", 50)))
	ok(t, err)
	again, duplicate, err := b.ResolveBreak(t.Context(), b.preparer, "k", small.ID, adjusted(fee("fee-1", 50)))
	ok(t, err)
	if !duplicate || !reflect.DeepEqual(again, settled) || settled.Status != recon.Resolved || settled.Resolution != recon.Adjusted || settled.MatchID == 0 {
		t.Fatalf("settled %+v, again %+v", settled, again)
	}
	posted, err := b.Entry(t.Context(), b.viewer, 3)
	ok(t, err)
	if posted.Kind != ledger.Adjustment || posted.Reason != "Bank fee: as announced" || posted.RecordedBy != b.preparer.UserID || posted.TxID != "fee-1" {
		t.Errorf("posted %+v", posted)
	}
	matches, _, err := b.Matches(t.Context(), b.viewer, id, 0, 0)
	ok(t, err)
	if m := matches[0]; len(m.Ledger) != 2 || len(m.Bank) != 1 || m.Kind != recon.KindManual || m.ID != settled.MatchID {
		t.Errorf("the match is %+v", m)
	}
	if r := b.reconciliation(t, id); r.Proof.LedgerMinor != 130900 || r.Proof.OtherExplainedMinor != 0 || r.Proof.UnexplainedMinor != 3300 || r.Unmatched != 0 {
		t.Errorf("the proof is %+v, %d postings since", r.Proof, r.Unmatched)
	}
	_, events, err := b.Break(t.Context(), b.viewer, small.ID)
	ok(t, err)
	if last := events[len(events)-1]; last.Event != "resolved" || last.Seq != 3 || last.MatchID != settled.MatchID || last.ReasonCode != recon.BankFee {
		t.Errorf("its history ends with %+v", last)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

func TestReopenBreak_OfAnAdjustedOneNeedsTheReversalOfItsEntry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, small, _, _ := b.less(t)
	settled, _, err := b.ResolveBreak(t.Context(), b.preparer, "", small.ID, adjusted(fee("fee-1", 50)))
	ok(t, err)
	for _, act := range []func() error{
		func() error { _, _, err := b.ReopenBreak(t.Context(), b.preparer, "", small.ID, "wrong"); return err },
		func() error {
			_, _, err := b.Unmatch(t.Context(), b.preparer, "", settled.MatchID, store.MatchItems{}, "wrong")
			return err
		},
	} {
		err := act()
		refused(t, err, ledger.KindIllegalTransition)
		var refusal *ledger.Error
		if !errors.As(err, &refusal) || refusal.Extra["seq"] != int64(3) || !strings.Contains(err.Error(), "ask for the reversal of entry 3 first") {
			t.Errorf("it says %v", err)
		}
	}
	b.reverse(t, 3, nil)
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	reopened, _, err := b.ReopenBreak(t.Context(), b.preparer, "", small.ID, "the bank paid it back")
	ok(t, err)
	if reopened.Status != recon.Open || reopened.DifferenceMinor != 50 || len(reopened.Ledger) != 1 || len(reopened.Bank) != 1 {
		t.Errorf("reopened it is %+v", reopened)
	}
	if r := b.reconciliation(t, id); r.Matches != 1 || r.OpenBreaks != 3 || r.Proof.UnexplainedMinor != 50+3600-300 {
		t.Errorf("%d matches, %d open, proof %+v", r.Matches, r.OpenBreaks, r.Proof)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

func TestResolveBreak_RefusesEntriesThatDoNotSettle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1020", ledger.Asset, inCurrency("USD"))
	_, small, _, _ := b.less(t)
	closed := fee("fee", 50, on("2026-02-27"))
	b.closePeriod(t, "2026-02")
	token := b.preparer
	token.Only = []store.Right{store.RightResolve}
	for _, c := range []struct {
		name  string
		actor store.Actor
		with  store.BreakResolution
		kind  ledger.Kind
		says  string
	}{
		{"ByAnotherAmount", b.preparer, adjusted(fee("fee", 40)), ledger.KindInvalid, "moves account 1010 by -0.40 EUR; to settle the break it must move it by -0.50 EUR"},
		{"OfOtherAccounts", b.preparer, adjusted(fee("fee", 50, moves("customer:alice", "customer:bob", 50))), ledger.KindInvalid, "moves account 1010 by 0.00 EUR"},
		{"InAClosedPeriod", b.preparer, adjusted(closed), ledger.KindPeriodClosed, "entry.effective_on"},
		{"ToAnUnknownAccount", b.preparer, adjusted(fee("fee", 50, moves("nowhere", "1010", 50))), ledger.KindUnknownAccount, "entry.postings[0].account"},
		{"WithATxIDInUse", b.preparer, adjusted(fee("t1", 50)), ledger.KindTxIDExists, "entry.tx_id"},
		{"WithoutTheRightToPost", token, adjusted(fee("fee", 50)), ledger.KindForbidden, "post entries"},
		{"Plainly", b.preparer, store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError, Entry: fee("fee", 50)}, ledger.KindInvalid, "entry: goes with"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := b.ResolveBreak(t.Context(), c.actor, "", small.ID, c.with)
			refused(t, err, c.kind)
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("it says %v, want %q", err, c.says)
			}
		})
	}
	if head := b.column(t, `SELECT seq::text FROM heads`); head[0] != "2" {
		t.Errorf("something was posted: the book is at entry %s", head[0])
	}
	b.isProven(t, "1010")
}

func TestResolveBreak_ByMatchTakesWhatIsNamedOrAllOfIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.unlike(t)
	missing, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id, Type: recon.MissingInLedger})
	ok(t, err)
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", missing[0].ID, store.BreakResolution{Resolution: recon.MatchedByHand})
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", missing[0].ID, store.BreakResolution{Resolution: recon.MatchedByHand, Match: &store.MatchItems{Postings: postingsOf(9)}})
	refused(t, err, ledger.KindInvalid)
	if !strings.Contains(err.Error(), "match.postings[0]") {
		t.Errorf("it says %v", err)
	}
	// The break's own line goes without saying.
	one, _, err := b.ResolveBreak(t.Context(), b.preparer, "", missing[0].ID, store.BreakResolution{Resolution: recon.MatchedByHand, Match: &store.MatchItems{Postings: postingsOf(1, 2)}})
	ok(t, err)
	// Where it is named, what is named is all.
	two, _, err := b.ResolveBreak(t.Context(), b.preparer, "", missing[1].ID, store.BreakResolution{Resolution: recon.MatchedByHand, Match: &store.MatchItems{Postings: postingsOf(3), Rows: rowsNamed(3, 4)}})
	ok(t, err)
	if one.Resolution != recon.MatchedByHand || two.Resolution != recon.MatchedByHand || b.reconciliation(t, id).OpenBreaks != 0 {
		t.Errorf("resolved %+v and %+v", one, two)
	}
	reopened, _, err := b.ReopenBreak(t.Context(), b.preparer, "", two.ID, "no")
	ok(t, err)
	if r := b.reconciliation(t, id); reopened.Status != recon.Open || r.OpenBreaks != 3 || r.Matches != 1 {
		t.Errorf("reopened %+v, %d open, %d matches", reopened, r.OpenBreaks, r.Matches)
	}
	b.isProven(t, "1010")
}

func TestResolveBreak_AsReversedMatchesTheReversal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)))
	id := b.upload(t, csv("2026-03-05,3.00,x"), period("2026-03-01", "2026-03-31")).ReconciliationID
	missing := b.onlyBreak(t, id, recon.MissingInBank)
	reversed := store.BreakResolution{Resolution: recon.Reversed, ReasonCode: recon.DuplicatePosting}
	_, _, err := b.ResolveBreak(t.Context(), b.preparer, "", missing.ID, reversed)
	refused(t, err, ledger.KindInvalid)
	if !strings.Contains(err.Error(), "entry 1 is not reversed") {
		t.Errorf("it says %v", err)
	}
	b.reverse(t, 1, nil)
	settled, _, err := b.ResolveBreak(t.Context(), b.preparer, "", missing.ID, reversed)
	ok(t, err)
	matches, _, err := b.Matches(t.Context(), b.viewer, id, 0, 0)
	ok(t, err)
	if settled.Resolution != recon.Reversed || len(matches) != 1 || matches[0].Kind != recon.KindReversedPair || len(matches[0].Ledger) != 2 {
		t.Errorf("settled %+v by %+v", settled, matches)
	}
	b.isProven(t, "1010")
	_, _, err = b.ReopenBreak(t.Context(), b.preparer, "", missing.ID, "it was another entry")
	ok(t, err)
	ok(t, b.RunMatching(t.Context(), b.preparer, id)) // does not pair them again
	if r := b.reconciliation(t, id); r.Matches != 0 {
		t.Errorf("there are %d matches", r.Matches)
	}
	b.isProven(t, "1010")
}
