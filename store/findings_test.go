package store_test

import (
	"fmt"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/store/postgres"
)

// A bank's file of a quarter overlaps the next: every line of the first is compared with its break again. The limit of a statement
// is far above what reading them takes once, and far below what it takes once a break.
func TestUploadStatement_OverlappingThousandsReadsEachBreakOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	db, err := postgres.Open(t.Context(), b.appURL+"&statement_timeout=4000")
	ok(t, err)
	limited := store.New(db, b.clock.now)
	t.Cleanup(func() { ok(t, limited.Close()) })
	rows := make([]string, 8000)
	for i := range rows {
		rows[i] = fmt.Sprintf("2026-03-%02d,%d.%02d,r%d", 1+i%28, 1+i%500, i%100, i)
	}
	b.upload(t, csv(rows[:len(rows)-1]...))
	result, _, err := limited.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", FileName: "next.csv", Data: csv(rows...)})
	ok(t, err)
	if result.Rows.New != 1 || result.Rows.Known != len(rows)-1 {
		t.Errorf("the overlapping file gave %+v", result.Rows)
	}
	if got := b.reconciliation(t, result.ReconciliationID).OpenBreaks; got != len(rows) {
		t.Errorf("there are %d open breaks, want %d", got, len(rows))
	}
}

func TestUploadStatement_RefusesSumsBeyondTheLargestAmount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", amount(ledger.MaxAmountMinor/2)))
	_, _, err := b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", FileName: "s.csv", Data: csv("2026-03-01,-92233720368547757.97,t1")})
	refused(t, err, ledger.KindAmountOverflow)
	items, _, err := b.Reconciliations(t.Context(), b.viewer, 0, 10)
	ok(t, err)
	if len(items) != 0 {
		t.Errorf("%d reconciliations are left of it", len(items))
	}
}
