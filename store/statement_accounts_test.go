package store_test

import (
	"fmt"
	"reflect"
	"testing"

	"daybook/store"
	"daybook/store/ledger"
)

func TestStatementAccounts_ThoseThatHaveSomeComeFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.open(t, "1020", ledger.Asset)
	b.open(t, "2400", ledger.Liability)
	b.open(t, "1000", ledger.Asset)
	_, err := b.CloseAccount(t.Context(), b.admin, "", "1000")
	ok(t, err)
	b.upload(t, csv("2026-03-10,10.00,t1"), func(u *store.Upload) { u.Account = "2400" })
	undone := b.upload(t, csv("2026-03-10,12.00,t1"), func(u *store.Upload) { u.Account = "1020" })
	b.undo(t, undone.StatementID)
	codes := func(wanted string) (codes []string) {
		accounts, more, err := b.StatementAccounts(t.Context(), b.viewer, wanted)
		ok(t, err)
		if more {
			t.Error("some are left out")
		}
		for _, a := range accounts {
			codes = append(codes, a.Code)
		}
		return codes
	}
	if got, want := codes(""), []string{"2400", "1010", "1020", "customer:alice", "customer:bob"}; !reflect.DeepEqual(got, want) {
		t.Errorf("offered are %q, want %q", got, want)
	}
	if got, want := codes("customer:bob"), []string{"customer:bob", "2400", "1010", "1020", "customer:alice"}; !reflect.DeepEqual(got, want) {
		t.Errorf("offered are %q, want %q", got, want)
	}
}

func TestStatementAccounts_OfThousandsTheWantedOneIsThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn := b.owner(t)
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), `INSERT INTO accounts (book_id, id, code, name, type, currency, no_negative, created_at)
		SELECT 1, 1000 + n, 'customer:' || n, 'Customer', 'liability', 'EUR', false, now() FROM generate_series(1, $1::int) n`, store.MaxPage+500); err != nil {
		t.Fatal(err)
	}
	last := fmt.Sprintf("customer:%d", 999) // the last by code
	accounts, more, err := b.StatementAccounts(t.Context(), b.viewer, last)
	ok(t, err)
	if len(accounts) != store.MaxPage || !more || accounts[0].Code != last || accounts[1].Code != "1010" {
		t.Errorf("%d are offered, %s and %s first, more is %v", len(accounts), accounts[0].Code, accounts[1].Code, more)
	}
}
