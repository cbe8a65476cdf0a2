package store_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

func (b bundle) overview(t *testing.T) store.Overview {
	t.Helper()
	o, err := b.Overview(t.Context(), b.viewer)
	ok(t, err)
	return o
}

func onAccount(code string) func(*store.Upload) { return func(u *store.Upload) { u.Account = code } }

func TestOverview_AnEmptyBookHasNothingToTell(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if o := b.overview(t); !reflect.DeepEqual(o, store.Overview{Today: ledger.MustDate("2026-03-31")}) {
		t.Errorf("the overview is %+v", o)
	}
	_, err := b.Overview(t.Context(), store.Actor{Book: b.book})
	refused(t, err, ledger.KindForbidden)
}

func TestOverview_MoneyAtTheBankIsWhatTheReconciliationsProve(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1020", ledger.Asset, inCurrency("JPY"))
	b.open(t, "2500", ledger.Liability)
	b.post(t, entry("t1", on("2026-02-10"), amount(1500)), entry("t2", on("2026-02-27"), amount(-700)),
		entry("card", on("2026-02-12"), moves("revenue:fees", "2500", 2200)))
	february := b.upload(t, csv("2026-02-11,15.00,t1"), period("2026-02-01", "2026-02-28"))
	card := b.upload(t, csv("2026-02-12,-22.00,card"), period("2026-02-01", "2026-02-28"), onAccount("2500"))
	march := b.upload(t, csv("2026-03-03,-7.00,t2", "2026-03-30,1.00,x"), period("2026-03-01", "2026-03-31"))
	yen := b.upload(t, csv("2026-03-03,15,j1"), onAccount("1020"))
	b.post(t, entry("t9", on("2026-03-12"), amount(40)))

	banks := b.overview(t).Banks
	want := []struct {
		code           string
		reconciliation int64
		reconciledTo   string
		open, since    int
	}{{"1010", march.ReconciliationID, "2026-02-28", 1, 1}, {"1020", yen.ReconciliationID, "", 1, 0}, {"2500", card.ReconciliationID, "2026-02-28", 0, 0}}
	if len(banks) != len(want) {
		t.Fatalf("the accounts are %+v", banks)
	}
	for i, w := range want {
		bank, r := banks[i], b.reconciliation(t, w.reconciliation)
		if bank.Account.Code != w.code || bank.ReconciliationID != r.ID || bank.StatementTo != r.ScopeTo || bank.Proof != r.Proof || bank.OpenBreaks != r.OpenBreaks || bank.Unmatched != r.Unmatched {
			t.Errorf("%s is shown as %+v, and its reconciliation is %+v", w.code, bank, r)
		}
		if bank.ReconciledTo.String() != w.reconciledTo || bank.OpenBreaks != w.open || bank.Unmatched != w.since {
			t.Errorf("%s: %+v, want reconciled to %q, %d open, %d postings since", w.code, bank, w.reconciledTo, w.open, w.since)
		}
	}
	if r := b.reconciliation(t, february.ReconciliationID); r.Proof.UnexplainedMinor != 0 || r.OpenBreaks != 0 || banks[2].Proof.LedgerMinor != -2200 {
		t.Errorf("February is %+v, the card %+v", r.Proof, banks[2].Proof)
	}
}

func TestOverview_ABreakOfAnEarlierPeriodIsOpenOnItsAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t0", on("2026-01-10"), amount(900)), entry("t1", on("2026-02-10"), amount(1500)))
	january := b.upload(t, csv("2026-01-10,9.00,t0"), period("2026-01-01", "2026-01-31"))
	february := b.upload(t, csv("2026-02-11,15.00,t1"), period("2026-02-01", "2026-02-28"))
	check := func(proven bool, reconciledTo string, open, earlier int, earliest int64) store.BankAccount {
		t.Helper()
		o := b.overview(t)
		bank := o.Banks[0]
		if bank.ReconciliationID != february.ReconciliationID || bank.Proof.UnexplainedMinor != 0 || bank.Proven() != proven || bank.ReconciledTo.String() != reconciledTo {
			t.Errorf("the account is %+v, want proven %v, to %q", bank, proven, reconciledTo)
		}
		counts, err := b.Counts(t.Context(), b.viewer)
		ok(t, err)
		if bank.OpenBreaks != open || counts.OpenBreaks != open || bank.EarlierBreaks != earlier || bank.EarliestOpen != earliest {
			t.Errorf("the account is %+v, and %d breaks are open in all; want %d, %d earlier, from %d", bank, counts.OpenBreaks, open, earlier, earliest)
		}
		return bank
	}
	check(true, "2026-02-28", 0, 0, 0)

	b.submit(t, february.ReconciliationID) // what comes late is not in it any more
	late := b.upload(t, csv("2026-01-15,-777.00,late"))
	if bank := check(false, "", 1, 1, late.ReconciliationID); bank.OldestBreak != ledger.MustDate("2026-01-15") {
		t.Errorf("the oldest break is of %s", bank.OldestBreak)
	}
	if r := b.reconciliation(t, late.ReconciliationID); r.Proof.UnexplainedMinor == 0 || r.OpenBreaks != 1 {
		t.Errorf("what came late is %+v", r)
	}
	before := b.upload(t, csv("2025-12-20,-1.00,before"))
	check(false, "", 2, 2, before.ReconciliationID)
	if r := b.reconciliation(t, january.ReconciliationID); r.OpenBreaks != 2 || r.Proof.UnexplainedMinor != 77800 {
		t.Errorf("January, which is open, lacks what came late: %+v", r)
	}
}

func TestOverview_CountsOpenBreaksByAge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lines := []string{"2026-03-31,0.01,a0", "2026-03-29,0.02,a2", "2026-03-28,0.03,a3", "2026-03-25,0.04,a6", "2026-03-02,0.05,a29", "2026-03-01,0.06,a30", "2026-02-28,0.07,a31"}
	result := b.upload(t, csv(lines...))
	b.post(t, entry("late", on("2026-03-20"), amount(8)))
	ok(t, b.RunMatching(t.Context(), b.preparer, result.ReconciliationID))
	count := func() map[string]int {
		ages := map[string]int{}
		for _, open := range b.overview(t).Open {
			ages[fmt.Sprint(open.Type, " ", store.BreakAges()[open.Age])] += open.Breaks
		}
		return ages
	}
	want := map[string]int{"missing_in_ledger 0": 2, "missing_in_ledger 3": 1, "missing_in_ledger 6": 3, "missing_in_ledger 31": 1, "missing_in_bank 6": 1}
	if got := count(); !reflect.DeepEqual(got, want) {
		t.Errorf("on the day: %v, want %v", got, want)
	}
	b.clock.advance(24 * time.Hour)
	want = map[string]int{"missing_in_ledger 0": 1, "missing_in_ledger 3": 2, "missing_in_ledger 6": 2, "missing_in_ledger 31": 2, "missing_in_bank 6": 1}
	if got := count(); !reflect.DeepEqual(got, want) {
		t.Errorf("a day later: %v, want %v", got, want)
	}

	o := b.overview(t)
	id, since := o.OldestBreak()
	oldest, _, err := b.Break(t.Context(), b.viewer, id)
	ok(t, err)
	if oldest.EarliestDay() != since || since != ledger.MustDate("2026-02-28") || o.Banks[0].OldestBreak != since {
		t.Errorf("the oldest break is %d of %s: %+v", id, since, oldest)
	}
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", id, store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "n"})
	ok(t, err)
	if after, _ := b.overview(t).OldestBreak(); after == id {
		t.Error("a resolved break is still the oldest open one")
	}
}

func TestOverview_TheMatchRateIsOfTheMonthInWhichTheBankBooked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-01-30"), amount(100)), entry("t2", on("2026-02-02"), amount(200)), entry("t3", on("2026-02-03"), amount(300)))
	b.upload(t, csv("2026-01-31,1.00,t1", "2026-02-02,2.00,t2", "2026-02-03,3.00,t3", "2026-02-04,4.00,t4", "2025-08-31,9.00,old"))
	want := []store.MatchRate{{ledger.MustDate("2026-01-01"), 1, 1}, {ledger.MustDate("2026-02-01"), 3, 2}}
	if got := b.overview(t).Rates; !reflect.DeepEqual(got, want) || got[0].PerMille() != 1000 || got[1].PerMille() != 666 {
		t.Errorf("the rates are %+v, want %+v", got, want)
	}
	if almost := (store.MatchRate{Lines: 100_000, Matched: 99_999}).PerMille(); almost != 999 {
		t.Errorf("almost all is %d per mille", almost)
	}
}

func TestOverview_WhatOpenedLessWhatClosedIsOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-30"), amount(500)), entry("t2", on("2026-03-10"), amount(70)))
	march := b.upload(t, csv("2026-03-03,1.00,x", "2026-03-04,2.00,y"), period("2026-03-01", "2026-03-31")) // t1 is timing: born settled
	next := func() { b.clock.advance(7 * 24 * time.Hour) }
	check := func(opened, closed int) {
		t.Helper()
		o, sum, open := b.overview(t), 0, 0
		if len(o.Weeks) != 8 || o.Weeks[7].Monday != ledger.DateOf(b.clock.now()).AddDays(-1) {
			t.Fatalf("the weeks are %+v", o.Weeks)
		}
		for _, week := range o.Weeks {
			sum += week.Opened - week.Closed
		}
		for _, row := range o.Open {
			open += row.Breaks
		}
		if last := o.Weeks[7]; last.Opened != opened || last.Closed != closed || sum != open {
			t.Errorf("the last week is %+v, want %d and %d; opened less closed is %d, and %d are open", last, opened, closed, sum, open)
		}
	}
	check(3, 0)
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: march.ReconciliationID, Type: recon.MissingInLedger})
	ok(t, err)
	next()
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", items[0].ID, store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "n"})
	ok(t, err)
	check(0, 1)
	next()
	_, _, err = b.ReopenBreak(t.Context(), b.preparer, "", items[0].ID, "the bank disagrees")
	ok(t, err)
	b.post(t, entry("y", on("2026-03-04"), amount(200)))
	ok(t, b.RunMatching(t.Context(), b.preparer, march.ReconciliationID))
	check(1, 1)
	next()
	b.upload(t, csv("2026-04-20,9.00,z"), period("2026-04-01", "2026-04-30"))
	check(2, 0) // z is new, and t1 is not in transit any longer
}

func TestOverview_OfLongAgoShowsTheWeeksInWhichSomethingHappened(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.upload(t, csv("2026-03-03,1.00,x"))
	b.clock.advance(300 * 24 * time.Hour)
	if weeks := b.overview(t).Weeks; weeks[7].Monday != ledger.MustDate("2026-03-30") || weeks[7].Opened != 1 {
		t.Errorf("the weeks are %+v", weeks)
	}
}

func TestOverview_TellsSinceWhenRequestsWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"), entry("t2"))
	asked := b.clock.now()
	for i, actor := range []store.Actor{b.preparer, b.controller} {
		_, _, err := b.RequestReversal(t.Context(), actor, "", int64(i+1), store.ReversalRequest{Reason: "wrong", EffectiveOn: ledger.MustDate("2026-03-31")})
		ok(t, err)
		b.clock.advance(time.Hour)
	}
	o, err := b.Overview(t.Context(), b.controller)
	ok(t, err)
	if !o.OldestOthers.Equal(asked) || !o.OldestMine.Equal(asked.Add(time.Hour)) {
		t.Errorf("requests wait since %s and %s", o.OldestOthers, o.OldestMine)
	}
}
