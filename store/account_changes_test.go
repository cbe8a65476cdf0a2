package store_test

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

func TestCloseAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("in", amount(100)), entry("out", moves("customer:alice", "1010", 100), on("2026-04-02")))
	_, err := b.CloseAccount(t.Context(), b.admin, "", "1010")
	refused(t, err, ledger.KindIllegalTransition)
	if !strings.Contains(err.Error(), "1.00 EUR on 2026-03-31") {
		t.Errorf("the refusal is %q", err)
	}
	b.post(t, entry("back", moves("customer:alice", "1010", 100), on("2026-03-31")), entry("again", amount(100), on("2026-04-02")))
	b.upload(t, csv("2026-03-01,1.00,in", "2026-03-02,9.00,fee"))
	_, err = b.CloseAccount(t.Context(), b.admin, "", "1010")
	refused(t, err, ledger.KindIllegalTransition)
	if !strings.Contains(err.Error(), "open breaks") {
		t.Errorf("the refusal is %q", err)
	}

	closed, err := b.CloseAccount(t.Context(), b.admin, "close-bob", "customer:bob")
	ok(t, err)
	again, err := b.CloseAccount(t.Context(), b.admin, "close-bob", "customer:bob")
	ok(t, err)
	if !closed.Closed || again != closed {
		t.Errorf("closed %+v, then %+v", closed, again)
	}
	_, err = b.PostEntry(t.Context(), b.preparer, "", entry("late", moves("1010", "customer:bob", 5)))
	refused(t, err, ledger.KindClosedAccount)
	_, err = b.CloseAccount(t.Context(), b.admin, "", "customer:bob")
	refused(t, err, ledger.KindIllegalTransition)
	_, err = b.ReopenAccount(t.Context(), b.preparer, "", "customer:bob")
	refused(t, err, ledger.KindForbidden)
	_, err = b.CloseAccount(t.Context(), b.admin, "", "nobody")
	refused(t, err, ledger.KindUnknownAccount)
	_, err = b.ReopenAccount(t.Context(), b.admin, "", "customer:bob")
	ok(t, err)
	b.post(t, entry("now", moves("1010", "customer:bob", 5)))
	_, err = b.ReopenAccount(t.Context(), b.admin, "", "customer:bob")
	refused(t, err, ledger.KindIllegalTransition)
	if got, want := b.auditLines(t, store.AuditFilter{Text: "account customer:bob"}), 3; len(got) != want {
		t.Errorf("the audit log has %q, want the opening, the closing and the reopening", got)
	}
}

// An account that is closed while others post is closed with what was posted before, or is not closed: never does it hold what came after.
func TestCloseAccount_WhileOthersPost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.another(t)
	for round := range 5 {
		code := fmt.Sprintf("till:%d", round)
		b.open(t, code, ledger.Asset)
		var mu sync.Mutex
		var posted, refusals int
		var closing error
		together(9, func(i int) {
			if i == 4 {
				closing = func() error { _, err := b.CloseAccount(t.Context(), b.admin, "", code); return err }()
				return
			}
			poster := []*store.Store{b.Store, other}[i%2]
			_, err := poster.PostEntry(t.Context(), b.preparer, "", entry(fmt.Sprintf("%s-%d", code, i), moves(code, "customer:alice", 1)))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				posted++
			case ledger.KindOf(err) == ledger.KindClosedAccount:
				refusals++
			default:
				t.Errorf("posting got %v", err)
			}
		})
		account, err := b.Account(t.Context(), b.viewer, code)
		ok(t, err)
		switch {
		case posted+refusals != 8:
			t.Errorf("%d were posted and %d refused, of 8", posted, refusals)
		case closing == nil && (posted > 0 || !account.Closed):
			t.Errorf("closed although %d had been posted: %+v", posted, account)
		case closing != nil && (ledger.KindOf(closing) != ledger.KindIllegalTransition || posted != 8 || account.Closed):
			t.Errorf("not closed (%v) and %d posted: %+v", closing, posted, account)
		}
	}
}

func TestSetNoNegative(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("out", moves("customer:alice", "1010", 30), on("2026-03-02")), entry("in", amount(100), on("2026-03-03")))
	_, err := b.SetNoNegative(t.Context(), b.admin, "", "1010", true)
	refused(t, err, ledger.KindInsufficientFunds)
	if !strings.Contains(err.Error(), "-0.30 EUR on 2026-03-02") {
		t.Errorf("the refusal is %q", err)
	}
	b.post(t, entry("before", amount(30), on("2026-03-01")))
	account, err := b.SetNoNegative(t.Context(), b.admin, "k", "1010", true)
	ok(t, err)
	if !account.NoNegative {
		t.Errorf("the account is %+v", account)
	}
	_, err = b.PostEntry(t.Context(), b.preparer, "", entry("too much", moves("customer:alice", "1010", 31), on("2026-03-01")))
	refused(t, err, ledger.KindInsufficientFunds)
	_, err = b.SetNoNegative(t.Context(), b.admin, "", "1010", false)
	ok(t, err)
	b.post(t, entry("much", moves("customer:alice", "1010", 31), on("2026-03-01")))
}

// Whoever comes first, the account and the rule fit each other afterwards.
func TestSetNoNegative_WhileOthersPost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for round := range 5 {
		code := fmt.Sprintf("till:%d", round)
		b.open(t, code, ledger.Asset)
		var posting, setting error
		together(2, func(i int) {
			if i == 0 {
				_, posting = b.PostEntry(t.Context(), b.preparer, "", entry(code, moves("customer:alice", code, 1)))
			} else {
				_, setting = b.SetNoNegative(t.Context(), b.admin, "", code, true)
			}
		})
		if (posting == nil) == (setting == nil) {
			t.Errorf("posting got %v, setting got %v", posting, setting)
		}
		refused(t, cmp.Or(posting, setting), ledger.KindInsufficientFunds)
	}
}

func TestRenameAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("t1"))
	sealed, err := b.Seal(t.Context(), b.viewer)
	ok(t, err)
	renamed, err := b.RenameAccount(t.Context(), b.admin, "k", "1010", "Bank, operating")
	ok(t, err)
	if renamed.Name != "Bank, operating" || renamed.Code != "1010" {
		t.Errorf("the account is %+v", renamed)
	}
	for _, name := range []string{"", "\u200b", strings.Repeat("x", 201)} {
		_, err = b.RenameAccount(t.Context(), b.admin, "", "1010", name)
		refused(t, err, ledger.KindInvalid)
	}
	_, err = b.RenameAccount(t.Context(), b.viewer, "", "1010", "Mine")
	refused(t, err, ledger.KindForbidden)
	_, err = b.RenameAccount(t.Context(), b.admin, "k", "1010", "Another")
	refused(t, err, ledger.KindKeyReused)
	if after, err := b.Seal(t.Context(), b.viewer); err != nil || after != sealed {
		t.Errorf("the journal was %+v and is %+v, %v", sealed, after, err)
	}
	for column, value := range map[string]string{"code": "'x'", "type": "'income'", "currency": "'JPY'"} {
		if _, err := b.owner(t).Exec(t.Context(), `UPDATE accounts SET `+column+` = `+value+` WHERE code = '1010'`); err == nil {
			t.Errorf("the %s of an account was changed", column)
		}
	}
}
