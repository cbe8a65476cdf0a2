package store_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

// marchUpload is March with a match, a deposit in transit and a line that the ledger does not have: 3.00 is unexplained.
func (b bundle) marchUpload(t *testing.T) int64 {
	t.Helper()
	b.post(t, entry("t1", on("2026-03-10"), amount(1000)), entry("t2", on("2026-03-31"), amount(500)))
	return b.upload(t, csv("2026-03-10,10.00,t1", "2026-03-12,3.00,zł €"), period("2026-03-01", "2026-03-31")).ReconciliationID
}

// settle leaves the breaks of a reconciliation that are open to the bank.
func (b bundle) settle(t *testing.T, reconciliationID int64) {
	t.Helper()
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: reconciliationID, Standing: store.StandsOpen})
	ok(t, err)
	for _, item := range items {
		_, _, err := b.ResolveBreak(t.Context(), b.preparer, "", item.ID, store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "told the bank"})
		ok(t, err)
	}
}

func (b bundle) submit(t *testing.T, id int64) store.Reconciliation {
	t.Helper()
	r, _, err := b.SubmitReconciliation(t.Context(), b.preparer, "", id, store.Submission{})
	ok(t, err)
	return r
}

// signedMarch is marchUpload settled, submitted by the preparer and signed off by the approver.
func (b bundle) signedMarch(t *testing.T) store.Reconciliation {
	t.Helper()
	id := b.marchUpload(t)
	b.settle(t, id)
	b.submit(t, id)
	r, _, err := b.SignOff(t.Context(), b.approver, "", id, "agreed with the bank")
	ok(t, err)
	return r
}

func (b bundle) reconciled(t *testing.T, id int64, version int) store.ReconciliationStatement {
	t.Helper()
	s, err := b.ReconciliationStatement(t.Context(), b.viewer, id, version)
	ok(t, err)
	return s
}

func TestSubmitReconciliation_RefusesWhatIsUnexplained(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.marchUpload(t)
	_, _, err := b.SubmitReconciliation(t.Context(), b.preparer, "k1", id, store.Submission{})
	refused(t, err, ledger.KindIllegalTransition)
	want := "-3.00 EUR is unexplained, and 1 break is open: 1 missing in ledger (-3.00): resolve it first, or give a reason why you submit it all the same"
	var refusal *ledger.Error
	if errors.As(err, &refusal); refusal.Message != want {
		t.Errorf("it says %q", refusal.Message)
	}
	if refusal.Extra["unexplained_minor"] != int64(-300) || refusal.Extra["open_breaks"] != 1 || refusal.Fields[0].Field != "reason" {
		t.Errorf("the refusal carries %v, fields %v", refusal.Extra, refusal.Fields)
	}
	seen := int64(-200)
	_, _, err = b.SubmitReconciliation(t.Context(), b.preparer, "", id, store.Submission{Reason: "small", UnexplainedMinor: &seen})
	refused(t, err, ledger.KindIllegalTransition)
	for name, test := range map[string]struct {
		actor store.Actor
		id    int64
		kind  ledger.Kind
	}{"Viewer": {b.viewer, id, ledger.KindForbidden}, "Approver": {b.approver, id, ledger.KindForbidden}, "Unknown": {b.preparer, 99, ledger.KindNotFound}} {
		t.Run(name, func(t *testing.T) {
			_, _, err := b.SubmitReconciliation(t.Context(), test.actor, "", test.id, store.Submission{Reason: "r"})
			refused(t, err, test.kind)
		})
	}

	seen = -300
	r, duplicate, err := b.SubmitReconciliation(t.Context(), b.preparer, "k1", id, store.Submission{Reason: "below the limit", UnexplainedMinor: &seen})
	ok(t, err)
	step := r.Step(store.StepSubmitted)
	if duplicate || r.Status != store.ReconciliationSubmitted || step == nil || step.Reason != "below the limit" || step.UnexplainedMinor != -300 || step.OpenBreaks != 1 || step.User != "preparer" {
		t.Errorf("submitted it is %+v, with the step %+v", r, step)
	}
	again, duplicate, err := b.SubmitReconciliation(t.Context(), b.preparer, "k1", id, store.Submission{Reason: "below the limit", UnexplainedMinor: &seen})
	ok(t, err)
	if !duplicate || !reflect.DeepEqual(again, r) {
		t.Errorf("again it is %+v, duplicate %v; it was %+v", again, duplicate, r)
	}
	_, _, err = b.SubmitReconciliation(t.Context(), b.controller, "", id, store.Submission{Reason: "r"})
	refused(t, err, ledger.KindIllegalTransition)
	if !strings.Contains(err.Error(), "reconciliation 1 is submitted already, by preparer on 2026-03-31 10:00") {
		t.Errorf("it says %v", err)
	}
	refused(t, b.RunMatching(t.Context(), b.preparer, id), ledger.KindIllegalTransition)
}

func TestSubmitReconciliation_RefusesOpenBreaksThatCancelOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.upload(t, csv("2026-03-10,10.00,a", "2026-03-12,-10.00,b")).ReconciliationID
	if proof := b.reconciliation(t, id).Proof; proof.UnexplainedMinor != 0 {
		t.Fatalf("the proof is %+v", proof)
	}
	_, _, err := b.SubmitReconciliation(t.Context(), b.preparer, "", id, store.Submission{})
	refused(t, err, ledger.KindIllegalTransition)
}

func TestSignOff_IsByAnotherPersonWithTheRight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.marchUpload(t)
	b.settle(t, id)
	_, _, err := b.SignOff(t.Context(), b.approver, "", id, "")
	refused(t, err, ledger.KindIllegalTransition)
	_, _, err = b.SubmitReconciliation(t.Context(), b.controller, "", id, store.Submission{})
	ok(t, err)
	for name, test := range map[string]struct {
		actor store.Actor
		kind  ledger.Kind
	}{"Submitter": {b.controller, ledger.KindOwnRequest}, "Preparer": {b.preparer, ledger.KindForbidden}, "Viewer": {b.viewer, ledger.KindForbidden}} {
		t.Run(name, func(t *testing.T) {
			_, _, err := b.SignOff(t.Context(), test.actor, "", id, "")
			refused(t, err, test.kind)
		})
	}
	r, _, err := b.SignOff(t.Context(), b.approver, "k", id, "fine")
	ok(t, err)
	if step := r.Step(store.StepSignedOff); r.Status != store.ReconciliationSignedOff || step == nil || step.Reason != "fine" || step.User != "approver" {
		t.Errorf("signed it is %+v", r)
	}
	again, duplicate, err := b.SignOff(t.Context(), b.approver, "k", id, "fine")
	ok(t, err)
	if !duplicate || !reflect.DeepEqual(again, r) {
		t.Errorf("again it is %+v, it was %+v", again, r)
	}
	_, _, err = b.SignOff(t.Context(), b.approver, "", id, "")
	refused(t, err, ledger.KindIllegalTransition)
	refused(t, b.RunMatching(t.Context(), b.preparer, id), ledger.KindIllegalTransition)
}

func TestSignOff_OfTwoAtOnceOneWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.marchUpload(t)
	b.settle(t, id)
	b.submit(t, id)
	signers := []store.Actor{b.approver, b.controller, b.join(t, "ann", store.Approver), b.join(t, "ben", store.Approver)}
	errs := make([]error, len(signers))
	together(len(signers), func(i int) { _, _, errs[i] = b.SignOff(t.Context(), signers[i], "", id, "") })
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		refused(t, err, ledger.KindIllegalTransition)
		if !strings.Contains(err.Error(), "is signed off already, by") {
			t.Errorf("the other is told %v", err)
		}
	}
	if won != 1 {
		t.Errorf("%d of %d signed", won, len(signers))
	}
}

func TestSignOff_RefusesWhatHasChangedSinceItWasSubmitted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.marchUpload(t)
	b.settle(t, id)
	b.submit(t, id)
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id, Type: recon.MissingInLedger})
	ok(t, err)
	_, _, err = b.ReopenBreak(t.Context(), b.preparer, "", items[0].ID, "wait")
	ok(t, err)
	_, _, err = b.SignOff(t.Context(), b.approver, "", id, "")
	refused(t, err, ledger.KindIllegalTransition)
	if got := b.column(t, `SELECT count(*)::text FROM signoffs`); got[0] != "0" {
		t.Errorf("%s versions were kept", got[0])
	}
	r, _, err := b.ReopenReconciliation(t.Context(), b.approver, "", id, "a break was opened again")
	ok(t, err)
	if r.Status != store.ReconciliationOpen || r.Version != 1 || r.Steps[len(r.Steps)-1].Event != store.StepReturned {
		t.Errorf("returned it is %+v", r)
	}
	b.settle(t, id)
	b.submit(t, id)
	_, _, err = b.SignOff(t.Context(), b.approver, "", id, "")
	ok(t, err)
}

func TestSignOff_FreezesWhatLaterWorkChanges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	march := b.signedMarch(t)
	before := b.reconciled(t, march.ID, 0)
	breaks := b.breaksOf(t, march.ID)
	matches, _, err := b.Matches(t.Context(), b.viewer, march.ID, 0, 0)
	ok(t, err)

	b.clock.advance(24 * time.Hour)
	b.post(t, entry("late", on("2026-03-12"), amount(300), noting("reference", "zł €")))
	april := b.upload(t, csv("2026-04-02,5.00,t2"), period("2026-04-01", "2026-04-30"))
	if got := b.reconciliation(t, april.ReconciliationID); got.Matches != 2 || got.Proof.UnexplainedMinor != 0 {
		t.Errorf("April has %d matches and the proof %+v: what March carried is not cleared", got.Matches, got.Proof)
	}
	after := b.reconciled(t, march.ID, 1)
	if !reflect.DeepEqual(after, before) {
		t.Errorf("the statement of March was\n%+v\nand is\n%+v", before, after)
	}
	r := b.reconciliation(t, march.ID)
	if r.Proof != march.Proof || !reflect.DeepEqual(r.Counts, march.Counts) || r.Matches != march.Matches || r.Totals != march.Totals || r.OpenBreaks != 0 {
		t.Errorf("March was %+v and is %+v", march, r)
	}
	if got := b.breaksOf(t, march.ID); !reflect.DeepEqual(got, breaks) {
		t.Errorf("March had %q, and has %q", breaks, got)
	}
	if got, _, err := b.Matches(t.Context(), b.viewer, march.ID, 0, 0); err != nil || !reflect.DeepEqual(got, matches) {
		t.Errorf("March had %+v, and has %+v", matches, got)
	}
	live, _, err := b.Break(t.Context(), b.viewer, before.Breaks[0].ID)
	ok(t, err)
	if live.Resolution != recon.Superseded {
		t.Errorf("the break itself is %+v: it should live on", live)
	}
	if v := b.verify(t); v.Fault != nil {
		t.Errorf("verify finds %v", v.Fault)
	}
}

func TestReopenReconciliation_BeginsANewVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	march := b.signedMarch(t)
	first := b.reconciled(t, march.ID, 1)
	_, _, err := b.ReopenReconciliation(t.Context(), b.approver, "", march.ID, " ")
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.ReopenReconciliation(t.Context(), b.viewer, "", march.ID, "r")
	refused(t, err, ledger.KindForbidden)
	r, _, err := b.ReopenReconciliation(t.Context(), b.preparer, "", march.ID, "the bank corrected it")
	ok(t, err)
	if r.Status != store.ReconciliationOpen || r.Version != 2 || r.Step(store.StepSubmitted) != nil {
		t.Errorf("reopened it is %+v", r)
	}
	_, _, err = b.ReopenReconciliation(t.Context(), b.approver, "", march.ID, "again")
	refused(t, err, ledger.KindIllegalTransition)

	b.post(t, entry("late", on("2026-03-12"), amount(300), noting("reference", "zł €")))
	ok(t, b.RunMatching(t.Context(), b.preparer, march.ID))
	b.submit(t, march.ID)
	_, _, err = b.SignOff(t.Context(), b.approver, "", march.ID, "")
	ok(t, err)
	second := b.reconciled(t, march.ID, 0)
	if second.Version != 2 || second.Matches != 2 || len(second.Breaks) != 1 || !reflect.DeepEqual(second.Signed, []int{1, 2}) {
		t.Errorf("the second version is %+v", second)
	}
	old := b.reconciled(t, march.ID, 1)
	if old.Hash != first.Hash || !reflect.DeepEqual(old.Breaks, first.Breaks) || !reflect.DeepEqual(old.Explained, first.Explained) || old.Proof != first.Proof {
		t.Errorf("the first version was %+v and is %+v", first, old)
	}
	_, err = b.ReconciliationStatement(t.Context(), b.viewer, march.ID, 3)
	refused(t, err, ledger.KindNotFound)
	if v := b.verify(t); v.Fault != nil {
		t.Errorf("verify finds %v", v.Fault)
	}
}

func TestSteps_AreNotTakenWithWhatWasUndone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	march := b.signedMarch(t)
	first := b.reconciled(t, march.ID, 1)
	_, _, err := b.ReopenReconciliation(t.Context(), b.approver, "", march.ID, "the wrong file")
	ok(t, err)
	_, _, err = b.UndoStatement(t.Context(), b.preparer, "", march.Statement.ID, "the wrong file")
	ok(t, err)
	_, _, err = b.SubmitReconciliation(t.Context(), b.preparer, "", march.ID, store.Submission{Reason: "r"})
	refused(t, err, ledger.KindIllegalTransition)
	_, _, err = b.ReopenReconciliation(t.Context(), b.preparer, "", march.ID, "r")
	refused(t, err, ledger.KindIllegalTransition)
	_, err = b.ReconciliationStatement(t.Context(), b.viewer, march.ID, 0)
	refused(t, err, ledger.KindNotFound)
	if old := b.reconciled(t, march.ID, 1); !reflect.DeepEqual(old.Breaks, first.Breaks) || old.Proof != first.Proof || old.Hash != first.Hash {
		t.Errorf("what was signed was\n%+v\nand is\n%+v", first, old)
	}
	if v := b.verify(t); v.Fault != nil {
		t.Errorf("verify finds %v", v.Fault)
	}
}
