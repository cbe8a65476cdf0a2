package store_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"daybook/recon"
	"daybook/recon/statement"
	"daybook/store"
	"daybook/store/ledger"
)

// csv is a statement of 1010: rows of "date,amount,reference".
func csv(rows ...string) []byte {
	var b strings.Builder
	b.WriteString("Date,Amount,Reference,Description\n")
	for _, row := range rows {
		b.WriteString(row + ",Line of the bank\n")
	}
	return []byte(b.String())
}

func (b bundle) upload(t *testing.T, data []byte, options ...func(*store.Upload)) store.UploadResult {
	t.Helper()
	upload := store.Upload{Account: "1010", FileName: "statement.csv", Data: data}
	for _, option := range options {
		option(&upload)
	}
	result, duplicate, err := b.UploadStatement(t.Context(), b.preparer, "", upload)
	ok(t, err)
	if duplicate {
		t.Fatal("a new file is taken for one that came before")
	}
	return result
}

func period(from, to string) func(*store.Upload) {
	return func(u *store.Upload) { u.PeriodFrom, u.PeriodTo = ledger.MustDate(from), ledger.MustDate(to) }
}

func (b bundle) reconciliation(t *testing.T, id int64) store.Reconciliation {
	t.Helper()
	r, err := b.Reconciliation(t.Context(), b.viewer, id)
	ok(t, err)
	return r
}

// breaksOf gives "type status resolution difference" of each break, in the order of the list.
func (b bundle) breaksOf(t *testing.T, id int64) []string {
	t.Helper()
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: id})
	ok(t, err)
	var lines []string
	for _, item := range items {
		lines = append(lines, strings.Join(strings.Fields(fmt.Sprint(item.Type, " ", item.Status, " ", item.Resolution, " ", item.DifferenceMinor)), " "))
	}
	return lines
}

func TestUploadStatement_Example(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, minor := range []int64{1000, 2500, 700, 90} {
		id := []string{"t1", "t2", "t3", "t5"}[i]
		b.post(t, entry(id, on("2026-03-02"), amount(minor)))
	}
	data := csv("2026-03-02,10.00,t1", "2026-03-02,24.50,t2", "2026-03-02,3.00,t4", "2026-03-02,0.90,t5")
	result := b.upload(t, data)
	if result.Rows != (store.RowCounts{New: 4}) {
		t.Errorf("rows %+v", result.Rows)
	}
	r := b.reconciliation(t, result.ReconciliationID)
	if r.Totals != (recon.Totals{LedgerMinor: 4290, BankMinor: 3840, DifferenceMinor: 450}) || r.Matches != 2 {
		t.Errorf("totals %+v, %d matches", r.Totals, r.Matches)
	}
	if r.Proof.UnexplainedMinor != 450 || r.Proof.LedgerMinor != 4290 || r.Proof.StatementMinor != 3840 {
		t.Errorf("proof %+v", r.Proof)
	}
	want := []string{"amount_mismatch open 50", "missing_in_ledger open -300", "missing_in_bank open 700"}
	if got := b.breaksOf(t, r.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("breaks %q, want %q", got, want)
	}

	again, duplicate, err := b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", Data: data, Hints: statement.Hints{"decimal": ","}})
	ok(t, err)
	if !duplicate || !reflect.DeepEqual(again, result) {
		t.Errorf("the same file again gives %+v, duplicate %v", again, duplicate)
	}
}

func TestUploadStatement_OverlapAddsOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	coffee := "2026-03-03,-2.80,"
	first := b.upload(t, csv("2026-03-02,10.00,t1", coffee, coffee))
	second := b.upload(t, csv(coffee, coffee, coffee, "2026-03-04,5.00,t2"))
	if first.Rows != (store.RowCounts{New: 3}) || second.Rows != (store.RowCounts{New: 2, Known: 2}) {
		t.Errorf("rows %+v, then %+v", first.Rows, second.Rows)
	}
	r := b.reconciliation(t, second.ReconciliationID)
	if r.Proof.StatementMinor != 1000-3*280+500 {
		t.Errorf("the balance per statement is %d", r.Proof.StatementMinor)
	}
}

func TestUploadStatement_RefusalStoresNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, test := range map[string]struct {
		upload store.Upload
		want   ledger.Kind
	}{
		"Doubtful":        {store.Upload{Account: "1010", Data: csv("03/04/2026,10.00,a", "05/04/2026,1.00,b")}, ledger.KindStatementRefused},
		"Empty":           {store.Upload{Account: "1010"}, ledger.KindStatementRefused},
		"UnknownAccount":  {store.Upload{Account: "x", Data: csv("2026-03-04,10.00,a")}, ledger.KindUnknownAccount},
		"IncomeAccount":   {store.Upload{Account: "revenue:fees", Data: csv("2026-03-04,10.00,a")}, ledger.KindInvalid},
		"HalfAPeriod":     {store.Upload{Account: "1010", Data: csv("2026-03-04,10.00,a"), PeriodFrom: ledger.MustDate("2026-03-01")}, ledger.KindInvalid},
		"OutsideItsDates": {store.Upload{Account: "1010", Data: csv("2026-04-04,10.00,a"), PeriodFrom: ledger.MustDate("2026-03-01"), PeriodTo: ledger.MustDate("2026-03-31")}, ledger.KindInvalid},
		"UnknownHint":     {store.Upload{Account: "1010", Data: csv("2026-03-04,10.00,a"), Hints: statement.Hints{"colour": "red"}}, ledger.KindInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := b.UploadStatement(t.Context(), b.preparer, "key", test.upload)
			refused(t, err, test.want)
		})
	}
	items, _, err := b.Statements(t.Context(), b.viewer, 0, 0)
	ok(t, err)
	account, err := b.Account(t.Context(), b.viewer, "1010")
	ok(t, err)
	if len(items) != 0 || !account.ReconcileFrom.IsZero() {
		t.Errorf("after refusals there are %d statements, the account reconciles from %q", len(items), account.ReconcileFrom)
	}
	_, _, err = b.UploadStatement(t.Context(), b.approver, "", store.Upload{Account: "1010", Data: csv("2026-03-04,10.00,a")})
	refused(t, err, ledger.KindForbidden)
}

func TestUploadStatement_ManyAtOnceStoreOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	servers := []*store.Store{b.Store, b.another(t)}
	data := csv("2026-03-02,10.00,t1", "2026-03-03,5.00,t2")
	results := make([]store.UploadResult, 8)
	fresh := make([]bool, 8)
	errs := make([]error, 8)
	together(8, func(i int) {
		result, duplicate, err := servers[i%2].UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", Data: data})
		results[i], fresh[i], errs[i] = result, !duplicate, err
	})
	count := 0
	for i := range results {
		ok(t, errs[i])
		if fresh[i] {
			count++
		}
		if !reflect.DeepEqual(results[i], results[0]) {
			t.Errorf("caller %d got %+v, caller 0 %+v", i, results[i], results[0])
		}
	}
	if count != 1 {
		t.Errorf("%d of 8 stored the file", count)
	}
}

func TestReconciliation_TimingClearsWithTheNextStatement(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-10"), amount(1000)), entry("t2", on("2026-03-31"), amount(500)), entry("t3", on("2026-03-30"), amount(70)))
	march := b.upload(t, csv("2026-03-10,10.00,t1"), period("2026-03-01", "2026-03-31"))
	want := []string{"timing resolved carried_forward 70", "timing resolved carried_forward 500"}
	if got := b.breaksOf(t, march.ReconciliationID); !reflect.DeepEqual(got, want) {
		t.Fatalf("March has %q, want %q", got, want)
	}
	if proof := b.reconciliation(t, march.ReconciliationID).Proof; proof.InTransitMinor != 570 || proof.UnexplainedMinor != 0 {
		t.Errorf("the proof of March is %+v", proof)
	}

	april := b.upload(t, csv("2026-04-02,5.00,t2"), period("2026-04-01", "2026-04-30"))
	if got, want := b.breaksOf(t, april.ReconciliationID), []string{"missing_in_bank open 70"}; !reflect.DeepEqual(got, want) {
		t.Errorf("April has %q, want %q", got, want)
	}
	if proof := b.reconciliation(t, april.ReconciliationID).Proof; proof.UnexplainedMinor != 70 || proof.StatementMinor != 1500 {
		t.Errorf("the proof of April is %+v", proof)
	}
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: april.ReconciliationID})
	ok(t, err)
	same, events, err := b.Break(t.Context(), b.viewer, items[0].ID)
	ok(t, err)
	if same.ReconciliationID != march.ReconciliationID || events[len(events)-1].Event != "returned" {
		t.Errorf("the break is of reconciliation %d and ends with %+v: it lost its identity", same.ReconciliationID, events)
	}
}

func TestReconciliation_PostingsBeforeTheFirstStatementMatchButNeverBreak(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("old", on("2026-02-27"), amount(1500)), entry("older", on("2026-01-05"), amount(900)))
	result := b.upload(t, csv("2026-03-03,15.00,old"), period("2026-03-01", "2026-03-31"))
	r := b.reconciliation(t, result.ReconciliationID)
	if r.Matches != 1 || len(r.Counts) != 0 {
		t.Errorf("%d matches, breaks %v", r.Matches, r.Counts)
	}
	if r.Proof.UnexplainedMinor != 0 || r.Proof.StatementMinor != 2400 {
		t.Errorf("the proof is %+v", r.Proof)
	}
}

func TestReconciliations_ListsEachAsItIsAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1020", ledger.Asset, inCurrency("JPY"))
	b.post(t, entry("t1", on("2026-03-03"), amount(1500)), entry("t2", on("2026-04-02"), amount(700)))
	b.upload(t, csv("2026-03-03,15.00,t1", "2026-03-30,7.00,t2", "2026-03-30,1.00,x"), period("2026-03-01", "2026-03-31"))
	b.upload(t, csv("2026-04-03,3.00,y", "2026-04-03,-4.00,z"), period("2026-04-01", "2026-04-30"))
	b.upload(t, csv("2026-03-03,15,j1"), func(u *store.Upload) { u.Account = "1020" })
	listed, more, err := b.Reconciliations(t.Context(), b.viewer, 0, 2)
	ok(t, err)
	oldest, _, err := b.Reconciliations(t.Context(), b.viewer, listed[len(listed)-1].ID, 2)
	ok(t, err)
	listed = append(listed, oldest...)
	if len(listed) != 3 || !more || listed[2].Postings != 2 || listed[2].Lines != 3 || listed[0].Account.Currency != "JPY" {
		t.Fatalf("the list is %+v, more %v", listed, more)
	}
	for _, r := range listed {
		if alone := b.reconciliation(t, r.ID); !reflect.DeepEqual(alone, r) {
			t.Errorf("listed as %+v, alone it is %+v", r, alone)
		}
	}
}

func TestRunMatching_FindsWhatWasPostedSince(t *testing.T) {
	t.Parallel()
	b := setup(t)
	result := b.upload(t, csv("2026-03-03,15.00,t1", "2026-03-04,7.00,t2"))
	b.post(t, entry("t1", on("2026-03-03"), amount(1500)))
	ok(t, b.RunMatching(t.Context(), b.preparer, result.ReconciliationID))
	r := b.reconciliation(t, result.ReconciliationID)
	if got, want := b.breaksOf(t, r.ID), []string{"missing_in_ledger open -700"}; !reflect.DeepEqual(got, want) || r.Matches != 1 {
		t.Errorf("breaks %q, %d matches", got, r.Matches)
	}
	if r.Proof.UnexplainedMinor != -700 || r.Totals.LedgerMinor != 1500 || r.Totals.BankMinor != 2200 {
		t.Errorf("proof %+v, totals %+v", r.Proof, r.Totals)
	}
	refused(t, b.RunMatching(t.Context(), b.viewer, r.ID), ledger.KindForbidden)
}

func TestResolveBreak(t *testing.T) {
	t.Parallel()
	b := setup(t)
	result := b.upload(t, csv("2026-03-03,15.00,t1", "2026-03-04,0.00,t2"))
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: result.ReconciliationID})
	ok(t, err)
	first, zero := items[0], items[1]
	if first.DifferenceMinor == 0 {
		first, zero = zero, first
	}
	external := store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "called the bank"}

	_, _, err = b.ResolveBreak(t.Context(), b.viewer, "", first.ID, external)
	refused(t, err, ledger.KindForbidden)
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", first.ID, store.BreakResolution{Resolution: recon.NotABreak, ReasonCode: recon.BankError})
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", first.ID, store.BreakResolution{Resolution: recon.Adjusted, ReasonCode: recon.BankFee})
	refused(t, err, ledger.KindInvalid)
	_, _, err = b.ResolveBreak(t.Context(), b.preparer, "", zero.ID, store.BreakResolution{Resolution: recon.NotABreak, ReasonCode: recon.Rounding})
	ok(t, err)

	resolved, _, err := b.ResolveBreak(t.Context(), b.preparer, "k", first.ID, external)
	ok(t, err)
	again, duplicate, err := b.ResolveBreak(t.Context(), b.preparer, "k", first.ID, external)
	ok(t, err)
	if !duplicate || !reflect.DeepEqual(resolved, again) || resolved.Status != recon.Resolved {
		t.Errorf("resolved %+v, again %+v", resolved, again)
	}
	if proof := b.reconciliation(t, result.ReconciliationID).Proof; proof.UnexplainedMinor != 0 || proof.OtherExplainedMinor != -1500 {
		t.Errorf("the proof is %+v", proof)
	}
	reopened, _, err := b.ReopenBreak(t.Context(), b.preparer, "", first.ID, "the bank disagrees")
	ok(t, err)
	_, events, err := b.Break(t.Context(), b.viewer, first.ID)
	ok(t, err)
	var names []string
	for _, e := range events {
		names = append(names, e.Event)
	}
	if reopened.Status != recon.Open || !reflect.DeepEqual(names, []string{"found", "resolved", "reopened"}) {
		t.Errorf("reopened %+v, history %v", reopened, names)
	}
}

func TestResolveBreak_WhileItsAccountIsMatchedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("2026-03-04,0.00,z%d", i))
	}
	result := b.upload(t, csv(lines...))
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: result.ReconciliationID})
	ok(t, err)
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if err := b.RunMatching(t.Context(), b.preparer, result.ReconciliationID); err != nil {
					t.Errorf("match again: %v", err)
					return
				}
			}
		}
	})
	for _, item := range items {
		_, _, err := b.ResolveBreak(t.Context(), b.preparer, "", item.ID, store.BreakResolution{Resolution: recon.NotABreak, ReasonCode: recon.Rounding})
		if err != nil {
			t.Errorf("set break %d aside: %v", item.ID, err)
		}
	}
	close(stop)
	group.Wait()
	if r := b.reconciliation(t, result.ReconciliationID); len(items) != 60 || r.OpenBreaks != 0 {
		t.Errorf("of %d breaks %d are open", len(items), r.OpenBreaks)
	}
}

func TestReconciliation_AReversalIsNotInTransit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-20"), amount(128450), noting("reference", "INV 1")))
	uploaded := b.upload(t, csv("2026-03-21,1248.50,INV 1"), period("2026-03-01", "2026-03-31"))
	if got, want := b.breaksOf(t, uploaded.ReconciliationID), []string{"amount_mismatch open 3600"}; !reflect.DeepEqual(got, want) {
		t.Fatalf("breaks %q, want %q", got, want)
	}
	fix := entry("", on("2026-03-20"), amount(124850), noting("reference", "INV 1"))
	b.reverse(t, 1, &fix)
	ok(t, b.RunMatching(t.Context(), b.preparer, uploaded.ReconciliationID))
	r := b.reconciliation(t, uploaded.ReconciliationID)
	if r.Matches != 2 || len(r.Counts) != 0 || r.Proof.UnexplainedMinor != 0 || r.Proof.InTransitMinor != 0 {
		t.Errorf("%d matches, breaks %v, proof %+v", r.Matches, r.Counts, r.Proof)
	}
	matches, _, err := b.Matches(t.Context(), b.viewer, r.ID, 0, 0)
	ok(t, err)
	kinds := map[recon.Kind]int{}
	for _, m := range matches {
		kinds[m.Kind]++
	}
	if kinds[recon.KindReversedPair] != 1 || kinds[recon.KindReference] != 1 {
		t.Errorf("matches %v", kinds)
	}
}

func TestUploadStatement_InAnotherCurrencyIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1030", ledger.Asset, inCurrency("USD"))
	data := []byte("Date,Amount,Currency,Reference\n2026-03-02,10.00,EUR,t1\n2026-03-03,11.00,EUR,t2\n")
	_, _, err := b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1030", Data: data})
	refused(t, err, ledger.KindCurrencyMismatch)
	_, _, err = b.UploadStatement(t.Context(), b.preparer, "", store.Upload{Account: "1010", Data: data})
	ok(t, err)
}
