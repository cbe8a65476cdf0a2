package store_test

import (
	"reflect"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

// gapped is March of 1010 without a row that moved 30.00, and unproven is what its preview says then.
var gapped = lined("2026-03-02,10.00,a,110.00", "2026-03-03,-2.80,b,107.20", "2026-03-05,5.00,d,142.20")

// storeUnproven stores a file whose balances do not add up, with a reason.
func (b bundle) storeUnproven(t *testing.T, data []byte, reason string, options ...func(*store.Upload)) store.UploadResult {
	t.Helper()
	id := b.start(t, data, options...)
	result, _, err := b.ConfirmDraft(t.Context(), b.preparer, "", id, store.DraftConfirm{Version: b.preview(t, id).Version, BalanceReason: reason})
	ok(t, err)
	return result
}

func TestUploadStatement_RefusesBalancesThatDoNotAddUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, _, err := b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", Data: gapped})
	refused(t, err, ledger.KindStatementRefused)
	id := b.start(t, gapped)
	for _, reason := range []string{"", "  ", "a\x00b"} {
		_, _, err = b.ConfirmDraft(t.Context(), b.preparer, "", id, store.DraftConfirm{Version: 1, BalanceReason: reason})
		if err == nil {
			t.Fatalf("stored for the reason %q", reason)
		}
	}
	doubtful := b.start(t, unknown("03/02/2026;1.250;rent", "03/04/2026;2.500;food"))
	_, _, err = b.ConfirmDraft(t.Context(), b.preparer, "", doubtful, store.DraftConfirm{Version: 1, BalanceReason: "the bank is closed"})
	refused(t, err, ledger.KindStatementRefused)
	short := b.start(t, gapped, period("2026-03-01", "2026-03-04"))
	_, _, err = b.ConfirmDraft(t.Context(), b.preparer, "", short, store.DraftConfirm{Version: 1, BalanceReason: "the bank is closed"})
	refused(t, err, ledger.KindInvalid)
	if got := b.counts(t, "statements", "breaks"); got != "statements 0, breaks 0" {
		t.Errorf("there are %s", got)
	}
}

func TestConfirmDraft_BalancesThatDoNotAddUpOpenABreak(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("a", on("2026-03-02"), amount(1000)), entry("b", on("2026-03-03"), amount(-280)), entry("d", on("2026-03-05"), amount(500)))
	march := b.storeUnproven(t, gapped, "the bank sends the rest tomorrow", period("2026-03-01", "2026-03-31"))
	if got, want := b.breaksOf(t, march.ReconciliationID), []string{"balance open -3000"}; !reflect.DeepEqual(got, want) {
		t.Fatalf("March has %q, want %q", got, want)
	}
	r := b.reconciliation(t, march.ReconciliationID)
	if r.Proof.StatementMinor != 14220 || r.Proof.UnexplainedMinor != 1220-14220 || r.BalanceSource != recon.StatedClosing {
		t.Errorf("the proof is %+v", r.Proof)
	}
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: r.ID})
	ok(t, err)
	_, events, err := b.Break(t.Context(), b.viewer, items[0].ID)
	ok(t, err)
	if len(events) != 1 || events[0].Note != "stored all the same: the bank sends the rest tomorrow" || events[0].User != "preparer" {
		t.Errorf("its history is %+v", events)
	}
	ok(t, b.RunMatching(t.Context(), b.preparer, r.ID))

	april := b.upload(t, lined("2026-04-02,1.00,e,143.20", "2026-04-03,1.00,f,144.20"), period("2026-04-01", "2026-04-30"))
	if got, want := b.breaksOf(t, april.ReconciliationID), []string{"missing_in_ledger open -100", "missing_in_ledger open -100", "balance open -3000"}; !reflect.DeepEqual(got, want) {
		t.Errorf("April has %q, want %q", got, want)
	}
	if got := b.column(t, `SELECT balance_reason FROM statements WHERE balance_reason IS NOT NULL`); !reflect.DeepEqual(got, []string{"the bank sends the rest tomorrow"}) {
		t.Errorf("the reasons are %q", got)
	}
}

func TestUploadStatement_WhatWasMissingClearsTheBreakOfTheBalance(t *testing.T) {
	t.Parallel()
	b := setup(t)
	march := b.storeUnproven(t, gapped, "the bank sends the rest tomorrow")
	b.upload(t, lined("2026-03-04,29.00,c,136.20", "2026-03-04,1.00,c,137.20"))
	if got := b.breaksOf(t, march.ReconciliationID); got[len(got)-1] != "balance open -3000" {
		t.Errorf("after a part, March has %q", got)
	}
	whole := b.upload(t, lined("2026-03-02,10.00,a,110.00", "2026-03-03,-2.80,b,107.20", "2026-03-04,29.00,c,136.20", "2026-03-04,1.00,c,137.20", "2026-03-05,5.00,d,142.20"))
	if whole.Rows != (store.RowCounts{Known: 5}) {
		t.Errorf("all of March has rows %+v", whole.Rows)
	}
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: march.ReconciliationID, Type: recon.Balance})
	ok(t, err)
	if len(items) != 1 || items[0].Resolution != recon.Superseded {
		t.Fatalf("the break of the balance is %+v", items)
	}
	_, events, err := b.Break(t.Context(), b.viewer, items[0].ID)
	ok(t, err)
	if last := events[len(events)-1]; last.Event != "superseded" || last.Note != "statement 3 brought what was missing: its balances and all lines of its time add up" {
		t.Errorf("it ends with %+v", last)
	}
	for _, line := range b.breaksOf(t, whole.ReconciliationID) {
		if line == "balance open -3000" {
			t.Error("the statement that proves holds the break of the balance")
		}
	}
}
