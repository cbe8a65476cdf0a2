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

// allowing are rules with a tolerance and a fee of 0.30 and 2.9 per cent, both booked to revenue:fees.
func allowing(options ...func(*recon.Rules)) recon.Rules {
	rules := recon.DefaultRules()
	rules.ToleranceMinor = 2
	rules.Fee = recon.FeeRule{Account: "revenue:fees", FixedMinor: 30, PerMille: 29}
	for _, option := range options {
		option(&rules)
	}
	return rules
}

func (b bundle) setRules(t *testing.T, code string, rules recon.Rules) store.AccountRules {
	t.Helper()
	set, _, err := b.SetAccountRules(t.Context(), b.admin, "", code, 0, rules, "")
	ok(t, err)
	return set
}

func (b bundle) matchesOf(t *testing.T, id int64) []store.Match {
	t.Helper()
	matches, _, err := b.Matches(t.Context(), b.viewer, id, 0, 0)
	ok(t, err)
	return matches
}

func TestSetAccountRules_KeepsEveryVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before, err := b.AccountRules(t.Context(), b.viewer, "1010")
	ok(t, err)
	if len(before.Versions) != 1 || !reflect.DeepEqual(before.Latest().Rules, recon.DefaultRules()) || before.Latest().By != "" {
		t.Fatalf("before any there is %+v", before.Versions)
	}
	rules := allowing(func(r *recon.Rules) { r.Prefixes = []string{" KD- ", "", "KD-"} })
	set, duplicate, err := b.SetAccountRules(t.Context(), b.admin, "k", "1010", 1, rules, "as agreed with the bank")
	ok(t, err)
	if latest := set.Latest(); duplicate || latest.Rules.Version != 2 || latest.By != "admin" || latest.Note != "as agreed with the bank" || !latest.At.Equal(b.clock.now()) ||
		!reflect.DeepEqual(latest.Rules.Prefixes, []string{"KD-"}) || len(set.Versions) != 2 {
		t.Fatalf("set are %+v", set.Versions)
	}
	again, duplicate, err := b.SetAccountRules(t.Context(), b.admin, "k", "1010", 1, rules, "as agreed with the bank")
	ok(t, err)
	same, _, err := b.SetAccountRules(t.Context(), b.admin, "", "1010", 2, rules, "nothing new")
	ok(t, err)
	if !duplicate || len(again.Versions) != 2 || len(same.Versions) != 2 {
		t.Errorf("again gives %v and %d versions, the same %d", duplicate, len(again.Versions), len(same.Versions))
	}
	_, _, err = b.SetAccountRules(t.Context(), b.admin, "", "1010", 1, recon.DefaultRules(), "")
	refused(t, err, ledger.KindIllegalTransition)
	if !strings.Contains(err.Error(), "version 2 by now, set by admin") {
		t.Errorf("it says %v", err)
	}
	_, _, err = b.SetAccountRules(t.Context(), b.preparer, "", "1010", 2, recon.DefaultRules(), "")
	refused(t, err, ledger.KindForbidden)
	if got := b.column(t, `SELECT detail->>'version' FROM audit_log WHERE action = 'account.rules' AND outcome = 'done'`); !reflect.DeepEqual(got, []string{"2"}) {
		t.Errorf("the audit log has %v", got)
	}
}

func TestSetAccountRules_RefusesWhatCouldNotBeBooked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "usd", ledger.Expense, inCurrency("USD"))
	b.open(t, "shut", ledger.Expense)
	ok(t, b.EndAccount(t.Context(), b.book, "shut"))
	for name, c := range map[string]struct {
		change func(*recon.Rules)
		fields string
	}{
		"NoAccountForATolerance": {func(r *recon.Rules) { r.Fee = recon.FeeRule{} }, "tolerance_account"},
		"NoAccountForAFee":       {func(r *recon.Rules) { r.Fee.Account, r.ToleranceAccount = "", "revenue:fees" }, "fee.account"},
		"AnUnknownAccount":       {func(r *recon.Rules) { r.Fee.Account = "6800" }, "fee.account"},
		"TheAccountItself":       {func(r *recon.Rules) { r.ToleranceAccount = "1010" }, "tolerance_account"},
		"AClosedAccount":         {func(r *recon.Rules) { r.Fee.Account = "shut" }, "fee.account"},
		"AnotherCurrency":        {func(r *recon.Rules) { r.ToleranceAccount, r.WindowDays = "usd", 400 }, "window_days tolerance_account"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := b.SetAccountRules(t.Context(), b.admin, "", "1010", 0, allowing(c.change), "")
			refused(t, err, ledger.KindInvalid)
			var fields []string
			for _, f := range err.(*ledger.Error).Fields { //nolint:errorlint // refused saw it
				fields = append(fields, f.Field)
			}
			if got := strings.Join(fields, " "); got != c.fields {
				t.Errorf("faults of %s, want %s", got, c.fields)
			}
		})
	}
}

// feeBook has two postings of which the bank kept a fee, one that differs by a cent, and one of which it kept too much.
func (b bundle) feeBook(t *testing.T) (id int64) {
	t.Helper()
	b.post(t, entry("t1", on("2026-03-02"), amount(10000)), entry("t2", on("2026-03-03"), amount(-10000)),
		entry("t3", on("2026-03-04"), amount(5001)), entry("t4", on("2026-03-05"), amount(90000)))
	return b.upload(t, csv("2026-03-04,96.80,t1", "2026-03-05,-103.20,t2", "2026-03-06,50.00,t3", "2026-03-07,880.00,t4"), period("2026-03-01", "2026-03-31")).ReconciliationID
}

func TestMatching_BooksWhatTheRulesAllow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRules(t, "1010", allowing())
	id := b.feeBook(t)
	r := b.reconciliation(t, id)
	if r.RulesVersion != 2 || r.Matches != 3 || r.OpenBreaks != 1 || r.Proof.UnexplainedMinor != 2000 || r.Unmatched != 0 {
		t.Fatalf("by version %d there are %d matches, %d open breaks, %d unmatched and %+v", r.RulesVersion, r.Matches, r.OpenBreaks, r.Unmatched, r.Proof)
	}
	for i, want := range []struct {
		seq   int64
		minor int64
		day   string
		why   string
	}{
		{5, -320, "2026-03-04", "same reference, less a fee of 3.20 that the account's rules allow; booked as entry 5"},
		{6, -320, "2026-03-05", "same reference, less a fee of 3.20 that the account's rules allow; booked as entry 6"},
		{7, -1, "2026-03-06", "same reference, but for 0.01 that the account's rules allow; booked as entry 7"},
	} {
		m := b.matchesOf(t, id)[i]
		fee := m.Ledger[len(m.Ledger)-1]
		if m.Why != want.why || m.BookedSeq != want.seq || m.RulesVersion != 2 || fee.Seq != want.seq || fee.AmountMinor != want.minor || fee.EffectiveOn.String() != want.day || len(m.Ledger) != 2 {
			t.Errorf("match %d is %+v", m.ID, m)
		}
	}
	posted, err := b.Entry(t.Context(), b.viewer, 5)
	ok(t, err)
	if posted.TxID != "fee-1-1" || posted.Kind != ledger.Adjustment || posted.RecordedBy != b.preparer.UserID || posted.Metadata["rules_version"] != "2" ||
		posted.Reason != "Bank fee allowed by rule fee, version 2 of the rules of account 1010" || posted.Postings[0].Account != "revenue:fees" || posted.Postings[0].AmountMinor != 320 {
		t.Errorf("posted is %+v", posted)
	}
	large := b.onlyBreak(t, id, recon.AmountMismatch)
	if want := "same reference, less a fee of 20.00 that the account's rules allow; not booked by itself: 20.00 is above the book's limit of 10.00 for adjusting entries"; large.Why != want || large.DifferenceMinor != 2000 {
		t.Errorf("the large one is %+v, want %s", large, want)
	}
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	if again := b.reconciliation(t, id); again.Matches != 3 || again.Proof != r.Proof || again.Totals != r.Totals || b.onlyBreak(t, id, recon.AmountMismatch).ID != large.ID {
		t.Errorf("matched again it is %+v, was %+v", again, r)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

func TestMatching_WithinTheLimitOnceItIsRaised(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.feeBook(t)
	if r := b.reconciliation(t, id); r.RulesVersion != 1 || r.Matches != 0 || r.OpenBreaks != 4 {
		t.Fatalf("by the default rules there are %d matches and %d open breaks", r.Matches, r.OpenBreaks)
	}
	b.setRules(t, "1010", allowing())
	ok(t, b.SetAdjustmentLimit(t.Context(), b.admin, "", 2000))
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	if r := b.reconciliation(t, id); r.RulesVersion != 2 || r.Matches != 4 || r.OpenBreaks != 0 || r.Proof.UnexplainedMinor != 0 || len(r.Breaks) != 0 {
		t.Errorf("then there are %d matches, %d open breaks and %+v", r.Matches, r.OpenBreaks, r.Proof)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

func TestMatching_SaysWhyADifferenceIsNotBooked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(b bundle)
		why    string
	}{
		"InAClosedPeriod": {func(b bundle) { b.closePeriod(t, "2026-03") }, "it could not be booked: lies in period 2026-03, which is closed"},
		"ToAClosedAccount": {func(b bundle) {
			if err := b.EndAccount(t.Context(), b.book, "fees"); err != nil {
				t.Error(err)
			}
		}, "it could not be booked: account fees is closed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.open(t, "fees", ledger.Expense)
			b.post(t, entry("t1", on("2026-03-02"), amount(10000)))
			b.setRules(t, "1010", allowing(func(r *recon.Rules) { r.Fee.Account = "fees" }))
			c.before(b)
			id := b.upload(t, csv("2026-03-04,96.80,t1"), period("2026-03-01", "2026-03-31")).ReconciliationID
			if found := b.onlyBreak(t, id, recon.AmountMismatch); !strings.HasSuffix(found.Why, c.why) || found.DifferenceMinor != 320 {
				t.Errorf("it is %+v, want %s", found, c.why)
			}
			b.isProven(t, "1010")
			b.isSound(t)
		})
	}
}

func TestUnmatch_OfABookedDifferenceNeedsTheReversalOfItsEntry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRules(t, "1010", allowing())
	id := b.feeBook(t)
	first := b.matchesOf(t, id)[0]
	_, _, err := b.Unmatch(t.Context(), b.preparer, "", first.ID, store.MatchItems{}, "wrong")
	refused(t, err, ledger.KindIllegalTransition)
	if !strings.Contains(err.Error(), "ask for the reversal of entry 5 first") {
		t.Errorf("it says %v", err)
	}
	b.reverse(t, 5, nil)
	_, _, err = b.Unmatch(t.Context(), b.preparer, "", first.ID, store.MatchItems{}, "wrong")
	ok(t, err)
	b.isProven(t, "1010")
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	if r := b.reconciliation(t, id); r.Matches != 3 || r.Proof.UnexplainedMinor != 2000+320 {
		t.Errorf("%d matches and %+v", r.Matches, r.Proof)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

func TestUndoStatement_AndTheSameFileAgainBooksNoFeeTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRules(t, "1010", allowing())
	b.upload(t, csv("2026-02-10,1.00,february"), period("2026-02-01", "2026-02-28"))
	b.feeBook(t)
	head := b.verify(t).Entries
	_, _, err := b.UndoStatement(t.Context(), b.preparer, "", 2, "wrong file")
	ok(t, err)
	b.isProven(t, "1010")
	id := b.upload(t, csv("2026-03-04,96.80,t1", "2026-03-05,-103.20,t2", "2026-03-06,50.00,t3", "2026-03-07,880.00,t4"), period("2026-03-01", "2026-03-31")).ReconciliationID
	if after := b.verify(t).Entries; after != head {
		t.Errorf("%d entries are booked once more", after-head)
	}
	if r := b.reconciliation(t, id); r.Matches != 3 || r.Proof.UnexplainedMinor != 2000-100 {
		t.Errorf("%d matches and %+v", r.Matches, r.Proof)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

// Nothing of such a match has a reference, by which the entry would be found with it again.
func TestUndoStatement_OfASumWithAFeeLeavesTheRestToAPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRules(t, "1010", allowing())
	b.upload(t, csv("2026-02-10,1.00,february"), period("2026-02-01", "2026-02-28"))
	b.post(t, entry("t1", on("2026-03-02"), amount(10000)), entry("t2", on("2026-03-02"), amount(5000)))
	file, march := csv("2026-03-03,145.05,"), period("2026-03-01", "2026-03-31")
	first := b.upload(t, file, march)
	if r := b.reconciliation(t, first.ReconciliationID); r.Matches != 1 || r.Proof.UnexplainedMinor != -100 {
		t.Fatalf("%d matches and %+v", r.Matches, r.Proof)
	}
	_, _, err := b.UndoStatement(t.Context(), b.preparer, "", first.StatementID, "wrong file")
	ok(t, err)
	id := b.upload(t, file, march).ReconciliationID
	found := b.onlyBreak(t, id, recon.AmountMismatch)
	if !strings.HasSuffix(found.Why, "not booked again: entry 3 books such a difference of this posting already. Match it with these by hand, or have it reversed") {
		t.Errorf("it is %+v", found)
	}
	items := itemsOf(found, b.onlyBreak(t, id, recon.MissingInBank))
	_, _, err = b.MatchByHand(t.Context(), b.preparer, "", id, items, "")
	ok(t, err)
	if r := b.reconciliation(t, id); r.Matches != 1 || r.Proof.UnexplainedMinor != -100 {
		t.Errorf("%d matches and %+v", r.Matches, r.Proof)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

func TestMatching_BooksManyFeesWithOneStatement(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRules(t, "1010", allowing())
	var rows []string
	for i := range 500 {
		b.post(t, entry(fmt.Sprintf("t%d", i), on("2026-03-02"), amount(10000)))
		rows = append(rows, fmt.Sprintf("2026-03-04,96.80,t%d", i))
	}
	id := b.upload(t, csv(rows...), period("2026-03-01", "2026-03-31")).ReconciliationID
	if r := b.reconciliation(t, id); r.Matches != 500 || r.Proof.UnexplainedMinor != 0 || r.OpenBreaks != 0 {
		t.Errorf("%d matches and %+v", r.Matches, r.Proof)
	}
	if got := b.column(t, `SELECT detail->>'entries' FROM audit_log WHERE action = 'reconciliation.booked'`); !reflect.DeepEqual(got, []string{"500"}) {
		t.Errorf("the audit log has %v", got)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

func TestTryAccountRules_SaysWhatWouldChangeAndChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.feeBook(t)
	before, entries := b.breaksOf(t, id), b.verify(t).Entries
	trial, err := b.TryAccountRules(t.Context(), b.admin, "1010", allowing())
	ok(t, err)
	want := store.RulesTrial{Account: trial.Account, ReconciliationID: id, ScopeTo: ledger.MustDate("2026-03-31"), Booked: 3, BookedMinor: -641,
		Before: store.TrialFindings{Matches: map[recon.Kind]int{}, Breaks: map[recon.BreakType]int{recon.AmountMismatch: 4}, UnexplainedMinor: 2641},
		After:  store.TrialFindings{Matches: map[recon.Kind]int{recon.KindReference: 3}, Breaks: map[recon.BreakType]int{recon.AmountMismatch: 1}, UnexplainedMinor: 2000}}
	if !reflect.DeepEqual(trial, want) {
		t.Errorf("the trial is %+v, want %+v", trial, want)
	}
	if after := b.breaksOf(t, id); !reflect.DeepEqual(after, before) || b.verify(t).Entries != entries || b.reconciliation(t, id).RulesVersion != 1 {
		t.Errorf("after it there are %v, before %v", after, before)
	}
	b.setRules(t, "1010", allowing())
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	if got := b.reconciliation(t, id); got.Proof.UnexplainedMinor != want.After.UnexplainedMinor || got.Matches != 3 {
		t.Errorf("run in earnest there are %d matches and %+v", got.Matches, got.Proof)
	}
	_, err = b.TryAccountRules(t.Context(), b.viewer, "1010", allowing())
	refused(t, err, ledger.KindForbidden)
	none, err := b.TryAccountRules(t.Context(), b.admin, "customer:alice", recon.DefaultRules())
	ok(t, err)
	if none.ReconciliationID != 0 {
		t.Errorf("without a statement it tried %+v", none)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

// Whoever sets rules, and may not post, books nothing by them: the break stays for somebody who may.
func TestMatching_BooksNothingForWhoMayNotPost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(1000)))
	id := b.upload(t, csv("2026-03-10,9.50,t1"), period("2026-03-01", "2026-03-31")).ReconciliationID
	b.setRules(t, "1010", recon.Rules{WindowDays: 3, Fee: recon.FeeRule{Account: "revenue:fees", FixedMinor: 100}})
	_, err := b.SetReconcileFrom(t.Context(), b.admin, "", "1010", ledger.MustDate("2026-02-01"))
	ok(t, err)
	if left := b.onlyBreak(t, id, recon.AmountMismatch); !strings.Contains(left.Why, "whoever runs the matching needs the right to post for it") {
		t.Errorf("the break says %q", left.Why)
	}
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	if booked := b.matchesOf(t, id); len(booked) != 1 || booked[0].BookedSeq != 2 {
		t.Errorf("then the matches are %+v", booked)
	}
}
