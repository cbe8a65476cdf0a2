package store_test

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"daybook/store"
	"daybook/store/ledger"
)

func TestPostEntry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, err := b.PostEntry(t.Context(), b.preparer, "k1", entry("t1", noting("reference", "INV 1")))
	ok(t, err)
	if first.Seq != 1 || first.PrevHash != ledger.GenesisHash || first.Hash != first.ComputeHash() || first.Duplicate || first.Attempts != 1 {
		t.Fatalf("the first receipt is %+v", first)
	}

	again, err := b.PostEntry(t.Context(), b.preparer, "k1", entry("t1", noting("reference", "INV 1")))
	ok(t, err)
	if !again.Duplicate {
		t.Error("a retry is not marked as a duplicate")
	}
	again.Duplicate = false
	if !reflect.DeepEqual(first, again) {
		t.Errorf("a retry got %+v, want %+v", again, first)
	}

	_, err = b.PostEntry(t.Context(), b.preparer, "k1", entry("t1", amount(3051), noting("reference", "INV 1")))
	refused(t, err, ledger.KindKeyReused)
	_, err = b.PostEntry(t.Context(), b.preparer, "k2", entry("t1"))
	refused(t, err, ledger.KindTxIDExists)
	_, err = b.PostEntry(t.Context(), b.viewer, "k3", entry("t3"))
	refused(t, err, ledger.KindForbidden)

	read, err := b.Entry(t.Context(), b.viewer, 1)
	ok(t, err)
	if !reflect.DeepEqual(read, first) {
		t.Errorf("read back as %+v, want %+v", read, first)
	}
	_, err = b.Entry(t.Context(), b.viewer, 2)
	refused(t, err, ledger.KindNotFound)
}

func TestPostEntry_RefusalLeavesTheKeyFree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.PostEntry(t.Context(), b.preparer, "k1", entry("t1", moves("1010", "nobody", 5)))
	refused(t, err, ledger.KindUnknownAccount)
	if receipt := b.post(t, entry("t1")); receipt.Seq != 1 {
		t.Errorf("the entry has seq %d: a refusal took a number", receipt.Seq)
	}
	_, err = b.PostEntry(t.Context(), b.preparer, "k1", entry("t2"))
	ok(t, err)
}

func TestPostEntry_RefusesWhatNoTextOfTheDatabaseCanHold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.PostEntry(t.Context(), b.preparer, "k", entry("t\x00"))
	refused(t, err, ledger.KindInvalid)
	_, err = b.PostEntry(t.Context(), b.preparer, "k", entry("t1", moves("1010", "customer:\x00", 5)))
	refused(t, err, ledger.KindUnknownAccount)
}

func TestPostEntry_KeyExpiresAndTxIDStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"))
	b.clock.advance(31 * 24 * time.Hour)
	_, err := b.PostEntry(t.Context(), b.preparer, "key-t1", entry("t1"))
	refused(t, err, ledger.KindTxIDExists)
	receipt, err := b.PostEntry(t.Context(), b.preparer, "key-t1", entry("t2"))
	ok(t, err)
	if receipt.Duplicate || receipt.Seq != 2 {
		t.Errorf("after its life the key gives %+v, want a new entry", receipt)
	}
}

func TestPostEntry_ManyCallersOnTwoServersPostOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	servers := []*store.Store{b.Store, b.another(t)}
	for round := range 3 {
		e := entry("t" + string(rune('a'+round)))
		receipts := make([]store.Receipt, 40)
		errs := make([]error, 40)
		together(40, func(i int) { receipts[i], errs[i] = servers[i%2].PostEntry(t.Context(), b.preparer, "same-"+e.TxID, e) })
		fresh := 0
		for i := range receipts {
			ok(t, errs[i])
			if !receipts[i].Duplicate {
				fresh++
			}
			if receipts[i].Hash != receipts[0].Hash {
				t.Fatalf("caller %d got entry %d, caller 0 entry %d", i, receipts[i].Seq, receipts[0].Seq)
			}
		}
		if fresh != 1 || receipts[0].Seq != int64(round+1) {
			t.Fatalf("round %d: %d callers posted, entry %d", round, fresh, receipts[0].Seq)
		}
	}
}

// together runs n calls at once and waits for them: all stand at a gate first.
func together(n int, call func(i int)) {
	var ready, done sync.WaitGroup
	gate := make(chan struct{})
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-gate
			call(i)
		})
	}
	ready.Wait()
	close(gate)
	done.Wait()
}

func TestPostEntry_FundsHoldUnderConcurrency(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "till", ledger.Asset, noNegative)
	b.post(t, entry("in", moves("till", "customer:alice", 100)))
	var mu sync.Mutex
	taken := 0
	together(20, func(i int) {
		_, err := b.PostEntry(t.Context(), b.preparer, "", entry("out"+string(rune('a'+i)), moves("customer:bob", "till", 30)))
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			taken++
		} else if ledger.KindOf(err) != ledger.KindInsufficientFunds {
			t.Errorf("got %v", err)
		}
	})
	if taken != 3 {
		t.Errorf("%d of 20 took 30 of 100", taken)
	}
}

func TestBalances_AsOfADateAndAsKnownThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", on("2026-03-01"), amount(100)))
	known := b.clock.now()
	b.clock.advance(time.Hour)
	b.post(t, entry("t2", on("2026-03-02"), amount(20)))
	b.clock.advance(48 * time.Hour)
	b.post(t, entry("t3", on("2026-02-28"), amount(3)))
	for name, test := range map[string]struct {
		query store.BalanceQuery
		want  int64
	}{
		"Now":          {store.BalanceQuery{}, 123},
		"AsOf":         {store.BalanceQuery{AsOf: ledger.MustDate("2026-03-01")}, 103},
		"KnownAt":      {store.BalanceQuery{KnownAt: known}, 100},
		"KnownNextDay": {store.BalanceQuery{KnownAt: known.Add(24 * time.Hour)}, 120},
		"Both":         {store.BalanceQuery{AsOf: ledger.MustDate("2026-03-01"), KnownAt: known.Add(24 * time.Hour)}, 100},
		"BeforeAll":    {store.BalanceQuery{AsOf: ledger.MustDate("2026-01-01")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			balances, err := b.Balances(t.Context(), b.viewer, test.query)
			ok(t, err)
			if got := balances.Accounts[0]; got.Code != "1010" || got.BalanceMinor() != test.want {
				t.Errorf("%s stands at %d, want %d", got.Code, got.BalanceMinor(), test.want)
			}
			if total := balances.Totals["EUR"]; total.DebitMinor != total.CreditMinor || total.DebitMinor != test.want {
				t.Errorf("the totals are %+v", total)
			}
		})
	}
}

func TestAccountPostings_CarryTheBalanceOverPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1", amount(100)), entry("t2", amount(20)), entry("t3", moves("customer:alice", "1010", 50)))
	page, more, err := b.AccountPostings(t.Context(), b.viewer, "1010", 0, 0, 2)
	ok(t, err)
	if !more || len(page) != 2 || page[1].BalanceMinor != 120 {
		t.Fatalf("the first page is %+v, more %v", page, more)
	}
	page, more, err = b.AccountPostings(t.Context(), b.viewer, "1010", page[1].Seq, page[1].Line, 2)
	ok(t, err)
	if more || len(page) != 1 || page[0].AmountMinor != -50 || page[0].BalanceMinor != 70 {
		t.Fatalf("the second page is %+v, more %v", page, more)
	}
}

func TestOpenAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	eva := ledger.Account{Code: "customer:eva", Name: "Eva", Type: ledger.Liability, Currency: "JPY"}
	opened, duplicate, err := b.OpenAccount(t.Context(), b.admin, "k", eva)
	ok(t, err)
	again, repeated, err := b.OpenAccount(t.Context(), b.admin, "k", eva)
	ok(t, err)
	if duplicate || !repeated || again != opened {
		t.Errorf("opened %+v (%v), then %+v (%v)", opened, duplicate, again, repeated)
	}
	_, _, err = b.OpenAccount(t.Context(), b.admin, "", eva)
	refused(t, err, ledger.KindAccountExists)
	other := eva
	other.Name = "Eva Jones"
	_, _, err = b.OpenAccount(t.Context(), b.admin, "k", other)
	refused(t, err, ledger.KindKeyReused)
	_, _, err = b.OpenAccount(t.Context(), b.preparer, "", ledger.Account{Code: "x", Name: "X", Type: ledger.Asset, Currency: "EUR"})
	refused(t, err, ledger.KindForbidden)
}
