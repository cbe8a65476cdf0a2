package store_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

// fundedWith is a book with a till that may not go below zero and holds an amount, and two servers over it.
func fundedWith(t *testing.T, minor int64) (b bundle, servers []*store.Store) {
	t.Helper()
	b = setup(t)
	b.open(t, "till", ledger.Asset, noNegative)
	b.post(t, entry("funds", moves("till", "customer:alice", minor)))
	return b, []*store.Store{b.Store, b.another(t)}
}

func TestFunds_IdenticalPostsAreOneEntryWithEqualReceipts(t *testing.T) {
	t.Parallel()
	b, servers := fundedWith(t, 100)
	var mu sync.Mutex
	var receipts []string
	fresh := 0
	var acts []func() error
	for i := range 64 {
		acts = append(acts, func() error {
			receipt, err := servers[i%2].PostEntry(t.Context(), b.preparer, "same", entry("spend", moves("1010", "till", 100)))
			mu.Lock()
			defer mu.Unlock()
			receipts = append(receipts, fmt.Sprint(receipt.Seq, receipt.Hash, receipt.RecordedAt, receipt.Postings, receipt.Attempts))
			if !receipt.Duplicate {
				fresh++
			}
			return err
		})
	}
	for _, err := range atOnce(acts...) {
		ok(t, err)
	}
	slices.Sort(receipts)
	if distinct := slices.Compact(receipts); len(distinct) != 1 || fresh != 1 {
		t.Errorf("%d receipts are new, and they are %q", fresh, distinct)
	}
	if balance := b.balance(t, "till"); balance != 0 {
		t.Errorf("the till stands at %d", balance)
	}
	b.isSound(t)
}

func TestFunds_OfManyPostsAsManyGetInAsThereIsFor(t *testing.T) {
	t.Parallel()
	const posts, enough = 60, 7
	b, servers := fundedWith(t, enough*100+99)
	var acts []func() error
	for i := range posts {
		// Some are dated before others: what is spent on an early day is not there on a later one.
		spend := entry(fmt.Sprint("spend-", i), moves("1010", "till", 100), on(fmt.Sprintf("2026-03-%02d", 1+i%9)))
		acts = append(acts, func() error {
			_, err := servers[i%2].PostEntry(t.Context(), b.preparer, spend.TxID, spend)
			return err
		})
	}
	in := 0
	for _, err := range atOnce(acts...) {
		if err == nil {
			in++
			continue
		}
		refused(t, err, ledger.KindInsufficientFunds)
	}
	if balance := b.balance(t, "till"); in != enough || balance != 99 {
		t.Errorf("%d of %d posts got in, the till stands at %d", in, posts, balance)
	}
	b.isSound(t)
}

func TestFunds_ARetryThatTheWriterHadForgottenLeavesThemAsTheyWere(t *testing.T) {
	t.Parallel()
	b, servers := fundedWith(t, 300)
	// One server has posted what the other knows nothing of, and both know the funds.
	_, err := servers[0].PostEntry(t.Context(), b.preparer, "old", entry("old", moves("1010", "till", 100)))
	ok(t, err)
	_, err = servers[1].PostEntry(t.Context(), b.preparer, "warm", entry("warm", moves("1010", "till", 50)))
	ok(t, err)
	_, err = servers[1].PostEntry(t.Context(), b.preparer, "warm again", entry("warm again", moves("till", "1010", 50)))
	ok(t, err)

	release := b.holdHead(t)
	var postings []*store.Posting
	for _, key := range []string{"first", "old", "second"} {
		posting, err := servers[1].StartPost(t.Context(), b.preparer, key, entry(key, moves("1010", "till", 100)))
		ok(t, err)
		postings = append(postings, posting)
	}
	release()
	for i, posting := range postings {
		receipt, err := posting.Receipt()
		ok(t, err)
		if retried := i == 1; receipt.Duplicate != retried {
			t.Errorf("post %d is entry %d, a duplicate: %t", i, receipt.Seq, receipt.Duplicate)
		}
	}
	_, err = servers[1].PostEntry(t.Context(), b.preparer, "too much", entry("too much", moves("1010", "till", 1)))
	refused(t, err, ledger.KindInsufficientFunds)
	b.isSound(t)
}
