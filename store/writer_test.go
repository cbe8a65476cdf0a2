package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

// holdHead keeps every appender of the book waiting until release.
func (b bundle) holdHead(t *testing.T) (release func()) {
	t.Helper()
	owner := b.owner(t)
	_, err := owner.Exec(t.Context(), `BEGIN`)
	ok(t, err)
	_, err = owner.Exec(t.Context(), `SELECT FROM heads FOR UPDATE`)
	ok(t, err)
	return func() {
		t.Helper()
		_, err := owner.Exec(t.Context(), `ROLLBACK`)
		ok(t, err)
	}
}

// start hands an entry to the writer and does not wait.
func (b bundle) startPost(t *testing.T, ctx context.Context, key string, e ledger.Entry) *store.Posting {
	t.Helper()
	posting, err := b.StartPost(ctx, b.preparer, key, e)
	ok(t, err)
	return posting
}

func TestWriter_WhatWaitsIsWrittenTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	release := b.holdHead(t)
	var postings []*store.Posting
	for i := range 300 {
		postings = append(postings, b.startPost(t, t.Context(), fmt.Sprint("k", i), entry(fmt.Sprint("t", i))))
	}
	release()
	for i, posting := range postings {
		receipt, err := posting.Receipt()
		ok(t, err)
		if receipt.Seq != int64(i+1) || receipt.TxID != fmt.Sprint("t", i) || receipt.Duplicate {
			t.Errorf("post %d is entry %d, %s", i, receipt.Seq, receipt.TxID)
		}
	}
	// The first was alone, since nothing else had come yet.
	if commits := b.column(t, `SELECT count(DISTINCT xmin::text)::text FROM entries`); commits[0] != "2" && commits[0] != "1" {
		t.Errorf("300 posts took %s commits", commits[0])
	}
	b.isSound(t)
}

func TestWriter_ABadEntryLeavesItsNeighboursAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("known"))
	release := b.holdHead(t)
	unbalanced := entry("t2")
	unbalanced.Postings[0].AmountMinor++
	start := func(key string, e ledger.Entry) *store.Posting { return b.startPost(t, t.Context(), key, e) }
	cases := []struct {
		posting *store.Posting
		want    string
	}{
		{start("k1", entry("t1")), "2"},
		{start("k2", unbalanced), "unbalanced"},
		{start("k3", entry("t3", moves("1010", "nobody", 5))), "unknown-account"},
		{start("k1", entry("t1")), "2 again"},
		{start("k1", entry("other")), "idempotency-key-reused"},
		{start("k4", entry("t1")), "tx-id-exists"},
		{start("key-known", entry("known")), "1 again"},
		{start("k5", entry("known")), "tx-id-exists"},
		{start("k6", entry("t\x00")), "invalid"},
		{start("k7", entry("t7")), "3"},
	}
	release()
	for i, c := range cases {
		receipt, err := c.posting.Receipt()
		got := fmt.Sprint(receipt.Seq)
		if receipt.Duplicate {
			got += " again"
		}
		if err != nil {
			got = string(ledger.KindOf(err))
		}
		if got != c.want {
			t.Errorf("post %d: %s (%v), want %s", i, got, err, c.want)
		}
	}
	b.isSound(t)
}

func TestWriter_WhoGivesUpBeforeTheTurnPostsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	release := b.holdHead(t)
	first := b.startPost(t, t.Context(), "k1", entry("t1"))
	ctx, cancel := context.WithCancel(t.Context())
	second := b.startPost(t, ctx, "k2", entry("t2"))
	third := b.startPost(t, t.Context(), "k3", entry("t3"))
	cancel()
	_, err := second.Receipt()
	refused(t, err, ledger.KindBusy)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the reason is lost: %v", err)
	}
	release()
	for seq, posting := range []*store.Posting{first, third} {
		receipt, err := posting.Receipt()
		ok(t, err)
		if receipt.Seq != int64(seq+1) {
			t.Errorf("%s is entry %d", receipt.TxID, receipt.Seq)
		}
	}
	if receipt, err := b.PostEntry(t.Context(), b.preparer, "k2", entry("t2")); err != nil || receipt.Duplicate || receipt.Seq != 3 {
		t.Errorf("posted later it is %+v, %v", receipt, err)
	}
}

func TestWriter_RefusesWhoComesToAFullQueue(t *testing.T) {
	t.Parallel()
	const streamed, singles = 2000, 2050 // of which 2,000 find room
	b := setup(t)
	release := b.holdHead(t)
	var postings []*store.Posting
	for i := range streamed {
		postings = append(postings, b.startPost(t, t.Context(), fmt.Sprint("k", i), entry(fmt.Sprint("t", i))))
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := b.StartPost(gone, b.preparer, "one more of a stream", entry("one more of a stream"))
	refused(t, err, ledger.KindBusy)

	answers := make(chan error, singles)
	for i := range singles {
		go func() {
			_, err := b.PostEntry(t.Context(), b.preparer, fmt.Sprint("single", i), entry(fmt.Sprint("single", i)))
			answers <- err
		}()
	}
	// As long as the head is held, nobody is answered but who is refused.
	refused(t, <-answers, ledger.KindBusy)
	release()
	for range singles - 1 {
		if err := <-answers; err != nil {
			refused(t, err, ledger.KindBusy)
		}
	}
	for _, posting := range postings {
		_, err := posting.Receipt()
		ok(t, err)
	}
	if got := b.column(t, `SELECT (count(*) >= 4000)::text FROM entries`); got[0] != "true" {
		t.Error("posts were refused for which there was room")
	}
	b.post(t, entry("afterwards"))
	b.isSound(t)
}

func TestWriter_ServersTakeTurns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	servers := []*store.Store{b.Store, b.another(t), b.another(t)}
	errs := make([]error, 150)
	together(len(errs), func(i int) {
		_, errs[i] = servers[i%3].PostEntry(t.Context(), b.preparer, fmt.Sprint("k", i/2), entry(fmt.Sprint("t", i/2)))
	})
	for _, err := range errs {
		ok(t, err)
	}
	if got := b.column(t, `SELECT count(*) || ' to ' || max(seq) FROM entries`); got[0] != "75 to 75" {
		t.Errorf("entries: %s", got[0])
	}
	b.isSound(t)
}

// A server judges by what it remembers of the book, and must not miss what another has changed.
func TestWriter_SeesWhatAnotherServerChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.another(t)
	b.post(t, entry("t1"))
	_, err := b.PostEntry(t.Context(), b.preparer, "k", entry("t2", moves("1010", "late", 5)))
	refused(t, err, ledger.KindUnknownAccount)
	_, _, err = other.OpenAccount(t.Context(), b.admin, "", ledger.Account{Code: "late", Name: "Late", Type: ledger.Liability, Currency: "EUR"})
	ok(t, err)
	_, err = b.PostEntry(t.Context(), b.preparer, "k", entry("t2", moves("1010", "late", 5)))
	ok(t, err)
	b.sql(t, `INSERT INTO periods (book_id, period, closed_at, closed_by) SELECT id, '2026-03', now(), 1 FROM books`)
	_, err = b.PostEntry(t.Context(), b.preparer, "k3", entry("t3"))
	refused(t, err, ledger.KindPeriodClosed)
	b.sql(t, `DELETE FROM periods`)
	_, err = other.PostEntry(t.Context(), b.preparer, "k4", entry("t4"))
	ok(t, err)
	receipt, err := b.PostEntry(t.Context(), b.preparer, "k3", entry("t3"))
	ok(t, err)
	if receipt.Seq != 4 {
		t.Errorf("the last is entry %d", receipt.Seq)
	}
	b.isSound(t)
}

func TestWriter_CountsTheRetriesItAbsorbed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	release := b.holdHead(t)
	var postings []*store.Posting
	for range 3 {
		postings = append(postings, b.startPost(t, t.Context(), "k", entry("t1")))
	}
	release()
	for _, posting := range postings {
		_, err := posting.Receipt()
		ok(t, err)
	}
	for _, server := range []*store.Store{b.Store, b.another(t)} {
		receipt, err := server.PostEntry(t.Context(), b.preparer, "k", entry("t1"))
		ok(t, err)
		if !receipt.Duplicate || receipt.Attempts != 1 {
			t.Errorf("a retry gets %+v", receipt)
		}
	}
	_, err := b.KeyTotals(t.Context(), b.viewer)
	ok(t, err)
	if got := b.column(t, `SELECT replays::text FROM idempotency_keys`); strings.Join(got, " ") != "4" {
		t.Errorf("retries counted: %v, want 4", got)
	}
}

func TestPostEntry_ARetryByAnotherPersonNamesWhoPosted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.post(t, entry("t1"))
	for _, server := range []*store.Store{b.Store, b.another(t)} {
		again, err := server.PostEntry(t.Context(), b.controller, "key-t1", entry("t1"))
		ok(t, err)
		if !again.Duplicate || again.Recorder != first.Recorder || again.RecorderName != first.RecorderName {
			t.Errorf("recorded by %s, %s; it was %s", again.Recorder, again.RecorderName, first.Recorder)
		}
	}
}
