package store_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
)

func TestAccountStatement_SaysHowAPostingStandsAtTheBank(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t,
		entry("old", on("2026-02-10"), amount(100)), entry("same", on("2026-03-03"), amount(200)), entry("other", on("2026-03-04"), amount(300)),
		entry("absent", on("2026-03-05"), amount(400)), entry("forgiven", on("2026-03-06"), amount(500)), entry("wrong", on("2026-03-31"), amount(600)),
		entry("late", on("2026-03-31"), amount(700)))
	wrong := b.reverse(t, 6, nil)
	if b.statement(t, store.StatementQuery{Account: "1010", Latest: true}).Lines[0].Bank != "" {
		t.Error("an account without a statement has something to say about its bank")
	}
	march := b.upload(t, csv("2026-03-03,2.00,same", "2026-03-04,3.50,other"), period("2026-03-01", "2026-03-31"))
	b.post(t, entry("since", on("2026-03-07"), amount(800)))
	for _, found := range b.breaks(t, march.ReconciliationID) {
		if len(found.Ledger) == 1 && found.Ledger[0].TxID == "forgiven" {
			_, _, err := b.ResolveBreak(t.Context(), b.preparer, "", found.ID, store.BreakResolution{Resolution: recon.External, ReasonCode: recon.BankError, Note: "Ticket 1"})
			ok(t, err)
		}
	}
	want := map[string]store.BankState{
		"old": store.BankOutOfScope, "same": store.BankMatched, "other": store.BankState(recon.AmountMismatch), "absent": store.BankState(recon.MissingInBank),
		"forgiven": store.BankResolved, "wrong": store.BankReversedPair, "wrong-rev": store.BankReversedPair, "late": store.BankCarried, "since": store.BankNotReconciled,
	}
	whole := b.statement(t, store.StatementQuery{Account: "1010"})
	got := map[string]store.BankState{}
	for _, line := range whole.Lines {
		got[line.TxID] = line.Bank
		if inMatch := line.Bank == store.BankMatched || line.Bank == store.BankReversedPair; inMatch != (line.ReconciliationID == march.ReconciliationID) {
			t.Errorf("%s is %s and leads to reconciliation %d", line.TxID, line.Bank, line.ReconciliationID)
		}
	}
	if !maps.Equal(got, want) || whole.ReconciliationID != march.ReconciliationID || wrong.ReversalSeq == 0 {
		t.Fatalf("got  %v\nwant %v", got, want)
	}
	for _, state := range store.BankStates() {
		b.narrowsTo(t, state, whole)
	}
}

// narrowsTo asks for the postings of one state alone, each with the balance that it has among all.
func (b bundle) narrowsTo(t *testing.T, state store.BankState, whole store.AccountStatement) {
	t.Helper()
	var want []store.AccountLine
	for _, line := range whole.Lines {
		open := line.BreakID > 0 && line.Resolution == ""
		if line.Bank == state || state == store.BankOpen && open {
			want = append(want, line)
		}
	}
	got := b.statement(t, store.StatementQuery{Account: "1010", Bank: state, Limit: 2})
	if !slices.Equal(figures(got.Lines), figures(want)) || got.Found.Postings() != int64(len(want)) || got.Turnover != whole.Turnover || !got.Proves() {
		t.Errorf("%s: got %v of %+v, want %v", state, figures(got.Lines), got.Found, figures(want))
	}
	b.exportsTheSame(t, store.StatementQuery{Account: "1010", Bank: state}, got)
}

func (b bundle) breaks(t *testing.T, reconciliationID int64) []store.Break {
	t.Helper()
	items, _, err := b.Breaks(t.Context(), b.viewer, store.BreakFilter{ReconciliationID: reconciliationID})
	ok(t, err)
	return items
}

func TestAccountStatement_SaysWhatAPostingIsHeldAgainst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "6200", ledger.Expense)
	eur := func(account string, minor int64) ledger.Posting {
		return ledger.Posting{Account: account, AmountMinor: minor, Currency: "EUR"}
	}
	b.post(t,
		entry("payout", postings(eur("1010", 4786), eur("6200", 74), eur("customer:alice", -4860))),
		entry("within", postings(eur("1010", 500), eur("1010", -500))),
		entry("named", noting("reference", "INV-7")))
	b.reverse(t, 3, nil)
	var got []string
	for _, line := range b.statement(t, store.StatementQuery{Account: "1010"}).Lines {
		got = append(got, fmt.Sprint(line.TxID, " ", line.Reference, " ", line.Against, " +", line.AgainstMore, " ", line.Kind, " ", line.Reverses, " ", line.ReversedBy))
	}
	want := []string{
		"payout payout customer:alice +1 entry 0 0", "within within  +0 entry 0 0", "within within  +0 entry 0 0",
		"named INV-7 customer:alice +0 entry 0 4", "named-rev named-rev customer:alice +0 reversal 3 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestAccountSummaries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1020", ledger.Asset, inCurrency("JPY"), noNegative)
	b.post(t, entry("t1", on("2026-03-03"), amount(200)), entry("t2", on("2026-02-03"), amount(50)))
	b.upload(t, csv("2026-03-03,2.00,t1"), period("2026-03-01", "2026-03-31"))
	_, err := b.CloseAccount(t.Context(), b.admin, "", "customer:bob")
	ok(t, err)
	for name, test := range map[string]struct {
		filter store.AccountFilter
		want   string
	}{
		"ByType":     {store.AccountFilter{}, "1010 1020 customer:alice customer:bob revenue:fees"},
		"APage":      {store.AccountFilter{Limit: 2}, "1010 1020 …"},
		"After":      {store.AccountFilter{Limit: 2, After: "1020"}, "customer:alice customer:bob …"},
		"TheLast":    {store.AccountFilter{Limit: 2, After: "customer:bob"}, "revenue:fees"},
		"OfAType":    {store.AccountFilter{Type: ledger.Income}, "revenue:fees"},
		"Closed":     {store.AccountFilter{Status: store.AccountClosed}, "customer:bob"},
		"Open":       {store.AccountFilter{Status: store.AccountOpen, Text: "CUSTOMER"}, "customer:alice"},
		"ByName":     {store.AccountFilter{Text: "account rev"}, "revenue:fees"},
		"NoWildcard": {store.AccountFilter{Text: "1_1%"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			items, found, more, err := b.AccountSummaries(t.Context(), b.viewer, test.filter)
			ok(t, err)
			var codes []string
			for _, item := range items {
				codes = append(codes, item.Code)
			}
			if more {
				codes = append(codes, "…")
			}
			if got := strings.Join(codes, " "); got != test.want || !more && test.filter.After == "" && found != int64(len(items)) {
				t.Errorf("got %q of %d, want %q", got, found, test.want)
			}
		})
	}
	items, _, _, err := b.AccountSummaries(t.Context(), b.viewer, store.AccountFilter{})
	ok(t, err)
	bank := fmt.Sprint(items[0].LastPostedOn, items[0].LastStatement, items[0].ReconcileFrom, items[0].BalanceMinor(), items[1].LastPostedOn, items[1].NoNegative)
	if bank != "2026-03-03 2026-03-31 2026-03-01 250  true" {
		t.Errorf("the first two are %s", bank)
	}
}
