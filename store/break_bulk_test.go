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

func TestResolveBreaks_LeavesWhatAnotherPersonChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var lines []string
	for i := range 5 {
		lines = append(lines, fmt.Sprintf("2026-03-%02d,-1.00,fee%d", i+2, i))
	}
	id := b.upload(t, csv(lines...), period("2026-03-01", "2026-03-31")).ReconciliationID
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	var seen []store.SeenBreak
	for _, item := range items {
		seen = append(seen, store.SeenBreak{ID: item.ID, Version: item.Version})
	}
	seen = append(seen, store.SeenBreak{ID: 99, Version: 1})
	_, _, err = b.AssignBreak(t.Context(), b.controller, "", items[1].ID, "controller@demo.test", "I asked the bank")
	ok(t, err)
	_, _, err = b.CommentBreak(t.Context(), b.approver, "", items[2].ID, "The bank calls it charges") // changes nothing
	ok(t, err)
	_, _, err = b.ResolveBreak(t.Context(), b.controller, "", items[3].ID, store.BreakResolution{Resolution: recon.CarriedForward, ReasonCode: recon.TimingCutoff})
	ok(t, err)

	decision := store.BulkResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "ticket 7"}
	outcomes, _, err := b.ResolveBreaks(t.Context(), b.preparer, "k", id, seen, decision)
	ok(t, err)
	var got []string
	for _, o := range outcomes {
		got = append(got, strings.TrimSpace(fmt.Sprint(o.Resolution, o.Kind)))
	}
	if want := []string{"external", "illegal-transition", "external", "illegal-transition", "external", "not-found"}; !reflect.DeepEqual(got, want) {
		t.Fatalf("the outcomes are %q, want %q", got, want)
	}
	if !strings.Contains(outcomes[3].Message, "(resolved as Carried forward by controller on 2026-03-31 10:00 UTC)") || !strings.Contains(outcomes[1].Message, fmt.Sprintf("break %d has changed since you saw it", items[1].ID)) {
		t.Errorf("they are told %q and %q", outcomes[1].Message, outcomes[3].Message)
	}
	again, duplicate, err := b.ResolveBreaks(t.Context(), b.preparer, "k", id, seen, decision)
	ok(t, err)
	if !duplicate || !reflect.DeepEqual(again, outcomes) {
		t.Errorf("again the outcomes are %+v", again)
	}
	undone, _, err := b.ReopenBreaks(t.Context(), b.preparer, "", id, []store.SeenBreak{{ID: items[0].ID}, {ID: items[1].ID}}, "too soon")
	ok(t, err)
	if undone[0].Status != recon.Open || undone[1].Kind != ledger.KindIllegalTransition {
		t.Errorf("undone are %+v", undone)
	}
	_, _, err = b.ResolveBreaks(t.Context(), b.preparer, "", id, nil, decision)
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.ResolveBreaks(t.Context(), b.viewer, "", id, seen, decision)
	refused(t, err, ledger.KindForbidden)
	b.isProven(t, "1010")
}

func TestResolveBreaks_PostsAnEntryForEach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var lines []string
	for i := range 4 {
		b.post(t, entry(fmt.Sprint("t", i), on("2026-03-02"), amount(1000*int64(i+1))))
		lines = append(lines, fmt.Sprintf("2026-03-02,%d.50,t%d", 10*(i+1)-1, i))
	}
	lines = append(lines, "2026-03-09,-7.00,charge")
	id := b.upload(t, csv(lines...), period("2026-03-01", "2026-03-31")).ReconciliationID
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	var seen []store.SeenBreak
	for _, item := range items {
		seen = append(seen, store.SeenBreak{ID: item.ID, Version: item.Version})
	}
	outcomes, _, err := b.ResolveBreaks(t.Context(), b.preparer, "", id, seen, store.BulkResolution{Resolution: recon.Adjusted, ReasonCode: recon.BankFee, Contra: "revenue:fees"})
	ok(t, err)
	statuses := map[recon.Status]int{}
	for _, o := range outcomes {
		statuses[o.Status]++
	}
	if statuses[recon.Resolved] != 4 || statuses[recon.WaitingForApproval] != 1 {
		t.Errorf("the outcomes are %+v", outcomes)
	}
	if r := b.reconciliation(t, id); r.Proof.UnexplainedMinor != 700 || r.OpenBreaks != 1 {
		t.Errorf("proof %+v, %d open", r.Proof, r.OpenBreaks)
	}
	many := make([]store.SeenBreak, 201)
	_, _, err = b.ResolveBreaks(t.Context(), b.preparer, "", id, many, store.BulkResolution{Resolution: recon.Adjusted, ReasonCode: recon.BankFee, Contra: "revenue:fees"})
	refused(t, err, ledger.KindInvalid)
	if !strings.Contains(err.Error(), "at most 200 at once") {
		t.Errorf("so many entries are refused with %v", err)
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

// The entry of the break that a person looked at is posted as it was previewed; the others are named after what they settle.
func TestResolveBreaks_PostsTheEntryThatWasPreviewed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-02"), amount(1000)), entry("t2", on("2026-03-02"), amount(2000)))
	id := b.upload(t, csv("2026-03-02,9.50,t1", "2026-03-02,19.50,t2"), period("2026-03-01", "2026-03-31")).ReconciliationID
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	previewed := entry("own", on("2026-03-05"), moves("revenue:fees", "1010", 50), described("As typed"))
	_, _, err = b.ResolveBreaks(t.Context(), b.preparer, "", id, []store.SeenBreak{{ID: items[0].ID}, {ID: items[1].ID}}, store.BulkResolution{
		Resolution: recon.Adjusted, ReasonCode: recon.BankFee, Contra: "revenue:fees", Reference: "R-7", Entry: &previewed, EntryOf: items[0].ID})
	ok(t, err)
	own, err := b.Entry(t.Context(), b.viewer, 3)
	ok(t, err)
	other, err := b.Entry(t.Context(), b.viewer, 4)
	ok(t, err)
	if own.TxID != "own" || own.Description != "As typed" || own.EffectiveOn != ledger.MustDate("2026-03-05") || other.Metadata["reference"] != "R-7" || other.EffectiveOn != ledger.MustDate("2026-03-02") {
		t.Errorf("posted %+v and %+v", own.Record, other.Record)
	}
}

func TestAssignBreak(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.upload(t, csv("2026-03-04,15.00,x"), period("2026-03-01", "2026-03-31")).ReconciliationID
	one := b.onlyBreak(t, id, recon.MissingInLedger)
	stranger, err := b.AddUser(t.Context(), "stranger@demo.test", "stranger", password)
	ok(t, err)
	assigned, _, err := b.AssignBreak(t.Context(), b.preparer, "k", one.ID, "Controller@demo.test", "yours, I think")
	ok(t, err)
	if assigned.Assignee != "controller@demo.test" || assigned.Status != recon.InReview || assigned.Version != one.Version+1 {
		t.Errorf("assigned %+v", assigned)
	}
	for _, email := range []string{stranger.Email, "nobody@demo.test"} {
		_, _, err = b.AssignBreak(t.Context(), b.preparer, "", one.ID, email, "")
		refused(t, err, ledger.KindInvalid)
	}
	_, _, err = b.AssignBreak(t.Context(), b.approver, "", one.ID, "", "")
	refused(t, err, ledger.KindForbidden)
	ok(t, b.RunMatching(t.Context(), b.preparer, id))
	if after := b.onlyBreak(t, id, recon.MissingInLedger); after.Status != recon.InReview {
		t.Errorf("a matching made it %s", after.Status)
	}
	free, _, err := b.AssignBreak(t.Context(), b.controller, "", one.ID, "", "not mine")
	ok(t, err)
	if free.Assignee != "" || free.Status != recon.Open {
		t.Errorf("free it is %+v", free)
	}
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", one.ID, store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError})
	ok(t, err)
	_, _, err = b.AssignBreak(t.Context(), b.preparer, "", one.ID, "controller@demo.test", "")
	refused(t, err, ledger.KindIllegalTransition)
}

func TestCommentBreak(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.upload(t, csv("2026-03-04,15.00,x"), period("2026-03-01", "2026-03-31")).ReconciliationID
	one := b.onlyBreak(t, id, recon.MissingInLedger)
	for _, actor := range []store.Actor{b.preparer, b.approver} {
		_, _, err := b.CommentBreak(t.Context(), actor, "", one.ID, "what is this?")
		ok(t, err)
	}
	for actor, kind := range map[*store.Actor]ledger.Kind{&b.viewer: ledger.KindForbidden, &b.admin: ledger.KindForbidden} {
		_, _, err := b.CommentBreak(t.Context(), *actor, "", one.ID, "x")
		refused(t, err, kind)
	}
	_, _, err := b.CommentBreak(t.Context(), b.preparer, "", one.ID, " ")
	refused(t, err, ledger.KindInvalid)
	_, events, err := b.Break(t.Context(), b.viewer, one.ID)
	ok(t, err)
	if len(events) != 3 || events[2].Event != "commented" || events[2].Note != "what is this?" || events[2].User != "approver" {
		t.Errorf("its history is %+v", events)
	}
}

func TestResolveBreak_OfTwoAtOnceOneWinsAndTheOtherIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	elsewhere := b.another(t)
	const rounds = 10
	var rows []string
	for i := range rounds {
		rows = append(rows, fmt.Sprintf("2026-03-10,-0.%02d,x%d", i+10, i))
		b.post(t, entry(fmt.Sprint("x", i), on("2026-03-10"), amount(-500)))
	}
	id := b.upload(t, csv(rows...), period("2026-03-01", "2026-03-31")).ReconciliationID
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	for i, item := range items {
		results := atOnce(
			func() error {
				_, _, err := b.ResolveBreak(t.Context(), b.preparer, "", item.ID, adjusted(fee(fmt.Sprint("fee-", i), item.DifferenceMinor)))
				return err
			},
			func() error {
				_, _, err := elsewhere.ResolveBreak(t.Context(), b.controller, "", item.ID, store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError})
				return err
			},
		)
		if (results[0] == nil) == (results[1] == nil) {
			t.Fatalf("break %d: of two at once both or none resolved it: %v", item.ID, results)
		}
		lost := errors.Join(results...)
		refused(t, lost, ledger.KindIllegalTransition)
		if !strings.Contains(lost.Error(), "already resolved") || !strings.Contains(lost.Error(), " by ") {
			t.Errorf("the other is told %v", lost)
		}
	}
	b.isProven(t, "1010")
	b.isSound(t)
}

// TestDecide_RacesWithWorkOnTheSameAccount approves adjustments while others match and resolve on the account: nobody waits for ever for what the
// other holds, and the books stay whole.
func TestDecide_RacesWithWorkOnTheSameAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	elsewhere := b.another(t)
	const each = 6
	var rows []string
	for i := range 2 * each {
		rows = append(rows, fmt.Sprintf("2026-03-10,-0.%02d,x%d", i+10, i))
	}
	id := b.upload(t, csv(rows...), period("2026-03-01", "2026-03-31")).ReconciliationID
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	var acts []func() error
	for i, item := range items {
		if i >= each {
			acts = append(acts, func() error {
				_, _, err := elsewhere.ResolveBreak(t.Context(), b.controller, "", item.ID, adjusted(fee(fmt.Sprint("late-", i), -item.DifferenceMinor, moves("1010", "revenue:fees", -item.DifferenceMinor))))
				return err
			})
			continue
		}
		waiting, _, err := b.ResolveBreak(t.Context(), b.preparer, "", item.ID, adjusted(fee(fmt.Sprint("fee-", i), 0, moves("1010", "revenue:fees", -item.DifferenceMinor))))
		ok(t, err)
		acts = append(acts, func() error {
			_, _, err := b.Decide(t.Context(), b.approver, "", waiting.ApprovalID, store.Approved, "")
			return err
		}, func() error { return elsewhere.RunMatching(t.Context(), b.preparer, id) })
	}
	for i, err := range atOnce(acts...) {
		if err != nil {
			t.Errorf("act %d: %v", i, err)
		}
	}
	b.isProven(t, "1010")
	b.isSound(t)
}
