package store_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"daybook/store"
)

var totalForgeries = []string{
	`UPDATE account_totals SET debit_minor = debit_minor + 1 WHERE account_id = 1`,
	`UPDATE account_days SET credit_minor = 1 WHERE account_id = 4`,
	`UPDATE currency_totals SET debit_minor = 1`,
	`DELETE FROM account_totals; DELETE FROM account_days; DELETE FROM currency_totals`,
	`INSERT INTO account_totals VALUES (1, 3, 5, 0); INSERT INTO account_days VALUES (1, 3, '2026-01-01', '2026-03-31', 7, 7); INSERT INTO currency_totals VALUES (1, 'USD', 7)`,
}

func (b bundle) rebuild(t *testing.T) store.TotalsRebuilt {
	t.Helper()
	done, err := b.RebuildTotals(t.Context(), b.book)
	ok(t, err)
	return done
}

func TestRebuildTotals(t *testing.T) {
	t.Parallel()
	b := setupTampered(t)
	version := func() string { return strings.Join(b.column(t, `SELECT version::text FROM book_versions`), " ") }
	t.Run("ProvesWhatIsRightAndChangesNothing", func(t *testing.T) {
		before := version()
		if done := b.rebuild(t); done.Changed() != 0 || done.Before.Fault != nil || done.Before.Entries != 6 {
			t.Errorf("rebuilt %+v", done)
		}
		if got := b.column(t, `SELECT action FROM audit_log WHERE action = 'totals.rebuild'`); len(got) != 0 || version() != before {
			t.Errorf("nothing changed, and it is audited: %v, version %s to %s", got, before, version())
		}
	})
	for i, forgery := range totalForgeries {
		t.Run(fmt.Sprintf("SetsRight%d", i), func(t *testing.T) {
			for statement := range strings.SplitSeq(forgery, ";") {
				b.run(t, statement)
			}
			before := version()
			done := b.rebuild(t)
			if done.Changed() == 0 || done.Before.Fault == nil {
				t.Errorf("rebuilt %+v", done)
			}
			if v := b.verify(t); v.Fault != nil {
				t.Errorf("after it: %v", v.Fault)
			}
			if version() == before {
				t.Error("servers that remember totals are not told")
			}
			b.restore(t)
		})
	}
	t.Run("IsAudited", func(t *testing.T) {
		if got := b.column(t, `SELECT email || ' ' || object || ' ' || detail::text FROM audit_log WHERE action = 'totals.rebuild' ORDER BY id LIMIT 1`); len(got) != 1 ||
			got[0] != `operator book main {"days": 0, "accounts": 1, "currencies": 0}` {
			t.Errorf("audited %q", got)
		}
	})
	t.Run("LeavesABookAloneWhoseJournalIsNotWhatWasRecorded", func(t *testing.T) {
		b.run(t, `UPDATE postings SET amount_minor = sign(amount_minor) * 3051 WHERE seq = 1`)
		done := b.rebuild(t)
		if done.Changed() != 0 || done.Before.Fault == nil || done.Before.Fault.Seq != 1 {
			t.Errorf("rebuilt %+v", done)
		}
		b.restore(t)
	})
}

// TestRebuildTotals_WhileOthersPost has two servers post, which remember the totals that they wrote, while a third spoils totals and
// rebuilds them.
func TestRebuildTotals_WhileOthersPost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(t, entry("first"), entry("second", moves("customer:bob", "revenue:fees", 1)))
	b.sql(t, `ALTER TABLE account_totals DISABLE TRIGGER USER`)
	conn := b.owner(t)
	posting := [2]bundle{b, b}
	posting[1].Store = b.another(t)
	var group sync.WaitGroup
	for server, on := range posting {
		group.Go(func() {
			for i := range 60 {
				txID := fmt.Sprintf("s%d-%d", server, i)
				if _, err := on.PostEntry(t.Context(), b.preparer, txID, entry(txID, amount(int64(i+1)))); err != nil {
					t.Errorf("post %s: %v", txID, err)
				}
			}
		})
	}
	for range 5 {
		for _, statement := range []string{
			`UPDATE account_totals SET credit_minor = credit_minor + 5 WHERE account_id IN (3, 4)`, `UPDATE account_days SET debit_minor = debit_minor + 7`,
		} {
			if _, err := conn.Exec(t.Context(), statement); err != nil {
				t.Error(err)
			}
		}
		b.rebuild(t)
	}
	group.Wait()
	b.rebuild(t)
	b.post(t, entry("last"), entry("very-last", moves("customer:bob", "revenue:fees", 1)))
	if v := b.verify(t); v.Fault != nil || v.Entries != 124 {
		t.Errorf("verified %+v", v)
	}
}
