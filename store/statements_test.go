package store_test

import (
	"fmt"
	"reflect"
	"strings"
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
